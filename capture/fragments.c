/* SPDX-License-Identifier: BSD-2-Clause */
/* fragments.c - the sum of a message from those of its pieces. */
#include "fragments.h"

#include <stdlib.h>
#include <string.h>

#include "layer.h"

struct part {
	uint32_t offset, len;
	csum_wsum sum;
};

struct message {
	bool used;
	bool spoilt; /* it has been reported: its pieces overlap */
	bool cut;
	bool has_first, has_last;
	uint64_t turn; /* when its last piece came */
	uint64_t frame;
	uint32_t total, have; /* BYTES */
	unsigned nparts;
	struct part parts[FRAGMENT_PIECES];
	struct fragment first; /* until it comes, any other */
};

struct fragments {
	fragments_report *report;
	void *context;
	uint64_t turn;
	struct message rows[FRAGMENT_ROWS][FRAGMENT_ROW];
};

struct fragments *fragments_new(fragments_report *report, void *context)
{
	struct fragments *f = calloc(1, sizeof(*f));

	if (f) {
		f->report = report;
		f->context = context;
	}
	return f;
}

void fragments_free(struct fragments *f)
{
	free(f);
}

/* A checksum around the packet covers what is in it. */
static bool is_covered(const struct walk *walk)
{
	for (unsigned i = 0; i + 1 < walk->count; i++) {
		const struct site *s = &walk->sites[i];

		if (!s->reason && s->start <= walk->piece.at &&
		    walk->piece.at - s->start < s->len)
			return true;
	}
	return false;
}

static void take_first(const struct packet *packet, const struct site *s,
		       struct fragment *f)
{
	size_t address = s->pseudo_header.ipv6 ? 16 : 4;
	const uint8_t *end = packet->data + f->piece.at + f->piece.len;
	const uint8_t *start = packet->data + s->start;
	uint32_t len = (uint32_t)(end - start);

	f->field_offset = packet->offset + s->field;
	if (!s->has_field)
		return; /* site.reason says why */
	f->found = be16(packet->data + s->field);
	if (!f->cut)
		f->sum = csum_without(start, len, s->field - s->start);
	if (s->pseudo_header.src) {
		memcpy(f->pseudo_src, s->pseudo_header.src, address);
		memcpy(f->pseudo_dst, s->pseudo_header.dst, address);
	}
}

void fragment_take(const struct packet *packet, const struct walk *walk,
		   struct fragment *f)
{
	const struct site *s = &walk->sites[walk->count - 1];
	const struct piece *p = &walk->piece;
	size_t address = p->ipv6 ? 16 : 4;

	*f = (struct fragment){
		.frame = packet->frame,
		.piece = *p,
		.site = *s,
		.cut = (uint64_t)p->at + p->len > packet->caplen,
	};
	f->site.ip = NULL; /* will have gone when it is needed */
	f->site.whole.covered = is_covered(walk);
	memcpy(f->src, p->src, address);
	memcpy(f->dst, p->dst, address);
	if (p->offset == 0)
		take_first(packet, s, f);
	else if (!f->cut)
		f->sum = csum_partial(packet->data + p->at, p->len, 0);
}

static bool same_message(const struct fragment *a, const struct fragment *b)
{
	/* the header in front of a fragment of IPv6 is not part of it */
	return a->piece.id == b->piece.id && a->piece.ipv6 == b->piece.ipv6 &&
	       (a->piece.ipv6 || a->piece.protocol == b->piece.protocol) &&
	       memcmp(a->src, b->src, sizeof(a->src)) == 0 &&
	       memcmp(a->dst, b->dst, sizeof(a->dst)) == 0;
}

/* FNV-1a, which is enough to spread what nobody has chosen to collide. */
static unsigned row_of(const struct fragment *f)
{
	uint32_t hash = 2166136261u ^ f->piece.id;

	for (unsigned i = 0; i < sizeof(f->src); i++)
		hash = (hash * 16777619u) ^ (f->src[i] + 3u * f->dst[i]);
	hash *= 16777619u;
	return (hash >> 16) % FRAGMENT_ROWS;
}

static void report(struct fragments *f, const struct message *m, uint64_t frame,
		   enum reason reason)
{
	struct site s = m->first.site;

	s.reason = reason;
	s.has_field = false;
	f->report(f->context, frame, &s);
}

static void drop(struct fragments *f, struct message *m)
{
	if (m->used && !m->spoilt)
		report(f, m, m->frame, REASON_FRAGMENT_LOST);
	m->used = false;
}

static struct message *find(struct fragments *f, const struct fragment *piece)
{
	struct message *row = f->rows[row_of(piece)], *oldest = row;

	for (int i = 0; i < FRAGMENT_ROW; i++) {
		struct message *m = &row[i];

		if (m->used && same_message(&m->first, piece))
			return m;
		if (!m->used || (oldest->used && m->turn < oldest->turn))
			oldest = m;
	}
	drop(f, oldest);
	return oldest;
}

static void begin(struct message *m, const struct fragment *piece)
{
	m->used = true;
	m->spoilt = m->cut = m->has_first = m->has_last = false;
	m->frame = piece->frame;
	m->total = m->have = 0;
	m->nparts = 0;
	m->first = *piece;
}

