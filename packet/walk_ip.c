/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk_ip.c - the walk through IP headers.
 *
 * What matters to the sums above: where the packet ends, whether it is whole,
 * and the two addresses of the pseudo-header, which source routes and mobility
 * hide in options and extension headers.
 */
#include <string.h>

#include "layer.h"

enum ip_protocol {
	IP_HOP_BY_HOP = 0,
	IP_ROUTING = 43,
	IP_FRAGMENT = 44,
	IP_AUTHENTICATION = 51,
	IP_DESTINATION = 60,
};

/* RFC 791, section 3.1 */
enum {
	IPV4_MIN = 20,
	IPV4_FRAGMENT_BITS = 0x3fff,
	IPV4_OFFSET_BITS = 0x1fff,
	IPV4_MORE_FRAGMENTS = 0x2000
};
enum ipv4_option {
	IPV4_END = 0,
	IPV4_NOP = 1,
	IPV4_LOOSE_ROUTE = 131,
	IPV4_STRICT_ROUTE = 137,
};

/* RFC 8200, sections 3 and 4.5 */
enum { IPV6_HEADER = 40, IPV6_OFFSET_BITS = 0xfff8, IPV6_MORE_FRAGMENTS = 1 };
enum ipv6_option {
	IPV6_PAD1 = 0,
	IPV6_JUMBO = 0xc2,	  /* RFC 2675, section 2 */
	IPV6_HOME_ADDRESS = 0xc9, /* RFC 6275, section 6.3 */
};

static void hinder(struct upper *u, enum reason reason)
{
	if (!u->reason)
		u->reason = reason;
}

/*
 * Where an IPv4 packet is going in the end: while a source route has entries
 * left (its pointer is not past the list) the last of them, else the address in
 * the header.  RFC 791, section 3.1.
 */
static const uint8_t *ipv4_destination(const uint8_t *ip, uint32_t header_len)
{
	uint32_t at = IPV4_MIN;

	while (at < header_len && ip[at] != IPV4_END) {
		const uint8_t *option = ip + at;
		uint32_t left = header_len - at, len;

		if (option[0] == IPV4_NOP) {
			at++;
			continue;
		}
		len = left > 1 ? option[1] : 0;
		if (len < 2 || len > left)
			break;
		if ((option[0] == IPV4_LOOSE_ROUTE ||
		     option[0] == IPV4_STRICT_ROUTE) &&
		    len >= 3 + 4 && option[2] <= len)
			return option + len - 4;
		at += len;
	}
	return ip + 16;
}

/*
 * The data of the option of @type and @want_len BYTES, in *@found if it is
 * there.  Options are type, length and data, from the third byte of their
 * header on.  False if one reaches beyond the header, or if that of @type has
 * another length or is there twice: then nobody knows what it says.
 */
static bool find_option(const uint8_t *h, uint32_t header_len, uint8_t type,
			uint8_t want_len, const uint8_t **found)
{
	uint32_t at = 2;

	*found = NULL;
	while (at < header_len) {
		uint32_t left = header_len - at;

		if (h[at] == IPV6_PAD1) {
			at++;
			continue;
		}
		if (left < 2 || h[at + 1] > left - 2)
			return false;
		if (h[at] == type) {
			if (h[at + 1] != want_len || *found)
				return false;
			*found = h + at + 2;
		}
		at += 2u + h[at + 1];
	}
	return true;
}

/*
 * RFC 6554, section 3: addresses without the bytes they share with the
 * destination in the IPv6 header; the last one leaves out another number of
 * them than the others.
 */
static enum reason rpl_destination(struct walk *w, struct upper *u,
				   const uint8_t *h, uint32_t len)
{
	const uint32_t others = 16 - (h[4] >> 4), shared = h[4] & 15;
	const uint32_t last = 16 - shared, padding = h[5] >> 4;

	uint8_t *dst;

	if (len < 8 + last + padding ||
	    h[3] > (len - 8 - last - padding) / others + 1 ||
	    w->nbuilt == WALK_BUILT)
		return REASON_ROUTE;
	dst = w->built[w->nbuilt++];
	memcpy(dst, u->dst, shared);
	memcpy(dst + shared, h + len - padding - last, last);
	u->dst = dst;
	return REASON_NONE;
}

/*
 * Where an IPv6 packet is going in the end.  Once no segments are left it is
 * the address in the IPv6 header.  RFC 8200, section 8.1.
 */
