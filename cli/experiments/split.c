/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * split.c - `csum bench split [FILE [OFFSET]]`: 64 KiB of a file, summed by one
 * chain of additions, by two and by four, as in a test program of 2013.
 *
 * It ran one way after the other and printed a time and a result for each; that
 * the results agree was left to the reader.
 */
#include "experiment.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench_json.h"
#include "cli.h"
#include "run.h"
#include "stats.h"

enum { SIZE = 65536, WAYS = 5 };

static const struct {
	const char *name;
	const char *routine;
} ways[WAYS] = {
	{ "original", "adc_64" },	   { "by 2, by turns", "adc2_mixed" },
	{ "by 2, halves", "adc2_halves" }, { "by 4", "adc4_64" },
	{ "128 bytes by 4", "adc4_128" },
};

/* The source of the bytes. */
struct source {
	const char *file; /* NULL: from the seed */
	uint64_t offset;
	uint8_t data[SIZE];
};

/* ------------------------------------------------------------------------
 * The bytes
 */

/* Moves on by @n bytes, in a pipe too.  False after saying why not. */
static bool skip(int fd, struct source *s, uint64_t n)
{
	if (lseek(fd, (off_t)n, SEEK_SET) >= 0)
		return true;
	if (errno != ESPIPE) {
		trouble("%s: offset %" PRIu64 ": %s", s->file, n,
			strerror(errno));
		return false;
	}
	for (uint64_t at = 0; at < n;) {
		size_t want = n - at < SIZE ? (size_t)(n - at) : SIZE;
		ssize_t got = input_fill(fd, s->file, at, s->data, want);

		if (got < 0)
			return false;
		if ((size_t)got < want)
			return true; /* reading on will show it */
		at += want;
	}
	return true;
}

static int load(struct source *s)
{
	int fd = input_open(s->file);
	ssize_t got = -1;

	if (fd < 0)
		return EXIT_TROUBLE;
	if (skip(fd, s, s->offset))
		got = input_fill(fd, s->file, s->offset, s->data, SIZE);
	close(fd);
	if (got < 0)
		return EXIT_TROUBLE;
	return got < SIZE ? trouble("%s: too short: %d bytes are needed from "
				    "offset %" PRIu64 ", it has %zd",
				    input_name(s->file), SIZE, s->offset, got)
			  : EXIT_CLEAN;
}

/* FILE and OFFSET; without them this program itself, where it can be read. */
static int choose_source(const struct bench_options *opt, struct source *s)
{
	static const char self[] = "/proc/self/exe";

	if (opt->nwords > 2)
		return trouble("split: '%s' is too much: FILE and OFFSET",
			       opt->words[2]);
	if (opt->nwords == 2 &&
	    (!parse_size(opt->words[1], &s->offset) || s->offset > INT64_MAX))
		return trouble("split: '%s' is not an offset in bytes",
			       opt->words[1]);
	if (opt->nwords)
		s->file = opt->words[0];
	else if (access(self, R_OK) == 0)
		s->file = self;
	return s->file ? load(s) : EXIT_CLEAN;
}

/* ------------------------------------------------------------------------
 * Text
 */

static void print_head(const struct bench_options *opt, const struct source *s)
{
	experiment_header(opt, "64 KiB by one chain of additions or several");
	if (!s->file)
		printf("bytes   %d from the seed\n", SIZE);
	else if (!opt->nwords)
		printf("bytes   the first %d of this program\n", SIZE);
	else
		printf("bytes   %d of %s from offset %" PRIu64 "\n", SIZE,
		       input_name(s->file), s->offset);
}

static const char *way_of(const struct lab_run *run, const struct lab_row *row)
{
	size_t way = (size_t)(row->subject - run->plan->subjects);

	return way < WAYS ? ways[way].name : "limit";
}

static void print_row(const struct report *r, const struct lab_row *row)
{
	struct lab_stats s =
		lab_stats(row->timed.ns, r->run.time.n, r->run.time.room);

	printf("%-14s %-11s %8.0f %6.0f %8.0f %7.3f", way_of(&r->run, row),
	       row->subject->name, s.median, s.mad, s.min,
	       bench_cycles_per_byte(r, row));
	if (row->subject->kind == LAB_LIMIT)
		putchar('\n');
	else
		printf("  %04x\n", ntohs(csum_to16(row->one)));
}

static void print_text(const struct report *r)
{
	struct bench_verdict v;
	char text[BENCH_VERDICT];

	printf("\n%-26s %8s %6s %8s %7s  result\n", "", "ns", "+-", "min",
	       "cyc/B");
	for (size_t i = 0; i < r->run.nrows; i++)
		print_row(r, &r->run.rows[i]);
	/* or there would be no report */
	printf("All results are the model's, %04x.\n", r->run.rows[0].want);
	puts("\nagainst the original, with 99% intervals");
	for (size_t i = 0; bench_verdict_at(r, i, &v); i++) {
		bench_verdict_text(&v, text);
		printf("%-14s %s\n", way_of(&r->run, v.a), text);
	}
}

/* ------------------------------------------------------------------------
 * Running
 */

static int choose_ways(struct lab_subject list[WAYS + 1])
{
	int status = EXIT_CLEAN;

	for (size_t i = 0; i < WAYS && status == EXIT_CLEAN; i++)
		status = experiment_subject(&list[i], ways[i].routine, LAB_SUM,
					    NULL);
	list[WAYS] = lab_limit(LAB_SUM);
	return status;
}

int experiment_split(const struct bench_options *opt)
{
	static const size_t size = SIZE, offset = 0;
	static struct source source;
	struct lab_subject list[WAYS + 1];
	struct lab_plan plan = {
		.subjects = list,
		.nsubjects = WAYS + 1,
		.sizes = &size,
		.nsizes = 1,
		.offsets = &offset,
		.noffsets = 1,
		.rival = 1,
		.seconds = experiment_seconds(opt, 15),
	};
	struct report r;
	int status = choose_source(opt, &source);

	if (status == EXIT_CLEAN)
		status = choose_ways(list);
	if (status != EXIT_CLEAN)
		return status;
	plan.data = source.file ? source.data : NULL;
	status = experiment_plan(opt, &r, &plan);
	if (status != EXIT_CLEAN)
		return status;
	if (opt->json) {
		json_t *doc = bench_json_new(opt);

		bench_json_add(doc, &r, "64 KiB of a file");
		status = bench_json_print(doc);
	} else {
		print_head(opt, &source);
		experiment_where(&r);
		print_text(&r);
	}
	lab_run_free(&r.run);
	return status;
}
