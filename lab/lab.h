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

#include "counters.h"
#include "csum.h"
#include "pages.h"
#include "rounds.h"
#include "routines/study.h"

/* The compiler may know no more about the value of @x. */
#define LAB_OPAQUE(x) __asm__ volatile("" : "+r"(x))

/* ------------------------------------------------------------------------
 * timer.c
 */

/* CLOCK_MONOTONIC, in ns. */
uint64_t lab_now(void);

/* What one lab_now() costs, in ns. */
double lab_clock_cost(void);

/*
 * The CPU's own timer, which ticks at one rate whatever the core does, or
 * lab_now() where a program cannot read it; and its name.
 */
uint64_t lab_ticks(void);
extern const char lab_ticks_name[];

/* How fast the core runs just now; 0 where nobody wrote the additions. */
struct lab_core {
	double ghz;   /* additions per ns, each waiting for the one before */
	double width; /* additions per cycle, none waiting */
};

/* Takes about 80 us. */
struct lab_core lab_core(void);

/*
 * Runs until the core has stopped speeding up, half a second at most; false if
 * it has not.
 */
bool lab_warm_up(void);

/* ------------------------------------------------------------------------
 * stats.c: all take @n >= 1 samples in any order, and room for as many
 */

struct lab_stats {
	double median;
	double low, high; /* the true median is between, with 95% probability */
	double mad;	  /* median distance from the median */
	double min;
	double mean, sd; /* both describe the disturbances, see METHOD.md */
};

/* Between two samples the quantile is interpolated; @q is 0 to 1. */
double lab_quantile(const double *x, size_t n, double q, double *room);

struct lab_stats lab_stats(const double *x, size_t n, double *room);

/* The median of x[i] / y[i]: of samples taken side by side. */
double lab_ratio(const double *x, const double *y, size_t n, double *room);

/* A median, and where the true one is with 99% probability. */
struct lab_interval {
	double low, median, high;
};

/* The same with its interval: for verdicts, of which one in 20 may not err. */
struct lab_interval lab_ratio_interval(const double *x, const double *y,
				       size_t n, double *room);

/* Half its width, relative to the median: less cannot be told apart. */
double lab_noise(struct lab_interval i);

/* ------------------------------------------------------------------------
 * Small operations (small.c): the library's own and alternatives to them
 */

/* What a subject does. */
enum lab_op {
	LAB_SUM,
	LAB_COPY,
	LAB_REPLACE, /* the checksum after a change of two bytes */
	LAB_HEADER,  /* the checksum of 20 bytes */
	LAB_WRITTEN, /* the same just after ten of them were stored, by twos */
	LAB_CHANGE,  /* two bytes of a header, and its checksum, in memory */
	LAB_CHANGE_WRITTEN, /* the same just after ten were stored, by twos */
	LAB_OPS,
};

enum lab_mode {
	LAB_THROUGHPUT, /* calls may overlap */
	LAB_LATENCY,	/* what each call works on needs the last result */
	LAB_MODES,
};

/* Inlined where it is used, so its loops come with it. */
struct lab_small {
	const char *name;
	const char *idea;
	const char *origin; /* NULL: it is the library's */
	enum lab_op op;
	/* it may answer 0xffff where 0 is right, the other zero */
	bool either_zero;
	csum_sum16 (*replace)(csum_sum16 check, csum_be16 was, csum_be16 now);
	csum_sum16 (*header)(const void *hdr);
	/* bytes 2 and 3 become @now, 10 and 11 the checksum; returns it */
	csum_sum16 (*change)(uint8_t *hdr, csum_be16 now);
	/*
	 * Does it so often, returns the sum of the results.  @p: the 20 bytes,
	 * or check, was and now.
	 */
	uint64_t (*loop[LAB_MODES])(void *p, size_t calls);
};

/* In the order of their ops, the library's first; ended by a NULL name. */
extern const struct lab_small lab_smalls[];

/* ------------------------------------------------------------------------
 * Subjects (subject.c)
 */

enum lab_kind {
	LAB_ROUTINE, /* of the library */
	LAB_STUDY,   /* of lab/routines/, or an alternative in small.c */
	LAB_PLUGIN,  /* of a shared object */
	LAB_PUBLIC,  /* what users of csum.h call */
	LAB_LIMIT,   /* does the same to the bytes, but sums nothing */
};

enum { LAB_NAME = 48 };

/* A way to prefetch, as --prefetch names it. */
struct lab_prefetch {
	enum lab_policy policy;
	enum lab_hint hint;
	struct lab_distance distance;
};

struct lab_subject {
	char name[LAB_NAME];
	enum lab_kind kind;
	enum lab_op op;
	enum lab_mode mode;
	bool base;  /* others of the same op and mode are compared with it */
	size_t max; /* BYTES it is right for; 0: any */
	csum_sum_fn sum;
	csum_copy_fn copy;
	const struct lab_small *small;
	/*
	 * So many calls in a thousand are made and not counted: a slowdown that
	 * is known, to see whether it is found.
	 */
	unsigned planted;
	bool takes_prefetch;
	struct lab_prefetch prefetch; /* none, unless it was added */
};

