/* SPDX-License-Identifier: BSD-2-Clause */
/* fragments.c - the table of messages that wait for their fragments. */
#include "fragments.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "check.h"

/* A site that begins in a fragment. */
struct fragment_site {
	uint32_t at; /* BYTES in the message, of what it covers */
	enum protocol protocol;
	uint8_t depth;
	bool open;
};

struct fragment_copy {
	struct packet packet;	  /* without its bytes */
	struct fragment fragment; /* without its pointers */
	uint8_t src[16], dst[16];
	struct vlans vlans;
	struct carrier *in; /* what @data is in, from fragment.at on */
	uint32_t captured;  /* BYTES of @data */
	csum_sum16 sum;	    /* of them, fields that are repaired left out */
	enum edge edge;	    /* that the walk met in it, or none */
	uint16_t edge_number;
	unsigned nsites;
	size_t size; /* of all this, without its carrier */
	struct fragment_site *sites;
	uint8_t *head, *data;
};

struct message {
	bool used;
	bool spoilt;  /* it has been reported: its fragments overlap */
	bool repeats; /* a second copy of another one */
	bool has_last;
	uint64_t turn; /* when its last fragment came */
	uint64_t frame;
	uint64_t waiting;     /* first byte in the file that may change */
	uint32_t total, have; /* BYTES */
	unsigned nparts, size;
	struct fragment_copy **parts; /* by their offset */
	struct fragment fragment;     /* the one that came first */
	uint8_t src[16], dst[16];
};

struct fragments {
	struct fragments_user user;
	uint64_t turn;
	size_t bytes; /* of all copies */
	bool out_of_memory;
	uint8_t *whole;
	size_t whole_size;
	struct message rows[FRAGMENT_ROWS][FRAGMENT_ROW];
};

struct fragments *fragments_new(const struct fragments_user *user)
{
	struct fragments *f = calloc(1, sizeof(*f));

	if (f)
		f->user = *user;
	return f;
}

/* --- one fragment ----------------------------------------------------------
 */

static bool is_inside(const struct fragment *p, const struct site *s)
{
	return s->start >= p->at && s->start - p->at <= p->len;
}

static unsigned count_inside(const struct walk *w)
{
	unsigned n = 0;

	for (unsigned i = 0; i < w->count; i++)
		n += is_inside(&w->fragment, &w->sites[i]);
	return n;
}

/*
 * So that a second repair finds the same fragments where a first one has
 * changed fields.
 */
static csum_sum16 sum_to_compare(const struct packet *packet,
				 const struct walk *walk)
{
	const struct fragment *p = &walk->fragment;
	csum_wsum sum = csum_partial(packet->data + p->at, p->len, 0);

	for (unsigned i = 0; i < walk->count; i++) {
		const struct site *s = &walk->sites[i];
		const unsigned width = site_width(s);

		if (is_inside(p, s) && s->has_field && s->class == SITE_REAL &&
		    s->field + width <= p->at + p->len)
			sum = csum_uncombine(
				sum,
				csum_partial(packet->data + s->field, width, 0),
				s->field - p->at);
	}
	return csum_to16(sum);
}

/* All in one piece of memory: the copy, its lists, the headers, the bytes. */
static struct fragment_copy *allocate(const struct fragment *p, unsigned nsites,
				      uint32_t captured)
{
	const size_t size = sizeof(struct fragment_copy) +
			    nsites * sizeof(struct fragment_site) +
			    p->head_len + captured;
	struct fragment_copy *c = malloc(size);

	if (!c)
		return NULL;
	*c = (struct fragment_copy){ .size = size };
	c->sites = (struct fragment_site *)(c + 1);
	c->head = (uint8_t *)(c->sites + nsites);
	c->data = c->head + p->head_len;
	return c;
}

static void take_sites(struct fragment_copy *c, const struct walk *walk)
{
	for (unsigned i = 0; i < walk->count; i++) {
		const struct site *s = &walk->sites[i];

		if (is_inside(&walk->fragment, s))
			c->sites[c->nsites++] = (struct fragment_site){
				.at = s->start - walk->fragment.at,
				.protocol = s->protocol,
				.depth = s->depth,
				.open = s->open,
			};
	}
}

