/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk_tunnel.c - what carries packets inside of packets.
 *
 * Each is entered before it is read, so that nothing in it reaches beyond what
 * carries it, and so that WALK_DEPTH counts it.
 */
#include <stddef.h>

#include "layer.h"

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
 * Nothing says what a label carries (RFC 3032).  IP starts with its version; a
 * pseudowire has a control word that starts with 0, or 1 if it is about the
 * pseudowire itself (RFC 4385, section 3), or none at all, and then the address
 * that comes first may look like IP (RFC 4928).  What fits best is taken; where
 * two fit equally well, nothing is.
 */
static void walk_label_payload(struct layer *l)
{
	/* what has to be there to see whether a frame fits */
	enum { CONTROL_WORD = 4, FRAME_AND_IP = 14 + 20 };
	const uint8_t *p = layer_peek(l, 1);
	const unsigned nibble = p ? p[0] >> 4 : 0;
	const bool like_ip = nibble == 4 || nibble == 6;
	/* one with a control word, or IP, and a frame without one */
	enum fitness first =
		like_ip ? fit_ip(l, 0)
			: (nibble ? FIT_NONE : fit_ethernet(l, CONTROL_WORD));
	enum fitness frame = fit_ethernet(l, 0);

	if (like_ip && first < FIT_SUM &&
	    layer_lack(l, FRAME_AND_IP) == REASON_SNAPPED) {
		walk_add(l, PROTO_PAYLOAD)->reason = REASON_SNAPPED;
	} else if (first == frame && first >= FIT_LENGTH) {
		walk_add(l, PROTO_PAYLOAD)->reason = REASON_AMBIGUOUS;
	} else if (like_ip && first >= frame && looks_like_ip(l)) {
		walk_either_ip(l);
	} else if (!first && !frame) {
		walk_edge(l, EDGE_ETHERTYPE, TYPE_MPLS);
	} else {
		if (first >= frame)
			layer_skip(l, CONTROL_WORD);
		if (layer_enter(l))
			walk_ethernet(l);
	}
}

void walk_mpls(struct layer *l)
{
	enum { BOTTOM = 0x01 };
	const uint8_t *p;

	do {
		p = layer_take(l, 4);
		if (!p)
			return;
	} while (!(p[2] & BOTTOM));
	walk_label_payload(l);
}

/* ERSPAN: the first version has no header, and no sequence number in front. */
void walk_erspan(struct layer *l)
{
	if (!l->sequence || layer_take(l, 8))
		walk_ethernet(l);
}

void walk_erspan3(struct layer *l)
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

/* The second version puts four bytes in front. */
void walk_wccp(struct layer *l)
{
	if (looks_like_ip(l) || layer_take(l, 4))
		walk_either_ip(l);
}

/* Unlike its tag, it has the next type in front. */
void walk_cmd_gre(struct layer *l)
{
	const uint8_t *p = layer_take(l, 8);

	if (p)
		walk_ethertype(l, be16(p));
}

static void walk_gre_payload(struct layer *l, uint16_t type)
{
	const struct decoder *d = find_decoder(l, DECODE_GRE, type);

	if (d)
		d->walk(l);
	else
		walk_ethertype(l, type);
}

enum {
	GRE_CHECKSUM = 0x8000,
	GRE_ROUTING = 0x4000,
	GRE_KEY = 0x2000,
	GRE_SEQUENCE = 0x1000,
	/* version 1, RFC 2637 */
	GRE_ACK = 0x0080,
	GRE_VERSION = 7,
};

/* The site of a GRE header; how long it is, or 0 if that cannot be told. */
static uint32_t gre_header(struct layer *l, const struct upper *u,
			   const uint8_t *h)
{
	struct site *s = walk_add(l, PROTO_GRE);
	uint16_t flags = be16(h);
	uint32_t len = 4;

	s->len = (uint32_t)(l->end - l->at);
	s->field = l->at;
	s->rule = RULE_NONE;
	s->reason = u ? u->reason : REASON_NONE;
	if (flags & GRE_CHECKSUM) {
		s->rule = RULE_PLAIN;
		s->field = l->at + 4;
		s->has_field = !layer_lack(l, 6);
		if (!s->reason)
			s->reason = layer_lack(l, 6);
		if (!s->reason)
			s->reason = layer_lack(l, s->len);
		if (u && u->walked) {
			walk_open(l, s);
			s->len = 0;
		}
	}
	if (flags & (GRE_CHECKSUM | GRE_ROUTING))
		len += 4; /* checksum and offset, RFC 1701 */
	if (flags & GRE_KEY)
		len += 4;
	if (flags & GRE_SEQUENCE)
		len += 4;
	if (flags & GRE_ACK && (flags & GRE_VERSION) == 1)
		len += 4;
	return flags & GRE_ROUTING ? 0 : len;
}

/*
 * Version 1 counts the bytes behind its header.  Without a sequence number
 * there are none: it only acknowledges (RFC 2637, section 4.1).
 */
