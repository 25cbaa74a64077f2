/* SPDX-License-Identifier: BSD-2-Clause */
/* avx2_shift.c - wrapping totals and exact high halves: see shift.h. */
#include "prefetch.h"
#include "shift.h"

#ifdef CSUM_X86_64

AVX2 BODY csum_wsum body(const uint8_t *p, size_t len, csum_wsum sum,
			 struct prefetch f)
{
	const size_t most = (size_t)LINE * LANE_STEPS;
	uint64_t total = 0;

	while (len >= LINE) {
		struct shift256 s = shift256_zero();
		size_t n = whole_steps(len, LINE, most);

		len -= n;
		for (const uint8_t *end = p + n; p < end; p += LINE) {
			prefetch_step(&f, p);
			shift256_add(&s, 0, load256(p));
			shift256_add(&s, 1, load256(p + 32));
		}
		total = csum_add64(total, shift256_sum(&s));
	}
	return csum_finish(csum_add64(total, csum_sum_tail(p, len)), sum);
}

STAMP_SUMS(avx2_shift, AVX2)

#endif
