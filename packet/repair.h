/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * repair.h - the right values into the checksum fields of a packet.
 *
 * Inner before outer, since a checksum covers those that are inside.  One that
 * was right stays right when something inside it changes, asked for or not.
 * Nothing but checksum fields is written, unless lengths are asked for.
 */
#ifndef PACKET_REPAIR_H
#define PACKET_REPAIR_H

#include "check.h"
#include "walk.h"

enum repair {
	REPAIR_RIGHT,	 /* nothing to do */
	REPAIR_DONE,	 /* it was wrong, and is right now */
	REPAIR_FOLLOWED, /* it was right, and is again after a change inside */
	REPAIR_LEFT,	 /* wrong or absent, and not asked for */
	REPAIR_REFUSED,	 /* UDP 0 over IPv6: bad, and to fill in if asked for */
	REPAIR_UNKNOWN,	 /* nobody can know: site.reason */
	REPAIR_PASSED,	 /* its field is in a packet that is out of reach */
	REPAIR_QUOTED,	 /* in an ICMP error: evidence, not touched unasked */
	REPAIR_KEPT, /* wrong, unfinished, absent or cut short: see like.h */
	REPAIR_COUNT
};

struct repair_rules {
	bool protocols[PROTO_COUNT];
	bool verdicts[VERDICT_COUNT]; /* bad, partial, absent */
	bool quoted;  /* in packets that ICMP errors and samples quote, too */
	bool snapped; /* also what is cut short: see repair_snapped() */
	bool outer;  /* only of the outermost IP header and what it carries */
};

struct repaired {
	enum repair what;
	struct check was;
	uint32_t now; /* what the field has to hold */
};

/* The field is to hold @now. */
static inline bool repair_writes(const struct repaired *r)
{
	return r->what == REPAIR_DONE || r->what == REPAIR_FOLLOWED ||
	       (r->what == REPAIR_KEPT && r->now != r->was.found);
}

/*
 * @was: what judge_packet() says of it.
 * @frame: the packet of @walk, for change.
 * @out: as many as the walk has sites.
 */
void repair_packet(const struct repair_rules *rules, const struct walk *walk,
		   const struct check *was, uint8_t *frame,
		   struct repaired *out);

/*
 * Makes sums over messages that the snap length has cut short known, as if all
 * bytes that are missing were zeros, which add nothing.  What is in the packet
 * has to have their headers, and the lengths in front of them.  Returns how
 * many.
 */
unsigned repair_snapped(const struct packet *packet, struct walk *walk);

/*
 * Fills in the length of IP and UDP headers that is 0, as in a large send that
 * a network card was to cut up, where 16 bits hold it.  True if there was any:
 * then the packet has to be walked again.
 */
bool repair_lengths(const struct packet *packet, const struct walk *walk,
		    uint8_t *frame);

#endif
