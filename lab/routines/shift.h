/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shift.h - sums of 64-bit lanes without a carry.
 *
 * There is no vector carry, so each lane keeps two numbers: its total T mod
 * 2^64, and the exact sum H of the high 32-bit halves of its words.  With L the
 * sum of the low halves, T = L + 2^32 H (mod 2^64); L stays below 2^64, hence L
 * = T - (H << 32), exactly.  Three operations per load: add, shift, add.  L and
 * H gain less than 2^32 a word; see LANE_STEPS.
 */
#ifndef CSUM_LAB_SHIFT_H
#define CSUM_LAB_SHIFT_H

#include "study_vector.h"

#ifdef CSUM_X86_64

/* Two of each, so that additions need not wait for each other. */
struct shift256 {
	__m256i total[2], high[2];
};

AVX2 static inline struct shift256 shift256_zero(void)
{
	__m256i z = _mm256_setzero_si256();

	return (struct shift256){ { z, z }, { z, z } };
}

AVX2 static inline void shift256_add(struct shift256 *s, int which, __m256i v)
{
	s->total[which] = _mm256_add_epi64(s->total[which], v);
	s->high[which] =
		_mm256_add_epi64(s->high[which], _mm256_srli_epi64(v, 32));
}

AVX2 static inline uint64_t shift256_sum(const struct shift256 *s)
{
	__m256i total = _mm256_add_epi64(s->total[0], s->total[1]);
	__m256i high = _mm256_add_epi64(s->high[0], s->high[1]);
	__m256i low = _mm256_sub_epi64(total, _mm256_slli_epi64(high, 32));

	return csum_add64(add_lanes256(low), add_lanes256(high));
}

#endif
#endif
