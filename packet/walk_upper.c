/* SPDX-License-Identifier: BSD-2-Clause */
/* walk_upper.c - the checksums of what an IP packet carries. */
#include <stddef.h>

#include "layer.h"

enum ip_payload {
	IP_IPV4 = 4,
	IP_IPV6 = 41,
	IP_GRE = 47,
	IP_ESP = 50,
	IP_NO_NEXT_HEADER = 59,
	IP_ETHERIP = 97,   /* RFC 3378 */
	IP_COMP = 108,	   /* RFC 3173 */
	IP_MPLS = 137,	   /* RFC 4023 */
	IP_ETHERNET = 143, /* RFC 8986, section 4.9 */
};

/* What a header says about the sum, where it can say something. */
struct message {
	bool pseudo;
	uint32_t pseudo_len;
};

/*
 * Over IPv6, if the decoder of its payload allows it; of AMT, that is data,
 * which relays send from their port (RFC 7450, section 4.2.2.5).
 */
static bool udp_zero_allowed(const struct layer *l, const uint8_t *h)
{
	enum { AMT = 2268 };
	const struct decoder *d =
		find_port_decoder(l, DECODE_UDP, be16(h), be16(h + 2));

	return be16(h) == AMT || (d && d->zero_udp);
}

/*
 * The readers below correct the site, whose @len is that of the message, and
 * what is known of the pseudo-header; @h is the least header of the protocol.
 */

static enum reason read_tcp(const struct layer *l, struct site *s,
			    struct message *m, const uint8_t *h)
{
	uint32_t header_len = 4 * (h[12] >> 4);

	(void)l;
	(void)m;
	return header_len < 20 || header_len > s->len ? REASON_HEADER_LENGTH
						      : REASON_NONE;
}

/*
 * UDP covers what its own length field says: what an IP packet holds behind it
 * belongs to nothing.  A jumbogram says 0 (RFC 2675, section 4).
 */
static enum reason read_udp(const struct layer *l, struct site *s,
			    struct message *m, const uint8_t *h)
{
	uint32_t len = be16(h + 4);

	s->rule = s->pseudo_header.ipv6 && !udp_zero_allowed(l, h)
			  ? RULE_UDP_REQUIRED
			  : RULE_UDP;
	if (len == 0 && s->len > UINT16_MAX)
		return REASON_NONE;
	if (len < 8 || len > s->len)
		return REASON_LENGTH_FIELD;
	s->len = m->pseudo_len = len;
	return REASON_NONE;
}

/* RFC 3828, section 3.1: a coverage, 0 for all; the pseudo-header has all. */
static enum reason read_udplite(const struct layer *l, struct site *s,
				struct message *m, const uint8_t *h)
{
	uint32_t coverage = be16(h + 4);

	(void)l;
	(void)m;
	s->rule = RULE_UDP_REQUIRED;
	if (coverage == 0)
		return REASON_NONE;
	if (coverage < 8 || coverage > s->len)
		return REASON_LENGTH_FIELD;
	s->len = coverage;
	return REASON_NONE;
}

/*
 * RFC 4340, sections 5.1 and 9.2: header and options are always covered, and a
 * number of words of data; 0 is all, 1 is none.
 */
static enum reason read_dccp(const struct layer *l, struct site *s,
			     struct message *m, const uint8_t *h)
{
	uint32_t header_len = 4u * h[4], coverage = h[5] & 15u;

	(void)l;
	(void)m;
	if (header_len < 12 || header_len > s->len)
		return REASON_HEADER_LENGTH;
	if (coverage == 0)
		return REASON_NONE;
	coverage = header_len + 4 * (coverage - 1);
	if (coverage > s->len)
		return REASON_LENGTH_FIELD;
	s->len = coverage;
	return REASON_NONE;
}

/*
 * RFC 9653, section 5.3: where both sides agreed on it, a packet may have 0
 * instead of the CRC, unless it starts an association.
 */
static enum reason read_sctp(const struct layer *l, struct site *s,
			     struct message *m, const uint8_t *h)
{
	enum { CHUNK_INIT = 1, CHUNK_COOKIE_ECHO = 10 };
	const uint8_t *chunk = layer_peek(l, 13);

