/* SPDX-License-Identifier: BSD-2-Clause */
/* endpoints.c - who sent a packet to whom. */
#include "endpoints.h"

#include <string.h>

#include "bytes.h"

static size_t address_len(const struct endpoints *e)
{
	return e->version == 4 ? 4 : 16;
}

static bool begins_with_ports(enum protocol p)
{
	return p == PROTO_TCP || p == PROTO_UDP || p == PROTO_UDPLITE ||
	       p == PROTO_DCCP || p == PROTO_SCTP;
}

/* IP protocol numbers of messages without a pseudo-header (IANA). */
static uint8_t number_of(enum protocol p)
{
	switch (p) {
	case PROTO_ICMP:
		return 1;
	case PROTO_IGMP:
	case PROTO_DVMRP:
	case PROTO_RGMP:
		return 2;
	case PROTO_TCP:
		return 6;
	case PROTO_UDP:
		return 17;
	case PROTO_GRE:
		return 47;
	case PROTO_ICMPV6:
		return 58;
	case PROTO_OSPF:
		return 89;
	case PROTO_PIM:
		return 103;
	case PROTO_VRRP:
		return 112;
	case PROTO_SCTP:
		return 132;
	case PROTO_UDPLITE:
		return 136;
	default:
		return 0;
	}
}

/* Addresses of an IP header whose fixed part has been captured. */
static void take_header(const struct packet *packet, const uint8_t *ip,
			struct endpoints *e)
{
	const size_t left = packet->caplen - (size_t)(ip - packet->data);
	const unsigned version = left ? ip[0] >> 4 : 0;

	if (version == 4 && left >= 20) {
		memset(e, 0, sizeof(*e));
		e->version = 4;
		e->protocol = ip[9];
		memcpy(e->src, ip + 12, 4);
		memcpy(e->dst, ip + 16, 4);
	} else if (version == 6 && left >= 40) {
		memset(e, 0, sizeof(*e));
		e->version = 6;
		e->protocol = ip[6];
		memcpy(e->src, ip + 8, 16);
		memcpy(e->dst, ip + 24, 16);
	}
}

void pseudo_endpoints(const struct pseudo *p, struct endpoints *e)
{
	memset(e, 0, sizeof(*e));
	if (!p->src)
		return;
	e->version = p->ipv6 ? 6 : 4;
	e->protocol = p->protocol;
	memcpy(e->src, p->src, address_len(e));
	memcpy(e->dst, p->dst, address_len(e));
}

static void take_ports(const struct packet *packet, const struct site *s,
		       struct endpoints *e)
{
	if (!begins_with_ports(s->protocol) ||
	    (uint64_t)s->start + 4 > packet->caplen)
		return;
	e->has_ports = true;
	e->src_port = be16(packet->data + s->start);
	e->dst_port = be16(packet->data + s->start + 2);
}

void site_endpoints(const struct packet *packet, const struct walk *walk,
		    unsigned i, struct endpoints *e)
{
	const struct site *s = &walk->sites[i];
	const uint8_t *ip = site_ip_header(packet, walk, i);

	e->version = 0;
	if (ip)
		take_header(packet, ip, e);
	if (!e->version)
		pseudo_endpoints(&s->pseudo_header, e);
	if (!e->version)
		return;
	if (ip && s->protocol == PROTO_IPV4 && i + 1 < walk->count &&
	    walk->sites[i + 1].ip == ip)
		s++;
	if (number_of(s->protocol))
		e->protocol = number_of(s->protocol);
	/* what goes on in a later fragment does not begin with ports there */
	if (!s->open || !walk->fragment.offset)
		take_ports(packet, s, e);
}

/* --- the link --------------------------------------------------------------
 */

enum {
	LINK_ETHERNET = 1,
	LINK_COOKED = 113,
	LINK_COOKED_2 = 276,
};

static void ethernet_ends(const struct packet *packet, struct link_ends *l)
{
	const uint8_t *p = packet->data;

	if (packet->caplen < 14)
		return;
	l->has_src = l->has_dst = true;
	memcpy(l->dst, p, 6);
	memcpy(l->src, p + 6, 6);
}

/* Linux: packets of type 4 are those that this host sends. */
static enum direction cooked_direction(unsigned type)
{
	return type == 4 ? DIRECTION_OUT : DIRECTION_IN;
}

static void cooked_ends(struct link_ends *l, unsigned type, unsigned len,
			const uint8_t *address)
{
	l->direction = cooked_direction(type);
	l->has_src = len == 6;
	if (l->has_src)
		memcpy(l->src, address, 6);
}

/* Bits 0 and 1 of epb_flags: 1 is inbound, 2 outbound. */
static enum direction flagged_direction(uint32_t flags)
{
	switch (flags & 3) {
	case 1:
		return DIRECTION_IN;
	case 2:
		return DIRECTION_OUT;
	default:
		return DIRECTION_UNKNOWN;
	}
}

void packet_link_ends(const struct packet *packet, struct link_ends *l)
{
	const uint8_t *p = packet->data;

	memset(l, 0, sizeof(*l));
	l->direction = flagged_direction(packet->flags);
	if (packet->linktype == LINK_ETHERNET)
		ethernet_ends(packet, l);
	else if (packet->linktype == LINK_COOKED && packet->caplen >= 16)
		cooked_ends(l, be16(p), be16(p + 4), p + 6);
	else if (packet->linktype == LINK_COOKED_2 && packet->caplen >= 20)
		cooked_ends(l, p[10], p[11], p + 12);
}
