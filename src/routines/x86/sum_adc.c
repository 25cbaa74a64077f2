/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sum_adc.c - Internet checksum, one add-with-carry chain.
 *
 * Compilers do not keep the carry flag alive from one addition to the next, so
 * the loop is written out.  lea and dec leave the carry flag alone: the chain
 * runs through all steps and its last carry is added once at the end.
 */
#include "../routine.h"

#ifdef CSUM_X86_64

enum { STEP = 64 };

uint64_t csum_sum_adc(const uint8_t *p, size_t len)
{
	size_t steps = len / STEP;
	uint64_t sum = 0;

	if (steps)
		__asm__("clc\n"
			"1:\n\t"
			"adcq 0(%[p]), %[sum]\n\t"
			"adcq 8(%[p]), %[sum]\n\t"
			"adcq 16(%[p]), %[sum]\n\t"
			"adcq 24(%[p]), %[sum]\n\t"
			"adcq 32(%[p]), %[sum]\n\t"
			"adcq 40(%[p]), %[sum]\n\t"
			"adcq 48(%[p]), %[sum]\n\t"
			"adcq 56(%[p]), %[sum]\n\t"
			"lea 64(%[p]), %[p]\n\t"
			"dec %[steps]\n\t"
			"jnz 1b\n\t"
			"adcq $0, %[sum]"
			: [sum] "+&r"(sum), [p] "+&r"(p), [steps] "+&r"(steps)
			:
			: "cc", "memory");
	return csum_add64(sum, csum_sum_tail(p, len % STEP));
}

#endif
