/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * avx512_cmp.c - 64-bit lanes that wrap, and a count of how often.
 *
 * A lane has wrapped if it is less than what was added to it.  The unsigned
 * comparison gives a mask, under which 1 is added to the count.
 */
#include "vector512.h"

#ifdef CSUM_X86_64

struct lanes {
	__m512i total, wraps;
};

AVX512 static inline void add(struct lanes *s, __m512i v)
{
	const __m512i one = _mm512_set1_epi64(1);
	__mmask8 wrapped;

	s->total = _mm512_add_epi64(s->total, v);
	wrapped = _mm512_cmplt_epu64_mask(s->total, v);
	s->wraps = _mm512_mask_add_epi64(s->wraps, wrapped, s->wraps, one);
}

AVX512 csum_wsum csum_sum_avx512_cmp(const void *buf, size_t len, csum_wsum sum)
{
	enum { W = 64, STEP = 2 * W };
	struct lanes a = { _mm512_setzero_si512(), _mm512_setzero_si512() };
	struct lanes b = a;
	const uint8_t *p = buf;
	uint64_t total;
	size_t first;

	for (; len >= STEP; p += STEP, len -= STEP) {
		add(&a, load512(p));
		add(&b, load512(p + W));
	}
	first = len < W ? len : W;
	add(&a, load_first(p, first));
	add(&b, load_first(p + first, len - first));
	total = csum_add64(add_lanes512(a.total), add_lanes512(b.total));
	/* one a step at most: they do not wrap */
	total = csum_add64(total,
			   add_lanes512(_mm512_add_epi64(a.wraps, b.wraps)));
	return csum_finish(total, sum);
}

#endif
