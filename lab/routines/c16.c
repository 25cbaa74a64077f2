/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * c16.c - 16-bit words added into 32 bits, the carries folded in late.
 *
 * 65536 words of 0xffff reach 2^32 - 2^16: so many can be added before the
 * upper half is folded onto the lower.
 */
#include "study.h"

csum_wsum csum_sum_c16(const void *buf, size_t len, csum_wsum sum)
{
	enum { STEP = 2, MOST = STEP << 16 };
	const uint8_t *p = buf;
	uint64_t total = 0;

	while (len >= STEP) {
		size_t n = whole_steps(len, STEP, MOST);
		uint32_t acc = 0;

		len -= n;
		for (const uint8_t *end = p + n; p < end; p += STEP)
			acc += csum_load16(p);
		total = csum_add64(total, acc);
	}
	return csum_finish(csum_add64(total, csum_sum_tail(p, len)), sum);
}
