/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * calls.c - calls a subject in a loop.
 *
 * The compiler may not know which function is called, or it might call once
 * and multiply.  The sum of all results is returned, so all are needed.
 */
#include "calls.h"

#include "opaque.h"

/* How places follow one another. */
enum way { STAY, IN_STEPS, BY_TABLE };

static inline __attribute__((always_inline)) uint64_t loop(
	const struct lab_subject *s, struct lab_visits *v, size_t calls,
	bool copy, bool wait, enum way way)
{
	csum_sum_fn sum = s->sum;
	csum_copy_fn copy_and_sum = s->copy;
	size_t at = v->at, zero = 0;
	csum_wsum last = 0;
	uint64_t all = 0;

	LAB_OPAQUE(sum);
	LAB_OPAQUE(copy_and_sum);
	LAB_OPAQUE(zero);
	for (; calls; calls--, all += last) {
		size_t place = way == BY_TABLE	 ? v->table[at].at
			       : way == IN_STEPS ? at * v->stride
						 : 0;
		size_t len = way == BY_TABLE ? v->table[at].len : v->len;

		if (wait)
			place += last & zero;
		last = copy ? copy_and_sum(v->dst + place, v->src + place, len,
					   0)
			    : sum(v->src + place, len, 0);
		if (way == IN_STEPS)
			at = (at + v->step) & (v->count - 1);
		else if (way == BY_TABLE)
			at = at + 1 < v->count ? at + 1 : 0;
	}
	v->at = at;
	return all;
}

/* One loop for each op and mode, in which nothing is decided any more. */
static inline __attribute__((always_inline)) uint64_t loops(
	const struct lab_subject *s, struct lab_visits *v, size_t calls,
	enum way way)
{
	const bool wait = s->mode == LAB_LATENCY;

	if (s->op == LAB_COPY)
		return wait ? loop(s, v, calls, true, true, way)
			    : loop(s, v, calls, true, false, way);
	return wait ? loop(s, v, calls, false, true, way)
		    : loop(s, v, calls, false, false, way);
}

uint64_t lab_calls(const struct lab_subject *s, struct lab_visits *v,
		   size_t calls)
{
	lab_distance = s->prefetch.distance;
	if (s->small)
		return s->small->loop[s->mode](v->src, calls);
	if (v->table)
		return loops(s, v, calls, BY_TABLE);
	return v->count > 1 ? loops(s, v, calls, IN_STEPS)
			    : loops(s, v, calls, STAY);
}
