/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector.h - what a routine in vectors needs before its arithmetic: how to
 * load, and in copies store, one vector.  vector_end.h is what comes after it.
 * Both are included once by each of these routines; no include guard, on
 * purpose.
 *
 *   NAME(x)             x with the routine's name, for a symbol
 *   TARGET              its attribute
 *   VEC                 the type of a register
 *   LOAD(p) STORE(p, v) at any alignment
 *   STREAM(p, v)        past the caches, aligned
 *   ZERO, SET(x)        all lanes 0, all 64-bit lanes x
 *   AND(a, b)
 *   REST(p, n)          the last n % W bytes before p + n, in places at an even
 *                       distance from the right ones, among zeros; n is even
 *                       and at least 128
 *   ADD_LANES(v)        the sum of all lanes, each below 2^60
 *   MOVE(d, s, n)       copies 33 to 127 bytes, all loads before the stores
 */

enum {
	W = sizeof(VEC),
	STEP = 8 * W,
};

#define INLINE TARGET static inline __attribute__((always_inline))

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
