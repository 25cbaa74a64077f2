/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk_tunnel.c - what carries packets inside of packets.
 *
 * Each is entered before it is read, so that nothing in it reaches beyond what
 * carries it, and so that WALK_DEPTH counts it.
 */
#include <stddef.h>

#include "layer.h"

/*
 * True if a frame of Ethernet seems to start @skip bytes from here: it has room
 * for one, and says that it carries something that is known.
 */
static bool looks_like_ethernet(const struct layer *l, uint32_t skip)
{
	const uint8_t *p = layer_peek(l, skip + 14);

	if (!p)
		return false;
	switch (be16(p + skip + 12)) {
	case TYPE_IPV4:
	case TYPE_IPV6:
	case TYPE_MPLS:
	case 0x0806: /* ARP */
	case 0x8100: /* VLAN */
	case 0x88a8:
	case 0x8863: /* PPPoE */
	case 0x8864:
	case 0x88cc: /* LLDP */
	case 0x9000: /* loopback */
		return true;
	default:
		return false;
	}
}

/* The same for IEEE 802.3, by a length that fits; less certain. */
static bool looks_like_802_3(const struct layer *l, uint32_t skip)
{
	const uint8_t *p = layer_peek(l, skip + 14);

	return p && be16(p + skip + 12) >= 3 &&
	       be16(p + skip + 12) <= l->end - l->at - skip - 14;
}

static bool looks_like_ip(const struct layer *l)
{
	const uint8_t *p = layer_peek(l, 4);

	if (!p)
		return true; /* too short for anything: let it say so */
	if (p[0] >> 4 == 6)
		return true;
	return p[0] >> 4 == 4 && (p[0] & 15) >= 5 && be16(p + 2) >= 20;
}

/*
 * Nothing says what a label carries (RFC 3032).  What is IP starts with its
 * version; a pseudowire has a control word that starts with 0, or 1 if it is
 * about the pseudowire itself (RFC 4385, section 3), or none at all.
 */
void walk_mpls(struct layer *l)
{
	enum { BOTTOM = 0x01, CONTROL_WORD = 4 };
	const uint8_t *p;
	uint32_t control;

	do {
		p = layer_take(l, 4);
		if (!p)
			return;
	} while (!(p[2] & BOTTOM));
	p = layer_peek(l, 1);
	if (p && (p[0] >> 4 == 4 || p[0] >> 4 == 6) && looks_like_ip(l)) {
		walk_either_ip(l);
		return;
	}
	control = p && p[0] >> 4 == 0 ? CONTROL_WORD : 0;
	if (looks_like_ethernet(l, control) ||
	    (!looks_like_ethernet(l, 0) && looks_like_802_3(l, control))) {
		layer_skip(l, control);
	} else if (!looks_like_ethernet(l, 0) && !looks_like_802_3(l, 0)) {
		walk_edge(l, EDGE_ETHERTYPE, TYPE_MPLS);
		return;
	}
	if (layer_enter(l))
		walk_ethernet(l);
}

/* ERSPAN: a header by version, then the frame that was mirrored. */
static void walk_erspan3(struct layer *l)
{
	enum { HAS_PLATFORM = 0x01 };
	const uint8_t *p = layer_take(l, 12);

	if (!p || (p[11] & HAS_PLATFORM && !layer_take(l, 8)))
		return;
	if ((p[10] >> 2 & 31) == 2) /* frame type: IP */
		walk_either_ip(l);
	else
		walk_ethernet(l);
}

static void walk_gre_payload(struct layer *l, uint16_t type, bool sequence)
{
	enum {
		TYPE_NHRP = 0x2001,
		TYPE_ERSPAN = 0x88be,
		TYPE_ERSPAN3 = 0x22eb,
		TYPE_WCCP = 0x883e,
		TYPE_METADATA = 0x8909,
	};
	const uint8_t *p;

	switch (type) {
	case TYPE_NHRP:
		walk_nhrp(l);
		break;
	case TYPE_ERSPAN: /* without sequence numbers, the first version */
		if (!sequence || layer_take(l, 8))
			walk_ethernet(l);
		break;
	case TYPE_ERSPAN3:
		walk_erspan3(l);
		break;
	case TYPE_WCCP: /* the second version puts four bytes in front */
		if (looks_like_ip(l) || layer_take(l, 4))
			walk_either_ip(l);
		break;
	case TYPE_METADATA: /* unlike its tag, it has the next type in front */
		p = layer_take(l, 8);
		if (p)
			walk_ethertype(l, be16(p));
		break;
	default:
		walk_ethertype(l, type);
		break;
	}
}

