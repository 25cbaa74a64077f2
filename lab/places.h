/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * places.h - the bytes of a run, and the places in them that calls go to.
 *
 * Without a span all calls of a row go to one place.  With a span, calls go to
 * each place once before any comes up again, or to random ones.  Upwards and in
 * equal steps are arithmetic, over a power of two of places.  All other orders,
 * and places of different lengths, are written down in a table, which is read
 * in order.
 *
 * The table is drawn anew for each group of rows in each round.  The lengths of
 * a mix are drawn anew for each sample: a branch predictor learns thousands of
 * lengths by heart, and no traffic repeats itself like that.
 */
#ifndef CSUM_LAB_PLACES_H
#define CSUM_LAB_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pages.h"
#include "plan.h"

enum {
	LAB_LINE = 64, /* BYTES of a cache line */
	LAB_PAGE = 4096,
};

/* One entry of the table. */
struct lab_place {
	uint32_t at, len; /* BYTES */
	uint16_t want;	  /* the model's answer */
};

struct lab_places {
	const struct lab_plan *plan;
	struct lab_pages src_pages, dst_pages;
	uint8_t *src; /* starts a page */
	uint8_t *dst; /* starts a page; half a page is around each copy */
	size_t len;   /* BYTES of src */
	size_t near;  /* BYTES of dst in which one copy may go wrong */
	uint64_t random;
	size_t next;		 /* the place that the next call goes to */
	struct lab_place *table; /* NULL: places are arithmetic */
	size_t n;		 /* entries of the table */
	uint32_t *order;	 /* of the places of a span */
	size_t places;		 /* of a span, or that are drawn at random */
	size_t start;		 /* of the order, at the table's first entry */
	size_t apart;		 /* BYTES from one place to the next */
	size_t group;		 /* the rows that the table was drawn for */
};

/* The next calls of one row: where they begin and how they go on. */
struct lab_visits {
	uint8_t *src, *dst;
	size_t len;	      /* BYTES of each place without a table */
	size_t stride, count; /* BYTES between places, and how many there are */
	size_t step;	      /* from one call to the next, in places */
	size_t at;	      /* the place of the next call */
	const struct lab_place *table; /* or NULL */
};

/* Gets the bytes for @plan; false without memory.  End with lab_places_free().
 */
bool lab_places_alloc(struct lab_places *p, const struct lab_plan *plan);
void lab_places_free(struct lab_places *p);

/* New contents; the table is out of date then. */
void lab_places_fill(struct lab_places *p);

/* The contents in words. */
const char *lab_places_contents(const struct lab_places *p);

/* The place that a copy from @offset is written to. */
uint8_t *lab_places_dst(const struct lab_places *p, size_t offset);

/* Rows to draw places for. */
struct lab_spot {
	size_t size, offset;
	size_t period; /* see struct lab_plan */
	size_t group;
};

/*
 * Draws the table for the next @calls calls of a row, without its answers.
 * Returns false if the old one is still good.
 */
bool lab_places_draw(struct lab_places *p, const struct lab_spot *spot,
		     size_t calls);

/* Calls that go over all places of a row once. */
size_t lab_places_once(const struct lab_places *p, size_t size, size_t offset);

/* One place, the first of the row. */
struct lab_visits lab_places_stay(const struct lab_places *p, size_t size,
				  size_t offset);

/* The row's places from p->next on. */
struct lab_visits lab_places_visit(const struct lab_places *p, size_t size,
				   size_t offset);

#endif
