/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * average.h - sum and copy in vectors of any width: the body of the routines
 * sse2, avx2 and avx512bw, each of which includes it once.  No include guard,
 * on purpose.
 *
 * There is no vector carry.  Each 64-bit lane keeps the total T of its words
 * mod 2^64, one addition per load, and 2^64 = 1 (mod 0xffff), so all that is
 * missing is how often T wrapped around: c.  To know c it is enough to know the
 * exact total S = T + c 2^64 within 2^63, and for that its top 16 bits are
 * enough, even rounded ones.
 *
 * So the top words are not summed one by one.  The average of two vectors,
 * pavgw, keeps half of their sum, rounded up: eight vectors become one in seven
 * instructions, and its top words, shifted down, are summed into E.  That is
 * 8 + 7 + 2 instructions for 8 loads.  What was known before took three for
 * each load (lab/routines/avx2_shift.c).
 *
 * How long may this go on?  In units of 2^48, the top word of one word is below
 * the truth by less than 1.  Rounding up lifts an average by at most 1/2 at
 * each of three levels, 3/2 in all.  After n words of a lane, E is off by -n to
 * 1.5 n, and T >> 48 by less than 1 more.  With n <= 2^14 that is within
 * +-24577 < 2^15, so c = (E - (T >> 48) + 2^15) >> 16, exactly.
 *
 * For few vectors a cheaper end matters more: there the exact sum H of the high
 * halves is kept instead, a shift and an addition per load.  With L the sum of
 * the low halves, T = L + 2^32 H (mod 2^64) and L < 2^64, so L = T - (H << 32).
 *
 *   NAME(x)             x with the routine's name, for a symbol
 *   TARGET              its attribute
 *   VEC                 the type of a register
 *   OP(x)               the intrinsic x for it: add_epi64, srli_epi64...
 *   LOAD(p) STORE(p, v) at any alignment
 *   STREAM(p, v)        past the caches, aligned
 *   ZERO, SET(x)        all lanes 0, all 64-bit lanes x
 *   AND(a, b)
 *   REST(p, n)          the last n % W bytes before p + n, from the lowest
 * place on that leaves them at an even distance from p, else 0; n is even and
 * at least 128 ADD_LANES(v)        the sum of all lanes, each below 2^60
 *
 * The longest copy of which the caches should see anything is a fact of the
 * machine; CSUM_STREAM_FROM is a guess at it.
 */

enum {
	W = sizeof(VEC),
	STEP = 8 * W,
	FEW = 2 * STEP,		       /* measured with AVX2: 512 */
	MAX_STEPS = (1 << 14) / 8 - 1, /* and fewer than 8 vectors more */
	ALIGN_FROM = 6144,
	STREAM_FROM = 4 << 20,
};

#define INLINE TARGET static inline __attribute__((always_inline))

/*
 * A load whose result is used twice.  Left alone, gcc 12 loads twice, once into
 * each use, and two loads a cycle are the limit: 31 bytes a cycle with AVX2 on
 * Zen 3, not 57.
 */
INLINE VEC load_once(const uint8_t *p)
{
	VEC v = LOAD(p);

	__asm__("" : "+v"(v));
	return v;
}

/* Loads the vector at p[at]; when copying, stores it at d[at]. */
INLINE VEC take(uint8_t *d, const uint8_t *p, size_t at, bool copy, bool stream)
{
	VEC v = load_once(p + at);

	if (copy && stream)
		STREAM(d + at, v);
	else if (copy)
		STORE(d + at, v);
	return v;
}

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
	return ADD_LANES(OP(add_epi64)(t0, h0));
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
	return ADD_LANES(OP(add_epi64)(t0, c));
}

/* All of more than FEW vectors' bytes, but for what is in @rest and @acc. */
INLINE csum_wsum blocks(uint8_t *d, const uint8_t *p, size_t len, uint64_t acc,
			VEC rest, bool copy, bool stream)
{
	for (;;) {
		size_t steps = len / STEP, vecs = len / W % 8;

		if (steps > MAX_STEPS) {
			steps = MAX_STEPS;
			vecs = 0;
		}
		acc = csum_add64(acc,
				 many(d, p, steps, vecs, rest, copy, stream));
		len -= steps * STEP;
		if (len < STEP)
			return csum_from64(acc);
		p += steps * STEP;
		d += steps * STEP;
		rest = ZERO;
	}
}

