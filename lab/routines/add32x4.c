/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * add32x4.c - four sums of 32-bit loads, which the CPU extends with zeros:
 * plain additions, no carry flag to wait for, twice as many of them.
 *
 * A sum gains less than 2^32 four times in 64 bytes: 2^28 steps stay below
 * 2^62, the four together below 2^64.
 */
#include "prefetch.h"

#ifdef CSUM_X86_64

/* Written out: a compiler would make vectors of it, which is sse2_unpack. */
#define TAKE(acc, at)                                                          \
	"movl " at "(%[p]), %k[word]\n\t"                                      \
	"addq %[word], %[" acc "]\n\t"

BODY csum_wsum body(const uint8_t *p, size_t len, csum_wsum sum,
		    struct prefetch f)
{
	const size_t most = (size_t)LINE << 28;
	uint64_t total = 0;

	while (len >= LINE) {
		size_t n = whole_steps(len, LINE, most);
		uint64_t a = 0, b = 0, c = 0, d = 0, word;

		len -= n;
		for (const uint8_t *end = p + n; p < end; p += LINE) {
			prefetch_step(&f, p);
			__asm__(TAKE("a", "0") TAKE("b", "4") TAKE(
					"c", "8") TAKE("d", "12") TAKE("a",
								       "16")
					TAKE("b", "20") TAKE("c", "24") TAKE(
						"d", "28") TAKE("a",
								"32") TAKE("b",
									   "36")
						TAKE("c", "40") TAKE("d", "44")
							TAKE("a", "48") TAKE(
								"b",
								"52") TAKE("c",
									   "56")
								TAKE("d", "60")
				: [a] "+&r"(a), [b] "+&r"(b), [c] "+&r"(c),
				  [d] "+&r"(d), [word] "=&r"(word)
				: [p] "r"(p), "m"(LINE_AT(p))
				: "cc");
		}
		total = csum_add64(total, a + b + c + d);
	}
	return csum_finish(csum_add64(total, csum_sum_tail(p, len)), sum);
}

STAMP_SUMS(add32x4, )

#endif
