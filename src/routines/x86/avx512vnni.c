/* SPDX-License-Identifier: BSD-2-Clause */
/* avx512vnni.c - Internet checksum, AVX-512 with VNNI: word products. */
#include "short.h"

#ifdef CSUM_X86_64

#define NAME(x) x##_avx512vnni
#define TARGET	CSUM_TARGET("avx512f,avx512bw,avx512vnni,bmi2")
#define LANES	512
#define DPWSSD	_mm512_dpwssd_epi32
#include "x86_template.h"

#endif
