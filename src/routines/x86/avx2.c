/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * avx2.c - Internet checksum, AVX2.
 *
 * There is no vector carry.  Each 64-bit lane keeps the total T of its words
 * mod 2^64, one addition per load, and 2^64 = 1 (mod 0xffff), so all that is
 * missing is how often T wrapped around: c.  To know c it is enough to know the
 * exact total S = T + c 2^64 within 2^63, and for that its top 16 bits are
 * enough, even rounded ones.
 *
 * So the top words are not summed one by one.  The average of two vectors,
 * vpavgw, keeps half of their sum, rounded up: eight vectors become one in
 * seven instructions, and its top words, shifted down, are summed into E.  That
 * is 8 + 7 + 2 instructions for 8 loads.  What was known before took three for
 * each load (lab/routines/avx2_shift.c).
 *
 * How long may this go on?  In units of 2^48, the top word of one word is below
 * the truth by less than 1.  Rounding up lifts an average by at most 1/2 at
 * each of three levels, 3/2 in all.  After n words of a lane, E is off by -n to
 * 1.5 n, and T >> 48 by less than 1 more.  With n <= 2^14 that is within
 * +-24577 < 2^15, so c = (E - (T >> 48) + 2^15) >> 16, exactly.
 *
 * Up to 256 bytes a cheaper end matters more: there the exact sum H of the high
 * halves is kept instead, a shift and an addition per load.  With L the sum of
 * the low halves, T = L + 2^32 H (mod 2^64) and L < 2^64, so L = T - (H << 32).
 */
#include "short.h"

#ifdef CSUM_X86_64

#include <immintrin.h>

#define AVX2 CSUM_TARGET("avx2")

enum {
	VEC = 32,
	STEP = 8 * VEC,
	MAX_STEPS = (1 << 14) / 8 - 1, /* and fewer than 8 vectors more */
};

AVX2 static inline __m256i load(const uint8_t *p)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

/*
 * A load whose result is used twice.  Left alone, gcc 12 loads twice, once into
 * each use, and two loads a cycle are the limit: 31 bytes a cycle, not 57.
 */
AVX2 static inline __m256i load_once(const uint8_t *p)
{
	__m256i v = load(p);

	__asm__("" : "+x"(v));
	return v;
}

/*
 * The last len % 32 bytes but the odd one, in a vector of zeros: the last 32
 * of an even number, with those masked out that were summed before.
 */
AVX2 static inline __m256i load_rest(const uint8_t *p, size_t len)
{
	static const uint8_t mask[2 * VEC] = {
		[VEC] = 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff,	      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff,	      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff,	      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	};
	size_t even = len & ~(size_t)1;

	return _mm256_and_si256(load(p + even - VEC), load(mask + even % VEC));
}

/* The sum of four lanes, each below 2^62. */
AVX2 static inline uint64_t add_lanes(__m256i v)
{
	__m128i x = _mm_add_epi64(_mm256_castsi256_si128(v),
				  _mm256_extracti128_si256(v, 1));

	return (uint64_t)_mm_cvtsi128_si64(
		_mm_add_epi64(x, _mm_unpackhi_epi64(x, x)));
}

/* Vectors at p, and the rest: T and H. */
AVX2 static inline uint64_t sum_few(const uint8_t *p, size_t vecs, __m256i rest)
{
	__m256i t = rest, h = _mm256_srli_epi64(rest, 32);
	__m256i t1 = _mm256_setzero_si256(), h1 = t1;

	for (; vecs >= 4; vecs -= 4, p += 4 * VEC) {
		__m256i a = load_once(p), b = load_once(p + VEC);
		__m256i c = load_once(p + 2 * VEC), d = load_once(p + 3 * VEC);

		t = _mm256_add_epi64(t, a);
		h = _mm256_add_epi64(h, _mm256_srli_epi64(a, 32));
		t1 = _mm256_add_epi64(t1, b);
		h1 = _mm256_add_epi64(h1, _mm256_srli_epi64(b, 32));
		t = _mm256_add_epi64(t, c);
		h = _mm256_add_epi64(h, _mm256_srli_epi64(c, 32));
		t1 = _mm256_add_epi64(t1, d);
		h1 = _mm256_add_epi64(h1, _mm256_srli_epi64(d, 32));
	}
	if (vecs & 2) {
		__m256i a = load_once(p), b = load_once(p + VEC);
		p += 2 * VEC;

		t = _mm256_add_epi64(t, a);
		h = _mm256_add_epi64(h, _mm256_srli_epi64(a, 32));
		t1 = _mm256_add_epi64(t1, b);
		h1 = _mm256_add_epi64(h1, _mm256_srli_epi64(b, 32));
	}
	if (vecs & 1) {
		__m256i a = load_once(p);

		t = _mm256_add_epi64(t, a);
		h = _mm256_add_epi64(h, _mm256_srli_epi64(a, 32));
	}
	t = _mm256_add_epi64(t, t1);
	h = _mm256_add_epi64(h, h1);
	t = _mm256_sub_epi64(t, _mm256_slli_epi64(h, 32));
	return add_lanes(_mm256_add_epi64(t, h));
}

