/* SPDX-License-Identifier: BSD-2-Clause */
/* inlined.c - 32-bit words into 64 bits, with and without a call. */
#include "inlined.h"

#include "csum.h"
#include "model.h"
#include "opaque.h"
#include "splitmix.h"

/* Whole steps: no end of another kind is in the way. */
#define SMALL 20
#define LARGE 1500

enum { STEP = 20 };

const size_t lab_inlined_sizes[LAB_INLINED_SIZES] = { SMALL, LARGE };

static uint8_t bytes[LARGE];

static inline __attribute__((always_inline)) csum_wsum sum(const uint8_t *p,
							   size_t len)
{
	uint64_t a = 0, b = 0;

	/* long enough that where the loop comes to lie does not matter */
	for (; len; p += STEP, len -= STEP) {
		a += csum_load32(p);
		b += csum_load32(p + 4);
		a += csum_load32(p + 8);
		b += csum_load32(p + 12);
		a += csum_load32(p + 16);
	}
	return csum_from64(a + b);
}

static __attribute__((noinline)) csum_wsum called(const uint8_t *p, size_t len)
{
	return sum(p, len);
}

/* The bytes may have changed each time, as far as the compiler knows. */
#define INLINED_LOOP(len)                                                      \
	static uint64_t inlined_##len(void *p, size_t n)                       \
	{                                                                      \
		uint64_t all = 0;                                              \
                                                                               \
		for (; n; n--) {                                               \
			__asm__ volatile("" : : "r"(p) : "memory");            \
			all += sum(p, len);                                    \
		}                                                              \
		return all;                                                    \
	}

INLINED_LOOP(SMALL)
INLINED_LOOP(LARGE)

static uint64_t call(void *p, size_t n, size_t len)
{
	csum_wsum (*f)(const uint8_t *, size_t) = called;
	uint64_t all = 0;

	LAB_OPAQUE(f);
	for (; n; n--) {
		__asm__ volatile("" : : "r"(p) : "memory");
		all += f(p, len);
	}
	return all;
}

static uint64_t call_small(void *p, size_t n)
{
	return call(p, n, SMALL);
}

static uint64_t call_large(void *p, size_t n)
{
	return call(p, n, LARGE);
}

static bool is_right(void *context, struct lab_timed *item, uint64_t all)
{
	(void)context;
	return all == item->n * item->run(item->what, 1);
}

bool lab_inlined_begin(struct lab_inlined *in, double seconds, uint32_t seed)
{
	uint64_t (*const runs[])(void *, size_t) = { inlined_SMALL, call_small,
						     inlined_LARGE,
						     call_large };
	uint64_t random = seed;
	bool right = true;

	*in = (struct lab_inlined){ 0 };
	for (size_t i = 0; i < LARGE; i++)
		bytes[i] = (uint8_t)splitmix64(&random);
	for (size_t i = 0; i < 2 * LAB_INLINED_SIZES; i++) {
		size_t size = i / 2;
		struct lab_timed *item =
			i % 2 ? &in->called[size] : &in->inlined[size];

		*item = (struct lab_timed){ .run = runs[i],
					    .what = bytes,
					    .group = size };
		in->list[i] = item;
		right = right &&
			csum_to16((csum_wsum)runs[i](bytes, 1)) ==
				csum_be16_from_host(model_csum(
					bytes, lab_inlined_sizes[size], 0));
	}
	in->time = (struct lab_rounds){ .items = in->list,
					.nitems = 2 * LAB_INLINED_SIZES,
					.seconds = seconds,
					.random = seed,
					.hooks = { .after = is_right } };
	return right;
}
