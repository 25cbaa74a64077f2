/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fragments.h - messages that arrive in fragments: the sum of the whole from
 * the sums of its fragments (RFC 1071, section 2 (B)), without keeping data.
 *
 * The table is of a fixed size.  A message that does not fit takes the place of
 * the one in its row that has waited longest for its next fragment, which is
 * then reported as incomplete.
 */
#ifndef PACKET_FRAGMENTS_H
#define PACKET_FRAGMENTS_H

#include "digest.h"
#include "walk.h"

enum {
	FRAGMENT_ROWS = 64,  /* by a hash of addresses and identification */
	FRAGMENT_ROW = 8,    /* messages in each */
	FRAGMENT_PARTS = 64, /* of one message; 64 KiB come in 45 of 1480 */
	FRAGMENT_COPIES = 3, /* of one message, in a row */
	FRAGMENT_AROUND = 4, /* checksums around a first fragment */
};

/* One site that begins in the first fragment. */
struct fragment_site {
	struct site site;
	uint32_t from; /* BYTES, in what was cut up */
	bool own;      /* it is that of the message, not of what that carries */
	bool cut;      /* what it covers of this fragment was not captured */
	/* Of what it covers of this fragment, but the field; before repairs. */
	struct digest digest, before;
	uint8_t pseudo_src[16], pseudo_dst[16];
};

/* A fragment, without the packet that it was in. */
struct fragment_sums {
	uint64_t frame;
	struct fragment fragment; /* without its pointers */
	uint8_t src[16], dst[16];
	struct digest digest; /* of what is in it, but headers and fields */
	bool cut;	      /* it was not captured as a whole */
	/* Those that begin in the first fragment; of another one, what it may
	 * be of. */
	unsigned nsites;
	struct fragment_site sites[WALK_OPEN];
	/* See struct gathered. */
	unsigned naround;
	bool more_around;
	struct around around[FRAGMENT_AROUND];
};

/*
 * What has been found out about a message, and at which frame; what it carries
 * comes before it.  Who repairs the field puts its new value into whole.found.
 */
typedef void fragments_report(void *context, uint64_t frame, struct site *site);

struct fragments;

/* NULL if there is no memory. */
struct fragments *fragments_new(fragments_report *report, void *context);
void fragments_free(struct fragments *f);

/* The fragment that @walk found in @packet; walk->has_fragment. */
void fragment_take(const struct packet *packet, const struct walk *walk,
		   struct fragment_sums *sums);

/* After repairs in the packet: its sums as they are now, and those around it.
 */
void fragment_repaired(const struct packet *packet, const struct walk *walk,
		       struct fragment_sums *sums);

/* Adds a fragment, and reports what it completes. */
void fragments_add(struct fragments *f, const struct fragment_sums *sums);

/*
 * Where in the file the first byte is that may have to change when a message is
 * complete; UINT64_MAX: there is none.
 */
uint64_t fragments_waiting(const struct fragments *f);

/* Reports what is still incomplete, and forgets it. */
void fragments_flush(struct fragments *f);

#endif
