/* SPDX-License-Identifier: BSD-2-Clause */
/* repair.c - sites from the last to the first, each judged when it is due. */
#include "repair.h"

#include <stddef.h>

/*
 * A stored 0 where UDP must not have one is bad.  But its sender has computed
 * no sum, perhaps for a tunnel that the walk does not know by its port (RFC
 * 6935): what is asked for is to fill in what is absent.
 */
static enum verdict asked_as(const struct check *c)
{
	return c->note == NOTE_ZERO_ILLEGAL ? VERDICT_ABSENT : c->verdict;
}

static bool asked(const struct repair_rules *rules, const struct site *s,
		  const struct check *c)
{
	return rules->protocols[s->protocol] && rules->verdicts[asked_as(c)];
}

/* As if the field had to hold a sum. */
static struct check check_required(const struct site *s, const uint8_t *frame)
{
	struct site required = *s;

	if (s->rule == RULE_UDP)
		required.rule = RULE_UDP_REQUIRED;
	else if (s->rule == RULE_CRC32C)
		required.rule = RULE_CRC32C_REQUIRED;
	else if (s->rule == RULE_OPTIONAL)
		required.rule = RULE_PLAIN;
	return check_site(&required, frame);
}

static void judge(const struct repair_rules *rules, const struct site *s,
		  struct check c, const uint8_t *frame, struct repaired *r)
{
	const bool was_good = r->was.verdict == VERDICT_GOOD;
	const bool wanted = asked(rules, s, &c);

	if (c.verdict == VERDICT_ABSENT && wanted)
		c = check_required(s, frame);
	r->now = c.expected;
	if (s->class == SITE_QUOTED)
		r->what = REPAIR_QUOTED;
	else if (c.verdict == VERDICT_UNVERIFIABLE)
		r->what = REPAIR_UNKNOWN;
	else if (c.verdict == VERDICT_GOOD || s->rule == RULE_NONE)
		r->what = REPAIR_RIGHT;
	else if (!wanted && !was_good)
		r->what = REPAIR_LEFT;
	else
		r->what = was_good ? REPAIR_FOLLOWED : REPAIR_DONE;
}

void repair_packet(const struct repair_rules *rules, const struct walk *walk,
		   uint8_t *frame, struct repaired *out)
{
	bool changed = false;

	for (unsigned i = 0; i < walk->count; i++)
		out[i].was = check_site(&walk->sites[i], frame);
	for (unsigned i = walk->count; i-- > 0;) {
		const struct site *s = &walk->sites[i];
		struct repaired *r = &out[i];

		judge(rules, s, changed ? check_site(s, frame) : r->was, frame,
		      r);
		if (r->what != REPAIR_DONE && r->what != REPAIR_FOLLOWED)
			continue;
		site_store(s, frame, r->now);
		changed = true;
	}
}

void repair_message(const struct repair_rules *rules, const struct site *s,
		    struct repaired *r)
{
	r->was = check_site(s, NULL);
	judge(rules, s, r->was, NULL, r);
	if (r->what == REPAIR_DONE && s->whole.covered)
		r->what = REPAIR_PASSED;
}
