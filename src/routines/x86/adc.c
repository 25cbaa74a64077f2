/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * adc.c - Internet checksum, one add-with-carry chain.
 *
 * Compilers do not keep the carry flag alive from one addition to the next, so
 * the loop is written out.  lea and dec leave the carry flag alone: the chain
 * runs through all steps and its last carry is added once at the end.
 */
#include "../routine.h"

#ifdef CSUM_X86_64

enum { STEP = 64 };

csum_wsum csum_sum_adc(const void *buf, size_t len, csum_wsum sum)
{
	const uint8_t *p = buf;
	size_t steps = len / STEP;
	uint64_t acc = 0;

	if (steps)
		__asm__("clc\n"
			"1:\n\t"
			"adcq 0(%[p]), %[acc]\n\t"
			"adcq 8(%[p]), %[acc]\n\t"
			"adcq 16(%[p]), %[acc]\n\t"
			"adcq 24(%[p]), %[acc]\n\t"
			"adcq 32(%[p]), %[acc]\n\t"
			"adcq 40(%[p]), %[acc]\n\t"
			"adcq 48(%[p]), %[acc]\n\t"
			"adcq 56(%[p]), %[acc]\n\t"
			"lea 64(%[p]), %[p]\n\t"
			"dec %[steps]\n\t"
			"jnz 1b\n\t"
			"adcq $0, %[acc]"
			: [acc] "+&r"(acc), [p] "+&r"(p), [steps] "+&r"(steps)
			:
			: "cc", "memory");
	return csum_finish(csum_add64(acc, csum_sum_tail(p, len % STEP)), sum);
}

csum_wsum csum_copy_adc(void *dst, const void *src, size_t len, csum_wsum sum)
{
	return csum_copy_pieces(csum_sum_adc, dst, src, len, sum);
}

#endif
