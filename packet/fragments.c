/* SPDX-License-Identifier: BSD-2-Clause */
/* fragments.c - the sum of a message from those of its fragments. */
#include "fragments.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "layer.h"

struct part {
	uint32_t offset, len;
	bool cut;
	struct digest digest;
};

struct message {
	bool used;
	bool spoilt;  /* it has been reported: its fragments overlap */
	bool repeats; /* a second copy of another one */
	bool has_first, has_last;
	uint64_t turn; /* when its last fragment came */
	uint64_t frame;
	uint32_t total, have; /* BYTES */
	unsigned nparts;
	struct part parts[FRAGMENT_PARTS];
	struct fragment_sums first; /* until it comes, any other */
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

/* --- one fragment ------------------------------------------------------- */

/* What @s covers up to @end; its field and its hole count as zeros. */
static struct digest covered(const struct site *s, const uint8_t *frame,
			     uint32_t end)
{
	const uint32_t gaps[2][2] = {
		{ s->field, protocol_width(s->protocol) },
		{ s->hole, s->hole_len },
	};
	const struct crc_functions *crc =
		rule_is_crc32c(s->rule) ? s->crc : NULL;
	struct digest d = { 0 };
	uint32_t at = s->start;

	for (int i = 0; i < 2; i++) {
		uint32_t from = gaps[i][0], n = gaps[i][1];

		if (!n || from >= end)
			continue;
		digest_bytes(&d, frame + at, from - at, at - s->start, crc);
		if (n > end - from)
			n = end - from;
		digest_zeros(&d, n, crc);
		at = from + n;
	}
	digest_bytes(&d, frame + at, end - at, at - s->start, crc);
	return d;
}

static struct digest site_digest(const struct packet *packet,
				 const struct fragment *p,
				 const struct fragment_site *o)
{
	const struct site *s = &o->site;
	uint32_t end = p->at + p->len;

	if (s->len && s->len < end - s->start)
		end = s->start + s->len;
	return s->has_field && !o->cut ? covered(s, packet->data, end)
				       : (struct digest){ 0 };
}

static void take_site(const struct packet *packet, const struct fragment *p,
		      const struct site *s, struct fragment_site *o)
{
	const size_t address = s->pseudo_header.ipv6 ? 16 : 4;
	uint64_t end = (uint64_t)p->at + p->len;

	if (s->len && s->start + (uint64_t)s->len < end)
		end = s->start + s->len;
	*o = (struct fragment_site){
		.site = *s,
		.from = s->start - p->at,
		.own = s->ip == p->src - (p->ipv6 ? 8 : 12),
		.cut = end > packet->caplen,
	};
	o->site.ip = NULL; /* will have gone when it is needed */
	o->site.whole = (struct gathered){
		.offset = packet->offset + s->field,
		.found = check_site(s, packet->data).found,
	};
	o->digest = o->before = site_digest(packet, p, o);
	if (s->pseudo_header.src) {
		memcpy(o->pseudo_src, s->pseudo_header.src, address);
		memcpy(o->pseudo_dst, s->pseudo_header.dst, address);
	}
}

/* Of all that is there but the fields, which repairs change. */
static csum_wsum sum_to_compare(const struct packet *packet,
				const struct fragment_sums *f)
{
	const struct fragment *p = &f->fragment;
	csum_wsum sum = csum_partial(packet->data + p->at, p->len, 0);

	for (unsigned i = 0; i < f->nsites; i++) {
		const struct site *s = &f->sites[i].site;

		if (s->has_field)
			sum = csum_uncombine(
				sum,
				csum_partial(packet->data + s->field,
					     protocol_width(s->protocol), 0),
				s->field - p->at);
	}
	return csum_from16(csum_to16(sum));
}

void fragment_take(const struct packet *packet, const struct walk *walk,
		   struct fragment_sums *f)
{
	const struct fragment *p = &walk->fragment;
	const size_t address = p->ipv6 ? 16 : 4;

