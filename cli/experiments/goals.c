/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * goals.c - `csum bench goals [FILE.so...]`: what this library set out to
 * reach, line by line, as met or not.
 *
 * Every goal is a ratio within one run: to the loop that only reads the bytes,
 * to memcpy(), to another row, or to the best of the peers that were loaded.
 * No time that was measured on another machine is among them.  Minima are
 * judged where the data is in the cache; medians where lengths are fresh, since
 * a minimum there is a sample with short lengths.
 */
#include "experiment.h"

#include <stdio.h>
#include <string.h>

#include "bench_common.h"
#include "bench_mix.h"
#include "bench_subjects.h"
#include "cli.h"
#include "dispatch.h"
#include "limit.h"
#include "peer_files.h"
#include "run.h"
#include "small.h"

enum { MIB = 1 << 20, MOST_SIZES = 16 };

/* Goals that are measured in one run. */
enum group {
	SUMS,
	WAITING,
	FRESH_8_64,
	FRESH_20_150,
	ODD,
	LARGE,
	COLD,
	COPIES,
	LARGE_COPIES,
	COLD_COPIES,
	UPDATES,
	HEADERS,
	GROUPS,
};

static const struct {
	const char *title;
	enum lab_op op;
	enum lab_mode mode;
	size_t sizes[MOST_SIZES]; /* ended by 0; with a mix, its mean alone */
	const char *mix;	  /* or NULL */
	bool odd;		  /* at offset 1 too */
	bool avx2;   /* beside the public function avx2 and its own limit */
	bool peers;  /* and those that were loaded */
	size_t span; /* BYTES */
	double seconds_per_row;
} groups[GROUPS] = {
	[SUMS] = { "sums, in cache",
		   LAB_SUM,
		   LAB_THROUGHPUT,
		   { 20, 40, 64, 128, 256, 576, 1500, 4096, 9000, 16384 },
		   .avx2 = true,
		   .peers = true,
		   .seconds_per_row = 0.1 },
	[WAITING] = { "sums, each waiting for the last",
		      LAB_SUM,
		      LAB_LATENCY,
		      { 20, 40, 64, 128, 256 },
		      .peers = true,
		      .seconds_per_row = 0.1 },
	[FRESH_8_64] = { "sums of lengths never seen before, 8 to 64 bytes",
			 LAB_SUM,
			 LAB_THROUGHPUT,
			 { 0 },
			 .mix = "uniform:8-64",
			 .peers = true,
			 .seconds_per_row = 0.5 },
	[FRESH_20_150] = { "sums of lengths never seen before, 20 to 150 bytes",
			   LAB_SUM,
			   LAB_THROUGHPUT,
			   { 0 },
			   .mix = "uniform:20-150",
			   .peers = true,
			   .seconds_per_row = 0.5 },
	[ODD] = { "sums at an odd address",
		  LAB_SUM,
		  LAB_THROUGHPUT,
		  { 1501 },
		  .odd = true,
		  .seconds_per_row = 0.5 },
	[LARGE] = { "sums beyond L1",
		    LAB_SUM,
		    LAB_THROUGHPUT,
		    { 256 << 10, 8 * MIB, 256 * MIB },
		    .seconds_per_row = 1 },
	[COLD] = { "sums at random places in 256 MiB",
		   LAB_SUM,
		   LAB_THROUGHPUT,
		   { 1500 },
		   .span = 256 * MIB,
		   .seconds_per_row = 1.5 },
	[COPIES] = { "copies, in cache",
		     LAB_COPY,
		     LAB_THROUGHPUT,
		     { 20, 40, 64, 128, 256, 576, 1500, 4096, 9000, 16384,
		       65536 },
		     .odd = true,
		     .peers = true,
		     .seconds_per_row = 0.1 },
	[LARGE_COPIES] = { "copies beyond L2",
			   LAB_COPY,
			   LAB_THROUGHPUT,
			   { MIB, 8 * MIB, 256 * MIB },
			   .odd = true,
			   .seconds_per_row = 1 },
	[COLD_COPIES] = { "copies at random places in 256 MiB",
			  LAB_COPY,
			  LAB_THROUGHPUT,
			  { 1500 },
			  .span = 256 * MIB,
			  .seconds_per_row = 1.5 },
	[UPDATES] = { "updates after two bytes changed",
		      LAB_REPLACE,
		      LAB_THROUGHPUT,
		      { 20 },
		      .seconds_per_row = 0.3 },
	[HEADERS] = { "IPv4 headers",
		      LAB_HEADER,
		      LAB_THROUGHPUT,
		      { 20 },
		      .seconds_per_row = 0.3 },
};

