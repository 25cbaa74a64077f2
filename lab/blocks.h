/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * blocks.h - sums of ten blocks by turns, in ticks of the CPU's timer.
 *
 * A visit sums the blocks for a time instead of a number of calls, after a
 * rest.  The beginning and the end of a visit are measured apart, so a core
 * that speeds up during a visit shows.
 */
#ifndef LAB_BLOCKS_H
#define LAB_BLOCKS_H

#include "rounds.h"
#include "subject.h"

enum {
	LAB_BLOCKS = 10,
	LAB_BLOCKS_ROUNDS = 40,
	LAB_BLOCKS_PARTS = 10, /* of a visit */
};

/* One size at one alignment, visited once in each round. */
struct lab_blocks_row {
	const struct lab_subject *subject; /* of op LAB_SUM */
	size_t size, offset;		   /* BYTES; after a cache line */
	/* ticks for one block: over the whole visit, its first, its last part
	 */
	double ticks[LAB_BLOCKS_ROUNDS];
	double first[LAB_BLOCKS_ROUNDS], last[LAB_BLOCKS_ROUNDS];
	/* ns for one block; rows of a group are visited one after another */
	struct lab_timed timed;
	/* private to blocks.c */
	struct blocks *blocks;
	struct visit {
		uint64_t calls, ticks, ns;
		double first, last;
	} visit;
	size_t batch;
	uint64_t want;
};

struct lab_blocks {
	struct lab_blocks_row *rows;
	size_t nrows;
	double seconds; /* in all, the rests included */
	uint32_t seed;
	void (*progress)(double share); /* may be NULL */
	/* the outcome */
	struct lab_rounds time;
	double visit_ns, rest_ns;
	double rate[LAB_BLOCKS_ROUNDS]; /* ticks per ns */
};

/* Whatever it returns, end with lab_blocks_free(). */
enum lab_status lab_blocks_run(struct lab_blocks *b);
void lab_blocks_free(struct lab_blocks *b);

#endif
