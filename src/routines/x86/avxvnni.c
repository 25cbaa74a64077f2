/* SPDX-License-Identifier: BSD-2-Clause */
/* avxvnni.c - Internet checksum, AVX2 with AVX-VNNI: word products. */
#include "short.h"

#ifdef CSUM_X86_64

#define NAME(x) x##_avxvnni
#define TARGET	CSUM_TARGET("avx2,avxvnni")
#define LANES	256
#define DPWSSD	_mm256_dpwssd_avx_epi32
#include "x86_template.h"

#endif