	*f = (struct fragment_sums){
		.frame = packet->frame,
		.fragment = *p,
		.cut = (uint64_t)p->at + p->len > packet->caplen,
	};
	memcpy(f->src, p->src, address);
	memcpy(f->dst, p->dst, address);
	for (unsigned i = 0; i < walk->count; i++)
		if (walk->sites[i].open)
			take_site(packet, p, &walk->sites[i],
				  &f->sites[f->nsites++]);
	if (f->cut)
		return;
	if (p->offset == 0)
		f->digest.sum = sum_to_compare(packet, f);
	else
		/* what IPv6 options hide could be SCTP */
		digest_bytes(
			&f->digest, packet->data + p->at, p->len, 0,
			f->nsites && (f->sites[0].site.protocol == PROTO_SCTP ||
				      f->sites[0].site.protocol ==
					      PROTO_PAYLOAD)
				? packet->crc
				: NULL);
}

/* Those that are right now, and have to be when the fields have changed. */
static void take_around(const struct packet *packet, const struct walk *walk,
			struct fragment_sums *f)
{
	for (unsigned i = 0; i < walk->count; i++) {
		const struct site *s = &walk->sites[i];
		struct check c;

		if (s->reason || s->start >= walk->fragment.at ||
		    walk->fragment.at - s->start >= s->len)
			continue;
		c = check_site(s, packet->data);
		if (c.verdict != VERDICT_GOOD)
			continue;
		if (f->naround == FRAGMENT_AROUND ||
		    protocol_width(s->protocol) != 2) {
			f->more_around = true;
			return;
		}
		f->around[f->naround++] = (struct around){
			.start = packet->offset + s->start,
			.field = packet->offset + s->field,
			.value = csum_be16_from_host((uint16_t)c.found),
			.udp = s->rule == RULE_UDP ||
			       s->rule == RULE_UDP_REQUIRED,
		};
	}
}

void fragment_repaired(const struct packet *packet, const struct walk *walk,
		       struct fragment_sums *f)
{
	if (f->fragment.offset != 0)
		return;
	for (unsigned i = 0; i < f->nsites; i++)
		f->sites[i].digest =
			site_digest(packet, &f->fragment, &f->sites[i]);
	/* so that a second repair finds the same fragments */
	if (!f->cut)
		f->digest.sum = sum_to_compare(packet, f);
	take_around(packet, walk, f);
}

/* --- the table --------------------------------------------------------------
 */

static bool same_message(const struct fragment_sums *a,
			 const struct fragment_sums *b)
{
	/* the header in front of a fragment of IPv6 is not part of it */
	return a->fragment.id == b->fragment.id &&
	       a->fragment.ipv6 == b->fragment.ipv6 &&
	       (a->fragment.ipv6 ||
		a->fragment.protocol == b->fragment.protocol) &&
	       memcmp(a->src, b->src, sizeof(a->src)) == 0 &&
	       memcmp(a->dst, b->dst, sizeof(a->dst)) == 0;
}

/* FNV-1a, which is enough to spread what nobody has chosen to collide. */
static unsigned row_of(const struct fragment_sums *f)
{
	uint32_t hash = 2166136261u ^ f->fragment.id;

	for (unsigned i = 0; i < sizeof(f->src); i++)
		hash = (hash * 16777619u) ^ (f->src[i] + 3u * f->dst[i]);
	hash *= 16777619u;
	return (hash >> 16) % FRAGMENT_ROWS;
}

static void report(struct fragments *f, const struct message *m, uint64_t frame,
		   enum reason reason)
{
	for (unsigned i = 0; i < m->first.nsites; i++) {
		struct site s = m->first.sites[i].site;

		s.reason = reason;
		s.has_field = false;
		f->report(f->context, frame, &s);
	}
}

static void drop(struct fragments *f, struct message *m)
{
	if (m->used && !m->spoilt && !m->repeats)
		report(f, m, m->frame, REASON_FRAGMENT_LOST);
	m->used = false;
}

static void begin(struct message *m, const struct fragment_sums *sums)
{
	m->used = true;
	m->spoilt = m->repeats = m->has_first = m->has_last = false;
	m->frame = sums->frame;
	m->total = m->have = 0;
	m->nparts = 0;
	m->first = *sums;
}

enum fit { FITS, REPEATED, REPLACED, OVERLAPS };

/*
 * The same fragment again adds nothing, see find().  Another one in its place
 * belongs to a new message with the number of an old one, of which something
 * was lost. Anything else that overlaps is not to be put together (RFC 5722,
 * RFC 8200, section 4.5).
 */
static enum fit fit(const struct message *m, const struct fragment_sums *f)
{
	const struct fragment *p = &f->fragment;
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
		return p->len == part->len && f->digest.sum == part->digest.sum
			       ? REPEATED
			       : REPLACED;
	}
	if (m->has_last && (!p->more || end > m->total))
		return OVERLAPS;
	return FITS;
}

