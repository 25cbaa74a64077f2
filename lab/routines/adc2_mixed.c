/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * adc2_mixed.c - two chains over 64 bytes, which take the words by turns.
 */
#include "adc.h"
#include "prefetch.h"

#ifdef CSUM_X86_64

BODY csum_wsum body(const uint8_t *p, size_t len, csum_wsum sum,
		    struct prefetch f)
{
	uint64_t a = 0, b = 0;

	for (; len >= LINE; p += LINE, len -= LINE) {
		prefetch_step(&f, p);
		__asm__(CHAIN4("a", "0", "16", "32", "48")
				CHAIN4("b", "8", "24", "40", "56")
			: [a] "+&r"(a), [b] "+&r"(b)
			: [p] "r"(p), "m"(LINE_AT(p))
			: "cc");
	}
	a = csum_add64(a, b);
	return csum_finish(csum_add64(a, csum_sum_tail(p, len)), sum);
}

STAMP_SUMS(adc2_mixed, )

#endif