	(void)m;
	(void)h;
	if (chunk &&
	    (chunk[12] == CHUNK_INIT || chunk[12] == CHUNK_COOKIE_ECHO))
		s->rule = RULE_CRC32C_REQUIRED;
	return REASON_NONE;
}

/* DVMRP, RGMP (RFC 3488) and the first PIM are IGMP messages by their form. */
static enum reason read_igmp(const struct layer *l, struct site *s,
			     struct message *m, const uint8_t *h)
{
	(void)l;
	(void)m;
	if (h[0] == 0x13)
		s->protocol = PROTO_DVMRP;
	else if (h[0] == 0x14)
		s->protocol = PROTO_PIM;
	else if (h[0] >= 0xfc)
		s->protocol = PROTO_RGMP;
	return REASON_NONE;
}

/*
 * RFC 7166, section 4.1: a trailer behind the message starts with its type, and
 * then there is no sum.  A LLS block there (RFC 5613) starts with its sum.
 */
static enum reason read_ospf3_trailer(const struct layer *l, struct site *s,
				      uint32_t len)
{
	enum { TRAILER_HMAC = 1 };
	const uint8_t *p = layer_peek(l, len + 2);

	if (l->end - l->at < len + 2)
		return REASON_NONE;
	if (!p)
		return layer_lack(l, len + 2);
	if (be16(p + len) == TRAILER_HMAC)
		s->rule = RULE_NONE;
	return REASON_NONE;
}

/*
 * Version 2 (RFC 2328, section A.3.1) leaves out its 8 bytes of authentication,
 * and has no sum at all if that is cryptographic (section D.4.3).  Version 3
 * (RFC 5340, section A.3.1) has neither, but a pseudo-header.  Only the length
 * in the header counts: more can follow (RFC 5613, RFC 7166).
 */
static enum reason read_ospf(const struct layer *l, struct site *s,
			     struct message *m, const uint8_t *h)
{
	enum { AUTH_CRYPTOGRAPHIC = 2, AUTH = 16, AUTH_LEN = 8 };
	uint32_t len = be16(h + 2), header_len = h[0] == 2 ? 24 : 16;

	if (h[0] != (s->pseudo_header.ipv6 ? 3 : 2))
		return REASON_VERSION;
	if (len < header_len || len > s->len)
		return REASON_LENGTH_FIELD;
	s->len = m->pseudo_len = len;
	if (h[0] != 2)
		return read_ospf3_trailer(l, s, len);
	s->hole = s->start + AUTH;
	s->hole_len = AUTH_LEN;
	if (be16(h + 14) == AUTH_CRYPTOGRAPHIC)
		s->rule = RULE_NONE;
	return REASON_NONE;
}

/*
 * RFC 7761, section 4.9: a register message covers its first 8 bytes, not the
 * packet behind them; but one that covers all should be accepted.
 */
static enum reason read_pim(const struct layer *l, struct site *s,
			    struct message *m, const uint8_t *h)
{
	enum { PIM_REGISTER = 0x21, REGISTER_LEN = 8 };
	enum reason lack = layer_lack(l, s->len);

	if (h[0] != PIM_REGISTER)
		return REASON_NONE;
	if (s->len < REGISTER_LEN)
		return REASON_NO_ROOM;
	s->rule = RULE_ALL_ALLOWED;
	s->all_len = s->len;
	s->len = m->pseudo_len = REGISTER_LEN;
	/* if not all is there, only a right one over 8 bytes is certain */
	if (!lack)
		return REASON_NONE;
	s->all_len = REGISTER_LEN;
	h = layer_peek(l, REGISTER_LEN);
	return h && !s->pseudo_header.ipv6 &&
			       csum_ok(csum_partial(h, REGISTER_LEN, 0))
		       ? REASON_NONE
		       : lack;
}

/*
 * Version 3 has a pseudo-header (RFC 5798, section 5.2.8), which over IPv4 some
 * routers leave out.  Version 2 (RFC 3768), and CARP, which took its place in
 * the numbers, have none; CARP over IPv6 neither.  Version 3 over IPv4 has none
 * by RFC 9568, section 5.2.8, and had one by RFC 5798.
 */
