/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * small.c - small operations: the library's, and the other ways to do them.
 *
 * Small operations take a few cycles and are inlined by their users, so a call
 * through a pointer would hide them.  Each operation has loops of its own,
 * which a macro stamps around it.
 */
#include "small.h"

#include "opaque.h"
#include "routines/routine.h"

#define INLINE static inline __attribute__((always_inline))

/* ------------------------------------------------------------------------
 * Two bytes changed.  HC is the field, m and m' the bytes before and after.
 */

/*
 * Sums eight bytes: ~m and m' as 32-bit words, from ~HC.  The upper halves of
 * ~m and ~HC are ones, so the sum is never +0 and the result never 0xffff.
 * The two words are stored one after the other, as compilers of 2014 did.
 */
INLINE csum_sum16 sum_eight(csum_sum16 check, csum_be16 was, csum_be16 now)
{
	uint32_t diff[2];

	diff[0] = ~(uint32_t)was;
	__asm__ volatile("" : : "r"(diff) : "memory");
	diff[1] = now;
	return csum_fold(csum_partial(diff, sizeof(diff), ~(csum_wsum)check));
}

/* sum_eight() with its eight bytes stored at once, in whatever order. */
INLINE csum_sum16 sum_eight_once(csum_sum16 check, csum_be16 was, csum_be16 now)
{
	uint64_t diff = (uint64_t)now << 32 | (uint32_t) ~(uint32_t)was;

	return csum_fold(csum_partial(&diff, sizeof(diff), ~(csum_wsum)check));
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

/* eqn3_16() folded once: three terms of 16 bits do not fill 32. */
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

#ifdef CSUM_X86_64
/* One chain: each addition takes the carry of the one before. */
INLINE csum_sum16 adc32(const void *hdr)
{
	const struct {
		uint8_t bytes[HEADER];
	} *all = hdr;
	uint32_t sum = csum_load32(hdr);

	__asm__("addl 4(%1), %0\n\t"
		"adcl 8(%1), %0\n\t"
		"adcl 12(%1), %0\n\t"
		"adcl 16(%1), %0\n\t"
		"adcl $0, %0"
		: "+&r"(sum)
		: "r"(hdr), "m"(*all)
		: "cc");
	return csum_fold(sum);
}
#endif

/* ------------------------------------------------------------------------
 * Two bytes changed in the header itself, and its checksum
 */

enum { FIELD = 2, NEW_VALUE = 4, CHECK = 10 };

#define CHANGE_BY(op)                                                          \
	INLINE csum_sum16 op##_in(uint8_t *p, csum_be16 now)                   \
	{                                                                      \
		csum_sum16 check = op(csum_load16(p + CHECK),                  \
				      csum_load16(p + FIELD), now);            \
                                                                               \
		csum_store16(p + FIELD, now);                                  \
		csum_store16(p + CHECK, check);                                \
		return check;                                                  \
	}

/* Summed anew. */
#define CHANGE_ANEW(op)                                                        \
	INLINE csum_sum16 op##_anew(uint8_t *p, csum_be16 now)                 \
	{                                                                      \
		csum_sum16 check;                                              \
                                                                               \
		csum_store16(p + FIELD, now);                                  \
		csum_store16(p + CHECK, 0);                                    \
		check = op(p);                                                 \
		csum_store16(p + CHECK, check);                                \
		return check;                                                  \
	}

CHANGE_BY(csum_replace2)
CHANGE_BY(sum_eight)
CHANGE_BY(sum_eight_once)
CHANGE_BY(rfc1141)
CHANGE_BY(eqn3_16)
CHANGE_BY(eqn3_wide)
CHANGE_ANEW(load16)
CHANGE_ANEW(load32)
CHANGE_ANEW(load64)

/* The 32-bit word that the field is half of, as it was and as it is now. */
INLINE csum_sum16 replace4_in(uint8_t *p, csum_be16 now)
{
	csum_be32 was = csum_load32(p);
	csum_sum16 check;

	csum_store16(p + FIELD, now);
	/* nor may the compiler put it together: whoever wrote it was another */
	__asm__ volatile("" : : "r"(p) : "memory");
	check = csum_replace4(csum_load16(p + CHECK), was, csum_load32(p));
	csum_store16(p + CHECK, check);
	return check;
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

/* Stores the same 16-bit words again, as a stack that fills in a header. */
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

/*
 * By turns in some headers, since the next packet is not this one: or each
 * change would wait for the last to have been stored.  All begin valid, and
 * have a version, so that none is all zeros.
 */
enum { HEADERS = 32 };

struct headers {
	_Alignas(64) uint8_t at[HEADERS][64];
	csum_be16 now;
	uint16_t words[5]; /* where the change is */
};

INLINE void make_headers(struct headers *h, const uint8_t *p)
{
	uint8_t *first = h->at[0];
	csum_sum16 check;

	memcpy(first, p, HEADER);
	first[0] = 0x45;
	csum_store16(first + CHECK, 0);
	check = csum_ipv4_header(first, HEADER / 4);
	csum_store16(first + CHECK, check);
	for (size_t i = 1; i < HEADERS; i++)
		memcpy(h->at[i], first, HEADER);
	h->now = csum_load16(first + NEW_VALUE);
	memcpy(h->words, first + FIELD, sizeof(h->words));
}

#define CHANGE_LOOP(op, loop, wait, written)                                   \
	static uint64_t loop(void *hdr, size_t calls)                          \
	{                                                                      \
		csum_sum16 last = 0, zero = 0;                                 \
		struct headers h;                                              \
		csum_be16 now;                                                 \
		uint64_t all = 0;                                              \
                                                                               \
		make_headers(&h, hdr);                                         \
		now = h.now;                                                   \
		LAB_OPAQUE(zero);                                              \
		for (; calls; calls--, all += last) {                          \
			uint8_t *p = h.at[calls % HEADERS];                    \
                                                                               \
			LAB_OPAQUE(now);                                       \
			if (wait)                                              \
				p += last & zero;                              \
			if (written)                                           \
				write_again(p, h.words);                       \
			__asm__ volatile("" : : "r"(p) : "memory");            \
			last = op(p, now);                                     \
			__asm__ volatile("" : : "r"(p) : "memory");            \
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

#define CHANGE_LOOPS(op)                                                       \
	CHANGE_LOOP(op, op##_throughput, false, false)                         \
	CHANGE_LOOP(op, op##_latency, true, false)                             \
	CHANGE_LOOP(op, op##_written_throughput, false, true)                  \
	CHANGE_LOOP(op, op##_written_latency, true, true)

REPLACE_LOOPS(csum_replace2)
REPLACE_LOOPS(sum_eight)
REPLACE_LOOPS(sum_eight_once)
REPLACE_LOOPS(rfc1141)
REPLACE_LOOPS(eqn3_16)
REPLACE_LOOPS(eqn3_wide)
HEADER_LOOPS(library_header)
HEADER_LOOPS(load16)
HEADER_LOOPS(load32)
HEADER_LOOPS(load64)
#ifdef CSUM_X86_64
HEADER_LOOPS(adc32)
#endif
CHANGE_LOOPS(csum_replace2_in)
CHANGE_LOOPS(sum_eight_in)
CHANGE_LOOPS(sum_eight_once_in)
CHANGE_LOOPS(rfc1141_in)
CHANGE_LOOPS(eqn3_16_in)
CHANGE_LOOPS(eqn3_wide_in)
CHANGE_LOOPS(replace4_in)
CHANGE_LOOPS(load16_anew)
CHANGE_LOOPS(load32_anew)
CHANGE_LOOPS(load64_anew)

/* ------------------------------------------------------------------------
 * The list
 */

#define SMALL(kind, n, loops, what, from, ...)                                 \
	{                                                                      \
		.name = (n), .idea = (what), .origin = (from), .op = (kind),   \
		.loop = { loops##_throughput, loops##_latency }, __VA_ARGS__   \
	}

#define REPLACE(f, either, what, from)                                         \
	SMALL(LAB_REPLACE, #f, f, what, from, .replace = (f),                  \
	      .either_zero = (either))
#define HEADER_AT_REST(n, f, what, from)                                       \
	SMALL(LAB_HEADER, n, f, what, from, .header = (f))
#define HEADER_WRITTEN(n, f, what, from)                                       \
	SMALL(LAB_WRITTEN, n, f##_written, what, from, .header = (f))
#define CHANGE_AT_REST(n, f, either, what, from)                               \
	SMALL(LAB_CHANGE, n, f, what, from, .change = (f),                     \
	      .either_zero = (either))
#define CHANGE_WRITTEN(n, f, either, what, from)                               \
	SMALL(LAB_CHANGE_WRITTEN, n, f##_written, what, from, .change = (f),   \
	      .either_zero = (either))

static const char the_librarys[] = "the library's";
static const char linux2014[] =
	"Linux, csum_replace2() until Dumazet's of March 2014";
static const char rfc1624[] = "RFC 1624, equation 3";
static const char rfc1071[] = "RFC 1071, 4.1";
static const char borman[] = "Borman on comp.protocols.tcp-ip, March 1988";

#define HEADERS_BY(KIND)                                                       \
	KIND("csum_ipv4_header", library_header, the_librarys, NULL),          \
		KIND("load16", load16,                                         \
		     "ten 16-bit loads, as wide as the stores", rfc1071),      \
		KIND("load32", load32, "five 32-bit loads into 64 bits",       \
		     borman),                                                  \
		KIND("load64", load64, "two 64-bit loads and a 32-bit one",    \
		     "load32 with fewer loads") HEADERS_X86(KIND)

#ifdef CSUM_X86_64
#define HEADERS_X86(KIND)                                                      \
	, KIND("adc32", adc32, "four 32-bit additions with carry",             \
	       "Linux, ip_fast_csum() of x86")
#else
#define HEADERS_X86(KIND)
#endif

#define CHANGES_BY(KIND)                                                       \
	KIND("csum_replace2", csum_replace2_in, false, the_librarys, NULL),    \
		KIND("sum_eight", sum_eight_in, false,                         \
		     "csum_partial() over ~m and m', two stores", linux2014),  \
		KIND("sum_eight_once", sum_eight_once_in, false,               \
		     "the same stored at once", "sum_eight"),                  \
		KIND("rfc1141", rfc1141_in, true,                              \
		     "HC + m + ~m': 0xffff where 0 is right", "RFC 1141"),     \
		KIND("eqn3_16", eqn3_16_in, true,                              \
		     "~(~HC + ~m + m'), a carry after each", rfc1624),         \
		KIND("eqn3_wide", eqn3_wide_in, true,                          \
		     "the same in 32 bits, folded once", rfc1624),             \
		KIND("replace4", replace4_in, false,                           \
		     "csum_replace4() of the word it is half of, read back",   \
		     rfc1624),                                                 \
		KIND("anew16", load16_anew, false,                             \
		     "summed anew by 16-bit loads", rfc1071),                  \
		KIND("anew32", load32_anew, false,                             \
		     "summed anew by 32-bit loads", borman),                   \
		KIND("anew64", load64_anew, false,                             \
		     "summed anew by 64-bit loads", "anew32")

const struct lab_small lab_smalls[] = {
	REPLACE(csum_replace2, false, "the library's: eqn3_wide, never 0xffff",
		NULL),
	REPLACE(sum_eight, false,
		"csum_partial() over ~m and m', from ~HC, two stores",
		linux2014),
	REPLACE(sum_eight_once, false, "the same stored at once", "sum_eight"),
	REPLACE(rfc1141, true, "HC + m + ~m': 0xffff where 0 is right",
		"RFC 1141"),
	REPLACE(eqn3_16, true, "~(~HC + ~m + m'), a carry after each addition",
		rfc1624),
	REPLACE(eqn3_wide, true, "~(~HC + ~m + m') in 32 bits, folded once",
		rfc1624),
	HEADERS_BY(HEADER_AT_REST),
	HEADERS_BY(HEADER_WRITTEN),
	CHANGES_BY(CHANGE_AT_REST),
	CHANGES_BY(CHANGE_WRITTEN),
	{ .name = NULL },
};
