/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * list.h - the only list of the library's routines, best first.
 *
 * ROUTINE(name, isa, needs, wants, idea).  Order is the selection policy;
 * nothing else ranks routines.  The last one needs nothing.  Included by
 * routine.h for the prototypes and by registry.c for the table.
 */
#ifdef CSUM_X86_64
ROUTINE(avx512vnni, "AVX-512", CSUM_CPU_AVX512BW | CSUM_CPU_AVX512VNNI,
	CSUM_CPU_ZMM | CSUM_CPU_WHOLE512,
	"signed words times one, 8 sums; 2 operations a load")
ROUTINE(avx512bw, "AVX-512", CSUM_CPU_AVX512BW, CSUM_CPU_ZMM,
	"wrapping totals; averages of eight tell how often they wrapped")
ROUTINE(avxvnni, "AVX-VNNI", CSUM_CPU_AVX2 | CSUM_CPU_AVXVNNI, 0,
	"signed words times one, 8 sums; 2 operations a load")
ROUTINE(avx2, "AVX2", CSUM_CPU_AVX2, 0,
	"wrapping totals; averages of eight tell how often they wrapped")
ROUTINE(sse2, "SSE2", 0, 0,
	"wrapping totals; averages of eight tell how often they wrapped")
ROUTINE(adc, "x86-64", 0, 0, "four chains of eight additions with carry")
ROUTINE(adx, "ADX", CSUM_CPU_ADX, 0, "two chains, each with a carry of its own")
#endif
#ifdef CSUM_ARM64
ROUTINE(i8mm, "i8mm", CSUM_CPU_I8MM, 0,
	"8-bit matrix product: sums of even and odd bytes")
ROUTINE(neon, "NEON", 0, 0, "32-bit words added in pairs into 64-bit lanes")
#endif
ROUTINE(portable, "any", 0, 0, "64-bit words in C, carry by comparison")
