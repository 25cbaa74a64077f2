/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pass.h - all frames of a file: walk, judge, repair, put fragments together,
 * count; and a call for each site.
 *
 * The work on a packet alone (pass_packet) may be done in any thread, with a
 * pass for each.  Messages in fragments are put together in the order of the
 * file (pass_fragment, pass_flush), by one pass that has a table for them.
 * Where one thread does both, one pass does.
 */
#ifndef PACKET_PASS_H
#define PACKET_PASS_H

#include "decode.h"
#include "fragments.h"
#include "judge.h"
#include "like.h"
#include "repair.h"
#include "tally.h"
#include "why.h"

/* A site, with all that is known of it; valid during the call. */
struct finding {
	/*
	 * The packet that the site is told at.  A message in fragments is a
	 * packet of its own (see struct whole), with the number of the frame
	 * that completed it; or of that in which it began, and no bytes, if it
	 * was given up.
	 */
	const struct packet *packet;
	const struct vlans *vlans; /* of its frame */
	const struct site *site;
	uint64_t offset; /* in the file, of its field */
	/* Of a site in a message of fragments: the frames with its field and
	 * with the first fragment.  Otherwise 0. */
	uint64_t field_frame, first_frame;
	struct check check; /* before any repair */
	/* What was done; NULL in a pass that repairs nothing. */
	const struct repaired *repaired;
	/* All sites of the packet, in which @site is one; NULL: given up. */
	const struct walk *walk;
	/* In a pass with @why: of a real site that is bad or partial, the
	 * likeliest cause first; none if it cannot be told. */
	bool asked_why;
	unsigned ncauses;
	const struct why *causes;
};

typedef void pass_site(void *context, const struct finding *f);

/*
 * Writes @n BYTES at @offset of the file, in a packet that has gone by.  False:
 * out of reach, and nothing has been written.
 */
typedef bool pass_patch(void *context, uint64_t offset, const uint8_t *bytes,
			unsigned n);

/* What the packet, or else the message, was like that comes next; or NULL. */
typedef const struct likeness *pass_like(void *context, bool message);

struct pass;

/* A message has been put together: the pass has its sites and verdicts. */
typedef void pass_message(void *context, const struct pass *p);

struct pass {
	/* Set by who begins a pass. */
	const struct crc_functions *crc;   /* see struct packet */
	const struct repair_rules *repair; /* NULL: judge, and write nothing */
	bool lengths; /* repair: fill in lengths of 0 as well */
	bool why;     /* look for causes */
	const struct walk_rules *rules; /* what the user says, or NULL */
	const bool *protocols;		/* of PROTO_COUNT, to tell; NULL: all */
	pass_site *site;
	pass_patch *patch;     /* repair */
	pass_like *like;       /* repair towards an original, or NULL */
	pass_message *message; /* or NULL */
	void *context;	       /* of all four */
	struct tally *tally;
	struct fragments *fragments; /* see pass_gather(), or NULL */
	bool out_of_memory; /* what is told is not all that there was */
	char unlike[80];    /* what is not as in the original; or "" */

	/* The packet or message seen last, its sites, their verdicts and
	 * repairs. */
	struct packet packet;
	struct walk walk;
	struct check checks[WALK_SITES];
	struct repaired repaired[WALK_SITES];
};

/* Makes the table for messages in fragments; false if there is no memory. */
bool pass_gather(struct pass *p);

/* Frees that table. */
void pass_end(struct pass *p);

/*
 * Does all that can be done with @packet alone, and calls @site for each of its
 * sites but the open ones.
 *
 * @frame: the bytes of @packet, for change; NULL unless the pass repairs.
 *
 * Returns the fragment that the packet is, or NULL if it is none.  A fragment
 * has to be given to pass_fragment() when its turn comes, which ends it.
 */
struct fragment_copy *pass_packet(struct pass *p, const struct packet *packet,
				  uint8_t *frame);

/* Adds a fragment, and calls @site for what it completes.  NULL: nothing. */
void pass_fragment(struct pass *p, struct fragment_copy *c);

/* At the end of a file: calls @site for what is still incomplete. */
void pass_flush(struct pass *p);

#endif
