/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * avx2.c - Internet checksum, AVX2.
 *
 * There is no vector carry, so each 64-bit lane keeps two numbers: its total
 * T mod 2^64, and the exact sum H of the high 32-bit halves of its words.  With
 * L the sum of the low halves, T = L + 2^32 H (mod 2^64); L itself stays below
 * 2^64, hence L = T - (H << 32), exactly.  Three operations per load: add,
 * shift, add.
 */
#include "../routine.h"

#ifdef CSUM_X86_64

#include <immintrin.h>

/*
 * L and H gain less than 2^32 a step.  2^25 steps keep them below 2^57, and
 * the sum of all eight below 2^60.
 */
enum { STEP = 32, STRIDE = 4 * STEP };
static const size_t MAX_LEN = (size_t)STEP << 25;

CSUM_TARGET("avx2")
static inline __m256i load(const uint8_t *p)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

/* L and H of the four lanes, added up: below 2^60, no carry. */
CSUM_TARGET("avx2")
static inline uint64_t reduce(__m256i total, __m256i high)
{
	uint64_t l[4], h[4], sum = 0;

	_mm256_storeu_si256(
		(__m256i *)(void *)l,
		_mm256_sub_epi64(total, _mm256_slli_epi64(high, 32)));
	_mm256_storeu_si256((__m256i *)(void *)h, high);
	for (int i = 0; i < 4; i++)
		sum += l[i] + h[i];
	return sum;
}

CSUM_TARGET("avx2")
static uint64_t sum_steps(const uint8_t *p, size_t len)
{
	__m256i t0 = _mm256_setzero_si256(), t1 = t0, h0 = t0, h1 = t0;

	for (; len >= STRIDE; p += STRIDE, len -= STRIDE) {
		__m256i a = load(p), b = load(p + STEP);
		__m256i c = load(p + 2 * STEP), d = load(p + 3 * STEP);

		t0 = _mm256_add_epi64(t0, a);
		h0 = _mm256_add_epi64(h0, _mm256_srli_epi64(a, 32));
		t1 = _mm256_add_epi64(t1, b);
		h1 = _mm256_add_epi64(h1, _mm256_srli_epi64(b, 32));
		t0 = _mm256_add_epi64(t0, c);
		h0 = _mm256_add_epi64(h0, _mm256_srli_epi64(c, 32));
		t1 = _mm256_add_epi64(t1, d);
		h1 = _mm256_add_epi64(h1, _mm256_srli_epi64(d, 32));
	}
	for (; len >= STEP; p += STEP, len -= STEP) {
		__m256i a = load(p);

		t0 = _mm256_add_epi64(t0, a);
		h0 = _mm256_add_epi64(h0, _mm256_srli_epi64(a, 32));
	}
	return reduce(_mm256_add_epi64(t0, t1), _mm256_add_epi64(h0, h1));
}

CSUM_TARGET("avx2")
csum_wsum csum_sum_avx2(const void *buf, size_t len, csum_wsum sum)
{
	const uint8_t *p = buf;
	uint64_t acc = 0;

	/* below one stride, vectors cost more than they save */
	if (len < STRIDE)
		return csum_finish(csum_sum_tail(p, len), sum);
	for (; len > MAX_LEN; p += MAX_LEN, len -= MAX_LEN)
		acc = csum_add64(acc, sum_steps(p, MAX_LEN));
	acc = csum_add64(acc, sum_steps(p, len / STEP * STEP));
	p += len / STEP * STEP;
	return csum_finish(csum_add64(acc, csum_sum_tail(p, len % STEP)), sum);
}

csum_wsum csum_copy_avx2(void *dst, const void *src, size_t len, csum_wsum sum)
{
	return csum_copy_pieces(csum_sum_avx2, dst, src, len, sum);
}

#endif
