/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ranking.h - of whom, where and when most checksums are wrong, in bounded
 * memory: by host, flow, interface, port, cause or time.
 *
 * A table of a fixed size.  Where it is full, who has a wrong checksum takes
 * the place of one with fewer; what goes, and what finds no place, is counted
 * as dropped.  A row that came after something was dropped may have had more:
 * it says so.
 */
#ifndef DIAGNOSIS_RANKING_H
#define DIAGNOSIS_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "endpoints.h"

enum rank_by {
	BY_HOST, /* source address */
	BY_FLOW, /* one direction: protocol, addresses, ports */
	BY_INTERFACE,
	BY_PORT, /* the lower one of the two, which is mostly the service's */
	BY_CAUSE,
	BY_TIME,
	BY_COUNT
};

/* More rows would be more exact, and their tags would leave the cache. */
enum { RANK_ROWS = 1 << 14, RANK_TIMES = 1024 };

struct rank_counts {
	uint64_t bad, partial, all; /* checksums; good ones are in @all alone */
};

/* Checksums of one packet with the same ends. */
struct sighting {
	uint64_t time; /* ns since 1970; 0: unknown */
	struct endpoints ends;
	uint32_t interface;
	unsigned cause; /* enum cause, of those that are bad or partial */
	struct rank_counts counts;
};

/* As far as the ranking is by it; the rest is 0. */
struct rank_key {
	struct endpoints ends; /* of BY_PORT: protocol and src_port */
	uint64_t number;       /* interface, cause; time: see rank_width() */
};

struct rank_row {
	struct rank_key key;
	struct rank_counts counts;
	uint64_t first, last; /* times of bad or partial ones; 0: unknown */
	bool used;
	bool late; /* the counts are at least these */
};

struct ranking {
	enum rank_by by;
	struct rank_row *rows; /* see ranking_sort() */
	struct rank_counts total, dropped;
	uint64_t dropped_rows; /* times that a row went, or found no place */
	unsigned width;	       /* BY_TIME: which one, see rank_width() */
	/* private to ranking.c */
	struct rank_row *memory;
	struct rank_row *half; /* BY_TIME: the half of it that is not @rows */
	uint64_t from, to;     /* BY_TIME: the least and greatest number */
	bool begun;
	struct rank_row *recent; /* the row that was used last */
	uint16_t *tags; /* of each row, a part of its hash; 0: it is free */
};

/* False if there is no memory. */
bool ranking_init(struct ranking *r, enum rank_by by);
void ranking_free(struct ranking *r);

/* In the order of the file: then the ranking is the same each time. */
void ranking_add(struct ranking *r, const struct sighting *s);

/*
 * Sorts: most bad first, then most partial, then the rest in any order; BY_TIME
 * by time, in at most @times intervals.  Returns how many rows there are, from
 * r->rows on.  Nothing is added afterwards.
 */
size_t ranking_sort(struct ranking *r, unsigned times);

/* BY_TIME: ns from one number to the next; number 0 begins with 1970. */
uint64_t rank_width(const struct ranking *r);

#endif