/* Out of line, so that shorter calls do not pay for its registers. */
TARGET static __attribute__((noinline)) csum_wsum sum_blocks(const uint8_t *p,
							     size_t len,
							     uint64_t acc,
							     VEC rest)
{
	/* no destination: a pointer that is only moved along */
	return blocks((uint8_t *)(uintptr_t)p, p, len, acc, rest, false, false);
}

TARGET static __attribute__((noinline)) csum_wsum copy_blocks(
	uint8_t *d, const uint8_t *p, size_t len, uint64_t acc, VEC rest)
{
	return blocks(d, p, len, acc, rest, true, false);
}

/* An odd byte is the low one of its word. */
static inline uint64_t odd_byte(const uint8_t *p, size_t len)
{
	return len & 1 ? p[len - 1] : 0u;
}

/*
 * Long enough that it pays to align what is read, or written: the bytes up to
 * there in general registers, and what follows, possibly at an odd place,
 * joined.
 */
TARGET static __attribute__((noinline)) csum_wsum sum_aligned(const uint8_t *p,
							      size_t len,
							      csum_wsum sum)
{
	size_t skip = -(uintptr_t)p % W;

	sum = csum_sum_below_128(p, skip, sum);
	return csum_combine(sum, NAME(csum_sum)(p + skip, len - skip, 0), skip);
}

/* Past STREAM_FROM the caches would see nothing of it but harm. */
TARGET static __attribute__((noinline)) csum_wsum copy_aligned(uint8_t *d,
							       const uint8_t *p,
							       size_t len,
							       csum_wsum sum)
{
	size_t skip = -(uintptr_t)d % W, even;
	csum_wsum rest;
	VEC last;

	sum = csum_copy_below_128(d, p, skip, sum);
	d += skip;
	p += skip;
	len -= skip;
	even = len & ~(size_t)1;
	last = REST(p, even);
	STORE(d + len - W, LOAD(p + len - W));
	if (len < STREAM_FROM) {
		rest = copy_blocks(d, p, len, odd_byte(p, len), last);
	} else {
		rest = blocks(d, p, len, odd_byte(p, len), last, true, true);
		_mm_sfence();
	}
	return csum_combine(sum, rest, skip);
}

TARGET csum_wsum NAME(csum_sum)(const void *buf, size_t len, csum_wsum sum)
{
	const uint8_t *p = buf;
	uint64_t acc = sum;
	VEC rest;

	if (__builtin_expect(len < 128, 1))
		return csum_sum_below_128(p, len, sum);
	rest = REST(p, len & ~(size_t)1);
	acc += odd_byte(p, len);
	if (len > FEW)
		return len < ALIGN_FROM || (uintptr_t)p % W == 0
			       ? sum_blocks(p, len, acc, rest)
			       : sum_aligned(p, len, sum);
	return csum_from64(
		acc + few((uint8_t *)(uintptr_t)p, p, len / W, rest, false));
}

TARGET csum_wsum NAME(csum_copy)(void *dst, const void *src, size_t len,
				 csum_wsum sum)
{
	const uint8_t *p = src;
	uint64_t acc = sum;
	uint8_t *d = dst;
	VEC rest;

	if (__builtin_expect(len < 128, 1))
		return csum_copy_below_128(d, p, len, sum);
	rest = REST(p, len & ~(size_t)1);
	acc += odd_byte(p, len);
	/* the end in one vector, which overlaps */
	STORE(d + len - W, LOAD(p + len - W));
	if (len > FEW)
		return len < ALIGN_FROM ? copy_blocks(d, p, len, acc, rest)
					: copy_aligned(d, p, len, sum);
	return csum_from64(acc + few(d, p, len / W, rest, true));
}
