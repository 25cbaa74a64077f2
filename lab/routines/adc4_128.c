/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * adc4_128.c - four chains over 128 bytes, four words each.
 */
#include "adc.h"
#include "prefetch.h"

#ifdef CSUM_X86_64

BODY csum_wsum body(const uint8_t *p, size_t len, csum_wsum sum,
		    struct prefetch f)
{
	enum { STEP = 2 * LINE };
	uint64_t a = 0, b = 0, c = 0, d = 0;

	for (; len >= STEP; p += STEP, len -= STEP) {
		prefetch_step(&f, p);
		prefetch_step(&f, p + LINE);
		__asm__(CHAIN4("a", "0", "8", "16",
			       "24") CHAIN4("b", "32", "40", "48", "56")
				CHAIN4("c", "64", "72", "80", "88")
					CHAIN4("d", "96", "104", "112", "120")
			: [a] "+&r"(a), [b] "+&r"(b), [c] "+&r"(c), [d] "+&r"(d)
			: [p] "r"(p), "m"(LINE_AT(p)), "m"(LINE_AT(p + LINE))
			: "cc");
	}
	a = csum_add64(csum_add64(a, b), csum_add64(c, d));
	return csum_finish(csum_add64(a, csum_sum_tail(p, len)), sum);
}

STAMP_SUMS(adc4_128, )

#endif