/*
 * The message that a fragment belongs to, or a place for a new one.  If it has
 * that fragment already, there may be a second copy of all, as in a capture on
 * two interfaces; that is another message, until it is complete of no interest.
 */
static struct message *find(struct fragments *f,
			    const struct fragment_sums *sums)
{
	struct message *row = f->rows[row_of(sums)], *oldest = row;
	struct message *nearest = NULL, *same = NULL;
	unsigned copies = 0;

	for (int i = 0; i < FRAGMENT_ROW; i++) {
		struct message *m = &row[i];

		if (!m->used || (oldest->used && m->turn < oldest->turn))
			oldest = m;
		if (!m->used || !same_message(&m->first, sums))
			continue;
		copies++;
		if (!m->spoilt && fit(m, sums) == REPEATED)
			same = m;
		else if (!nearest || nearest->repeats)
			nearest = m;
	}
	if (nearest)
		return nearest;
	if (copies == FRAGMENT_COPIES)
		return same;
	drop(f, oldest);
	begin(oldest, sums);
	oldest->repeats = same;
	return oldest;
}

/* What is known of one site when all fragments are there. */
static enum reason gather(const struct message *m,
			  const struct fragment_site *o, uint32_t to,
			  struct digest *digest, struct digest *before)
{
	const struct site *s = &o->site;
	enum reason reason = REASON_NONE;

	if (s->reason != REASON_FRAGMENT)
		return s->reason;
	if (rule_is_crc32c(s->rule) && !s->crc)
		return REASON_NO_CRC;
	if (s->hole_len &&
	    s->hole + s->hole_len - s->start + o->from > m->first.fragment.len)
		return REASON_FRAGMENT;
	if (to > m->total)
		return o->own ? REASON_LENGTH_FIELD : REASON_BEYOND_WIRE;
	*digest = *before = (struct digest){ 0 };
	for (unsigned i = 0; i < m->nparts; i++) {
		const struct part *p = &m->parts[i];
		uint32_t end =
			p->offset + p->len < to ? p->offset + p->len : to;

		if (p->offset >= to)
			continue;
		if (!p->offset) {
			digest_combine(digest, &o->digest, 0, to - end);
			digest_combine(before, &o->before, 0, to - end);
			continue;
		}
		/* a part of a fragment cannot be told from its sum */
		if (p->cut)
			reason = REASON_SNAPPED;
		else if (end < p->offset + p->len && !reason)
			reason = REASON_FRAGMENT;
		digest_combine(digest, &p->digest, p->offset - o->from,
			       to - end);
		digest_combine(before, &p->digest, p->offset - o->from,
			       to - end);
	}
	return o->cut ? REASON_SNAPPED : reason;
}

static void put_together(const struct message *m, struct fragment_site *o,
			 const struct fragment_sums *last)
{
	struct site *s = &o->site;
	uint32_t to = s->len ? o->from + s->len : m->total;
	struct digest digest = { 0 }, before = { 0 };

	s->reason = gather(m, o, to, &digest, &before);
	s->in_fragments = true;
	s->has_field = last->fragment.offset == 0 && s->has_field;
	s->len = to - o->from;
	s->whole.frame = m->first.frame;
	if (s->pseudo_header.src) {
		s->pseudo_header.src = o->pseudo_src;
		s->pseudo_header.dst = o->pseudo_dst;
		if (!s->pseudo_header.len)
			s->pseudo_header.len = m->total - o->from;
		s->pseudo = pseudo_sum(&s->pseudo_header);
	}
	if (s->reason)
		return;
	s->whole.sum = digest.sum;
	s->whole.before = before.sum;
	if (rule_is_crc32c(s->rule)) {
		s->whole.crc = digest_crc32c(&digest, s->len);
		s->whole.adler = digest_adler32(&digest, s->len);
	}
	/* a register may cover all, too, which is not known then */
	if (s->rule == RULE_ALL_ALLOWED) {
		s->rule = RULE_PLAIN;
		if (check_site(s, NULL).verdict != VERDICT_GOOD)
			s->reason = REASON_FRAGMENT;
	}
}

