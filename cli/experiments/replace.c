/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * replace.c - `csum bench replace`: a 16-bit field of a header is changed, and
 * its checksum with it.
 *
 * csum_partial() over eight bytes, the old value and the new one, as Linux did
 * it until 2014, was found to take longer than summing the header anew, and
 * nearly all of it in one load.  That load reads what two stores have just
 * written.  So the ways are measured in a header at rest and in one that was
 * just filled in.
 */
#include "experiment.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_json.h"
#include "cli.h"
#include "elect.h"
#include "small.h"

enum { MOST = 64, STATES = 2 };

/* In the order of the columns. */
static const enum lab_op states[STATES] = { LAB_CHANGE, LAB_CHANGE_WRITTEN };
static const char *const state_names[STATES] = { "at rest", "written" };

/* Way by way, then state by state, then mode by mode. */
static size_t subjects(struct lab_subject list[MOST])
{
	size_t n = 0;

	for (size_t state = 0; state < STATES; state++)
		for (const struct lab_small *s = lab_smalls; s->name; s++)
			for (int m = 0; m < LAB_MODES; m++) {
				if (s->op != states[state])
					continue;
				assert(n < MOST);
				list[n++] = lab_small(s, (enum lab_mode)m);
			}
	return n;
}

static const struct lab_row *row_of(const struct report *r, const char *name,
				    enum lab_op op, enum lab_mode mode)
{
	const struct lab_row *row = r->run.rows;

	while (strcmp(row->subject->name, name) != 0 ||
	       row->subject->op != op || row->subject->mode != mode)
		row++;
	return row;
}

static struct lab_interval against(const struct report *r, const char *a,
				   const char *b, enum lab_op op,
				   enum lab_mode mode)
{
	return lab_against(&r->run, row_of(r, a, op, mode),
			   row_of(r, b, op, mode));
}

/* ------------------------------------------------------------------------
 * The table
 */

static void print_row(const struct report *r, const char *name)
{
	printf("  %-14s", name);
	for (size_t state = 0; state < STATES; state++)
		for (int m = 0; m < LAB_MODES; m++) {
			const struct lab_row *row = row_of(
				r, name, states[state], (enum lab_mode)m);
			double cycles = bench_cycles_per_byte(r, row) *
					(double)row->size;

			printf(" %7.2f",
			       lab_quantile(row->timed.ns, r->run.time.n, 0.5,
					    r->run.time.room));
			if (isfinite(cycles) && cycles > 0)
				printf(" %7.1f", cycles);
			else
				printf(" %7s", "-");
		}
	putchar('\n');
}

static void print_table(const struct report *r)
{
	printf("  %-14s %31s %31s\n  %-14s", "", "header at rest",
	       "just written, by twos", "");
	for (int i = 0; i < STATES; i++)
		printf(" %15s %15s", "throughput", "latency");
	printf("\n  %-14s", "");
	for (int i = 0; i < STATES * LAB_MODES; i++)
		printf(" %7s %7s", "ns", "est.cyc");
	putchar('\n');
	for (const struct lab_small *s = lab_smalls; s->name; s++)
		if (s->op == LAB_CHANGE)
			print_row(r, s->name);
	puts("  ns: medians; est.cyc: cycles by the estimated clock");
}

/* ------------------------------------------------------------------------
 * Conclusions
 */

static const struct question {
	const char *a, *b;
	const char *asks;
} questions[] = {
	{ "sum_eight", "anew32",
	  "eight bytes against the header anew (published: 29 cycles to 16)" },
	{ "eqn3_wide", "anew32", "RFC 1624 against the header anew" },
	{ "eqn3_wide", "sum_eight", "RFC 1624 against eight bytes" },
	{ "anew16", "anew32", "anew by 16-bit loads against 32-bit ones" },
	{ "csum_replace2", "replace4",
	  "the field read as 16 bits against the word around it read back" },
};

static void answer(const struct report *r, const struct question *q)
{
	printf("\n%s\n", q->asks);
	for (size_t state = 0; state < STATES; state++)
		for (int m = 0; m < LAB_MODES; m++) {
			struct bench_verdict v = experiment_verdict(
				against(r, q->a, q->b, states[state],
					(enum lab_mode)m));
			char text[BENCH_VERDICT];

			bench_verdict_text(&v, text);
			printf("  %-7s %-10s %s\n", state_names[state],
			       bench_mode_names[m], text);
		}
}

/* The share of the time of @slow that @fast does without. */
static void print_share(const struct report *r, const char *fast,
			const char *slow, const char *what)
{
	struct lab_interval i =
		against(r, fast, slow, LAB_CHANGE, LAB_THROUGHPUT);

	if (lab_too_noisy(i))
		printf("  %-44s too noisy to say\n", what);
	else
		printf("  %-44s %3.0f%% (%.0f to %.0f%%)\n", what,
		       100 * (1 - i.median), 100 * (1 - i.high),
		       100 * (1 - i.low));
}

static void print_conclusions(const struct report *r)
{
	for (size_t i = 0; i < sizeof(questions) / sizeof(*questions); i++)
		answer(r, &questions[i]);
	puts("\nwhat waiting for stores makes of the time at rest (published: "
	     "86% of the samples\nof a profile were on one load)");
	print_share(r, "sum_eight_once", "sum_eight",
		    "sum_eight, beside one that stores at once");
	print_share(r, "anew16", "anew32",
		    "anew32, beside one that loads as stored");
}

int experiment_replace(const struct bench_options *opt)
{
	static const size_t header = 20, offset = 0;
	struct lab_subject list[MOST];
	struct lab_plan plan = { .subjects = list,
				 .nsubjects = subjects(list),
				 .sizes = &header,
				 .nsizes = 1,
				 .offsets = &offset,
				 .noffsets = 1,
				 .seconds = experiment_seconds(opt, 15),
				 .seed = opt->seed };
	struct report r;
	int status = experiment_no_words(opt);

	if (status == EXIT_CLEAN)
		status = experiment_measure(&r, &plan);
	if (status != EXIT_CLEAN)
		return status;
	if (opt->json) {
		json_t *doc = bench_json_new(opt);

		bench_json_add(doc, &r, "in a header");
		status = bench_json_print(doc);
	} else {
		experiment_header(opt, "one field of a header, and its sum");
		print_table(&r);
		print_conclusions(&r);
	}
	lab_run_free(&r.run);
	return status;
}
