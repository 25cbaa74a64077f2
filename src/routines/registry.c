/* SPDX-License-Identifier: BSD-2-Clause */
/* registry.c - the only list of routines: library, lab, tools, tests walk it.
 */
#include "routine.h"

const struct csum_routine csum_routines[] = {
#ifdef CSUM_X86_64
	{ "avx2", "AVX2", "32-byte lanes: wrapping total and exact high halves",
	  CSUM_CPU_AVX2, csum_sum_avx2 },
	{ "adc", "x86-64", "one chain of 64-bit add-with-carry", 0,
	  csum_sum_adc },
#endif
	{ "portable", "any", "64-bit words in C, carry by comparison", 0,
	  csum_sum_portable },
	{ NULL, NULL, NULL, 0, NULL },
};
