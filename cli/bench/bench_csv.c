/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_csv.c - one line for each row that was timed, names in the first. */
#include "bench_csv.h"

#include <stdio.h>

#include "cli.h"
#include "run.h"
#include "stats.h"

static void print_row(const struct report *r, const struct lab_row *row)
{
	const struct lab_rounds *time = &r->run.time;
	const struct lab_subject *s = row->subject;
	struct lab_stats t = lab_stats(row->timed.ns, time->n, time->room);

	/* a plugin chooses its names, and may choose a quote or a comma */
	putchar('"');
	for (const char *c = s->name; *c; c++)
		printf(*c == '"' ? "\"\"" : "%c", *c);
	printf("\",%s,%s,%zu,%zu,%zu,%s,%zu,%zu,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,"
	       "%.4f,%.4f,%.4f,%.4f\n",
	       bench_op_names[s->op], bench_mode_names[s->mode], row->size,
	       row->offset, r->plan->span,
	       r->plan->span ? bench_order_names[r->plan->order] : "same",
	       row->timed.n, time->n, t.min, t.median, t.low, t.high, t.mad,
	       t.mean, t.sd, bench_bytes_per_ns(r, row),
	       bench_cycles_per_byte(r, row), bench_times_base(r, row));
}

int bench_print_csv(const struct report *r)
{
	puts("subject,op,mode,size,offset,span,order,calls,rounds,min_ns,"
	     "median_ns,median_low_ns,median_high_ns,mad_ns,mean_ns,sd_ns,"
	     "bytes_per_ns,cycles_per_byte,x_base");
	for (size_t i = 0; i < r->run.nrows; i++)
		if (!r->run.rows[i].left_out)
			print_row(r, &r->run.rows[i]);
	return ferror(stdout) ? trouble("cannot write the output") : EXIT_CLEAN;
}
