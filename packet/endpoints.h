/* SPDX-License-Identifier: BSD-2-Clause */
/* endpoints.h - who sent a packet to whom: addresses, ports, link addresses. */
#ifndef PACKET_ENDPOINTS_H
#define PACKET_ENDPOINTS_H

#include <stdbool.h>
#include <stddef.h>

#include "walk.h"

/* The two ends of the IP packet that a site is in. */
struct endpoints {
	uint8_t version;  /* IP version, 4 or 6; 0: the site is not in IP */
	uint8_t protocol; /* IP protocol number; 0: unknown */
	bool has_ports;
	uint16_t src_port, dst_port; /* host integers */
	uint8_t src[16], dst[16];    /* addresses; of IPv4 the first 4 BYTES */
};

enum direction { DIRECTION_UNKNOWN, DIRECTION_IN, DIRECTION_OUT };

/* The two ends of the link that a frame has crossed. */
struct link_ends {
	bool has_src, has_dst; /* the frame has these link addresses */
	uint8_t src[6], dst[6];
	/* Direction as seen by the capturing host, if the file says so. */
	enum direction direction;
};

/*
 * Endpoints of site @i of a walk.  Ports are those of the message that the site
 * is in, or of the one behind its IPv4 header.
 */
void site_endpoints(const struct packet *packet, const struct walk *walk,
		    unsigned i, struct endpoints *e);

/* The same of a pseudo-header alone, without ports. */
void pseudo_endpoints(const struct pseudo *p, struct endpoints *e);

/* The IP header that site @i is, or is behind; NULL: it is not in this packet.
 */
static inline const uint8_t *site_ip_header(const struct packet *packet,
					    const struct walk *walk, unsigned i)
{
	const struct site *s = &walk->sites[i];

	return s->protocol == PROTO_IPV4 ? packet->data + s->start : s->ip;
}

/* Link addresses are known for Ethernet and for Linux cooked captures. */
void packet_link_ends(const struct packet *packet, struct link_ends *l);

#endif
