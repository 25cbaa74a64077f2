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
 * Each range of lengths has its own function, out of line, so that none pays
 * for the registers of a longer one.
 *
 * ALIGN_FROM: from there on it pays to align what is read, or written.  With
 * AVX2 on Zen 3 at an odd address, 9000 bytes take 74 ns as they are and 66
 * aligned.  STREAM_FROM: a copy of which the caches would see only harm.  On
 * Zen 4 with 32 MiB of L3, 4 MiB take 1.6 times memcpy past the caches and 1.0
 * through them, 12 MiB 0.7 and 0.9.
 */

enum {
	ALIGN_FROM = 6144,
	STREAM_FROM = 8 << 20,
};

#define APART TARGET static __attribute__((noinline))

/* A sum stores nothing: a pointer that is only moved along. */
INLINE uint8_t *nowhere(const uint8_t *p)
{
	const union {
		const uint8_t *read;
		uint8_t *written;
	} same = { .read = p };

	return same.written;
}

/* An odd byte is the low one of its word. */
static inline uint64_t odd_byte(const uint8_t *p, size_t len)
{
	return len & 1 ? p[len - 1] : 0u;
}

/* @len up to ALIGN_FROM; @rest and @acc hold what is not in whole vectors. */
INLINE csum_wsum steps(uint8_t *d, const uint8_t *p, size_t len, uint64_t acc,
		       VEC rest, bool copy)
{
	return csum_from64(csum_add64(
		acc, many(d, p, len / STEP, len / W % 8, rest, copy, false)));
}

/* @len from STEP on, in pieces that many() can take. */
INLINE csum_wsum pieces(uint8_t *d, const uint8_t *p, size_t len, bool copy,
			bool stream)
{
	VEC rest = REST(p, len & ~(size_t)1);
	uint64_t acc = odd_byte(p, len);

	for (;;) {
		size_t n = len / STEP, vecs = len / W % 8;

		if (n > MAX_STEPS) {
			n = MAX_STEPS;
			vecs = 0;
		}
		acc = csum_add64(acc, many(d, p, n, vecs, rest, copy, stream));
		len -= n * STEP;
		if (len < STEP)
			return csum_from64(acc);
		p += n * STEP;
		d += n * STEP;
		rest = ZERO;
	}
}

/* ------------------------------------------------------------------------
 * Sums
 */

APART csum_wsum sum_steps(const uint8_t *p, size_t len, uint64_t acc, VEC rest)
{
	return steps(nowhere(p), p, len, acc, rest, false);
}

/*
 * The bytes up to an aligned address in general registers, and what follows,
 * possibly at an odd place, joined.
 */
APART csum_wsum sum_long(const uint8_t *p, size_t len, csum_wsum sum)
{
	size_t skip = -(uintptr_t)p % W;

	sum = csum_sum_below_128(p, skip, sum);
	p += skip;
	return csum_combine(
		sum, pieces(nowhere(p), p, len - skip, false, false), skip);
}

TARGET csum_wsum NAME(csum_sum)(const void *buf, size_t len, csum_wsum sum)
{
	const uint8_t *p = buf;
	uint64_t acc;
	VEC rest;

	if (__builtin_expect(len < 128, 1))
		return csum_sum_below_128(p, len, sum);
	if (len >= ALIGN_FROM)
		return sum_long(p, len, sum);
	rest = REST(p, len & ~(size_t)1);
	acc = sum + odd_byte(p, len);
	if (len > FEW)
		return sum_steps(p, len, acc, rest);
	return csum_from64(acc + few(nowhere(p), p, len / W, rest, false));
}

/* ------------------------------------------------------------------------
 * Copies.  The end is stored in one vector, which overlaps.
 */

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

/* @len from 128 to ALIGN_FROM. */
APART csum_wsum copy_steps(uint8_t *d, const uint8_t *p, size_t len,
			   csum_wsum sum)
{
	uint64_t acc = sum + odd_byte(p, len);
	VEC rest = REST(p, len & ~(size_t)1);

	STORE(d + len - W, LOAD(p + len - W));
	if (len > FEW)
		return steps(d, p, len, acc, rest, true);
	return csum_from64(acc + few(d, p, len / W, rest, true));
}

APART csum_wsum copy_long(uint8_t *d, const uint8_t *p, size_t len,
			  csum_wsum sum)
{
	size_t skip = -(uintptr_t)d % W;
	csum_wsum rest;

	sum = copy_short(d, p, skip, sum);
	d += skip;
	p += skip;
	len -= skip;
	STORE(d + len - W, LOAD(p + len - W));
	if (len < STREAM_FROM) {
		rest = pieces(d, p, len, true, false);
	} else {
		rest = pieces(d, p, len, true, true);
		_mm_sfence();
	}
	return csum_combine(sum, rest, skip);
}

TARGET csum_wsum NAME(csum_copy)(void *dst, const void *src, size_t len,
				 csum_wsum sum)
{
	if (__builtin_expect(len < 128, 1))
		return copy_short(dst, src, len, sum);
	if (len >= ALIGN_FROM)
		return copy_long(dst, src, len, sum);
	return copy_steps(dst, src, len, sum);
}
