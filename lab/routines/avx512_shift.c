/* SPDX-License-Identifier: BSD-2-Clause */
/* avx512_shift.c - as avx2_shift, 64 bytes wide and with a masked last step. */
#include "prefetch.h"
#include "vector512.h"

#ifdef CSUM_X86_64

AVX512 BODY csum_wsum body(const uint8_t *p, size_t len, csum_wsum sum,
			   struct prefetch f)
{
	enum { STEP = 2 * LINE };
	const size_t most = (size_t)STEP * (LANE_STEPS / 2);
	uint64_t total = 0;

	while (len) {
		struct shift512 s = shift512_zero();
		size_t n = whole_steps(len, STEP, most);

		len -= n;
		for (const uint8_t *end = p + n; p < end; p += STEP) {
			prefetch_step(&f, p);
			prefetch_step(&f, p + LINE);
			shift512_add(&s, 0, load512(p));
			shift512_add(&s, 1, load512(p + LINE));
		}
		if (len < STEP) {
			size_t first = len < LINE ? len : LINE;

			shift512_add(&s, 0, load_first(p, first));
			shift512_add(&s, 1, load_first(p + first, len - first));
			len = 0;
		}
		total = csum_add64(total, shift512_sum(&s));
	}
	return csum_finish(total, sum);
}

STAMP_SUMS(avx512_shift, AVX512)

#endif
