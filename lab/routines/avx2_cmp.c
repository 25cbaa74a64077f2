/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * avx2_cmp.c - 64-bit lanes that wrap, and a count of how often.
 *
 * A lane has wrapped if it is less than it was.  AVX2 compares signed numbers
 * only, so a lane starts at 2^63: this swaps the two halves of the unsigned
 * order, and stays through all additions.  A comparison gives -1, which is
 * taken from the count.
 */
#include "study_vector.h"

#ifdef CSUM_X86_64

struct lanes {
	__m256i total, wraps;
};

AVX2 static inline void add(struct lanes *s, __m256i v)
{
	__m256i now = _mm256_add_epi64(s->total, v);

	s->wraps =
		_mm256_sub_epi64(s->wraps, _mm256_cmpgt_epi64(s->total, now));
	s->total = now;
}

AVX2 csum_wsum csum_sum_avx2_cmp(const void *buf, size_t len, csum_wsum sum)
{
	const __m256i half = _mm256_set1_epi64x(INT64_MIN);
	struct lanes a = { half, _mm256_setzero_si256() }, b = a;
	const uint8_t *p = buf;
	uint64_t total;

	for (; len >= 64; p += 64, len -= 64) {
		add(&a, load256(p));
		add(&b, load256(p + 32));
	}
	total = csum_add64(add_lanes256(_mm256_xor_si256(a.total, half)),
			   add_lanes256(_mm256_xor_si256(b.total, half)));
	/* one a step at most: they do not wrap */
	total = csum_add64(total,
			   add_lanes256(_mm256_add_epi64(a.wraps, b.wraps)));
	return csum_finish(csum_add64(total, csum_sum_tail(p, len)), sum);
}

#endif
