/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unpack128.h - sums of 32-bit words in 64-bit lanes, 16 bytes wide.
 *
 * Unpacking with zero puts zeros above each word.  Which lane a word goes to
 * does not matter.  A lane gains less than 2^32 a load; see LANE_STEPS.
 */
#ifndef CSUM_LAB_UNPACK128_H
#define CSUM_LAB_UNPACK128_H

#include "study_vector.h"

#ifdef CSUM_X86_64

struct unpack128 {
	__m128i low, high;
};

static inline struct unpack128 unpack128_zero(void)
{
	return (struct unpack128){ _mm_setzero_si128(), _mm_setzero_si128() };
}

static inline void unpack128_add(struct unpack128 *s, __m128i v)
{
	const __m128i zero = _mm_setzero_si128();

	s->low = _mm_add_epi64(s->low, _mm_unpacklo_epi32(v, zero));
	s->high = _mm_add_epi64(s->high, _mm_unpackhi_epi32(v, zero));
}

static inline uint64_t unpack128_sum(const struct unpack128 *s)
{
	return csum_add64(add_lanes128(s->low), add_lanes128(s->high));
}

#endif
#endif