static enum reason read_vrrp(const struct layer *l, struct site *s,
			     struct message *m, const uint8_t *h)
{
	(void)l;
	if (h[0] >> 4 != 3)
		m->pseudo = false;
	else if (!s->pseudo_header.ipv6)
		s->rule = RULE_PSEUDO_OPTIONAL;
	return REASON_NONE;
}

static enum reason own_length(struct site *s, uint32_t len, uint32_t min)
{
	if (len < min || len > s->len)
		return REASON_LENGTH_FIELD;
	s->len = len;
	return REASON_NONE;
}

/* RFC 2205, section 3.1.1 */
static enum reason read_rsvp(const struct layer *l, struct site *s,
			     struct message *m, const uint8_t *h)
{
	(void)l;
	(void)m;
	s->rule = RULE_OPTIONAL;
	return own_length(s, be16(h + 6), 8);
}

/* RFC 2332, section 5.2.1 */
static enum reason read_nhrp(const struct layer *l, struct site *s,
			     struct message *m, const uint8_t *h)
{
	(void)l;
	(void)m;
	return own_length(s, be16(h + 10), 20);
}

/* RFC 3208, section 8 */
static enum reason read_pgm(const struct layer *l, struct site *s,
			    struct message *m, const uint8_t *h)
{
	(void)l;
	(void)m;
	(void)h;
	s->rule = RULE_OPTIONAL;
	return REASON_NONE;
}

/* RFC 6275, section 6.1.1 */
static enum reason read_mobility(const struct layer *l, struct site *s,
				 struct message *m, const uint8_t *h)
{
	enum reason reason = own_length(s, 8 * (h[1] + 1u), 8);

	(void)l;
	m->pseudo_len = s->len;
	return reason;
}

static enum reason read_cdp(const struct layer *l, struct site *s,
			    struct message *m, const uint8_t *h)
{
	(void)l;
	(void)m;
	(void)h;
	s->rule = RULE_LAST_BYTE_LOW;
	return REASON_NONE;
}

/* --- what is inside ---------------------------------------------------- */

static void inside_udp(struct layer *l, const struct site *s, const uint8_t *h)
{
	l->end = (uint64_t)l->at + s->len;
	layer_skip(l, 8);
	walk_port_payload(l, DECODE_UDP, be16(h), be16(h + 2));
}

/* Whatever its sum covers, its payload ends where the packet does. */
static void inside_udplite(struct layer *l, const struct site *s,
			   const uint8_t *h)
{
	(void)s;
	layer_skip(l, 8);
	walk_port_payload(l, DECODE_UDP, be16(h), be16(h + 2));
}

/* A segment is looked into only if a user says what is in it. */
static void inside_tcp(struct layer *l, const struct site *s, const uint8_t *h)
{
	const uint32_t header_len = 4 * (h[12] >> 4);

	if (!l->packet->rules || !layer_peek(l, header_len))
		return;
	l->end = (uint64_t)l->at + s->len;
	layer_skip(l, header_len);
	if (l->at < l->end)
		walk_port_payload(l, DECODE_TCP, be16(h), be16(h + 2));
}

static void inside_icmp(struct layer *l, const struct site *s, const uint8_t *h)
{
	(void)s;
	(void)h;
	walk_icmp_payload(l, false);
}

static void inside_icmpv6(struct layer *l, const struct site *s,
			  const uint8_t *h)
{
	(void)s;
	(void)h;
	walk_icmp_payload(l, true);
}

/*
 * A null register has only the header of a packet that nobody has sent (RFC
 * 7761, section 4.9.3).
 */
static void walk_dummy_header(struct layer *l)
{
	const unsigned count = l->walk->count;
	const uint8_t *p = layer_peek(l, 1);

	l->class = SITE_QUOTED;
	if (!p || p[0] >> 4 != 4)
		return;
	walk_ipv4(l);
	/* there is nothing behind it, whatever its protocol */
	if (l->walk->count > count + 1)
		l->walk->count = count + 1;
}

