/* SPDX-License-Identifier: BSD-2-Clause */
/* carrier.c - from a byte of a fragment down to the file. */
#include "carrier.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

struct carrier {
	unsigned users, level;
	bool closed;
	/* a frame: its number, and the offset of its first byte */
	uint64_t frame, offset;
	/* a message: its fragments, in their order */
	unsigned nparts;
	struct carrier_part *parts;
	/* What is right around the fragment in it, outermost first, and the
	 * bytes that those cover; without pointers into a packet. */
	unsigned nsites;
	struct site *sites;
	uint32_t len;
	uint8_t *bytes;
};

/* --- lists of patches ------------------------------------------------------
 */

void patches_add(struct patches *p, uint64_t offset, const uint8_t *bytes,
		 unsigned n)
{
	if (p->n == p->size) {
		const size_t more = 2 * p->size + 8;
		struct patch *list = realloc(p->list, more * sizeof(*list));

		if (!list) {
			p->no_memory = true;
			return;
		}
		p->list = list;
		p->size = more;
	}
	p->list[p->n] = (struct patch){ .offset = offset, .n = (uint8_t)n };
	memcpy(p->list[p->n++].bytes, bytes, n);
}

void patches_fail_with(struct patches *p, const struct patches *other)
{
	p->no_memory |= other->no_memory;
	p->failed |= other->failed;
}

void patches_free(struct patches *p)
{
	free(p->list);
	*p = (struct patches){ .n = 0 };
}

void patches_within(const struct patches *changes, uint32_t at, uint32_t len,
		    struct patches *part)
{
	for (size_t i = 0; i < changes->n; i++) {
		const struct patch *p = &changes->list[i];
		uint64_t from = p->offset, to = p->offset + p->n;

		if (from < at)
			from = at;
		if (to > (uint64_t)at + len)
			to = (uint64_t)at + len;
		if (from < to)
			patches_add(part, from - at,
				    p->bytes + (from - p->offset),
				    (unsigned)(to - from));
	}
	patches_fail_with(part, changes);
}

/* --- carriers --------------------------------------------------------------
 */

struct carrier *carrier_of_frame(const struct packet *packet)
{
	struct carrier *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->users = 1;
	c->frame = packet->frame;
	c->offset = packet->offset;
	return c;
}

struct carrier *carrier_of_message(const struct carrier_part *parts, unsigned n)
{
	struct carrier *c = calloc(1, sizeof(*c));
	const size_t size = n * sizeof(*parts);

	if (!c)
		return NULL;
	c->parts = malloc(size);
	if (!c->parts) {
		free(c);
		return NULL;
	}
	c->users = 1;
	memcpy(c->parts, parts, size);
	c->nparts = n;
	for (unsigned i = 0; i < n; i++) {
		parts[i].in->users++;
		if (c->level <= parts[i].in->level)
			c->level = parts[i].in->level + 1;
	}
	return c;
}

void carrier_drop(struct carrier *c)
{
	if (!c || --c->users)
		return;
	for (unsigned i = 0; i < c->nparts; i++)
		carrier_drop(c->parts[i].in);
	free(c->parts);
	free(c->sites);
	free(c->bytes);
	free(c);
}

unsigned carrier_level(const struct carrier *c)
{
	return c->level;
}

size_t carrier_size(const struct carrier *c)
{
	return sizeof(*c) + c->nparts * sizeof(*c->parts) +
	       c->nsites * sizeof(*c->sites) + c->len;
}

void carrier_find(const struct carrier *c, uint32_t at, uint64_t *frame,
		  uint64_t *offset)
{
	while (c->nparts) {
		const struct carrier_part *p = c->parts;
		const struct carrier_part *last = p + c->nparts - 1;

		while (p < last && at >= p->at + p->len)
			p++;
		at = p->from + (at - p->at);
		c = p->in;
	}
	*frame = c->frame;
	*offset = c->offset + at;
}

uint64_t carrier_first(const struct carrier *c, uint32_t at)
{
	uint64_t first = UINT64_MAX;

	if (!c->nparts) {
		for (unsigned i = 0; i < c->nsites; i++)
			if (c->sites[i].field < at)
				at = c->sites[i].field;
		return c->offset + at;
	}
	for (unsigned i = 0; i < c->nparts; i++) {
		const struct carrier_part *p = &c->parts[i];
		const uint64_t other = carrier_first(p->in, p->from);

		if (other < first)
			first = other;
	}
	return first;
}

void carrier_close(struct carrier *c)
{
	c->closed = true;
}

static bool is_around(const struct fragment *p, const struct site *s)
{
	return !s->reason && s->start < p->at && p->at - s->start < s->len;
}

bool carrier_protect(struct carrier *c, const struct packet *packet,
		     const struct walk *walk)
{
	for (unsigned i = 0; i < walk->count; i++) {
		const struct site *s = &walk->sites[i];

		if (!is_around(&walk->fragment, s) ||
		    check_site(s, packet->data).verdict != VERDICT_GOOD)
			continue;
		if (!c->sites) {
			c->sites = calloc(walk->count, sizeof(*s));
			c->bytes = malloc(packet->caplen);
			if (!c->sites || !c->bytes)
				return false;
			c->len = packet->caplen;
			memcpy(c->bytes, packet->data, c->len);
		}
		c->sites[c->nsites] = *s;
		c->sites[c->nsites].ip = NULL;
		c->sites[c->nsites].pseudo_header.src = NULL;
		c->sites[c->nsites++].pseudo_header.dst = NULL;
	}
	return true;
}

/* --- a change --------------------------------------------------------------
 */

static bool covers_any(const struct site *s, const struct patches *changes)
{
	for (size_t i = 0; i < changes->n; i++) {
		const struct patch *p = &changes->list[i];

		if (p->offset < (uint64_t)s->start + s->len &&
		    p->offset + p->n > s->start)
			return true;
	}
	return false;
}

static void store(struct carrier *c, const struct patch *p)
{
	if (p->offset + p->n <= c->len)
		memcpy(c->bytes + p->offset, p->bytes, p->n);
}

/* The sums around the changes, from the inner ones out. */
static void follow(struct carrier *c, struct patches *changes)
{
	for (size_t i = 0; i < changes->n; i++)
		store(c, &changes->list[i]);
	for (unsigned i = c->nsites; i-- > 0;) {
		const struct site *s = &c->sites[i];

		if (!covers_any(s, changes))
			continue;
		site_store(s, c->bytes, site_right(s, c->bytes));
		patches_add(changes, s->field, c->bytes + s->field,
			    site_width(s));
	}
}

void carrier_write(struct carrier *c, struct patches *changes,
		   struct patches *out)
{
	out->failed |= c->closed;
	follow(c, changes);
	patches_fail_with(out, changes);
	for (size_t i = 0; !c->nparts && i < changes->n; i++)
		patches_add(out, c->offset + changes->list[i].offset,
			    changes->list[i].bytes, changes->list[i].n);
	for (unsigned i = 0; i < c->nparts; i++) {
		const struct carrier_part *p = &c->parts[i];
		struct patches inside = { .n = 0 };

		patches_within(changes, p->at, p->len, &inside);
		for (size_t k = 0; k < inside.n; k++)
			inside.list[k].offset += p->from;
		if (inside.n)
			carrier_write(p->in, &inside, out);
		patches_free(&inside);
	}
}
