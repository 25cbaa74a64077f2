/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * avx2_stream.c - copies and sums in one pass, with stores that bypass the
 * cache.
 *
 * They need aligned addresses, so the first bytes are copied on their own; if
 * they are odd in number the rest changes halves, see csum_combine().  The
 * fence at the end makes the copy visible to others before what is stored
 * after it, as with ordinary stores.
 */
#include "fused.h"

#ifdef CSUM_X86_64

AVX2 BODY csum_wsum body(uint8_t *d, const uint8_t *s, size_t len,
			 csum_wsum sum, struct prefetch f)
{
	size_t head = -(uintptr_t)d % 32;
	uint64_t total;

	if (head > len)
		head = len;
	sum = csum_finish(copy_tail(d, s, head), sum);
	d += head;
	s += head;
	len -= head;
	total = fused_lines(STREAM, KEEP, &d, &s, &len, f);
	_mm_sfence();
	total = csum_add64(total, copy_tail(d, s, len));
	return csum_combine(sum, csum_from64(total), head);
}

STAMP_COPIES(avx2_stream, AVX2)

#endif
