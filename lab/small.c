/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * small.c - small operations: the library's, and the other ways to do them.
 *
 * They take a few cycles and are inlined by whoever uses them, so a call
 * through a pointer would hide them.  Each has its loops, stamped around it.
 */
#include "lab.h"

#define INLINE static inline __attribute__((always_inline))

/* ------------------------------------------------------------------------
 * Two bytes changed.  HC is the field, m and m' the bytes before and after.
 */

/*
 * Sums eight bytes: ~m and m' as 32-bit words, from ~HC.  The upper halves of
 * ~m and ~HC are ones, so the sum is never +0 and the result never 0xffff.
 */
INLINE csum_sum16 sum_eight(csum_sum16 check, csum_be16 was, csum_be16 now)
{
	const uint32_t diff[2] = { ~(uint32_t)was, now };

	return csum_fold(csum_partial(diff, sizeof(diff), ~(csum_wsum)check));
}

/* 16 bits with end-around carry. */
INLINE uint16_t add16(uint16_t a, uint16_t b)
{
	uint16_t sum = (uint16_t)(a + b);

	return (uint16_t)(sum + (sum < b));
}

/*
 * HC' = HC + m + ~m', RFC 1141's equation.  Wherever the new sum is -0 it gives
 * 0xffff, and 0 is right: RFC 1624, section 3.
 */
INLINE csum_sum16 rfc1141(csum_sum16 check, csum_be16 was, csum_be16 now)
{
	return add16(add16(check, was), (uint16_t)~now);
}

/*
 * HC' = ~(~HC + ~m + m'), RFC 1624's equation 3.  It gives 0xffff only for HC =
 * m = 0xffff and m' = 0.
 */
INLINE csum_sum16 eqn3_16(csum_sum16 check, csum_be16 was, csum_be16 now)
{
	return (csum_sum16)~add16(add16((uint16_t)~check, (uint16_t)~was), now);
}

/* The same, folded once: three terms of 16 bits do not fill 32. */
INLINE csum_sum16 eqn3_wide(csum_sum16 check, csum_be16 was, csum_be16 now)
{
	return csum_fold((csum_wsum)(uint16_t)~check + (uint16_t)~was + now);
}

/* ------------------------------------------------------------------------
 * The checksum of an IPv4 header without options
 */

enum { HEADER = 20 };

INLINE csum_sum16 library_header(const void *hdr)
{
	return csum_ipv4_header(hdr, HEADER / 4);
}

/* Ten words of 16 bits do not fill 32.  Written out: gcc -O2 keeps a loop. */
INLINE csum_sum16 load16(const void *hdr)
{
	const uint8_t *p = hdr;
	csum_wsum a = csum_load16(p), b = csum_load16(p + 2);

	a += csum_load16(p + 4);
	b += csum_load16(p + 6);
	a += csum_load16(p + 8);
	b += csum_load16(p + 10);
	a += csum_load16(p + 12);
	b += csum_load16(p + 14);
	a += csum_load16(p + 16);
	b += csum_load16(p + 18);
	return csum_fold(a + b);
}

INLINE csum_sum16 load32(const void *hdr)
{
	const uint8_t *p = hdr;
	uint64_t a = csum_load32(p), b = csum_load32(p + 4);

	a += csum_load32(p + 8);
	b += csum_load32(p + 12);
	a += csum_load32(p + 16);
	return csum_fold(csum_from64(a + b));
}

INLINE csum_sum16 load64(const void *hdr)
{
	const uint8_t *p = hdr;
	uint64_t sum = csum_add64(csum_load64(p), csum_load64(p + 8));

	return csum_fold(csum_from64(csum_add64(sum, csum_load32(p + 16))));
}

/* ------------------------------------------------------------------------
 * Loops
 *
 * The compiler is told that the operands have changed before each round.  To
 * wait for the last result, the next operand depends on it by a mask that is 0.
 */

#define REPLACE_LOOP(op, loop, wait)                                           \
	static uint64_t loop(void *p, size_t calls)                            \
	{                                                                      \
		const uint8_t *field = p;                                      \
		csum_sum16 check = csum_load16(field), last = 0, zero = 0;     \
		csum_be16 was = csum_load16(field + 2);                        \
		csum_be16 now = csum_load16(field + 4);                        \
		uint64_t all = 0;                                              \
                                                                               \
		LAB_OPAQUE(zero);                                              \
		for (; calls; calls--, all += last) {                          \
			LAB_OPAQUE(check);                                     \
			LAB_OPAQUE(was);                                       \
			LAB_OPAQUE(now);                                       \
			last = op(check | ((wait) ? last & zero : 0), was,     \
				  now);                                        \
		}                                                              \
		return all;                                                    \
	}

