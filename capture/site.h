/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * site.h - one checksum in one packet: which two bytes, over what, by which
 * rule; or why nothing can be said about it.
 *
 * Everything that is done to checksums is a function over sites: walk.h finds
 * them, check.h judges them.  docs/CAPTURES.md tells the rules.
 */
#ifndef CAPTURE_SITE_H
#define CAPTURE_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "csum.h"

enum protocol {
	PROTO_LINK, /* no checksum of ours, but it can be too short */
	PROTO_IPV4,
	PROTO_IPV6,    /* has none either */
	PROTO_PAYLOAD, /* of an IP packet, of unknown protocol */
	PROTO_TCP,
	PROTO_UDP,
	PROTO_ICMP,
	PROTO_ICMPV6,
	PROTO_COUNT
};

/* What the value of the field means. */
enum site_rule {
	RULE_PLAIN,
	RULE_UDP,	   /* 0 is no checksum; a computed 0 is 0xffff */
	RULE_UDP_REQUIRED, /* over IPv6: the same, and 0 is not allowed */
};

/* Why a site cannot be verified. */
enum reason {
	REASON_NONE,
	REASON_SNAPPED,
	REASON_BEYOND_WIRE,
	REASON_FRAGMENT,
	REASON_ENCRYPTED,
	REASON_ROUTE,
	REASON_NO_ROOM,
	REASON_VERSION,
	REASON_HEADER_LENGTH,
	REASON_TOTAL_LENGTH,
	REASON_LENGTH_FIELD,
	REASON_COUNT
};

struct site {
	enum protocol protocol;
	enum reason reason; /* if not NONE, the span may lie */
	enum site_rule rule;
	bool has_field; /* false: it is not among the captured bytes */
	/* The capture says that the sender left the field unfinished. */
	bool unfinished;
	/* BYTES from the start of the frame, and the BYTES covered. */
	uint32_t field, start, len;
	/* Sum of the pseudo-header, its length being @len; 0: it has none. */
	csum_wsum pseudo;
};

const char *protocol_name(enum protocol p);

/* Half a sentence, such as "fragment". */
const char *reason_text(enum reason r);

#endif
