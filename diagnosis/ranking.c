/* SPDX-License-Identifier: BSD-2-Clause */
/* ranking.c - a table of a fixed size; see ranking.h. */
#include "ranking.h"

#include <stdlib.h>
#include <string.h>

enum { WAYS = 8 };

bool ranking_init(struct ranking *r, enum rank_by by)
{
	*r = (struct ranking){ .by = by };
	r->memory = calloc(by == BY_TIME ? 2 * RANK_TIMES : RANK_ROWS,
			   sizeof(*r->memory));
	r->rows = r->memory;
	r->half = r->memory ? r->memory + RANK_TIMES : NULL;
	r->tags = by == BY_TIME ? NULL : calloc(RANK_ROWS, sizeof(*r->tags));
	return r->memory && (r->tags || by == BY_TIME);
}

void ranking_free(struct ranking *r)
{
	free(r->memory);
	free(r->tags);
	*r = (struct ranking){ .by = r->by };
}

static void add_counts(struct rank_counts *to, const struct rank_counts *from)
{
	to->bad += from->bad;
	to->partial += from->partial;
	to->all += from->all;
}

static uint64_t wrong(const struct rank_counts *c)
{
	return c->bad + c->partial;
}

static void extend(struct rank_row *row, uint64_t first, uint64_t last)
{
	if (first && (!row->first || first < row->first))
		row->first = first;
	if (last > row->last)
		row->last = last;
}

static void add_to_row(struct rank_row *row, const struct sighting *s)
{
	add_counts(&row->counts, &s->counts);
	if (wrong(&s->counts))
		extend(row, s->time, s->time);
}

static void drop(struct ranking *r, const struct rank_counts *c)
{
	add_counts(&r->dropped, c);
	r->dropped_rows++;
}

/* --- by time ---------------------------------------------------------------
 */

/* Each a multiple of the one before. */
static const uint64_t widths[] = {
	UINT64_C(1000000),	     UINT64_C(10000000),
	UINT64_C(100000000),	     UINT64_C(1000000000),
	UINT64_C(10000000000),	     UINT64_C(60000000000),
	UINT64_C(600000000000),	     UINT64_C(3600000000000),
	UINT64_C(86400000000000),    UINT64_C(864000000000000),
	UINT64_C(8640000000000000), /* 100 days: 2^64 ns have 2136 of them */
	UINT64_C(86400000000000000),
};

uint64_t rank_width(const struct ranking *r)
{
	return widths[r->width];
}

/* The row of a number in one of the two halves of the table. */
static struct rank_row *time_place(struct rank_row *half, uint64_t number)
{
	return &half[number % RANK_TIMES];
}

/* The next width: rows go to the other half, and some become one. */
static void widen(struct ranking *r)
{
	const uint64_t ratio = widths[r->width + 1] / widths[r->width];
	struct rank_row *to = r->half;

	memset(to, 0, RANK_TIMES * sizeof(*to));
	for (uint64_t n = r->from; n <= r->to; n++) {
		const struct rank_row *row = time_place(r->rows, n);
		struct rank_row *place = time_place(to, n / ratio);

		if (!row->used)
			continue;
		place->used = true;
		place->key.number = n / ratio;
		add_counts(&place->counts, &row->counts);
		extend(place, row->first, row->last);
	}
	r->half = r->rows;
	r->rows = to;
	r->from /= ratio;
	r->to /= ratio;
	r->width++;
}

static bool takes(const struct ranking *r, uint64_t number)
{
	const uint64_t from = number < r->from ? number : r->from;
	const uint64_t to = number > r->to ? number : r->to;

	return to - from < RANK_TIMES;
}

static struct rank_row *time_row(struct ranking *r, uint64_t time)
{
	uint64_t number = time / rank_width(r);
	struct rank_row *row;

	if (!r->begun)
		r->from = r->to = number;
	r->begun = true;
	while (!takes(r, number)) {
		widen(r);
		number = time / rank_width(r);
	}
	r->from = number < r->from ? number : r->from;
	r->to = number > r->to ? number : r->to;
	row = time_place(r->rows, number);
	row->used = true;
	row->key.number = number;
	return row;
}

/* --- by a key --------------------------------------------------------------
 */

static struct rank_key key_of(enum rank_by by, const struct sighting *s)
{
	const struct endpoints *e = &s->ends;
	struct rank_key k;

	memset(&k, 0, sizeof(k));
	switch (by) {
	case BY_HOST:
		k.ends.version = e->version;
		memcpy(k.ends.src, e->src, sizeof(e->src));
		break;
	case BY_FLOW:
		memcpy(&k.ends, e, sizeof(*e));
		break;
	case BY_PORT:
		k.ends.has_ports = e->has_ports;
		if (!e->has_ports)
			break;
		k.ends.protocol = e->protocol;
		k.ends.src_port =
			e->src_port < e->dst_port ? e->src_port : e->dst_port;
		break;
	case BY_CAUSE:
		k.number = s->cause;
		break;
	default:
		k.number = s->interface;
		break;
	}
	return k;
}

/* Words times odd numbers, added up, so that they need not wait for each other;
 * then the mixing of SplitMix64. */
