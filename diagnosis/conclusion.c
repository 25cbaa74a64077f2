/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * conclusion.c - evidence to explanations: the order of the rules, and what
 * their parts come to.
 *
 * The order is that of how hard it is for a rule to be right by chance.
 */
#include <stdlib.h>

#include "inquiry.h"

static void rule_rest(struct inquiry *q)
{
	take_all(q);
	add_part(q, CONCLUDE_UNKNOWN);
}

static void explain(struct inquiry *q)
{
	static void (*const rules[])(struct inquiry *) = {
		rule_merged,	 rule_anonymised, rule_rewrite,
		rule_truncation, rule_corruption, rule_always,
	};

	for (size_t i = 0; q->nopen && i < sizeof(rules) / sizeof(*rules); i++)
		rules[i](q);
}

/* --- the whole -------------------------------------------------------------
 */

static enum wire part_wire(const struct conclusion_part *p)
{
	const uint64_t lost = p->fates[FATE_RESENT] + p->fates[FATE_REPEATED];

	switch (p->kind) {
	case CONCLUDE_NONE:
	case CONCLUDE_OFFLOAD:
	case CONCLUDE_TRUNCATION:
	case CONCLUDE_ANONYMISED:
		return WIRE_RIGHT;
	case CONCLUDE_UNKNOWN:
		return WIRE_UNKNOWN;
	default:
		/* a receiver acknowledges nothing that is wrong */
		return p->fates[FATE_ACKED] >= 2 &&
				       p->fates[FATE_ACKED] >= 10 * lost
			       ? WIRE_RIGHT
			       : WIRE_WRONG;
	}
}

static int by_size(const void *a, const void *b)
{
	const struct conclusion_part *x = a, *y = b;

	if (x->checksums != y->checksums)
		return x->checksums < y->checksums ? 1 : -1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* What is unknown beside an explanation of nine in ten does not change it. */
static bool counts_for_kind(const struct conclusion_part *p, uint64_t all)
{
	return p->kind != CONCLUDE_UNKNOWN || p->checksums * 10 > all;
}

/* True if a checksum of any kind was good. */
static bool any_good(const struct evidence *e)
{
	for (int k = 0; k < OBSERVED_KINDS; k++)
		if (evidence_good(e, k))
			return true;
	return false;
}

void sum_up(const struct conclusion_part *parts, size_t n, bool any_good,
	    struct conclusion *c)
{
	uint64_t all = 0;

	c->kind = any_good || n ? CONCLUDE_NONE : CONCLUDE_UNKNOWN;
	c->wire = any_good || n ? WIRE_RIGHT : WIRE_UNKNOWN;
	for (size_t i = 0; i < n; i++)
		all += parts[i].checksums;
	for (size_t i = 0; i < n; i++) {
		const struct conclusion_part *p = &parts[i];

		if (!counts_for_kind(p, all))
			continue;
		if (c->kind == CONCLUDE_NONE)
			c->kind = p->kind;
		else if (c->kind != p->kind)
			c->kind = CONCLUDE_MIXED;
		if (p->wire == WIRE_WRONG ||
		    (p->wire == WIRE_UNKNOWN && c->wire == WIRE_RIGHT))
			c->wire = p->wire;
	}
}

static void open_all(struct inquiry *q, const struct symptoms *f)
{
	for (size_t i = 0; i < f->n; i++)
		q->open[q->nopen++] = &f->list[i];
}

bool conclude(const struct evidence *e, struct conclusion *c)
{
	const size_t n = e->wrong.n + e->partial.n;
	struct inquiry q = {
		.e = e,
		.c = c,
		.open = malloc((n + 1) * sizeof(*q.open)),
		.taken = malloc((n + 1) * sizeof(*q.taken)),
	};
	const bool ok = q.open && q.taken;

	*c = (struct conclusion){ 0 };
	if (ok) {
		open_all(&q, &e->wrong);
		open_all(&q, &e->partial);
		qsort(q.open, q.nopen, sizeof(*q.open), by_frame);
		rule_unfinished(&q);
		rule_stack(&q);
		explain(&q);
		if (q.nopen)
			rule_rest(&q);
		for (unsigned i = 0; i < c->nparts; i++)
			c->parts[i].wire = part_wire(&c->parts[i]);
		qsort(c->parts, c->nparts, sizeof(*c->parts), by_size);
		sum_up(c->parts, c->nparts, any_good(e), c);
		/* what was left out can be of yet another kind */
		if (q.left_out_kinds & ~(1u << c->kind))
			c->kind = CONCLUDE_MIXED;
		c->unweighed = e->wrong.more + e->partial.more;
	}
	free(q.open);
	free(q.taken);
	return ok;
}
