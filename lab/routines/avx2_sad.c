/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * avx2_sad.c - psadbw against zero adds up eight bytes at once.
 *
 * Bytes at even places count once, those at odd places 256 times: one sum for
 * each.  A lane gains at most 4 * 255 < 2^10 a step, so 2^40 steps stay below
 * 2^50, four such lanes below 2^52, and 256 times that below 2^60.
 */
#include "study_vector.h"

#ifdef CSUM_X86_64

AVX2 csum_wsum csum_sum_avx2_sad(const void *buf, size_t len, csum_wsum sum)
{
	enum { STEP = 32 };
	const size_t most = (size_t)STEP << 40;
	const __m256i zero = _mm256_setzero_si256();
	const __m256i even_bytes = _mm256_set1_epi16(0x00ff);
	const uint8_t *p = buf;
	uint64_t total = 0;

	while (len >= STEP) {
		__m256i even = zero, odd = zero;
		size_t n = whole_steps(len, STEP, most);

		len -= n;
		for (const uint8_t *end = p + n; p < end; p += STEP) {
			__m256i v = load256(p);

			even = _mm256_add_epi64(
				even,
				_mm256_sad_epu8(_mm256_and_si256(v, even_bytes),
						zero));
			odd = _mm256_add_epi64(
				odd,
				_mm256_sad_epu8(_mm256_srli_epi16(v, 8), zero));
		}
		total = csum_add64(total, add_lanes256(even));
		total = csum_add64(total, add_lanes256(odd) << 8);
	}
	return csum_finish(csum_add64(total, csum_sum_tail(p, len)), sum);
}

#endif
