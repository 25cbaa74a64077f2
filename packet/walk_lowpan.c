/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk_lowpan.c - IPv6 over IEEE 802.15.4, as it is and compressed (RFC 4944,
 * RFC 6282).
 *
 * A checksum is that of the header as it was before it was compressed, so that
 * header is made up here: addresses from those of the frame, ports from a few
 * bits.  The field itself stands in line, right in front of what it covers.
 */
#include <string.h>

#include "layer.h"

/* The addresses of the frame, in the order of an interface identifier. */
struct link_address {
	uint8_t bytes[8];
	uint8_t len; /* 0, 2 or 8 BYTES */
};

struct lowpan {
	struct link_address src, dst;
	uint32_t at; /* of the header of the frame */
};

/* Address modes in the frame control, two bits each. */
enum { MODE_NONE = 0, MODE_SHORT = 2, MODE_EXTENDED = 3 };

static bool take_address(struct layer *l, unsigned mode, struct link_address *a)
{
	const uint8_t *p;

	a->len = mode == MODE_EXTENDED ? 8 : mode == MODE_SHORT ? 2 : 0;
	p = layer_take(l, a->len);
	if (!p)
		return false;
	for (unsigned i = 0; i < a->len; i++)
		a->bytes[i] = p[a->len - 1 - i];
	return true;
}

/*
 * Which network numbers are there (IEEE 802.15.4-2015, table 7-2); before that
 * version, the bit left out that of the source if there were both addresses.
 */
static bool has_dst_pan(unsigned version, unsigned dst, unsigned src, bool bit)
{
	if (version < 2)
		return dst;
	if (dst == MODE_EXTENDED && src == MODE_EXTENDED)
		return !bit;
	if (!dst)
		return !src && bit;
	return src || !bit;
}

static bool has_src_pan(unsigned version, unsigned dst, unsigned src, bool bit)
{
	if (!src || bit)
		return src && version < 2 && !dst;
	return version < 2 || !dst || dst != MODE_EXTENDED ||
	       src != MODE_EXTENDED;
}

/* IEEE 802.15.4, 7.2: up to the payload of a data frame. */
static bool take_frame_header(struct layer *l, struct lowpan *low)
{
	enum { TYPE = 7, TYPE_DATA = 1, SECURED = 1 << 3, COMPRESSED = 1 << 6 };
	enum { NO_NUMBER = 1 << 8, ELEMENTS = 1 << 9 };
	const uint8_t *p = layer_take(l, 2);
	unsigned control, version, dst, src;
	bool bit;

	if (!p)
		return false;
	control = le16(p);
	version = control >> 12 & 3;
	dst = control >> 10 & 3;
	src = control >> 14;
	bit = control & COMPRESSED;
	if ((control & TYPE) != TYPE_DATA || version == 3 || dst == 1 ||
	    src == 1 || (version == 2 && control & ELEMENTS)) {
		walk_edge(l, EDGE_LINKTYPE, (uint16_t)l->packet->linktype);
		return false;
	}
	if (!(version == 2 && control & NO_NUMBER) && !layer_take(l, 1))
		return false;
	if (has_dst_pan(version, dst, src, bit) && !layer_take(l, 2))
		return false;
	if (!take_address(l, dst, &low->dst))
		return false;
	if (has_src_pan(version, dst, src, bit) && !layer_take(l, 2))
		return false;
	if (!take_address(l, src, &low->src))
		return false;
	if (!(control & SECURED))
		return true;
	walk_add(l, PROTO_PAYLOAD)->reason = REASON_ENCRYPTED;
	return false;
}

/* RFC 6282, section 3.2.2: fe80::, and an identifier from the link address. */
static void make_local(uint8_t *to, const struct link_address *a)
{
	enum { UNIVERSAL = 0x02 };
	static const uint8_t from_short[] = { 0, 0, 0, 0xff, 0xfe, 0 };

	memset(to, 0, 16);
	to[0] = 0xfe;
	to[1] = 0x80;
	if (a->len == 8) {
		memcpy(to + 8, a->bytes, 8);
		to[8] ^= UNIVERSAL;
	} else {
		memcpy(to + 8, from_short, 6);
		memcpy(to + 14, a->bytes, 2);
	}
}

/* A unicast address of two bits of mode; what the context hides is 0. */
static bool take_unicast(struct layer *l, unsigned mode,
			 const struct link_address *link, uint8_t *to)
{
	static const uint8_t in_line[] = { 16, 8, 2, 0 };
	const uint32_t len = in_line[mode];
	const uint8_t *p = layer_take(l, len);
	struct link_address inlined = { .len = (uint8_t)len };

	if (!p)
		return false;
	if (len == 16) {
		memcpy(to, p, 16);
	} else if (len == 8) {
		make_local(to, link);
		memcpy(to + 8, p, 8);
	} else if (len == 2) {
		memcpy(inlined.bytes, p, 2);
		make_local(to, &inlined);
	} else {
		make_local(to, link);
	}
	return true;
}