/* To what a time is compared. */
enum kind {
	TIMES_LIMIT,   /* the read-only loop, or memcpy() */
	TIMES_OTHER,   /* the row named in other */
	TIMES_ALIGNED, /* at offset 1, the same function at offset 0 */
	TIMES_BEST,    /* the best of the peers */
};

struct goal {
	enum group group;
	enum kind kind;
	const char *subject; /* NULL: the public function */
	size_t size;	     /* BYTES; 0: all of the group, a line each */
	size_t offset;	     /* BYTES after a page boundary */
	double most;
	const char *other;
};

static const char read_avx2[] = "read_avx2";

static const struct goal goals[] = {
	{ SUMS, TIMES_LIMIT, NULL, 1500, 0, 1.6, NULL },
	{ SUMS, TIMES_LIMIT, NULL, 4096, 0, 1.3, NULL },
	{ SUMS, TIMES_LIMIT, NULL, 9000, 0, 1.2, NULL },
	{ SUMS, TIMES_LIMIT, NULL, 16384, 0, 1.2, NULL },
	{ SUMS, TIMES_OTHER, "avx2", 1500, 0, 1.5, read_avx2 },
	{ SUMS, TIMES_OTHER, "avx2", 4096, 0, 1.3, read_avx2 },
	{ SUMS, TIMES_OTHER, "avx2", 9000, 0, 1.2, read_avx2 },
	{ SUMS, TIMES_OTHER, "avx2", 16384, 0, 1.15, read_avx2 },
	{ SUMS, TIMES_BEST, NULL, 0, 0, 1, NULL },
	{ WAITING, TIMES_BEST, NULL, 0, 0, 1, NULL },
	{ FRESH_8_64, TIMES_BEST, NULL, 0, 0, 0.4, NULL },
	{ FRESH_20_150, TIMES_BEST, NULL, 0, 0, 0.4, NULL },
	{ ODD, TIMES_ALIGNED, NULL, 1501, 0, 1.05, NULL },
	{ LARGE, TIMES_LIMIT, NULL, 0, 0, 1.05, NULL },
	{ COLD, TIMES_LIMIT, NULL, 1500, 0, 1.4, NULL },
	{ COPIES, TIMES_LIMIT, NULL, 0, 0, 1, NULL },
	{ COPIES, TIMES_LIMIT, NULL, 0, 1, 1, NULL },
	{ COPIES, TIMES_BEST, NULL, 64, 0, 1, NULL },
	{ COPIES, TIMES_BEST, NULL, 128, 0, 1, NULL },
	{ COPIES, TIMES_BEST, NULL, 256, 0, 1, NULL },
	{ LARGE_COPIES, TIMES_LIMIT, NULL, 0, 0, 1, NULL },
	{ LARGE_COPIES, TIMES_LIMIT, NULL, 0, 1, 1, NULL },
	{ COLD_COPIES, TIMES_LIMIT, NULL, 1500, 0, 1, NULL },
	{ UPDATES, TIMES_OTHER, "csum_replace2", 20, 0, 1 / 3., "sum_eight" },
	{ UPDATES, TIMES_BEST, NULL, 20, 0, 1, NULL },
	{ HEADERS, TIMES_BEST, NULL, 20, 0, 1, NULL },
};

enum { NGOALS = sizeof(goals) / sizeof(goals[0]) };

/* --- who is measured -------------------------------------------------------
 */

static bool is_small(enum group g)
{
	return groups[g].op != LAB_SUM && groups[g].op != LAB_COPY;
}

static bool add_smalls(struct bench_subjects *s, enum group g)
{
	for (const struct lab_small *small = lab_smalls; small->name; small++)
		if (small->op == groups[g].op &&
		    !bench_subjects_add(s, lab_small(small, LAB_THROUGHPUT)))
			return false;
	return true;
}

