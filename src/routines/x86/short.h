/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * short.h - fewer than 128 bytes, in general registers: for every x86-64
 * routine but those with AVX-512, for which masked loads do it (lanes512.h).
 *
 * No branch depends on the length, but for one that parts lengths below 8 from
 * all others.  A wrong guess costs some 20 cycles, as much as the whole sum,
 * and in traffic nobody can guess the next length (docs/ROUTINES.md has
 * figures).
 *
 * So every call adds the same blocks, of 64, 32, 16 and 8 bytes.  For a block
 * that the length does not have zeros are added: a conditional move chooses the
 * address.  What is left, r < 8 bytes, is the end of the last 8 bytes: loaded
 * as one word that overlaps what has been summed, the overlap shifted out.  The
 * bytes come to lie from the bottom of the word on, which is an even place, as
 * they should.
 */
#ifndef CSUM_X86_SHORT_H
#define CSUM_X86_SHORT_H

#include "../routine.h"

#ifdef CSUM_X86_64

#include <immintrin.h>

/* A short call is its whole body: a call inside it would be half its time. */
#define CSUM_SHORT static inline __attribute__((always_inline))

/* @acc and the words at @p, with end-around carry. */
CSUM_SHORT uint64_t csum_add_64(uint64_t acc, const uint8_t *p)
{
	__asm__("addq 0(%[p]), %[acc]\n\t"
		"adcq 8(%[p]), %[acc]\n\t"
		"adcq 16(%[p]), %[acc]\n\t"
		"adcq 24(%[p]), %[acc]\n\t"
		"adcq 32(%[p]), %[acc]\n\t"
		"adcq 40(%[p]), %[acc]\n\t"
		"adcq 48(%[p]), %[acc]\n\t"
		"adcq 56(%[p]), %[acc]\n\t"
		"adcq $0, %[acc]"
		: [acc] "+r"(acc)
		: [p] "r"(p), "m"(*(const uint8_t(*)[64])p)
		: "cc");
	return acc;
}

/* The last len % 8 of @len >= 8 bytes; 0 if there are none. */
CSUM_SHORT uint64_t csum_last_bytes(const uint8_t *end, size_t len)
{
	/* by 64 - 8r bits, in two steps, since r may be 0 */
	return csum_load64(end - 8) >> 1 >> (63 - 8 * (len & 7));
}

/*
 * @p if @len has that bit, otherwise @other.  Not an expression in C, of which
 * a compiler may make a branch.  @bit is in a register only without
 * optimisation, where a constant is not seen to be one.
 */
CSUM_SHORT void *csum_if(size_t len, int bit, const void *p, const void *other)
{
	void *chosen;

	__asm__("testl %k[bit], %k[len]\n\t"
		"cmovzq %[other], %[chosen]"
		: [chosen] "=&r"(chosen)
		: "0"(p), [bit] "ri"(bit), [len] "r"(len), [other] "r"(other)
		: "cc");
	return chosen;
}

/* Where the blocks of a length are, or what stands in for them. */
struct csum_blocks {
	uint8_t *b64, *b32, *b16, *b8;
};

/* The blocks of @len % 128 bytes at @p; @other, 64 bytes, for those missing. */
CSUM_SHORT struct csum_blocks csum_blocks(const uint8_t *p, size_t len,
					  const uint8_t *other)
{
	return (struct csum_blocks){
		.b64 = csum_if(len, 64, p, other),
		.b32 = csum_if(len, 32, p + (len & 64), other),
		.b16 = csum_if(len, 16, p + (len & 96), other),
		.b8 = csum_if(len, 8, p + (len & 112), other),
	};
}

static const uint8_t csum_zeros[64] __attribute__((aligned(64))) = { 0 };

/*
 * @acc and all blocks and @rest: two chains of additions with carry, beside
 * each other.
 */
CSUM_SHORT uint64_t csum_add_blocks(uint64_t acc, struct csum_blocks b,
				    uint64_t rest)
{
	acc = csum_add_64(acc, b.b64);
	__asm__("addq 0(%[b32]), %[rest]\n\t"
		"adcq 8(%[b32]), %[rest]\n\t"
		"adcq 16(%[b32]), %[rest]\n\t"
		"adcq 24(%[b32]), %[rest]\n\t"
		"adcq 0(%[b16]), %[rest]\n\t"
		"adcq 8(%[b16]), %[rest]\n\t"
		"adcq 0(%[b8]), %[rest]\n\t"
		"adcq %[acc], %[rest]\n\t"
		"adcq $0, %[rest]"
		: [rest] "+&r"(rest)
		: [b32] "r"(b.b32), [b16] "r"(b.b16), [b8] "r"(b.b8),
		  [acc] "r"(acc), "m"(*(const uint8_t(*)[32])b.b32),
		  "m"(*(const uint8_t(*)[16])b.b16),
		  "m"(*(const uint8_t(*)[8])b.b8)
		: "cc");
	return rest;
}