static bool gre_end(struct layer *l, const uint8_t *h)
{
	const uint16_t flags = be16(h);
	uint32_t len;

	if ((flags & GRE_VERSION) != 1 || be16(h + 2) != TYPE_PPP)
		return true;
	len = flags & GRE_KEY ? be16(h + 4) : 0;
	if (l->end - l->at > len)
		l->end = l->at + len;
	if (flags & GRE_SEQUENCE && len)
		return true;
	walk_nothing(l);
	return false;
}

/* RFC 2784 and 2890.  The checksum covers all of it, and no pseudo-header. */
void walk_gre(struct layer *l, const struct upper *u)
{
	const uint8_t *h = layer_peek(l, 4);
	struct site *s;
	uint32_t len;

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
	l->sequence = be16(h) & GRE_SEQUENCE;
	if (!layer_take(l, len) || !gre_end(l, h) || !layer_enter(l))
		return;
	walk_gre_payload(l, be16(h + 2));
}

void walk_gre_alone(struct layer *l)
{
	walk_gre(l, NULL);
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
void walk_vxlan(struct layer *l)
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
void walk_vxlan_gpe(struct layer *l)
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
void walk_geneve(struct layer *l)
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
 * GSM 09.60, section 6: version 0 has 20 bytes, and user data is of type 255,
 * too.  What it carries is agreed elsewhere, as in version 1.
 */
static void walk_gtp_session(struct layer *l)
{
	if (!fit_ip(l, 0) && fit_ethernet(l, 0) >= FIT_LENGTH)
		walk_ethernet(l);
	else if (looks_like_ip(l))
		walk_either_ip(l);
}

static void walk_gtp0(struct layer *l, const uint8_t *p)
{
	enum { GTP0_HEADER = 20 };

	if (!layer_peek(l, GTP0_HEADER))
		return;
	layer_skip(l, GTP0_HEADER);
	if (be16(p + 2) <= l->end - l->at)
		l->end = (uint64_t)l->at + be16(p + 2);
	if (layer_enter(l))
		walk_gtp_session(l);
}

/*
 * 3GPP TS 29.281, section 5: version 1.  If any of three flags is set, four
 * more bytes, the last of which is the type of an extension header; each has
 * its length in words in front, the next type at its end.
 */
static void walk_gtp1(struct layer *l, const uint8_t *p)
{
	enum { GTP_EXTENDED = 0x04, GTP_MORE = 0x07 };
	const uint8_t flags = p[0];
	uint8_t next = 0;

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
	walk_gtp_session(l);
}

/* A version, the bit for GTP itself, and a type: only user data is carried. */
void walk_gtp_user(struct layer *l)
{
	enum { GTP_V0 = 0x10, GTP_V1 = 0x30, GTP_USER_DATA = 255 };
	const uint8_t *p = layer_peek(l, 8);
	const uint8_t version = p ? p[0] & 0xf0 : 0;

	if (version != GTP_V0 && version != GTP_V1)
		return;
	if (p[1] != GTP_USER_DATA)
		walk_nothing(l);
	else if (version == GTP_V0)
		walk_gtp0(l, p);
	else
		walk_gtp1(l, p);
}

/*
 * L2TP (RFC 3931, section 4.1), version 3, behind its session.  How long a
 * cookie is (0, 4 or 8 bytes), whether a sublayer (4) follows, and what is
 * carried has been agreed elsewhere; Ethernet can be told.
 */
static bool walk_pseudowire(struct layer *l)
{
	for (uint32_t skip = 0; skip <= 8 + 4; skip += 4)
		if (fit_ethernet(l, skip)) {
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
	if (p && !be32(p))
		walk_nothing(l);
	else if (p && !walk_pseudowire(l))
		walk_edge(l, EDGE_PROTOCOL, IP_PROTOCOL_L2TP);
}

/* RFC 2661, section 3.1: data messages of version 2 carry PPP. */
void walk_l2tp(struct layer *l)
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
	if (p && flags & IS_CONTROL)
		walk_nothing(l);
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
void walk_teredo(struct layer *l)
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

/* RFC 9300, section 5: eight bytes, unless it is about the tunnel itself. */
void walk_lisp(struct layer *l)
{
	if (layer_take(l, 8) && looks_like_ip(l))
		walk_either_ip(l);
}

/*
 * Some of these look twice before they say what it is, since anything may come
 * from or go to a port.  What none knows is not passed over in silence.
 */
void walk_port_payload(struct layer *l, enum decode_table t, uint16_t from,
		       uint16_t to)
{
	const struct decoder *d = find_port_decoder(l, t, from, to);
	struct walk *w = l->walk;
	const unsigned count = w->count;
	const enum edge edge = w->edge;

	if (!d || !layer_enter(l))
		return;
	w->nothing = false;
	d->walk(l);
	if (w->count == count && w->edge == edge && !w->nothing)
		walk_edge(l, t == DECODE_UDP ? EDGE_UDP : EDGE_TCP,
			  find_decoder(l, t, to) ? to : from);
}
