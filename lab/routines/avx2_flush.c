/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * avx2_flush.c - copies and sums in one pass; each line of the source leaves
 * all caches once it has been used, to make room for what will be used again.
 *
 * clflush and not clflushopt, which not all CPUs with AVX2 have.
 */
#include "fused.h"

#ifdef CSUM_X86_64

AVX2 csum_wsum csum_copy_avx2_flush(void *dst, const void *src, size_t len,
				    csum_wsum sum)
{
	const struct prefetch none = { .policy = LAB_PREFETCH_NONE };
	const uint8_t *s = src;
	uint8_t *d = dst;
	uint64_t total = fused_lines(STORE, FLUSH, &d, &s, &len, none);

	return csum_finish(csum_add64(total, copy_tail(d, s, len)), sum);
}

#endif
