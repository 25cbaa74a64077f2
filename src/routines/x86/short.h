/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * short.h - fewer than 128 bytes, in general registers, for every x86-64
 * routine.
 *
 * To get a sum out of a vector register takes as long as a dozen additions.  At
 * 64 to 127 bytes vectors are no faster when calls overlap, and half as fast
 * when each waits for the last (AVX2, Zen 3: 100 bytes in 3.7 ns against 4.0,
 * or 7.7 against 10.2).  Below 64 they lose in both.
 *
 * Words of 8 bytes, added with carry.  What is left, r < 8 bytes, is the end of
 * the last 8 bytes: loaded as one word that overlaps what has been summed, the
 * overlap shifted out.  The bytes come to lie from the bottom of the word on,
 * which is an even place, as they should.
 */
#ifndef CSUM_X86_SHORT_H
#define CSUM_X86_SHORT_H

#include "../routine.h"

#ifdef CSUM_X86_64

#include <immintrin.h>

/* A short call is its whole body: a call inside it would be half its time. */
#define CSUM_SHORT static inline __attribute__((always_inline))

/* @acc and the words at @p, with end-around carry. */
CSUM_SHORT uint64_t csum_add_8(uint64_t acc, const uint8_t *p)
{
	__asm__("addq %[word], %[acc]\n\t"
		"adcq $0, %[acc]"
		: [acc] "+r"(acc)
		: [word] "m"(*(const uint8_t(*)[8])p)
		: "cc");
	return acc;
}

CSUM_SHORT uint64_t csum_add_16(uint64_t acc, const uint8_t *p)
{
	__asm__("addq 0(%[p]), %[acc]\n\t"
		"adcq 8(%[p]), %[acc]\n\t"
		"adcq $0, %[acc]"
		: [acc] "+r"(acc)
		: [p] "r"(p), "m"(*(const uint8_t(*)[16])p)
		: "cc");
	return acc;
}

CSUM_SHORT uint64_t csum_add_32(uint64_t acc, const uint8_t *p)
{
	__asm__("addq 0(%[p]), %[acc]\n\t"
		"adcq 8(%[p]), %[acc]\n\t"
		"adcq 16(%[p]), %[acc]\n\t"
		"adcq 24(%[p]), %[acc]\n\t"
		"adcq $0, %[acc]"
		: [acc] "+r"(acc)
		: [p] "r"(p), "m"(*(const uint8_t(*)[32])p)
		: "cc");
	return acc;
}

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

/* Fewer than 8 bytes: below 2^57, so that something can be added. */
CSUM_SHORT uint64_t csum_sum_below_8(const uint8_t *p, size_t len)
{
	if (len >= 4) {
		uint64_t high = csum_load32(p + len - 4);

		/* of these four, 8 - len have been in the first word */
		return csum_load32(p) + (high >> 8 * (8 - len));
	}
	if (len >= 2)
		return csum_load16(p) + (len & 1 ? (uint64_t)p[2] : 0);
	return len ? *p : 0;
}

/* @acc and @len % 64 bytes at @p; the 8 bytes before their end are readable. */
CSUM_SHORT uint64_t csum_add_below_64(uint64_t acc, const uint8_t *p,
				      size_t len)
{
	const uint8_t *end = p + len % 64;

	if (len & 32) {
		acc = csum_add_32(acc, p);
		p += 32;
	}
	if (len & 16) {
		acc = csum_add_16(acc, p);
		p += 16;
	}
	if (len & 8)
		acc = csum_add_8(acc, p);
	return csum_add64(acc, csum_last_bytes(end, len));
}

/* @len below 128. */
CSUM_SHORT csum_wsum csum_sum_below_128(const uint8_t *p, size_t len,
					csum_wsum sum)
{
	if (len < 8)
		return csum_from64(sum + csum_sum_below_8(p, len));
	if (len < 64)
		return csum_from64(csum_add_below_64(sum, p, len));
	/* two chains beside each other, and the rest in one of them */
	return csum_from64(
		csum_add64(csum_add_below_64(csum_add_32(sum, p), p + 64, len),
			   csum_add_32(0, p + 32)));
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
 * Copies @len up to 32: from both ends, overlapping in the middle.  All loads
 * of a case come before its stores, so that none waits for one.
 */
CSUM_SHORT void csum_move_upto_32(uint8_t *d, const uint8_t *s, size_t len)
{
	if (len >= 16) {
		__m128i a = csum_load128(s), z = csum_load128(s + len - 16);

		csum_store128(d, a);
		csum_store128(d + len - 16, z);
	} else if (len >= 8) {
		uint64_t a = csum_load64(s), z = csum_load64(s + len - 8);

		memcpy(d, &a, 8);
		memcpy(d + len - 8, &z, 8);
	} else if (len >= 4) {
		uint32_t a = csum_load32(s), z = csum_load32(s + len - 4);

		memcpy(d, &a, 4);
		memcpy(d + len - 4, &z, 4);
	} else if (len >= 2) {
		uint16_t a = csum_load16(s), z = csum_load16(s + len - 2);

		memcpy(d, &a, 2);
		memcpy(d + len - 2, &z, 2);
	} else if (len) {
		*d = *s;
	}
}

/* The same for 33 to 127 bytes, in registers of 16. */
CSUM_SHORT void csum_move_16s(uint8_t *d, const uint8_t *s, size_t len)
{
	__m128i a = csum_load128(s), b = csum_load128(s + 16);
	__m128i y = csum_load128(s + len - 32), z = csum_load128(s + len - 16);

	if (len > 64) {
		__m128i c = csum_load128(s + 32), e = csum_load128(s + 48);
		__m128i w = csum_load128(s + len - 64);
		__m128i x = csum_load128(s + len - 48);

		csum_store128(d + 32, c);
		csum_store128(d + 48, e);
		csum_store128(d + len - 64, w);
		csum_store128(d + len - 48, x);
	}
	csum_store128(d, a);
	csum_store128(d + 16, b);
	csum_store128(d + len - 32, y);
	csum_store128(d + len - 16, z);
}

#endif

#endif
