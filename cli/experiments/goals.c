/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * goals.c - `csum bench goals`: what this library set out to reach, line
 * by line, as met or not.
 *
 * A goal is a ratio within one run: to the loop that only reads the bytes, to
 * memcpy(), to another row; or a time, the best of other projects, which was
 * measured at 4.25 GHz on a Zen 5 and is scaled by the clock found here.  On
 * another kind of core that is only a hint.  Everything is judged by minima, as
 * the times of the others are.
 */
#include "experiment.h"

#include <stdio.h>
#include <string.h>

#include "bench_common.h"
#include "cli.h"
#include "dispatch.h"
#include "run.h"
#include "small.h"
#include "stats.h"

enum { MIB = 1 << 20, MOST_SUBJECTS = 8, MOST_SIZES = 12 };

/* Goals that are measured in one run. */
enum group {
	SHORT_SUMS,
	LATENCY,
	ODD,
	LARGE,
	COLD,
	COPIES,
	LARGE_COPIES,
	COLD_COPIES,
	SMALL,
	GROUPS,
};

static const struct {
	const char *title;
	enum lab_op op;
	enum lab_mode mode;
	size_t sizes[MOST_SIZES]; /* ended by 0 */
	bool odd;		  /* at offset 1 too */
	bool pinned;		  /* beside the public function these too */
	size_t span;
	double seconds;
} groups[GROUPS] = {
	[SHORT_SUMS] = { "sums, in cache",
			 LAB_SUM,
			 LAB_THROUGHPUT,
			 { 20, 40, 64, 100, 256, 576, 1500, 4096, 9000, 16384 },
			 .pinned = true,
			 .seconds = 12 },
	[LATENCY] = { "sums, each waiting for the last",
		      LAB_SUM,
		      LAB_LATENCY,
		      { 20, 64 },
		      .seconds = 2 },
	[ODD] = { "sums at an odd address",
		  LAB_SUM,
		  LAB_THROUGHPUT,
		  { 1501 },
		  .odd = true,
		  .seconds = 2 },
	[LARGE] = { "sums beyond L1",
		    LAB_SUM,
		    LAB_THROUGHPUT,
		    { 256 << 10, 8 * MIB, 256 * MIB },
		    .seconds = 6 },
	[COLD] = { "sums at random places in 256 MiB",
		   LAB_SUM,
		   LAB_THROUGHPUT,
		   { 1500 },
		   .span = 256 * MIB,
		   .seconds = 3 },
	[COPIES] = { "copies, in cache",
		     LAB_COPY,
		     LAB_THROUGHPUT,
		     { 20, 40, 64, 100, 256, 576, 1500, 4096, 9000, 16384,
		       65536 },
		     .seconds = 6 },
	[LARGE_COPIES] = { "copies beyond L2",
			   LAB_COPY,
			   LAB_THROUGHPUT,
			   { MIB, 8 * MIB, 256 * MIB },
			   .seconds = 6 },
	[COLD_COPIES] = { "copies at random places in 256 MiB",
			  LAB_COPY,
			  LAB_THROUGHPUT,
			  { 1500 },
			  .span = 256 * MIB,
			  .seconds = 3 },
	[SMALL] = { "small operations",
		    LAB_REPLACE,
		    LAB_THROUGHPUT,
		    { 20 },
		    .seconds = 2 },
};

enum kind {
	TIMES_LIMIT,   /* of the read-only loop, or memcpy() */
	TIMES_OTHER,   /* of the row named in other */
	TIMES_ALIGNED, /* at offset 1, of itself at offset 0 */
	NS,	       /* at 4.25 GHz */
};

struct goal {
	enum group group;
	enum kind kind;
	const char *subject; /* NULL: the public function */
	size_t size;
	double most;
	const char *other;
};

static const double their_ghz = 4.25;