/* The routine avx2, and the loop that reads with the same registers. */
static bool add_avx2(struct bench_subjects *s, enum group g)
{
	const struct csum_routine *r = csum_find("avx2");
	struct lab_subject limit = lab_limit(groups[g].op);

	limit.sum = lab_read_by("avx2");
	if (!r || !csum_can_run(r, csum_cpu_features()) || !limit.sum)
		return true;
	limit.base = false;
	snprintf(limit.name, sizeof(limit.name), "%s", read_avx2);
	return bench_subjects_add(s,
				  lab_routine(r, LAB_ROUTINE, groups[g].op)) &&
	       bench_subjects_add(s, limit);
}

/* The public function first. */
static bool choose(struct bench_subjects *s, const struct bench_options *opt,
		   enum group g)
{
	if (is_small(g))
		return add_smalls(s, g);
	if (!bench_subjects_add(s, lab_public(groups[g].op)) ||
	    !bench_subjects_add(s, lab_limit(groups[g].op)) ||
	    (groups[g].avx2 && !add_avx2(s, g)) ||
	    (groups[g].peers && (!bench_subjects_load(s, opt) ||
				 !bench_subjects_add_loaded(s, opt))))
		return false;
	for (size_t i = 0; i < s->n; i++)
		s->list[i].mode = groups[g].mode;
	return true;
}

/* --- judging ---------------------------------------------------------------
 */

struct score {
	int met, missed, untried;
};

static double time_of(const struct lab_run *run, const struct lab_row *row)
{
	const double median =
		lab_quantile(row->timed.ns, run->time.n, 0.5, run->time.room);

	return run->plan->mix
		       ? median
		       : lab_stats(row->timed.ns, run->time.n, run->time.room)
				 .min;
}

/* An operation that may answer with the wrong zero is no peer. */
static bool is_peer(const struct lab_subject *s)
{
	return s->small ? s->small->origin && !s->small->either_zero
			: s->kind == LAB_PLUGIN;
}

/* NULL: not measured.  @subject NULL: the public function. */
static const struct lab_row *row_of(const struct lab_run *run,
				    const char *subject, size_t size,
				    size_t offset)
{
	for (size_t i = 0; i < run->nrows; i++) {
		const struct lab_row *row = &run->rows[i];
		const bool wanted =
			subject ? strcmp(row->subject->name, subject) == 0
				: row->subject == run->plan->subjects;

		if (row->size == size && row->offset == offset && wanted &&
		    !row->left_out)
			return row;
	}
	return NULL;
}

static const struct lab_row *best_peer(const struct lab_run *run, size_t size,
				       size_t offset)
{
	const struct lab_row *best = NULL;

	for (size_t i = 0; i < run->nrows; i++) {
		const struct lab_row *row = &run->rows[i];

		if (row->size == size && row->offset == offset &&
		    is_peer(row->subject) && !row->left_out &&
		    (!best || time_of(run, row) < time_of(run, best)))
			best = row;
	}
	return best;
}

/* What the row of @g at @size and its offset is compared with, or NULL. */
static const struct lab_row *other_of(const struct goal *g,
				      const struct lab_run *run,
				      const struct lab_row *row)
{
	switch (g->kind) {
	case TIMES_LIMIT:
		return lab_row_base(run, row);
	case TIMES_OTHER:
		return row_of(run, g->other, row->size, g->offset);
	case TIMES_ALIGNED:
		return row_of(run, g->subject, row->size, 0);
	default:
		return best_peer(run, row->size, g->offset);
	}
}

static void size_in_words(size_t bytes, char *out, size_t size)
{
	if (bytes % MIB == 0)
		snprintf(out, size, "%zuM", bytes / MIB);
	else
		snprintf(out, size, "%zu", bytes);
}

/* A line: the verdict, who, BYTES, the ratio, and what it may be at most. */
static void judge(const struct goal *g, const struct lab_run *run, size_t size,
		  struct score *score)
{
	const size_t offset = g->kind == TIMES_ALIGNED ? 1 : g->offset;
	const char *who = g->subject ? g->subject : run->plan->subjects[0].name;
	const struct lab_row *row = row_of(run, g->subject, size, offset);
	const struct lab_row *other = row ? other_of(g, run, row) : NULL;
	char bytes[24];
	double got;