/* @op is LAB_SUM or LAB_COPY, and the routine has that function. */
struct lab_subject lab_routine(const struct csum_routine *r, enum lab_kind kind,
			       enum lab_op op);

/* csum_partial() or csum_copy(), the choice of a routine included. */
struct lab_subject lab_public(enum lab_op op);

/*
 * The fastest we know how to touch every byte here: the read-only loop, or
 * memcpy().  It is the base.
 */
struct lab_subject lab_limit(enum lab_op op);

struct lab_subject lab_small(const struct lab_small *small, enum lab_mode mode);

extern const char *const lab_policy_names[LAB_POLICIES];

/* Makes @s prefetch; returns false if @study takes no prefetching for its op.
 */
bool lab_add_prefetch(struct lab_subject *s, const struct lab_study *study,
		      const struct lab_prefetch *prefetch);

/* limit.c: what the read-only loop is made of here: "avx512", "word"... */
const char *lab_read_isa(void);

/*
 * Every read-only loop that can run here, the best first; NULL past the end.
 * Returns 0 only if all bytes are 0.
 */
csum_sum_fn lab_read_variant(size_t index);

/* Does nothing: what it costs to call and to count. */
csum_wsum lab_empty(const void *buf, size_t len, csum_wsum sum);

/* ------------------------------------------------------------------------
 * Plan and run (bench.c)
 */

struct lab_run;

/* How calls go over a span. */
enum lab_order {
	LAB_SHUFFLED,	 /* each place once, in another order each round */
	LAB_RANDOM,	 /* anywhere */
	LAB_RANDOM_EVEN, /* anywhere, at even addresses */
	LAB_SEQUENTIAL,	 /* each once, upwards */
	LAB_STRIDED,	 /* each once, in large steps that are all the same */
	LAB_ORDERS,
};

/* Lengths, as often as they come up. */
struct lab_mix {
	const char *name;
	const uint32_t *lengths; /* BYTES */
	size_t n;
};

/* At least one of each. */
struct lab_plan {
	const struct lab_subject *subjects;
	size_t nsubjects;
	const size_t *sizes; /* BYTES */
	size_t nsizes;
	const size_t *offsets; /* BYTES after a page boundary */
	size_t noffsets;
	/*
	 * BYTES over which calls go, up to LAB_MAX_SPAN; 0: all calls see the
	 * same bytes.
	 */
	size_t span;
	enum lab_order order;
	/*
	 * What calls see, if there is no span: as many bytes as the largest
	 * size and offset together; NULL: random ones.
	 */
	const uint8_t *data;
	size_t jitter; /* BYTES by which each end may move inwards, at random */
	/*
	 * Lengths drawn from this, by turns, instead of the one size that there
	 * is then: it says how far places are apart.  NULL: none.
	 */
	const struct lab_mix *mix;
	/*
	 * In a sample, none made untimed before it; 0: as many as fill one.
	 */
	size_t calls;
	/*
	 * Each sample begins with all bytes out of all caches, and goes over
	 * the places of the span once; lab_flush() must work here.
	 */
	bool flush;
	enum lab_page_kind pages;
	unsigned events; /* to be counted after the timing, see counters.h */
	size_t rival;	 /* 1 + the subject others are compared with; 0: none */
	double narrow;	 /* see lab_narrow() */
	double seconds;	 /* at most, once each row has a few samples */
	uint32_t seed;	 /* of the data and of the order in each round */
	void (*progress)(double share); /* may be NULL */
	/* true ends the run before its time; may be NULL */
	bool (*enough)(const struct lab_run *run);
};

enum { LAB_MAX_SPAN = 1 << 30 };

struct lab_row {
	const struct lab_subject *subject;
	size_t size, offset;
	bool left_out; /* longer than the subject's max: nothing below is set */
	/* the result for what it was last tried on, by the model */
	uint16_t want;
	csum_wsum one; /* what one call returned for that */
	struct lab_timed timed;
	/* for one call; live is 0 where nothing was counted */
	struct lab_count counts[LAB_EVENTS];
	struct bench *bench; /* private to bench.c */
};

enum lab_fault {
	LAB_WRONG_RESULT,
	LAB_WRONG_BYTES,   /* the copy is not what was copied */
	LAB_WRITES_BEYOND, /* outside the destination */
	LAB_UNSTEADY, /* it was right before, and not in every call after */
	LAB_CRASHES,
	LAB_NO_TRIAL, /* no memory or process to try it in */
};

/* The first fault of a subject. */
struct lab_wrong {
	const struct lab_subject *subject;
	enum lab_fault fault;
	size_t size, offset;
	const char *data; /* what the buffer held */
	uint16_t want, got;
};