static const struct goal goals[] = {
	{ SHORT_SUMS, TIMES_LIMIT, NULL, 1500, 1.6, NULL },
	{ SHORT_SUMS, TIMES_LIMIT, NULL, 4096, 1.3, NULL },
	{ SHORT_SUMS, TIMES_LIMIT, NULL, 9000, 1.2, NULL },
	{ SHORT_SUMS, TIMES_LIMIT, NULL, 16384, 1.2, NULL },
	{ LARGE, TIMES_LIMIT, NULL, 256 << 10, 1.05, NULL },
	{ LARGE, TIMES_LIMIT, NULL, 8 * MIB, 1.05, NULL },
	{ LARGE, TIMES_LIMIT, NULL, 256 * MIB, 1.05, NULL },
	{ SHORT_SUMS, NS, NULL, 20, 1.7, NULL },
	{ SHORT_SUMS, NS, NULL, 40, 1.7, NULL },
	{ SHORT_SUMS, NS, NULL, 64, 1.8, NULL },
	{ SHORT_SUMS, NS, NULL, 100, 2.2, NULL },
	{ SHORT_SUMS, NS, NULL, 256, 2.4, NULL },
	{ SHORT_SUMS, NS, NULL, 576, 3.3, NULL },
	{ LATENCY, NS, NULL, 20, 1.1 * 4.3, NULL },
	{ LATENCY, NS, NULL, 64, 1.1 * 4.7, NULL },
	{ SHORT_SUMS, NS, "avx2", 256, 3.05, NULL },
	{ SHORT_SUMS, NS, "avx2", 576, 5.2, NULL },
	{ SHORT_SUMS, NS, "avx2", 1500, 11.7, NULL },
	{ SHORT_SUMS, NS, "avx2", 4096, 28, NULL },
	{ SHORT_SUMS, NS, "avx2", 9000, 65, NULL },
	{ SHORT_SUMS, NS, "avx2", 16384, 122, NULL },
	{ SHORT_SUMS, NS, "sse2", 256, 4.7, NULL },
	{ SHORT_SUMS, NS, "sse2", 576, 9.5, NULL },
	{ SHORT_SUMS, NS, "sse2", 1500, 24.9, NULL },
	{ SHORT_SUMS, NS, "sse2", 4096, 68, NULL },
	{ SHORT_SUMS, NS, "sse2", 9000, 149, NULL },
	{ SHORT_SUMS, NS, "sse2", 16384, 272, NULL },
	{ SHORT_SUMS, NS, "adc", 256, 4.9, NULL },
	{ SHORT_SUMS, NS, "adc", 576, 8, NULL },
	{ SHORT_SUMS, NS, "adc", 1500, 17.9, NULL },
	{ SHORT_SUMS, NS, "adc", 4096, 38, NULL },
	{ SHORT_SUMS, NS, "adc", 9000, 81, NULL },
	{ SHORT_SUMS, NS, "adc", 16384, 141, NULL },
	{ ODD, TIMES_ALIGNED, NULL, 1501, 1.05, NULL },
	{ COLD, TIMES_LIMIT, NULL, 1500, 1.4, NULL },
	{ COPIES, TIMES_LIMIT, NULL, 20, 1, NULL },
	{ COPIES, TIMES_LIMIT, NULL, 40, 1, NULL },
	{ COPIES, TIMES_LIMIT, NULL, 64, 1, NULL },
	{ COPIES, TIMES_LIMIT, NULL, 100, 1, NULL },
	{ COPIES, TIMES_LIMIT, NULL, 256, 1, NULL },
	{ COPIES, TIMES_LIMIT, NULL, 576, 1.05, NULL },
	{ COPIES, TIMES_LIMIT, NULL, 1500, 1.05, NULL },
	{ COPIES, TIMES_LIMIT, NULL, 4096, 1, NULL },
	{ COPIES, TIMES_LIMIT, NULL, 9000, 1, NULL },
	{ COPIES, TIMES_LIMIT, NULL, 16384, 1, NULL },
	{ COPIES, TIMES_LIMIT, NULL, 65536, 1.05, NULL },
	{ LARGE_COPIES, TIMES_LIMIT, NULL, MIB, 1.05, NULL },
	{ LARGE_COPIES, TIMES_LIMIT, NULL, 8 * MIB, 1.05, NULL },
	{ LARGE_COPIES, TIMES_LIMIT, NULL, 256 * MIB, 1.05, NULL },
	{ COLD_COPIES, TIMES_LIMIT, NULL, 1500, 1 / 1.3, NULL },
	{ SMALL, TIMES_OTHER, "csum_replace2", 20, 1 / 3., "sum_eight" },
	{ SMALL, NS, "csum_ipv4_header", 20, 1.4, NULL },
};

enum { NGOALS = sizeof(goals) / sizeof(goals[0]) };

/* ------------------------------------------------------------------------
 * Measuring a group
 */

static size_t subjects_of(enum group g, struct lab_subject *list)
{
	static const char *const pinned[] = { "avx2", "sse2", "adc" };
	size_t n = 0;

	if (g == SMALL) {
		for (const struct lab_small *s = lab_smalls; s->name; s++)
			if ((s->op == LAB_REPLACE &&
			     (strcmp(s->name, "csum_replace2") == 0 ||
			      strcmp(s->name, "sum_eight") == 0)) ||
			    (s->op == LAB_HEADER &&
			     strcmp(s->name, "csum_ipv4_header") == 0))
				list[n++] = lab_small(s, LAB_THROUGHPUT);
		return n;
	}
	list[n++] = lab_public(groups[g].op);
	list[n++] = lab_limit(groups[g].op);
	for (size_t i = 0; groups[g].pinned && i < 3; i++) {
		const struct csum_routine *r = csum_find(pinned[i]);

		if (r)
			list[n++] = lab_routine(r, LAB_ROUTINE, groups[g].op);
	}
	for (size_t i = 0; i < n; i++)
		list[i].mode = groups[g].mode;
	return n;
}