/* BYTES of the message that it stands for. */
static uint32_t length_of(const struct fragment *p)
{
	return p->len + (uint32_t)p->hidden;
}

static uint32_t end_of(const struct fragment *p)
{
	return p->offset + length_of(p);
}

/* Place of @c in the whole. */
static uint32_t place_in(const struct whole *w, const struct fragment_copy *c)
{
	const struct fragment *p = &c->fragment;

	return w->head + p->offset -
	       (p->offset ? (uint32_t)w->parts[0]->fragment.hidden : 0);
}

/* What the bytes of @w are in; NULL if there is no memory. */
static struct carrier *carrier_of_whole(const struct whole *w)
{
	struct carrier_part *parts = calloc(w->nparts, sizeof(*parts));
	struct carrier *c;

	if (!parts)
		return NULL;
	for (unsigned i = 0; i < w->nparts; i++)
		parts[i] = (struct carrier_part){
			.at = place_in(w, w->parts[i]),
			.len = w->parts[i]->fragment.len,
			.in = w->parts[i]->in,
			.from = w->parts[i]->fragment.at,
		};
	c = carrier_of_message(parts, w->nparts);
	free(parts);
	return c;
}

struct fragment_copy *fragment_take(const struct packet *packet,
				    const struct walk *walk,
				    const struct whole *w, bool *no_memory)
{
	const struct fragment *p = &walk->fragment;
	const size_t address = p->address_len;
	const uint32_t there =
		packet->caplen > p->at ? packet->caplen - p->at : 0;
	const uint32_t captured = there < p->len ? there : p->len;
	struct fragment_copy *c = allocate(p, count_inside(walk), captured);

	*no_memory |= !c;
	if (!c)
		return NULL;
	c->in = w ? carrier_of_whole(w) : carrier_of_frame(packet);
	*no_memory |= !c->in;
	if (!c->in || carrier_level(c->in) > CARRIER_LEVELS) {
		fragment_free(c);
		return NULL;
	}
	c->packet = *packet;
	c->fragment = *p;
	if (w)
		c->fragment.depth += w->depth;
	c->captured = captured;
	c->vlans = w ? w->vlans : walk->vlans;
	c->edge = edge_is_inside(walk) ? walk->edge : EDGE_NONE;
	c->edge_number = walk->edge_number;
	memcpy(c->src, p->src, address);
	memcpy(c->dst, p->dst, address);
	memcpy(c->head, packet->data + p->head, p->head_len);
	memcpy(c->data, packet->data + p->at, captured);
	take_sites(c, walk);
	if (captured == p->len)
		c->sum = sum_to_compare(packet, walk);
	return c;
}

void fragment_free(struct fragment_copy *c)
{
	if (c)
		carrier_drop(c->in);
	free(c);
}

bool fragment_repaired(struct fragment_copy *c, const struct packet *packet,
		       const struct walk *walk, bool written)
{
	const bool kept = written && carrier_protect(c->in, packet, walk);

	if (!kept)
		carrier_close(c->in);
	return kept || !written;
}

/* --- the table -------------------------------------------------------------
 */

static bool same_message(const struct message *m, const struct fragment_copy *c)
{
	/* the header in front of a fragment of IPv6 is not part of it */
	return m->fragment.id == c->fragment.id &&
	       m->fragment.kind == c->fragment.kind &&
	       (m->fragment.kind == FRAGMENT_IPV6 ||
		m->fragment.protocol == c->fragment.protocol) &&
	       memcmp(m->src, c->src, sizeof(m->src)) == 0 &&
	       memcmp(m->dst, c->dst, sizeof(m->dst)) == 0;
}

/* FNV-1a, which is enough to spread what nobody has chosen to collide. */
static unsigned row_of(const struct fragment_copy *c)
{
	uint32_t hash = 2166136261u ^ c->fragment.id;

	for (unsigned i = 0; i < sizeof(c->src); i++)
		hash = (hash * 16777619u) ^ (c->src[i] + 3u * c->dst[i]);
	hash *= 16777619u;
	return (hash >> 16) % FRAGMENT_ROWS;
}

