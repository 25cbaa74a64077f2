/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memcpy_sum.c - the library copies, then csum_partial() sums the copy.
 *
 * Short copies are read back before they have left the store buffer, which
 * stalls if a load spans two stores.
 */
#include "study.h"

csum_wsum csum_copy_memcpy_sum(void *dst, const void *src, size_t len,
			       csum_wsum sum)
{
	if (len)
		memcpy(dst, src, len);
	return csum_partial(dst, len, sum);
}