static double least(const struct lab_run *run, const struct lab_row *row)
{
	return lab_stats(row->timed.ns, run->time.n, run->time.room).min;
}

static const struct lab_row *row_of(const struct lab_run *run,
				    const char *subject, size_t size,
				    size_t offset)
{
	const struct lab_subject *list = run->plan->subjects;

	for (size_t i = 0; i < run->nrows; i++) {
		const struct lab_row *row = &run->rows[i];
		const char *name = row->subject->name;

		/* the public function is the first of its group */
		if (row->size == size && row->offset == offset &&
		    (subject ? strcmp(name, subject) == 0
			     : row->subject == list))
			return row;
	}
	return NULL;
}

/* ------------------------------------------------------------------------
 * Judging
 */

struct score {
	int met, missed, untried;
};

/* The figure, in the unit of the goal; negative if it was not measured. */
static double outcome(const struct goal *g, const struct lab_run *run)
{
	const struct lab_row *row = row_of(run, g->subject, g->size, 0), *other;
	double ghz;

	if (!row)
		return -1;
	switch (g->kind) {
	case TIMES_LIMIT:
		other = lab_row_base(run, row);
		return least(run, row) / least(run, other);
	case TIMES_OTHER:
		other = row_of(run, g->other, g->size, 0);
		return least(run, row) / least(run, other);
	case TIMES_ALIGNED:
		other = row_of(run, g->subject, g->size, 1);
		return least(run, other) / least(run, row);
	default:
		/* the minimum belongs to when the clock was high */
		ghz = lab_quantile(run->time.ghz, run->time.n, 0.9,
				   run->time.room);
		return ghz > 0 ? least(run, row) * ghz / their_ghz : -1;
	}
}

static const char *unit(const struct goal *g)
{
	static const char *const limit[] = {
		[LAB_SUM] = "x read", [LAB_COPY] = "x memcpy"
	};

	switch (g->kind) {
	case TIMES_LIMIT:
		return limit[groups[g->group].op];
	case TIMES_OTHER:
		return "x sum_eight";
	case TIMES_ALIGNED:
		return "x aligned";
	default:
		return "ns at 4.25 GHz";
	}
}

static void judge(const struct goal *g, const struct lab_run *run,
		  struct score *score)
{
	double got = outcome(g, run);
	const char *who = g->subject ? g->subject : run->plan->subjects[0].name;
	const char *verdict = got < 0	       ? "not tried here"
			      : got <= g->most ? "met"
					       : "not met";

	printf("  %-16s %9zu bytes  at most %6.2f %-14s ", who, g->size,
	       g->most, unit(g));
	if (got < 0)
		printf("%6s  %s\n", "-", verdict);
	else
		printf("%6.2f  %s (%.2f)\n", got, verdict, got / g->most);
	if (got < 0)
		score->untried++;
	else if (got <= g->most)
		score->met++;
	else
		score->missed++;
}

static int run_group(enum group g, uint32_t seed, struct score *score)
{
	static const size_t offsets[] = { 0, 1 };
	struct lab_subject list[MOST_SUBJECTS];
	struct lab_plan plan = {
		.subjects = list,
		.nsubjects = subjects_of(g, list),
		.sizes = groups[g].sizes,
		.offsets = offsets,
		.noffsets = groups[g].odd ? 2 : 1,
		.span = groups[g].span,
		.seconds = groups[g].seconds,
		.seed = seed,
	};
	struct lab_run run;
	int status;

	while (plan.nsizes < MOST_SIZES && plan.sizes[plan.nsizes])
		plan.nsizes++;
	status = bench_measure(&run, &plan);
	if (status != EXIT_CLEAN)
		return status;
	printf("%s\n", groups[g].title);
	for (size_t i = 0; i < NGOALS; i++)
		if (goals[i].group == g)
			judge(&goals[i], &run, score);
	fflush(stdout);
	lab_run_free(&run);
	return EXIT_CLEAN;
}

int experiment_goals(const struct bench_options *opt)
{
	struct score score = { 0 };

	experiment_header(opt, "at most so much, and what it takes here");
	for (int g = 0; g < GROUPS; g++) {
		int status = run_group((enum group)g, opt->seed, &score);

		if (status != EXIT_CLEAN)
			return status;
	}
	printf("\n%d met, %d not met, %d not tried here\n", score.met,
	       score.missed, score.untried);
	return EXIT_CLEAN;
}
