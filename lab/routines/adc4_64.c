/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * adc4_64.c - four chains over 64 bytes.
 *
 * Two words each, so that every third addition only takes back a carry.
 */
#include "adc.h"
#include "prefetch.h"

#ifdef CSUM_X86_64

BODY csum_wsum body(const uint8_t *p, size_t len, csum_wsum sum,
		    struct prefetch f)
{
	uint64_t a = 0, b = 0, c = 0, d = 0;

	for (; len >= LINE; p += LINE, len -= LINE) {
		prefetch_step(&f, p);
		__asm__(CHAIN2("a", "0", "8") CHAIN2("b", "16", "24")
				CHAIN2("c", "32", "40") CHAIN2("d", "48", "56")
			: [a] "+&r"(a), [b] "+&r"(b), [c] "+&r"(c), [d] "+&r"(d)
			: [p] "r"(p), "m"(LINE_AT(p))
			: "cc");
	}
	a = csum_add64(csum_add64(a, b), csum_add64(c, d));
	return csum_finish(csum_add64(a, csum_sum_tail(p, len)), sum);
}

STAMP_SUMS(adc4_64, )

#endif
