/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * x86_template.h - a whole routine in vector registers, sum and copy.
 *
 * A routine's file defines the parameters, then includes this file, once; so
 * there is no include guard, on purpose.
 *
 *   NAME(x)    x with the routine's name behind it, for its symbols
 *   TARGET     the attribute that enables its instructions
 *   LANES      the width of a register in bits: lanesLANES.h is included
 *   DPWSSD     only with VNNI: the intrinsic of vpdpwssd at that width;
 *              if it is defined the arithmetic is dot.h, otherwise average.h
 *
 * The combinations that exist:
 *
 *   LANES      without DPWSSD      with DPWSSD
 *    128       sse2                -
 *    256       avx2                avxvnni
 *    512       avx512bw            avx512vnni
 *
 * What lanes128.h, lanes256.h and lanes512.h define, all of them the same:
 *
 *   VEC                  the type of a register; W is its size in bytes
 *   OP(x)                the intrinsic x for that type: add_epi64, avg_epu16...
 *   LOAD(p) STORE(p, v)  at any alignment
 *   STREAM(p, v)         a store past the caches, at an aligned address
 *   ZERO, SET(x)         all lanes 0; all 64-bit lanes x
 *   AND(a, b) XOR(a, b)
 *   load_rest(p, n)      the last n % W bytes before p + n, among zeros, in
 *                        even places if they were in even places of the
 *                        buffer; n is even and at least 128
 *   add_lanes(v)         the sum of all 64-bit lanes, each below 2^60
 *   LEAVE()              vzeroupper, where there are upper halves: see
 * sum_steps
 *
 * What average.h and dot.h define, both the same:
 *
 *   FEW                  lengths up to FEW bytes are for few() alone
 *   MAX_STEPS            how many steps of 8 vectors many() can take at once
 *   few(d, p, vecs, rest, copy)
 *   many(d, p, steps, vecs, rest, copy, stream)
 *                        the sum of @rest and of the vectors at @p; with @copy
 *                        the vectors are stored at @d too, past the caches with
 *                        @stream
 */

#if LANES == 128
#include "lanes128.h"
#elif LANES == 256
#include "lanes256.h"
#elif LANES == 512
#include "lanes512.h"
#else
#error "LANES must be 128, 256 or 512"
#endif

enum {
	W = sizeof(VEC),
	STEP = 8 * W,
};

#define INLINE TARGET static inline __attribute__((always_inline))
#define APART  TARGET CSUM_ALIGNED static __attribute__((noinline))

/*
 * A load whose result is used twice.  Left alone, gcc 12 loads twice, once into
 * each use, and two loads a cycle are the limit: 31 bytes a cycle with AVX2 on
 * Zen 3, not 57.
 */
INLINE VEC load_once(const uint8_t *p)
{
	VEC v = LOAD(p);

	CSUM_KEEP(v);
	return v;
}

/* Loads the vector at p[at]; when copying, stores it at d[at]. */
INLINE VEC take(uint8_t *d, const uint8_t *p, size_t at, bool copy, bool stream)
{
	VEC v = load_once(p + at);

	if (copy && stream)
		STREAM(d + at, v);
	else if (copy)
		STORE(d + at, v);
	return v;
}

#ifdef DPWSSD
#include "dot.h"
#else
#include "average.h"
#endif

/* A sum stores nothing: a pointer that is only moved along. */
INLINE uint8_t *nowhere(const uint8_t *p)
{
	const union {
		const uint8_t *read;
		uint8_t *written;
	} same = { .read = p };

	return same.written;
}

#if LANES == 512
#include "masked.h"
#else

enum {
	TINY = 127,
	SMALL = 255,
};

/* @len up to TINY; copied to @d, if @copy. */
INLINE csum_wsum tiny(uint8_t *d, const uint8_t *p, size_t len, csum_wsum sum,
		      bool copy)
{
	return copy ? csum_copy_below_128(d, p, len, sum)
		    : csum_sum_below_128(p, len, sum);
}

