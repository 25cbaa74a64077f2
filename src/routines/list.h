/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * list.h - the only list of the library's routines, best first.
 *
 * ROUTINE(name, isa, needs, wants, idea).  Order is the selection policy;
 * nothing else ranks routines.  The last one needs nothing.  Included by
 * routine.h for the prototypes and by registry.c for the table.
 */
#ifdef CSUM_X86_64
ROUTINE(avx2, "AVX2", CSUM_CPU_AVX2, 0,
	"wrapping totals; averages of eight tell how often they wrapped")
ROUTINE(adc, "x86-64", 0, 0, "one chain of 64-bit add-with-carry")
#endif
ROUTINE(portable, "any", 0, 0, "64-bit words in C, carry by comparison")
