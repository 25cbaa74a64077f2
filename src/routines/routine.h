/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * routine.h - the contract that every routine obeys, and the registry.
 *
 * A routine is one way to sum bytes:
 *
 *   uint64_t csum_sum_NAME(const uint8_t *p, size_t len);
 *
 *  - reads exactly [p, p+len); any alignment; any length, 0 and SIZE_MAX too;
 *  - returns any 64-bit value congruent, mod 0xffff, to the sum of the 16-bit
 *    words in memory order, an odd last byte counting as [b,0];
 *  - returns 0 only if all bytes are 0.  (This is where `% 0xffff` fails.)
 *
 * One name everywhere: file sum_NAME.c, symbol csum_sum_NAME, registry "NAME",
 * CSUM_ROUTINE=NAME, its rows in the bench and in the tests.  NAME is the
 * instruction set, or the idea if the set has several; never a CPU brand.
 * Instructions beyond the base are enabled on the function with CSUM_TARGET,
 * not in the build file, so that one plain `cc -c` builds them all.
 */
#ifndef CSUM_ROUTINE_H
#define CSUM_ROUTINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../cpu.h"

#pragma GCC visibility push(hidden)

typedef uint64_t (*csum_sum_fn)(const uint8_t *p, size_t len);

struct csum_routine {
	const char *name;
	const char *isa;
	const char *idea;
	uint32_t needs; /* CSUM_CPU_ bits, all of them */
	csum_sum_fn sum;
};

/*
 * Best first, ended by a NULL name.  Order is the selection policy; nothing
 * else ranks routines.  The last one needs nothing.
 */
extern const struct csum_routine csum_routines[];

#define CSUM_TARGET(isa) __attribute__((target(isa)))

/* a + b with end-around carry: 2^64 = 1 (mod 0xffff), so nothing is lost. */
static inline uint64_t csum_add64(uint64_t a, uint64_t b)
{
	a += b;
	return a + (a < b);
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
		uint32_t v;

		memcpy(&v, p, sizeof(v));
		rest += v;
		p += 4;
	}
	if (len & 2) {
		uint16_t v;

		memcpy(&v, p, sizeof(v));
		rest += v;
		p += 2;
	}
	if (len & 1) {
		const uint8_t last[2] = { *p, 0 };
		uint16_t v;

		memcpy(&v, last, sizeof(v));
		rest += v;
	}
	return csum_add64(sum, rest);
}

uint64_t csum_sum_portable(const uint8_t *p, size_t len);
uint64_t csum_sum_adc(const uint8_t *p, size_t len);
uint64_t csum_sum_avx2(const uint8_t *p, size_t len);

#pragma GCC visibility pop

#endif
