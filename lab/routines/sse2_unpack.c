/* SPDX-License-Identifier: BSD-2-Clause */
/* sse2_unpack.c - 32-bit words widened by unpacking: see unpack128.h. */
#include "prefetch.h"
#include "unpack128.h"

#ifdef CSUM_X86_64

BODY csum_wsum body(const uint8_t *p, size_t len, csum_wsum sum,
		    struct prefetch f)
{
	const size_t most = (size_t)LINE * (LANE_STEPS / 2);
	uint64_t total = 0;

	while (len >= LINE) {
		struct unpack128 a = unpack128_zero(), b = a;
		size_t n = whole_steps(len, LINE, most);

		len -= n;
		for (const uint8_t *end = p + n; p < end; p += LINE) {
			prefetch_step(&f, p);
			unpack128_add(&a, load128(p));
			unpack128_add(&b, load128(p + 16));
			unpack128_add(&a, load128(p + 32));
			unpack128_add(&b, load128(p + 48));
		}
		total = csum_add64(total, unpack128_sum(&a));
		total = csum_add64(total, unpack128_sum(&b));
	}
	return csum_finish(csum_add64(total, csum_sum_tail(p, len)), sum);
}

STAMP_SUMS(sse2_unpack, )

#endif
