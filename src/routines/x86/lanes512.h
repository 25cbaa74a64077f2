/* SPDX-License-Identifier: BSD-2-Clause */
/* lanes512.h - what x86_template.h needs of a register of 512 bits. */

#define VEC	     __m512i
#define OP(x)	     _mm512_##x
#define LOAD(p)	     _mm512_loadu_si512((const void *)(p))
#define STORE(p, v)  _mm512_storeu_si512((void *)(p), v)
#define STREAM(p, v) _mm512_stream_si512((void *)(p), v)
#define LEAVE()	     _mm256_zeroupper()
#define ZERO	     _mm512_setzero_si512()
#define SET(x)	     _mm512_set1_epi64(x)
#define AND	     _mm512_and_si512
#define XOR	     _mm512_xor_si512

/* A mask loads just these bytes, and zeros. */
TARGET static inline VEC load_rest(const uint8_t *p, size_t len)
{
	size_t n = len % 64;

	return _mm512_maskz_loadu_epi8(_bzhi_u64(~UINT64_C(0), (unsigned)n),
				       (const void *)(p + len - n));
}

TARGET static inline uint64_t add_lanes(VEC v)
{
	__m256i y = _mm256_add_epi64(_mm512_castsi512_si256(v),
				     _mm512_extracti64x4_epi64(v, 1));
	__m128i x = _mm_add_epi64(_mm256_castsi256_si128(y),
				  _mm256_extracti128_si256(y, 1));

	return (uint64_t)_mm_cvtsi128_si64(
		_mm_add_epi64(x, _mm_unpackhi_epi64(x, x)));
}
