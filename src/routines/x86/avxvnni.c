/* SPDX-License-Identifier: BSD-2-Clause */
/* avxvnni.c - Internet checksum, AVX2 with AVX-VNNI: see dot.h. */
#include "short.h"

#ifdef CSUM_X86_64

#define NAME(x) x##_avxvnni
#define TARGET	CSUM_TARGET("avx2,avxvnni")
#include "lanes256.h"

#define DOT(acc, v) _mm256_dpwssd_avx_epi32(acc, v, _mm256_set1_epi16(1))
#define ADD32	    _mm256_add_epi32
#define ADD64	    _mm256_add_epi64
#define SHIFT32(v)  _mm256_srli_epi64(v, 32)

#include "dot.h"
#include "vector_end.h"

#endif
