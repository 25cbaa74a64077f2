/* SPDX-License-Identifier: BSD-2-Clause */
/* plan.h - a plan is subjects x sizes x offsets, and which bytes calls see. */
#ifndef CSUM_LAB_PLAN_H
#define CSUM_LAB_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pages.h"
#include "subject.h"

struct lab_run;

/* How calls go over a span. */
enum lab_order {
	LAB_SHUFFLED,	 /* each place once, in another order each round */
	LAB_RANDOM,	 /* anywhere */
	LAB_RANDOM_EVEN, /* anywhere, at even addresses */
	LAB_SEQUENTIAL,	 /* each place once, upwards */
	LAB_STRIDED,	 /* each place once, in large steps, all the same */
	LAB_ORDERS,
};

/* Lengths, as often as they come up. */
struct lab_mix {
	const char *name;
	const uint32_t *lengths; /* BYTES */
	size_t n;
};

/* At least one of each. */
struct lab_plan {
	const struct lab_subject *subjects;
	size_t nsubjects;
	const size_t *sizes; /* BYTES */
	size_t nsizes;
	const size_t *offsets; /* BYTES after a page boundary */
	size_t noffsets;
	/*
	 * BYTES over which calls go, up to LAB_MAX_SPAN; 0: all calls see the
	 * same bytes.
	 */
	size_t span;
	enum lab_order order;
	/*
	 * Bytes that calls see if there is no span: as many as the largest size
	 * and offset together; NULL: random ones.
	 */
	const uint8_t *data;
	size_t jitter; /* BYTES by which each end may move inwards, at random */
	/*
	 * Lengths to draw from, call by call.  The sizes of the plan are then
	 * their mean, which says how far places are apart, once for each
	 * period.  NULL: none.
	 */
	const struct lab_mix *mix;
	/*
	 * Lengths of the mix after which they repeat, for each of the sizes, so
	 * that the branch predictor can learn them, up to LAB_MAX_PERIOD; 0:
	 * never, each sample draws new ones.  NULL: 0 for all.
	 */
	const size_t *periods;
	/*
	 * Calls in a sample, with no untimed calls before them; 0: as many as
	 * fill a sample.
	 */
	size_t calls;
	/*
	 * Each sample begins with all bytes out of all caches, and goes over
	 * the places of the span once; lab_flush() must work here.
	 */
	bool flush;
	enum lab_page_kind pages;
	unsigned events; /* to be counted after the timing, see counters.h */
	size_t rival;	 /* 1 + the subject others are compared with; 0: none */
	double narrow;	 /* the noise at which lab_narrow_now() is content */
	double seconds;	 /* at most, once each row has a few samples */
	uint32_t seed;	 /* of the data and of the order in each round */
	void (*progress)(double share); /* may be NULL */
	/* true ends the run before its time; may be NULL */
	bool (*enough)(const struct lab_run *run);
};

enum { LAB_MAX_SPAN = 1 << 30, LAB_MAX_PERIOD = 1 << 20 };

/* Seconds that a plan needs for samples of @seconds_per_row. */
double lab_plan_seconds(const struct lab_plan *plan, double seconds_per_row);

/* BYTES that the longest call of a plan may touch, its offset included. */
size_t lab_plan_longest(const struct lab_plan *plan);

/* Rows of a plan. */
size_t lab_plan_rows(const struct lab_plan *plan);

#endif
