/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lab.h - measuring routines.  docs/METHOD.md says why it is done this way.
 *
 * A subject is a named function under test.  A plan is subjects x sizes x
 * offsets.  Running it gives rows, one for each combination, with one sample
 * per round.  Nothing here prints or exits; cli/cmd_bench.c does.
 */
#ifndef CSUM_LAB_H
#define CSUM_LAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csum.h"
#include "routines/routine.h"

/* ------------------------------------------------------------------------
 * timer.c
 */

/* CLOCK_MONOTONIC, in ns. */
uint64_t lab_now(void);

/* What one lab_now() costs, in ns. */
double lab_clock_cost(void);

/* How fast the core runs just now; 0 where nobody wrote the additions. */
struct lab_core {
	double ghz;   /* additions per ns, each waiting for the one before */
	double width; /* additions per cycle, none waiting */
};

/* Takes about 80 us. */
struct lab_core lab_core(void);

/* Runs until the core has stopped speeding up, half a second at most. */
void lab_warm_up(void);

/* ------------------------------------------------------------------------
 * stats.c: all take @n >= 1 samples in any order, and room for as many
 */

struct lab_stats {
	double median;
	double mad; /* median distance from the median */
	double min;
};

/* Between two samples the quantile is interpolated; @q is 0 to 1. */
double lab_quantile(const double *x, size_t n, double q, double *room);

struct lab_stats lab_stats(const double *x, size_t n, double *room);

/* The median of x[i] / y[i]: of samples taken side by side. */
double lab_ratio(const double *x, const double *y, size_t n, double *room);

/* ------------------------------------------------------------------------
 * Subjects
 */

enum lab_kind {
	LAB_ROUTINE, /* a registered routine */
	LAB_PUBLIC,  /* csum_partial() itself */
	LAB_READ,    /* reads the bytes and sums nothing */
};

struct lab_subject {
	const char *name;
	enum lab_kind kind;
	csum_sum_fn sum;
};

static inline struct lab_subject lab_routine(const struct csum_routine *r)
{
	return (struct lab_subject){ .name = r->name,
				     .kind = LAB_ROUTINE,
				     .sum = r->sum };
}

/* csum_partial() as users get it, the choice of a routine included. */
struct lab_subject lab_public(void);

/*
 * The read-only loop: the fastest we know how to touch every byte here, hence
 * the limit for any routine.  Returns 0 only if all bytes are 0.
 */
struct lab_subject lab_read_loop(void);

/* What the read-only loop is made of here: "avx512", "avx2", "neon", "word". */
const char *lab_read_isa(void);

/* Every read-only loop that can run here: for the tests.  NULL past the end. */
csum_sum_fn lab_read_variant(size_t index);

/* Does nothing: what it costs to call and to count. */
csum_wsum lab_empty(const void *buf, size_t len, csum_wsum sum);

/* ------------------------------------------------------------------------
 * Plan and run (bench.c)
 */

enum lab_mode {
	LAB_THROUGHPUT, /* calls may overlap */
	LAB_LATENCY,	/* the address of each call needs the last result */
};

/* At least one of each. */
struct lab_plan {
	const struct lab_subject *subjects;
	size_t nsubjects;
	const size_t *sizes; /* BYTES */
	size_t nsizes;
	const size_t *offsets; /* BYTES after a page boundary */
	size_t noffsets;
	enum lab_mode mode;
	double seconds;
	uint32_t seed; /* of the data and of the order in each round */
	void (*progress)(double share); /* may be NULL */
};

struct lab_row {
	const struct lab_subject *subject;
	size_t size, offset;
	size_t calls;  /* in each sample */
	uint16_t sum;  /* of the bytes it is timed on, as the model has it */
	csum_wsum one; /* what one call returned for them */
	double *ns;    /* per call, one for each round */
};

/* The first wrong answer of a subject. */
struct lab_wrong {
	const struct lab_subject *subject;
	size_t size, offset;
	const char *data; /* what the buffer held */
	bool while_timed; /* it was right before, and not in every call after */
	uint16_t want, got;
};

struct lab_run {
	const struct lab_plan *plan;
	size_t rounds;
	/* subjects within offsets within sizes, in the order of the plan */
	struct lab_row *rows;
	size_t nrows;
	struct lab_row empty;
	double *ghz, *width; /* one for each round, see struct lab_core */
	double *room;	     /* for stats, as many as rounds */
	double sample_ns;    /* a sample was meant to last this long */
	double clock_ns;
	double seconds;	   /* it took in all */
	uint64_t consumed; /* made of all results */
	struct lab_wrong *wrong;
	size_t nwrong;
};

enum lab_status {
	LAB_OK,
	LAB_WRONG, /* see run->wrong; if any was found early none was timed */
	LAB_NO_MEMORY,
};

/* Whatever it returns, end with lab_run_free(). */
enum lab_status lab_run(struct lab_run *run, const struct lab_plan *plan);
void lab_run_free(struct lab_run *run);

/* How many seconds a plan needs for samples of @seconds_per_row. */
double lab_plan_seconds(const struct lab_plan *plan, double seconds_per_row);

/* The row of a subject; all three count from 0 in the order of the plan. */
const struct lab_row *lab_row_at(const struct lab_run *run, size_t size,
				 size_t offset, size_t subject);

/* The read-only loop over the same bytes, or NULL if not in the plan. */
const struct lab_row *lab_row_read(const struct lab_run *run,
				   const struct lab_row *row);

/* ------------------------------------------------------------------------
 * machine.c
 */

struct lab_cache {
	char name[8]; /* "L1d" */
	char size[16];
};

enum { LAB_CACHES = 8 };

/* Strings are empty where the system does not say. */
struct lab_machine {
	char arch[32];
	char cpu[96];
	char kernel[96];
	char governor[32];
	char hypervisor[32]; /* "none" if there is none */
	struct lab_cache caches[LAB_CACHES];
	size_t ncaches;
	long cpus;
	double load; /* of the last minute, in processes; -1 if unknown */
	const char *compiler;
	const char *flags;
	const char *commit;
	bool optimised;
	bool sanitised;
};

void lab_machine_get(struct lab_machine *m);

/* What the system did to us: taken before and after, one minus the other. */
struct lab_usage {
	double steal; /* ticks that the host took from this guest... */
	double ticks; /* ...of all ticks */
	long preempted;
	int cpu;
};

void lab_usage_get(struct lab_usage *u);

struct lab_warning {
	char text[160];
};

enum { LAB_WARNINGS = 16 };

/* What makes the figures doubtful.  Returns how many warnings there are. */
size_t lab_warnings(const struct lab_run *run, const struct lab_machine *m,
		    const struct lab_usage *before,
		    const struct lab_usage *after,
		    struct lab_warning warnings[LAB_WARNINGS]);

#endif
