/* SPDX-License-Identifier: BSD-2-Clause */
/* like.c - from how a checksum was to how it has to be now. */
#include "like.h"

#include <inttypes.h>
#include <stdio.h>

#include "bytes.h"
#include "judge.h"

/* --- the original ----------------------------------------------------------
 */

/* BYTES of a message cut short whose front is enough for an update; or 0. */
static uint32_t front_of(const struct packet *packet, const struct site *s)
{
	if (s->reason != REASON_SNAPPED || s->open || !s->has_field ||
	    s->hole_len || !rule_is_sum(s->rule) ||
	    s->rule == RULE_LAST_BYTE_LOW || s->rule == RULE_ALL_ALLOWED)
		return 0;
	return packet->caplen - s->start;
}

/* What the first @n BYTES of a message and its pseudo-header come to. */
static csum_wsum front_sum(const struct site *s, uint32_t n,
			   const uint8_t *frame)
{
	struct site front = *s;

	front.len = n;
	return site_sum(&front, frame);
}

void likeness_take(struct likeness *l, const struct packet *packet,
		   const struct walk *walk, const struct check *checks)
{
	l->count = walk->count;
	for (unsigned i = 0; i < walk->count; i++) {
		const struct site *s = &walk->sites[i];
		const uint32_t captured = front_of(packet, s);

		l->sites[i] = (struct like_site){
			.protocol = s->protocol,
			.class = s->class,
			.rule = s->rule,
			.has_field = s->has_field,
			.open = s->open,
			.len = s->len,
			.pseudo = s->pseudo,
			.captured = captured,
			.front = captured ? front_sum(s, captured, packet->data)
					  : 0,
			.check = checks[i],
		};
	}
}

/* --- what does not match ---------------------------------------------------
 */

static bool matches(const struct like_site *o, const struct site *s)
{
	return o->protocol == s->protocol && o->class == s->class &&
	       o->has_field == s->has_field && o->open == s->open &&
	       (s->open || o->len == s->len);
}

static bool all_match(const struct likeness *l, const struct walk *walk,
		      char *cause, size_t size)
{
	for (unsigned i = 0; i < l->count && i < walk->count; i++) {
		const struct like_site *o = &l->sites[i];
		const struct site *s = &walk->sites[i];

		if (matches(o, s))
			continue;
		snprintf(cause, size,
			 "%s over %" PRIu32 " bytes, there %s over %" PRIu32,
			 protocol_name(s->protocol), s->len,
			 protocol_name(o->protocol), o->len);
		return false;
	}
	if (l->count != walk->count)
		snprintf(cause, size, "%u checksum%s, there %u", walk->count,
			 walk->count == 1 ? "" : "s", l->count);
	return l->count == walk->count;
}

/* --- the value -------------------------------------------------------------
 */

static csum_wsum sum_of(uint32_t value)
{
	return csum_from16(csum_be16_from_host((uint16_t)value));
}

/* A sum that is not complemented, as a host integer. */
static uint32_t value_of(csum_wsum sum)
{
	const uint16_t folded = csum_to16(sum);

	return be16((const uint8_t *)&folded);
}

/* @value + @to - @from; not 0 where that means none. */
static uint32_t moved(const struct site *s, uint32_t value, csum_wsum to,
		      csum_wsum from)
{
	const uint32_t v =
		value_of(csum_add(sum_of(value), csum_sub(to, from))) % 0xffff;

	if (!v && (s->rule == RULE_UDP || s->rule == RULE_UDP_REQUIRED))
		return 0xffff;
	return v;
}

static uint32_t as_wrong(const struct like_site *o, const struct site *s,
			 uint32_t right)
{
	const uint32_t found = o->check.found;

	if (!rule_is_sum(s->rule))
		return found ^ right ^ o->check.expected;
	if (!found)
		return 0;
	return moved(s, found, sum_of(right), sum_of(o->check.expected));
}

/* Left for the network card to finish; of what is cut short, that is a guess,
 * which fails for one sum in 65536.
 */
