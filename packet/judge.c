/* SPDX-License-Identifier: BSD-2-Clause */
/* judge.c - the sites of a packet, to a verdict each: from the inner ones out.
 */
#include "judge.h"

void unfinished_add(struct unfinished *u, const struct site *s,
		    const struct check *c)
{
	if (c->verdict != VERDICT_PARTIAL || !rule_is_sum(s->rule) ||
	    s->class != SITE_REAL)
		return;
	u->list[u->n].field = s->field;
	u->list[u->n++].more = csum_sub(
		csum_from16(csum_be16_from_host((uint16_t)c->expected)),
		csum_from16(csum_be16_from_host((uint16_t)c->found)));
}

static bool covers(const struct site *s, uint32_t field)
{
	return field != s->field && field >= s->start &&
	       field - s->start + 2 <= s->len &&
	       !(field >= s->hole && field - s->hole < s->hole_len);
}

/* What the sum of @s changes by when all inside of it is finished. */
static csum_wsum sum_inside(const struct unfinished *inside,
			    const struct site *s, bool *any)
{
	csum_wsum more = 0;

	*any = false;
	for (unsigned i = 0; i < inside->n; i++) {
		const uint32_t field = inside->list[i].field;

		if (!covers(s, field))
			continue;
		*any = true;
		more = csum_combine(more, inside->list[i].more,
				    field - s->start);
	}
	return more;
}

/* Changes the verdict @c on a sum that is not right for what is there. */
static void finish_inside(const struct unfinished *inside, const struct site *s,
			  const uint8_t *frame, struct check *c)
{
	csum_wsum more, sum;
	bool any;

	if (!rule_is_sum(s->rule) || s->rule == RULE_LAST_BYTE_LOW ||
	    c->note == NOTE_ZERO_ILLEGAL)
		return;
	more = sum_inside(inside, s, &any);
	if (!any)
		return;
	sum = csum_add(site_sum(s, frame), more);
	c->expected = site_value(s, sum);
	if (c->expected == c->found) {
		c->verdict = VERDICT_GOOD;
		c->note = NOTE_FINISHED;
	}
}

static bool is_wrong(const struct check *c)
{
	return c->verdict == VERDICT_BAD || c->verdict == VERDICT_PARTIAL;
}

struct check judge_site(const struct unfinished *inside, const struct site *s,
			const uint8_t *frame)
{
	struct check c = check_site(s, frame);

	if (inside->n && is_wrong(&c))
		finish_inside(inside, s, frame, &c);
	return c;
}

void judge_packet(const struct walk *walk, const uint8_t *frame,
		  struct check *checks)
{
	struct unfinished inside;

	inside.n = 0;
	for (unsigned i = walk->count; i-- > 0;) {
		checks[i] = judge_site(&inside, &walk->sites[i], frame);
		if (is_wrong(&checks[i]))
			unfinished_add(&inside, &walk->sites[i], &checks[i]);
	}
}
