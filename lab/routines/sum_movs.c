/* SPDX-License-Identifier: BSD-2-Clause */
/* sum_movs.c - csum_partial() of the source, which is then in L1; rep movsb. */
#include "movs.h"

#ifdef CSUM_X86_64

csum_wsum csum_copy_sum_movs(void *dst, const void *src, size_t len,
			     csum_wsum sum)
{
	sum = csum_partial(src, len, sum);
	movs(dst, src, len);
	return sum;
}

#endif
