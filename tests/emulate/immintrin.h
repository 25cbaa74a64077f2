/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immintrin.h - Intel's vector intrinsics in plain C, from SIMDe.
 *
 * Below is what Debian's version of SIMDe lacks, from the pseudo-code of
 * Intel's intrinsics guide.  A masked load or store must not touch a byte
 * outside its mask: the guard pages of the tests rely on that.
 */
#ifndef CSUM_EMULATE_IMMINTRIN_H
#define CSUM_EMULATE_IMMINTRIN_H

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>

typedef simde__mmask8 __mmask8;
typedef simde__mmask64 __mmask64;

#include <stdint.h>
#include <string.h>

/* AVX-VNNI: the VEX form of the AVX-512 instruction, under its own name. */
#define _mm256_dpwssd_avx_epi32 _mm256_dpwssd_epi32

static inline __m512i _mm512_maskz_loadu_epi8(__mmask64 k, const void *p)
{
	uint8_t byte[64] = { 0 };
	__m512i v;

	for (int i = 0; i < 64; i++)
		if (k >> i & 1)
			byte[i] = ((const uint8_t *)p)[i];
	memcpy(&v, byte, sizeof(v));
	return v;
}

static inline void _mm512_mask_storeu_epi8(void *p, __mmask64 k, __m512i v)
{
	uint8_t byte[64];

	memcpy(byte, &v, sizeof(v));
	for (int i = 0; i < 64; i++)
		if (k >> i & 1)
			((uint8_t *)p)[i] = byte[i];
}

/* An aligned store; that it goes past the caches cannot be seen. */
static inline void _mm512_stream_si512(void *p, __m512i v)
{
	_mm512_store_si512(p, v);
}

static inline __mmask8 _mm512_cmplt_epu64_mask(__m512i a, __m512i b)
{
	uint64_t x[8], y[8];
	unsigned k = 0;

	memcpy(x, &a, sizeof(x));
	memcpy(y, &b, sizeof(y));
	for (int i = 0; i < 8; i++)
		k |= (unsigned)(x[i] < y[i]) << i;
	return (__mmask8)k;
}

static inline long long _mm512_reduce_add_epi64(__m512i v)
{
	uint64_t x[8], sum = 0;

	memcpy(x, &v, sizeof(x));
	for (int i = 0; i < 8; i++)
		sum += x[i];
	return (long long)sum;
}

/* BMI2: the bits of @v below @n, all of them if there are no more. */
static inline uint64_t _bzhi_u64(uint64_t v, unsigned n)
{
	n &= 0xff;
	return n < 64 ? v & ((UINT64_C(1) << n) - 1) : v;
}

#endif