/* The site of a GRE header; how long it is, or 0 if that cannot be told. */
static uint32_t gre_header(struct layer *l, const struct upper *u,
			   const uint8_t *h)
{
	enum {
		HAS_CHECKSUM = 0x8000,
		HAS_ROUTING = 0x4000,
		HAS_KEY = 0x2000,
		HAS_SEQUENCE = 0x1000,
		HAS_ACK = 0x0080, /* version 1, RFC 2637 */
	};
	struct site *s = walk_add(l, PROTO_GRE);
	uint16_t flags = be16(h);
	uint32_t len = 4;

	s->len = (uint32_t)(l->end - l->at);
	s->field = l->at;
	s->rule = RULE_NONE;
	s->reason = u ? u->reason : REASON_NONE;
	if (flags & HAS_CHECKSUM) {
		s->rule = RULE_PLAIN;
		s->field = l->at + 4;
		s->has_field = !layer_lack(l, 6);
		if (!s->reason)
			s->reason = layer_lack(l, 6);
		if (!s->reason)
			s->reason = layer_lack(l, s->len);
		walk_goes_on(l, s);
		if (u && u->walked) {
			walk_open(l, s);
			s->len = 0;
		}
	}
	if (flags & (HAS_CHECKSUM | HAS_ROUTING))
		len += 4; /* checksum and offset, RFC 1701 */
	if (flags & HAS_KEY)
		len += 4;
	if (flags & HAS_SEQUENCE)
		len += 4;
	if (flags & HAS_ACK && (flags & 7) == 1)
		len += 4;
	return flags & HAS_ROUTING ? 0 : len;
}

/* RFC 2784 and 2890.  The checksum covers all of it, and no pseudo-header. */
void walk_gre(struct layer *l, const struct upper *u)
{
	const uint8_t *h = layer_peek(l, 4);
	struct site *s;
	uint32_t len;
	bool sequence;

	l->walk->has_fragment |= u && u->walked;
	if (!h || (u && u->headless)) {
		s = walk_add(l, PROTO_GRE);
		s->reason = u && u->reason ? u->reason : layer_lack(l, 4);
		if (u && u->walked)
			walk_open(l, s);
		return;
	}
	len = gre_header(l, u, h);
	if (!len || (u && u->fragment && !u->walked))
		return;
	if (u && u->fragment)
		layer_enter_fragment(l, (uint64_t)l->at + FRAGMENT_REACH);
	sequence = h[0] & 0x10;
	if (layer_take(l, len) && layer_enter(l))
		walk_gre_payload(l, be16(h + 2), sequence);
}

/* RFC 8300: two bits of version, the length in words, the next protocol. */
void walk_nsh(struct layer *l)
{
	enum { NSH_IPV4 = 1, NSH_IPV6, NSH_ETHERNET, NSH_NSH, NSH_MPLS };
	const uint8_t *p = layer_peek(l, 8);
	uint32_t len = p ? 4 * (p[1] & 63u) : 8;
	uint8_t next = p ? p[3] : 0;

	if (!layer_take(l, len < 8 ? 8 : len) || !layer_enter(l))
		return;
	switch (next) {
	case NSH_IPV4:
		walk_ipv4(l);
		break;
	case NSH_IPV6:
		walk_ipv6(l);
		break;
	case NSH_ETHERNET:
		walk_ethernet(l);
		break;
	case NSH_NSH:
		walk_nsh(l);
		break;
	case NSH_MPLS:
		walk_mpls(l);
		break;
	default:
		break;
	}
}

/* --- over UDP --------------------------------------------------------- */

