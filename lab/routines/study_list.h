/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * study_list.h - the only list of the study routines, by kind and then by age.
 *
 * STUDY(name, what, isa, needs, idea, origin).  @what is SUM or COPY, with
 * _PREFETCH if its loop takes the lab's prefetching.  An origin is a place
 * where the idea can be read, not who had it first.  Included by study.h for
 * the prototypes and by registry.c for the table.
 */

/* --- portable C --- */
STUDY(c16, SUM, "any", 0, "16-bit words into 32 bits, carries folded late",
      "Glaser on net.lan, 1984; RFC 1071, \"Deferred Carries\"")
STUDY(c32, SUM, "any", 0, "32-bit words into 64 bits, no carry at all",
      "Borman on comp.protocols.tcp-ip, March 1988, for the Cray")
STUDY(c64, SUM, "any", 0, "64-bit words, one sum, carry by comparison",
      "\"IP Checksumming\" on linux-kernel, November 1996")
STUDY(c64_count, SUM, "any", 0, "64-bit words, carries counted apart",
      "Linux for RISC-V, do_csum; iPXE for RISC-V")
STUDY(c_masks, SUM, "any", 0,
      "both 16-bit halves of 32-bit lanes by mask: no flags, no compare",
      "RFC 1071, \"Parallel Summation\", within one register")

#ifdef CSUM_X86_64
/* --- x86-64, general registers --- */
STUDY(adc_64, SUM_PREFETCH, "x86-64", 0, "one carry chain for each 64 bytes",
      "Linux to 6.4, arch/x86/lib/csum-partial_64.c")
STUDY(adc_chain, SUM, "x86-64", 0, "one carry chain through all blocks",
      "this library's adc at first")
STUDY(adc2_mixed, SUM_PREFETCH, "x86-64", 0,
      "two chains over 64 bytes, words by turns",
      "Horman on linux-kernel, October 2013")
STUDY(adc2_halves, SUM_PREFETCH, "x86-64", 0,
      "two chains over 64 bytes, one for each half",
      "Horman on linux-kernel, October 2013")
STUDY(adc4_64, SUM_PREFETCH, "x86-64", 0, "four chains over 64 bytes",
      "Horman on linux-kernel, October 2013")
STUDY(adc4_128, SUM_PREFETCH, "x86-64", 0, "four chains over 128 bytes",
      "adc4_64 with longer chains")
STUDY(add32x4, SUM_PREFETCH, "x86-64", 0,
      "four sums of zero-extended 32-bit loads, no carry",
      "Horman on linux-kernel, October 2013")
STUDY(jcc, SUM, "x86-64", 0, "two sums by turns, carry by jump and increment",
      "\"IP Checksumming\" on linux-kernel, November 1996")
STUDY(cmov, SUM, "x86-64", 0, "two sums by turns, carry by conditional move",
      "\"IP Checksumming\" on linux-kernel, November 1996")
STUDY(setc, SUM, "x86-64", 0, "four carries caught by setc, then counted",
      "\"IP Checksumming\" on linux-kernel, November 1996")
STUDY(adc2_40, SUM, "x86-64", 0,
      "40 bytes apart, two chains, carries counted, one fold",
      "Goldstein, Linux 6.5, 2023, arch/x86/lib/csum-partial_64.c")

/* --- x86-64, vectors --- */
STUDY(sse2_unpack, SUM_PREFETCH, "SSE2", 0,
      "32-bit halves widened by unpacking with zero",
      "as avx2_unpack, 16 bytes wide")
STUDY(avx2_unpack, SUM_PREFETCH, "AVX2", CSUM_CPU_AVX2,
      "32-bit halves widened by unpacking with zero",
      "BESS, core/utils/checksum.h, 2017; passt, checksum.c")
STUDY(avx2_cmp, SUM, "AVX2", CSUM_CPU_AVX2,
      "64-bit lanes wrap, carries by biased comparison", "not traced")
STUDY(avx2_sad, SUM, "AVX2", CSUM_CPU_AVX2,
      "even and odd bytes added up by psadbw", "not traced")
STUDY(avx2_madd, SUM, "AVX2", CSUM_CPU_AVX2,
      "biased 16-bit words multiplied by one and added in pairs", "not traced")
STUDY(avx2_shift, SUM_PREFETCH, "AVX2", CSUM_CPU_AVX2,
      "wrapping total and exact sum of high halves",
      "this library's avx2 at first")
STUDY(avx512_shift, SUM_PREFETCH, "AVX-512", CSUM_CPU_AVX512BW,
      "avx2_shift 64 bytes wide, masked last step", "as avx2_shift")
STUDY(avx512_cmp, SUM, "AVX-512", CSUM_CPU_AVX512BW,
      "64-bit lanes wrap, carries by comparison into a mask", "not traced")
#endif

/* --- copies --- */
STUDY(memcpy_sum, COPY, "any", 0, "memcpy, then the sum of the copy",
      "what a program does that has no csum_copy()")
STUDY(memcpy_l1, COPY, "any", 0, "the same in pieces that fit in L1",
      "memcpy_sum, kept in the cache")
#ifdef CSUM_X86_64
STUDY(movs_sum, COPY, "x86-64", 0, "rep movsb, then the sum of the copy",
      "memcpy_sum, where the CPU copies")
STUDY(sum_movs, COPY, "x86-64", 0, "the sum of the source, then rep movsb",
      "movs_sum, the other way round")
STUDY(copy64, COPY, "x86-64", 0, "load, add with carry, store; 64 bits each",
      "RFC 1071, \"Combine with Data Copying\"")
STUDY(sse2_store, COPY, "SSE2", 0, "sse2_unpack that stores what it loads",
      "RFC 1071, \"Combine with Data Copying\"")
STUDY(avx2_store, COPY_PREFETCH, "AVX2", CSUM_CPU_AVX2,
      "avx2_shift that stores what it loads",
      "RFC 1071, \"Combine with Data Copying\"")
STUDY(avx2_stream, COPY_PREFETCH, "AVX2", CSUM_CPU_AVX2,
      "avx2_store with non-temporal stores",
      "Vlasenko on linux-kernel, October 2002, with MMX")
STUDY(avx512_store, COPY_PREFETCH, "AVX-512", CSUM_CPU_AVX512BW,
      "avx512_shift that stores what it loads, masked last step",
      "RFC 1071, \"Combine with Data Copying\"")
STUDY(avx2_flush, COPY, "AVX2", CSUM_CPU_AVX2,
      "avx2_store that flushes each source line it has used", "not traced")
#endif