static enum reason ipv6_destination(struct walk *w, struct upper *u,
				    const uint8_t *h, uint32_t len)
{
	const uint32_t addresses = (len - 8) / 16, segments_left = h[3];

	enum routing_type {
		ROUTE_SOURCE = 0,   /* RFC 2460, section 4.4 */
		ROUTE_MOBILITY = 2, /* RFC 6275, section 6.4 */
		ROUTE_RPL = 3,
		ROUTE_SEGMENTS = 4, /* RFC 8754, section 2 */
	};

	if (!segments_left)
		return REASON_NONE;
	if (h[2] == ROUTE_RPL)
		return rpl_destination(w, u, h, len);
	if (segments_left > addresses)
		return REASON_ROUTE;
	switch (h[2]) {
	case ROUTE_SOURCE:
	case ROUTE_MOBILITY:
		u->dst = h + 8 + (size_t)16 * (addresses - 1);
		return REASON_NONE;
	case ROUTE_SEGMENTS: /* the list is in reverse order */
		u->dst = h + 8;
		return REASON_NONE;
	default:
		return REASON_ROUTE;
	}
}

/* RFC 8200, section 4.5.  Without offset and more: whole, "atomic". */
static void fragment_header(struct layer *l, struct upper *u, const uint8_t *h)
{
	uint16_t word = be16(h + 2);

	if (!(word & (IPV6_OFFSET_BITS | IPV6_MORE_FRAGMENTS)))
		return;
	hinder(u, REASON_FRAGMENT);
	u->fragment = true;
	u->headless = word & IPV6_OFFSET_BITS;
	/* in a first fragment: it will be one again in the whole; behind a
	 * compressed header: there is none to put it together with */
	if (l->class == SITE_QUOTED || l->fragment || !l->ip)
		return;
	u->walked = true;
	l->walk->fragment = (struct fragment){
		.kind = FRAGMENT_IPV6,
		.src = u->header_src,
		.dst = u->header_dst,
		.address_len = 16,
		.id = be32(h + 4),
		.protocol = h[0],
		.depth = l->depth,
		.ipv6 = true,
		.more = word & IPV6_MORE_FRAGMENTS,
		.offset = word & IPV6_OFFSET_BITS,
		.at = l->at + 8,
		.len = (uint32_t)(l->end - l->at) - 8,
		.head = (uint32_t)(l->ip - l->packet->data),
		.head_len = l->at - (uint32_t)(l->ip - l->packet->data),
		.next = u->next,
	};
}

/* Of these, only the authentication header exists in IPv4. */
static bool is_extension(const struct upper *u, uint8_t number)
{
	if (number == IP_AUTHENTICATION)
		return true;
	return u->ipv6 && (number == IP_HOP_BY_HOP || number == IP_ROUTING ||
			   number == IP_FRAGMENT || number == IP_DESTINATION);
}

/*
 * Over one extension header of kind *@next, which becomes the kind of what
 * follows.
 */
static enum reason pass_extension(struct layer *l, struct upper *u,
				  uint8_t *next)
{
	const uint8_t *h = layer_peek(l, 8), *option;
	enum reason reason = layer_lack(l, 8);
	uint32_t len = 8;

	if (!h)
		return reason;
	if (*next == IP_AUTHENTICATION)
		len = 4 * (h[1] + 2u); /* RFC 4302, section 2.2 */
	else if (*next != IP_FRAGMENT)
		len = 8 * (h[1] + 1u);
	reason = layer_lack(l, len);
	if (reason)
		return reason;
	switch (*next) {
	case IP_DESTINATION:
		if (!find_option(h, len, IPV6_HOME_ADDRESS, 16, &option))
			hinder(u, REASON_OPTIONS);
		else if (option)
			u->src = option;
		break;
	case IP_ROUTING:
		hinder(u, ipv6_destination(l->walk, u, h, len));
		break;
	case IP_FRAGMENT:
		fragment_header(l, u, h);
		break;
	default:
		break;
	}
	*next = h[0];
	u->next = l->at;
	layer_skip(l, len);
	return REASON_NONE;
}

static void pass_extensions(struct layer *l, struct upper *u, uint8_t next)
{
	enum reason reason = REASON_NONE;
	struct site *s;

	while (!u->headless && !reason && is_extension(u, next))
		reason = pass_extension(l, u, &next);
	hinder(u, reason);
	l->depth++;
	if (!is_extension(u, next)) {
		walk_upper(l, u, next);
		return;
	}
	/* what the walk could not pass, or what lies in another fragment */
	s = walk_add(l, PROTO_PAYLOAD);
	s->reason = u->reason;
	if (u->headless && u->walked)
		walk_open(l, s);
}

