/* SPDX-License-Identifier: BSD-2-Clause */
/* rules_sender.c - mistakes of senders: what is left for a card, and what is
 * computed wrongly. */
#include "inquiry.h"

#include <stdlib.h>

/* Left for the network card: the sum of the pseudo-header, or 0. */
static bool is_unfinished(const struct symptom *f)
{
	return f->verdict == VERDICT_PARTIAL ||
	       (f->found == 0 &&
		(f->note == NOTE_LEFT_ZERO || f->note == NOTE_ZERO_ILLEGAL));
}

bool initial_ttl(uint8_t ttl)
{
	return ttl == 32 || ttl == 64 || ttl == 128 || ttl == 255 || ttl == 1;
}

enum { ETHERNET_LONGEST = 1514 + 4 }; /* BYTES, with a tag */

/*
 * Received, or forwarded by a router: too late for the card of the sender. What
 * was merged on arrival is as long as no frame is.
 */
static bool has_left(const struct symptom *f)
{
	if (f->seen.length > ETHERNET_LONGEST || f->seen.depth > 0)
		return false;
	if (f->seen.link.direction != DIRECTION_UNKNOWN)
		return f->seen.link.direction == DIRECTION_IN;
	return f->seen.ttl && !initial_ttl(f->seen.ttl);
}

/*
 * Nobody has finished these sums: they are on the wire as they are, nothing was
 * acknowledged, and segments to several hosts were sent again.
 */
static bool never_finished(const struct inquiry *q,
			   const struct conclusion_part *p)
{
	size_t left = 0;

	for (size_t i = 0; i < q->ntaken; i++)
		left += has_left(q->taken[i]);
	if (p->fates[FATE_ACKED])
		return false;
	return left * 2 > q->ntaken ||
	       (p->fates[FATE_REPEATED] >= 3 &&
		!all_same(q->taken, q->ntaken, same_dst));
}

static void conclude_unfinished(struct inquiry *q)
{
	struct conclusion_part *p = add_part(q, CONCLUDE_OFFLOAD);

	if (never_finished(q, p)) {
		p->kind = CONCLUDE_STACK;
		p->cause = CAUSE_OFFLOAD;
	}
	if (other_interface_right(q)) {
		p->subject.kind = SUBJECT_INTERFACE;
		p->subject.interface = q->taken[0]->seen.interface;
	} else {
		about_sender(q, p, main_sender(q));
	}
}

static bool same_machine(const struct symptom *a, const struct symptom *b)
{
	return same_src(a, b) || same_link(a, b);
}

void rule_unfinished(struct inquiry *q)
{
	unsigned senders = 0;

	for (size_t i = 0; i < q->nopen;) {
		const struct symptom *f = q->open[i];

		if (!is_unfinished(f)) {
			i++;
			continue;
		}
		q->ntaken = 0;
		for (size_t k = i; k < q->nopen; k++)
			if (is_unfinished(q->open[k]) &&
			    (senders == 2 || same_machine(f, q->open[k])))
				take(q, q->open[k]);
		conclude_unfinished(q);
		senders++;
	}
}

void rule_merged(struct inquiry *q)
{
	struct conclusion_part *p;

	q->ntaken = 0;
	for (size_t i = 0; i < q->nopen; i++) {
		const struct symptom *f = q->open[i];

		if (f->kind == OBSERVED_TCP &&
		    f->seen.length > ETHERNET_LONGEST &&
		    f->seen.length > q->e->longest_good &&
		    f->fate != FATE_RESENT && f->fate != FATE_REPEATED)
			take(q, f);
	}
	if (q->ntaken < 2 || !all_same(q->taken, q->ntaken, same_dst))
		return;
	p = add_part(q, CONCLUDE_OFFLOAD);
	p->merged = true;
	about_receiver(p, q->taken[0]);
}

/* Mistakes that a sender makes, as bits like symptom.causes. */
static uint64_t sender_mistakes(void)
{
	static const enum cause list[] = {
		CAUSE_ZEROS,	 CAUSE_SWAPPED,	 CAUSE_COMPLEMENT,
		CAUSE_NO_PSEUDO, CAUSE_PSEUDO,	 CAUSE_PSEUDO_TWICE,
		CAUSE_LENGTH,	 CAUSE_PROTOCOL, CAUSE_DESTINATION,
		CAUSE_SOURCE,	 CAUSE_ODD_SIDE, CAUSE_ODD_LEFT_OUT,
		CAUSE_TRAILER,	 CAUSE_OPTIONS,	 CAUSE_CARRY,
	};
	uint64_t bits = 0;

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		bits |= UINT64_C(1) << list[i];
	return bits;
}

