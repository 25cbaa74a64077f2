/* SPDX-License-Identifier: BSD-2-Clause */
/* merged.c - parts of conclusions, sorted by what they are about, and added. */
#include "merged.h"

#include <stdlib.h>
#include <string.h>

#include "inquiry.h"

void merged_free(struct merged *m)
{
	for (size_t i = 0; i < m->nparts; i++)
		free((char *)m->parts[i].subject.file);
	free(m->parts);
	*m = (struct merged){ 0 };
}

/* --- what makes parts alike ------------------------------------------------
 */

static int order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int flow_order(const struct endpoints *a, const struct endpoints *b)
{
	int d = order(a->version, b->version);

	d = d ? d : order(a->protocol, b->protocol);
	d = d ? d : order(a->has_ports, b->has_ports);
	d = d ? d : memcmp(a->src, b->src, sizeof(a->src));
	d = d ? d : memcmp(a->dst, b->dst, sizeof(a->dst));
	d = d ? d : order(a->src_port, b->src_port);
	return d ? d : order(a->dst_port, b->dst_port);
}

static int file_order(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : order(a != NULL, b != NULL);
}

static int subject_order(const struct conclusion_subject *a,
			 const struct conclusion_subject *b)
{
	int d = order(a->kind, b->kind);

	d = d ? d : order(a->version, b->version);
	d = d ? d : memcmp(a->address, b->address, sizeof(a->address));
	d = d ? d : flow_order(&a->flow, &b->flow);
	d = d ? d : order(a->interface, b->interface);
	return d ? d : file_order(a->file, b->file);
}

/* A box that adds 1 and a box that adds 256 are two boxes. */
static int box_order(const struct conclusion_part *a,
		     const struct conclusion_part *b)
{
	int d = order(a->constant, b->constant);

	if (d || !a->constant)
		return d;
	return order(a->difference, b->difference);
}

static int part_order(const void *x, const void *y)
{
	const struct conclusion_part *a = x, *b = y;
	int d = order(a->kind, b->kind);

	d = d ? d : subject_order(&a->subject, &b->subject);
	d = d ? d : order(a->receiver, b->receiver);
	d = d ? d : order(a->cause, b->cause);
	d = d ? d : order(a->merged, b->merged);
	return d || a->kind != CONCLUDE_REWRITE ? d : box_order(a, b);
}

static int by_size(const void *x, const void *y)
{
	const struct conclusion_part *a = x, *b = y;
	const int d = order(b->checksums, a->checksums);

	return d ? d : part_order(x, y);
}

/* --- adding ----------------------------------------------------------------
 */

/* @p becomes the sum; @more, which is alike, is used up. */
static void add_alike(struct conclusion_part *p, struct conclusion_part *more)
{
	p->files += more->files;
	p->checksums += more->checksums;
	p->of += more->of;
	p->one_bit += more->one_bit;
	p->constant = p->constant && more->constant &&
		      p->difference == more->difference;
	if (!p->constant)
		p->difference = 0;
	/* what was wrong on the wire in one file has been wrong */
	if (more->wire == WIRE_WRONG ||
	    (more->wire == WIRE_UNKNOWN && p->wire == WIRE_RIGHT))
		p->wire = more->wire;
	for (int f = 0; f < FATES; f++)
		p->fates[f] += more->fates[f];
	free((char *)more->subject.file);
	more->subject.file = NULL;
}

static void fold(struct merged *m)
{
	size_t n = 0;

	if (!m->nparts)
		return;
	qsort(m->parts, m->nparts, sizeof(*m->parts), part_order);
	for (size_t i = 1; i < m->nparts; i++) {
		if (part_order(&m->parts[n], &m->parts[i]) == 0)
			add_alike(&m->parts[n], &m->parts[i]);
		else
			m->parts[++n] = m->parts[i];
	}
	m->nparts = n + 1;
}

/* Folding may make room; it is done again only when as many have come. */
static bool make_room(struct merged *m)
{
	struct conclusion_part *more;
	size_t size;

	if (m->nparts < m->size)
		return true;
	fold(m);
	if (2 * m->nparts < m->size)
		return true;
	size = 2 * m->size + 16;
	more = realloc(m->parts, size * sizeof(*more));
	if (!more)
		return false;
	m->parts = more;
	m->size = size;
	return true;
}

/* A copy in printable ASCII, which JSON gives back as it is; NULL: no memory.
 */
static char *plain_name(const char *file)
{
	char *name = strdup(file);

	for (char *c = name; name && *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return name;
}

bool merged_add_part(struct merged *m, const struct conclusion_part *p,
		     const char *file)
{
	char *name = NULL;

	if (!make_room(m))
		return false;
	if (p->subject.kind == SUBJECT_INTERFACE && file) {
		name = plain_name(file);
		if (!name)
			return false;
	}
	m->parts[m->nparts] = *p;
	m->parts[m->nparts].subject.file = name;
	if (!p->constant)
		m->parts[m->nparts].difference = 0;
	m->nparts++;
	return true;
}

bool merged_add(struct merged *m, const struct conclusion *c, const char *file)
{
	for (unsigned i = 0; i < c->nparts; i++)
		if (!merged_add_part(m, &c->parts[i], file))
			return false;
	m->files[c->kind]++;
	m->nothing_verified += c->kind == CONCLUDE_UNKNOWN && !c->nparts;
	m->unweighed += c->unweighed + c->more_checksums;
	return true;
}

void merged_sort(struct merged *m)
{
	fold(m);
	if (m->nparts)
		qsort(m->parts, m->nparts, sizeof(*m->parts), by_size);
}

void merged_conclude(const struct merged *m, struct conclusion *c)
{
	*c = (struct conclusion){ .unweighed = m->unweighed,
				  .nothing_verified = m->nothing_verified };
	for (int k = 0; k < CONCLUDE_KINDS; k++)
		c->files += m->files[k];
	for (size_t i = 0; i < m->nparts; i++) {
		if (i < CONCLUSION_PARTS)
			c->parts[c->nparts++] = m->parts[i];
		else
			c->more_checksums += m->parts[i].checksums;
	}
	c->more_parts = m->nparts - c->nparts;
	sum_up(m->parts, m->nparts, m->files[CONCLUDE_NONE] > 0, c);
}
