/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * limit.c - the least that any routine has to do: be called, and read.
 *
 * Whoever sums bytes must load each of them, and make one result that depends
 * on all.  These loops do that and no more, with the widest registers there
 * are.  They have a routine's prototype, but the result is not a sum: it is 0
 * only if all bytes are 0.
 */
#include "limit.h"

#include <string.h>

#if defined(CSUM_X86_64)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

csum_wsum lab_empty(const void *buf, size_t len, csum_wsum sum)
{
	(void)buf;
	return (csum_wsum)len + sum;
}

/* Less than 8 bytes: two overlapping words of 4 or 2, or the byte. */
static inline csum_wsum read_below_8(const uint8_t *p, size_t len)
{
	if (len >= 4)
		return csum_load32(p) | csum_load32(p + len - 4);
	if (len >= 2)
		return csum_load16(p) | csum_load16(p + len - 2);
	return len ? *p : 0;
}

#define READ_NAME   read_word
#define READ_TARGET /* any */
#define VEC	    uint64_t
#define LOAD	    csum_load64
#define ANY	    csum_from64
#define READ_SHORT  read_below_8
#include "read_loop.h"

#if defined(CSUM_X86_64)

CSUM_TARGET("avx2")
static inline __m256i load256(const uint8_t *p)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

CSUM_TARGET("avx2")
static inline csum_wsum any256(__m256i v)
{
	return !_mm256_testz_si256(v, v);
}

CSUM_TARGET("avx2")
static inline csum_wsum read_below_32(const uint8_t *p, size_t len)
{
	__m128i a, b;

	if (len < 16)
		return read_word(p, len, 0);
	a = _mm_loadu_si128((const __m128i *)(const void *)p);
	b = _mm_loadu_si128((const __m128i *)(const void *)(p + len - 16));
	a |= b;
	return !_mm_testz_si128(a, a);
}

#define READ_NAME   read_avx2
#define READ_TARGET CSUM_TARGET("avx2")
#define VEC	    __m256i
#define LOAD	    load256
#define ANY	    any256
#define READ_SHORT  read_below_32
#include "read_loop.h"

/* BW masks bytes: what is short takes one load. */
#define AVX512 CSUM_TARGET("avx512f,avx512bw,bmi2")

AVX512
static inline __m512i load512(const uint8_t *p)
{
	return _mm512_loadu_si512((const void *)p);
}

AVX512
static inline csum_wsum any512(__m512i v)
{
	return _mm512_test_epi64_mask(v, v);
}

AVX512
static inline csum_wsum read_below_64(const uint8_t *p, size_t len)
{
	const __mmask64 bytes = _bzhi_u64(~UINT64_C(0), (unsigned)len);

	return any512(_mm512_maskz_loadu_epi8(bytes, (const void *)p));
}

#define READ_NAME   read_avx512
#define READ_TARGET AVX512
#define VEC	    __m512i
#define LOAD	    load512
#define ANY	    any512
#define READ_SHORT  read_below_64
#include "read_loop.h"

static bool have_avx512(void)
{
	return __builtin_cpu_supports("avx512f") &&
	       __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("bmi2");
}

static bool have_avx2(void)
{
	return csum_cpu_features() & CSUM_CPU_AVX2;
}

#elif defined(__aarch64__)

static inline csum_wsum read_below_16(const uint8_t *p, size_t len)
{
	return read_word(p, len, 0);
}

static inline csum_wsum any_neon(uint8x16_t v)
{
	return vmaxvq_u32(vreinterpretq_u32_u8(v));
}

#define READ_NAME   read_neon
#define READ_TARGET /* base */
#define VEC	    uint8x16_t
#define LOAD	    vld1q_u8
#define ANY	    any_neon
#define READ_SHORT  read_below_16
#include "read_loop.h"

#endif

static bool always(void)
{
	return true;
}

/* Widest first. */
static const struct {
	const char *isa;
	bool (*have)(void);
	csum_sum_fn read;
} loops[] = {
#if defined(CSUM_X86_64)
	{ "avx512", have_avx512, read_avx512 },
	{ "avx2", have_avx2, read_avx2 },
#elif defined(__aarch64__)
	{ "neon", always, read_neon },
#endif
	{ "word", always, read_word },
};

enum { NLOOPS = sizeof(loops) / sizeof(loops[0]) };

static size_t first_from(size_t i)
{
	while (i < NLOOPS && !loops[i].have())
		i++;
	return i;
}

csum_sum_fn lab_read_variant(size_t index)
{
	size_t i = first_from(0);

	while (index--)
		i = first_from(i + 1);
	return i < NLOOPS ? loops[i].read : NULL;
}

csum_sum_fn lab_read_by(const char *isa)
{
	for (size_t i = 0; i < NLOOPS; i++)
		if (strcmp(loops[i].isa, isa) == 0 && loops[i].have())
			return loops[i].read;
	return NULL;
}

const char *lab_read_isa(void)
{
	return loops[first_from(0)].isa;
}
