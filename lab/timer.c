/* SPDX-License-Identifier: BSD-2-Clause */
/* timer.c - the clock, what it costs, and how fast the core runs. */
#include "lab.h"

#include <time.h>

uint64_t lab_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

double lab_clock_cost(void)
{
	enum { CALLS = 1000, TRIES = 5 };
	uint64_t best = UINT64_MAX;

	for (int try = 0; try < TRIES; try++) {
		uint64_t start = lab_now(), took;

		for (int i = 0; i < CALLS; i++)
			(void)lab_now();
		took = lab_now() - start;
		if (took < best)
			best = took;
	}
	return (double)best / CALLS;
}

/*
 * Each addition needs the one before, and an addition takes one cycle on every
 * CPU with these instruction sets that is likely to run this, while the loop
 * around it runs beside the chain.  So additions per ns are cycles per ns.
 * Both operands are registers: some CPUs do additions of a small constant
 * while renaming, in no time at all.
 */
#if defined(__x86_64__)
#define ADD "add %[one], %[x]\n\t"
#elif defined(__aarch64__)
#define ADD "add %[x], %[x], %[one]\n\t"
#endif

#ifdef ADD

#define ADD8 ADD ADD ADD ADD ADD ADD ADD ADD

enum { CHAIN = 64, STEPS = 1000, CHAINS = 3 };

double lab_core_ghz(void)
{
	uint64_t x = 0, one = 1, best = UINT64_MAX;

	/* the fastest of a few: nothing can make a chain too fast */
	for (int i = 0; i < CHAINS; i++) {
		uint64_t start = lab_now(), took;

		for (int step = 0; step < STEPS; step++)
			__asm__ volatile(ADD8 ADD8 ADD8 ADD8 ADD8 ADD8 ADD8 ADD8
					 : [x] "+r"(x)
					 : [one] "r"(one)
					 : "cc");
		took = lab_now() - start;
		if (took < best)
			best = took;
	}
	return (double)CHAIN * STEPS / (double)best;
}

#else

double lab_core_ghz(void)
{
	return 0;
}

#endif

/*
 * An idle core may run slowly until it has been busy for some milliseconds.
 * Steady means that ten estimates in a row, some 600 us, gained nothing.
 */
void lab_warm_up(void)
{
	enum { STEADY = 10 };
	const uint64_t start = lab_now(), shortest = 20000000,
		       longest = 500000000;
	double best = 0;
	int steady = 0;

	while (lab_now() - start < shortest ||
	       (steady < STEADY && lab_now() - start < longest)) {
		double ghz = lab_core_ghz();

		steady = ghz > best * 1.005 ? 0 : steady + 1;
		if (ghz > best)
			best = ghz;
	}
}
