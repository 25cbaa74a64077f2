/* SPDX-License-Identifier: BSD-2-Clause */
/* avx512vnni.c - Internet checksum, AVX-512 with VNNI: see dot.h. */
#include "short.h"

#ifdef CSUM_X86_64

#define NAME(x) x##_avx512vnni
#define TARGET	CSUM_TARGET("avx512f,avx512bw,avx512vnni,bmi2")
#include "lanes512.h"

#define DOT(acc, v) _mm512_dpwssd_epi32(acc, v, _mm512_set1_epi16(1))
#define ADD32	    _mm512_add_epi32
#define ADD64	    _mm512_add_epi64
#define SHIFT32(v)  _mm512_srli_epi64(v, 32)

#include "dot.h"
#include "vector_end.h"

#endif
