/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * adc_chain.c - one carry chain through all blocks.
 *
 * lea and dec leave the carry flag alone, so the last carry of a block goes
 * into the first word of the next, and what adc_64 pays to take it back is
 * saved.
 */
#include "adc.h"
#include "study.h"

#ifdef CSUM_X86_64

csum_wsum csum_sum_adc_chain(const void *buf, size_t len, csum_wsum sum)
{
	enum { STEP = sizeof(struct line) };
	const uint8_t *p = buf;
	size_t steps = len / STEP;
	uint64_t acc = 0;

	if (steps)
		__asm__("clc\n"
			"1:\n\t" ADC("acc", "0") ADC("acc", "8") ADC(
				"acc", "16") ADC("acc", "24") ADC("acc", "32")
				ADC("acc", "40") ADC("acc", "48")
					ADC("acc",
					    "56") "lea 64(%[p]), %[p]\n\t"
						  "dec %[steps]\n\t"
						  "jnz 1b\n\t" TAKE_CARRY("acc")
			: [acc] "+&r"(acc), [p] "+&r"(p), [steps] "+&r"(steps)
			:
			: "cc", "memory");
	return csum_finish(csum_add64(acc, csum_sum_tail(p, len % STEP)), sum);
}

#endif
