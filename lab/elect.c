/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elect.c - who of several is the fastest, and how sure that is.
 *
 * Candidates are compared round by round, since what disturbs one round
 * disturbs all that are measured in it.  A difference counts when the interval
 * of the median ratio leaves 1 outside; two are a tie when it lies within TIE
 * of 1.
 */
#include "lab.h"

#include <math.h>

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
	size_t n = run->plan->nsubjects;
	size_t group = (size_t)(row - run->rows) / n;

	return &run->rows[group * n + run->plan->rival - 1];
}

bool lab_compared(const struct lab_run *run, const struct lab_row *row)
{
	const struct lab_row *b;

	if (!run->plan->rival)
		return false;
	b = lab_row_rival(run, row);
	return row != b && !row->left_out && !b->left_out &&
	       row->subject->kind != LAB_LIMIT;
}

bool lab_narrow_now(const struct lab_run *run)
{
	if (run->time.n % 16)
		return false;
	for (size_t i = 0; i < run->nrows; i++) {
		const struct lab_row *row = &run->rows[i];

		if (lab_compared(run, row) &&
		    lab_noise(lab_against(run, row, lab_row_rival(run, row))) >
			    run->plan->narrow)
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
