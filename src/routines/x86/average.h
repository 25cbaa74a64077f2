/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * average.h - the arithmetic of sse2, avx2 and avx512bw: sums in vectors, whose
 * additions give no carry.  Included by x86_template.h, which says what few()
 * and many() are.
 *
 * Each 64-bit lane keeps the total T of its words mod 2^64, one addition per
 * load.  2^64 = 1 (mod 0xffff), so all that T lacks is the number c of times
 * that it wrapped around.  The exact total is S = T + c 2^64: whoever knows S
 * within 2^63 knows c.  The top 16 bits of the words are enough for that, even
 * rounded.
 *
 * So the top words are not summed one by one.  The average of two vectors,
 * pavgw, keeps half of their sum, rounded up: eight vectors become one in seven
 * instructions, and the top words of that one, shifted down, are summed into E.
 * That is 8 + 7 + 2 instructions for 8 loads.  What was known before took three
 * for each load (lab/routines/avx2_shift.c).
 *
 * How many words may a lane take?  In units of 2^48, the top word of one word
 * is below the truth by less than 1.  Rounding up lifts an average by at most
 * 1/2 at each of three levels, 3/2 in all.  After n words of a lane, E is off
 * by -n to 1.5 n, and T >> 48 by less than 1 more.  With n <= 2^14 that is
 * within +-24577 < 2^15, so c = (E - (T >> 48) + 2^15) >> 16, exactly.
 *
 * For few vectors a cheaper end matters more than a cheaper load: there the
 * exact sum H of the high halves is kept instead, a shift and an addition per
 * load.  With L the sum of the low halves, T = L + 2^32 H (mod 2^64) and
 * L < 2^64, so L = T - (H << 32).
 */

enum {
	FEW = 3 * STEP, /* with AVX2, 576 bytes: 8.0 ns against 9.3 */
	MAX_STEPS = (1 << 14) / 8 - 1, /* and fewer than 8 vectors more */
};

/* T and H.  @vecs vectors at @p, and @rest. */
INLINE uint64_t few(uint8_t *d, const uint8_t *p, size_t vecs, VEC rest,
		    bool copy)
{
	VEC t0 = rest, h0 = OP(srli_epi64)(rest, 32), t1 = ZERO, h1 = ZERO;

	for (; vecs >= 4; vecs -= 4, p += 4 * W, d += 4 * W) {
		VEC a = take(d, p, 0, copy, false);
		VEC b = take(d, p, W, copy, false);
		VEC c = take(d, p, 2 * W, copy, false);
		VEC e = take(d, p, 3 * W, copy, false);

		t0 = OP(add_epi64)(OP(add_epi64)(t0, a), c);
		t1 = OP(add_epi64)(OP(add_epi64)(t1, b), e);
		h0 = OP(add_epi64)(h0, OP(srli_epi64)(a, 32));
		h1 = OP(add_epi64)(h1, OP(srli_epi64)(b, 32));
		h0 = OP(add_epi64)(h0, OP(srli_epi64)(c, 32));
		h1 = OP(add_epi64)(h1, OP(srli_epi64)(e, 32));
	}
	for (; vecs; vecs--, p += W, d += W) {
		VEC a = take(d, p, 0, copy, false);

		t0 = OP(add_epi64)(t0, a);
		h0 = OP(add_epi64)(h0, OP(srli_epi64)(a, 32));
	}
	t0 = OP(add_epi64)(t0, t1);
	h0 = OP(add_epi64)(h0, h1);
	t0 = OP(sub_epi64)(t0, OP(slli_epi64)(h0, 32));
	return add_lanes(OP(add_epi64)(t0, h0));
}

/* T and E.  At most MAX_STEPS steps, fewer than 8 vectors, and @rest. */
INLINE uint64_t many(uint8_t *d, const uint8_t *p, size_t steps, size_t vecs,
		     VEC rest, bool copy, bool stream)
{
	VEC t0 = rest, t1 = ZERO, t2 = ZERO, t3 = ZERO, e8 = ZERO;
	VEC e = OP(srli_epi64)(rest, 48), c;

	for (; steps; steps--, p += STEP, d += STEP) {
		VEC a0 = take(d, p, 0, copy, stream);
		VEC a1 = take(d, p, W, copy, stream);
		VEC a2 = take(d, p, 2 * W, copy, stream);
		VEC a3 = take(d, p, 3 * W, copy, stream);
		VEC b0 = take(d, p, 4 * W, copy, stream);
		VEC b1 = take(d, p, 5 * W, copy, stream);
		VEC b2 = take(d, p, 6 * W, copy, stream);
		VEC b3 = take(d, p, 7 * W, copy, stream);
		VEC a = OP(avg_epu16)(OP(avg_epu16)(a0, a1),
				      OP(avg_epu16)(a2, a3));
		VEC b = OP(avg_epu16)(OP(avg_epu16)(b0, b1),
				      OP(avg_epu16)(b2, b3));

		t0 = OP(add_epi64)(OP(add_epi64)(t0, a0), b0);
		t1 = OP(add_epi64)(OP(add_epi64)(t1, a1), b1);
		t2 = OP(add_epi64)(OP(add_epi64)(t2, a2), b2);
		t3 = OP(add_epi64)(OP(add_epi64)(t3, a3), b3);
		a = OP(srli_epi64)(OP(avg_epu16)(a, b), 48);
		e8 = OP(add_epi64)(e8, a);
	}
	for (; vecs; vecs--, p += W, d += W) {
		VEC a = take(d, p, 0, copy, false);

		t0 = OP(add_epi64)(t0, a);
		e = OP(add_epi64)(e, OP(srli_epi64)(a, 48));
	}
	t0 = OP(add_epi64)(OP(add_epi64)(t0, t1), OP(add_epi64)(t2, t3));
	e = OP(add_epi64)(e, OP(slli_epi64)(e8, 3));
	c = OP(sub_epi64)(e, OP(srli_epi64)(t0, 48));
	c = OP(srli_epi64)(OP(add_epi64)(c, SET(1 << 15)), 16);
	/* T as its two halves, so that lanes can be added without carry */
	t0 = OP(add_epi64)(OP(srli_epi64)(t0, 32), AND(t0, SET(0xffffffff)));
	return add_lanes(OP(add_epi64)(t0, c));
}