static bool is_seed(const struct like_site *o)
{
	return o->check.verdict == VERDICT_PARTIAL ||
	       (o->captured && o->pseudo &&
		o->check.found == value_of(o->pseudo));
}

/*
 * The sum of a pseudo-header, which is never all zeros.  What the capture says
 * is unfinished may as well be 0, or have no pseudo-header.
 */
static uint32_t seed(const struct like_site *o, const struct site *s)
{
	const uint32_t found = o->check.found;
	const uint32_t v = moved(s, found, s->pseudo, o->pseudo);

	if (!found || !o->pseudo)
		return found;
	return v ? v : 0xffff;
}

/* The field holds a complement: what is added to the sum, it loses. */
static uint32_t updated(const struct like_site *o, const struct site *s,
			const uint8_t *frame)
{
	return moved(s, o->check.found, o->front,
		     front_sum(s, o->captured, frame));
}

/*
 * What the verdict of the original means for @r; @c: how the site is now, with
 * all that is inside of it as it will be.
 */
static void decide(const struct like_site *o, const struct site *s,
		   const struct check *c, const struct packet *packet,
		   const uint8_t *frame, struct repaired *r)
{
	const bool known = c->verdict != VERDICT_UNVERIFIABLE;

	r->what = REPAIR_KEPT;
	if (o->rule == RULE_NONE || !s->has_field)
		r->what = s->has_field ? REPAIR_RIGHT : REPAIR_UNKNOWN;
	else if (o->check.verdict == VERDICT_ABSENT)
		r->now = o->check.found;
	else if (is_seed(o))
		r->now = seed(o, s);
	else if (o->captured && !o->check.found)
		r->now = 0; /* left for the network card, or for good */
	else if (o->captured && o->captured == front_of(packet, s))
		r->now = updated(o, s, frame);
	else if (o->check.verdict == VERDICT_UNVERIFIABLE || !known)
		r->what = REPAIR_UNKNOWN;
	else if (o->check.verdict == VERDICT_BAD)
		r->now = as_wrong(o, s, c->expected);
	else if (c->verdict == VERDICT_GOOD)
		r->what = REPAIR_RIGHT;
	else {
		r->what = REPAIR_DONE;
		r->now = c->expected;
	}
}

/* As if the field had to hold a sum, if the original had one. */
static struct check check_now(const struct unfinished *inside,
			      const struct like_site *o, const struct site *s,
			      const uint8_t *frame)
{
	struct site required = *s;

	if (s->rule == RULE_UDP && o->check.verdict != VERDICT_ABSENT)
		required.rule = RULE_UDP_REQUIRED;
	/* good over the bytes as they are, and not once they are finished */
	if (o->check.verdict == VERDICT_GOOD && o->check.note != NOTE_FINISHED)
		return check_site(&required, frame);
	return judge_site(inside, &required, frame);
}

bool like_packet(const struct repair_rules *rules, const struct likeness *l,
		 const struct packet *packet, const struct walk *walk,
		 const struct check *was, uint8_t *frame, struct repaired *out,
		 char *cause, size_t size)
{
	struct unfinished inside = { .n = 0 };

	if (!all_match(l, walk, cause, size))
		return false;
	for (unsigned i = walk->count; i-- > 0;) {
		const struct like_site *o = &l->sites[i];
		const struct site *s = &walk->sites[i];
		struct check c = check_now(&inside, o, s, frame);
		struct repaired *r = &out[i];

		r->was = was[i];
		r->now = was[i].found;
		if (s->class == SITE_QUOTED && !rules->quoted)
			r->what = REPAIR_QUOTED;
		else if (!rules->protocols[s->protocol])
			r->what = REPAIR_LEFT;
		else
			decide(o, s, &c, packet, frame, r);
		if (repair_writes(r))
			site_store(s, frame, r->now);
		c = check_site(s, frame);
		unfinished_add(&inside, s, &c);
	}
	return true;
}
