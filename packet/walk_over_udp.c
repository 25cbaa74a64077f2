/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk_over_udp.c - more of what carries packets in datagrams.
 *
 * Each starts with the first byte of the datagram's payload.  A port alone
 * proves little, so each checks what its header lets it check; what does not
 * fit is left, and counted by its port.
 */
#include <stddef.h>

#include "layer.h"

/* A port of a tunnel that cannot be looked into. */
void walk_opaque(struct layer *l)
{
	(void)l;
}

/*
 * RFC 7450, section 5.1: the packet of an update stands behind 12 bytes, that
 * of a query, too, and data behind 2.
 */
void walk_amt(struct layer *l)
{
	enum { QUERY = 4, UPDATE = 5, DATA = 6 };
	const uint8_t *p = layer_peek(l, 2);
	uint32_t len = p && p[0] == DATA ? 2 : 12;

	if (!p || p[0] > 7)
		return;
	if (p[0] < QUERY || p[0] > DATA)
		walk_nothing(l);
	else if (layer_take(l, len) && fit_ip(l, 0))
		walk_either_ip(l);
}

/*
 * draft-massar-v6ops-ayiya-02, section 3: how long identity and signature are
 * is in the first bytes; a next header, and an operation that forwards.
 */
void walk_ayiya(struct layer *l)
{
	enum { FORWARD = 1, ECHO_AND_FORWARD = 3, OPERATIONS = 8 };
	enum { NEXT_IPV4 = 4, NEXT_IPV6 = 41, NEXT_NONE = 59 };
	const uint8_t *p = layer_peek(l, 8);
	uint32_t len = p ? 8 + (1u << (p[0] >> 4)) + 4 * (p[1] >> 4) : 8;
	uint8_t operation = p ? p[2] & 15 : OPERATIONS;

	if (operation >= OPERATIONS || !layer_peek(l, len))
		return;
	layer_skip(l, len);
	if (operation != FORWARD && operation != ECHO_AND_FORWARD)
		walk_nothing(l);
	else if (p[3] == NEXT_IPV6)
		walk_ipv6(l);
	else if (p[3] == NEXT_IPV4)
		walk_ipv4(l);
	else if (p[3] == NEXT_NONE)
		walk_nothing(l);
}

/* RFC 5415, section 4.3: the bits of the third and fourth byte. */
enum {
	CAPWAP_NATIVE = 0x01, /* in the third: a frame of the radio */
	CAPWAP_FRAGMENT = 0x80,
	CAPWAP_KEEP_ALIVE = 0x08,
};

/*
 * Section 3.4: a number for the message, the offset in words of eight bytes.
 * Several senders may be behind one address: their ports tell them apart.
 * False: nothing more is to be looked into.
 */
static bool enter_capwap_fragment(struct layer *l, const uint8_t *p,
				  uint32_t header_len)
{
	enum { LAST = 0x40, OFFSET_BITS = 0xfff8, UDP_HEADER = 8 };
	const uint64_t end = l->end < l->limit ? l->end : l->limit;
	struct site *s;

	if (l->class == SITE_QUOTED || l->fragment || !l->ip ||
	    l->at < UDP_HEADER)
		return false;
	l->walk->has_fragment = true;
	l->walk->fragment = (struct fragment){
		.kind = FRAGMENT_CAPWAP,
		.ipv6 = l->ip[0] >> 4 == 6,
		.src = l->ip + (l->ip[0] >> 4 == 6 ? 8 : 12),
		.dst = l->ip + (l->ip[0] >> 4 == 6 ? 24 : 16),
		.address_len = l->ip[0] >> 4 == 6 ? 16 : 4,
		.id = (uint32_t)be16(p + 4) << 16 | be16(p - UDP_HEADER),
		.depth = l->depth,
		.more = !(p[3] & LAST),
		.offset = be16(p + 6) & OFFSET_BITS,
		.at = l->at + header_len,
		.len = (uint32_t)(end - l->at) - header_len,
		.head = l->at,
		.head_len = header_len,
	};
	layer_skip(l, header_len);
	if (!l->walk->fragment.offset) {
		layer_enter_fragment(l, (uint64_t)l->at + FRAGMENT_REACH);
		return layer_enter(l);
	}
	s = walk_add(l, PROTO_PAYLOAD);
	s->reason = REASON_FRAGMENT;
	walk_open(l, s);
	return false;
}

/*
 * A preamble of 0, or 1 in front of DTLS; the length of the header in words.
 * The radio is 802.11 (RFC 5416, section 4).
 */
void walk_capwap(struct layer *l)
{
	const uint8_t *p = layer_peek(l, 8);
	uint32_t len = p ? 4u * (p[1] >> 3) : 0;

	if (!p || p[0] != 0 || len < 8 || !layer_peek(l, len))
		return;
	if (p[3] & CAPWAP_KEEP_ALIVE) {
		walk_nothing(l);
		return;
	}
	if (!(p[3] & CAPWAP_FRAGMENT))
		layer_skip(l, len);
	else if (!enter_capwap_fragment(l, p, len))
		return;
	if (p[2] & CAPWAP_NATIVE)
		walk_wlan_swapped(l);
	else if (fit_ethernet(l, 0))
		walk_ethernet(l);
}

