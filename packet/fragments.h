/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fragments.h - messages that arrive in fragments, put together again as one
 * packet that is walked, judged and repaired like any other.
 *
 * The table is of a fixed size, and so is what it keeps.  A message that does
 * not fit takes the place of the one that has waited longest for its next
 * fragment, which is then reported as incomplete.
 */
#ifndef PACKET_FRAGMENTS_H
#define PACKET_FRAGMENTS_H

#include "carrier.h"

enum {
	FRAGMENT_ROWS = 64,  /* by a hash of addresses and identification */
	FRAGMENT_ROW = 8,    /* messages in each */
	FRAGMENT_COPIES = 3, /* of one message, in a row */
	FRAGMENT_BYTES = 64 << 20, /* of all messages that wait */
};

/* A fragment with its bytes, when the frame that it was in has gone. */
struct fragment_copy;

/*
 * A message of which all fragments have come: an IP header with the length of
 * the whole, and all bytes of the message behind it.
 */
struct whole {
	/* What the first fragment was in, with the frame number and the time of
	 * the one that came last; @data is @bytes, the link type that of what
	 * was cut up. */
	struct packet packet;
	uint8_t *bytes;	    /* for change */
	uint32_t head;	    /* BYTES of the headers in front of the message */
	uint8_t depth;	    /* network headers in front of them */
	struct vlans vlans; /* of the first fragment's frame */
	struct fragment_copy *const *parts; /* fragments, by their offset */
	unsigned nparts;
	struct fragments *table; /* that it was put together in */
};

/* A site in a message that was given up, valid during the call. */
struct lost {
	/* That of the first fragment, without its bytes; the frame number is
	 * that of the fragment because of which it was given up, if any. */
	struct packet packet;
	struct vlans vlans;
	/* Has no field: protocol, addresses and reason are all that is known.
	 */
	struct site site;
};

struct fragments_user {
	/* Returns the fragment that the message itself is, or NULL. */
	struct fragment_copy *(*whole)(void *context, struct whole *w);
	void (*lost)(void *context, const struct lost *lost);
	/* The walk over a fragment of a message that is lost ended in one. */
	void (*edge)(void *context, enum edge edge, uint16_t number);
	void *context;
};

struct fragments;

/* NULL if there is no memory. */
struct fragments *fragments_new(const struct fragments_user *user);
void fragments_free(struct fragments *f);

/*
 * The fragment that @walk found in @packet (walk->has_fragment); ends with
 * fragments_add() or fragment_free().  @w: the message that @packet is, which
 * was in fragments itself; or NULL.  NULL if there is no memory, or with @w, if
 * that is one of CARRIER_LEVELS; @no_memory becomes true in the first case.
 */
struct fragment_copy *fragment_take(const struct packet *packet,
				    const struct walk *walk,
				    const struct whole *w, bool *no_memory);
void fragment_free(struct fragment_copy *c);

/*
 * After repairs in @packet: remembers the checksums around the fragment that
 * are right, which have to follow a later repair inside it.  @written: false if
 * those repairs could not be written.  False if there is no memory.
 */
bool fragment_repaired(struct fragment_copy *c, const struct packet *packet,
		       const struct walk *walk, bool written);

/* Adds a fragment, and reports what it completes. */
void fragments_add(struct fragments *f, struct fragment_copy *c);

/* True if there was no memory for some of them: what was told is not all. */
bool fragments_out_of_memory(const struct fragments *f);

/*
 * Where in the file the first byte is that may have to change when a message is
 * complete; UINT64_MAX: there is none.
 */
uint64_t fragments_waiting(const struct fragments *f);

/* Reports what is still incomplete, and forgets it. */
void fragments_flush(struct fragments *f);

/* Site @s of the whole was told with the first fragment, where all of it is. */
bool whole_told(const struct whole *w, const struct site *s);

/* The frame, and the offset in the file, of byte @at of the whole. */
uint64_t whole_frame(const struct whole *w, uint32_t at);
uint64_t whole_offset(const struct whole *w, uint32_t at);

/*
 * What has to be written in the file for @changes, at offsets of the whole: its
 * bytes, wherever they are, and the checksums around them.  The same goes for a
 * second copy of a fragment that waits for the rest of its message.
 */
void whole_patches(struct whole *w, const struct patches *changes,
		   struct patches *out);

#endif