/* A register carries a packet, or says which it would be. */
static void inside_pim(struct layer *l, const struct site *s, const uint8_t *h)
{
	enum { PIM_NULL_REGISTER = 0x40 };

	(void)h;
	if (s->rule != RULE_ALL_ALLOWED)
		return;
	h = layer_take(l, 8);
	if (!h || !layer_enter(l))
		return;
	if (h[4] & PIM_NULL_REGISTER)
		walk_dummy_header(l);
	else
		walk_either_ip(l);
}

enum { OSPF_HELLO = 1, OSPF_DESCRIPTION = 2, OSPF_UPDATE = 4 };

/*
 * RFC 5613: behind hello and description packets whose options say so is a
 * block with a sum of its own, the length in words next to it.  It has no sum
 * where OSPF has none.
 */
static void inside_ospf_hello(struct layer *l, const struct site *s,
			      const uint8_t *h)
{
	enum { LLS_HEADER = 4 };
	bool v2 = h[0] == 2;
	uint32_t at = v2 ? 30 : 22, len;
	struct site *lls;
	const uint8_t *p;

	if (h[1] == OSPF_DESCRIPTION)
		at -= 4;
	if (s->len <= at)
		return;
	p = layer_peek(l, s->len);
	if (!p || !(p[at] & (v2 ? 0x10 : 0x02)))
		return;
	layer_skip(l, s->len);
	if (l->at == l->end || s->rule != RULE_PLAIN)
		return;
	lls = walk_add(l, PROTO_OSPF_LLS);
	p = layer_peek(l, LLS_HEADER);
	lls->reason = layer_lack(l, LLS_HEADER);
	if (!p)
		return;
	lls->has_field = true;
	lls->field = l->at;
	len = 4 * be16(p + 2);
	if (len < LLS_HEADER)
		lls->reason = REASON_LENGTH_FIELD;
	else
		lls->reason = layer_lack(l, len);
	lls->len = len;
}

/*
 * RFC 2328, section 12.1.7: an advertisement has a sum over all of it but its
 * age, the first two bytes.  RFC 5340 keeps that.
 */
static void inside_ospf_update(struct layer *l, const struct site *s,
			       const uint8_t *h)
{
	enum { HEADER = 20, AGE = 2, FIELD = 16, LENGTH = 18 };
	const uint32_t count_at = h[0] == 2 ? 24 : 16;
	const uint8_t *p = layer_peek(l, count_at + 4);
	uint32_t count = p ? be32(p + count_at) : 0;

	l->end = (uint64_t)l->at + s->len;
	if (!p)
		return;
	layer_skip(l, count_at + 4);
	while (count-- && l->at < l->end) {
		struct site *lsa = walk_add(l, PROTO_OSPF_LSA);
		uint32_t len;

		p = layer_peek(l, HEADER);
		lsa->reason = layer_lack(l, HEADER);
		if (!p)
			return;
		len = be16(p + LENGTH);
		lsa->rule = RULE_FLETCHER;
		lsa->start = l->at + AGE;
		lsa->len = len - AGE;
		lsa->field = l->at + FIELD;
		lsa->has_field = true;
		lsa->reason =
			len < HEADER ? REASON_LENGTH_FIELD : layer_lack(l, len);
		if (lsa->reason)
			return;
		layer_skip(l, len);
	}
}

static void inside_ospf(struct layer *l, const struct site *s, const uint8_t *h)
{
	if (h[1] == OSPF_HELLO || h[1] == OSPF_DESCRIPTION)
		inside_ospf_hello(l, s, h);
	else if (h[1] == OSPF_UPDATE)
		inside_ospf_update(l, s, h);
}

/* --- one line for each protocol with a checksum ------------------------ */

enum pseudo_use { NO_PSEUDO, PSEUDO, PSEUDO_OVER_IPV6 };

