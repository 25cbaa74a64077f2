/* SPDX-License-Identifier: BSD-2-Clause */
/* rounds.c - calibrates, then takes samples round by round. */
#include "rounds.h"

#include <assert.h>
#include <stdlib.h>

#include "splitmix.h"
#include "timer.h"

enum {
	MIN_ROUNDS = 5,
	GOOD_ROUNDS = 101, /* more of them before longer samples */
	/* done untimed, one of so many, before a sample: predictors, caches */
	WARM_SHARE = 8,
	TRIES = 8,	     /* of a sample that is interrupted */
	INTERRUPTION = 2000, /* ns without a CPU */
};

/* Long against the clock, short against a slice of the scheduler. */
static const double min_sample_ns = 50e3, max_sample_ns = 1e6;

/* Longer samples stand: on a busy machine each try would be interrupted. */
static const double longest_again_ns = 2e6;

void lab_shuffle(size_t *order, size_t n, uint64_t *state)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = splitmix64(state) % i, t = order[j];

		order[j] = order[i - 1];
		order[i - 1] = t;
	}
}

static bool before(struct lab_rounds *r, struct lab_timed *item)
{
	return !r->hooks.before || r->hooks.before(r->hooks.context, item);
}

/* ns for @n times, which come to *@all. */
static double time_of(struct lab_timed *item, size_t n, uint64_t *all)
{
	uint64_t start = lab_now();

	*all = item->run(item->what, n);
	return (double)(lab_now() - start);
}

/*
 * How often makes a sample; 0 if a hook ended it.  The faster of two: one may
 * be disturbed.
 */
static size_t calibrate(struct lab_rounds *r, struct lab_timed *item)
{
	double best = 0;
	size_t n = 1;

	if (!before(r, item))
		return 0;
	for (;; n *= 2) {
		uint64_t all;
		double first = time_of(item, n, &all);
		double second = time_of(item, n, &all);

		best = first < second ? first : second;
		if (best >= r->sample_ns / 8)
			break;
	}
	n = (size_t)((double)n * r->sample_ns / best);
	return n ? n : 1;
}

static size_t untimed(const struct lab_timed *item)
{
	return item->given ? 0 : item->n / WARM_SHARE + 1;
}

size_t lab_rounds_times(const struct lab_timed *item)
{
	return item->n ? item->n + untimed(item) : 0;
}

/*
 * One try of a sample; says whether this thread lost its CPU meanwhile, and
 * whether another try is worth its time.
 */
static bool try_sample(struct lab_rounds *r, struct lab_timed *item,
		       bool *interrupted, bool *again)
{
	uint64_t all, had;
	double took;

	if (!before(r, item))
		return false;
	if (!item->given)
		time_of(item, untimed(item), &all);
	had = lab_cpu_time();
	took = time_of(item, item->n, &all);
	had = lab_cpu_time() - had;
	item->ns[r->n] = took / (double)item->n;
	*interrupted = took > (double)had + INTERRUPTION;
	*again = *interrupted && (double)had < longest_again_ns;
	return !r->hooks.after || r->hooks.after(r->hooks.context, item, all);
}

static bool sample(struct lab_rounds *r, struct lab_timed *item)
{
	bool interrupted = false, again = true;

	for (int try = 1; again; try++) {
		if (!try_sample(r, item, &interrupted, &again))
			return false;
		again = again && try < TRIES;
		r->dropped += again;
	}
	r->interrupted += interrupted;
	return true;
}

static bool run_round(struct lab_rounds *r)
{
	struct lab_core core = lab_core();

	r->ghz[r->n] = core.ghz;
	r->width[r->n] = core.width;
	if (r->hooks.begin && !r->hooks.begin(r->hooks.context, r->n))
		return false;
	lab_shuffle(r->groups, r->ngroups, &r->random);
	for (size_t g = 0; g < r->ngroups; g++) {
		size_t first = r->firsts[r->groups[g]];
		size_t n = r->firsts[r->groups[g] + 1] - first;

		for (size_t i = 0; i < n; i++)
			r->order[i] = i;
		lab_shuffle(r->order, n, &r->random);
		for (size_t i = 0; i < n; i++)
			if (!sample(r, r->items[first + r->order[i]]))
				return false;
	}
	return true;
}

static bool has_time(const struct lab_rounds *r)
{
	if (r->n < MIN_ROUNDS)
		return true;
	return r->took < r->seconds &&
	       !(r->enough && r->enough(r->hooks.context));
}

static enum lab_status take_samples(struct lab_rounds *r)
{
	const uint64_t start = lab_now();

	r->settled = lab_warm_up();
	r->clock_ns = lab_clock_cost();
	for (size_t i = 0; i < r->nitems; i++) {
		if (!r->items[i]->given)
			r->items[i]->n = calibrate(r, r->items[i]);
		if (!r->items[i]->n)
			return LAB_WRONG;
	}
	while (r->n < r->max && has_time(r)) {
		double share;

		if (!run_round(r))
			return LAB_WRONG;
		r->n++;
		r->took = (double)(lab_now() - start) / 1e9;
		share = r->took / r->seconds;
		if (r->progress)
			r->progress(share < 1 ? share : 1);
	}
	return LAB_OK;
}

/* Few long samples or many short ones: sets sample_ns, and most rounds. */
static void divide_time(struct lab_rounds *r)
{
	const double warm = 1 + 1.0 / WARM_SHARE;
	double item_ns = r->seconds * 1e9 / (double)r->nitems;
	double ns = item_ns / GOOD_ROUNDS / warm;

	if (ns < min_sample_ns)
		ns = min_sample_ns;
	if (ns > max_sample_ns)
		ns = max_sample_ns;
	r->sample_ns = ns;
	/* samples differ a little from what was meant */
	r->max = (size_t)(1.25 * item_ns / (ns * warm)) + MIN_ROUNDS;
}

static bool allocate(struct lab_rounds *r)
{
	r->groups = calloc(r->nitems, sizeof(*r->groups));
	r->firsts = calloc(r->nitems + 1, sizeof(*r->firsts));
	r->order = calloc(r->nitems, sizeof(*r->order));
	/* the samples of all items, then ghz, width and room */
	r->block = calloc((r->nitems + 3) * r->max, sizeof(*r->block));
	return r->groups && r->firsts && r->order && r->block;
}

static void lay_out(struct lab_rounds *r)
{
	for (size_t i = 0; i < r->nitems; i++) {
		struct lab_timed *item = r->items[i];

		item->ns = r->block + i * r->max;
		item->given = item->n;
		if (i && item->group == r->items[i - 1]->group)
			continue;
		r->groups[r->ngroups] = r->ngroups;
		r->firsts[r->ngroups++] = i;
	}
	r->firsts[r->ngroups] = r->nitems;
	r->ghz = r->block + r->nitems * r->max;
	r->width = r->ghz + r->max;
	r->room = r->width + r->max;
}

enum lab_status lab_rounds_run(struct lab_rounds *r)
{
	assert(r->nitems);
	divide_time(r);
	if (!allocate(r))
		return LAB_NO_MEMORY;
	lay_out(r);
	return take_samples(r);
}

void lab_rounds_free(struct lab_rounds *r)
{
	free(r->block);
	free(r->order);
	free(r->firsts);
	free(r->groups);
	*r = (struct lab_rounds){ 0 };
}
