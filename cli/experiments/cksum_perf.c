/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cksum_perf.c - `csum bench cksum-perf [ROUTINE...]`: the performance test of
 * DPDK's checksum, of 2022: ten blocks, six sizes, aligned or not.
 *
 * It calls its function a million times for each row and prints ticks of the
 * timer as cycles, one row after the other.  The timer ticks at one rate,
 * whatever the core does: what a tick means is said here, and how much the
 * rows depend on when they were measured.
 */
#include "experiment.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_common.h"
#include "bench_json.h"
#include "blocks.h"
#include "cli.h"
#include "elect.h"
#include "timer.h"

static const size_t sizes[] = { 20, 21, 100, 101, 1500, 1501 };

enum {
	SIZES = sizeof(sizes) / sizeof(*sizes),
	ROWS = 2 * SIZES, /* of a routine: aligned or not within sizes */
};

static struct lab_stats stats(const struct lab_blocks *b, const double *x)
{
	return lab_stats(x, b->time.n, b->time.room);
}

static double median(const struct lab_blocks *b, const double *x)
{
	return stats(b, x).median;
}

/* ------------------------------------------------------------------------
 * Text
 */

static void print_head(const struct bench_options *opt,
		       const struct lab_blocks *b)
{
	double rate = median(b, b->rate), ghz = median(b, b->time.ghz);

	experiment_header(opt, "ten blocks by turns, through a pointer");
	printf("visits  %zu of %.1f ms to each row by turns, each after a rest "
	       "of %.1f ms\n"
	       "ticks   of %s: %.3f per ns of CLOCK_MONOTONIC\n",
	       b->time.n, b->visit_ns / 1e6, b->rest_ns / 1e6, lab_ticks_name,
	       rate);
	if (ghz > 0)
		printf("core    %.2f GHz (est.): a tick is %.2f of its "
		       "cycles\n",
		       ghz, ghz / rate);
	puts("\nPublished: 16.1 ticks for 20 bytes on one machine, about 8 on "
	     "another.");
}

static void print_row(const struct lab_blocks *b,
		      const struct lab_blocks_row *row)
{
	struct lab_stats ticks = stats(b, row->ticks);
	double ghz = median(b, b->time.ghz);
	double ns = median(b, row->timed.ns);

	printf("%5zu %-9s %9.1f %6.1f %10.3f %9.1f %8.1f %8.1f", row->size,
	       row->offset ? "unaligned" : "aligned", ticks.median, ticks.mad,
	       ticks.median / (double)row->size, median(b, row->first),
	       median(b, row->last), ns);
	if (ghz > 0)
		printf(" %8.1f\n", ns * ghz);
	else
		printf(" %8s\n", "-");
}

static void print_routine(const struct lab_blocks *b,
			  const struct lab_blocks_row *rows)
{
	char text[BENCH_VERDICT];

	printf("\n%-15s %9s %6s %10s %9s %8s %8s %8s\n"
	       "%-15s %9s %6s %10s %9s %8s %8s %8s\n",
	       rows->subject->name, "ticks per", "", "ticks per", "in the",
	       "in the", "ns per", "cycles", "bytes", "block", "+-", "byte",
	       "1st tenth", "last", "block", "est.");
	for (size_t i = 0; i < ROWS; i++)
		print_row(b, &rows[i]);
	puts("unaligned against aligned, with 99% intervals");
	for (size_t i = 0; i < ROWS; i += 2) {
		struct bench_verdict v = experiment_verdict(
			lab_ratio_interval(rows[i + 1].ticks, rows[i].ticks,
					   b->time.n, b->time.room));

		bench_verdict_text(&v, text);
		printf("%5zu %s\n", rows[i].size, text);
	}
}

