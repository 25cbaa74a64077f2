/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fused.h - avx2_shift that stores what it loads, line by line.
 *
 * How it stores, and what it does with a line of the source that it has done
 * with, are constants where this is used.
 */
#ifndef CSUM_LAB_FUSED_H
#define CSUM_LAB_FUSED_H

#include "prefetch.h"
#include "shift.h"

#ifdef CSUM_X86_64

enum fused_store { STORE, STREAM };
enum fused_after { KEEP, FLUSH };

AVX2 BODY void store256(enum fused_store how, uint8_t *d, __m256i v)
{
	if (how == STREAM)
		_mm256_stream_si256((__m256i *)(void *)d, v);
	else
		STORE256(d, v);
}

/* All but a tail of less than LINE; moves the pointers and the length on. */
AVX2 BODY uint64_t fused_lines(enum fused_store how, enum fused_after after,
			       uint8_t **dst, const uint8_t **src, size_t *len,
			       struct prefetch f)
{
	const size_t most = (size_t)LINE * LANE_STEPS;
	const uint8_t *s = *src;
	uint8_t *d = *dst;
	uint64_t total = 0;

	while (*len >= LINE) {
		struct shift256 sums = shift256_zero();
		size_t n = whole_steps(*len, LINE, most);

		*len -= n;
		for (const uint8_t *end = s + n; s < end; s += LINE) {
			__m256i v = load256(s), w = load256(s + 32);

			prefetch_step(&f, s);
			store256(how, d, v);
			store256(how, d + 32, w);
			shift256_add(&sums, 0, v);
			shift256_add(&sums, 1, w);
			/* the line that holds *s has been read to its end */
			if (after == FLUSH)
				_mm_clflush(s);
			d += LINE;
		}
		total = csum_add64(total, shift256_sum(&sums));
	}
	*src = s;
	*dst = d;
	return total;
}

#endif
#endif
