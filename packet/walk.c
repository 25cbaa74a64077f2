/* SPDX-License-Identifier: BSD-2-Clause */
/* walk.c - the walk over a packet: where it starts, and what all parts need. */
#include <string.h>

#include "layer.h"

struct site *walk_add(const struct layer *l, enum protocol protocol)
{
	struct walk *w = l->walk;
	/* sites beyond WALK_SITES share the place behind the last, uncounted */
	struct site *s = &w->sites[w->count];

	if (w->count < WALK_SITES)
		w->count++;
	else
		walk_edge(l, EDGE_SITES, WALK_SITES);
	memset(s, 0, sizeof(*s));
	s->protocol = protocol;
	s->class = l->class;
	s->depth = l->depth;
	s->start = l->at;
	s->ip = l->ip;
	s->unfinished =
		l->class == SITE_REAL && l->packet->flags & PACKET_UNFINISHED;
	s->damaged = l->damaged;
	s->said_valid = l->class == SITE_REAL &&
			l->packet->flags & PACKET_CHECKSUM_VALID;
	s->no_length = l->no_length;
	return s;
}

/* What a quoted packet carries is not for us to know. */
void walk_edge(const struct layer *l, enum edge edge, uint16_t number)
{
	if (l->class == SITE_QUOTED)
		return;
	l->walk->edge = edge;
	l->walk->edge_number = number;
	l->walk->edge_at = l->at;
}

const uint8_t *layer_take(struct layer *l, uint32_t n)
{
	const uint8_t *p = layer_peek(l, n);

	if (p)
		layer_skip(l, n);
	else
		walk_add(l, PROTO_LINK)->reason = layer_lack(l, n);
	return p;
}

void layer_enter_fragment(struct layer *l, uint64_t end)
{
	if (l->end < l->limit)
		l->limit = l->end;
	l->end = l->reach = end;
	l->fragment = true;
}

bool layer_enter(struct layer *l)
{
	if (l->end < l->limit)
		l->limit = l->end;
	if (!l->fragment)
		l->reach = l->limit;
	else if (l->end < l->reach)
		l->reach = l->end;
	l->end = l->reach > l->at ? l->reach : l->at;
	if (l->nested == WALK_DEPTH) {
		walk_edge(l, EDGE_DEPTH, WALK_DEPTH);
		return false;
	}
	l->nested++;
	return true;
}

void walk_open(const struct layer *l, struct site *s)
{
	l->walk->has_fragment = true;
	s->open = true;
}

/* What begins in a first fragment and is not all there goes on in others. */
static bool goes_on(const struct site *s)
{
	return s->class == SITE_REAL && s->reason && s->rule != RULE_NONE &&
	       s->reason != REASON_ENCRYPTED && s->reason != REASON_COMPRESSED;
}

/* Of several fragments in one frame, the last one is put together. */
static void open_sites(struct walk *walk)
{
	const struct fragment *p = &walk->fragment;

	for (unsigned i = 0; i < walk->count; i++) {
		struct site *s = &walk->sites[i];
		const bool inside =
			s->start >= p->at && s->start - p->at <= p->len;

		s->open = inside && (s->open || (!p->offset && goes_on(s)));
	}
}

void walk_packet(const struct packet *packet, struct walk *walk)
{
	struct layer l = {
		.packet = packet,
		.walk = walk,
		.end = packet->wirelen,
		.limit = packet->wirelen,
	};

	walk->count = 0;
	walk->edge = EDGE_NONE;
	walk->nothing = walk->has_fragment = false;
	walk->nbuilt = 0;
	walk->vlans.count = 0;
	walk_frame(&l);
	if (walk->has_fragment)
		open_sites(walk);
}