/* The same 16-bit words again, as a stack does that fills in a header. */
INLINE void write_again(uint8_t *p, const uint16_t words[5])
{
	for (size_t i = 0; i < 5; i++)
		csum_store16(p + 2 + 2 * i, words[i]);
}

#define HEADER_LOOP(op, loop, wait, written)                                   \
	static uint64_t loop(void *hdr, size_t calls)                          \
	{                                                                      \
		uint8_t *p = hdr;                                              \
		csum_sum16 last = 0, zero = 0;                                 \
		uint16_t words[5];                                             \
		uint64_t all = 0;                                              \
                                                                               \
		memcpy(words, p + 2, sizeof(words));                           \
		LAB_OPAQUE(zero);                                              \
		for (; calls; calls--, all += last) {                          \
			if (written)                                           \
				write_again(p, words);                         \
			__asm__ volatile("" : : "r"(p) : "memory");            \
			last = op(p + ((wait) ? last & zero : 0));             \
		}                                                              \
		return all;                                                    \
	}

#define REPLACE_LOOPS(op)                                                      \
	REPLACE_LOOP(op, op##_throughput, false)                               \
	REPLACE_LOOP(op, op##_latency, true)

#define HEADER_LOOPS(op)                                                       \
	HEADER_LOOP(op, op##_throughput, false, false)                         \
	HEADER_LOOP(op, op##_latency, true, false)                             \
	HEADER_LOOP(op, op##_written_throughput, false, true)                  \
	HEADER_LOOP(op, op##_written_latency, true, true)

REPLACE_LOOPS(csum_replace2)
REPLACE_LOOPS(sum_eight)
REPLACE_LOOPS(rfc1141)
REPLACE_LOOPS(eqn3_16)
REPLACE_LOOPS(eqn3_wide)
HEADER_LOOPS(library_header)
HEADER_LOOPS(load16)
HEADER_LOOPS(load32)
HEADER_LOOPS(load64)

/* ------------------------------------------------------------------------
 * The list
 */

#define REPLACE(op, either, idea, origin)                                      \
	{ #op,	  idea, origin, LAB_REPLACE,                                   \
	  either, op,	NULL,	{ op##_throughput, op##_latency } },

#define HEADER_AT_REST(op, name, idea, origin)                                 \
	{ name,	 idea, origin, LAB_HEADER,                                     \
	  false, NULL, op,     { op##_throughput, op##_latency } },

#define HEADER_WRITTEN(op, name, idea, origin)                                 \
	{                                                                      \
		name,	idea,                                                  \
		origin, LAB_WRITTEN,                                           \
		false,	NULL,                                                  \
		op,	{ op##_written_throughput, op##_written_latency }      \
	},

#define HEADERS(KIND)                                                          \
	KIND(library_header, "csum_ipv4_header", "the library's", NULL)        \
	KIND(load16, "load16", "ten 16-bit loads, as wide as the stores",      \
	     "RFC 1071, 4.1")                                                  \
	KIND(load32, "load32", "five 32-bit loads into 64 bits",               \
	     "Borman on comp.protocols.tcp-ip, March 1988")                    \
	KIND(load64, "load64", "two 64-bit loads and a 32-bit one",            \
	     "load32 with fewer loads")

const struct lab_small lab_smalls[] = {
	REPLACE(csum_replace2, false, "the library's: eqn3_wide, never 0xffff",
		NULL) REPLACE(sum_eight, false,
			      "csum_partial() over ~m and m', from ~HC",
			      "Linux, csum_replace2() until Dumazet's of March "
			      "2014")
		REPLACE(rfc1141, true, "HC + m + ~m': 0xffff where 0 is right",
			"RFC 1141") REPLACE(eqn3_16, true,
					    "~(~HC + ~m + m'), a carry after "
					    "each addition",
					    "RFC 1624, equation 3")
			REPLACE(eqn3_wide, true,
				"~(~HC + ~m + m') in 32 bits, folded once",
				"RFC 1624, equation 3") HEADERS(HEADER_AT_REST)
				HEADERS(HEADER_WRITTEN){ .name = NULL },
};
