/* SPDX-License-Identifier: BSD-2-Clause */
/* lanes128.h - what x86_template.h needs of a register of 128 bits. */

#define VEC	     __m128i
#define OP(x)	     _mm_##x
#define LOAD(p)	     csum_load128(p)
#define STORE(p, v)  csum_store128(p, v)
#define STREAM(p, v) _mm_stream_si128((VEC *)(void *)(p), v)
#define LEAVE()	     ((void)0)
#define ZERO	     _mm_setzero_si128()
#define SET(x)	     _mm_set1_epi64x(x)
#define AND	     _mm_and_si128
#define XOR	     _mm_xor_si128

/* The last 16 bytes, those masked out that are not to be summed again. */
static inline VEC load_rest(const uint8_t *p, size_t len)
{
	static const uint8_t mask[32] = {
		[16] = 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff,	     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	};

	return AND(LOAD(p + len - 16), LOAD(mask + len % 16));
}

static inline uint64_t add_lanes(VEC v)
{
	return (uint64_t)_mm_cvtsi128_si64(
		_mm_add_epi64(v, _mm_unpackhi_epi64(v, v)));
}
