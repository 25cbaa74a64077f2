/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * adc_64.c - one carry chain for each 64 bytes.
 *
 * The carry leaves the flag once per block, and so costs a ninth addition in
 * the chain; the loop may then use the flags.
 */
#include "adc.h"
#include "prefetch.h"

#ifdef CSUM_X86_64

BODY csum_wsum body(const uint8_t *p, size_t len, csum_wsum sum,
		    struct prefetch f)
{
	uint64_t acc = 0;

	for (; len >= LINE; p += LINE, len -= LINE) {
		prefetch_step(&f, p);
		__asm__(ADD("acc", "0") ADC("acc", "8") ADC("acc", "16")
				ADC("acc", "24") ADC("acc", "32")
					ADC("acc", "40") ADC("acc", "48")
						ADC("acc", "56")
							TAKE_CARRY("acc")
			: [acc] "+&r"(acc)
			: [p] "r"(p), "m"(LINE_AT(p))
			: "cc");
	}
	return csum_finish(csum_add64(acc, csum_sum_tail(p, len)), sum);
}

STAMP_SUMS(adc_64, )

#endif