	size_in_words(size, bytes, sizeof(bytes));
	if (!other) {
		printf("  untried %-16s %5s%-4s     - %5.2f\n", who, bytes,
		       offset ? " odd" : "", g->most);
		score->untried++;
		return;
	}
	got = time_of(run, row) / time_of(run, other);
	printf("  %-7s %-16s %5s%-4s %5.2f %5.2f x %s\n",
	       got <= g->most ? "met" : "not met", who, bytes,
	       offset ? " odd" : "", got, g->most,
	       g->kind == TIMES_ALIGNED ? "aligned" : other->subject->name);
	if (got <= g->most)
		score->met++;
	else
		score->missed++;
}

static void judge_group(enum group g, const struct lab_run *run,
			struct score *score)
{
	printf("%s\n", groups[g].title);
	for (size_t i = 0; i < NGOALS; i++) {
		if (goals[i].group != g)
			continue;
		for (size_t k = 0; k < run->plan->nsizes; k++)
			if (!goals[i].size ||
			    goals[i].size == run->plan->sizes[k])
				judge(&goals[i], run, run->plan->sizes[k],
				      score);
	}
	fflush(stdout);
}

/* --- running ---------------------------------------------------------------
 */

/* The rows of one group; the sizes of a mix are its mean. */
static int measure(const struct bench_options *opt, enum group g,
		   const struct bench_subjects *s, struct bench_mix *mix,
		   struct score *score)
{
	static const size_t offsets[] = { 0, 1 };
	struct lab_plan plan = {
		.subjects = s->list,
		.nsubjects = s->n,
		.sizes = groups[g].mix ? &mix->mean : groups[g].sizes,
		.nsizes = groups[g].mix ? 1 : 0,
		.offsets = offsets,
		.noffsets = groups[g].odd ? 2 : 1,
		.mix = groups[g].mix ? &mix->mix : NULL,
		.span = groups[g].span,
		.seed = opt->seed,
	};
	struct lab_run run;
	int status;

	while (!groups[g].mix && plan.nsizes < MOST_SIZES &&
	       plan.sizes[plan.nsizes])
		plan.nsizes++;
	plan.seconds = experiment_seconds(
		opt, lab_plan_seconds(&plan, groups[g].seconds_per_row));
	status = bench_measure(&run, &plan);
	if (status != EXIT_CLEAN)
		return status;
	judge_group(g, &run, score);
	lab_run_free(&run);
	return EXIT_CLEAN;
}

static int run_group(const struct bench_options *opt, enum group g,
		     struct score *score)
{
	struct bench_options here = *opt;
	struct bench_subjects subjects = { 0 };
	struct bench_mix mix = { 0 };
	int status = EXIT_TROUBLE;

	here.op = groups[g].op;
	here.mode = groups[g].mode;
	if ((!groups[g].mix || bench_mix_load(&mix, groups[g].mix)) &&
	    choose(&subjects, &here, g))
		status = measure(opt, g, &subjects, &mix, score);
	bench_mix_free(&mix);
	bench_subjects_free(&subjects);
	return status;
}

int experiment_goals(const struct bench_options *opt)
{
	struct bench_options here = *opt;
	struct peer_files peers = { 0 };
	struct score score = { 0 };
	int status = EXIT_CLEAN;

	if (!peer_files_find(&peers, &here)) {
		peer_files_free(&peers);
		return EXIT_TROUBLE;
	}
	experiment_header(opt, "bytes, what it takes here, at most how much");
	if (!here.nfiles)
		puts("No peers are loaded, so what is compared with them is "
		     "not tried:\nscripts/peers builds some, or name files: "
		     "csum bench goals FILE.so...");
	for (int g = 0; g < GROUPS && status == EXIT_CLEAN; g++)
		status = run_group(&here, (enum group)g, &score);
	peer_files_free(&peers);
	if (status == EXIT_CLEAN)
		printf("\n%d met, %d not met, %d not tried here\n", score.met,
		       score.missed, score.untried);
	return status;
}
