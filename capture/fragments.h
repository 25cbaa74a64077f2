/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fragments.h - messages that arrive in fragments: the sum of the whole from
 * the sums of its pieces (RFC 1071, section 2 (B)), without keeping data.
 *
 * The table is of a fixed size.  A message that does not fit takes the place of
 * the one in its row that has waited longest for its next piece, which is then
 * reported as incomplete.
 */
#ifndef CAPTURE_FRAGMENTS_H
#define CAPTURE_FRAGMENTS_H

#include "walk.h"

enum {
	FRAGMENT_ROWS = 64,   /* by a hash of addresses and identification */
	FRAGMENT_ROW = 8,     /* messages in each */
	FRAGMENT_PIECES = 64, /* of one message; 64 KiB come in 45 of 1480 */
};

/* A piece, without the packet that it was in. */
struct fragment {
	uint64_t frame;
	struct piece piece; /* without its pointers */
	uint8_t src[16], dst[16];
	csum_wsum sum; /* of what is in it, but headers and the field */
	bool cut;      /* it was not captured as a whole */
	struct site site;
	/* Of the first piece: the pseudo-header's addresses, and the field. */
	uint8_t pseudo_src[16], pseudo_dst[16];
	uint32_t found;
	uint64_t field_offset; /* in the file */
};

/* What has been found out about a message, and at which frame. */
typedef void fragments_report(void *context, uint64_t frame,
			      const struct site *site);

struct fragments;

/* NULL if there is no memory. */
struct fragments *fragments_new(fragments_report *report, void *context);
void fragments_free(struct fragments *f);

/* The piece that @walk found in @packet; walk->has_piece. */
void fragment_take(const struct packet *packet, const struct walk *walk,
		   struct fragment *piece);

/* Adds a piece, and reports what it completes. */
void fragments_add(struct fragments *f, const struct fragment *piece);

/*
 * Where in the file the first field is of which the message is not complete
 * yet; UINT64_MAX: there is none.
 */
uint64_t fragments_waiting(const struct fragments *f);

/* Reports what is still incomplete, and forgets it. */
void fragments_flush(struct fragments *f);

#endif