/* A field inside has got another value, which those around it cover. */
static void follow(struct message *m, unsigned changed, uint32_t was)
{
	const struct site *inner = &m->first.sites[changed].site;
	const csum_wsum more = csum_sub(
		csum_from16(csum_be16_from_host((uint16_t)inner->whole.found)),
		csum_from16(csum_be16_from_host((uint16_t)was)));

	for (unsigned i = 0; i < changed; i++) {
		struct site *s = &m->first.sites[i].site;

		if (inner->field - s->start < s->len)
			s->whole.sum = csum_combine(s->whole.sum, more,
						    inner->field - s->start);
	}
}

/* All fragments are there; @last is the one that came last. */
static void complete(struct fragments *f, struct message *m,
		     const struct fragment_sums *last)
{
	struct fragment_sums *first = &m->first;

	for (unsigned i = 0; i < first->nsites; i++)
		put_together(m, &first->sites[i], last);
	for (unsigned i = first->nsites; i-- > 0;) {
		struct site *s = &first->sites[i].site;
		uint32_t was = s->whole.found;

		s->whole.around = first->around;
		s->whole.naround = first->naround;
		s->whole.more_around = first->more_around;
		f->report(f->context, last->frame, s);
		if (s->whole.found != was)
			follow(m, i, was);
	}
}

static void add_part(struct message *m, const struct fragment_sums *sums)
{
	const struct fragment *p = &sums->fragment;

	m->parts[m->nparts++] =
		(struct part){ p->offset, p->len, sums->cut, sums->digest };
	m->have += p->len;
	if (!p->more) {
		m->has_last = true;
		m->total = p->offset + p->len;
	}
	if (p->offset == 0) {
		m->has_first = true;
		m->first = *sums;
	}
}

static void spoil(struct fragments *f, struct message *m, uint64_t frame,
		  enum reason reason)
{
	m->spoilt = true;
	report(f, m, frame, reason);
}

void fragments_add(struct fragments *f, const struct fragment_sums *sums)
{
	struct message *m = find(f, sums);

	if (m->spoilt && sums->fragment.offset == 0)
		begin(m, sums); /* another message, one may hope */
	m->turn = f->turn++;
	if (m->spoilt)
		return;
	switch (fit(m, sums)) {
	case REPEATED:
		return;
	case REPLACED:
		drop(f, m);
		begin(m, sums);
		break;
	case OVERLAPS:
		spoil(f, m, sums->frame, REASON_OVERLAP);
		return;
	case FITS:
		break;
	}
	if (m->nparts == FRAGMENT_PARTS) {
		spoil(f, m, sums->frame, REASON_FRAGMENTS);
		return;
	}
	add_part(m, sums);
	if (m->has_first && m->has_last && m->have == m->total) {
		complete(f, m, sums);
		m->used = false;
	}
}

uint64_t fragments_waiting(const struct fragments *f)
{
	const struct message *all = &f->rows[0][0];
	uint64_t first = UINT64_MAX;

	for (int i = 0; i < FRAGMENT_ROWS * FRAGMENT_ROW; i++) {
		const struct fragment_sums *p = &all[i].first;

		if (!all[i].used || !all[i].has_first || all[i].spoilt)
			continue;
		for (unsigned k = 0; k < p->nsites; k++)
			if (p->sites[k].site.whole.offset < first)
				first = p->sites[k].site.whole.offset;
		for (unsigned k = 0; k < p->naround; k++)
			if (p->around[k].field < first)
				first = p->around[k].field;
	}
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