AVX2 static inline __m256i average(__m256i a, __m256i b)
{
	return _mm256_avg_epu16(a, b);
}

/* At most MAX_STEPS steps, fewer than 8 vectors, and the rest: T and E. */
AVX2 static inline uint64_t sum_many(const uint8_t *p, size_t steps,
				     size_t vecs, __m256i rest)
{
	__m256i t0 = rest, t1 = _mm256_setzero_si256(), t2 = t1, t3 = t1;
	__m256i e8 = t1, e = _mm256_srli_epi64(rest, 48), t, c;

	for (; steps; steps--, p += STEP) {
		__m256i a0 = load_once(p), a1 = load_once(p + VEC);
		__m256i a2 = load_once(p + 2 * VEC),
			a3 = load_once(p + 3 * VEC);
		__m256i b0 = load_once(p + 4 * VEC),
			b1 = load_once(p + 5 * VEC);
		__m256i b2 = load_once(p + 6 * VEC),
			b3 = load_once(p + 7 * VEC);
		__m256i a = average(average(a0, a1), average(a2, a3));
		__m256i b = average(average(b0, b1), average(b2, b3));

		t0 = _mm256_add_epi64(_mm256_add_epi64(t0, a0), b0);
		t1 = _mm256_add_epi64(_mm256_add_epi64(t1, a1), b1);
		t2 = _mm256_add_epi64(_mm256_add_epi64(t2, a2), b2);
		t3 = _mm256_add_epi64(_mm256_add_epi64(t3, a3), b3);
		e8 = _mm256_add_epi64(e8, _mm256_srli_epi64(average(a, b), 48));
	}
	for (; vecs; vecs--, p += VEC) {
		__m256i a = load_once(p);

		t0 = _mm256_add_epi64(t0, a);
		e = _mm256_add_epi64(e, _mm256_srli_epi64(a, 48));
	}
	t = _mm256_add_epi64(_mm256_add_epi64(t0, t1),
			     _mm256_add_epi64(t2, t3));
	e = _mm256_add_epi64(e, _mm256_slli_epi64(e8, 3));
	c = _mm256_sub_epi64(e, _mm256_srli_epi64(t, 48));
	c = _mm256_add_epi64(c, _mm256_set1_epi64x(1 << 15));
	c = _mm256_srli_epi64(c, 16);
	/* T as its two halves, so that lanes can be added without carry */
	t = _mm256_add_epi64(
		_mm256_srli_epi64(t, 32),
		_mm256_and_si256(t, _mm256_set1_epi64x(0xffffffff)));
	return add_lanes(_mm256_add_epi64(t, c));
}

AVX2 csum_wsum csum_sum_avx2(const void *buf, size_t len, csum_wsum sum)
{
	const uint8_t *p = buf;
	uint64_t acc = sum;
	size_t vecs;
	__m256i rest;

	if (len < 64)
		return csum_sum_below_64(p, len, sum);
	if (len < 128)
		return csum_sum_below_128(p, len, sum);
	rest = load_rest(p, len);
	/* an odd byte is the low one of its word; acc stays far below 2^64 */
	acc += (len & 1) ? (uint64_t)p[len - 1] : 0;
	if (len <= 512)
		return csum_from64(acc + sum_few(p, len / VEC, rest));
	for (; len >= (MAX_STEPS + 1) * STEP; len -= MAX_STEPS * STEP) {
		acc = csum_add64(
			acc, sum_many(p, MAX_STEPS, 0, _mm256_setzero_si256()));
		p += MAX_STEPS * STEP;
	}
	vecs = len / VEC;
	return csum_from64(
		csum_add64(acc, sum_many(p, vecs / 8, vecs % 8, rest)));
}

csum_wsum csum_copy_avx2(void *dst, const void *src, size_t len, csum_wsum sum)
{
	return csum_copy_pieces(csum_sum_avx2, dst, src, len, sum);
}

#endif