/* Over all rows and visits, the first tenth of each against its last. */
static int print_rise(const struct lab_blocks *b)
{
	size_t n = b->nrows * b->time.n;
	char text[BENCH_VERDICT];
	struct bench_verdict v;
	double *x;

	assert(n);
	x = calloc(3 * n, sizeof(*x));
	if (!x)
		return trouble("out of memory");
	for (size_t i = 0; i < n; i++) {
		const struct lab_blocks_row *row = &b->rows[i / b->time.n];

		x[i] = row->first[i % b->time.n];
		x[n + i] = row->last[i % b->time.n];
	}
	v = experiment_verdict(lab_ratio_interval(x, x + n, n, x + 2 * n));
	bench_verdict_text(&v, text);
	printf("\nThe first tenth of a visit against its last:\n%s.\n%s\n",
	       text,
	       v.verdict == LAB_SLOWER
		       ? "The core has to get going after a rest: a test that "
			 "ends soon shows more."
		       : "That this core has to get going after a rest does "
			 "not show.");
	free(x);
	return EXIT_CLEAN;
}

static int print_text(const struct bench_options *opt,
		      const struct lab_blocks *b)
{
	print_head(opt, b);
	for (size_t i = 0; i < b->nrows; i += ROWS)
		print_routine(b, &b->rows[i]);
	return print_rise(b);
}

/* ------------------------------------------------------------------------
 * JSON
 */

static int print_json(const struct bench_options *opt,
		      const struct lab_blocks *b)
{
	json_t *doc = bench_json_new(opt), *rows = json_array();

	for (size_t i = 0; i < b->nrows; i++) {
		const struct lab_blocks_row *row = &b->rows[i];
		const struct bench_named named = {
			.subject = row->subject->name,
			.kind = row->subject->kind,
			.op = LAB_SUM,
			.size = row->size,
			.offset = row->offset,
			.timed = &row->timed,
		};
		json_t *j = bench_json_named(&named, &b->time);

		json_object_update_new(
			j,
			json_pack("{sf sf sf}", "ticks", median(b, row->ticks),
				  "ticks_first_tenth", median(b, row->first),
				  "ticks_last_tenth", median(b, row->last)));
		json_array_append_new(rows, j);
	}
	bench_json_add_named(doc, "ten blocks by turns", &b->time, opt->seed,
			     rows);
	json_object_set_new(doc, "ticks",
			    json_pack("{ss sf}", "of", lab_ticks_name, "per_ns",
				      median(b, b->rate)));
	return bench_json_print(doc);
}

/* ------------------------------------------------------------------------
 * Running
 */

static int choose_rows(const struct bench_options *opt,
		       struct lab_subject *list)
{
	int status = EXIT_CLEAN;

	if (!opt->nwords)
		list[0] = lab_public(LAB_SUM);
	for (size_t i = 0; i < opt->nwords && status == EXIT_CLEAN; i++)
		status = experiment_subject(&list[i], opt->words[i], LAB_SUM,
					    NULL);
	return status;
}

static int visit_blocks(const struct bench_options *opt, struct lab_blocks *b)
{
	enum lab_status status;
	int end;

	b->progress = bench_progress();
	status = lab_blocks_run(b);
	bench_progress_end();
	end = experiment_status(status);
	if (end == EXIT_CLEAN)
		end = opt->json ? print_json(opt, b) : print_text(opt, b);
	lab_blocks_free(b);
	return end;
}

int experiment_cksum_perf(const struct bench_options *opt)
{
	const size_t n = opt->nwords ? opt->nwords : 1;
	struct lab_subject list[BENCH_MOST];
	struct lab_blocks b = {
		.rows = calloc(n * ROWS, sizeof(*b.rows)),
		.nrows = n * ROWS,
		.seconds = experiment_seconds(opt, 20),
		.seed = opt->seed,
	};
	int status;

	if (!b.rows)
		return trouble("out of memory");
	status = choose_rows(opt, list);
	for (size_t i = 0; i < b.nrows && status == EXIT_CLEAN; i++) {
		b.rows[i].subject = &list[i / ROWS];
		b.rows[i].size = sizes[i % ROWS / 2];
		b.rows[i].offset = i % 2;
		b.rows[i].timed.group = i / 2;
	}
	if (status == EXIT_CLEAN)
		status = visit_blocks(opt, &b);
	free(b.rows);
	return status;
}
