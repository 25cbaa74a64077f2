/* SPDX-License-Identifier: BSD-2-Clause */
/* repair.c - sites from the last to the first, each judged when it is due. */
#include "repair.h"

#include <stddef.h>

#include "bytes.h"
#include "judge.h"

/*
 * A stored 0 where UDP must not have one is bad.  But its sender has computed
 * no sum, perhaps for a tunnel that the walk does not know by its port (RFC
 * 6935): what is asked for is to fill in what is absent.
 */
static enum verdict asked_as(const struct site *s, const struct check *c)
{
	return s->rule == RULE_UDP_REQUIRED && c->note == NOTE_ZERO_ILLEGAL
		       ? VERDICT_ABSENT
		       : c->verdict;
}

static bool asked(const struct repair_rules *rules, const struct site *s,
		  const struct check *c)
{
	if (rules->outer && site_is_inner(s))
		return false;
	return rules->protocols[s->protocol] && rules->verdicts[asked_as(s, c)];
}

/* Bad, meant by what is asked for, and left all the same: see asked_as(). */
static bool refused(const struct repair_rules *rules, const struct site *s,
		    const struct check *c)
{
	return c->verdict == VERDICT_BAD && rules->protocols[s->protocol] &&
	       rules->verdicts[VERDICT_BAD];
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

static void decide(const struct repair_rules *rules, const struct site *s,
		   struct check c, const uint8_t *frame, struct repaired *r)
{
	const bool was_good = r->was.verdict == VERDICT_GOOD;
	const bool wanted = asked(rules, s, &c);

	if (c.verdict == VERDICT_ABSENT && wanted)
		c = check_required(s, frame);
	r->now = c.expected;
	if (s->class == SITE_QUOTED && !rules->quoted)
		r->what = REPAIR_QUOTED;
	else if (c.verdict == VERDICT_UNVERIFIABLE)
		r->what = REPAIR_UNKNOWN;
	else if (c.verdict == VERDICT_GOOD || s->rule == RULE_NONE)
		r->what = REPAIR_RIGHT;
	else if (!wanted && !was_good)
		r->what = refused(rules, s, &c) ? REPAIR_REFUSED : REPAIR_LEFT;
	else
		r->what = was_good ? REPAIR_FOLLOWED : REPAIR_DONE;
}

/* What has been right before a change inside is known to be what it seems. */
static struct check judge_again(const struct unfinished *inside,
				const struct site *s, const struct check *was,
				const uint8_t *frame)
{
	struct site known = *s;

	if (s->rule == RULE_CRC16_OR_SIGNAL && was->verdict == VERDICT_GOOD)
		known.rule = RULE_CRC16_WPAN;
	return judge_site(inside, &known, frame);
}

void repair_packet(const struct repair_rules *rules, const struct walk *walk,
		   const struct check *was, uint8_t *frame,
		   struct repaired *out)
{
	struct unfinished inside;
	bool changed = false;

	inside.n = 0;
	for (unsigned i = walk->count; i-- > 0;) {
		const struct site *s = &walk->sites[i];
		/* most packets are right, and summed once */
		const struct check c =
			changed ? judge_again(&inside, s, &was[i], frame)
				: was[i];
		struct repaired *r = &out[i];

		r->was = was[i];
		decide(rules, s, c, frame, r);
		if (!repair_writes(r)) {
			unfinished_add(&inside, s, &c);
			continue;
		}
		site_store(s, frame, r->now);
		changed = true;
	}
}

/* Sums of which the captured bytes and zeros are all that is asked for. */
static bool can_end_in_zeros(const struct packet *packet, const struct site *s)
{
	enum { TCP_HEADER = 20 };
	const uint32_t have = packet->caplen - s->start;

	if (s->reason != REASON_SNAPPED || s->open || !s->has_field ||
	    s->hole_len)
		return false;
	if (s->protocol == PROTO_IPV4 ||
	    (s->protocol == PROTO_TCP && have < TCP_HEADER))
		return false;
	return s->rule == RULE_PLAIN || s->rule == RULE_UDP ||
	       s->rule == RULE_UDP_REQUIRED || s->rule == RULE_OPTIONAL;
}

unsigned repair_snapped(const struct packet *packet, struct walk *walk)
{
	unsigned n = 0;

	for (unsigned i = 0; i < walk->count; i++) {
		struct site *s = &walk->sites[i];

		if (!can_end_in_zeros(packet, s))
			continue;
		s->reason = REASON_NONE;
		s->len = packet->caplen - s->start;
		n++;
	}
	return n;
}

/* @p: a length of 16 bits; true if it was 0, and is @len now. */
static bool fill_length(uint8_t *p, uint64_t len)
{
	if (be16(p) != 0 || len > UINT16_MAX)
		return false;
	p[0] = (uint8_t)(len >> 8);
	p[1] = (uint8_t)len;
	return true;
}

/*
 * Where the message ends, the IP packet does.  What begins with hop-by-hop
 * options may be a jumbogram, whose lengths are 0 by right (RFC 2675).
 */
static bool fill_lengths(const struct packet *packet, const struct site *s,
			 uint8_t *frame)
{
	const uint64_t end = (uint64_t)s->start + s->len;
	uint32_t at;
	bool done = false;

	if (!s->ip || s->class == SITE_QUOTED)
		return false;
	at = (uint32_t)(s->ip - packet->data);
	if (s->ip[0] >> 4 == 6 && s->ip[6] == 0)
		return false;
	if (s->protocol == PROTO_UDP && s->reason == REASON_LENGTH_FIELD)
		done = fill_length(frame + s->start + 4, s->len);
	else if (s->reason ||
		 (s->protocol != PROTO_TCP && s->protocol != PROTO_UDP))
		return false;
	if (s->ip[0] >> 4 == 4)
		return fill_length(frame + at + 2, end - at) || done;
	return fill_length(frame + at + 4, end - at - 40) || done;
}

bool repair_lengths(const struct packet *packet, const struct walk *walk,
		    uint8_t *frame)
{
	bool changed = false;

	for (unsigned i = 0; i < walk->count; i++)
		if (!walk->sites[i].open)
			changed |= fill_lengths(packet, &walk->sites[i], frame);
	return changed;
}
