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
#include "repair.h"
#include "tally.h"
#include "why.h"

/* A site, with all that is known of it; valid during the call. */
struct finding {
	/*
	 * The packet it is told at.  That of a message in fragments is the one
	 * that completed it, or at which it was given up; it has a number and
	 * no bytes, which have gone by.
	 */
	const struct packet *packet;
	const struct site *site;
	uint64_t offset;    /* in the file, of its field */
	struct check check; /* before any repair */
	/* What was done; NULL in a pass that repairs nothing. */
	const struct repaired *repaired;
	/* All sites of the packet, in which @site is one; NULL: a message. */
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

struct pass {
	/* Set by who begins a pass. */
	const struct crc_functions *crc;   /* see struct packet */
	const struct repair_rules *repair; /* NULL: judge, and write nothing */
	bool lengths; /* repair: fill in lengths of 0 as well */
	bool why;     /* look for causes */
	const struct walk_rules *rules; /* what the user says, or NULL */
	const bool *protocols;		/* of PROTO_COUNT, to tell; NULL: all */
	pass_site *site;
	pass_patch *patch; /* repair */
	void *context;	   /* of both */
	struct tally *tally;
	struct fragments *fragments; /* see pass_gather(), or NULL */

	/* The packet seen last, its sites, their verdicts and repairs. */
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
 * @sums: true is returned if the packet is a fragment: then this is it, and has
 * to be given to pass_fragment() when its turn comes.
 */
bool pass_packet(struct pass *p, const struct packet *packet, uint8_t *frame,
		 struct fragment_sums *sums);

/* Adds a fragment, and calls @site for what it completes. */
void pass_fragment(struct pass *p, const struct fragment_sums *sums);

/* At the end of a file: calls @site for what is still incomplete. */
void pass_flush(struct pass *p);

#endif
