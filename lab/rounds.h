/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rounds.h - timing several items beside each other, whatever the items do.
 *
 * A machine changes while it measures: frequency, neighbours, interrupts.  So
 * each round takes one sample of every item, in an order of its own.  Items of
 * the same group follow one another, since those are compared.
 */
#ifndef LAB_ROUNDS_H
#define LAB_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An item: something that a sample does many times. */
struct lab_timed {
	/* Does the item @n times; returns a number made of all results. */
	uint64_t (*run)(void *what, size_t n);
	void *what;   /* for run */
	size_t group; /* items of one group stand next to each other */
	/*
	 * Times that a sample does the item.  0: as many as fill a sample.  A
	 * number that is given stands for all that a hook has prepared, which
	 * serves once: so the item is never done untimed.
	 */
	size_t n;
	double *ns; /* for doing the item once; one for each round */
	/* private to rounds.c */
	bool given;
};

/* Each may be NULL, and returns false to end the run. */
struct lab_hooks {
	/* Before each round. */
	bool (*begin)(void *context, size_t round);
	/* Before each sample, not timed. */
	bool (*before)(void *context, struct lab_timed *item);
	/* After each sample, whose results come to @all. */
	bool (*after)(void *context, struct lab_timed *item, uint64_t all);
	void *context;
};

struct lab_rounds {
	struct lab_timed **items;
	size_t nitems;
	double seconds; /* at most, once there are a few rounds */
	uint64_t random;
	struct lab_hooks hooks;
	void (*progress)(double share); /* may be NULL */
	/* true ends the run before its time; may be NULL */
	bool (*enough)(void *context);
	/* the outcome */
	size_t n;	     /* rounds */
	double *ghz, *width; /* one for each round, see struct lab_core */
	double *room;	     /* for stats, as many as rounds */
	double sample_ns;    /* a sample was meant to last this long */
	double clock_ns;     /* the time of reading the clock */
	double took;	     /* seconds, in all */
	bool settled;	     /* the core, before the first round */
	/*
	 * Samples during which this thread lost its CPU: those that were taken
	 * again, and those that stand, since all tries were interrupted.
	 */
	size_t dropped, interrupted;
	/* private to rounds.c */
	double *block;
	size_t *groups, *firsts, *order;
	size_t ngroups, max;
};

enum lab_status {
	LAB_OK,
	LAB_WRONG, /* a hook has ended it */
	LAB_NO_MEMORY,
};

/*
 * Whatever it returns, end with lab_rounds_free(), which frees the samples of
 * the items too.
 */
enum lab_status lab_rounds_run(struct lab_rounds *r);
void lab_rounds_free(struct lab_rounds *r);

/* How often a sample does an item, untimed times included; 0: not known yet. */
size_t lab_rounds_times(const struct lab_timed *item);

/* Puts @order into another order, as *@state has it. */
void lab_shuffle(size_t *order, size_t n, uint64_t *state);

#endif