/* @acc and @len % 128 bytes at @p; the 8 bytes before their end are readable.
 */
CSUM_SHORT uint64_t csum_add_below_128(uint64_t acc, const uint8_t *p,
				       size_t len)
{
	return csum_add_blocks(acc, csum_blocks(p, len, csum_zeros),
			       csum_last_bytes(p + len % 128, len));
}

/* Fewer than 8 bytes, as blocks of 4, 2 and 1; copied, if there is a @d. */
CSUM_SHORT csum_wsum csum_sum_below_8(uint8_t *d, const uint8_t *p, size_t len,
				      csum_wsum sum)
{
	const size_t at2 = len & 4, at1 = len & 6;
	/* NULL is allowed where the length is 0, but adding to NULL is not */
	const uint8_t *from = csum_if(len, 7, p, csum_zeros);
	uint32_t b4 = csum_load32(csum_if(len, 4, from, csum_zeros));
	uint16_t b2 = csum_load16(csum_if(len, 2, from + at2, csum_zeros));
	uint8_t b1 = *(uint8_t *)csum_if(len, 1, from + at1, csum_zeros);

	if (d) {
		uint8_t scrap[4];
		uint8_t *to = csum_if(len, 7, d, scrap);

		memcpy(csum_if(len, 4, to, scrap), &b4, 4);
		memcpy(csum_if(len, 2, to + at2, scrap), &b2, 2);
		memcpy(csum_if(len, 1, to + at1, scrap), &b1, 1);
	}
	/* four terms of 32 bits cannot overflow 64 */
	return csum_from64((uint64_t)sum + b4 + b2 + b1);
}

/* @len below 128. */
CSUM_SHORT csum_wsum csum_sum_below_128(const uint8_t *p, size_t len,
					csum_wsum sum)
{
	if (__builtin_expect(len < 8, 0))
		return csum_sum_below_8(NULL, p, len, sum);
	return csum_from64(csum_add_below_128(sum, p, len));
}

CSUM_SHORT __m128i csum_load128(const uint8_t *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

CSUM_SHORT void csum_store128(uint8_t *p, __m128i v)
{
	_mm_storeu_si128((__m128i *)(void *)p, v);
}

/*
 * The same while copying to @d; the 8 bytes before the end are to be written in
 * any case.  A block that the length does not have goes to scrap.  All loads
 * come before the stores, so that none waits for one.
 */
CSUM_SHORT uint64_t csum_copy_add_below_128(uint8_t *d, const uint8_t *p,
					    size_t len, uint64_t acc)
{
	uint8_t scrap[64];
	const size_t end = len % 128;
	struct csum_blocks from = csum_blocks(p, len, csum_zeros);
	struct csum_blocks to = csum_blocks(d, len, scrap);
	uint64_t last = csum_load64(p + end - 8), b8 = csum_load64(from.b8);
	__m128i v0 = csum_load128(from.b64), v1 = csum_load128(from.b64 + 16);
	__m128i v2 = csum_load128(from.b64 + 32);
	__m128i v3 = csum_load128(from.b64 + 48);
	__m128i v4 = csum_load128(from.b32), v5 = csum_load128(from.b32 + 16);
	__m128i v6 = csum_load128(from.b16);

	acc = csum_add_blocks(acc, from, csum_last_bytes(p + end, len));
	csum_store128(to.b64, v0);
	csum_store128(to.b64 + 16, v1);
	csum_store128(to.b64 + 32, v2);
	csum_store128(to.b64 + 48, v3);
	csum_store128(to.b32, v4);
	csum_store128(to.b32 + 16, v5);
	csum_store128(to.b16, v6);
	memcpy(to.b8, &b8, 8);
	memcpy(d + end - 8, &last, 8);
	return acc;
}

/* @len below 128. */
CSUM_SHORT csum_wsum csum_copy_below_128(uint8_t *d, const uint8_t *p,
					 size_t len, csum_wsum sum)
{
	if (__builtin_expect(len < 8, 0))
		return csum_sum_below_8(d, p, len, sum);
	return csum_from64(csum_copy_add_below_128(d, p, len, sum));
}

#endif

#endif