/* Of the sites that begin in @c and go on in fragments that do not come. */
static void report_lost(struct fragments *f, const struct fragment_copy *c,
			uint64_t frame, enum reason reason)
{
	struct lost lost = { .packet = c->packet, .vlans = c->vlans };
	const bool ip = c->fragment.kind != FRAGMENT_LOWPAN;

	lost.packet.frame = frame;
	lost.packet.data = (const uint8_t *)"";
	lost.packet.caplen = 0;
	for (unsigned i = 0; i < c->nsites; i++) {
		lost.site = (struct site){
			.protocol = c->sites[i].protocol,
			.depth = c->sites[i].depth,
			.reason = reason,
			.pseudo_header = {
				.src = ip ? c->src : NULL,
				.dst = ip ? c->dst : NULL,
				.protocol = c->fragment.protocol,
				.ipv6 = c->fragment.ipv6,
			},
		};
		if (c->sites[i].open)
			f->user.lost(f->user.context, &lost);
	}
	if (c->edge)
		f->user.edge(f->user.context, c->edge, c->edge_number);
}

static size_t memory_of(const struct fragment_copy *c)
{
	return c->size + carrier_size(c->in);
}

static void forget_parts(struct fragments *f, struct message *m)
{
	for (unsigned i = 0; i < m->nparts; i++) {
		f->bytes -= memory_of(m->parts[i]);
		fragment_free(m->parts[i]);
	}
	free(m->parts);
	m->parts = NULL;
	m->nparts = m->size = 0;
}

static void drop(struct fragments *f, struct message *m)
{
	if (m->used && m->nparts && !m->repeats)
		report_lost(f, m->parts[0], m->frame, REASON_FRAGMENT_LOST);
	forget_parts(f, m);
	m->used = false;
}

/* Because of @c, which is not a part of it. */
static void spoil(struct fragments *f, struct message *m,
		  const struct fragment_copy *c, enum reason reason)
{
	report_lost(f, m->nparts ? m->parts[0] : c, c->packet.frame, reason);
	forget_parts(f, m);
	m->spoilt = true;
}

void fragments_free(struct fragments *f)
{
	if (!f)
		return;
	for (int i = 0; i < FRAGMENT_ROWS * FRAGMENT_ROW; i++)
		forget_parts(f, &f->rows[0][0] + i);
	free(f->whole);
	free(f);
}

static void begin(struct message *m, const struct fragment_copy *c)
{
	*m = (struct message){
		.used = true,
		.frame = c->packet.frame,
		.waiting = UINT64_MAX,
		.fragment = c->fragment,
	};
	memcpy(m->src, c->src, sizeof(m->src));
	memcpy(m->dst, c->dst, sizeof(m->dst));
}