/* RFC 7348, section 5. */
static void walk_vxlan(struct layer *l)
{
	enum { HAS_NETWORK = 0x08 };
	const uint8_t *p = layer_take(l, 8);

	if (p && p[0] & HAS_NETWORK)
		walk_ethernet(l);
}

/*
 * draft-ietf-nvo3-vxlan-gpe: the same, and the next protocol as in NSH.  Where
 * there is none, as in VXLAN, its byte is 0 and Ethernet follows.
 */
static void walk_vxlan_gpe(struct layer *l)
{
	enum { GPE_IPV4 = 1, GPE_IPV6, GPE_ETHERNET, GPE_NSH, GPE_MPLS };
	const uint8_t *p = layer_take(l, 8);

	if (!p)
		return;
	switch (p[3] ? p[3] : GPE_ETHERNET) {
	case GPE_IPV4:
		walk_ipv4(l);
		break;
	case GPE_IPV6:
		walk_ipv6(l);
		break;
	case GPE_ETHERNET:
		walk_ethernet(l);
		break;
	case GPE_NSH:
		walk_nsh(l);
		break;
	case GPE_MPLS:
		walk_mpls(l);
		break;
	default:
		break;
	}
}

/* RFC 8926, section 3.4: version, length of the options in words, type. */
static void walk_geneve(struct layer *l)
{
	const uint8_t *p = layer_peek(l, 8);
	uint32_t len = p ? 8 + 4 * (p[0] & 63u) : 8;
	uint16_t type = p ? be16(p + 2) : 0;

	if (p && p[0] >> 6)
		return;
	if (layer_take(l, len))
		walk_ethertype(l, type);
}

/*
 * 3GPP TS 29.281, section 5: version 1, and user data (type 255) only.  If any
 * of three flags is set, four more bytes, the last of which is the type of an
 * extension header; each has its length in words in front, the next type at its
 * end.
 */
static void walk_gtp_user(struct layer *l)
{
	enum { GTP_V1 = 0x30, GTP_EXTENDED = 0x04, GTP_MORE = 0x07 };
	enum { GTP_USER_DATA = 255 };
	const uint8_t *p = layer_peek(l, 8);
	uint8_t flags = p ? p[0] : 0, next = 0;

	if (!p || (flags & 0xf0) != GTP_V1 || p[1] != GTP_USER_DATA)
		return;
	layer_skip(l, 8);
	l->end = (uint64_t)l->at + be16(p + 2);
	if (!layer_enter(l))
		return;
	if (flags & GTP_MORE) {
		p = layer_take(l, 4);
		if (!p)
			return;
		next = flags & GTP_EXTENDED ? p[3] : 0;
	}
	while (next) {
		p = layer_peek(l, 1);
		if (!p || p[0] == 0)
			return;
		p = layer_take(l, 4u * p[0]);
		if (!p)
			return;
		next = p[4 * p[0] - 1];
	}
	/* what a session carries is agreed elsewhere; it may be frames */
	if (looks_like_ip(l))
		walk_either_ip(l);
}

/* A frame @skip bytes from here, and what it says of IP in it fits. */
static bool carries_ethernet(const struct layer *l, uint32_t skip)
{
	const uint8_t *p = layer_peek(l, skip + 14 + 6);
	uint64_t room = l->end - l->at;

	if (!p || !looks_like_ethernet(l, skip))
		return false;
	p += skip + 14;
	room -= skip + 14;
	switch (be16(p - 2)) {
	case TYPE_IPV4:
		return p[0] >> 4 == 4 && (p[0] & 15) >= 5 &&
		       be16(p + 2) >= 20 && be16(p + 2) <= room;
	case TYPE_IPV6:
		return p[0] >> 4 == 6 && be16(p + 4) + 40u <= room;
	default:
		return true;
	}
}

/*
 * L2TP (RFC 3931, section 4.1), version 3, behind its session.  How long a
 * cookie is (0, 4 or 8 bytes), whether a sublayer (4) follows, and what is
 * carried has been agreed elsewhere; Ethernet can be told.
 */
static bool walk_pseudowire(struct layer *l)
{
	for (uint32_t skip = 0; skip <= 8 + 4; skip += 4)
		if (carries_ethernet(l, skip)) {
			layer_skip(l, skip);
			walk_ethernet(l);
			return true;
		}
	return false;
}

