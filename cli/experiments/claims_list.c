/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * claims_list.c - the claims.
 *
 * Bounds leave a gap: what lies in it is called in between, so that the same
 * comparison has the same verdict again.
 */
#include "claims.h"
#include "pktbuf.h"

const struct claim claims[CLAIMS] = {
	{ .text = "Two carry chains halve the time of a hot 4 KiB sum (808 to "
		  "438 ns)",
	  .tests = { { BELOW, "adc2_halves", "adc_64", HOT, 4096, 0.63,
		       0.66 } } },

	{ .text = "With data out of cache that gain shrinks to a tenth or "
		  "vanishes",
	  .tests = { { SHOWN, "adc2_halves", "adc_64", HOT, 4096, 0, 0 },
		     { REMAINS, "adc2_halves", "adc_64", COLD, 4096, 0.2,
		       0.3 } } },

	{ .text = "Prefetching five lines ahead helps a sequential sum, by "
		  "five percent or more (7.65 to 8.04 Gbit/s; 2.77 to 3.15 "
		  "GB/s)",
	  .tests = { { BELOW, "adc_64+ahead5", "adc_64", SEQUENTIAL, 4096, 0.96,
		       0.965 } } },

	{ .text = "Bounded prefetch beats unbounded, most at small sizes",
	  .tests = { { BELOW, "adc_64+bounded5", "adc_64+ahead5", COLD, 576,
		       0.98, 0.99 },
		     { EXCEEDS, "adc_64+bounded5", "adc_64+ahead5", COLD, 16384,
		       1.01, 1.0 } } },

	{ .text = "One leading prefetch does nothing: it gains no time",
	  .tests = { { ABOVE, "adc_64+lead0", "adc_64", COLD, 1500, 0.97,
		       0.96 },
		     { ABOVE, "adc_64+lead5", "adc_64", COLD, 1500, 0.97,
		       0.96 } } },

	{ .text = "Four chains over 128 bytes are the best scalar form",
	  .tests = { { BELOW, "adc4_128", "adc_64", HOT, 1500, 1.01, 1.02 },
		     { BELOW, "adc4_128", "adc_chain", HOT, 1500, 1.01, 1.02 },
		     { BELOW, "adc4_128", "adc2_mixed", HOT, 1500, 1.01, 1.02 },
		     { BELOW, "adc4_128", "adc2_halves", HOT, 1500, 1.01,
		       1.02 },
		     { BELOW, "adc4_128", "adc2_40", HOT, 1500, 1.01, 1.02 },
		     { BELOW, "adc4_128", "adc4_64", HOT, 1500, 1.01, 1.02 },
		     { BELOW, "adc4_128", "add32x4", HOT, 1500, 1.01, 1.02 },
		     { BELOW, "adc4_128", "setc", HOT, 1500, 1.01, 1.02 },
		     { BELOW, "adc4_128", "portable", HOT, 1500, 1.01, 1.02 },
		     { BELOW, "adc4_128", "adx", HOT, 1500, 1.01, 1.02 },
		     { BELOW, "adc4_128", "adc", HOT, 1500, 1.01, 1.02 } } },

	{ .text = "The way of adding does not matter, loads are the limit",
	  .tests = { { NEAR, "adc_64", "adc4_128", HOT, 4096, 0.05, 0.1 },
		     { BELOW, "adc4_128", "read", HOT, 4096, 1.1, 1.2 },
		     { NEAR, "adc_64", "adc4_128", COLD, 4096, 0.05, 0.1 },
		     { BELOW, "adc4_128", "read", COLD, 4096, 1.1, 1.2 } } },

	{ .text = "Two adc chains cannot overlap, since both need the one "
		  "carry flag",
	  .tests = { { ABOVE, "adc2_halves", "adc_64", HOT, 4096, 0.9,
		       0.8 } } },

	{ .text = "Reading words out of order costs more than the chains gain",
	  .tests = { { ABOVE, "adc2_mixed", "adc_64", HOT, 4096, 1.01, 0.98 },
		     { ABOVE, "adc2_mixed", "adc_64", SEQUENTIAL, 4096, 1.01,
		       0.98 },
		     { SHOWN, "adc2_mixed", "adc2_halves", SEQUENTIAL, 4096, 0,
		       0 } } },

	{ .text = "Catching carries by jumps loses a third to branch misses "
		  "(13.9 to 19.8 G cycles)",
	  .tests = { { ABOVE, "jcc", "adc_64", HOT, 16384, 1.33, 1.2 },
		     /* the same two sums without a jump */
		     { ABOVE, "jcc", "cmov", HOT, 16384, 1.1, 1.05 } } },

	{ .text = "adcx/adox gives the second chain for real",
	  .tests = { { BELOW, "adx", "adc_chain", HOT, 4096, 0.63, 0.66 },
		     { SHOWN, "adx", "adc2_halves", HOT, 4096, 0, 0 } } },

	{ .text = "SSE is too narrow to pay, AVX with add-and-compare at four "
		  "instructions per 32 bytes does",
	  .tests = { { ABOVE, "sse2_unpack", "adc4_128", HOT, 4096, 1, 0.95 },
		     { ABOVE, "sse2", "adc4_128", HOT, 4096, 1, 0.95 },
		     { BELOW, "avx2_cmp", "adc4_128", HOT, 4096, 0.9,
		       0.95 } } },

	{ .text = "Hot and cold rank the routines differently",
	  .any = true,
	  .tests = { { SHOWN, "adc4_128", "adc_64+bounded24", HOT, 1500, 0, 0 },
		     { TURNS, "adc4_128", "adc_64+bounded24", COLD, 1500, 0.97,
		       1.03 },
		     { SHOWN, "adc4_128", "sse2_unpack", HOT, 1500, 0, 0 },
		     { TURNS, "adc4_128", "sse2_unpack", COLD, 1500, 0.97,
		       1.03 } } },

	{ .text = "Fixing a header after one 16-bit change by summing eight "
		  "bytes costs nearly twice a full recomputation (29 against "
		  "16 cycles), and RFC 1624 beats both",
	  .tests = { { ABOVE, "sum_eight@change", "anew32@change", HOT, 20, 1.6,
		       1.4 },
		     { BELOW, "eqn3_wide@change", "anew32@change", HOT, 20, 0.9,
		       0.95 },
		     { BELOW, "eqn3_wide@change", "sum_eight@change", HOT, 20,
		       0.9, 0.95 } } },

	{ .text = "A 16-bit store followed by a 32-bit load of the same word "
		  "stalls; 16-bit loads remove it",
	  .tests = { { ABOVE, "load32@written", "load32@header", HOT, 20, 2,
		       1.5 },
		     { ABOVE, "replace4@change", "csum_replace2@change", HOT,
		       20, 2, 1.5 },
		     { BELOW, "load16@written", "load32@written", HOT, 20, 0.75,
		       0.9 } } },

	{ .text = "Keeping one's-complement values wider than 16 bits saves "
		  "instructions on machines without 16-bit arithmetic (13 and "
		  "no branch against 21 and two)",
	  .elsewhere = "it is counted in code for other machines, by "
		       "scripts/widths" },

	{ .text = "Letting the compiler inline the sum into the timing loop "
		  "flatters small sizes",
	  .tests = { { BELOW, "inlined", "called", INLINED, 20, 0.9, 0.95 },
		     { ABOVE, "inlined", "called", INLINED, 1500, 0.9,
		       0.85 } } },

	{ .text = "A shorter unrolled loop can be faster",
	  .any = true,
	  .tests = { { BELOW, "adc4_64", "adc4_128", HOT, 64, 0.95, 0.98 },
		     { BELOW, "adc4_64", "adc4_128", HOT, 100, 0.95, 0.98 },
		     { BELOW, "adc4_64", "adc4_128", HOT, 576, 0.95, 0.98 },
		     { BELOW, "adc4_64", "adc4_128", HOT, 4096, 0.95,
		       0.98 } } },

	{ .text = "A copy with prefetch and non-temporal stores halves the "
		  "time of copy-and-sum from memory",
	  .tests = { { BELOW, "avx2_stream+ahead5nta", "memcpy_sum", COLD,
		       65536, 0.63, 0.66 },
		     { SHOWN, "avx2_stream+ahead5nta", "avx2_store", COLD,
		       65536, 0, 0 } } },

	{ .text = "Initialising buffer headers at take instead of return "
		  "saves a quarter of the code measured alone, a twentieth of "
		  "take plus return, under one percent of a workload, and only "
		  "across CPUs",
	  .tests = { { BELOW, "take", "return", ACROSS, LAB_PKTBUF_INIT, 0.9,
		       0.95 },
		     { BELOW, "take", "return", ACROSS, LAB_PKTBUF_PAIR, 0.98,
		       0.99 },
		     { ABOVE, "take", "return", ACROSS, LAB_PKTBUF_WORK, 0.98,
		       0.97 },
		     { NEAR, "take", "return", ONE_CPU, LAB_PKTBUF_INIT, 0.05,
		       0.1 } } },

	{ .text = "A short sum takes as long in traffic as in a benchmark that "
		  "repeats its lengths: 4 ns",
	  .tests = { { BELOW, "csum_partial", "csum_partial", FRESH, 0, 1.1,
		       1.5 },
		     { SHOWN, "portable", "portable", FRESH, 0, 0, 0 },
		     { SHOWN, "read", "read", FRESH, 0, 0, 0 } } },
};
