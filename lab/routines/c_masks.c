/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * c_masks.c - for machines without 16-bit arithmetic, flags or comparisons
 * that give a number.
 *
 * A mask leaves two 16-bit words of a 64-bit load, each with 16 zero bits
 * above it; a shift and the same mask leave the other two.  Both go into one
 * sum, as two lanes of 32 bits.  A lane gains less than 2^17 a step: 2^15 steps
 * stay below 2^32.
 */
#include "study.h"

csum_wsum csum_sum_c_masks(const void *buf, size_t len, csum_wsum sum)
{
	enum { STEP = 8, MOST = STEP << 15 };
	const uint64_t words = UINT64_C(0x0000ffff0000ffff);
	const uint8_t *p = buf;
	uint64_t total = 0;

	while (len >= STEP) {
		size_t n = whole_steps(len, STEP, MOST);
		uint64_t acc = 0;

		len -= n;
		for (const uint8_t *end = p + n; p < end; p += STEP) {
			uint64_t word = csum_load64(p);

			acc += (word & words) + (word >> 16 & words);
		}
		total = csum_add64(total, acc);
	}
	return csum_finish(csum_add64(total, csum_sum_tail(p, len)), sum);
}
