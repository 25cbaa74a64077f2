/* SPDX-License-Identifier: BSD-2-Clause */
/* tally.c - counting verdicts, repairs, and what was not understood. */
#include "tally.h"

#include <stdlib.h>
#include <string.h>

struct tally *tally_new(void)
{
	return calloc(1, sizeof(struct tally));
}

void tally_site(struct tally *t, const struct site *s, const struct check *c)
{
	t->sites.verdicts[s->class][s->protocol][c->verdict]++;
	if (c->verdict == VERDICT_UNVERIFIABLE && s->class == SITE_REAL)
		t->sites.reasons[c->reason]++;
	if (c->note && s->class == SITE_REAL)
		t->sites.notes[c->verdict][c->note]++;
}

static void add_edge(struct tally *t, uint32_t index, uint64_t packets)
{
	if (t->edges[index] == 0)
		t->seen[t->nseen++] = index;
	t->edges[index] += packets;
}

void tally_walk(struct tally *t, const struct walk *walk)
{
	t->sites.packets++;
	/* what is met in a fragment is that of its message */
	if (!walk->has_fragment || !edge_is_inside(walk))
		tally_edges(t, walk->edge, walk->edge_number, 1);
}

void tally_edges(struct tally *t, enum edge edge, unsigned number,
		 uint64_t packets)
{
	if (edge)
		add_edge(t, (uint32_t)edge * EDGE_NUMBERS + number, packets);
}

void tally_move(struct tally *to, struct tally *from)
{
	uint64_t *sum = (uint64_t *)&to->sites;
	const uint64_t *more = (const uint64_t *)&from->sites;

	for (size_t i = 0; i < sizeof(to->sites) / sizeof(*sum); i++)
		sum[i] += more[i];
	memset(&from->sites, 0, sizeof(from->sites));
	for (uint32_t i = 0; i < from->nseen; i++) {
		add_edge(to, from->seen[i], from->edges[from->seen[i]]);
		from->edges[from->seen[i]] = 0;
	}
	from->nseen = 0;
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

void tally_sort(struct tally *t)
{
	qsort(t->seen, t->nseen, sizeof(*t->seen), by_number);
}

uint64_t tally_bad(const struct tally *t)
{
	uint64_t n = 0;

	for (int p = 0; p < PROTO_COUNT; p++)
		n += t->sites.verdicts[SITE_REAL][p][VERDICT_BAD];
	return n;
}

uint64_t tally_repairs(const struct tally *t, enum repair what)
{
	uint64_t n = 0;

	for (int p = 0; p < PROTO_COUNT; p++)
		n += t->sites.repairs[p][what];
	return n;
}

uint64_t tally_unknown_links(const struct tally *t)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < t->nseen; i++)
		if (tally_edge_kind(t, i) == EDGE_LINKTYPE)
			n += t->edges[t->seen[i]];
	return n;
}