/* The first part that ends behind @at, or m->nparts. */
static unsigned part_behind(const struct message *m, uint32_t at)
{
	unsigned low = 0, high = m->nparts;

	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (end_of(&m->parts[middle]->fragment) > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

enum fit { FITS, REPEATED, REPLACED, OVERLAPS };

/*
 * The same fragment again adds nothing, see message_for().  Another one in its
 * place belongs to a new message with the number of an old one, of which
 * something was lost. Anything else that overlaps is not to be put together
 * (RFC 5722, RFC 8200, section 4.5).
 */
static enum fit fit(const struct message *m, const struct fragment_copy *c)
{
	const struct fragment *p = &c->fragment;
	const uint32_t end = end_of(p);
	const unsigned i = part_behind(m, p->offset);
	const struct fragment_copy *other = i < m->nparts ? m->parts[i] : NULL;

	if (!p->more && m->nparts &&
	    end_of(&m->parts[m->nparts - 1]->fragment) > end)
		return OVERLAPS; /* it says that this is the end */
	if (other && other->fragment.offset < end) {
		if (other->fragment.offset != p->offset)
			return OVERLAPS;
		return p->len == other->fragment.len && c->sum == other->sum
			       ? REPEATED
			       : REPLACED;
	}
	return m->has_last && (!p->more || end > m->total) ? OVERLAPS : FITS;
}

/*
 * The message that a fragment belongs to, or a place for a new one.  If it has
 * that fragment already, there may be a second copy of all, as in a capture on
 * two interfaces; that is another message, until it is complete of no interest.
 */
static struct message *message_for(struct fragments *f,
				   const struct fragment_copy *c)
{
	struct message *row = f->rows[row_of(c)], *oldest = row;
	struct message *nearest = NULL, *same = NULL;
	unsigned copies = 0;

	for (int i = 0; i < FRAGMENT_ROW; i++) {
		struct message *m = &row[i];

		if (!m->used || (oldest->used && m->turn < oldest->turn))
			oldest = m;
		if (!m->used || !same_message(m, c))
			continue;
		copies++;
		if (!m->spoilt && fit(m, c) == REPEATED)
			same = m;
		else if (!nearest || nearest->repeats)
			nearest = m;
	}
	if (nearest)
		return nearest;
	if (copies == FRAGMENT_COPIES)
		return same;
	drop(f, oldest);
	begin(oldest, c);
	oldest->repeats = same;
	return oldest;
}

/* Makes room for @size BYTES more where others have waited longer than @m. */
static void make_room(struct fragments *f, const struct message *m, size_t size)
{
	struct message *all = &f->rows[0][0];

	while (f->bytes + size > FRAGMENT_BYTES) {
		struct message *oldest = NULL;

		for (int i = 0; i < FRAGMENT_ROWS * FRAGMENT_ROW; i++)
			if (all[i].nparts && &all[i] != m &&
			    (!oldest || all[i].turn < oldest->turn))
				oldest = &all[i];
		if (!oldest)
			return;
		drop(f, oldest);
	}
}

/* False if there is no memory. */
static bool add_part(struct fragments *f, struct message *m,
		     struct fragment_copy *c)
{
	const struct fragment *p = &c->fragment;
	const unsigned i = part_behind(m, p->offset);
	const uint64_t first = carrier_first(c->in, p->at);

	if (m->nparts == m->size) {
		const unsigned more = 2 * m->size + 4;
		struct fragment_copy **list =
			realloc(m->parts, more * sizeof(*list));

		if (!list) {
			f->out_of_memory = true;
			return false;
		}
		m->parts = list;
		m->size = more;
	}
	memmove(m->parts + i + 1, m->parts + i,
		(m->nparts - i) * sizeof(*m->parts));
	m->parts[i] = c;
	m->nparts++;
	m->have += length_of(p);
	f->bytes += memory_of(c);
	if (!p->more) {
		m->has_last = true;
		m->total = end_of(p);
	}
	if (first < m->waiting)
		m->waiting = first;
	return true;
}

/* --- a message of which all fragments are there ----------------------------
 */

static void put16(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)(value >> 8);
	p[1] = (uint8_t)value;
}

/* A word of an IPv4 header, whose checksum stays as right or wrong as it is. */
static void replace16(uint8_t *ip, unsigned at, uint32_t value)
{
	const uint16_t was = csum_load16(ip + at);
	csum_sum16 check = csum_load16(ip + CSUM_FIELD_IPV4);

	put16(ip + at, value);
	check = csum_replace2(check, was, csum_load16(ip + at));
	memcpy(ip + CSUM_FIELD_IPV4, &check, 2);
}

/* The header of the first fragment, as if it had never been cut up. */
static void make_head(uint8_t *h, const struct fragment *p, uint32_t total)
{
	enum { DO_NOT_FRAGMENT = 0x4000, IPV6_HEADER = 40 };
	enum { CAPWAP_FLAGS = 3, CAPWAP_FRAGMENT_LAST = 0xc0 };

	switch (p->kind) {
	case FRAGMENT_IPV4:
		replace16(h, 2, p->head_len + total);
		replace16(h, 6, be16(h + 6) & DO_NOT_FRAGMENT);
		break;
	case FRAGMENT_IPV6:
		put16(h + 4, p->head_len - IPV6_HEADER + total);
		h[p->next - p->head] = p->protocol;
		break;
	case FRAGMENT_CAPWAP:
		h[CAPWAP_FLAGS] &= (uint8_t)~CAPWAP_FRAGMENT_LAST;
		break;
	case FRAGMENT_LOWPAN: /* its fragment header is left out */
		break;
	}
}

/* What is captured of the message without a gap; its bytes to @to. */
static uint32_t join(const struct message *m, uint8_t *to)
{
	uint32_t have = 0;

	for (unsigned i = 0; i < m->nparts; i++) {
		const struct fragment_copy *c = m->parts[i];

		memcpy(to + have, c->data, c->captured);
		have += c->captured;
		if (c->captured < c->fragment.len)
			break;
	}
	return have;
}

/* NULL if there is no memory. */
static uint8_t *whole_buffer(struct fragments *f, size_t size)
{
	uint8_t *p;

	if (size <= f->whole_size)
		return f->whole;
	p = realloc(f->whole, size);
	if (!p) {
		f->out_of_memory = true;
		return NULL;
	}
	f->whole = p;
	f->whole_size = size;
	return p;
}

/* The fragment that the message itself is, or NULL. */
static struct fragment_copy *complete(struct fragments *f,
				      const struct message *m,
				      const struct fragment_copy *last)
{
	static const uint32_t linktypes[] = {
		[FRAGMENT_IPV4] = 101, /* raw IP */
		[FRAGMENT_IPV6] = 101,
		[FRAGMENT_LOWPAN] = 230, /* without a check sequence */
		[FRAGMENT_CAPWAP] = LINKTYPE_CAPWAP,
	};
	const struct fragment_copy *first = m->parts[0];
	const uint32_t head = first->fragment.head_len;
	const uint32_t size =
		head + m->total - (uint32_t)first->fragment.hidden;
	struct whole w = {
		.packet = first->packet,
		.bytes = whole_buffer(f, size),
		.head = head,
		.depth = first->fragment.depth,
		.vlans = first->vlans,
		.parts = m->parts,
		.nparts = m->nparts,
		.table = f,
	};

	if (!w.bytes || head + m->total > UINT16_MAX) {
		report_lost(f, first, last->packet.frame,
			    w.bytes ? REASON_LENGTH_FIELD : REASON_FRAGMENTS);
		return NULL;
	}
	memcpy(w.bytes, first->head, head);
	make_head(w.bytes, &first->fragment, m->total);
	w.packet.frame = last->packet.frame;
	w.packet.time = last->packet.time;
	w.packet.linktype = linktypes[first->fragment.kind];
	w.packet.data = w.bytes;
	w.packet.caplen = head + join(m, w.bytes + head);
	w.packet.wirelen = size;
	/* the file tells of frames, not of what is in them */
	w.packet.fcs_len = 0;
	return f->user.whole(f->user.context, &w);
}

bool whole_told(const struct whole *w, const struct site *s)
{
	const struct fragment_copy *first = w->parts[0];

	if (s->start < w->head)
		return true; /* a header of the fragments themselves */
	for (unsigned i = 0; i < first->nsites; i++)
		if (first->sites[i].at == s->start - w->head &&
		    first->sites[i].protocol == s->protocol &&
		    !first->sites[i].open)
			return true;
	return false;
}

/* The fragment with byte @at of the whole, which is behind its headers. */
static struct fragment_copy *part_with(const struct whole *w, uint32_t at)
{
	unsigned low = 0, high = w->nparts - 1;

	while (low < high) {
		unsigned middle = (low + high) / 2;
		const struct fragment_copy *c = w->parts[middle];

		if (place_in(w, c) + c->fragment.len > at)
			high = middle;
		else
			low = middle + 1;
	}
	return w->parts[low];
}

/* The frame of byte @at of the whole, and where that byte is in the file. */
static void find(const struct whole *w, uint32_t at, uint64_t *frame,
		 uint64_t *offset)
{
	const struct fragment_copy *c = part_with(w, at);
	const struct fragment *p = &c->fragment;

	carrier_find(c->in, p->at + (at - place_in(w, c)), frame, offset);
}

uint64_t whole_frame(const struct whole *w, uint32_t at)
{
	uint64_t frame, offset;

	find(w, at, &frame, &offset);
	return frame;
}

uint64_t whole_offset(const struct whole *w, uint32_t at)
{
	uint64_t frame, offset;

	find(w, at, &frame, &offset);
	return offset;
}

/* @changes: from the start of the fragment on.  Its copy stays as the file was,
 * for the verdict. */
static void patch_fragment(const struct fragment_copy *c,
			   const struct patches *changes, struct patches *out)
{
	struct patches inside = { .n = 0 };

	for (size_t i = 0; i < changes->n; i++) {
		const struct patch *p = &changes->list[i];

		patches_add(&inside, c->fragment.at + p->offset, p->bytes,
			    p->n);
	}
	carrier_write(c->in, &inside, out);
	patches_free(&inside);
}

/*
 * The same fragment once more, of a message that is not complete: if that
 * stayed as it is, it would look like another one next time.
 */
static void patch_copies(struct fragments *f, const struct fragment_copy *c,
			 const struct patches *changes, struct patches *out)
{
	struct message *row = f->rows[row_of(c)];
	const struct fragment *p = &c->fragment;

	for (int i = 0; i < FRAGMENT_ROW; i++) {
		const struct message *m = &row[i];
		unsigned k;

		if (!m->used || !m->nparts || !same_message(m, c))
			continue;
		k = part_behind(m, p->offset);
		if (k < m->nparts &&
		    m->parts[k]->fragment.offset == p->offset &&
		    m->parts[k]->fragment.len == p->len &&
		    m->parts[k]->sum == c->sum)
			patch_fragment(m->parts[k], changes, out);
	}
}

void whole_patches(struct whole *w, const struct patches *changes,
		   struct patches *out)
{
	for (unsigned i = 0; i < w->nparts; i++) {
		struct fragment_copy *c = w->parts[i];
		struct patches inside = { .n = 0 };

		patches_within(changes, place_in(w, c), c->fragment.len,
			       &inside);
		patches_fail_with(out, &inside);
		if (inside.n) {
			patch_fragment(c, &inside, out);
			patch_copies(w->table, c, &inside, out);
		}
		patches_free(&inside);
	}
}

/* --- fragments, one after the other ----------------------------------------
 */

/* False if @c is not kept. */
static bool add_to(struct fragments *f, struct message *m,
		   struct fragment_copy *c)
{
	/* of nothing there can be any number */
	if (c->fragment.len == 0 && c->fragment.more)
		return false;
	if (m->spoilt && c->fragment.offset == 0)
		begin(m, c); /* another message, one may hope */
	m->turn = f->turn++;
	if (m->spoilt)
		return false;
	switch (fit(m, c)) {
	case REPEATED:
		return false;
	case REPLACED:
		drop(f, m);
		begin(m, c);
		break;
	case OVERLAPS:
		spoil(f, m, c, REASON_OVERLAP);
		return false;
	case FITS:
		break;
	}
	make_room(f, m, memory_of(c));
	if (f->bytes + memory_of(c) <= FRAGMENT_BYTES && add_part(f, m, c))
		return true;
	spoil(f, m, c, REASON_FRAGMENTS);
	return false;
}

/* The fragment that the message which is complete now is itself, or NULL. */
static struct fragment_copy *add_one(struct fragments *f,
				     struct fragment_copy *c)
{
	struct message *m = message_for(f, c), done;
	struct fragment_copy *next;

	if (!add_to(f, m, c)) {
		fragment_free(c);
		return NULL;
	}
	if (!m->has_last || m->have != m->total)
		return NULL;
	done = *m;
	*m = (struct message){ .used = false };
	next = complete(f, &done, c);
	forget_parts(f, &done);
	return next;
}

void fragments_add(struct fragments *f, struct fragment_copy *c)
{
	while (c)
		c = add_one(f, c);
}

bool fragments_out_of_memory(const struct fragments *f)
{
	return f->out_of_memory;
}

uint64_t fragments_waiting(const struct fragments *f)
{
	const struct message *all = &f->rows[0][0];
	uint64_t first = UINT64_MAX;

	for (int i = 0; i < FRAGMENT_ROWS * FRAGMENT_ROW; i++)
		if (all[i].nparts && all[i].waiting < first)
			first = all[i].waiting;
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
