/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lengths.c - `csum bench lengths [MIX...]`: the time of a sum against the
 * number of lengths after which a mix repeats.
 *
 * A branch predictor learns a sequence of lengths, so a benchmark that repeats
 * a short one shows what a routine takes when each length is known before.
 * Traffic does not repeat: the last column is of new lengths in each sample.
 */
#include "experiment.h"

#include <stdio.h>

#include "bench_json.h"
#include "bench_mix.h"
#include "bench_subjects.h"
#include "cli.h"
#include "elect.h"

static const size_t periods[] = { 64, 1024, 16384, 262144, 0 };

enum { PERIODS = sizeof(periods) / sizeof(*periods), NEW = PERIODS - 1 };

/* The rows of one period, as if they had been measured alone. */
struct part {
	struct lab_plan plan;
	struct report report;
};

static void part_of(struct part *part, const struct report *r, size_t period)
{
	const size_t nrows = r->plan->nsubjects * r->plan->noffsets;

	part->plan = *r->plan;
	part->plan.sizes += period;
	part->plan.periods += period;
	part->plan.nsizes = 1;
	part->report = *r;
	part->report.plan = part->report.run.plan = &part->plan;
	part->report.run.rows += period * nrows;
	part->report.run.nrows = nrows;
}

static void add_json(json_t *doc, const struct report *r)
{
	struct part part;
	char title[128];

	for (size_t i = 0; i < PERIODS; i++) {
		if (periods[i])
			snprintf(title, sizeof(title), "%s, period %zu",
				 r->plan->mix->name, periods[i]);
		else
			snprintf(title, sizeof(title), "%s, new lengths",
				 r->plan->mix->name);
		part_of(&part, r, i);
		bench_json_add(doc, &part.report, title);
	}
}

static void print_subject(const struct lab_run *run, size_t subject)
{
	const struct lab_row *known = lab_row_at(run, 0, 0, subject);
	const struct lab_row *fresh = lab_row_at(run, NEW, 0, subject);
	struct lab_interval ratio;

	printf("%-14s", known->subject->name);
	if (known->left_out) {
		printf(" right to %zu bytes only\n", known->subject->max);
		return;
	}
	for (size_t i = 0; i < PERIODS; i++)
		printf(" %7.2f",
		       lab_quantile(lab_row_at(run, i, 0, subject)->timed.ns,
				    run->time.n, 0.5, run->time.room));
	ratio = lab_against(run, fresh, known);
	fputs("  ", stdout);
	experiment_print_ratio(ratio);
	putchar('\n');
}

static void print_mix(const struct report *r)
{
	printf("%s: %zu bytes on average, %zu rounds\n%-14s",
	       r->plan->mix->name, r->plan->sizes[0], r->run.time.n,
	       "  repeat after");
	for (size_t i = 0; i < NEW; i++)
		printf(" %7zu", periods[i]);
	printf(" %7s  new / %zu\n", "new", periods[0]);
	for (size_t i = 0; i < r->plan->nsubjects; i++)
		print_subject(&r->run, i);
	experiment_where(r);
	putchar('\n');
	fflush(stdout);
}

static int run_mix(const struct bench_options *opt,
		   const struct bench_subjects *subjects,
		   const struct bench_mix *mix, double seconds, json_t *doc)
{
	static const size_t offset = 0;
	size_t sizes[PERIODS];
	struct lab_plan plan = {
		.subjects = subjects->list,
		.nsubjects = subjects->n,
		.sizes = sizes,
		.nsizes = PERIODS,
		.offsets = &offset,
		.noffsets = 1,
		.mix = &mix->mix,
		.periods = periods,
		.seconds = seconds,
	};
	struct report r;
	int status;

	for (size_t i = 0; i < PERIODS; i++)
		sizes[i] = mix->mean;
	status = experiment_plan(opt, &r, &plan);
	if (status != EXIT_CLEAN)
		return status;
	if (doc)
		add_json(doc, &r);
	else
		print_mix(&r);
	lab_run_free(&r.run);
	return EXIT_CLEAN;
}

/* The mixes that are named, or the usual ones. */
static size_t load_mixes(const struct bench_options *opt,
			 struct bench_mix mixes[BENCH_MOST], int *status)
{
	static const char *const usual[] = { "uniform:8-64", "uniform:20-150",
					     "imix" };
	const char *const *names = opt->nwords ? opt->words : usual;
	size_t n = opt->nwords ? opt->nwords : sizeof(usual) / sizeof(*usual);

	for (size_t i = 0; i < n && *status == EXIT_CLEAN; i++)
		if (!bench_mix_load(&mixes[i], names[i]))
			*status = EXIT_TROUBLE;
	return n;
}

int experiment_lengths(const struct bench_options *opt)
{
	struct bench_mix mixes[BENCH_MOST] = { 0 };
	struct bench_subjects subjects = { 0 };
	int status = bench_subjects_choose(&subjects, opt) ? EXIT_CLEAN
							   : EXIT_TROUBLE;
	size_t n = load_mixes(opt, mixes, &status);
	double each = experiment_seconds(opt, 20 * (double)n) / (double)n;
	json_t *doc = opt->json ? bench_json_new(opt) : NULL;

	if (status == EXIT_CLEAN && !doc)
		experiment_header(opt, "ns per call, with lengths that repeat "
				       "and that do not");
	for (size_t i = 0; i < n && status == EXIT_CLEAN; i++)
		status = run_mix(opt, &subjects, &mixes[i], each, doc);
	for (size_t i = 0; i < n; i++)
		bench_mix_free(&mixes[i]);
	bench_subjects_free(&subjects);
	if (status == EXIT_CLEAN && doc)
		return bench_json_print(doc);
	json_decref(doc);
	return status;
}
