/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * c64_count.c - 64-bit words into one sum, its carries counted apart.
 *
 * The next addition need not wait for the comparison, as it does in c64.
 */
#include "study.h"

csum_wsum csum_sum_c64_count(const void *buf, size_t len, csum_wsum sum)
{
	const uint8_t *p = buf;
	uint64_t acc = 0, carries = 0;

	for (; len >= 8; p += 8, len -= 8) {
		uint64_t word = csum_load64(p);

		acc += word;
		carries += acc < word;
	}
	acc = csum_add64(acc, carries);
	return csum_finish(csum_add64(acc, csum_sum_tail(p, len)), sum);
}
