/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csum.c - the functions of csum.h that walk over bytes.
 *
 * A routine sums one buffer; pieces, odd joins and ranges are here, once.
 */
#include "csum.h"

#include "dispatch.h"

csum_wsum csum_partial(const void *buf, size_t len, csum_wsum sum)
{
	return csum_active_sum(buf, len, sum);
}

/*
 * Summed first, so that memcpy() finds the piece in L1: the other order stalls
 * at small sizes, reading back what has just been stored.
 */
enum { COPY_PIECE = 8192 };

csum_wsum csum_copy(void *dst, const void *src, size_t len, csum_wsum sum)
{
	unsigned char *d = dst;
	const unsigned char *s = src;

	while (len) {
		size_t n = len < COPY_PIECE ? len : COPY_PIECE;

		sum = csum_partial(s, n, sum);
		memcpy(d, s, n);
		d += n;
		s += n;
		len -= n;
	}
	return sum;
}

csum_wsum csum_iov(const struct iovec *iov, size_t iovcnt, size_t off,
		   size_t len, csum_wsum sum)
{
	size_t done = 0;

	for (size_t i = 0; i < iovcnt && done < len; i++) {
		const unsigned char *p = iov[i].iov_base;
		size_t n = iov[i].iov_len;

		if (off >= n) {
			off -= n;
			continue;
		}
		p += off;
		n -= off;
		off = 0;
		if (n > len - done)
			n = len - done;
		sum = csum_combine(sum, csum_partial(p, n, 0), done);
		done += n;
	}
	return sum;
}

const char *csum_version(void)
{
	return CSUM_VERSION;
}
