/* SPDX-License-Identifier: BSD-2-Clause */
/* movs_sum.c - rep movsb, then csum_partial() of the copy. */
#include "movs.h"

#ifdef CSUM_X86_64

csum_wsum csum_copy_movs_sum(void *dst, const void *src, size_t len,
			     csum_wsum sum)
{
	movs(dst, src, len);
	return csum_partial(dst, len, sum);
}

#endif
