/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * site.h - one checksum in one packet: where its field is, over what, by which
 * rule; or why nothing can be said about it.
 *
 * Everything that is done to checksums is a function over sites: walk.h finds
 * them, check.h judges them.  docs/CAPTURES.md tells the rules.
 */
#ifndef PACKET_SITE_H
#define PACKET_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "crc.h"
#include "csum.h"

/* The order is that of the summary. */
enum protocol {
	PROTO_LINK, /* no checksum of ours, but it can be too short */
	PROTO_IPV4,
	PROTO_IPV6,    /* has none either */
	PROTO_PAYLOAD, /* of an IP packet, of unknown protocol */
	PROTO_TCP,
	PROTO_UDP,
	PROTO_UDPLITE,
	PROTO_DCCP,
	PROTO_SCTP,
	PROTO_ICMP,
	PROTO_ICMPV6,
	PROTO_ICMP_EXT, /* multi-part extension, RFC 4884 */
	PROTO_IGMP,
	PROTO_DVMRP,
	PROTO_RGMP,
	PROTO_GRE,
	PROTO_OSPF,
	PROTO_OSPF_LLS,
	PROTO_PIM,
	PROTO_VRRP,
	PROTO_EIGRP,
	PROTO_RSVP,
	PROTO_NHRP,
	PROTO_PGM,
	PROTO_MOBILITY,
	PROTO_CDP,
	/* not Internet checksums, but where they are looked for */
	PROTO_OSPF_LSA,
	PROTO_ROCE,
	PROTO_FCS,
	PROTO_COUNT
};

/* What the value of the field means. */
enum site_rule {
	RULE_PLAIN,
	RULE_UDP,	   /* 0 is no checksum; a computed 0 is 0xffff */
	RULE_UDP_REQUIRED, /* the same, and 0 is not allowed */
	RULE_OPTIONAL,	   /* 0 is no checksum */
	RULE_NONE,	   /* this packet has none, whatever the field holds */
	RULE_PSEUDO_OPTIONAL, /* right with the pseudo-header, too */
	RULE_ALL_ALLOWED,     /* right over all of the message, too: all_len */
	RULE_LAST_BYTE_LOW,   /* an odd last byte is the low one of its word */
	/* Not a sum, and four bytes: SCTP, RFC 9260.  0 is none. */
	RULE_CRC32C,
	RULE_CRC32C_REQUIRED, /* the same, and 0 is not allowed */
	RULE_CRC32,	      /* IEEE 802.3, 3.2.9; of four bytes */
	RULE_CRC16,	      /* RFC 1662, section C.2; of two */
	RULE_CRC16_WPAN,      /* IEEE 802.15.4, 7.2.11; of two */
	RULE_CRC16_OR_SIGNAL, /* the same, or what a radio has put there */
	RULE_INVARIANT_CRC,   /* the same, of what routers do not change */
	RULE_FLETCHER,	      /* RFC 2328, section 12.1.7 */
};

/* A sum as in RFC 1071, and so one that changes by differences. */
static inline bool rule_is_sum(enum site_rule r)
{
	return r < RULE_CRC32C;
}

static inline bool rule_is_crc32c(enum site_rule r)
{
	return r == RULE_CRC32C || r == RULE_CRC32C_REQUIRED;
}

/* Why a site cannot be verified. */
enum reason {
	REASON_NONE,
	REASON_SNAPPED,
	REASON_BEYOND_WIRE,
	REASON_FRAGMENT,
	REASON_FRAGMENT_LOST,
	REASON_OVERLAP,
	REASON_FRAGMENTS,
	REASON_QUOTE,
	REASON_ENCRYPTED,
	REASON_COMPRESSED,
	REASON_ROUTE,
	REASON_NO_CRC,
	REASON_NO_ROOM,
	REASON_VERSION,
	REASON_HEADER_LENGTH,
	REASON_TOTAL_LENGTH,
	REASON_LENGTH_FIELD,
	REASON_OPTIONS,
	REASON_AMBIGUOUS,
	REASON_DAMAGED,
	REASON_COUNT
};

/*
 * A packet that an ICMP error or a sample quotes is not on its way anywhere,
 * and what routers did to it (TTL, addresses) need not be in its sums.
 */
enum site_class { SITE_REAL, SITE_QUOTED, SITE_CLASSES };

/* RFC 9293, section 3.1; RFC 8200, section 8.1. */
struct pseudo {
	/* NULL: there is none.  In the packet, or in its walk. */
	const uint8_t *src, *dst;
	uint32_t len;
	uint8_t protocol;
	bool ipv6;
};

struct site {
	enum protocol protocol;
	enum site_class class;
	enum reason reason; /* if not NONE, what is covered may lie */
	enum site_rule rule;
	uint8_t depth;	/* of network headers in front of its own */
	bool has_field; /* false: the field is not among the captured bytes */
	/* The capture says that the sender left the field unfinished. */
	bool unfinished;
	/* The capture says that a network card has found the sum right. */
	bool said_valid;
	/* ... that the receiver found the frame damaged. */
	bool damaged;
	/* The IP header has 0 where its length should be. */
	bool no_length;
	/* The destination is the one in the header: no list of segments. */
	bool final;
	/* What it covers goes on in other fragments: see fragments.h. */
	bool open;
	/* BYTES from the start of the frame, and the BYTES covered. */
	uint32_t field, start, len;
	/* Within them, BYTES that are not covered. */
	uint32_t hole, hole_len;
	/* For RULE_ALL_ALLOWED, instead of @len; for RULE_INVARIANT_CRC, of the
	 * IP header, which is that of pseudo_header.ipv6. */
	uint32_t all_len;
	const uint8_t *ip; /* header that it is behind; NULL: none */
	csum_wsum pseudo;  /* sum of the pseudo-header; 0: it has none */
	struct pseudo pseudo_header;
	const struct crc_functions *crc; /* for rules of a CRC */
};

/* Of an IP packet that is carried by another one. */
static inline bool site_is_inner(const struct site *s)
{
	const bool header =
		s->protocol == PROTO_IPV4 || s->protocol == PROTO_IPV6;

	return s->depth > (header ? 0 : 1);
}

const char *protocol_name(enum protocol p);

/* BYTES of its checksum field, the most of them; 0: it has none. */
unsigned protocol_width(enum protocol p);

static inline bool rule_is_crc16(enum site_rule r)
{
	return r == RULE_CRC16 || r == RULE_CRC16_WPAN ||
	       r == RULE_CRC16_OR_SIGNAL;
}

/* BYTES of the field of @s. */
static inline unsigned site_width(const struct site *s)
{
	return rule_is_crc16(s->rule) ? 2 : protocol_width(s->protocol);
}

/* Half a sentence, such as "fragment". */
const char *reason_text(enum reason r);

#endif