/* RFC 6282, section 3.2.4 */
static bool take_multicast(struct layer *l, unsigned mode, uint8_t *to)
{
	static const uint8_t in_line[] = { 16, 6, 4, 1 };
	const uint32_t len = in_line[mode];
	const uint8_t *p = layer_take(l, len);

	if (!p)
		return false;
	memset(to, 0, 16);
	if (len == 16) {
		memcpy(to, p, 16);
	} else {
		to[0] = 0xff;
		to[1] = len == 1 ? 0x02 : p[0];
		memcpy(to + 16 - (len > 1 ? len - 1 : 1), len > 1 ? p + 1 : p,
		       len > 1 ? len - 1 : 1);
	}
	return true;
}

/* The addresses of RFC 6282, section 3.1.1, by the second byte. */
static bool take_addresses(struct layer *l, const struct lowpan *low,
			   uint8_t bits, struct upper *u, uint8_t *src,
			   uint8_t *dst)
{
	enum { SAC = 0x40, MULTICAST = 0x08, DAC = 0x04 };
	const unsigned sam = bits >> 4 & 3, dam = bits & 3;
	bool ok;

	memset(src, 0, 16);
	/* "no address" is no secret */
	if (bits & SAC && sam == 0)
		ok = true;
	else
		ok = take_unicast(l, sam, &low->src, src);
	if (!ok)
		return false;
	if ((bits & SAC && sam) || bits & DAC)
		u->reason = REASON_COMPRESSED;
	if (!(bits & MULTICAST))
		return take_unicast(l, dam, &low->dst, dst);
	/* with a context, six bytes in line, and no other form */
	return take_multicast(l, bits & DAC ? 1 : dam, dst);
}

/* The ports of RFC 6282, section 4.3.1. */
static bool take_ports(struct layer *l, unsigned mode, uint16_t *from,
		       uint16_t *to)
{
	static const uint8_t in_line[] = { 4, 3, 3, 1 };
	const uint8_t *p = layer_take(l, in_line[mode]);

	if (!p)
		return false;
	switch (mode) {
	case 0:
		*from = be16(p);
		*to = be16(p + 2);
		break;
	case 1:
		*from = be16(p);
		*to = 0xf000 | p[2];
		break;
	case 2:
		*from = 0xf000 | p[0];
		*to = be16(p + 1);
		break;
	default:
		*from = 0xf0b0 | p[0] >> 4;
		*to = 0xf0b0 | (p[0] & 15);
		break;
	}
	return true;
}

/*
 * @len BYTES of a header stand for @plain of them, which the length of a
 * datagram in fragments counts.
 */
static void hide(struct layer *l, uint32_t plain, uint32_t len)
{
	if (!l->fragment || l->walk->fragment.kind != FRAGMENT_LOWPAN)
		return;
	l->walk->fragment.hidden += (int32_t)plain - (int32_t)len;
	l->end = l->end + len > (uint64_t)l->at + plain ? l->end + len - plain
							: l->at;
	l->reach = l->end;
}

/* What the sum covers in addition to what is in the frame. */
static csum_wsum hidden_sum(const struct site *s, uint16_t from, uint16_t to)
{
	const uint32_t len = s->pseudo_header.len;
	csum_wsum sum = pseudo_sum(&s->pseudo_header);

	sum = csum_add(sum, csum_from16(csum_be16_from_host(from)));
	sum = csum_add(sum, csum_from16(csum_be16_from_host(to)));
	return csum_add(sum, csum_from16(csum_be16_from_host((uint16_t)len)));
}

static void walk_compressed_udp(struct layer *l, const struct upper *u,
				uint8_t bits)
{
	enum { ELIDED = 0x04, IP_UDP = 17, UDP_HEADER = 8, FIELD = 2 };
	const uint32_t start = l->at - 1;
	struct site *s;
	uint16_t from, to;

	if (!take_ports(l, bits & 3, &from, &to))
		return;
	hide(l, UDP_HEADER, l->at - start + (bits & ELIDED ? 0 : FIELD));
	s = walk_add(l, PROTO_UDP);
	s->field = l->at;
	s->rule = RULE_UDP_REQUIRED;
	if (bits & ELIDED) {
		s->rule = RULE_NONE;
	} else {
		s->has_field = !layer_lack(l, FIELD);
		s->len = (uint32_t)(l->end - l->at);
		s->reason = layer_lack(l, s->len < FIELD ? FIELD : s->len);
		if (u->reason)
			s->reason = u->reason;
		s->pseudo_header = (struct pseudo){ u->src, u->dst,
						    s->len - FIELD + UDP_HEADER,
						    IP_UDP, true };
		if (!s->reason)
			s->pseudo = hidden_sum(s, from, to);
		if (!layer_peek(l, FIELD))
			return;
		layer_skip(l, FIELD);
	}
	walk_port_payload(l, DECODE_UDP, from, to);
}

