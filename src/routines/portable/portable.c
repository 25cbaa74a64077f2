/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * portable.c - Internet checksum in plain C, any machine, any byte order.
 *
 * 64-bit words, each carry caught by comparison.  Four sums, because one would
 * wait for its own carry at every word.
 */
#include "../routine.h"

enum { STEP = 32 };

csum_wsum csum_sum_portable(const void *buf, size_t len, csum_wsum sum)
{
	const uint8_t *p = buf;
	uint64_t a = 0, b = 0, c = 0, d = 0;

	for (; len >= STEP; p += STEP, len -= STEP) {
		a = csum_add64(a, csum_load64(p));
		b = csum_add64(b, csum_load64(p + 8));
		c = csum_add64(c, csum_load64(p + 16));
		d = csum_add64(d, csum_load64(p + 24));
	}
	a = csum_add64(csum_add64(a, b), csum_add64(c, d));
	return csum_finish(csum_add64(a, csum_sum_tail(p, len)), sum);
}

csum_wsum csum_copy_portable(void *dst, const void *src, size_t len,
			     csum_wsum sum)
{
	return csum_copy_pieces(csum_sum_portable, dst, src, len, sum);
}
