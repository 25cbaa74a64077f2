/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * avx2_madd.c - words multiplied by one and added in pairs, into 32 bits.
 *
 * The multiplication is signed.  Flipping the top bit of a word takes 2^15 from
 * it, which makes it signed; a pair is then -2^16 to 2^16 - 2, and 2^14 steps
 * of two of them stay within -2^31 to 2^31.  At the end 2^15 are given back for
 * each word: the result is exact, so it is 0 only if all words are.
 */
#include "study_vector.h"

#ifdef CSUM_X86_64

/* Eight signed numbers. */
AVX2 static inline int64_t add_signed(__m256i v)
{
	int32_t lane[8];
	int64_t total = 0;

	STORE256(lane, v);
	for (int i = 0; i < 8; i++)
		total += lane[i];
	return total;
}

AVX2 csum_wsum csum_sum_avx2_madd(const void *buf, size_t len, csum_wsum sum)
{
	enum { STEP = 64, MOST = STEP << 14 };
	const __m256i top = _mm256_set1_epi16(INT16_MIN);
	const __m256i one = _mm256_set1_epi16(1);
	const uint8_t *p = buf;
	uint64_t total = 0;

	while (len >= STEP) {
		__m256i a = _mm256_setzero_si256(), b = a;
		size_t n = whole_steps(len, STEP, MOST);
		/* 2^15 for each of n / 2 words */
		int64_t bias = (int64_t)n << 14;

		len -= n;
		for (const uint8_t *end = p + n; p < end; p += STEP) {
			__m256i v = _mm256_xor_si256(load256(p), top);
			__m256i w = _mm256_xor_si256(load256(p + 32), top);

			a = _mm256_add_epi32(a, _mm256_madd_epi16(v, one));
			b = _mm256_add_epi32(b, _mm256_madd_epi16(w, one));
		}
		total = csum_add64(total, (uint64_t)(add_signed(a) +
						     add_signed(b) + bias));
	}
	return csum_finish(csum_add64(total, csum_sum_tail(p, len)), sum);
}

#endif