/* RFC 6282, section 4: a next header that is compressed, too. */
static void walk_next_header(struct layer *l, const struct upper *u)
{
	enum { UDP = 0xf0, UDP_MASK = 0xf8, HOP_BY_HOP = 0xe0, NEXT = 0x01 };
	const uint8_t *p = layer_take(l, 1), *next;
	uint8_t first;

	/* a header of options, up to the next one */
	while (p && (p[0] & ~NEXT) == HOP_BY_HOP) {
		bool compressed = p[0] & NEXT;
		const uint32_t start = l->at - 1;

		next = compressed ? p : layer_take(l, 1);
		p = next ? layer_peek(l, 1) : NULL;
		if (!p || !layer_take(l, 1u + p[0]))
			return;
		/* its padding to words of eight bytes may be left out */
		hide(l, (2u + p[0] + 7) & ~7u, l->at - start);
		if (!compressed) {
			walk_ipv6_payload(l, u, next[0]);
			return;
		}
		p = layer_take(l, 1);
	}
	if (!p)
		return;
	first = p[0];
	if ((first & UDP_MASK) == UDP)
		walk_compressed_udp(l, u, first);
	else
		walk_add(l, PROTO_PAYLOAD)->reason = REASON_COMPRESSED;
}

/* RFC 6282, section 3.1 */
static void walk_compressed(struct layer *l, const struct lowpan *low)
{
	enum { NEXT_COMPRESSED = 0x04, HOPS = 0x03, CONTEXT = 0x80 };
	enum { PLAIN_HEADER = 40 };
	static const uint8_t traffic[] = { 4, 3, 1, 0 };
	const uint32_t start = l->at;
	const uint8_t *p = layer_take(l, 2), *next = NULL;
	struct walk *w = l->walk;
	struct upper u = { .ipv6 = true };
	uint8_t first, second;

	if (!p || w->nbuilt + 2 > WALK_BUILT)
		return;
	first = p[0];
	second = p[1];
	if (second & CONTEXT && !layer_take(l, 1))
		return;
	if (!layer_take(l, traffic[first >> 3 & 3]))
		return;
	if (!(first & NEXT_COMPRESSED)) {
		next = layer_take(l, 1);
		if (!next)
			return;
	}
	if (!(first & HOPS) && !layer_take(l, 1))
		return;
	if (!take_addresses(l, low, second, &u, w->built[w->nbuilt],
			    w->built[w->nbuilt + 1]))
		return;
	u.src = u.header_src = w->built[w->nbuilt++];
	u.dst = u.header_dst = w->built[w->nbuilt++];
	hide(l, PLAIN_HEADER, l->at - start);
	l->ip = NULL; /* not as it was */
	if (next) {
		walk_ipv6_payload(l, &u, next[0]);
	} else {
		l->depth++;
		walk_next_header(l, &u);
	}
}

/* RFC 4944, section 5.2: the ends of the way through the mesh. */
static bool take_mesh(struct layer *l, struct lowpan *low)
{
	enum { FIRST_SHORT = 0x20, LAST_SHORT = 0x10, MANY_HOPS = 0x0f };
	const uint8_t *p = layer_take(l, 1);
	struct link_address *ends[] = { &low->src, &low->dst };
	uint8_t bits = p ? p[0] : 0;

	if (!p || ((bits & MANY_HOPS) == MANY_HOPS && !layer_take(l, 1)))
		return false;
	for (int i = 0; i < 2; i++) {
		bool is_short = bits & (i ? LAST_SHORT : FIRST_SHORT);

		ends[i]->len = is_short ? 2 : 8;
		p = layer_take(l, ends[i]->len);
		if (!p)
			return false;
		memcpy(ends[i]->bytes, p, ends[i]->len);
	}
	return true;
}

/* What the first byte says, but for fragments. */
static void walk_plain_dispatch(struct layer *l, struct lowpan *low)
{
	enum { IPV6 = 0x41 };
	const uint8_t *p = layer_peek(l, 1);

	if (!p)
		return;
	if (p[0] == IPV6) {
		hide(l, 0, 1);
		layer_skip(l, 1);
		walk_ipv6(l);
	} else if (p[0] >> 5 == 3) {
		walk_compressed(l, low);
	} else {
		walk_edge(l, EDGE_LOWPAN, p[0]);
	}
}

