/* SPDX-License-Identifier: BSD-2-Clause */
/* timer.c - the clock, what it costs, and how fast the core runs. */
#include "timer.h"

#include <time.h>

static uint64_t in_ns(const struct timespec *t)
{
	return (uint64_t)t->tv_sec * 1000000000 + (uint64_t)t->tv_nsec;
}

uint64_t lab_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return in_ns(&t);
}

uint64_t lab_cpu_time(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
		return lab_now();
	return in_ns(&t);
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

#if defined(__x86_64__) || defined(__i386__)

const char lab_ticks_name[] = "rdtsc";

uint64_t lab_ticks(void)
{
	return __builtin_ia32_rdtsc();
}

#elif defined(__aarch64__)

const char lab_ticks_name[] = "cntvct";

uint64_t lab_ticks(void)
{
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
}

#else

const char lab_ticks_name[] = "CLOCK_MONOTONIC";

uint64_t lab_ticks(void)
{
	return lab_now();
}

#endif

/*
 * In a chain each addition needs the one before, and an addition takes one
 * cycle on every CPU with these instruction sets that is likely to run this,
 * while the loop around it runs beside the chain.  So additions per ns are
 * cycles per ns.  Both operands are registers: some CPUs do additions of a
 * small constant while renaming, in no time at all.
 *
 * Additions that need nothing of each other go as fast as there are adders.
 * Another thread on the same core takes its share of those but does not slow
 * the chain down: so the two together tell who is there.
 */
#if defined(__x86_64__)
#define ADD(x) "add %[one], %[" #x "]\n\t"
#elif defined(__aarch64__)
#define ADD(x) "add %[" #x "], %[" #x "], %[one]\n\t"
#endif

#ifdef ADD

enum { CHAIN = 64, STEPS = 1000 };

#define CHAIN8	   ADD(a) ADD(a) ADD(a) ADD(a) ADD(a) ADD(a) ADD(a) ADD(a)
#define APART8	   ADD(a) ADD(b) ADD(c) ADD(d) ADD(e) ADD(f) ADD(g) ADD(h)
#define REPEAT8(x) x x x x x x x x

static void add_in_chain(void)
{
	uint64_t a = 0, one = 1;

	for (int step = 0; step < STEPS; step++)
		__asm__ volatile(REPEAT8(CHAIN8)
				 : [a] "+r"(a)
				 : [one] "r"(one)
				 : "cc");
}

static void add_apart(void)
{
	uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
	uint64_t one = 1;

	for (int step = 0; step < STEPS; step++)
		__asm__ volatile(
			REPEAT8(APART8)
			: [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d),
			  [e] "+r"(e), [f] "+r"(f), [g] "+r"(g), [h] "+r"(h)
			: [one] "r"(one)
			: "cc");
}

/* Additions per ns.  The fastest of a few: nothing can make them too fast. */
static double rate(void (*add)(void))
{
	enum { TRIES = 3 };
	uint64_t best = UINT64_MAX;

	for (int try = 0; try < TRIES; try++) {
		uint64_t start = lab_now(), took;

		add();
		took = lab_now() - start;
		if (took < best)
			best = took;
	}
	return (double)CHAIN * STEPS / (double)best;
}

struct lab_core lab_core(void)
{
	double ghz = rate(add_in_chain);

	return (struct lab_core){ .ghz = ghz, .width = rate(add_apart) / ghz };
}

#else

struct lab_core lab_core(void)
{
	return (struct lab_core){ 0 };
}

#endif

/*
 * An idle core may run slowly until it has been busy for some milliseconds.
 * Steady means that ten estimates in a row, some 800 us, gained nothing.
 */
bool lab_warm_up(void)
{
	enum { STEADY = 10 };
	const uint64_t start = lab_now(), shortest = 20000000,
		       longest = 500000000;
	double best = 0;
	int steady = 0;

	while (lab_now() - start < shortest ||
	       (steady < STEADY && lab_now() - start < longest)) {
		double ghz = lab_core().ghz;

		steady = ghz > best * 1.005 ? 0 : steady + 1;
		if (ghz > best)
			best = ghz;
	}
	return steady >= STEADY;
}