/* The mistake that explains most of what is taken, and how much of it. */
static enum cause common_mistake(const struct inquiry *q, size_t *explained)
{
	const uint64_t mistakes = sender_mistakes();
	enum cause best = CAUSE_NONE;

	*explained = 0;
	for (int c = 0; c < CAUSE_COUNT; c++) {
		const uint64_t bit = UINT64_C(1) << c;
		size_t n = 0;

		if (!(mistakes & bit))
			continue;
		for (size_t i = 0; i < q->ntaken; i++)
			n += !!(q->taken[i]->causes & bit);
		if (n > *explained) {
			*explained = n;
			best = (enum cause)c;
		}
	}
	return best;
}

/*
 * A lost carry looks like a field that was raised by one.  Nearly every header
 * carries, so a sender that loses carries has hardly a right one.
 */
static bool carry_is_doubtful(const struct inquiry *q, enum cause mistake)
{
	return mistake == CAUSE_CARRY &&
	       q->taken[0]->kind == OBSERVED_NETWORK &&
	       evidence_sender(q->e, q->taken[0]).good[OBSERVED_NETWORK] >
		       q->ntaken;
}

/*
 * Only those of a sender that its mistake explains stay taken; and those from
 * an address of it that has none explained: the mistake may look otherwise over
 * the other version of IP.
 */
static void keep_explained(struct inquiry *q, enum cause mistake)
{
	bool explained[2] = { false, false };
	size_t n = 0;

	for (size_t i = 0; i < q->ntaken; i++)
		explained[q->taken[i]->seen.ends.version == 6] |=
			q->taken[i]->causes >> mistake & 1;
	for (size_t i = 0; i < q->ntaken; i++)
		if (q->taken[i]->causes >> mistake & 1 ||
		    !explained[q->taken[i]->seen.ends.version == 6])
			q->taken[n++] = q->taken[i];
	q->ntaken = n;
}

/* How many of those that are taken came over that version of IP. */
static size_t count_version(const struct inquiry *q, uint8_t version)
{
	size_t n = 0;

	for (size_t i = 0; i < q->ntaken; i++)
		n += q->taken[i]->seen.ends.version == version;
	return n;
}

/* How many a mistake has to explain: all over the one version of IP is enough.
 */
static size_t to_explain(const struct inquiry *q)
{
	const size_t four = count_version(q, 4), six = count_version(q, 6);

	return four && six ? (four < six ? four : six) : q->ntaken;
}

bool understood_all(const struct inquiry *q)
{
	size_t fates[FATES] = { 0 };

	for (size_t i = 0; i < q->ntaken; i++)
		fates[q->taken[i]->fate]++;
	return fates[FATE_ACKED] >= 3 && !fates[FATE_RESENT] &&
	       !fates[FATE_REPEATED];
}

/*
 * One mistake explains all that a sender got wrong: two out of two, or nine in
 * ten.  By chance a mistake fits in one of a few thousand.
 */
static bool conclude_stack(struct inquiry *q)
{
	size_t explained;
	const enum cause mistake = common_mistake(q, &explained);
	struct conclusion_part *p;

	if (explained < 2 || explained * 10 < to_explain(q) * 9 ||
	    carry_is_doubtful(q, mistake))
		return false;
	keep_explained(q, mistake);
	p = add_part(q, understood_all(q) ? CONCLUDE_OFFLOAD : CONCLUDE_STACK);
	p->cause = mistake;
	about_sender(q, p, main_sender(q));
	return true;
}

void rule_stack(struct inquiry *q)
{
	unsigned tried = 0;

	for (size_t i = 0; i < q->nopen && tried++ < 64;) {
		const struct symptom *f = q->open[i];

		take_related(q, f, same_machine);
		if (q->taken[0] == f && one_sender(q->taken, q->ntaken) &&
		    conclude_stack(q))
			continue;
		take_related(q, f, same_src);
		if (q->taken[0] != f || !conclude_stack(q))
			i++;
	}
}
