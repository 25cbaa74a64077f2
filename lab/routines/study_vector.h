/* SPDX-License-Identifier: BSD-2-Clause */
/* study_vector.h - loads, stores and the last addition, for the vector
 * routines. */
#ifndef CSUM_LAB_STUDY_VECTOR_H
#define CSUM_LAB_STUDY_VECTOR_H

#include "study.h"

#ifdef CSUM_X86_64

#include <immintrin.h>

#define AVX2 CSUM_TARGET("avx2")

/* Stores at any alignment. */
#define STORE128(p, v) _mm_storeu_si128((__m128i *)(void *)(p), v)
#define STORE256(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)

/*
 * A 64-bit lane that gains less than 2^33 a step stays below 2^62 for 2^29
 * steps, and two of them can still be added.
 */
enum { LANE_STEPS = 1 << 29 };

static inline __m128i load128(const uint8_t *p)
{
	__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);

	CSUM_KEEP(v);
	return v;
}

/* All 64-bit lanes, with end-around carry. */
static inline uint64_t add_lanes128(__m128i v)
{
	uint64_t lane[2];

	STORE128(lane, v);
	return csum_add64(lane[0], lane[1]);
}

AVX2 static inline __m256i load256(const uint8_t *p)
{
	__m256i v = _mm256_loadu_si256((const __m256i *)(const void *)p);

	CSUM_KEEP(v);
	return v;
}

AVX2 static inline uint64_t add_lanes256(__m256i v)
{
	uint64_t lane[4];

	STORE256(lane, v);
	return csum_add64(csum_add64(lane[0], lane[1]),
			  csum_add64(lane[2], lane[3]));
}

#endif
#endif
