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
	MOST_PLACES = LAB_MAX_PERIOD,
	DECK = 1024, /* lengths */
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
	if (!needs_table(plan))
		return true;
	p->table = calloc(MOST_PLACES, sizeof(*p->table));
	p->order = calloc(MOST_PLACES, sizeof(*p->order));
	return p->table && p->order;
}

void lab_places_free(struct lab_places *p)
{
	free(p->order);
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

static size_t below(uint64_t *state, size_t n)
{
	return (size_t)(((splitmix64(state) >> 32) * n) >> 32);
}

static size_t random_below(struct lab_places *p, size_t n)
{
	return below(&p->random, n);
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

/* Entry @i, which has its length. */
static void draw_place(struct lab_places *p, size_t i)
{
	const struct lab_plan *plan = p->plan;
	struct lab_place *place = &p->table[i];
	size_t room = plan->span > place->len ? plan->span - place->len : 0;
	size_t index = (p->start + i) % p->places;

	place->at = 0;
	if (plan->order == LAB_RANDOM)
		place->at = (uint32_t)random_below(p, room);
	else if (plan->order == LAB_RANDOM_EVEN)
		place->at = (uint32_t)random_below(p, room) & ~UINT32_C(1);
	else if (plan->span)
		place->at = (uint32_t)(p->order[index] * p->apart);
	if (plan->jitter && place->len)
		shorten(p, place);
}

/* --- lengths --- */

/*
 * Lengths come in decks, each of which has every length of the mix as often as
 * comes up, in a new order: so samples differ little in their mean, and no
 * order repeats.
 */
struct deck {
	const struct lab_mix *mix;
	uint64_t *state;
	size_t size, left;
	uint32_t cards[DECK];
};

static void shuffle_deck(struct deck *d)
{
	for (size_t i = 0; i < d->size; i++) {
		/* one length from each of as many equal parts of the mix */
		size_t part = (i << 16 | below(d->state, 1 << 16));
		size_t j = below(d->state, i + 1);

		d->cards[i] = d->cards[j];
		d->cards[j] =
			d->mix->lengths[part * d->mix->n / (d->size << 16)];
	}
	d->left = d->size;
}

static uint32_t deal(struct deck *d)
{
	if (!d->left)
		shuffle_deck(d);
	return d->cards[--d->left];
}

static void draw_lengths(struct lab_places *p, const struct lab_spot *spot)
{
	const size_t period = spot->period;
	/* lengths that repeat do so in the next round too */
	uint64_t same = p->plan->seed;
	struct deck d = { .mix = p->plan->mix,
			  .state = period ? &same : &p->random,
			  .size = period && period < DECK ? period : DECK };

	for (size_t i = 0; i < p->n; i++)
		p->table[i].len = !d.mix ? (uint32_t)spot->size
				  : period && i >= period
					  ? p->table[i - period].len
					  : deal(&d);
}

/* --- all of it --- */

static size_t places_to_draw(const struct lab_plan *plan, size_t stride)
{
	size_t n = plan->span / (stride ? stride : LAB_LINE);

	/* bytes that were flushed are met once, or hardly more often */
	if ((plan->order == LAB_RANDOM || plan->order == LAB_RANDOM_EVEN) &&
	    !plan->flush)
		n = MOST_PLACES;
	return n > MOST_PLACES ? MOST_PLACES : n ? n : 1;
}

/* The places of a span in the order in which calls go over them. */
static void lay_places(struct lab_places *p, const struct lab_spot *spot)
{
	const bool shuffled = p->plan->order == LAB_SHUFFLED;
	const size_t stride = stride_of(spot->size, spot->offset);

	p->places = places_to_draw(p->plan, stride);
	/* if there are too many places for the table, all over the span */
	p->apart = p->plan->span / p->places / LAB_LINE * LAB_LINE;
	if (p->apart < stride)
		p->apart = stride;
	for (size_t i = 0; i < p->places; i++) {
		size_t j = shuffled ? random_below(p, i + 1) : i;

		p->order[i] = p->order[j];
		p->order[j] = (uint32_t)i;
	}
	p->group = spot->group;
	p->start = 0;
	p->n = 0;
}

/* Entries of a table that is good for more than one sample. */
static size_t lasting_entries(const struct lab_places *p, size_t period)
{
	size_t n = p->places;

	if (!p->plan->mix)
		return n;
	n = (n + period - 1) / period * period;
	return n < MOST_PLACES ? n : MOST_PLACES / period * period;
}

bool lab_places_draw(struct lab_places *p, const struct lab_spot *spot,
		     size_t calls)
{
	const bool fresh = p->plan->mix && !spot->period;
	const bool valid = p->group == spot->group;

	if (valid && !fresh)
		return false;
	if (!valid)
		lay_places(p, spot);
	p->start = (p->start + p->n) % p->places;
	p->n = calls < MOST_PLACES ? calls : MOST_PLACES;
	if (!fresh)
		p->n = lasting_entries(p, spot->period);
	p->next = 0;
	draw_lengths(p, spot);
	for (size_t i = 0; i < p->n; i++)
		draw_place(p, i);
	return true;
}

size_t lab_places_once(const struct lab_places *p, size_t size, size_t offset)
{
	const size_t stride = stride_of(size, offset);

	return p->table ? places_to_draw(p->plan, stride)
			: places_in(p->plan->span, stride);
}