/* @len from 128 to SMALL: 128 in vectors, the others beside them. */
INLINE csum_wsum small(uint8_t *d, const uint8_t *p, size_t len, csum_wsum sum,
		       bool copy)
{
	uint64_t acc = few(d, p, 128 / W, ZERO, copy);

	p += 128;
	return csum_from64(csum_add64(
		acc, copy ? csum_copy_add_below_128(d + 128, p, len, sum)
			  : csum_add_below_128(sum, p, len)));
}

#endif

/*
 * Each range of lengths has its own function, out of line, so that no call pays
 * for the registers that only a longer one needs.
 *
 * ALIGN_FROM: from so many bytes on it pays to align what is read, or written.
 * With AVX2 on Zen 3 at an odd address, 9000 bytes take 74 ns as they are and
 * 66 aligned.  ALIGN_SPLIT_FROM: the same of an address that is not that of a
 * vector, where every access, or every second one, crosses the end of a cache
 * line: 4096 bytes at an odd one take AVX2 60 ns as they are and 52 aligned, a
 * copy 103 and 75, with VNNI 71 and 45 (Xeon with AVX-512). STREAM_FROM: the
 * caches would see only harm of a copy of so many bytes.  On Zen 4 with 32 MiB
 * of L3, 4 MiB take 1.6 times memcpy past the caches and 1.0 through them, 12
 * MiB 0.7 and 0.9.
 */
enum {
	ALIGN_FROM = 6144,
	ALIGN_SPLIT_FROM = 2048,
	STREAM_FROM = 8 << 20,
};

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
	VEC rest = load_rest(p, len & ~(size_t)1);
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

/*
 * A compiler expects that who passes a vector, @rest, will clean the upper
 * halves of the registers, and does not do so here; but csum_sum ends with this
 * call.  Left as they are, each SSE instruction of the caller waits for them:
 * some 30 ns a packet in a walk over packets.
 */
APART csum_wsum sum_steps(const uint8_t *p, size_t len, uint64_t acc, VEC rest)
{
	csum_wsum sum = steps(nowhere(p), p, len, acc, rest, false);

	LEAVE();
	return sum;
}

/*
 * The bytes up to an aligned address in general registers, and what follows,
 * possibly at an odd place, joined.
 */
APART csum_wsum sum_long(const uint8_t *p, size_t len, csum_wsum sum)
{
	size_t skip = -(uintptr_t)p % W;

	sum = tiny(nowhere(p), p, skip, sum, false);
	p += skip;
	return csum_combine(
		sum, pieces(nowhere(p), p, len - skip, false, false), skip);
}

TARGET csum_wsum NAME(csum_sum)(const void *buf, size_t len, csum_wsum sum)
{
	const uint8_t *p = buf;
	uint64_t acc;
	VEC rest;

	if (__builtin_expect(len <= TINY, 1))
		return tiny(nowhere(p), p, len, sum, false);
	if (len <= SMALL)
		return small(nowhere(p), p, len, sum, false);
	if (len >= ALIGN_FROM || (len >= ALIGN_SPLIT_FROM && (uintptr_t)p % W))
		return sum_long(p, len, sum);
	rest = load_rest(p, len & ~(size_t)1);
	acc = sum + odd_byte(p, len);
	if (len > FEW)
		return sum_steps(p, len, acc, rest);
	return csum_from64(acc + few(nowhere(p), p, len / W, rest, false));
}

/* ------------------------------------------------------------------------
 * Copies.  The end is stored in one vector, which overlaps.
 */

/* @len from SMALL to ALIGN_FROM. */
APART csum_wsum copy_steps(uint8_t *d, const uint8_t *p, size_t len,
			   csum_wsum sum)
{
	uint64_t acc = sum + odd_byte(p, len);
	VEC rest = load_rest(p, len & ~(size_t)1);

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

	sum = tiny(d, p, skip, sum, true);
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
	if (__builtin_expect(len <= TINY, 1))
		return tiny(dst, src, len, sum, true);
	if (len <= SMALL)
		return small(dst, src, len, sum, true);
	if (len >= ALIGN_FROM ||
	    (len >= ALIGN_SPLIT_FROM && (uintptr_t)dst % W))
		return copy_long(dst, src, len, sum);
	return copy_steps(dst, src, len, sum);
}