enum fit { FITS, REPEATED, REPLACED, OVERLAPS };

/*
 * The same piece again, as a capture on two interfaces has it, adds nothing.
 * Another one in its place belongs to a new message with the number of an old
 * one, of which something was lost.  Anything else that overlaps is not to be
 * put together (RFC 5722, RFC 8200, section 4.5).
 */
static enum fit fit(const struct message *m, const struct fragment *f)
{
	const struct piece *p = &f->piece;
	uint64_t end = (uint64_t)p->offset + p->len;

	for (unsigned i = 0; i < m->nparts; i++) {
		const struct part *part = &m->parts[i];
		uint64_t part_end = (uint64_t)part->offset + part->len;

		if (!p->more && part_end > end)
			return OVERLAPS; /* it says that this is the end */
		if (end <= part->offset || p->offset >= part_end)
			continue;
		if (p->offset != part->offset)
			return OVERLAPS;
		return p->len == part->len && f->sum == part->sum ? REPEATED
								  : REPLACED;
	}
	if (m->has_last && (!p->more || end > m->total))
		return OVERLAPS;
	return FITS;
}

static enum reason whole_reason(const struct message *m, uint32_t len)
{
	const struct fragment *first = &m->first;

	if (first->site.reason != REASON_FRAGMENT)
		return first->site.reason;
	if (m->cut)
		return REASON_SNAPPED;
	if (first->piece.claims > len)
		return REASON_LENGTH_FIELD;
	/* covers a part only, which need not be that of whole pieces */
	if (first->piece.claims && first->piece.claims < len)
		return REASON_FRAGMENT;
	return REASON_NONE;
}

/* All pieces are there; @last is the one that came last. */
static void complete(struct fragments *f, struct message *m,
		     const struct fragment *last)
{
	const struct fragment *first = &m->first;
	uint32_t skip = first->piece.skip, len = m->total - skip;
	struct site s = first->site;

	s.reason = whole_reason(m, len);
	s.in_pieces = true;
	s.has_field = last->piece.offset == 0 && s.has_field;
	s.len = len;
	s.whole.sum = 0;
	s.whole.frame = first->frame;
	s.whole.offset = first->field_offset;
	s.whole.found = first->found;
	for (unsigned i = 0; i < m->nparts; i++) {
		const struct part *p = &m->parts[i];

		s.whole.sum = csum_combine(s.whole.sum, p->sum,
					   p->offset ? p->offset - skip : 0);
	}
	if (s.pseudo_header.src) {
		s.pseudo_header.src = first->pseudo_src;
		s.pseudo_header.dst = first->pseudo_dst;
		s.pseudo_header.len = len;
		s.pseudo = pseudo_sum(&s.pseudo_header);
	}
	f->report(f->context, last->frame, &s);
}

static void add_part(struct message *m, const struct fragment *piece)
{
	const struct piece *p = &piece->piece;

	m->parts[m->nparts++] = (struct part){ p->offset, p->len, piece->sum };
	m->have += p->len;
	m->cut = m->cut || piece->cut;
	if (!p->more) {
		m->has_last = true;
		m->total = p->offset + p->len;
	}
	if (p->offset == 0) {
		m->has_first = true;
		m->first = *piece;
	}
}

static void spoil(struct fragments *f, struct message *m, uint64_t frame,
		  enum reason reason)
{
	m->spoilt = true;
	report(f, m, frame, reason);
}

void fragments_add(struct fragments *f, const struct fragment *piece)
{
	struct message *m = find(f, piece);

	if (m->used && m->spoilt && piece->piece.offset == 0)
		m->used = false; /* another message, one may hope */
	if (!m->used)
		begin(m, piece);
	m->turn = f->turn++;
	if (m->spoilt)
		return;
	switch (fit(m, piece)) {
	case REPEATED:
		return;
	case REPLACED:
		drop(f, m);
		begin(m, piece);
		break;
	case OVERLAPS:
		spoil(f, m, piece->frame, REASON_OVERLAP);
		return;
	case FITS:
		break;
	}
	if (m->nparts == FRAGMENT_PIECES) {
		spoil(f, m, piece->frame, REASON_PIECES);
		return;
	}
	add_part(m, piece);
	if (m->has_first && m->has_last && m->have == m->total) {
		complete(f, m, piece);
		m->used = false;
	}
}

uint64_t fragments_waiting(const struct fragments *f)
{
	const struct message *all = &f->rows[0][0];
	uint64_t first = UINT64_MAX;

	for (int i = 0; i < FRAGMENT_ROWS * FRAGMENT_ROW; i++)
		if (all[i].used && all[i].has_first && !all[i].spoilt &&
		    all[i].first.field_offset < first)
			first = all[i].first.field_offset;
	return first;
}

void fragments_flush(struct fragments *f)
{
	struct message *all = &f->rows[0][0];

	for (;;) {
		struct message *next = NULL;

		for (int i = 0; i < FRAGMENT_ROWS * FRAGMENT_ROW; i++)
			if (all[i].used &&
			    (!next || all[i].frame < next->frame))
				next = &all[i];
		if (!next)
			return;
		drop(f, next);
	}
}
