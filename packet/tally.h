/* SPDX-License-Identifier: BSD-2-Clause */
/* tally.h - what a pass has seen and done, in a file or in all of them. */
#ifndef PACKET_TALLY_H
#define PACKET_TALLY_H

#include "repair.h"
#include "walk.h"
#include "why.h"

/* Nothing but counters: tally_move() adds them up as one row. */
struct sites_tally {
	uint64_t packets;
	/* ... in which nothing could be checked; fragments do not count. */
	uint64_t unchecked;
	uint64_t lengths; /* packets whose lengths of 0 were filled in */
	uint64_t snapped; /* sites that repair_snapped() has made known */
	uint64_t verdicts[SITE_CLASSES][PROTO_COUNT][VERDICT_COUNT];
	uint64_t repairs[PROTO_COUNT][REPAIR_COUNT];
	/* The rest is of sites of class SITE_REAL alone. */
	uint64_t reasons[REASON_COUNT];
	uint64_t notes[VERDICT_COUNT][NOTE_COUNT];
	uint64_t causes[CAUSE_COUNT];
};

enum { EDGE_NUMBERS = 1 << 16 };

struct tally {
	struct sites_tally sites;
	/*
	 * Packets for each number that ended a walk: counters, so that no input
	 * makes them slow, and a list of those that are not 0.
	 */
	uint64_t edges[EDGE_COUNT * EDGE_NUMBERS];
	uint32_t seen[EDGE_COUNT * EDGE_NUMBERS];
	uint32_t nseen;
};

/* NULL if there is no memory; free() ends it. */
struct tally *tally_new(void);

/* One site and its verdict. */
void tally_site(struct tally *t, const struct site *s, const struct check *c);

/* One packet, and its edge, if it has one that is not in a fragment. */
void tally_walk(struct tally *t, const struct walk *walk);

/* @packets that end at one edge; at EDGE_NONE: nothing. */
void tally_edges(struct tally *t, enum edge edge, unsigned number,
		 uint64_t packets);

/* Adds @from to @to; @from is 0 again. */
void tally_move(struct tally *to, struct tally *from);

/* The numbers in t->seen in their order. */
void tally_sort(struct tally *t);

static inline enum edge tally_edge_kind(const struct tally *t, uint32_t i)
{
	return (enum edge)(t->seen[i] / EDGE_NUMBERS);
}

static inline unsigned tally_edge_number(const struct tally *t, uint32_t i)
{
	return t->seen[i] % EDGE_NUMBERS;
}

/* Real sites that are bad. */
uint64_t tally_bad(const struct tally *t);

/* Sites of all protocols with which @what was done. */
uint64_t tally_repairs(const struct tally *t, enum repair what);

/* Packets of link types that the walk does not know. */
uint64_t tally_unknown_links(const struct tally *t);

#endif
