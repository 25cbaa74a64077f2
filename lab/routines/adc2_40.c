/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * adc2_40.c - short headers first, then two chains that share a count of
 * carries.
 *
 * 40 bytes, an IPv6 header or IPv4 and TCP, are one chain without a loop.  From
 * 64 on neither chain takes its carry back: both add it to a third register,
 * which nothing waits for, and all is folded once at the end.
 */
#include "adc.h"
#include "study.h"

#ifdef CSUM_X86_64

struct header {
	uint8_t byte[40];
};

csum_wsum csum_sum_adc2_40(const void *buf, size_t len, csum_wsum sum)
{
	enum { STEP = sizeof(struct line) };
	const uint8_t *p = buf;
	uint64_t a = sum, b = 0, carries = 0;

	if (len == sizeof(struct header)) {
		__asm__(ADD("a", "0") ADC("a", "8") ADC("a", "16")
				ADC("a", "24") ADC("a", "32") TAKE_CARRY("a")
			: [a] "+&r"(a)
			: [p] "r"(p), "m"(*(const struct header *)buf)
			: "cc");
		return csum_from64(a);
	}
	for (; len >= STEP; p += STEP, len -= STEP)
		__asm__(ADD("a", "0") ADC("a", "8") ADC("a", "16")
				ADC("a", "24") TAKE_CARRY("carries")
					ADD("b", "32") ADC("b", "40")
						ADC("b", "48") ADC("b", "56")
							TAKE_CARRY("carries")
			: [a] "+&r"(a), [b] "+&r"(b), [carries] "+&r"(carries)
			: [p] "r"(p), "m"(LINE_AT(p))
			: "cc");
	a = csum_add64(csum_add64(a, b), carries);
	return csum_from64(csum_add64(a, csum_sum_tail(p, len)));
}

#endif
