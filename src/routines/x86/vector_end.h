/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector_end.h - the routine around its arithmetic, see vector.h.  That is:
 *
 *   FEW                 up to so many bytes, few() does it all
 *   MAX_STEPS           so many steps of 8 vectors many() can take at once
 *   few(d, p, vecs, rest, copy)
 *   many(d, p, steps, vecs, rest, copy, stream)
 *                       the sum of @rest and the vectors at @p; copying, they
 *                       are stored at @d too, past the caches if @stream
 *
 * ALIGN_FROM: from there on it pays to align what is read, or written.  With
 * AVX2 on Zen 3 at an odd address, 9000 bytes take 74 ns as they are, 66
 * aligned. STREAM_FROM: a copy of which the caches would see nothing but harm.
 */

enum {
	ALIGN_FROM = 6144,
	STREAM_FROM = 4 << 20,
};

/* All of more than FEW vectors' bytes, but for what is in @rest and @acc. */
INLINE csum_wsum blocks(uint8_t *d, const uint8_t *p, size_t len, uint64_t acc,
			VEC rest, bool copy, bool stream)
{
	for (;;) {
		size_t steps = len / STEP, vecs = len / W % 8;

		if (steps > MAX_STEPS) {
			steps = MAX_STEPS;
			vecs = 0;
		}
		acc = csum_add64(acc,
				 many(d, p, steps, vecs, rest, copy, stream));
		len -= steps * STEP;
		if (len < STEP)
			return csum_from64(acc);
		p += steps * STEP;
		d += steps * STEP;
		rest = ZERO;
	}
}

/* Out of line, so that shorter calls do not pay for its registers. */
TARGET static __attribute__((noinline)) csum_wsum sum_blocks(const uint8_t *p,
							     size_t len,
							     uint64_t acc,
							     VEC rest)
{
	/* no destination: a pointer that is only moved along */
	return blocks((uint8_t *)(uintptr_t)p, p, len, acc, rest, false, false);
}

TARGET static __attribute__((noinline)) csum_wsum copy_blocks(
	uint8_t *d, const uint8_t *p, size_t len, uint64_t acc, VEC rest)
{
	return blocks(d, p, len, acc, rest, true, false);
}

/* An odd byte is the low one of its word. */
static inline uint64_t odd_byte(const uint8_t *p, size_t len)
{
	return len & 1 ? p[len - 1] : 0u;
}

/* @len below 128. */
INLINE csum_wsum copy_short(uint8_t *d, const uint8_t *s, size_t len,
			    csum_wsum sum)
{
	sum = csum_sum_below_128(s, len, sum);
	if (len > 32)
		MOVE(d, s, len);
	else
		csum_move_upto_32(d, s, len);
	return sum;
}

/*
 * Long enough that it pays to align what is read, or written: the bytes up to
 * there in general registers, and what follows, possibly at an odd place,
 * joined.
 */
TARGET static __attribute__((noinline)) csum_wsum sum_aligned(const uint8_t *p,
							      size_t len,
							      csum_wsum sum)
{
	size_t skip = -(uintptr_t)p % W;

	sum = csum_sum_below_128(p, skip, sum);
	return csum_combine(sum, NAME(csum_sum)(p + skip, len - skip, 0), skip);
}

/* Past STREAM_FROM the caches would see nothing of it but harm. */
TARGET static __attribute__((noinline)) csum_wsum copy_aligned(uint8_t *d,
							       const uint8_t *p,
							       size_t len,
							       csum_wsum sum)
{
	size_t skip = -(uintptr_t)d % W, even;
	csum_wsum rest;
	VEC last;

	sum = copy_short(d, p, skip, sum);
	d += skip;
	p += skip;
	len -= skip;
	even = len & ~(size_t)1;
	last = REST(p, even);
	STORE(d + len - W, LOAD(p + len - W));
	if (len < STREAM_FROM) {
		rest = copy_blocks(d, p, len, odd_byte(p, len), last);
	} else {
		rest = blocks(d, p, len, odd_byte(p, len), last, true, true);
		_mm_sfence();
	}
	return csum_combine(sum, rest, skip);
}

TARGET csum_wsum NAME(csum_sum)(const void *buf, size_t len, csum_wsum sum)
{
	const uint8_t *p = buf;
	uint64_t acc = sum;
	VEC rest;

	if (__builtin_expect(len < 128, 1))
		return csum_sum_below_128(p, len, sum);
	rest = REST(p, len & ~(size_t)1);
	acc += odd_byte(p, len);
	if (len > FEW)
		return len < ALIGN_FROM || (uintptr_t)p % W == 0
			       ? sum_blocks(p, len, acc, rest)
			       : sum_aligned(p, len, sum);
	return csum_from64(
		acc + few((uint8_t *)(uintptr_t)p, p, len / W, rest, false));
}

TARGET static __attribute__((noinline)) csum_wsum copy_long(uint8_t *d,
							    const uint8_t *p,
							    size_t len,
							    csum_wsum sum)
{
	uint64_t acc = sum + odd_byte(p, len);
	VEC rest = REST(p, len & ~(size_t)1);

	if (len >= ALIGN_FROM)
		return copy_aligned(d, p, len, sum);
	/* the end in one vector, which overlaps */
	STORE(d + len - W, LOAD(p + len - W));
	if (len > FEW)
		return copy_blocks(d, p, len, acc, rest);
	return csum_from64(acc + few(d, p, len / W, rest, true));
}

TARGET csum_wsum NAME(csum_copy)(void *dst, const void *src, size_t len,
				 csum_wsum sum)
{
	if (__builtin_expect(len < 128, 1))
		return copy_short(dst, src, len, sum);
	return copy_long(dst, src, len, sum);
}
