/* SPDX-License-Identifier: BSD-2-Clause */
/* sse2_store.c - sse2_unpack, storing each register it has loaded. */
#include "unpack128.h"

#ifdef CSUM_X86_64

csum_wsum csum_copy_sse2_store(void *dst, const void *src, size_t len,
			       csum_wsum sum)
{
	enum { STEP = 32 };
	const size_t most = (size_t)STEP * LANE_STEPS;
	const uint8_t *s = src;
	uint8_t *d = dst;
	uint64_t total = 0;

	while (len >= STEP) {
		struct unpack128 acc = unpack128_zero();
		size_t n = whole_steps(len, STEP, most);

		len -= n;
		for (const uint8_t *end = s + n; s < end; s += STEP) {
			__m128i v = load128(s), w = load128(s + 16);

			STORE128(d, v);
			STORE128(d + 16, w);
			unpack128_add(&acc, v);
			unpack128_add(&acc, w);
			d += STEP;
		}
		total = csum_add64(total, unpack128_sum(&acc));
	}
	return csum_finish(csum_add64(total, copy_tail(d, s, len)), sum);
}

#endif
