/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu.c - in place of the library's: what an emulated build can run. */
#include "cpu.h"

uint32_t csum_cpu_features(void)
{
	return CSUM_CPU_AVX2 | CSUM_CPU_AVXVNNI | CSUM_CPU_AVX512BW |
	       CSUM_CPU_AVX512VNNI | CSUM_CPU_ZMM;
}
