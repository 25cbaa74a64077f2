/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * c32.c - 32-bit words added into 64 bits: no carry until 2^32 of them.
 *
 * Each of the four sums gains less than 2^32 a step, and 2^26 steps stay below
 * 2^58: the four together do not wrap either.
 */
#include "study.h"

csum_wsum csum_sum_c32(const void *buf, size_t len, csum_wsum sum)
{
	enum { STEP = 16, MOST = STEP << 26 };
	const uint8_t *p = buf;
	uint64_t total = 0;

	while (len >= STEP) {
		size_t n = whole_steps(len, STEP, MOST);
		uint64_t a = 0, b = 0, c = 0, d = 0;

		len -= n;
		for (const uint8_t *end = p + n; p < end; p += STEP) {
			a += csum_load32(p);
			b += csum_load32(p + 4);
			c += csum_load32(p + 8);
			d += csum_load32(p + 12);
		}
		total = csum_add64(total, a + b + c + d);
	}
	return csum_finish(csum_add64(total, csum_sum_tail(p, len)), sum);
}
