/* SPDX-License-Identifier: BSD-2-Clause */
/* pass.c - frames in order, through all that is done to them. */
#include "pass.h"

#include <stddef.h>
#include <stdio.h>

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

/* Where a site is, if it has no field: what it would cover. */
static uint32_t place_of(const struct site *s)
{
	return s->has_field ? s->field : s->start;
}

/* Site @i of the packet that was seen last; @w: the message that it is. */
static void tell_site(struct pass *p, unsigned i, uint64_t offset,
		      const struct whole *w)
{
	const struct site *s = &p->walk.sites[i];

	tell(p, &(struct finding){
			.packet = &p->packet,
			.vlans = w ? &w->vlans : &p->walk.vlans,
			.site = s,
			.offset = offset,
			.field_frame = w ? whole_frame(w, place_of(s)) : 0,
			.first_frame = w ? whole_frame(w, w->head) : 0,
			.check = p->checks[i],
			.repaired = p->repair ? &p->repaired[i] : NULL,
			.walk = &p->walk,
		});
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

/* Nothing is repaired any more once something has not matched. */
static void repair_like(struct pass *p, uint8_t *frame, bool message)
{
	const struct likeness *l = p->like(p->context, message);

	if (!p->unlike[0] && l &&
	    like_packet(p->repair, l, &p->packet, &p->walk, p->checks, frame,
			p->repaired, p->unlike, sizeof(p->unlike)))
		return;
	if (!p->unlike[0])
		snprintf(p->unlike, sizeof(p->unlike), "%s",
			 message ? "a message in fragments is complete, which "
				   "is not so there"
				 : "no packet there");
	for (unsigned i = 0; i < p->walk.count; i++)
		p->repaired[i] = (struct repaired){ .what = REPAIR_UNKNOWN,
						    .was = p->checks[i] };
}

/* @message: put together from fragments. */
static void judge_or_repair(struct pass *p, uint8_t *frame, bool message)
{
	judge_packet(&p->walk, p->packet.data, p->checks);
	if (p->like)
		repair_like(p, frame, message);
	else if (p->repair)
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

struct fragment_copy *pass_packet(struct pass *p, const struct packet *packet,
				  uint8_t *frame)
{
	const struct walk *walk = &p->walk;
	struct fragment_copy *c = NULL;

	p->packet = *packet;
	p->packet.crc = p->crc;
	walk_rules_apply(p->rules, &p->packet);
	walk_packet(&p->packet, &p->walk);
	if (walk->has_fragment)
		c = fragment_take(&p->packet, walk, NULL, &p->out_of_memory);
	if (p->lengths)
		fill_lengths(p, frame);
	if (p->repair && p->repair->snapped)
		p->tally->sites.snapped += repair_snapped(&p->packet, &p->walk);
	judge_or_repair(p, frame, false);
	tally_walk(p->tally, walk);
	if (!walk->has_fragment && !any_checked(walk, p->checks))
		p->tally->sites.unchecked++;
	for (unsigned i = 0; i < walk->count; i++)
		if (!walk->sites[i].open)
			tell_site(p, i, packet->offset + walk->sites[i].field,
				  NULL);
	if (c && p->repair)
		p->out_of_memory |=
			!fragment_repaired(c, &p->packet, walk, true);
	return c;
}

/* --- messages in fragments -------------------------------------------------
 */

/* All that is told with the message, and written. */
static void list_changes(const struct pass *p, const struct whole *w,
			 struct patches *list)
{
	for (unsigned i = 0; i < p->walk.count; i++) {
		const struct site *s = &p->walk.sites[i];

		if (!whole_told(w, s) && repair_writes(&p->repaired[i]))
			patches_add(list, s->field, w->bytes + s->field,
				    site_width(s));
	}
}

/*
 * The one that is furthest in front comes first: if any is out of reach, that
 * is, and nothing is changed.
 */
static bool write_patches(const struct pass *p, const struct patches *patches)
{
	const struct patch *list = patches->list;
	size_t first = 0;

	for (size_t i = 1; i < patches->n; i++)
		if (list[i].offset < list[first].offset)
			first = i;
	if (patches->n && !p->patch(p->context, list[first].offset,
				    list[first].bytes, list[first].n))
		return false;
	for (size_t i = 0; i < patches->n; i++)
		if (!p->patch(p->context, list[i].offset, list[i].bytes,
			      list[i].n))
			return false;
	return true;
}

/* What has been repaired in the bytes of @w goes into the file, or nothing. */
static bool patch_whole(struct pass *p, struct whole *w)
{
	struct patches changes = { .n = 0 }, patches = { .n = 0 };
	bool written;

	list_changes(p, w, &changes);
	whole_patches(w, &changes, &patches);
	p->out_of_memory |= patches.no_memory;
	written = !patches.no_memory && !patches.failed &&
		  write_patches(p, &patches);
	patches_free(&changes);
	patches_free(&patches);
	for (unsigned i = 0; !written && i < p->walk.count; i++)
		if (repair_writes(&p->repaired[i]))
			p->repaired[i].what = REPAIR_PASSED;
	return written;
}

static struct fragment_copy *tell_whole(void *context, struct whole *w)
{
	struct pass *p = context;
	struct fragment_copy *c = NULL;
	bool written = true;

	p->packet = w->packet;
	walk_packet(&p->packet, &p->walk);
	if (p->walk.has_fragment)
		c = fragment_take(&p->packet, &p->walk, w, &p->out_of_memory);
	judge_or_repair(p, w->bytes, true);
	if (p->message)
		p->message(p->context, p);
	if (p->repair)
		written = patch_whole(p, w);
	if (!c || !edge_is_inside(&p->walk))
		tally_edges(p->tally, p->walk.edge, p->walk.edge_number, 1);
	for (unsigned i = 0; i < p->walk.count; i++) {
		struct site *s = &p->walk.sites[i];
		const bool goes_on = c && s->open;

		s->depth += w->depth;
		if (!goes_on && !whole_told(w, s))
			tell_site(p, i, whole_offset(w, place_of(s)), w);
	}
	if (c && p->repair)
		p->out_of_memory |=
			!fragment_repaired(c, &p->packet, &p->walk, written);
	return c;
}

static void tell_lost(void *context, const struct lost *lost)
{
	const struct repaired unknown = { .what = REPAIR_UNKNOWN };
	struct pass *p = context;

	tell(p, &(struct finding){
			.packet = &lost->packet,
			.vlans = &lost->vlans,
			.site = &lost->site,
			.check = check_site(&lost->site, lost->packet.data),
			.repaired = p->repair ? &unknown : NULL,
		});
}

static void tell_edge(void *context, enum edge edge, uint16_t number)
{
	struct pass *p = context;

	tally_edges(p->tally, edge, number, 1);
}

bool pass_gather(struct pass *p)
{
	const struct fragments_user user = { tell_whole, tell_lost, tell_edge,
					     p };

	p->fragments = fragments_new(&user);
	return p->fragments;
}

void pass_end(struct pass *p)
{
	fragments_free(p->fragments);
}

void pass_fragment(struct pass *p, struct fragment_copy *c)
{
	if (c)
		fragments_add(p->fragments, c);
	p->out_of_memory |= fragments_out_of_memory(p->fragments);
}

void pass_flush(struct pass *p)
{
	fragments_flush(p->fragments);
}
