/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dot.h - the arithmetic of avx512vnni and avxvnni: multiply words by one and
 * add.  Included by x86_template.h, which says what few() and many() are.
 *
 * vpdpwssd adds two products of signed words to a 32-bit lane.  With the other
 * factor 1 the two products are two words, but signed ones: so 0x8000 is
 * flipped first, which takes 32768 from each word, and given back at the end.
 * Two instructions for a load.
 *
 * A lane gets 2 words a vector, so after n vectors the bias is n << 16.  Once
 * the bias is given back, the lane is between 0 and n * 131070 < 2^32 for
 * n <= 2^15.  Before that the lane may wrap, which is harmless mod 2^32.
 *
 * vpdpwssd takes 4 or 5 cycles and two start each cycle: 8 sums beside each
 * other.
 */

enum {
	FEW = STEP,
	MAX_STEPS = (1 << 15) / 8 - 1, /* and fewer than 8 vectors more */
};

INLINE VEC dot(VEC acc, VEC v)
{
	return DPWSSD(acc, XOR(v, SET((int64_t)0x8000800080008000)),
		      OP(set1_epi16)(1));
}

/* The lanes of @acc after @n vectors, as they would be without bias, added. */
INLINE uint64_t add_words(VEC acc, size_t n)
{
	acc = OP(add_epi32)(acc, SET((int64_t)(n << 16 | n << 48)));
	return add_lanes(OP(add_epi64)(OP(srli_epi64)(acc, 32),
				       AND(acc, SET(0xffffffff))));
}

INLINE uint64_t few(uint8_t *d, const uint8_t *p, size_t vecs, VEC rest,
		    bool copy)
{
	VEC a = dot(ZERO, rest), b = ZERO;
	size_t n = vecs + 1;

	for (; vecs >= 2; vecs -= 2, p += 2 * W, d += 2 * W) {
		a = dot(a, take(d, p, 0, copy, false));
		b = dot(b, take(d, p, W, copy, false));
	}
	if (vecs)
		a = dot(a, take(d, p, 0, copy, false));
	return add_words(OP(add_epi32)(a, b), n);
}

INLINE uint64_t many(uint8_t *d, const uint8_t *p, size_t steps, size_t vecs,
		     VEC rest, bool copy, bool stream)
{
	VEC s0 = dot(ZERO, rest), s1 = ZERO, s2 = ZERO, s3 = ZERO;
	VEC s4 = ZERO, s5 = ZERO, s6 = ZERO, s7 = ZERO;
	size_t n = 8 * steps + vecs + 1;

	for (; steps; steps--, p += STEP, d += STEP) {
		s0 = dot(s0, take(d, p, 0, copy, stream));
		s1 = dot(s1, take(d, p, W, copy, stream));
		s2 = dot(s2, take(d, p, 2 * W, copy, stream));
		s3 = dot(s3, take(d, p, 3 * W, copy, stream));
		s4 = dot(s4, take(d, p, 4 * W, copy, stream));
		s5 = dot(s5, take(d, p, 5 * W, copy, stream));
		s6 = dot(s6, take(d, p, 6 * W, copy, stream));
		s7 = dot(s7, take(d, p, 7 * W, copy, stream));
	}
	for (; vecs >= 2; vecs -= 2, p += 2 * W, d += 2 * W) {
		s1 = dot(s1, take(d, p, 0, copy, false));
		s2 = dot(s2, take(d, p, W, copy, false));
	}
	if (vecs)
		s3 = dot(s3, take(d, p, 0, copy, false));
	s0 = OP(add_epi32)(OP(add_epi32)(s0, s1), OP(add_epi32)(s2, s3));
	s4 = OP(add_epi32)(OP(add_epi32)(s4, s5), OP(add_epi32)(s6, s7));
	return add_words(OP(add_epi32)(s0, s4), n);
}