static const struct transport {
	enum protocol protocol;
	uint8_t number;
	bool over_ipv4, over_ipv6;
	uint8_t header; /* BYTES, the least */
	uint8_t field;	/* of the checksum, in the header */
	enum pseudo_use pseudo;
	/* The rest of its header: corrects the site, sees what is malformed. */
	enum reason (*read)(const struct layer *l, struct site *s,
			    struct message *m, const uint8_t *h);
	/* What it carries; from its header on. */
	void (*inside)(struct layer *l, const struct site *s, const uint8_t *h);
} transports[] = {
	{ PROTO_TCP, 6, true, true, 20, CSUM_FIELD_TCP, PSEUDO, read_tcp,
	  inside_tcp },
	{ PROTO_UDP, 17, true, true, 8, CSUM_FIELD_UDP, PSEUDO, read_udp,
	  inside_udp },
	{ PROTO_ICMP, 1, true, false, 4, CSUM_FIELD_ICMP, NO_PSEUDO, NULL,
	  inside_icmp },
	{ PROTO_ICMPV6, 58, false, true, 4, CSUM_FIELD_ICMP, PSEUDO, NULL,
	  inside_icmpv6 },
	{ PROTO_UDPLITE, 136, true, true, 8, 6, PSEUDO, read_udplite,
	  inside_udplite },
	{ PROTO_DCCP, 33, true, true, 12, 6, PSEUDO, read_dccp, NULL },
	{ PROTO_SCTP, 132, true, true, 12, 8, NO_PSEUDO, read_sctp, NULL },
	{ PROTO_IGMP, 2, true, false, 8, 2, NO_PSEUDO, read_igmp, NULL },
	{ PROTO_OSPF, 89, true, true, 16, 12, PSEUDO_OVER_IPV6, read_ospf,
	  inside_ospf },
	{ PROTO_PIM, 103, true, true, 4, 2, PSEUDO_OVER_IPV6, read_pim,
	  inside_pim },
	{ PROTO_VRRP, 112, true, true, 8, 6, PSEUDO, read_vrrp, NULL },
	{ PROTO_EIGRP, 88, true, true, 20, 2, NO_PSEUDO, NULL, NULL },
	{ PROTO_RSVP, 46, true, true, 8, 2, NO_PSEUDO, read_rsvp, NULL },
	{ PROTO_NHRP, 54, true, true, 20, 12, NO_PSEUDO, read_nhrp, NULL },
	{ PROTO_PGM, 113, true, true, 16, 6, NO_PSEUDO, read_pgm, NULL },
	{ PROTO_MOBILITY, 135, false, true, 8, 4, PSEUDO, read_mobility, NULL },
};