static uint64_t hash_of(const struct rank_key *k)
{
	static const uint64_t factors[] = {
		UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xbf58476d1ce4e5b9),
		UINT64_C(0x94d049bb133111eb), UINT64_C(0xd6e8feb86659fd93),
		UINT64_C(0xff51afd7ed558ccd), UINT64_C(0xc4ceb9fe1a85ec53),
	};
	enum { WORDS = sizeof(*k) / sizeof(uint64_t) };
	uint64_t words[WORDS], h = 0;

	_Static_assert(WORDS == sizeof(factors) / sizeof(factors[0]),
		       "a factor for each word");
	memcpy(words, k, sizeof(words));
	for (int i = 0; i < WORDS; i++)
		h += (words[i] ^ words[i] >> 32) * factors[i];
	h = (h ^ h >> 31) * factors[0];
	return h ^ h >> 32;
}

/* Of two rows the one to give up: fewer wrong ones, then fewer of all. */
static bool poorer(const struct rank_row *a, const struct rank_row *b)
{
	if (wrong(&a->counts) != wrong(&b->counts))
		return wrong(&a->counts) < wrong(&b->counts);
	return a->counts.all < b->counts.all;
}

static struct rank_row *begin_row(struct ranking *r, size_t at, uint16_t tag,
				  const struct rank_key *key)
{
	r->tags[at] = tag;
	r->rows[at] = (struct rank_row){
		.key = *key,
		.used = true,
		.late = r->dropped_rows > 0,
	};
	return &r->rows[at];
}

/* A new row, in the place of the poorest of its set. */
static struct rank_row *replace(struct ranking *r, size_t set, uint16_t tag,
				const struct rank_key *key)
{
	size_t poorest = set;

	for (size_t at = set + 1; at < set + WAYS; at++)
		if (poorer(&r->rows[at], &r->rows[poorest]))
			poorest = at;
	drop(r, &r->rows[poorest].counts);
	return begin_row(r, poorest, tag, key);
}

/*
 * The row of @key; NULL if there is no place for what has nothing wrong.  Most
 * packets of a full table are of that kind, and touch its tags alone.
 */
static struct rank_row *key_row(struct ranking *r, const struct rank_key *key,
				bool is_wrong)
{
	const uint64_t hash = hash_of(key);
	const size_t set = hash % (RANK_ROWS / WAYS) * WAYS;
	const uint16_t tag = (uint16_t)(hash >> 48) | 1; /* 0: free */

	for (size_t at = set; at < set + WAYS; at++) {
		if (!r->tags[at])
			return begin_row(r, at, tag, key);
		if (r->tags[at] == tag &&
		    memcmp(&r->rows[at].key, key, sizeof(*key)) == 0)
			return &r->rows[at];
	}
	return is_wrong ? replace(r, set, tag, key) : NULL;
}

static struct rank_row *row_of(struct ranking *r, const struct sighting *s)
{
	struct rank_key key;

	if (r->by == BY_TIME)
		return s->time ? time_row(r, s->time) : NULL;
	key = key_of(r->by, s);
	if (r->recent && memcmp(&r->recent->key, &key, sizeof(key)) == 0)
		return r->recent;
	return key_row(r, &key, wrong(&s->counts) > 0);
}

void ranking_add(struct ranking *r, const struct sighting *s)
{
	struct rank_row *row;

	/* what is right has no cause */
	if (r->by == BY_CAUSE && !wrong(&s->counts))
		return;
	add_counts(&r->total, &s->counts);
	row = row_of(r, s);
	if (row)
		add_to_row(row, s);
	else
		drop(r, &s->counts);
	r->recent = row;
}

/* --- the ranking -----------------------------------------------------------
 */

static int by_number(const void *a, const void *b)
{
	const struct rank_row *x = a, *y = b;

	return x->key.number < y->key.number ? -1
					     : x->key.number > y->key.number;
}

static int descending(uint64_t a, uint64_t b)
{
	return a > b ? -1 : a < b;
}

static int by_wrong(const void *a, const void *b)
{
	const struct rank_row *x = a, *y = b;

	if (x->counts.bad != y->counts.bad)
		return descending(x->counts.bad, y->counts.bad);
	if (x->counts.partial != y->counts.partial)
		return descending(x->counts.partial, y->counts.partial);
	if (x->counts.all != y->counts.all)
		return descending(x->counts.all, y->counts.all);
	/* any order, but the same each time */
	return memcmp(&x->key, &y->key, sizeof(x->key));
}

/* Rows that are used to the front: those with something wrong before others.
 * Returns how many these are. */
static size_t wrong_first(struct ranking *r, size_t n)
{
	size_t front = 0;

	for (size_t i = 0; i < n; i++) {
		const struct rank_row row = r->rows[i];

		if (!wrong(&row.counts))
			continue;
		r->rows[i] = r->rows[front];
		r->rows[front++] = row;
	}
	return front;
}

size_t ranking_sort(struct ranking *r, unsigned times)
{
	const size_t size = r->by == BY_TIME ? RANK_TIMES : RANK_ROWS;
	size_t n = 0;

	while (r->by == BY_TIME && r->to - r->from >= times)
		widen(r);
	for (size_t i = 0; i < size; i++)
		if (r->rows[i].used)
			r->rows[n++] = r->rows[i];
	if (r->by == BY_TIME)
		qsort(r->rows, n, sizeof(*r->rows), by_number);
	else
		qsort(r->rows, wrong_first(r, n), sizeof(*r->rows), by_wrong);
	return n;
}
