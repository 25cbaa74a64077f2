/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * experiment.h - the experiments of `csum bench NAME`, each in a file of its
 * name.  What they share is in experiment.c.
 */
#ifndef CSUM_EXPERIMENT_H
#define CSUM_EXPERIMENT_H

#include "bench_options.h"
#include "bench_report.h"
#include "plan.h"
#include "rounds.h"
#include "stats.h"

struct experiment {
	const char *name;
	const char *what; /* a line for --list */
	/* Returns an exit status. */
	int (*run)(const struct bench_options *opt);
};

/* NULL past the end. */
const struct experiment *experiment_at(size_t index);
const struct experiment *experiment_find(const char *name);

int experiment_chunks(const struct bench_options *opt);
int experiment_claims(const struct bench_options *opt);
int experiment_cksum_perf(const struct bench_options *opt);
int experiment_goals(const struct bench_options *opt);
int experiment_lengths(const struct bench_options *opt);
int experiment_module(const struct bench_options *opt);
int experiment_packet(const struct bench_options *opt);
int experiment_peers(const struct bench_options *opt);
int experiment_prefetch(const struct bench_options *opt);
int experiment_split(const struct bench_options *opt);
int experiment_pktbuf(const struct bench_options *opt);
int experiment_replace(const struct bench_options *opt);
int experiment_tunnel(const struct bench_options *opt);

/* Seconds to measure in all: --time, or @normal, or with --quick a fifth. */
double experiment_seconds(const struct bench_options *opt, double normal);

/* EXIT_CLEAN if no words follow; or EXIT_TROUBLE after refusing them. */
int experiment_no_words(const struct bench_options *opt);

/* Whether this machine has a routine that can do that. */
bool experiment_has(const char *name, enum lab_op op);

/*
 * A routine of whatever home, prefetching as @prefetch says unless that is
 * NULL.  EXIT_CLEAN; or EXIT_TROUBLE after saying why it cannot be had here.
 */
int experiment_subject(struct lab_subject *s, const char *name, enum lab_op op,
		       const struct lab_prefetch *prefetch);

/* A verdict on times that were taken side by side. */
struct bench_verdict experiment_verdict(struct lab_interval ratio);

/* "1.23 (1.20 to 1.25)", or that the noise leaves nothing to say. */
void experiment_print_ratio(struct lab_interval ratio);

/* Prints which csum ran, on which CPU, and the seed that repeats the run. */
void experiment_header(const struct bench_options *opt, const char *title);

/*
 * Runs @plan into @r.  EXIT_CLEAN, and r->run is for lab_run_free(); or
 * EXIT_TROUBLE after saying why.
 */
int experiment_measure(struct report *r, struct lab_plan *plan);

/*
 * The same with what @opt has of a plan and its scene: the seed, pages, a CPU,
 * a background; and what came of them, in lines of text, if any was asked for.
 */
int experiment_plan(const struct bench_options *opt, struct report *r,
		    struct lab_plan *plan);
void experiment_where(const struct report *r);

/* Runs items that are no routines; end with lab_rounds_free(). */
int experiment_rounds(struct lab_rounds *r);

/* EXIT_CLEAN, or EXIT_TROUBLE after saying what went wrong with them. */
int experiment_status(enum lab_status status);

#endif
