/* SPDX-License-Identifier: BSD-2-Clause */
/* judge.h - the verdicts on all checksum sites of one packet. */
#ifndef PACKET_JUDGE_H
#define PACKET_JUDGE_H

#include "check.h"
#include "walk.h"

/*
 * Sites inside of others whose sender has left them unfinished, with what their
 * fields change by when they are finished.  Starts with @n = 0; the list needs
 * no start, which would cost as much as judging a site.
 */
struct unfinished {
	unsigned n;
	struct {
		uint32_t field; /* BYTES from the start of the frame */
		csum_wsum more; /* right value less what is there */
	} list[WALK_SITES];
};

/*
 * The verdict on one site, once all sites inside of it have theirs.  A sum that
 * is right for the packet with @inside finished is good: Linux and others store
 * that in the headers of tunnels (local checksum offload).
 */
struct check judge_site(const struct unfinished *inside, const struct site *s,
			const uint8_t *frame);

/* Adds a site that stays unfinished, as @c says. */
void unfinished_add(struct unfinished *u, const struct site *s,
		    const struct check *c);

/*
 * The one function that decides, for those who report and for those who repair.
 *
 * @frame: the packet of @walk.
 * @checks: as many as the walk has sites.  An open site is of a message in
 * fragments, which has a verdict when it is complete; here it has none yet and
 * is unverifiable.
 */
void judge_packet(const struct walk *walk, const uint8_t *frame,
		  struct check *checks);

#endif