/* Those without a number of IP. */
static const struct transport nhrp = {
	.protocol = PROTO_NHRP, .header = 20, .field = 12, .read = read_nhrp
};
static const struct transport cdp = {
	.protocol = PROTO_CDP, .header = 4, .field = 2, .read = read_cdp
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

csum_wsum pseudo_sum(const struct pseudo *p)
{
	return p->ipv6 ? csum_pseudo_ipv6(p->src, p->dst, p->len, p->protocol,
					  0)
		       : csum_pseudo_ipv4(csum_load32(p->src),
					  csum_load32(p->dst), p->len,
					  p->protocol, 0);
}

/* What hides an address does not matter where none is covered. */
static enum reason hindrance(const struct upper *u, bool pseudo)
{
	const bool address =
		u->reason == REASON_ROUTE || u->reason == REASON_OPTIONS;

	if (!address || pseudo)
		return u->reason;
	/* a fragment is one, whatever was wrong with an address before that */
	return u->fragment ? REASON_FRAGMENT : REASON_NONE;
}

/*
 * A first fragment: its header tells of a message that is longer, so whatever
 * length it claims is believed for now.  fragments.c puts it together.
 */
static void first_fragment(struct layer *l, struct site *s, struct message *m,
			   const struct transport *t, const uint8_t *h)
{
	enum reason reason = REASON_NONE;

	s->len = m->pseudo_len = UINT32_MAX;
	if (h && t->read)
		reason = t->read(l, s, m, h);
	if (s->len == UINT32_MAX)
		s->len = 0;
	if (m->pseudo_len == UINT32_MAX)
		m->pseudo_len = 0;
	/* what is only in the other fragments is no fault */
	if (s->reason == REASON_FRAGMENT &&
	    (reason == REASON_HEADER_LENGTH || reason == REASON_LENGTH_FIELD))
		s->reason = reason;
	if (!h)
		s->reason = layer_lack(l, t->header);
}

static enum reason whole_message(const struct layer *l, struct site *s,
				 struct message *m, const struct transport *t,
				 const uint8_t *h)
{
	enum reason reason = REASON_NONE;

	if (!h)
		return layer_lack(l, t->header);
	if (t->read)
		reason = t->read(l, s, m, h);
	if (reason)
		return reason;
	reason = layer_lack(l, s->len);
	if (!s->reason)
		s->reason = reason;
	return reason;
}

/* @reason: why not all of it is there. */
static void look_inside(struct layer *l, const struct upper *u,
			const struct site *s, const struct transport *t,
			const uint8_t *h, enum reason reason)
{
	if (!h || !t->inside)
		return;
	if (u->fragment) {
		if (!u->walked || t->protocol != PROTO_UDP || !s->len)
			return;
		layer_enter_fragment(l, (uint64_t)l->at + s->len);
	}
	/* what is cut off behind can be looked into all the same */
	switch (reason) {
	case REASON_NONE:
	case REASON_SNAPPED:
	case REASON_FRAGMENT:
	case REASON_BEYOND_WIRE:
	case REASON_QUOTE:
		t->inside(l, s, h);
		break;
	default:
		break;
	}
}

static void walk_transport(struct layer *l, const struct upper *u,
			   const struct transport *t)
{
	struct site *s = walk_add(l, t->protocol);
	const uint8_t *h = layer_peek(l, t->header);
	struct message m = {
		.pseudo = t->pseudo == PSEUDO ||
			  (t->pseudo == PSEUDO_OVER_IPV6 && u->ipv6),
	};
	enum reason reason = REASON_NONE;

	if (t->protocol == PROTO_SCTP)
		s->rule = RULE_CRC32C;
	s->crc = l->packet->crc;
	if (u->walked)
		walk_open(l, s);
	s->reason = hindrance(u, m.pseudo);
	if (u->headless)
		return;
	s->has_field = !layer_lack(l, t->field + protocol_width(t->protocol));
	s->field = l->at + t->field;
	/* end - at is 16 bits, a jumbo length, or below wirelen */
	s->len = m.pseudo_len = (uint32_t)(l->end - l->at);
	s->pseudo_header.ipv6 = u->ipv6;
	if (u->fragment)
		first_fragment(l, s, &m, t, h);
	else
		reason = whole_message(l, s, &m, t, h);
	if (!s->reason)
		s->reason = reason;
	if (!s->reason && rule_is_crc32c(s->rule) && !s->crc)
		s->reason = REASON_NO_CRC;
	if (m.pseudo && u->src) {
		s->pseudo_header =
			(struct pseudo){ u->src, u->dst, m.pseudo_len,
					 t->number, u->ipv6 };
		/* repair_snapped() looks at what was cut short */
		if ((!s->reason || s->reason == REASON_SNAPPED) &&
		    s->rule != RULE_PSEUDO_OPTIONAL)
			s->pseudo = pseudo_sum(&s->pseudo_header);
	}
	look_inside(l, u, s, t, h, reason);
}

void walk_nhrp(struct layer *l)
{
	walk_transport(l, &(struct upper){ 0 }, &nhrp);
}

/*
 * Chunks, each of a length and padded to words, that fill a packet: what else
 * would look like that behind 12 bytes is no accident.
 */
static bool has_chunks(const struct layer *l)
{
	enum { HEADER = 12, CHUNK = 4 };
	const uint64_t room = l->end - l->at;
	uint32_t at = HEADER;
	const uint8_t *p;

	while ((p = layer_peek(l, at + CHUNK)) && be16(p + at + 2) >= CHUNK) {
		if (at + be16(p + at + 2) == room)
			return true;
		at += (be16(p + at + 2) + 3u) & ~3u;
		if (at == room)
			return true;
	}
	return false;
}

/* RFC 6951, section 5: in UDP; it has no pseudo-header. */
void walk_sctp_alone(struct layer *l)
{
	enum { IP_SCTP = 132 };

	if (has_chunks(l))
		walk_transport(l, &(struct upper){ 0 },
			       find_transport(IP_SCTP, false));
}

void walk_cdp(struct layer *l)
{
	walk_transport(l, &(struct upper){ 0 }, &cdp);
}

/* True if @protocol is a packet or a frame. */
static bool walk_inner(struct layer *l, const struct upper *u, uint8_t protocol)
{
	struct site *s;

	switch (protocol) {
	case IP_IPV4:
	case IP_IPV6:
	case IP_ETHERIP:
	case IP_MPLS:
	case IP_ETHERNET:
	case IP_PROTOCOL_L2TP:
		break;
	case IP_GRE:
		walk_gre(l, u);
		return true;
	default:
		return false;
	}
	l->walk->has_fragment |= u->walked;
	if (u->fragment && (u->headless || !u->walked)) {
		s = walk_add(l, PROTO_PAYLOAD);
		s->reason = REASON_FRAGMENT;
		if (u->walked)
			walk_open(l, s);
		return true;
	}
	if (u->fragment)
		layer_enter_fragment(l, (uint64_t)l->at + FRAGMENT_REACH);
	if (!layer_enter(l))
		return true;
	if (protocol == IP_IPV4)
		walk_ipv4(l);
	else if (protocol == IP_IPV6)
		walk_ipv6(l);
	else if (protocol == IP_MPLS)
		walk_mpls(l);
	else if (protocol == IP_PROTOCOL_L2TP)
		walk_l2tp_over_ip(l);
	else if (protocol == IP_ETHERNET || layer_take(l, 2))
		walk_ethernet(l);
	return true;
}

/*
 * RFC 4303, section 2: @icv BYTES of authentication at the end, in front of
 * them the next header, the length of the padding, and padding of 1, 2, 3...
 * Returns the BYTES of the trailer, or 0.
 */
static uint32_t esp_trailer(const struct layer *l, const uint8_t *p,
			    uint32_t len, uint32_t icv, bool ipv6)
{
	enum { HEADER = 8, TRAILER = 2 };
	uint32_t at = len - icv - TRAILER, padding;

	if (len < HEADER + TRAILER + icv)
		return 0;
	padding = p[at];
	if (padding > at - HEADER || (at + TRAILER) % 4)
		return 0;
	for (uint32_t i = 0; i < padding; i++)
		if (p[at - padding + i] != i + 1)
			return 0;
	switch (p[at + 1]) {
	case IP_IPV4:
	case IP_IPV6:
		return fit_ip(l, HEADER) ? padding + TRAILER + icv : 0;
	case IP_NO_NEXT_HEADER:
		return padding + TRAILER + icv;
	default:
		return find_transport(p[at + 1], ipv6) ? padding + TRAILER + icv
						       : 0;
	}
}

/*
 * What a user takes for NULL encryption (RFC 2410) can be read.  How long the
 * authentication is has been agreed elsewhere: as long as the padding and the
 * next header in front of it make sense.
 */
static bool walk_null_esp(struct layer *l, const struct upper *u)
{
	static const uint8_t lengths[] = { 12, 16, 24, 32, 8, 0 };
	const uint32_t len = (uint32_t)(l->end - l->at);
	const uint8_t *p = layer_peek(l, len);

	for (size_t i = 0; p && i < sizeof(lengths); i++) {
		uint32_t n = esp_trailer(l, p, len, lengths[i], u->ipv6);
		uint8_t next = n ? p[len - lengths[i] - 1] : 0;

		if (!n)
			continue;
		layer_skip(l, 8);
		l->end -= n;
		if (layer_enter(l))
			walk_upper(l, u, next);
		return true;
	}
	return false;
}

void walk_esp(struct layer *l, const struct upper *u)
{
	const struct walk_rules *rules = l->packet->rules;

	if (rules && rules->esp_null && !u->fragment && walk_null_esp(l, u))
		return;
	walk_add(l, PROTO_PAYLOAD)->reason = REASON_ENCRYPTED;
}

void walk_upper(struct layer *l, const struct upper *u, uint8_t protocol)
{
	const struct transport *t = find_transport(protocol, u->ipv6);

	if (t)
		walk_transport(l, u, t);
	else if (walk_inner(l, u, protocol))
		return;
	else if (protocol == IP_ESP)
		walk_esp(l, u);
	else if (protocol == IP_COMP)
		walk_add(l, PROTO_PAYLOAD)->reason = REASON_COMPRESSED;
	else if (protocol != IP_NO_NEXT_HEADER)
		walk_edge(l, EDGE_PROTOCOL, protocol);
}
