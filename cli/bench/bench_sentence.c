/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_sentence.c - who is fastest, and how sure that is. */
#include "bench_sentence.h"

#include <math.h>
#include <stdio.h>

#include "run.h"
#include "stats.h"

enum { FULL_PACKET = 1500 }; /* BYTES */

/* A row that competes, and its times. */
struct entrant {
	const struct lab_row *row;
	struct lab_stats stats;
};

static size_t typical_size(const struct lab_plan *plan)
{
	size_t best = plan->sizes[0];

	for (size_t i = 1; i < plan->nsizes; i++)
		if (fabs(log((double)plan->sizes[i] / FULL_PACKET)) <
		    fabs(log((double)best / FULL_PACKET)))
			best = plan->sizes[i];
	return best;
}

/* csum_partial() is one of the routines once more. */
static bool competes(const struct lab_row *row)
{
	return !row->left_out && row->subject->kind != LAB_LIMIT &&
	       row->subject->kind != LAB_PUBLIC;
}

/* The two fastest of a size at the first offset; returns how many there are. */
static int podium(const struct report *r, size_t size, struct entrant best[2])
{
	int n = 0;

	for (size_t i = 0; i < r->run.nrows; i++) {
		const struct lab_row *row = &r->run.rows[i];
		struct entrant e = { .row = row };

		if (!competes(row) || row->size != size ||
		    row->offset != r->plan->offsets[0])
			continue;
		e.stats = lab_stats(row->timed.ns, r->run.time.n,
				    r->run.time.room);
		if (n == 0 || e.stats.median < best[0].stats.median) {
			best[1] = best[0];
			best[0] = e;
		} else if (n == 1 || e.stats.median < best[1].stats.median) {
			best[1] = e;
		}
		n++;
	}
	return n;
}

static void print_surety(const struct entrant best[2])
{
	const struct lab_stats *a = &best[0].stats, *b = &best[1].stats;
	const bool sure = a->high < b->low;

	printf("%s: %s takes %.1f%% longer; 95%% intervals %s.\n",
	       sure ? "That is sure" : "Not sure", best[1].row->subject->name,
	       100 * (b->median / a->median - 1),
	       sure ? "are apart" : "overlap");
}

void bench_print_sentence(const struct report *r)
{
	const size_t size = typical_size(r->plan);
	struct entrant best[2] = { { .row = NULL }, { .row = NULL } };
	const int n = podium(r, size, best);
	double times;

	if (!n)
		return;
	times = bench_times_base(r, best[0].row);
	printf("\n%s is fastest: %.1f B/ns at %zu bytes",
	       best[0].row->subject->name, (double)size / best[0].stats.median,
	       size);
	if (times > 0)
		printf(", %.1f times the limit", times);
	puts(".");
	if (n > 1)
		print_surety(best);
	else
		puts("It ran alone.");
}
