/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * setc.c - each carry is caught as a byte, four of them before they are added.
 *
 * Neither sum waits for its carries; they are counted beside it.  The count
 * grows by one a word at most, so it does not wrap.
 */
#include "study.h"

#ifdef CSUM_X86_64

#define TAKE(acc, at, carry)                                                   \
	"addq " at "(%[p]), %[" acc "]\n\t"                                    \
	"setc %b[" carry "]\n\t"

/* setc writes one byte: the rest of the register stays 0. */
csum_wsum csum_sum_setc(const void *buf, size_t len, csum_wsum sum)
{
	enum { STEP = sizeof(struct line) };
	const uint8_t *p = buf;
	uint64_t a = 0, b = 0, w = 0, x = 0, y = 0, z = 0, carries = 0;

	for (; len >= STEP; p += STEP, len -= STEP) {
		__asm__(TAKE("a", "0", "w") TAKE("b", "8", "x")
				TAKE("a", "16", "y") TAKE("b", "24", "z")
			: [a] "+&r"(a), [b] "+&r"(b), [w] "+&r"(w),
			  [x] "+&r"(x), [y] "+&r"(y), [z] "+&r"(z)
			: [p] "r"(p), "m"(LINE_AT(p))
			: "cc");
		carries += (w + x) + (y + z);
		__asm__(TAKE("a", "32", "w") TAKE("b", "40", "x")
				TAKE("a", "48", "y") TAKE("b", "56", "z")
			: [a] "+&r"(a), [b] "+&r"(b), [w] "+&r"(w),
			  [x] "+&r"(x), [y] "+&r"(y), [z] "+&r"(z)
			: [p] "r"(p), "m"(LINE_AT(p))
			: "cc");
		carries += (w + x) + (y + z);
	}
	a = csum_add64(csum_add64(a, b), carries);
	return csum_finish(csum_add64(a, csum_sum_tail(p, len)), sum);
}

#endif
