/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elect.c - which of several subjects is the fastest, and how sure that is.
 *
 * Subjects are compared round by round, since a disturbance of one round
 * disturbs all samples of that round.  A difference counts when the interval
 * of the median ratio leaves 1 outside; two are a tie when it lies within TIE
 * of 1.
 */
#include "elect.h"

#include <math.h>
#include <string.h>

static const double TIE = 0.01;

struct lab_interval lab_against(const struct lab_run *run,
				const struct lab_row *a,
				const struct lab_row *b)
{
	return lab_ratio_interval(a->timed.ns, b->timed.ns, run->time.n,
				  run->time.room);
}

enum lab_verdict lab_verdict(struct lab_interval ratio)
{
	if (ratio.low > 1 - TIE && ratio.high < 1 + TIE)
		return LAB_TIE;
	if (ratio.high < 1)
		return LAB_FASTER;
	if (ratio.low > 1)
		return LAB_SLOWER;
	return LAB_UNDECIDED;
}

size_t lab_fastest(const struct lab_run *run, size_t size)
{
	size_t best = 0;
	double least = INFINITY;

	for (size_t i = 0; i < run->plan->nsubjects; i++) {
		const struct lab_row *row = lab_row_at(run, size, 0, i);
		double ns = lab_quantile(row->timed.ns, run->time.n, 0.5,
					 run->time.room);

		if (ns < least) {
			least = ns;
			best = i;
		}
	}
	return best;
}

bool lab_decided(const struct lab_run *run)
{
	for (size_t s = 0; s < run->plan->nsizes; s++) {
		size_t best = lab_fastest(run, s);

		for (size_t i = 0; i < run->plan->nsubjects; i++)
			if (i != best &&
			    lab_verdict(
				    lab_against(run, lab_row_at(run, s, 0, i),
						lab_row_at(run, s, 0, best))) ==
				    LAB_UNDECIDED)
				return false;
	}
	return true;
}

bool lab_decided_now(const struct lab_run *run)
{
	return run->time.n % 16 == 0 && lab_decided(run);
}

const struct lab_row *lab_row_rival(const struct lab_run *run,
				    const struct lab_row *row)
{
	const size_t n = run->plan->nsubjects;
	const struct lab_row *group = run->rows + (row - run->rows) / n * n;
	const char *name;

	if (!run->plan->rival || row->left_out ||
	    row->subject->kind == LAB_LIMIT)
		return NULL;
	name = run->plan->subjects[run->plan->rival - 1].name;
	for (size_t i = 0; i < n; i++) {
		const struct lab_row *b = &group[i];

		if (b != row && !b->left_out &&
		    b->subject->op == row->subject->op &&
		    b->subject->mode == row->subject->mode &&
		    strcmp(b->subject->name, name) == 0)
			return b;
	}
	return NULL;
}

bool lab_narrow_now(const struct lab_run *run)
{
	if (run->time.n % 16)
		return false;
	for (size_t i = 0; i < run->nrows; i++) {
		const struct lab_row *a = &run->rows[i];
		const struct lab_row *b = lab_row_rival(run, a);

		if (b && lab_noise(lab_against(run, a, b)) > run->plan->narrow)
			return false;
	}
	return true;
}

size_t lab_elected(const struct lab_run *run, size_t standing)
{
	size_t elected = standing;
	double best = log(1 - TIE);

	for (size_t i = 0; i < run->plan->nsubjects; i++) {
		double score = 0;

		for (size_t s = 0; s < run->plan->nsizes; s++)
			score +=
				log(lab_against(run, lab_row_at(run, s, 0, i),
						lab_row_at(run, s, 0, standing))
					    .median);
		score /= (double)run->plan->nsizes;
		if (score < best) {
			best = score;
			elected = i;
		}
	}
	return elected;
}
