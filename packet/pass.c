/* SPDX-License-Identifier: BSD-2-Clause */
/* pass.c - frames in order, through all that is done to them. */
#include "pass.h"

#include <string.h>

/* --- what is told ----------------------------------------------------------
 */

static bool asks_why(const struct pass *p, const struct finding *f)
{
	return p->why && f->site->class == SITE_REAL &&
	       (f->check.verdict == VERDICT_BAD ||
		f->check.verdict == VERDICT_PARTIAL);
}

/* Counts a site, and calls for it. */
static void tell(struct pass *p, struct finding *f)
{
	struct why causes[WHY_MAX];

	if (p->protocols && !p->protocols[f->site->protocol])
		return;
	tally_site(p->tally, f->site, &f->check);
	if (f->repaired)
		p->tally->sites.repairs[f->site->protocol][f->repaired->what]++;
	f->asked_why = asks_why(p, f);
	if (f->asked_why) {
		f->ncauses = why_site(f->packet, f->site, &f->check, f->walk,
				      causes);
		f->causes = causes;
		p->tally->sites
			.causes[f->ncauses ? causes[0].cause : CAUSE_NONE]++;
	}
	p->site(p->context, f);
}

/* --- a packet alone --------------------------------------------------------
 */

static void fill_lengths(struct pass *p, uint8_t *frame)
{
	if (!repair_lengths(&p->packet, &p->walk, frame))
		return;
	p->tally->sites.lengths++;
	walk_packet(&p->packet, &p->walk);
}

static void judge_or_repair(struct pass *p, uint8_t *frame)
{
	judge_packet(&p->walk, p->packet.data, p->checks);
	if (p->repair)
		repair_packet(p->repair, &p->walk, p->checks, frame,
			      p->repaired);
}

/* A verdict on any of its sites, be it that there is no checksum. */
static bool any_checked(const struct walk *walk, const struct check *checks)
{
	for (unsigned i = 0; i < walk->count; i++)
		if (checks[i].verdict != VERDICT_UNVERIFIABLE)
			return true;
	return false;
}

bool pass_packet(struct pass *p, const struct packet *packet, uint8_t *frame,
		 struct fragment_sums *sums)
{
	const struct walk *walk = &p->walk;
	bool fragment;

	p->packet = *packet;
	p->packet.crc = p->crc;
	walk_rules_apply(p->rules, &p->packet);
	walk_packet(&p->packet, &p->walk);
	fragment = walk->has_fragment;
	if (fragment)
		fragment_take(&p->packet, walk, sums);
	if (p->lengths)
		fill_lengths(p, frame);
	judge_or_repair(p, frame);
	tally_walk(p->tally, walk);
	if (!fragment && !any_checked(walk, p->checks))
		p->tally->sites.unchecked++;
	for (unsigned i = 0; i < walk->count; i++) {
		const struct site *s = &walk->sites[i];

		if (!s->open)
			tell(p, &(struct finding){
					.packet = &p->packet,
					.site = s,
					.offset = packet->offset + s->field,
					.check = p->checks[i],
					.repaired = p->repair ? &p->repaired[i]
							      : NULL,
					.walk = walk,
				});
	}
	if (fragment && p->repair)
		fragment_repaired(&p->packet, walk, sums);
	return fragment;
}

/* --- messages in fragments -------------------------------------------------
 */

/*
 * The field, and those around it, from the front on: if one is out of reach, it
 * is the first, and nothing is changed.
 */
static bool patch_message(struct pass *p, struct site *s, uint32_t now)
{
	const unsigned width = protocol_width(s->protocol);
	uint8_t bytes[4];

	if (width == 2)
		repair_around(&s->whole, now);
	for (unsigned i = 0; i < s->whole.naround; i++) {
		const struct around *a = &s->whole.around[i];

		memcpy(bytes, &a->value, 2);
		if (!p->patch(p->context, a->field, bytes, 2))
			return false;
	}
	for (unsigned i = 0; i < width; i++)
		bytes[i] = (uint8_t)(now >> (8 * (width - 1 - i)));
	return p->patch(p->context, s->whole.offset, bytes, width);
}

static void repair_or_pass(struct pass *p, struct site *s, struct repaired *r)
{
	repair_message(p->repair, s, r);
	if (repair_writes(r) && !patch_message(p, s, r->now))
		r->what = REPAIR_PASSED;
}

static void tell_message(void *context, uint64_t frame, struct site *s)
{
	const struct packet gone = { .frame = frame,
				     .data = (const uint8_t *)"" };
	struct pass *p = context;
	struct repaired r;
	struct finding f = {
		.packet = &gone,
		.site = s,
		.offset = s->whole.offset,
	};

	if (p->repair) {
		repair_or_pass(p, s, &r);
		f.check = r.was;
		f.repaired = &r;
	} else {
		f.check = check_site(s, NULL);
	}
	tell(p, &f);
	if (f.repaired && repair_writes(&r))
		s->whole.found = r.now;
}

bool pass_gather(struct pass *p)
{
	p->fragments = fragments_new(tell_message, p);
	return p->fragments;
}

void pass_end(struct pass *p)
{
	fragments_free(p->fragments);
}

void pass_fragment(struct pass *p, const struct fragment_sums *sums)
{
	fragments_add(p->fragments, sums);
}

void pass_flush(struct pass *p)
{
	fragments_flush(p->fragments);
}
