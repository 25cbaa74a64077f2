/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_markdown.c - for an issue or a wiki: a table, and where it was made. */
#include "bench_markdown.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_sentence.h"
#include "cli.h"
#include "run.h"
#include "stats.h"

/* A plugin chooses its names: what would end a cell does not. */
static void print_name(const char *name)
{
	for (; *name; name++)
		printf(strchr("|`\\<*_[", *name) ? "\\%c" : "%c", *name);
}

static void print_cell(double v, int precision)
{
	if (isfinite(v) && v > 0)
		printf(" %.*f |", precision, v);
	else
		printf(" - |");
}

static void print_row(const struct report *r, const struct lab_row *row)
{
	const struct lab_stats t =
		lab_stats(row->timed.ns, r->run.time.n, r->run.time.room);

	printf("| ");
	print_name(row->subject->name);
	printf(" | %s | %s | %zu | %zu | %.2f | %.2f to %.2f |",
	       bench_op_names[row->subject->op],
	       bench_mode_names[row->subject->mode], row->size, row->offset,
	       t.median, t.low, t.high);
	print_cell(bench_bytes_per_ns(r, row), 1);
	print_cell(bench_times_base(r, row), 2);
	putchar('\n');
}

static void print_verdicts(const struct report *r)
{
	struct bench_verdict v;
	char text[BENCH_VERDICT];

	for (size_t i = 0; bench_verdict_at(r, i, &v); i++) {
		if (i == 0)
			puts("\n| routine | against | bytes | offset | verdict "
			     "|\n|---|---|--:|--:|---|");
		bench_verdict_text(&v, text);
		printf("| ");
		print_name(v.a->subject->name);
		printf(" | ");
		print_name(v.b->subject->name);
		printf(" | %zu | %zu | %s |\n", v.a->size, v.a->offset, text);
	}
}

int bench_print_markdown(const struct report *r)
{
	printf("csum %s%s%s on %s, %s; %zu rounds, --seed=%u\n\n",
	       csum_version(), r->machine.commit[0] ? ", commit " : "",
	       r->machine.commit,
	       r->machine.cpu[0] ? r->machine.cpu : "an unknown CPU",
	       r->machine.compiler, r->run.time.n, (unsigned)r->plan->seed);
	puts("| routine | op | mode | bytes | offset | median ns | 95% | B/ns "
	     "| times the limit |\n|---|---|---|--:|--:|--:|---|--:|--:|");
	for (size_t i = 0; i < r->run.nrows; i++)
		if (!r->run.rows[i].left_out)
			print_row(r, &r->run.rows[i]);
	print_verdicts(r);
	for (size_t i = 0; i < r->nwarnings; i++)
		printf("%s- warning: %s\n", i ? "" : "\n", r->warnings[i].text);
	if (!r->small)
		bench_print_sentence(r);
	return ferror(stdout) ? trouble("cannot write the output") : EXIT_CLEAN;
}