/* Put together from fragments: what nobody knows is told here. */
void walk_capwap_whole(struct layer *l)
{
	enum { CAPWAP_DATA = 5247 };
	struct walk *w = l->walk;

	walk_capwap(l);
	if (!w->count && !w->edge && !w->nothing)
		walk_edge(l, EDGE_UDP, CAPWAP_DATA);
}

/* As Wireshark's packet-hp-erm.c has it: 12 bytes, and a mirrored frame. */
void walk_hp_erm(struct layer *l)
{
	enum { HEADER = 12 };

	if (!fit_ethernet(l, HEADER))
		return;
	layer_skip(l, HEADER);
	walk_ethernet(l);
}

/* RFC 9301, section 5.8: an encapsulated message is a packet of its own. */
void walk_lisp_control(struct layer *l)
{
	enum { ENCAPSULATED = 8, LAST_TYPE = 9 };
	const uint8_t *p = layer_peek(l, 4);

	if (!p || p[0] >> 4 > LAST_TYPE || p[0] >> 4 == 0)
		return;
	if (p[0] >> 4 != ENCAPSULATED) {
		walk_nothing(l);
		return;
	}
	if (!fit_ip(l, 4))
		return;
	layer_skip(l, 4);
	walk_either_ip(l);
}

/* Tags up to the last one: a type, and a length but for the empty ones. */
static bool pass_tzsp_tags(struct layer *l)
{
	enum { PADDING = 0, END = 1 };
	const uint8_t *p;

	while ((p = layer_peek(l, 1))) {
		if (p[0] == PADDING || p[0] == END) {
			layer_skip(l, 1);
			if (p[0] == END)
				return true;
			continue;
		}
		p = layer_peek(l, 2);
		if (!p || !layer_peek(l, 2u + p[1]))
			return false;
		layer_skip(l, 2u + p[1]);
	}
	return false;
}

/*
 * As Wireshark's packet-tzsp.c has it: version, type, what is encapsulated,
 * tags.  Types 0 and 1 carry a frame.
 */
void walk_tzsp(struct layer *l)
{
	static const struct {
		uint16_t number;
		void (*walk)(struct layer *l);
	} frames[] = {
		{ 1, walk_ethernet },  { 4, walk_ppp },
		{ 7, walk_either_ip }, { 18, walk_wlan },
		{ 119, walk_prism },   { 127, walk_avs },
	};
	enum { VERSION = 1, TYPES = 6 };
	const uint8_t *p = layer_peek(l, 4);

	if (!p || p[0] != VERSION || p[1] >= TYPES)
		return;
	if (p[1] > 1) {
		walk_nothing(l);
		return;
	}
	layer_skip(l, 4);
	if (!pass_tzsp_tags(l))
		return;
	for (size_t i = 0; i < sizeof(frames) / sizeof(*frames); i++)
		if (frames[i].number == be16(p + 2))
			frames[i].walk(l);
}

/*
 * What a base transport header may hold (InfiniBand specification 9.2): an
 * operation of a transport, version 0, reserved bits 0.
 */
static bool is_base_transport(const uint8_t *p)
{
	enum { CONGESTION = 0x81, TRANSPORTS = 6, OPERATIONS = 0x18 };

	if (p[1] & 0x0f || p[4] & 0x3f || p[8] & 0x7f)
		return false;
	return p[0] == CONGESTION ||
	       (p[0] >> 5 < TRANSPORTS && (p[0] & 31) < OPERATIONS);
}

/*
 * InfiniBand annex A17: version 2 of RoCE.  Its invariant CRC at the end covers
 * all from the IP header on, but what routers may change.
 */
void walk_roce(struct layer *l)
{
	enum { BASE_HEADER = 12, CRC = 4, UDP_HEADER = 8, IP_HEADER_MAX = 60 };
	const uint8_t *p = layer_peek(l, BASE_HEADER + CRC);
	const uint32_t ip_at = l->ip ? (uint32_t)(l->ip - l->packet->data) : 0;
	struct site *s;

	if (!p || !l->ip || l->fragment || !is_base_transport(p))
		return;
	/* behind extension headers there is none */
	if (l->at - UDP_HEADER - ip_at > IP_HEADER_MAX)
		return;
	s = walk_add(l, PROTO_ROCE);
	s->rule = RULE_INVARIANT_CRC;
	s->start = ip_at;
	s->all_len = l->at - UDP_HEADER - ip_at;
	s->pseudo_header.ipv6 = l->ip[0] >> 4 == 6;
	s->len = (uint32_t)(l->end - ip_at);
	s->field = (uint32_t)l->end - CRC;
	s->reason = layer_lack(l, (uint32_t)(l->end - l->at));
	s->has_field = !s->reason;
	s->crc = l->packet->crc;
	if (!s->reason && (!s->crc || !s->crc->crc32))
		s->reason = REASON_NO_CRC;
}

/*
 * RFC 3948: behind a marker of zeros it is IKE; a single byte keeps a mapping
 * alive.
 */
void walk_esp_in_udp(struct layer *l)
{
	const uint8_t *p = layer_peek(l, 4);

	if (l->end - l->at == 1 || (p && be32(p) == 0))
		walk_nothing(l);
	else if (l->packet->rules && l->packet->rules->esp_null)
		walk_esp(l, &(struct upper){ 0 });
}
