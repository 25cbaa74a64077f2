/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * copy64.c - 64 bits at a time: load, add with carry, store.
 *
 * mov leaves the flags alone, so a chain of carries runs through the copies of
 * 32 bytes.
 */
#include "adc.h"
#include "study.h"

#ifdef CSUM_X86_64

struct block {
	uint8_t byte[32];
};

csum_wsum csum_copy_copy64(void *dst, const void *src, size_t len,
			   csum_wsum sum)
{
	enum { STEP = sizeof(struct block) };
	const uint8_t *s = src;
	uint8_t *d = dst;
	uint64_t acc = 0, w, x, y, z;

	for (; len >= STEP; s += STEP, d += STEP, len -= STEP)
		__asm__("movq 0(%[s]), %[w]\n\t"
			"movq 8(%[s]), %[x]\n\t"
			"movq 16(%[s]), %[y]\n\t"
			"movq 24(%[s]), %[z]\n\t"
			"addq %[w], %[acc]\n\t"
			"movq %[w], 0(%[d])\n\t"
			"adcq %[x], %[acc]\n\t"
			"movq %[x], 8(%[d])\n\t"
			"adcq %[y], %[acc]\n\t"
			"movq %[y], 16(%[d])\n\t"
			"adcq %[z], %[acc]\n\t"
			"movq %[z], 24(%[d])\n\t" TAKE_CARRY("acc")
			: [acc] "+&r"(acc), [w] "=&r"(w), [x] "=&r"(x),
			  [y] "=&r"(y), [z] "=&r"(z),
			  "=m"(*(struct block *)(void *)d)
			: [s] "r"(s), [d] "r"(d),
			  "m"(*(const struct block *)(const void *)s)
			: "cc");
	acc = csum_add64(acc, copy_tail(d, s, len));
	return csum_finish(acc, sum);
}

#endif
