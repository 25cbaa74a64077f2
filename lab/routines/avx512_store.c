/* SPDX-License-Identifier: BSD-2-Clause */
/* avx512_store.c - avx512_shift, storing each register it has loaded. */
#include "prefetch.h"
#include "vector512.h"

#ifdef CSUM_X86_64

AVX512 BODY csum_wsum body(uint8_t *d, const uint8_t *s, size_t len,
			   csum_wsum sum, struct prefetch f)
{
	enum { STEP = 2 * LINE };
	const size_t most = (size_t)STEP * (LANE_STEPS / 2);
	uint64_t total = 0;

	while (len) {
		struct shift512 sums = shift512_zero();
		size_t n = whole_steps(len, STEP, most);

		len -= n;
		for (const uint8_t *end = s + n; s < end; s += STEP) {
			__m512i v = load512(s), w = load512(s + LINE);

			prefetch_step(&f, s);
			prefetch_step(&f, s + LINE);
			_mm512_storeu_si512((void *)d, v);
			_mm512_storeu_si512((void *)(d + LINE), w);
			shift512_add(&sums, 0, v);
			shift512_add(&sums, 1, w);
			d += STEP;
		}
		if (len < STEP) {
			size_t first = len < LINE ? len : LINE;
			__m512i v = load_first(s, first);
			__m512i w = load_first(s + first, len - first);

			_mm512_mask_storeu_epi8((void *)d, first_bytes(first),
						v);
			_mm512_mask_storeu_epi8((void *)(d + first),
						first_bytes(len - first), w);
			shift512_add(&sums, 0, v);
			shift512_add(&sums, 1, w);
			len = 0;
		}
		total = csum_add64(total, shift512_sum(&sums));
	}
	return csum_finish(total, sum);
}

STAMP_COPIES(avx512_store, AVX512)

#endif
