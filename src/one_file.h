/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * one_file.h - the sum in few instructions, for machines without much memory.
 *
 * With CSUM_SMALL defined csum.c is all of the library, and needs no libc: no
 * choice of routine, no environment, no file.  Words of 32 bits, because 64-bit
 * additions are pairs of instructions there, and no unrolling.
 */
#ifndef CSUM_ONE_FILE_H
#define CSUM_ONE_FILE_H

#include "csum.h"

/* Fewer bytes matter more than where a function starts in a cache line. */
#define CSUM_ALIGNED

static csum_wsum csum_sum_active(const void *buf, size_t len, csum_wsum sum)
{
	const unsigned char *p = buf;

	for (; len >= 4; p += 4, len -= 4)
		sum = csum_add(sum, csum_load32(p));
	for (; len >= 2; p += 2, len -= 2)
		sum = csum_add(sum, csum_load16(p));
	if (len) {
		const unsigned char last[2] = { *p, 0 };

		sum = csum_add(sum, csum_load16(last));
	}
	return sum;
}

static csum_wsum csum_copy_active(void *dst, const void *src, size_t len,
				  csum_wsum sum)
{
	unsigned char *d = dst;
	const unsigned char *s = src;

	sum = csum_sum_active(s, len, sum);
	while (len--)
		*d++ = *s++;
	return sum;
}

#endif