void walk_ipv6_payload(struct layer *l, const struct upper *u, uint8_t next)
{
	struct upper copy = *u;

	pass_extensions(l, &copy, next);
}

/* RFC 791, section 3.2 */
static void ipv4_fragment(struct layer *l, struct upper *u, const uint8_t *ip)
{
	uint16_t word = be16(ip + 6);

	hinder(u, REASON_FRAGMENT);
	u->fragment = true;
	u->headless = word & IPV4_OFFSET_BITS;
	if (l->class == SITE_QUOTED || l->fragment)
		return;
	u->walked = true;
	l->walk->fragment = (struct fragment){
		.kind = FRAGMENT_IPV4,
		.src = ip + 12,
		.dst = ip + 16,
		.address_len = 4,
		.id = be16(ip + 4),
		.protocol = ip[9],
		.depth = l->depth,
		.more = word & IPV4_MORE_FRAGMENTS,
		.offset = 8u * (word & IPV4_OFFSET_BITS),
		.at = l->at,
		.len = (uint32_t)(l->end - l->at),
		.head = (uint32_t)(ip - l->packet->data),
		.head_len = l->at - (uint32_t)(ip - l->packet->data),
	};
}

void walk_ipv4(struct layer *l)
{
	const uint8_t *ip = layer_peek(l, IPV4_MIN);
	struct site *s = walk_add(l, PROTO_IPV4);
	struct upper u = { .ipv6 = false };
	uint32_t total;

	s->no_length = l->no_length = ip && be16(ip + 2) == 0;
	if (!ip) {
		s->reason = layer_lack(l, IPV4_MIN);
		return;
	}
	s->has_field = true;
	s->field = l->at + CSUM_FIELD_IPV4;
	s->len = 4 * (ip[0] & 15u);
	if (ip[0] >> 4 != 4)
		s->reason = REASON_VERSION;
	else if (s->len < IPV4_MIN)
		s->reason = REASON_HEADER_LENGTH;
	else
		s->reason = layer_lack(l, s->len);
	if (s->reason)
		return;

	total = be16(ip + 2);
	if (total == 0) {
		/*
		 * Too long for 16 bits, or left to the network card, which cuts
		 * it into segments: the capture record knows its length.
		 */
		if (be16(ip + CSUM_FIELD_IPV4) == 0)
			s->unfinished = true;
	} else if (total < s->len) {
		hinder(&u, REASON_TOTAL_LENGTH);
		l->end = l->at + s->len;
	} else {
		l->end = (uint64_t)l->at + total;
	}
	l->ip = ip;
	u.src = ip + 12;
	u.dst = ipv4_destination(ip, s->len);
	layer_skip(l, s->len);
	if (be16(ip + 6) & IPV4_FRAGMENT_BITS)
		ipv4_fragment(l, &u, ip);
	pass_extensions(l, &u, ip[9]);
}

/* RFC 2675, section 2: a length of 32 bits, counted from here. */
static bool jumbo_payload(struct layer *l)
{
	const uint8_t *h = layer_peek(l, 8), *jumbo;
	uint32_t len = h ? 8 * (h[1] + 1u) : 8;

	if (layer_lack(l, len))
		return false;
	if (!find_option(h, len, IPV6_JUMBO, 4, &jumbo) || !jumbo ||
	    be32(jumbo) <= UINT16_MAX)
		return false;
	l->end = (uint64_t)l->at + be32(jumbo);
	return true;
}

void walk_ipv6(struct layer *l)
{
	const uint8_t *ip = layer_peek(l, IPV6_HEADER);
	struct upper u = { .ipv6 = true };
	uint16_t payload;

	if (!ip || ip[0] >> 4 != 6) {
		walk_add(l, PROTO_IPV6)->reason =
			ip ? REASON_VERSION : layer_lack(l, IPV6_HEADER);
		return;
	}
	l->ip = ip;
	u.src = u.header_src = ip + 8;
	u.dst = u.header_dst = ip + 24;
	u.next = l->at + 6;
	layer_skip(l, IPV6_HEADER);
	payload = be16(ip + 4);
	l->no_length = false;
	if (payload)
		l->end = (uint64_t)l->at + payload;
	else if (ip[6] != IP_HOP_BY_HOP || !jumbo_payload(l))
		l->no_length = true; /* as in IPv4 */
	pass_extensions(l, &u, ip[6]);
}
