/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * like.h - the checksums of a packet made as right, or as wrong, as they were
 * before another tool rewrote addresses, ports or contents.
 *
 * For each site, @F is what its field held in the original and @E what it had
 * to hold there; @E' is what it has to hold now:
 *
 *   good          E'
 *   bad           F + E' - E in one's complement: as an update by RFC 1624 of
 *                 a wrong sum leaves it; but 0 stays 0, since that is no sum
 *   bad CRC       F ^ E' ^ E: the same bits are wrong
 *   partial       F + P' - P, sums of the two pseudo-headers; 0 stays 0, and
 *                 so does what has no pseudo-header
 *   absent        F, which says that there is none
 *   cut short by the snap length
 *                 F less what the captured bytes have changed by
 *   otherwise     cannot be known
 */
#ifndef PACKET_LIKE_H
#define PACKET_LIKE_H

#include "check.h"
#include "repair.h"
#include "walk.h"

/* One site of the original. */
struct like_site {
	enum protocol protocol;
	enum site_class class;
	enum site_rule rule;
	bool has_field, open;
	uint32_t len;	   /* BYTES covered, as the headers say */
	csum_wsum pseudo;  /* sum of the pseudo-header */
	csum_wsum front;   /* cut short: sum of the captured bytes and that */
	uint32_t captured; /* cut short: these BYTES; otherwise 0 */
	struct check check;
};

/* What is kept of a packet of the original. */
struct likeness {
	unsigned count;
	struct like_site sites[WALK_SITES];
};

/* @checks: of judge_packet(), one for each site. */
void likeness_take(struct likeness *l, const struct packet *packet,
		   const struct walk *walk, const struct check *checks);

/*
 * As repair_packet(), but towards the original; of @rules only the protocols
 * and quoted count.  False, after putting half a sentence into @cause, if the
 * sites are not those of the original: then nothing has been written.
 */
bool like_packet(const struct repair_rules *rules, const struct likeness *l,
		 const struct packet *packet, const struct walk *walk,
		 const struct check *was, uint8_t *frame, struct repaired *out,
		 char *cause, size_t size);

#endif
