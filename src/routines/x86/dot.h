/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dot.h - the arithmetic of avx512vnni and avxvnni: multiply words by one and
 * add.  Included by each before vector_end.h; uses the macros of vector.h.
 *
 * vpdpwssd adds two products of signed words to a 32-bit lane.  With the other
 * factor 1 that is a sum of words, but signed ones: so 0x8000 is flipped first,
 * which takes 32768 from each, and given back at the end.  Two instructions for
 * a load.
 *
 * A lane gets 2 words a vector, so after n vectors the bias is n << 16, and
 * with it the lane is between 0 and n * 131070 < 2^32 for n <= 2^15.  In
 * between it may wrap; that is harmless mod 2^32.
 *
 * vpdpwssd takes 4 or 5 cycles and two start each cycle: 8 sums beside each
 * other.
 *
 * Further macros: DOT(acc, v), vpdpwssd with ones; XOR(a, b); ADD32(a, b).
 */
#include "vector.h"

enum {
	FEW = STEP,
	MAX_STEPS = (1 << 15) / 8 - 1, /* and fewer than 8 vectors more */
};

INLINE VEC dot(VEC acc, VEC v)
{
	return DOT(acc, XOR(v, SET((int64_t)0x8000800080008000)));
}

/* The lanes of @acc after @n vectors, as they would be without bias, added. */
INLINE uint64_t add_words(VEC acc, size_t n)
{
	acc = ADD32(acc, SET((int64_t)(n << 16 | n << 48)));
	return ADD_LANES(ADD64(SHIFT32(acc), AND(acc, SET(0xffffffff))));
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
	return add_words(ADD32(a, b), n);
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
	s0 = ADD32(ADD32(s0, s1), ADD32(s2, s3));
	s4 = ADD32(ADD32(s4, s5), ADD32(s6, s7));
	return add_words(ADD32(s0, s4), n);
}
