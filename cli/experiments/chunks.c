/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chunks.c - `csum bench chunks`: a buffer in shuffled chunks, summed and
 * copied, as on linux-kernel in October 2002.
 *
 * The original took the least and the most of some tries of one routine after
 * another, and named the least of all the winner.
 */
#include "experiment.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_json.h"
#include "cli.h"
#include "elect.h"
#include "machine.h"

enum {
	MIB = 1 << 20,
	TRIES = 32,
	CHUNK = 2048,
	CALLS = 4 * MIB / CHUNK, /* in a try */
	JITTER = 63,
	MOST = 16
};

static const struct lab_prefetch ahead5 = { .policy = LAB_PREFETCH_AHEAD,
					    .distance = { .lines = 5 } };

/*
 * The first that this machine has is what the others have to beat.  The public
 * functions are none of them: one could not be told from what it calls.
 */
static const struct contest {
	enum lab_op op;
	const char *title;
	const char *published;
	struct {
		const char *routine;
		const struct lab_prefetch *prefetch;
	} who[MOST];
} contests[] = {
	{ LAB_SUM,
	  "sums",
	  "1887 to 1037\n  on one CPU, 6833 to 2780 on the other.",
	  { { "adc_64", NULL },
	    { "portable", NULL },
	    { "adc_64", &ahead5 },
	    { "adc4_128", NULL },
	    { "sse2", NULL },
	    { "avx2", NULL },
	    { "avx512bw", NULL },
	    { "avx512vnni", NULL },
	    { "neon", NULL } } },
	{ LAB_COPY,
	  "copies",
	  "4854 to 2471\n  on one CPU, 13450 to 7857 on the other.",
	  { { "copy64", NULL },
	    { "memcpy_sum", NULL },
	    { "movs_sum", NULL },
	    { "sse2_store", NULL },
	    { "avx2_store", NULL },
	    { "avx2_stream", NULL },
	    { "avx2_stream", &ahead5 },
	    { "avx2", NULL },
	    { "avx512bw", NULL },
	    { "neon", NULL } } },
};

static const struct scene {
	const char *title;
	size_t span; /* 0: beyond every cache */
} scenes[] = {
	{ "4 MiB, as in 2002", 4 * MIB },
	{ "more than any cache holds, as 4 MiB were in 2002", 0 },
};

enum {
	CONTESTS = sizeof(contests) / sizeof(*contests),
	SCENES = sizeof(scenes) / sizeof(*scenes),
};

/* ------------------------------------------------------------------------
 * Text
 */

static double median(const struct lab_run *run, const double *x)
{
	return lab_quantile(x, run->time.n, 0.5, run->time.room);
}

/* In cycles of the core, or in ns where they are not known. */
struct figures {
	double min, max; /* of the first TRIES, as in 2002 */
	double median;	 /* of all */
};

static struct figures per_kib(const struct lab_run *run,
			      const struct lab_row *row)
{
	const double kib = (double)(CHUNK - JITTER) / 1024;
	const double *ns = row->timed.ns, *ghz = run->time.ghz;
	const bool cycles = ghz[0] > 0;
	struct figures f = { .min = INFINITY };

	for (size_t i = 0; i < run->time.n && i < TRIES; i++) {
		double x = ns[i] * (cycles ? ghz[i] : 1) / kib;

		f.min = x < f.min ? x : f.min;
		f.max = x > f.max ? x : f.max;
	}
	f.median = median(run, ns) * (cycles ? median(run, ghz) : 1) / kib;
	return f;
}

/* The least median, the limit aside. */
static const struct lab_row *winner(const struct lab_run *run)
{
	const struct lab_row *best = NULL;

	for (size_t i = 0; i < run->nrows; i++) {
		const struct lab_row *row = &run->rows[i];

		if (row->subject->kind != LAB_LIMIT &&
		    (!best ||
		     median(run, row->timed.ns) < median(run, best->timed.ns)))
			best = row;
	}
	return best;
}

/* Returns whether it may be as good as @best. */
static bool print_row(const struct lab_run *run, const struct lab_row *row,
		      const struct lab_row *best)
{
	static const char *const words[] = {
		[LAB_FASTER] = "faster",
		[LAB_SLOWER] = "slower",
		[LAB_TIE] = "the same",
		[LAB_UNDECIDED] = "undecided",
	};
	const struct figures f = per_kib(run, row);
	struct lab_interval ratio = lab_against(run, row, best);
	enum lab_verdict verdict = lab_verdict(ratio);

	printf("  %-19s %7.1f %7.1f %7.1f", row->subject->name, f.min, f.max,
	       f.median);
	if (row == best) {
		puts("  the least median");
		return false;
	}
	fputs("   ", stdout);
	experiment_print_ratio(ratio);
	if (row->subject->kind == LAB_LIMIT) {
		puts(" limit");
		return false;
	}
	printf(" %s\n", words[verdict]);
	return verdict != LAB_SLOWER;
}

