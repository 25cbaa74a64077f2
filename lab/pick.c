/* SPDX-License-Identifier: BSD-2-Clause */
/* pick.c - chooses in even rounds, judges in odd ones. */
#include "pick.h"

#include <assert.h>
#include <stdlib.h>

/* Each other of @x, from @first on.  Returns how many. */
static size_t half(const double *x, size_t rounds, size_t first, double *out)
{
	size_t n = 0;

	for (size_t i = first; i < rounds; i += 2)
		out[n++] = x[i];
	return n;
}

bool lab_pick(struct lab_pick *pick, const double *const *ns, size_t n,
	      const double *base, size_t rounds)
{
	const size_t most = (rounds + 1) / 2;
	double *a = calloc(3 * most, sizeof(*a)), *b, *room, least = 0;
	size_t count;

	assert(n && rounds >= 2);
	if (!a)
		return false;
	b = a + most;
	room = b + most;
	count = half(base, rounds, 0, b);
	for (size_t i = 0; i < n; i++) {
		double ratio;

		half(ns[i], rounds, 0, a);
		ratio = lab_ratio(a, b, count, room);
		if (i == 0 || ratio < least) {
			least = ratio;
			pick->best = i;
		}
	}
	count = half(base, rounds, 1, b);
	half(ns[pick->best], rounds, 1, a);
	pick->ratio = lab_ratio_interval(a, b, count, room);
	free(a);
	return true;
}
