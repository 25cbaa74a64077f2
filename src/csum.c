/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csum.c - the functions of csum.h that read buffers.
 *
 * A routine sums one buffer.  Messages in pieces, pieces at odd offsets and
 * ranges of a message are here, once for all routines.
 */
#include "csum.h"

#ifdef CSUM_SMALL
#include "one_file.h"
#else
#include "dispatch.h"

/*
 * What csum_partial() and csum_copy() do, for the functions of this file: a
 * program may put its own function in the place of an exported one, but not in
 * the place of these.
 */
static inline csum_wsum csum_sum_active(const void *buf, size_t len,
					csum_wsum sum)
{
	csum_sum_fn f =
		atomic_load_explicit(&csum_active_sum, memory_order_relaxed);

	return f(buf, len, sum);
}

static inline csum_wsum csum_copy_active(void *dst, const void *src, size_t len,
					 csum_wsum sum)
{
	csum_copy_fn f =
		atomic_load_explicit(&csum_active_copy, memory_order_relaxed);

	return f(dst, src, len, sum);
}
#endif

/* What the library's other files call, see inside.h. */
#pragma GCC visibility push(hidden)
csum_wsum csum_inside_partial(const void *buf, size_t len, csum_wsum sum);
csum_wsum csum_inside_copy(void *dst, const void *src, size_t len,
			   csum_wsum sum);
#pragma GCC visibility pop

csum_wsum csum_inside_partial(const void *buf, size_t len, csum_wsum sum)
{
	return csum_sum_active(buf, len, sum);
}

csum_wsum csum_inside_copy(void *dst, const void *src, size_t len,
			   csum_wsum sum)
{
	return csum_copy_active(dst, src, len, sum);
}

CSUM_ALIGNED csum_wsum csum_partial(const void *buf, size_t len, csum_wsum sum)
{
	return csum_sum_active(buf, len, sum);
}

CSUM_ALIGNED csum_wsum csum_copy(void *dst, const void *src, size_t len,
				 csum_wsum sum)
{
	return csum_copy_active(dst, src, len, sum);
}

#ifndef CSUM_NO_IOVEC
static csum_wsum sum_pieces(const struct iovec *iov, size_t iovcnt, size_t off,
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
		sum = csum_combine(sum, csum_sum_active(p, n, 0), done);
		done += n;
	}
	return sum;
}

csum_wsum csum_inside_iov(const struct iovec *iov, size_t iovcnt, size_t off,
			  size_t len, csum_wsum sum)
	__attribute__((visibility("hidden")));

csum_wsum csum_inside_iov(const struct iovec *iov, size_t iovcnt, size_t off,
			  size_t len, csum_wsum sum)
{
	return sum_pieces(iov, iovcnt, off, len, sum);
}

csum_wsum csum_iov(const struct iovec *iov, size_t iovcnt, size_t off,
		   size_t len, csum_wsum sum)
{
	return sum_pieces(iov, iovcnt, off, len, sum);
}
#endif

const char *csum_version(void)
{
	return CSUM_VERSION;
}
