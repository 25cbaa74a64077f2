/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arm64_template.h - a whole routine in vector registers, sum and copy.
 *
 * The arm64 routines differ in one operation, which adds 16 bytes to an
 * accumulator, and in how an accumulator becomes a number.  Every function here
 * is inlined into the routine that calls it, so what the routine passes, a NULL
 * destination too, is a constant.
 *
 * TARGET, defined before the inclusion by a routine with instructions beyond
 * the base: the attribute that enables them, here too.
 */
#ifndef CSUM_ARM64_TEMPLATE_H
#define CSUM_ARM64_TEMPLATE_H

#include "../routine.h"

#ifdef CSUM_ARM64

#include <arm_neon.h>

/*
 * Eight accumulators: the adding instructions take 3 to 4 cycles, and the
 * widest cores start two to four of them a cycle (docs/PORTING.md).
 */
enum { STEP = 16, STRIDE = 8 * STEP };

/* Below two steps the way into a vector register and back is the longer one. */
enum { SHORT = 2 * STEP };

/*
 * What is given to an accumulator, or to those joined into it, is less than two
 * pieces.  Each routine derives that this cannot overflow.
 */
static const size_t PIECE = (size_t)1 << 20;

/* Adds 16 bytes to an accumulator of 64-bit lanes. */
typedef uint64x2_t (*add_fn)(uint64x2_t acc, uint8x16_t v);
/* Its value: congruent to what was added, 0 only if that was zeros. */
typedef uint64_t (*value_fn)(uint64x2_t acc);

#ifndef TARGET
#define TARGET
#endif
#define ALWAYS_INLINE TARGET static inline __attribute__((always_inline))

/* Loads 16 bytes, and copies them if there is a destination. */
ALWAYS_INLINE uint8x16_t take(uint8_t *dst, const uint8_t *src, size_t at)
{
	uint8x16_t v = vld1q_u8(src + at);

	if (dst)
		vst1q_u8(dst + at, v);
	return v;
}

/*
 * The last @n bytes of @v, less than 16, moved to its start, zeros behind them.
 * An index that is out of range looks up a zero.
 */
ALWAYS_INLINE uint8x16_t last_bytes(uint8x16_t v, size_t n)
{
	static const uint8_t index[2 * STEP] = {
		0,    1,    2,	  3,	4,    5,    6,	  7,
		8,    9,    10,	  11,	12,   13,   14,	  15,
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	};

	return vqtbl1q_u8(v, vld1q_u8(index + STEP - n));
}

/* One step or more, less than two pieces. */
ALWAYS_INLINE uint64x2_t sum_piece(uint8_t *dst, const uint8_t *src, size_t len,
				   add_fn add)
{
	uint64x2_t acc = vdupq_n_u64(0);
	size_t at = 0;

	if (len >= STRIDE) {
		uint64x2_t b = acc, c = acc, d = acc, e = acc;
		uint64x2_t f = acc, g = acc, h = acc;

		for (; len - at >= STRIDE; at += STRIDE) {
			acc = add(acc, take(dst, src, at));
			b = add(b, take(dst, src, at + STEP));
			c = add(c, take(dst, src, at + 2 * STEP));
			d = add(d, take(dst, src, at + 3 * STEP));
			e = add(e, take(dst, src, at + 4 * STEP));
			f = add(f, take(dst, src, at + 5 * STEP));
			g = add(g, take(dst, src, at + 6 * STEP));
			h = add(h, take(dst, src, at + 7 * STEP));
		}
		acc = vaddq_u64(vaddq_u64(vaddq_u64(acc, b), vaddq_u64(c, d)),
				vaddq_u64(vaddq_u64(e, f), vaddq_u64(g, h)));
	}
	for (; len - at >= STEP; at += STEP)
		acc = add(acc, take(dst, src, at));
	/* a last step that overlaps what was there already, without it */
	if (len > at)
		acc = add(acc,
			  last_bytes(take(dst, src, len - STEP), len - at));
	return acc;
}

/* A whole routine: sums, and copies if @dst is not NULL. */
ALWAYS_INLINE csum_wsum sum_or_copy(void *dst, const void *src, size_t len,
				    csum_wsum sum, add_fn add, value_fn value)
{
	const uint8_t *s = src;
	uint8_t *d = dst;
	uint64_t acc = 0;

	if (len < SHORT) {
		acc = csum_sum_tail(s, len);
		if (d && len)
			memcpy(d, s, len);
		return csum_finish(acc, sum);
	}
	do {
		size_t n = len < 2 * PIECE ? len : PIECE;

		acc = csum_add64(acc, value(sum_piece(d, s, n, add)));
		if (d)
			d += n;
		s += n;
		len -= n;
	} while (len);
	return csum_finish(acc, sum);
}

#endif
#endif
