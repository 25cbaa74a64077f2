/* SPDX-License-Identifier: BSD-2-Clause */
/* walk_ppp.c - serial lines: PPP, Cisco HDLC, Frame Relay. */
#include <stddef.h>

#include "layer.h"

enum { HDLC_ALL_STATIONS = 0xff, HDLC_UNNUMBERED = 0x03 };

enum ppp_protocol {
	PPP_IPV4 = 0x0021,
	PPP_IPV6 = 0x0057,
	PPP_MPLS = 0x0281,
	PPP_MPLS_MULTICAST = 0x0283,
	PPP_CDP = 0x0207,
};

static void walk_ppp_protocol(struct layer *l, uint16_t protocol)
{
	switch (protocol) {
	case PPP_IPV4:
		walk_ipv4(l);
		break;
	case PPP_IPV6:
		walk_ipv6(l);
		break;
	case PPP_MPLS:
	case PPP_MPLS_MULTICAST:
		if (layer_enter(l))
			walk_mpls(l);
		break;
	case PPP_CDP:
		walk_cdp(l);
		break;
	default:
		walk_edge(l, EDGE_PPP, protocol);
		break;
	}
}

/*
 * RFC 1661, section 2: the protocol has two bytes, the first one even and the
 * second one odd; or one, which then is odd (section 6.5).  RFC 1662, section
 * 3.1: address and control may be in front of it, and never look like one.
 */
void walk_ppp(struct layer *l)
{
	const uint8_t *p = layer_peek(l, 2);

	if (p && p[0] == HDLC_ALL_STATIONS && p[1] == HDLC_UNNUMBERED)
		layer_skip(l, 2);
	p = layer_take(l, 1);
	if (!p)
		return;
	if (p[0] & 1)
		walk_ppp_protocol(l, p[0]);
	else if (layer_take(l, 1))
		walk_ppp_protocol(l, be16(p));
}

bool cisco_hdlc_starts(const uint8_t *p)
{
	enum { UNICAST = 0x0f, MULTICAST = 0x8f };

	return p[0] == UNICAST || p[0] == MULTICAST;
}

/*
 * A serial line: as tcpdump.org has it for link type 50, the address of Cisco
 * HDLC (RFC 1547, section 4.3.1) in front means that, and no PPP frame starts
 * with it.
 */
void walk_ppp_line(struct layer *l)
{
	const uint8_t *p = layer_peek(l, 1);

	if (p && cisco_hdlc_starts(p))
		walk_cisco_hdlc(l);
	else
		walk_ppp(l);
}

void walk_ppp_with_direction(struct layer *l)
{
	if (layer_take(l, 1))
		walk_ppp_line(l);
}

/* The same in place of the address, as pppd writes it. */
void walk_ppp_pppd(struct layer *l)
{
	const uint8_t *p = layer_peek(l, 2);

	if (p && p[0] <= 1 && p[1] == HDLC_UNNUMBERED)
		layer_skip(l, 2);
	walk_ppp(l);
}

/* RFC 2516, section 4: version and type, code, session, length. */
void walk_pppoe(struct layer *l)
{
	const uint8_t *p = layer_take(l, 6);

	if (!p)
		return;
	/* what follows the counted bytes is padding */
	l->end = (uint64_t)l->at + be16(p + 4);
	if (layer_enter(l))
		walk_ppp(l);
}

/* Cisco's own: address, control, and an ethertype. */
void walk_cisco_hdlc(struct layer *l)
{
	const uint8_t *p = layer_peek(l, 4);

	/* a PPP frame on such a line, as interfaces that do both write it */
	if (p && p[0] == HDLC_ALL_STATIONS && p[1] == HDLC_UNNUMBERED) {
		walk_ppp(l);
		return;
	}
	p = layer_take(l, 4);
	if (p)
		walk_ethertype(l, be16(p + 2));
}

/* RFC 2427, section 3: network layer protocols. */
static void walk_nlpid(struct layer *l)
{
	enum { NLPID_SNAP = 0x80, NLPID_IPV6 = 0x8e, NLPID_IPV4 = 0xcc };
	const uint8_t *p = layer_take(l, 1);

	/* a byte of padding keeps what follows at an even place */
	if (p && p[0] == 0)
		p = layer_take(l, 1);
	if (!p)
		return;
	switch (p[0]) {
	case NLPID_IPV4:
		walk_ipv4(l);
		break;
	case NLPID_IPV6:
		walk_ipv6(l);
		break;
	case NLPID_SNAP:
		walk_snap(l);
		break;
	default:
		walk_edge(l, EDGE_NLPID, p[0]);
		break;
	}
}

/*
 * An address of two to four bytes, the last of which is odd.  Then control and
 * a network layer protocol, or an ethertype where Cisco's equipment is set up
 * for its own encapsulation.
 */
void walk_frame_relay(struct layer *l)
{
	const uint8_t *p;
	int bytes = 0;

	do
		p = layer_take(l, 1);
	while (p && !(p[0] & 1) && ++bytes < 4);
	if (!p)
		return;
	p = layer_peek(l, 1);
	if (p && p[0] == HDLC_UNNUMBERED) {
		layer_skip(l, 1);
		walk_nlpid(l);
		return;
	}
	p = layer_take(l, 2);
	if (p)
		walk_ethertype(l, be16(p));
}
