/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * c64.c - 64-bit words into one sum; a sum below the word has wrapped.
 *
 * The carry goes into the next addition but one: load, add, compare, add, and
 * all but the load wait for each other.
 */
#include "study.h"

csum_wsum csum_sum_c64(const void *buf, size_t len, csum_wsum sum)
{
	const uint8_t *p = buf;
	uint64_t acc = 0;

	for (; len >= 8; p += 8, len -= 8)
		acc = csum_add64(acc, csum_load64(p));
	return csum_finish(csum_add64(acc, csum_sum_tail(p, len)), sum);
}
