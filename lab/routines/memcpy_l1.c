/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memcpy_l1.c - memcpy_sum in pieces, so that each is summed while in L1.
 *
 * Source and destination of a piece fill half of 32 KiB.
 */
#include "study.h"

csum_wsum csum_copy_memcpy_l1(void *dst, const void *src, size_t len,
			      csum_wsum sum)
{
	enum { PIECE = 8192 };
	const uint8_t *s = src;
	uint8_t *d = dst;

	while (len) {
		size_t n = len < PIECE ? len : PIECE;

		/* gcc makes "rep movs" of a memcpy() that it knows to be short
		 */
		__asm__("" : "+r"(n));
		memcpy(d, s, n);
		/* pieces are even, the last one aside: no shift */
		sum = csum_partial(d, n, sum);
		d += n;
		s += n;
		len -= n;
	}
	return sum;
}
