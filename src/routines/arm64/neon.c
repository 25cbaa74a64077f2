/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * neon.c - Internet checksum, NEON, which every arm64 CPU has.
 *
 * One instruction per load: uadalp adds both 32-bit halves of each 64-bit lane
 * into a 64-bit accumulator.  A lane gains less than 2^33 a step, and two
 * pieces are 2^17 steps: below 2^50, and the sum of both lanes below 2^51.
 */
#include "arm64_template.h"

#ifdef CSUM_ARM64

ALWAYS_INLINE uint64x2_t add(uint64x2_t acc, uint8x16_t v)
{
	return vpadalq_u32(acc, vreinterpretq_u32_u8(v));
}

ALWAYS_INLINE uint64_t value(uint64x2_t acc)
{
	return vaddvq_u64(acc);
}

csum_wsum csum_sum_neon(const void *buf, size_t len, csum_wsum sum)
{
	return sum_or_copy(NULL, buf, len, sum, add, value);
}

csum_wsum csum_copy_neon(void *dst, const void *src, size_t len, csum_wsum sum)
{
	return sum_or_copy(dst, src, len, sum, add, value);
}

#endif
