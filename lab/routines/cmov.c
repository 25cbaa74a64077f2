/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmov.c - two sums by turns; each carry chooses between the sum and the sum
 * plus one, which lea makes without touching the flags.
 */
#include "study.h"

#ifdef CSUM_X86_64

#define TAKE(acc, at)                                                          \
	"addq " at "(%[p]), %[" acc "]\n\t"                                    \
	"leaq 1(%[" acc "]), %[more]\n\t"                                      \
	"cmovcq %[more], %[" acc "]\n\t"

csum_wsum csum_sum_cmov(const void *buf, size_t len, csum_wsum sum)
{
	enum { STEP = sizeof(struct line) };
	const uint8_t *p = buf;
	uint64_t a = 0, b = 0, more;

	for (; len >= STEP; p += STEP, len -= STEP)
		__asm__(TAKE("a", "0") TAKE("b", "8") TAKE("a", "16")
				TAKE("b", "24") TAKE("a", "32") TAKE("b", "40")
					TAKE("a", "48") TAKE("b", "56")
			: [a] "+&r"(a), [b] "+&r"(b), [more] "=&r"(more)
			: [p] "r"(p), "m"(LINE_AT(p))
			: "cc");
	a = csum_add64(a, b);
	return csum_finish(csum_add64(a, csum_sum_tail(p, len)), sum);
}

#endif
