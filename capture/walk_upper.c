/* SPDX-License-Identifier: BSD-2-Clause */
/* walk_upper.c - the checksums of what an IP packet carries. */
#include <stddef.h>

#include "layer.h"

enum { IP_ESP = 50, IP_NO_NEXT_HEADER = 59 };
enum { TCP_HEADER = 20, UDP_HEADER = 8 };

/*
 * Tunnels that may send UDP checksum 0 over IPv6 (RFC 6935, section 5; RFC
 * 6936, section 4), and the RFC that makes use of it.  All are known by the
 * port they are sent to, but AMT: its relays send data from theirs.
 */
static bool udp_zero_allowed(uint16_t from, uint16_t to)
{
	enum { AMT = 2268 /* RFC 7450 */ };

	switch (to) {
	case 4341: /* LISP data, RFC 9300 */
	case 4754: /* GRE in UDP, RFC 8086 */
	case 4789: /* VXLAN, RFC 7348 */
	case 6081: /* Geneve, RFC 8926 */
	case 6635: /* MPLS in UDP, RFC 7510 */
		return true;
	default:
		return from == AMT;
	}
}

static enum reason read_tcp(struct site *s, const struct upper *u,
			    const uint8_t *h)
{
	uint32_t header_len = 4 * (h[12] >> 4);

	(void)u;
	return header_len < TCP_HEADER || header_len > s->len
		       ? REASON_HEADER_LENGTH
		       : REASON_NONE;
}

/*
 * UDP covers what its own length field says: what an IP packet holds behind it
 * belongs to nothing.  A jumbogram says 0 (RFC 2675, section 4).
 */
static enum reason read_udp(struct site *s, const struct upper *u,
			    const uint8_t *h)
{
	uint32_t len = be16(h + 4);

	s->rule = u->ipv6 && !udp_zero_allowed(be16(h), be16(h + 2))
			  ? RULE_UDP_REQUIRED
			  : RULE_UDP;
	if (len == 0 && s->len > UINT16_MAX)
		return REASON_NONE;
	if (len < UDP_HEADER || len > s->len)
		return REASON_LENGTH_FIELD;
	s->len = len;
	return REASON_NONE;
}

/* One line for each protocol with a checksum. */
static const struct transport {
	enum protocol protocol;
	uint8_t number;
	bool over_ipv4, over_ipv6;
	uint8_t header; /* BYTES, the least */
	uint8_t field;	/* of the checksum, in the header */
	bool pseudo;	/* covers a pseudo-header */
	/* The rest of its header: corrects the site, sees what is malformed. */
	enum reason (*read)(struct site *s, const struct upper *u,
			    const uint8_t *h);
} transports[] = {
	{ PROTO_ICMP, 1, true, false, 4, CSUM_FIELD_ICMP, false, NULL },
	{ PROTO_TCP, 6, true, true, TCP_HEADER, CSUM_FIELD_TCP, true,
	  read_tcp },
	{ PROTO_UDP, 17, true, true, UDP_HEADER, CSUM_FIELD_UDP, true,
	  read_udp },
	{ PROTO_ICMPV6, 58, false, true, 4, CSUM_FIELD_ICMP, true, NULL },
};

static const struct transport *find_transport(uint8_t number, bool ipv6)
{
	for (size_t i = 0; i < sizeof(transports) / sizeof(*transports); i++) {
		const struct transport *t = &transports[i];

		if (t->number == number && (ipv6 ? t->over_ipv6 : t->over_ipv4))
			return t;
	}
	return NULL;
}

static csum_wsum pseudo_header(const struct upper *u, uint32_t len,
			       uint8_t number)
{
	return u->ipv6 ? csum_pseudo_ipv6(u->src, u->dst, len, number, 0)
		       : csum_pseudo_ipv4(csum_load32(u->src),
					  csum_load32(u->dst), len, number, 0);
}

static void walk_transport(struct layer *l, const struct upper *u,
			   const struct transport *t)
{
	struct site *s = walk_add(l, t->protocol);
	const uint8_t *h = layer_peek(l, t->header);
	enum reason reason = REASON_NONE;

	s->reason = u->reason;
	if (u->headless)
		return;
	s->has_field = !layer_lack(l, t->field + 2u);
	s->field = l->at + t->field;
	/* end - at is 16 bits, a jumbo length, or below wirelen */
	s->len = (uint32_t)(l->end - l->at);
	if (!h)
		reason = layer_lack(l, t->header);
	else if (t->read)
		reason = t->read(s, u, h);
	if (!reason)
		reason = layer_lack(l, s->len);
	if (!s->reason)
		s->reason = reason;
	if (!s->reason && t->pseudo) {
		s->pseudo_header = (struct pseudo){
			u->src, u->dst, s->len, t->number, u->ipv6,
		};
		s->pseudo = pseudo_header(u, s->len, t->number);
	}
}

void walk_upper(struct layer *l, const struct upper *u, uint8_t protocol)
{
	const struct transport *t = find_transport(protocol, u->ipv6);

	if (t)
		walk_transport(l, u, t);
	else if (protocol == IP_ESP)
		walk_add(l, PROTO_PAYLOAD)->reason = REASON_ENCRYPTED;
	else if (protocol != IP_NO_NEXT_HEADER)
		walk_edge(l, EDGE_PROTOCOL, protocol);
}