static const uint8_t *keep_address(struct walk *w, const struct link_address *a)
{
	uint8_t *to = w->built[w->nbuilt++];

	memset(to, 0, sizeof(w->built[0]));
	memcpy(to, a->bytes, a->len);
	return to;
}

/*
 * RFC 4944, section 5.3: the length of the datagram as it was, a number for it,
 * and in later ones the offset in words of eight bytes.
 */
static void walk_lowpan_fragment(struct layer *l, struct lowpan *low)
{
	enum { LATER = 0x20, LENGTH_BITS = 0x07ff, FIRST_LEN = 4 };
	const uint32_t head_len = l->at - low->at;
	const uint8_t *p = layer_peek(l, 1);
	const bool later = p && p[0] & LATER;
	struct walk *w = l->walk;
	struct fragment *f = &w->fragment;
	struct site *s;

	p = layer_take(l, FIRST_LEN + later);
	if (!p || w->nbuilt + 2 > WALK_BUILT)
		return;
	w->has_fragment = true;
	*f = (struct fragment){
		.kind = FRAGMENT_LOWPAN,
		.src = keep_address(w, &low->src),
		.dst = keep_address(w, &low->dst),
		.address_len = 16,
		.id = (uint32_t)be16(p) << 16 | be16(p + 2),
		.depth = l->depth,
		.offset = later ? 8u * p[FIRST_LEN] : 0,
		.at = l->at,
		.len = (uint32_t)((l->end < l->limit ? l->end : l->limit) -
				  l->at),
		.head = low->at,
		.head_len = head_len,
	};
	/* the kind is in the same bits as the length */
	f->id &= (uint32_t)LENGTH_BITS << 16 | 0xffff;
	if (later) {
		s = walk_add(l, PROTO_PAYLOAD);
		s->reason = REASON_FRAGMENT;
		walk_open(l, s);
	} else {
		layer_enter_fragment(l,
				     (uint64_t)l->at + (be16(p) & LENGTH_BITS));
		if (layer_enter(l))
			walk_plain_dispatch(l, low);
	}
	f->more = (int64_t)f->offset + f->len + f->hidden <
		  (be16(p) & LENGTH_BITS);
}

/* By the dispatch byte, RFC 4944, section 5.1. */
static void walk_dispatch(struct layer *l, struct lowpan *low)
{
	enum { BROADCAST = 0x50, FRAGMENT = 0xc0, FRAGMENT_BITS = 0xd8 };
	const uint8_t *p = layer_peek(l, 1);

	if (p && p[0] >> 6 == 2) {
		if (!take_mesh(l, low))
			return;
		p = layer_peek(l, 1);
	}
	if (p && p[0] == BROADCAST && layer_take(l, 2))
		p = layer_peek(l, 1);
	if (p && (p[0] & FRAGMENT_BITS) == FRAGMENT)
		walk_lowpan_fragment(l, low);
	else
		walk_plain_dispatch(l, low);
}

void walk_lowpan(struct layer *l)
{
	struct lowpan low = { .at = l->at };

	if (take_frame_header(l, &low) && l->at < l->end && layer_enter(l))
		walk_dispatch(l, &low);
}

void walk_lowpan_fcs(struct layer *l)
{
	walk_fcs(l, RULE_CRC16_OR_SIGNAL);
	walk_lowpan(l);
}

/*
 * Link type 283: version, its own length, and fields of a type, a length, and a
 * value in words, all little endian.  Field 0 tells of a check sequence.
 */
void walk_lowpan_tap(struct layer *l)
{
	enum { HEADER = 4, FIELD = 4, FIELD_FCS = 0, FCS_16 = 1 };
	const uint8_t *p = layer_peek(l, HEADER);
	uint32_t len = p ? le16(p + 2) : 0, at = HEADER;
	unsigned fcs = 0;

	p = layer_take(l, len < HEADER ? HEADER : len);
	if (!p)
		return;
	while (at + FIELD + 1 <= len) {
		if (le16(p + at) == FIELD_FCS && le16(p + at + 2) == 1)
			fcs = p[at + FIELD] & 3u;
		at += FIELD + ((le16(p + at + 2) + 3u) & ~3u);
	}
	if (fcs == FCS_16)
		walk_fcs(l, RULE_CRC16_WPAN);
	else
		walk_trailer(l, 2 * fcs);
	walk_lowpan(l);
}