void walk_l2tp_over_ip(struct layer *l)
{
	const uint8_t *p = layer_take(l, 4);

	/* session 0 is for control messages */
	if (p && be32(p) && !walk_pseudowire(l))
		walk_edge(l, EDGE_PROTOCOL, IP_PROTOCOL_L2TP);
}

/* RFC 2661, section 3.1: data messages of version 2 carry PPP. */
static void walk_l2tp(struct layer *l)
{
	enum {
		IS_CONTROL = 0x8000,
		HAS_LENGTH = 0x4000,
		HAS_SEQUENCE = 0x0800,
		HAS_OFFSET = 0x0200,
		VERSION = 15,
	};
	const uint8_t *p = layer_peek(l, 2);
	uint16_t flags = p ? be16(p) : IS_CONTROL;
	uint32_t len = 6; /* flags, tunnel, session */

	if (flags == 3 && layer_peek(l, 8)) {
		layer_skip(l, 8); /* version, reserved, session */
		walk_pseudowire(l);
		return;
	}
	if (flags & IS_CONTROL || (flags & VERSION) != 2)
		return;
	if (flags & HAS_LENGTH) {
		p = layer_peek(l, 4);
		if (p && be16(p + 2) > l->end - l->at)
			return;
		if (p)
			l->end = (uint64_t)l->at + be16(p + 2);
		len += 2;
	}
	if (flags & HAS_SEQUENCE)
		len += 4;
	if (flags & HAS_OFFSET) {
		p = layer_peek(l, len + 2);
		len += 2 + (p ? be16(p + len) : 0);
	}
	if (layer_peek(l, len + 1) && layer_enter(l)) {
		layer_skip(l, len);
		walk_ppp(l);
	}
}

/* RFC 4380, section 5.1.1: authentication and origin may be in front. */
static void walk_teredo(struct layer *l)
{
	const uint8_t *p = layer_peek(l, 4);

	if (p && be16(p) == 1 && layer_peek(l, 13u + p[2] + p[3])) {
		layer_skip(l, 13u + p[2] + p[3]);
		p = layer_peek(l, 4);
	}
	if (p && be16(p) == 0 && layer_peek(l, 8)) {
		layer_skip(l, 8);
	}
	/* there may be a trailer (RFC 6081, section 4), but nothing missing */
	p = layer_peek(l, 40);
	if (p && p[0] >> 4 == 6 && be16(p + 4) <= l->end - l->at - 40 &&
	    (be16(p + 4) || l->end - l->at == 40))
		walk_ipv6(l);
}

static void walk_gre_in_udp(struct layer *l)
{
	walk_gre(l, NULL);
}

/* RFC 9300, section 5: eight bytes, unless it is about the tunnel itself. */
static void walk_lisp(struct layer *l)
{
	if (layer_take(l, 8) && looks_like_ip(l))
		walk_either_ip(l);
}

/*
 * By the port they are sent to.  Where a server answers from its port to that
 * of the client, that counts too; anything may come from there, so these look
 * twice before they say what it is.
 */
static const struct tunnel {
	uint16_t port;
	bool answers;
	void (*walk)(struct layer *l);
} tunnels[] = {
	{ 1701, true, walk_l2tp },	  { 2152, false, walk_gtp_user },
	{ 3544, true, walk_teredo },	  { 4341, false, walk_lisp },
	{ 4754, false, walk_gre_in_udp }, { 4789, false, walk_vxlan },
	{ 4790, false, walk_vxlan_gpe },  { 6081, false, walk_geneve },
	{ 6343, false, walk_sflow },	  { 6635, false, walk_mpls },
	{ 8472, false, walk_vxlan }, /* Linux, before it had a number */
};

void walk_udp_payload(struct layer *l, uint16_t from, uint16_t to)
{
	for (size_t i = 0; i < sizeof(tunnels) / sizeof(*tunnels); i++) {
		const struct tunnel *t = &tunnels[i];

		if (to != t->port && !(t->answers && from == t->port))
			continue;
		if (layer_enter(l))
			t->walk(l);
		return;
	}
}
