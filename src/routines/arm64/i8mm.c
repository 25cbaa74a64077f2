/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * i8mm.c - Internet checksum, arm64 with the 8-bit matrix product.
 *
 * ummla takes 16 bytes as two rows of eight and adds, for each row, its product
 * with two columns.  The columns (1,0,1,0...) and (0,1,0,1...) make that the
 * sum of the row's even bytes and the sum of its odd bytes: the same work as
 * uadalp, but in every vector pipe of the cores that have it, where uadalp has
 * half of the pipes (docs/PORTING.md).
 *
 * The four sums are 32 bits wide.  Each gains at most 4 * 255 a step, and two
 * pieces are 2^17 steps: 2^17 * 1020 < 2^27.  So they do not overflow, and
 * adding accumulators as 64-bit lanes carries nothing from one to the next.
 */
#ifdef __clang__
#define TARGET CSUM_TARGET("i8mm")
#else
#define TARGET CSUM_TARGET("arch=armv8.2-a+i8mm")
#endif

#include "arm64_template.h"

#ifdef CSUM_ARM64

/* Not an intrinsic: clang before 16 hides it unless the whole file is i8mm. */
ALWAYS_INLINE uint64x2_t add(uint64x2_t acc, uint8x16_t v)
{
	const uint8x16_t columns = { 1, 0, 1, 0, 1, 0, 1, 0,
				     0, 1, 0, 1, 0, 1, 0, 1 };

	__asm__("ummla %[acc].4s, %[v].16b, %[columns].16b"
		: [acc] "+w"(acc)
		: [v] "w"(v), [columns] "w"(columns));
	return acc;
}

/* Even bytes are the low halves of the words in memory. */
ALWAYS_INLINE uint64_t value(uint64x2_t acc)
{
	uint32x4_t s = vreinterpretq_u32_u64(acc);
	uint64x2_t rows = vaddl_u32(vget_low_u32(s), vget_high_u32(s));

	return vgetq_lane_u64(rows, 0) + (vgetq_lane_u64(rows, 1) << 8);
}

TARGET
csum_wsum csum_sum_i8mm(const void *buf, size_t len, csum_wsum sum)
{
	return sum_or_copy(NULL, buf, len, sum, add, value);
}

TARGET
csum_wsum csum_copy_i8mm(void *dst, const void *src, size_t len, csum_wsum sum)
{
	return sum_or_copy(dst, src, len, sum, add, value);
}

#endif