struct lab_run {
	const struct lab_plan *plan;
	/* subjects within offsets within sizes, in the order of the plan */
	struct lab_row *rows;
	size_t nrows;
	struct lab_row empty;
	struct lab_rounds time;
	char pages[64];		 /* what memory was had, in words */
	char no_counts[LAB_WHY]; /* why nothing was counted, or "" */
	size_t passes;		 /* in which the events were counted */
	uint64_t consumed;	 /* made of all results */
	struct lab_wrong *wrong;
	size_t nwrong;
};

/* Whatever it returns, end with lab_run_free(). */
enum lab_status lab_run(struct lab_run *run, const struct lab_plan *plan);
void lab_run_free(struct lab_run *run);

/* How many seconds a plan needs for samples of @seconds_per_row. */
double lab_plan_seconds(const struct lab_plan *plan, double seconds_per_row);

/* The row of a subject; all three count from 0 in the order of the plan. */
const struct lab_row *lab_row_at(const struct lab_run *run, size_t size,
				 size_t offset, size_t subject);

/* What the row is compared with, over the same bytes; NULL if not planned. */
const struct lab_row *lab_row_base(const struct lab_run *run,
				   const struct lab_row *row);

/* ------------------------------------------------------------------------
 * Contests (elect.c): over runs with one offset, in which no row is left out
 */

enum lab_verdict {
	LAB_FASTER,
	LAB_SLOWER,
	LAB_TIE,       /* shown to be within 1% */
	LAB_UNDECIDED, /* nothing that this measurement can show */
};

/* How many times the time of @b @a takes. */
struct lab_interval lab_against(const struct lab_run *run,
				const struct lab_row *a,
				const struct lab_row *b);
enum lab_verdict lab_verdict(struct lab_interval ratio);

/* The subject with the smallest median at a size. */
size_t lab_fastest(const struct lab_run *run, size_t size);

/* True if at each size all others are slower than the fastest, or tie. */
bool lab_decided(const struct lab_run *run);

/* For lab_plan.enough: the same, but it looks only every 16 rounds. */
bool lab_decided_now(const struct lab_run *run);

/*
 * The same over rows of any offsets: true if the noise of each comparison with
 * the plan's rival is at most plan->narrow.
 */
bool lab_narrow_now(const struct lab_run *run);

/*
 * The row of the rival over the same bytes, if @row is one that is compared
 * with it; or NULL.
 */
const struct lab_row *lab_row_rival(const struct lab_run *run,
				    const struct lab_row *row);

/*
 * The subject with the smallest mean ratio over all sizes, each of the same
 * weight, to the one that stands now; that one unless it is beaten by over 1%.
 */
size_t lab_elected(const struct lab_run *run, size_t standing);

/* ------------------------------------------------------------------------
 * Routines from outside (plugin.c)
 */

/* A shared object and its routines, in the order of its table. */
struct lab_plugin {
	void *handle;
	size_t n;
	struct csum_routine *routines;
	size_t *max; /* of each, see struct lab_subject */
};

/*
 * Loads a shared object; csum-plugin.h says what it has to hold.  Returns
 * NULL, or the cause of the failure, which lives until the next call.  Whatever
 * it returns, end with lab_plugin_free().
 */
const char *lab_plugin_load(struct lab_plugin *plugin, const char *file);
void lab_plugin_free(struct lab_plugin *plugin);

/*
 * Tries a subject that sums or copies against the model: lengths, alignments,
 * hostile data, each with an unreadable page behind it; in a process of its
 * own, since it may crash.  Returns true if it is right, as far as its max.
 */
bool lab_verify(const struct lab_subject *s, struct lab_wrong *wrong);

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
	char microcode[32];
	char turbo[4];	     /* "on" or "off" */
	char smt[16];	     /* "on", "off" or "not supported" */
	char huge_pages[16]; /* "always", "madvise" or "never" */
	char topology[96];
	struct lab_cache caches[LAB_CACHES];
	size_t ncaches;
	long cpus;
	long page_size; /* BYTES */
	double load;	/* of the last minute, in processes; -1 if unknown */
	const char *compiler;
	const char *flags;
	const char *commit;
	bool optimised;
	bool sanitised;
};

void lab_machine_get(struct lab_machine *m);

/*
 * The span for "L2", "L3" or "memory": half of that cache, which the one before
 * does not hold; or four times the last cache, 256 MiB at least.  0 if the size
 * is not known.
 */
size_t lab_span(const char *where);

/* The part of it that is a setting of the system, in files below @root: ""
 * outside of tests. */
void lab_machine_settings(struct lab_machine *m, const char *root);

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

enum { LAB_WARNINGS = 24 };

/* What makes the figures doubtful.  Returns how many warnings there are. */
size_t lab_warnings(const struct lab_run *run, const struct lab_machine *m,
		    const struct lab_usage *before,
		    const struct lab_usage *after,
		    struct lab_warning warnings[LAB_WARNINGS]);

#endif
