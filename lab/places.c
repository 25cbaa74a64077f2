/* SPDX-License-Identifier: BSD-2-Clause */
/* places.c - gets the bytes, fills them, and draws the table of places. */
#include "places.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "splitmix.h"

enum {
	/* random bytes repeat after so many, if there are more */
	PERIOD = 1 << 20,
	MOST_PLACES = 1 << 20,
};

static bool needs_table(const struct lab_plan *plan)
{
	return (plan->span && plan->order <= LAB_RANDOM_EVEN) || plan->jitter ||
	       plan->mix;
}

bool lab_places_alloc(struct lab_places *p, const struct lab_plan *plan)
{
	const size_t end = lab_plan_longest(plan);

	assert(!plan->data || !(plan->span || needs_table(plan)));
	*p = (struct lab_places){ .plan = plan,
				  .random = ~(uint64_t)plan->seed,
				  .group = SIZE_MAX };
	p->near = (end / LAB_PAGE + 2) * LAB_PAGE;
	/* the last place of a span begins in it */
	p->len = ((plan->span + end) / LAB_PAGE + 1) * LAB_PAGE;
	if (!lab_pages_alloc(&p->src_pages, p->len, plan->pages) ||
	    !lab_pages_alloc(&p->dst_pages, p->len + LAB_PAGE, plan->pages))
		return false;
	p->src = p->src_pages.p;
	p->dst = p->dst_pages.p;
	if (needs_table(plan))
		p->table = calloc(MOST_PLACES, sizeof(*p->table));
	return p->table || !needs_table(plan);
}

void lab_places_free(struct lab_places *p)
{
	free(p->table);
	lab_pages_free(&p->dst_pages);
	lab_pages_free(&p->src_pages);
}

/* ------------------------------------------------------------------------
 * Contents
 */

static void fill_randomly(struct lab_places *p)
{
	/* with a table all lines are alike: so is what each call sees */
	size_t period = p->plan->span || p->table ? LAB_LINE : PERIOD;

	if (period > p->len)
		period = p->len;
	for (size_t i = 0; i < period; i += sizeof(uint64_t)) {
		uint64_t word = splitmix64(&p->random);

		memcpy(p->src + i, &word, sizeof(word));
	}
	for (size_t n; period < p->len; period += n) {
		n = p->len - period < period ? p->len - period : period;
		memcpy(p->src + period, p->src, n);
	}
}

void lab_places_fill(struct lab_places *p)
{
	p->group = SIZE_MAX;
	if (p->plan->data)
		memcpy(p->src, p->plan->data, lab_plan_longest(p->plan));
	else
		fill_randomly(p);
}

const char *lab_places_contents(const struct lab_places *p)
{
	return p->plan->data ? "the bytes given" : "random bytes";
}

/* ------------------------------------------------------------------------
 * Visits
 */

/*
 * The destination is half a page away from where the source is in its page:
 * were both in the same place, loads would wait for stores that have the same
 * lower address bits.
 */
uint8_t *lab_places_dst(const struct lab_places *p, size_t offset)
{
	return p->dst + LAB_PAGE / 2 + offset;
}

/* BYTES from one place to the next: whole lines. */
static size_t stride_of(size_t size, size_t offset)
{
	return (offset + size + LAB_LINE - 1) / LAB_LINE * LAB_LINE;
}

/* The places of a row without a table: a power of two. */
static size_t places_in(size_t span, size_t stride)
{
	size_t count = 1;

	while (stride && 2 * count * stride <= span)
		count *= 2;
	return count;
}

struct lab_visits lab_places_stay(const struct lab_places *p, size_t size,
				  size_t offset)
{
	return (struct lab_visits){ .src = p->src + offset,
				    .dst = lab_places_dst(p, offset),
				    .len = size,
				    .count = 1 };
}

