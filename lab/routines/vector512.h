/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector512.h - as study_vector.h, for 512-bit registers.
 *
 * A masked load reads and a masked store writes only the bytes of the mask, and
 * touches no page for the others: so there is no tail, only a last step.
 */
#ifndef CSUM_LAB_VECTOR512_H
#define CSUM_LAB_VECTOR512_H

#include "study_vector.h"

#ifdef CSUM_X86_64

#define AVX512 CSUM_TARGET("avx512f,avx512bw,bmi2")

/* The first @len of 64 bytes. */
AVX512 static inline __mmask64 first_bytes(size_t len)
{
	return _bzhi_u64(~UINT64_C(0), (unsigned)len);
}

AVX512 static inline __m512i load512(const uint8_t *p)
{
	__m512i v = _mm512_loadu_si512((const void *)p);

	CSUM_KEEP(v);
	return v;
}

/* The rest is zeros, which change no sum. */
AVX512 static inline __m512i load_first(const uint8_t *p, size_t len)
{
	return _mm512_maskz_loadu_epi8(first_bytes(len), (const void *)p);
}

/* All 64-bit lanes, with end-around carry. */
AVX512 static inline uint64_t add_lanes512(__m512i v)
{
	uint64_t lane[8], sum = 0;

	_mm512_storeu_si512((void *)lane, v);
	for (int i = 0; i < 8; i++)
		sum = csum_add64(sum, lane[i]);
	return sum;
}

/* As in shift.h. */
struct shift512 {
	__m512i total[2], high[2];
};

AVX512 static inline struct shift512 shift512_zero(void)
{
	__m512i z = _mm512_setzero_si512();

	return (struct shift512){ { z, z }, { z, z } };
}

AVX512 static inline void shift512_add(struct shift512 *s, int which, __m512i v)
{
	s->total[which] = _mm512_add_epi64(s->total[which], v);
	s->high[which] =
		_mm512_add_epi64(s->high[which], _mm512_srli_epi64(v, 32));
}

AVX512 static inline uint64_t shift512_sum(const struct shift512 *s)
{
	__m512i total = _mm512_add_epi64(s->total[0], s->total[1]);
	__m512i high = _mm512_add_epi64(s->high[0], s->high[1]);
	__m512i low = _mm512_sub_epi64(total, _mm512_slli_epi64(high, 32));

	return csum_add64(add_lanes512(low), add_lanes512(high));
}

#endif
#endif
