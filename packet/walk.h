/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk.h - from a packet to its checksum sites.
 *
 * Who has a packet in memory and no file fills in struct packet (data, caplen,
 * wirelen, linktype: 101 begins with an IP header; crc if SCTP is to be
 * judged), and calls walk_packet(), then judge_packet() for the verdicts, and
 * repair_packet() for the right values.  The three need libc and csum.h alone,
 * allocate nothing and keep nothing; struct walk takes 8 KB of stack.
 */
#ifndef PACKET_WALK_H
#define PACKET_WALK_H

#include "packet.h"
#include "site.h"

/*
 * The limits of one packet, both reported as an edge where they are met.  In a
 * jumbo frame of 9000 bytes there is room for more than 400 IPv4 headers; no
 * network nests more than a few.
 */
enum {
	WALK_DEPTH = 16, /* network headers inside of each other */
	WALK_SITES = 48, /* three for each of them */
	WALK_BUILT = 4,	 /* addresses that stand nowhere in one piece */
	WALK_VLANS = 2,	 /* tags of a frame: one of a provider, one inside */
};

/* VLAN identifiers in front of the first network header, outermost first. */
struct vlans {
	unsigned count;
	uint16_t ids[WALK_VLANS];
};

/* What kind of number nothing more is known about; the walk ends there. */
enum edge {
	EDGE_NONE,
	EDGE_LINKTYPE,
	EDGE_ETHERTYPE,
	EDGE_LLC,      /* destination service access point */
	EDGE_FAMILY,   /* address family, BSD loopback */
	EDGE_PROTOCOL, /* over IP */
	EDGE_PPP,      /* protocol of PPP */
	EDGE_NLPID,    /* network layer protocol of Frame Relay */
	EDGE_WLAN,     /* frame control of a data frame that is not plain */
	EDGE_UDP,      /* a port of a tunnel, and nothing that it knows */
	EDGE_TCP,      /* the same */
	EDGE_LOWPAN,   /* dispatch of 6LoWPAN */
	EDGE_DEPTH,    /* the number is WALK_DEPTH */
	EDGE_SITES,    /* the number is WALK_SITES */
	EDGE_COUNT
};

enum fragment_kind {
	FRAGMENT_IPV4,
	FRAGMENT_IPV6,
	FRAGMENT_LOWPAN, /* RFC 4944, section 5.3 */
	FRAGMENT_CAPWAP, /* RFC 5415, section 3.4 */
};

/* A fragment, as struct walk describes it; see fragments.h. */
struct fragment {
	enum fragment_kind kind;
	/* In the IP header; of 6LoWPAN, in the walk, those of the frame. */
	const uint8_t *src, *dst;
	uint8_t address_len; /* BYTES */
	uint32_t id;
	uint8_t protocol; /* of the IP header, or of the fragment header */
	uint8_t depth;	  /* network headers in front of its IP header */
	bool ipv6;	  /* that is of IPv6 */
	bool more;	  /* other fragments lie behind it in the message */
	uint32_t offset;  /* BYTES, of its first byte in what was cut up */
	/* BYTES from the start of the frame, which may not have all of it. */
	uint32_t at, len;
	/* BYTES that the first one counts and does not have: compressed. */
	int32_t hidden;
	/* The headers in front, from that of IP on, without that of IPv6 for
	 * fragments; the byte in them that announces the latter. */
	uint32_t head, head_len, next;
};

struct walk {
	unsigned count;
	enum edge edge;
	uint16_t edge_number;
	uint32_t edge_at;  /* BYTES from the start of the frame */
	bool nothing;	   /* what has been met last carries no packet */
	bool has_fragment; /* the packet is one: open sites belong to it */
	struct fragment fragment;
	struct site sites[WALK_SITES + 1]; /* outermost first */
	struct vlans vlans;
	unsigned nbuilt;
	uint8_t built[WALK_BUILT][16];
};

/* Where there is a fragment: the walk ended in it, and the message will tell
 * what is there. */
static inline bool edge_is_inside(const struct walk *walk)
{
	return walk->edge && walk->edge_at >= walk->fragment.at &&
	       walk->edge_at - walk->fragment.at <= walk->fragment.len;
}

/* What a message in fragments of CAPWAP is walked as. */
enum { LINKTYPE_CAPWAP = 1 << 16 };

/*
 * Finds every checksum in @packet.  Reads nothing outside its captured bytes,
 * keeps nothing between calls, and allocates nothing.
 */
void walk_packet(const struct packet *packet, struct walk *walk);

/* "IEEE802_11", as in the public list of link types; NULL if unknown. */
const char *linktype_name(uint32_t linktype);

#endif