static void print_contest(const struct report *r, const struct contest *contest,
			  const struct scene *scene)
{
	const struct lab_run *run = &r->run;
	const struct lab_row *first = run->rows, *best = winner(run);
	const char *unit = run->time.ghz[0] > 0 ? "cycles (est.)" : "ns";
	size_t equals = 0;

	assert(best); /* a run has rows */
	printf("\n%s in %s\n", contest->title, scene->title);
	experiment_where(r);
	printf("  %-19s %23s  of the least median's\n"
	       "  %-19s %7s %7s %7s %6s (99%% interval)\n",
	       "", unit, "per KiB", "min", "max", "median", "time");
	for (size_t i = 0; i < run->nrows; i++)
		equals += print_row(run, &run->rows[i], best);
	if (equals)
		printf("  No winner: %zu cannot be told from %s.\n", equals,
		       best->subject->name);
	else
		printf("  The winner is %s.\n", best->subject->name);
	printf("  Published, from the routine of the day to the best: %s\n"
	       "  Here, from %s to %s: %.0f to %.0f\n",
	       contest->published, first->subject->name, best->subject->name,
	       per_kib(run, first).min, per_kib(run, best).min);
}

static void print_head(const struct bench_options *opt)
{
	experiment_header(opt, "shuffled chunks with jittered ends");
	printf("Tries of %d chunks of %d bytes, in an order of their own each "
	       "time, each end\nup to %d bytes inwards.  All routines take "
	       "turns in a try, on the same chunks.\nEach result is checked, "
	       "and that nothing is written between chunks.  Min and\nmax are "
	       "of %d tries, as then; the rest is of as many as there is time "
	       "for.\n",
	       CALLS, CHUNK, JITTER, TRIES);
}

/* ------------------------------------------------------------------------
 * Running
 */

/* Routines of the contest that this machine has, then the limit. */
static size_t choose_sums_or_copies(const struct contest *contest,
				    struct lab_subject *list)
{
	size_t n = 0;

	for (size_t i = 0; i < MOST && contest->who[i].routine; i++)
		if (experiment_has(contest->who[i].routine, contest->op) &&
		    experiment_subject(&list[n], contest->who[i].routine,
				       contest->op,
				       contest->who[i].prefetch) == EXIT_CLEAN)
			n++;
	list[n++] = lab_limit(contest->op);
	return n;
}

static int run_contest(const struct bench_options *opt, json_t *doc,
		       const struct contest *contest, const struct scene *scene)
{
	static const size_t size = CHUNK, offset = 0;
	struct lab_subject list[MOST + 1];
	struct lab_plan plan = {
		.subjects = list,
		.nsubjects = choose_sums_or_copies(contest, list),
		.sizes = &size,
		.nsizes = 1,
		.offsets = &offset,
		.noffsets = 1,
		.span = scene->span ? scene->span : lab_span("memory"),
		.order = LAB_SHUFFLED,
		.jitter = JITTER,
		.calls = CALLS,
		.rival = 1,
		.seconds = experiment_seconds(opt, 24) / CONTESTS / SCENES,
	};
	struct report r;
	int status;

	if (!plan.span)
		plan.span = 256 * MIB;
	status = experiment_plan(opt, &r, &plan);
	if (status != EXIT_CLEAN)
		return status;
	if (opt->json) {
		char title[96];

		snprintf(title, sizeof(title), "%s in %s", contest->title,
			 scene->title);
		bench_json_add(doc, &r, title);
	} else {
		print_contest(&r, contest, scene);
	}
	fflush(stdout);
	lab_run_free(&r.run);
	return EXIT_CLEAN;
}

int experiment_chunks(const struct bench_options *opt)
{
	json_t *doc = opt->json ? bench_json_new(opt) : NULL;
	int status = experiment_no_words(opt);

	if (status == EXIT_CLEAN && !opt->json)
		print_head(opt);
	for (size_t i = 0; i < SCENES * CONTESTS && status == EXIT_CLEAN; i++)
		status = run_contest(opt, doc, &contests[i % CONTESTS],
				     &scenes[i / CONTESTS]);
	if (status == EXIT_CLEAN && opt->json)
		return bench_json_print(doc);
	json_decref(doc);
	return status;
}
