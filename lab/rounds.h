/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rounds.h - timing several things beside each other, whatever they are.
 *
 * A machine changes while it is measured: frequency, neighbours, interrupts.
 * So each round takes one sample of every item, in an order of its own, and
 * what is to be compared follows one another: items of the same group.
 */
#ifndef LAB_ROUNDS_H
#define LAB_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Who is timed. */
struct lab_timed {
	/* Does it @n times; returns a number made of all results. */
	uint64_t (*run)(void *what, size_t n);
	void *what;
	size_t group; /* those of one group stand next to each other */
	/*
	 * How often it is done in a sample.  0: as often as fills one.  What
	 * is given is done so often and never without being timed: what was
	 * prepared for it serves once.
	 */
	size_t n;
	double *ns; /* for once; one for each round */
	/* private to rounds.c */
	bool given;
};

/* Each may be NULL, and returns false to end the run. */
struct lab_hooks {
	/* Before each round. */
	bool (*begin)(void *context, size_t round);
	/* Before each sample, not timed. */
	bool (*before)(void *context, struct lab_timed *item);
	/* After each sample of @n times that came to @all. */
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
	double clock_ns;     /* reading the clock takes */
	double took;	     /* seconds, in all */
	bool settled;	     /* the clock, before the first round */
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
