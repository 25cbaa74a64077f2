/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * adc.h - carry chains as text for asm statements.
 *
 * CHAIN2("acc", "0", "8") adds the words at these offsets of %[p] to %[acc],
 * the carry of each into the next, the last one back into %[acc].  After a
 * carry the sum is below 2^64 - 1, so taking it back does not carry again.
 */
#ifndef CSUM_LAB_ADC_H
#define CSUM_LAB_ADC_H

#define ADD(acc, at)	  "addq " at "(%[p]), %[" acc "]\n\t"
#define ADC(acc, at)	  "adcq " at "(%[p]), %[" acc "]\n\t"
#define TAKE_CARRY(into)  "adcq $0, %[" into "]\n\t"

#define CHAIN2(acc, a, b) ADD(acc, a) ADC(acc, b) TAKE_CARRY(acc)
#define CHAIN4(acc, a, b, c, d)                                                \
	ADD(acc, a) ADC(acc, b) ADC(acc, c) ADC(acc, d) TAKE_CARRY(acc)

#endif
