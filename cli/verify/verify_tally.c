/* SPDX-License-Identifier: BSD-2-Clause */
/* verify_tally.c - counting verdicts, reasons, and what was not understood. */
#include <string.h>

#include "verify.h"

void tally_site(struct sites_tally *t, const struct site *s,
		const struct check *c)
{
	t->verdicts[s->class][s->protocol][c->verdict]++;
	if (c->verdict == VERDICT_UNVERIFIABLE && s->class == SITE_REAL)
		t->reasons[s->reason]++;
	if (c->note && s->class == SITE_REAL)
		t->notes[c->verdict][c->note]++;
}

void tally_edge(struct tally *t, uint32_t edge, uint64_t packets)
{
	if (t->edges[edge] == 0)
		t->seen[t->nseen++] = edge;
	t->edges[edge] += packets;
}

void sites_move(struct sites_tally *to, struct sites_tally *from)
{
	to->packets += from->packets;
	for (int class = 0; class < SITE_CLASSES; class ++)
		for (int p = 0; p < PROTO_COUNT; p++)
			for (int v = 0; v < VERDICT_COUNT; v++)
				to->verdicts[class][p][v] +=
					from->verdicts[class][p][v];
	for (int r = 0; r < REASON_COUNT; r++)
		to->reasons[r] += from->reasons[r];
	for (int v = 0; v < VERDICT_COUNT; v++)
		for (int n = 0; n < NOTE_COUNT; n++)
			to->notes[v][n] += from->notes[v][n];
	for (int c = 0; c < CAUSE_COUNT; c++)
		to->causes[c] += from->causes[c];
	memset(from, 0, sizeof(*from));
}

void tally_move(struct tally *to, struct tally *from)
{
	sites_move(&to->sites, &from->sites);
	for (uint32_t i = 0; i < from->nseen; i++) {
		tally_edge(to, from->seen[i], from->edges[from->seen[i]]);
		from->edges[from->seen[i]] = 0;
	}
	from->nseen = 0;
}

uint64_t tally_bad(const struct tally *t)
{
	uint64_t n = 0;

	for (int p = 0; p < PROTO_COUNT; p++)
		n += t->sites.verdicts[SITE_REAL][p][VERDICT_BAD];
	return n;
}
