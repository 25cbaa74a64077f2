/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * routine.h - the contract that every routine obeys, and the registry.
 *
 * A routine is one way to do what csum_partial() does, with its prototype:
 *
 *   csum_wsum csum_sum_NAME(const void *buf, size_t len, csum_wsum sum);
 *
 *  - reads exactly [buf, buf+len); any alignment; any length, 0 and SIZE_MAX
 *    too;
 *  - returns a running sum congruent, mod 0xffff, to @sum plus the 16-bit words
 *    in memory order, an odd last byte counting as [b,0];
 *  - returns 0 only if @sum and all bytes are 0.  (Here `% 0xffff` fails.)
 *  - the same bytes at the same address give the same 32 bits.
 *
 * The prototype is the public one so that csum_partial() is one jump: with a
 * 64-bit result, folded by the caller, a short sum took 1.2 ns of 4.3 longer
 * (`csum bench --size 20`, Zen 3 at 3.2 GHz).
 *
 * and the same while copying, with csum_copy()'s prototype:
 *
 *   csum_wsum csum_copy_NAME(void *dst, const void *src, size_t len,
 *                            csum_wsum sum);
 *
 *  - writes exactly [dst, dst+len); dst and src do not overlap.
 *
 * One name everywhere: file NAME.c, symbols csum_sum_NAME and csum_copy_NAME,
 * its line in list.h, CSUM_ROUTINE=NAME, its rows in the bench and the tests.
 * NAME is the instruction set, or the idea if the set has several; never a CPU
 * brand.  Instructions beyond the base are enabled on the function with
 * CSUM_TARGET, not in the build file, so that one plain `cc -c` builds them
 * all.
 */
#ifndef CSUM_ROUTINE_H
#define CSUM_ROUTINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../cpu.h"
#include "csum.h"

#pragma GCC visibility push(hidden)

typedef csum_wsum (*csum_sum_fn)(const void *buf, size_t len, csum_wsum sum);

typedef csum_wsum (*csum_copy_fn)(void *dst, const void *src, size_t len,
				  csum_wsum sum);

struct csum_routine {
	const char *name;
	const char *isa;
	const char *idea;
	uint32_t needs; /* CSUM_CPU_ bits without which it cannot run */
	uint32_t wants; /* those without which it should not be chosen */
	csum_sum_fn sum;
	csum_copy_fn copy;
};

/* The routines of list.h, ended by a NULL name. */
extern const struct csum_routine csum_routines[];

static inline bool csum_can_run(const struct csum_routine *r, uint32_t cpu)
{
	return (r->needs & ~cpu) == 0;
}

/*
 * Where a function starts in its cache line is not left to the linker: the same
 * code 36 bytes further on took 1.47 times as long at 64 bytes (Zen 3).  Its
 * loops are at the same distance from its start in every program.
 */
#define CSUM_ALIGNED __attribute__((aligned(64)))

#define ROUTINE(name, isa, needs, wants, idea)                                 \
	CSUM_ALIGNED                                                           \
	csum_wsum csum_sum_##name(const void *buf, size_t len, csum_wsum sum); \
	CSUM_ALIGNED                                                           \
	csum_wsum csum_copy_##name(void *dst, const void *src, size_t len,     \
				   csum_wsum sum);
#include "list.h"
#undef ROUTINE

#define CSUM_TARGET(isa) __attribute__((target(isa)))

/* Makes the compiler keep @v in a register, or forget what it knows of it. */
#ifndef CSUM_KEEP
#define CSUM_KEEP(v) __asm__("" : "+v"(v))
#endif

/* a + b with end-around carry: 2^64 = 1 (mod 0xffff), so nothing is lost. */
static inline uint64_t csum_add64(uint64_t a, uint64_t b)
{
	a += b;
	return a + (a < b);
}

/* The end of every routine: 64 bits of its own and the caller's sum. */
static inline csum_wsum csum_finish(uint64_t acc, csum_wsum sum)
{
	return csum_from64(csum_add64(acc, sum));
}

static inline uint64_t csum_load64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/*
 * What is left after whole steps, up to a few words: eight bytes at a time,
 * then 4, 2 and 1.  The narrow words and the odd byte are put in memory order
 * into one word that cannot overflow: 2^32 + 2^16 + 2^16 < 2^64.
 */
static inline uint64_t csum_sum_tail(const uint8_t *p, size_t len)
{
	uint64_t sum = 0, rest = 0;

	for (; len >= 8; p += 8, len -= 8)
		sum = csum_add64(sum, csum_load64(p));
	if (len & 4) {
		rest += csum_load32(p);
		p += 4;
	}
	if (len & 2) {
		rest += csum_load16(p);
		p += 2;
	}
	if (len & 1) {
		const uint8_t last[2] = { *p, 0 };

		rest += csum_load16(last);
	}
	return csum_add64(sum, rest);
}

/*
 * Copying in two passes over pieces that fit in L1.  Summed first, so that
 * memcpy() finds the piece there: the other order stalls at small sizes,
 * reading back what has just been stored.
 */
static inline csum_wsum csum_copy_pieces(csum_sum_fn f, void *dst,
					 const void *src, size_t len,
					 csum_wsum sum)
{
	enum { PIECE = 8192 };
	uint8_t *d = dst;
	const uint8_t *s = src;

	while (len) {
		size_t n = len < PIECE ? len : PIECE;

		sum = f(s, n, sum);
		/* told the bound, gcc 12 makes rep movsq of it: half as fast */
		__asm__("" : "+r"(n));
		memcpy(d, s, n);
		d += n;
		s += n;
		len -= n;
	}
	return sum;
}

#pragma GCC visibility pop

#endif
