/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * layer.h - what the parts of the walk hand to each other.
 *
 * A layer has three ends: by its own length, by the lengths of the layers
 * around it, and where the capture ends.  Only layer_peek() yields pointers,
 * and only up to the nearest one.
 */
#ifndef CAPTURE_LAYER_H
#define CAPTURE_LAYER_H

#include "bytes.h"
#include "walk.h"

struct layer {
	const struct packet *packet;
	struct walk *walk;
	/* in the frame */
	uint32_t at;	/* its first byte; within caplen */
	uint64_t end;	/* by its own length; never before @at */
	uint64_t limit; /* of the layers around it; within wirelen */
};

/* What an upper layer inherits from the IP header in front of it. */
struct upper {
	const uint8_t *src, *dst;
	uint8_t dst_built[16]; /* @dst, if it stands nowhere in one piece */
	bool ipv6;
	bool headless;	    /* a fragment, but not the first */
	enum reason reason; /* why it cannot be verified, if so */
};

/* Why the first @n BYTES are not there, or REASON_NONE. */
static inline enum reason layer_lack(const struct layer *l, uint32_t n)
{
	if (n > l->end - l->at)
		return REASON_NO_ROOM;
	if ((uint64_t)l->at + n > l->limit)
		return REASON_BEYOND_WIRE;
	return n > l->packet->caplen - l->at ? REASON_SNAPPED : REASON_NONE;
}

/* The first @n BYTES, or NULL: layer_lack() says why. */
static inline const uint8_t *layer_peek(const struct layer *l, uint32_t n)
{
	return layer_lack(l, n) ? NULL : l->packet->data + l->at;
}

/* Over @n bytes that layer_peek() has yielded. */
static inline void layer_skip(struct layer *l, uint32_t n)
{
	l->at += n;
}

/* A new site that starts where the layer does. */
struct site *walk_add(const struct layer *l, enum protocol protocol);

/* The walk ends here: @number is one that it does not know. */
void walk_edge(const struct layer *l, enum edge edge, uint16_t number);

void walk_ipv4(struct layer *l);
void walk_ipv6(struct layer *l);

/* walk_upper.c: what an IP packet carries, headers of IPv6 excepted. */
void walk_upper(struct layer *l, const struct upper *u, uint8_t protocol);

#endif
