/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csum_offload.c - the functions of csum_packet.h over scattered packets: what
 * was left to a network card, and copying from list to list.
 */
#include <errno.h>
#include <string.h>

#include "inside.h"

#ifndef CSUM_NO_IOVEC

/* The byte at @off of the message; NULL beyond its end. */
static unsigned char *byte_at(const struct iovec *iov, size_t iovcnt,
			      size_t off)
{
	for (size_t i = 0; i < iovcnt; i++) {
		if (off < iov[i].iov_len)
			return (unsigned char *)iov[i].iov_base + off;
		off -= iov[i].iov_len;
	}
	return NULL;
}

int csum_complete(const struct iovec *iov, size_t iovcnt, size_t start,
		  size_t offset, unsigned flags)
{
	unsigned char *first, *second, bytes[2];
	csum_wsum sum;

	if (start > SIZE_MAX - 1 || offset > SIZE_MAX - 1 - start)
		return EINVAL;
	first = byte_at(iov, iovcnt, start + offset);
	second = byte_at(iov, iovcnt, start + offset + 1);
	if (!first || !second)
		return EINVAL;
	/* seen from a field at an odd place, the halves are the other ones */
	sum = csum_shift(csum_iov(iov, iovcnt, start, SIZE_MAX, 0), offset);
	csum_store16(bytes, flags & CSUM_COMPLETE_UDP ? csum_fold_udp(sum)
						      : csum_fold(sum));
	*first = bytes[0];
	*second = bytes[1];
	return 0;
}

/* Where in a list of pieces a copy is. */
struct cursor {
	const struct iovec *iov;
	size_t left; /* pieces, this one included */
	size_t at;   /* BYTES of this one that are done */
};

/* BYTES left in the piece, after those that are empty; 0: it was the last. */
static size_t piece_left(struct cursor *c)
{
	while (c->left && c->at == c->iov->iov_len) {
		c->iov++;
		c->left--;
		c->at = 0;
	}
	return c->left ? c->iov->iov_len - c->at : 0;
}

static unsigned char *advance(struct cursor *c, size_t n)
{
	unsigned char *p = (unsigned char *)c->iov->iov_base + c->at;

	c->at += n;
	return p;
}

csum_wsum csum_copy_iov(const struct iovec *to, size_t tocnt,
			const struct iovec *from, size_t fromcnt, size_t len,
			csum_wsum sum, size_t *copied)
{
	struct cursor out = { to, tocnt, 0 }, in = { from, fromcnt, 0 };
	size_t done = 0;

	while (done < len) {
		size_t room = piece_left(&out), n = piece_left(&in);

		if (n > room)
			n = room;
		if (n > len - done)
			n = len - done;
		if (n == 0)
			break;
		sum = csum_combine(
			sum, csum_copy(advance(&out, n), advance(&in, n), n, 0),
			done);
		done += n;
	}
	if (copied)
		*copied = done;
	return sum;
}

#endif
