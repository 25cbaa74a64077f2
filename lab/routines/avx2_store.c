/* SPDX-License-Identifier: BSD-2-Clause */
/* avx2_store.c - copies and sums in one pass, with ordinary stores. */
#include "fused.h"

#ifdef CSUM_X86_64

AVX2 BODY csum_wsum body(uint8_t *d, const uint8_t *s, size_t len,
			 csum_wsum sum, struct prefetch f)
{
	uint64_t total = fused_lines(STORE, KEEP, &d, &s, &len, f);

	return csum_finish(csum_add64(total, copy_tail(d, s, len)), sum);
}

STAMP_COPIES(avx2_store, AVX2)

#endif
