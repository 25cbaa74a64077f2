/* SPDX-License-Identifier: BSD-2-Clause */
/* lanes256.h - what x86_template.h needs of a register of 256 bits. */

#define VEC	     __m256i
#define OP(x)	     _mm256_##x
#define LOAD(p)	     _mm256_loadu_si256((const VEC *)(const void *)(p))
#define STORE(p, v)  _mm256_storeu_si256((VEC *)(void *)(p), v)
#define STREAM(p, v) _mm256_stream_si256((VEC *)(void *)(p), v)
#define LEAVE()	     _mm256_zeroupper()
#define ZERO	     _mm256_setzero_si256()
#define SET(x)	     _mm256_set1_epi64x(x)
#define AND	     _mm256_and_si256
#define XOR	     _mm256_xor_si256

/* The last 32 bytes, those masked out that are not to be summed again. */
TARGET static inline VEC load_rest(const uint8_t *p, size_t len)
{
	static const uint8_t mask[64] = {
		[32] = 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff,	     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff,	     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff,	     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	};

	return AND(LOAD(p + len - 32), LOAD(mask + len % 32));
}

TARGET static inline uint64_t add_lanes(VEC v)
{
	__m128i x = _mm_add_epi64(_mm256_castsi256_si128(v),
				  _mm256_extracti128_si256(v, 1));

	return (uint64_t)_mm_cvtsi128_si64(
		_mm_add_epi64(x, _mm_unpackhi_epi64(x, x)));
}
