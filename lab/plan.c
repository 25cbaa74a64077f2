/* SPDX-License-Identifier: BSD-2-Clause */
/* plan.c - how many rows a plan has, how long they take, how far they reach. */
#include "plan.h"

size_t lab_plan_rows(const struct lab_plan *plan)
{
	return plan->nsubjects * plan->nsizes * plan->noffsets;
}

double lab_plan_seconds(const struct lab_plan *plan, double seconds_per_row)
{
	/* the empty call is a row too */
	return seconds_per_row * (double)(lab_plan_rows(plan) + 1);
}

static size_t largest(const size_t *v, size_t n)
{
	size_t max = 0;

	for (size_t i = 0; i < n; i++)
		if (v[i] > max)
			max = v[i];
	return max;
}

size_t lab_plan_longest(const struct lab_plan *plan)
{
	size_t size = largest(plan->sizes, plan->nsizes);

	for (size_t i = 0; plan->mix && i < plan->mix->n; i++)
		if (plan->mix->lengths[i] > size)
			size = plan->mix->lengths[i];
	return size + largest(plan->offsets, plan->noffsets);
}
