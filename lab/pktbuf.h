/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pktbuf.h - headers of packet buffers: when to initialise them, and what of
 * the difference is left in the work around it.
 *
 * A header of 256 bytes is taken from the pool of a CPU for a packet that has
 * arrived, handed over by a ring, and returned to its pool, by another ring,
 * once the packet is delivered: on the same CPU or on another.  The two never
 * work at the same time, so the time of both is what is measured, and no cost
 * can hide behind the other.
 */
#ifndef CSUM_LAB_PKTBUF_H
#define CSUM_LAB_PKTBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rounds.h"
#include "whynot.h"

/* The work around the initialising that is measured with it. */
enum lab_pktbuf_scope {
	LAB_PKTBUF_INIT, /* nothing */
	LAB_PKTBUF_PAIR, /* taking and returning */
	LAB_PKTBUF_WORK, /* receiving, summing and delivering a packet */
	LAB_PKTBUF_SCOPES,
};

struct lab_pktbuf_way {
	bool at_return; /* headers are initialised when returned, not taken */
	bool scattered; /* headers are not in the order of addresses */
	bool prefetch;	/* each header taken prefetches the next to be taken */
};

enum {
	LAB_PKTBUF_WAYS = 8,
	LAB_PKTBUF_BURST = 256,	   /* headers taken before any is returned */
	LAB_PKTBUF_LONGEST = 1984, /* packet, in BYTES */
};

struct lab_pktbuf_plan {
	int cpu;    /* CPU that receives and takes; -1: any */
	int other;  /* CPU that delivers and returns; -1: the same */
	size_t len; /* BYTES of a packet, 1 to LAB_PKTBUF_LONGEST */
	double seconds;
	uint32_t seed;
};

/* Must stay where it is. */
struct lab_pktbuf_run {
	struct lab_rounds time; /* for lab_rounds_run() */
	/* ns are of one packet */
	struct lab_timed items[LAB_PKTBUF_SCOPES][LAB_PKTBUF_WAYS];
	struct lab_timed *list[LAB_PKTBUF_SCOPES * LAB_PKTBUF_WAYS];
	struct lab_pktbuf *work; /* private to pktbuf.c */
};

struct lab_pktbuf_way lab_pktbuf_way(size_t index);

/*
 * Tries each way: headers must be initialised when they are taken, packets
 * delivered as they came, and summed as the model does.  Then run->time can be
 * run.  Returns false with the cause; whatever it returns, lab_pktbuf_end() is
 * due.
 */
bool lab_pktbuf_begin(struct lab_pktbuf_run *run,
		      const struct lab_pktbuf_plan *plan, char why[LAB_WHY]);

/* Ends the other CPU's thread; run->time keeps the samples. */
void lab_pktbuf_end(struct lab_pktbuf_run *run);

#endif
