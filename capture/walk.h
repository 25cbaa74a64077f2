/* SPDX-License-Identifier: BSD-2-Clause */
/* walk.h - from a packet to its checksum sites. */
#ifndef CAPTURE_WALK_H
#define CAPTURE_WALK_H

#include "reader.h"
#include "site.h"

/* An IP header and what it carries. */
enum { WALK_SITES = 2 };

/* What kind of number nothing more is known about; the walk ends there. */
enum edge {
	EDGE_NONE,
	EDGE_LINKTYPE,
	EDGE_ETHERTYPE,
	EDGE_LLC,      /* destination service access point */
	EDGE_FAMILY,   /* address family, BSD loopback */
	EDGE_PROTOCOL, /* over IP */
	EDGE_COUNT
};

struct walk {
	struct site sites[WALK_SITES]; /* outermost first */
	unsigned count;
	enum edge edge;
	uint16_t edge_number;
};

/*
 * Finds every checksum in @packet.  Reads nothing outside its captured bytes,
 * keeps nothing between calls, and allocates nothing.
 */
void walk_packet(const struct packet *packet, struct walk *walk);

/* "IEEE802_11", as in the public list of link types; NULL if unknown. */
const char *linktype_name(uint32_t linktype);

#endif
