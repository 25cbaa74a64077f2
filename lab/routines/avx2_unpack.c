/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * avx2_unpack.c - 32-bit words widened by unpacking with zero.
 *
 * As unpack128.h, 32 bytes wide.  Four operations per load, two of which move
 * bytes about: Intel cores have one or two units for those.
 */
#include "prefetch.h"
#include "study_vector.h"

#ifdef CSUM_X86_64

AVX2 BODY csum_wsum body(const uint8_t *p, size_t len, csum_wsum sum,
			 struct prefetch f)
{
	const size_t most = (size_t)LINE * LANE_STEPS;
	const __m256i zero = _mm256_setzero_si256();
	uint64_t total = 0;

	while (len >= LINE) {
		__m256i a = zero, b = zero, c = zero, d = zero;
		size_t n = whole_steps(len, LINE, most);

		len -= n;
		for (const uint8_t *end = p + n; p < end; p += LINE) {
			__m256i v = load256(p), w = load256(p + 32);

			prefetch_step(&f, p);
			a = _mm256_add_epi64(a, _mm256_unpacklo_epi32(v, zero));
			b = _mm256_add_epi64(b, _mm256_unpackhi_epi32(v, zero));
			c = _mm256_add_epi64(c, _mm256_unpacklo_epi32(w, zero));
			d = _mm256_add_epi64(d, _mm256_unpackhi_epi32(w, zero));
		}
		a = _mm256_add_epi64(a, b);
		c = _mm256_add_epi64(c, d);
		total = csum_add64(total, add_lanes256(a));
		total = csum_add64(total, add_lanes256(c));
	}
	return csum_finish(csum_add64(total, csum_sum_tail(p, len)), sum);
}

STAMP_SUMS(avx2_unpack, AVX2)

#endif
