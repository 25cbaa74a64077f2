/* SPDX-License-Identifier: BSD-2-Clause */
/* timer.h - the clock, the cost of reading it, and how fast the core runs. */
#ifndef CSUM_LAB_TIMER_H
#define CSUM_LAB_TIMER_H

#include <stdbool.h>
#include <stdint.h>

/* CLOCK_MONOTONIC, in ns. */
uint64_t lab_now(void);

/*
 * Time that this thread has had a CPU, in ns: beside lab_now() it stands still
 * while another process, or another guest if the kernel knows, has the CPU.
 * The same as lab_now() where a system does not say.
 */
uint64_t lab_cpu_time(void);

/* The cost of one lab_now(), in ns. */
double lab_clock_cost(void);

/*
 * The CPU's own timer, which ticks at one rate whatever the core does, or
 * lab_now() where a program cannot read that timer; and the timer's name.
 */
uint64_t lab_ticks(void);
extern const char lab_ticks_name[];

/* The speed of the core just now; 0 where nobody wrote the additions. */
struct lab_core {
	double ghz;   /* additions per ns, each waiting for the one before */
	double width; /* additions per cycle, none waiting */
};

/* Takes about 80 us. */
struct lab_core lab_core(void);

/*
 * Keeps the core busy until the core has stopped speeding up, half a second at
 * most; false if the core was still speeding up then.
 */
bool lab_warm_up(void);

#endif
