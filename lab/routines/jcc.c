/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jcc.c - two sums by turns; a jump over an increment where there was no carry.
 *
 * A sum that has just wrapped is below 2^64 - 1: the increment cannot wrap it
 * again.  Random data carries half the time, which no predictor can know.
 */
#include "study.h"

#ifdef CSUM_X86_64

#define TAKE(acc, at)                                                          \
	"addq " at "(%[p]), %[" acc "]\n\t"                                    \
	"jnc 1f\n\t"                                                           \
	"incq %[" acc "]\n"                                                    \
	"1:\n\t"

csum_wsum csum_sum_jcc(const void *buf, size_t len, csum_wsum sum)
{
	enum { STEP = sizeof(struct line) };
	const uint8_t *p = buf;
	uint64_t a = 0, b = 0;

	for (; len >= STEP; p += STEP, len -= STEP)
		__asm__(TAKE("a", "0") TAKE("b", "8") TAKE("a", "16")
				TAKE("b", "24") TAKE("a", "32") TAKE("b", "40")
					TAKE("a", "48") TAKE("b", "56")
			: [a] "+&r"(a), [b] "+&r"(b)
			: [p] "r"(p), "m"(LINE_AT(p))
			: "cc");
	a = csum_add64(a, b);
	return csum_finish(csum_add64(a, csum_sum_tail(p, len)), sum);
}

#endif