struct lab_visits lab_places_visit(const struct lab_places *p, size_t size,
				   size_t offset)
{
	struct lab_visits v = lab_places_stay(p, size, offset);

	if (p->table) {
		v.table = p->table;
		v.count = p->n;
		v.at = p->next % v.count;
		return v;
	}
	v.stride = stride_of(size, offset);
	v.count = places_in(p->plan->span, v.stride);
	/* odd, so all come up; near the golden section they fill in evenly */
	v.step = p->plan->order == LAB_SEQUENTIAL
			 ? 1
			 : (size_t)((double)v.count * 0.618) | 1;
	v.at = p->next & (v.count - 1);
	return v;
}

/* ------------------------------------------------------------------------
 * The table
 */

static size_t random_below(struct lab_places *p, size_t n)
{
	return n ? (size_t)(splitmix64(&p->random) % n) : 0;
}

/* Moves both ends inwards, by as much as leaves one byte at most. */
static void shorten(struct lab_places *p, struct lab_place *place)
{
	size_t most = p->plan->jitter;
	size_t start, end;

	if (most > (place->len - 1) / 2)
		most = (place->len - 1) / 2;
	start = random_below(p, most + 1);
	end = random_below(p, most + 1);
	place->at += (uint32_t)start;
	place->len -= (uint32_t)(start + end);
}

/* Entry @i, before the order is shuffled. */
static void draw_place(struct lab_places *p, size_t size, size_t i)
{
	const struct lab_plan *plan = p->plan;
	struct lab_place *place = &p->table[i];
	size_t room;

	*place = (struct lab_place){ .len = (uint32_t)size };
	if (plan->mix)
		place->len = plan->mix->lengths[random_below(p, plan->mix->n)];
	room = plan->span > place->len ? plan->span - place->len : 0;
	if (plan->order == LAB_RANDOM)
		place->at = (uint32_t)random_below(p, room);
	else if (plan->order == LAB_RANDOM_EVEN)
		place->at = (uint32_t)random_below(p, room) & ~UINT32_C(1);
	else if (plan->span)
		place->at = (uint32_t)(i * p->apart);
	if (plan->jitter && place->len)
		shorten(p, place);
}

static size_t table_size(const struct lab_plan *plan, size_t stride)
{
	size_t n = plan->span / (stride ? stride : LAB_LINE);

	/* lengths in another order each time, or they would be learnt */
	if (plan->mix && n < MOST_PLACES / 16)
		n = plan->span ? n : MOST_PLACES / 16;
	/* what has been flushed is met once, or hardly more often */
	if ((plan->order == LAB_RANDOM || plan->order == LAB_RANDOM_EVEN) &&
	    !plan->flush)
		n = MOST_PLACES;
	return n > MOST_PLACES ? MOST_PLACES : n ? n : 1;
}

static void shuffle_places(struct lab_places *p)
{
	for (size_t i = p->n; i > 1; i--) {
		size_t j = random_below(p, i);
		struct lab_place place = p->table[j];

		p->table[j] = p->table[i - 1];
		p->table[i - 1] = place;
	}
}

void lab_places_draw(struct lab_places *p, size_t size, size_t offset,
		     size_t group)
{
	const struct lab_plan *plan = p->plan;
	const size_t stride = stride_of(size, offset);

	p->n = table_size(plan, stride);
	/* if there are too many places for the table, all over the span */
	p->apart = plan->span / p->n / LAB_LINE * LAB_LINE;
	if (p->apart < stride)
		p->apart = stride;
	for (size_t i = 0; i < p->n; i++)
		draw_place(p, size, i);
	if (plan->span && plan->order == LAB_SHUFFLED)
		shuffle_places(p);
	p->group = group;
	p->next = 0;
}

size_t lab_places_once(const struct lab_places *p, size_t size, size_t offset)
{
	const size_t stride = stride_of(size, offset);

	return p->table ? table_size(p->plan, stride)
			: places_in(p->plan->span, stride);
}
