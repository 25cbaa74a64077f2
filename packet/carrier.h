/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * carrier.h - what the bytes of a fragment are in: a frame of the file, or a
 * message that was itself in fragments; and how a byte is changed in there.
 *
 * A change goes down to the frames, and the checksums around that byte which
 * are right follow it on each level: sums of tunnels, frame check sequences.
 */
#ifndef PACKET_CARRIER_H
#define PACKET_CARRIER_H

#include <stddef.h>

#include "walk.h"

/* Messages in fragments of each other; what is deeper is not put together. */
enum { CARRIER_LEVELS = 8 };

/* Bytes at an offset: of a packet, or in the end of the file. */
struct patch {
	uint64_t offset;
	uint8_t bytes[4];
	uint8_t n;
};

/* Starts as { 0 }; patches_free() ends it. */
struct patches {
	struct patch *list;
	size_t n, size;
	bool no_memory; /* the list is not whole */
	bool failed;	/* a place in it cannot be written */
};

void patches_add(struct patches *p, uint64_t offset, const uint8_t *bytes,
		 unsigned n);
/* What went wrong with @other has gone wrong with @p. */
void patches_fail_with(struct patches *p, const struct patches *other);
void patches_free(struct patches *p);

struct carrier;

/* Bytes of a message from @at on: where they are. */
struct carrier_part {
	uint32_t at, len; /* BYTES in the message */
	struct carrier *in;
	uint32_t from; /* BYTES from the start of @in */
};

/* Each is counted: who gets one drops it.  NULL: no memory. */
struct carrier *carrier_of_frame(const struct packet *packet);
/* @parts, in their order; each carrier in them is kept once more. */
struct carrier *carrier_of_message(const struct carrier_part *parts,
				   unsigned n);
void carrier_drop(struct carrier *c);

/* Levels of messages, 0 for a frame. */
unsigned carrier_level(const struct carrier *c);

/* BYTES of memory, without the carriers of its parts. */
size_t carrier_size(const struct carrier *c);

/* The frame of byte @at, and the offset of that byte in the file. */
void carrier_find(const struct carrier *c, uint32_t at, uint64_t *frame,
		  uint64_t *offset);

/* Offset in the file of the first byte that carrier_write() may change. */
uint64_t carrier_first(const struct carrier *c, uint32_t at);

/*
 * After repairs in @packet, which @walk is of: what is around its fragment and
 * right has to follow.  False if there is no memory.
 */
bool carrier_protect(struct carrier *c, const struct packet *packet,
		     const struct walk *walk);

/* Nothing can be changed in @c any more: its message is out of reach. */
void carrier_close(struct carrier *c);

/*
 * Changes bytes of @c: @changes, with offsets from its start, which becomes
 * longer by the checksums that follow.  What has to be written in the file is
 * added to @out; a later patch of the same offset is the one that counts.
 */
void carrier_write(struct carrier *c, struct patches *changes,
		   struct patches *out);

/* From @changes to bytes of a message those in [@at, @at + @len), from there.
 */
void patches_within(const struct patches *changes, uint32_t at, uint32_t len,
		    struct patches *part);

#endif
