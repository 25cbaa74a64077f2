/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk_device.c - what switches, capture cards and drivers put around a frame:
 * check sequences, tags in link types of their own, headers of records.
 */
#include "layer.h"

void walk_trailer(struct layer *l, uint32_t len)
{
	const uint64_t end = l->end < l->limit ? l->end : l->limit;

	if (end - l->at >= len)
		l->end = l->limit = end - len;
}

/* The first site of the frame, as what it covers may change. */
void walk_fcs(struct layer *l, enum site_rule rule)
{
	const uint64_t end = l->end < l->limit ? l->end : l->limit;
	const uint32_t len = rule_is_crc16(rule) ? 2 : 4;
	struct site *s;

	if (end - l->at < len)
		return;
	walk_trailer(l, len);
	s = walk_add(l, PROTO_FCS);
	s->rule = rule;
	s->len = (uint32_t)(end - l->at);
	s->field = (uint32_t)l->end;
	s->has_field = end <= l->packet->caplen;
	s->crc = l->packet->crc;
	if (!s->has_field)
		s->reason = REASON_SNAPPED;
	else if (rule == RULE_CRC32 && (!s->crc || !s->crc->crc32))
		s->reason = REASON_NO_CRC;
}

/* A tag of @len BYTES between the addresses and the ethertype. */
static void walk_behind_addresses(struct layer *l, uint32_t len)
{
	const uint8_t *p = layer_take(l, 12 + len + 2);

	if (p)
		walk_type_or_length(l, be16(p + 12 + len));
}

/* Link types 281 and 284: of Broadcom, of Marvell. */
void walk_dsa(struct layer *l)
{
	walk_behind_addresses(l, 4);
}

/* 285: the same, with an ethertype of its own in front. */
void walk_dsa_ethertype(struct layer *l)
{
	walk_behind_addresses(l, 8);
}

/* 282: in front of the addresses. */
void walk_broadcom_prepended(struct layer *l)
{
	if (layer_take(l, 4))
		walk_ethernet(l);
}

/*
 * Link types 178 to 181, as tcpdump's print-juniper.c reads them: a magic
 * number, flags, extensions of a length if they say so, and a frame; or,
 * without that, four bytes and IP.
 */
static void walk_juniper(struct layer *l, void (*walk)(struct layer *))
{
	enum { MAGIC = 0x4d4743, NO_FRAME = 0x02, EXTENDED = 0x80 };
	const uint8_t *p = layer_peek(l, 4);
	uint32_t len = 4;

	if (p && be32(p) >> 8 != MAGIC) {
		walk_edge(l, EDGE_LINKTYPE, (uint16_t)l->packet->linktype);
		return;
	}
	if (p && p[3] & EXTENDED) {
		const uint8_t *extension = layer_peek(l, 6);

		len = 6 + (extension ? be16(extension + 4) : 0u);
	}
	p = layer_take(l, len);
	if (!p)
		return;
	if (!(p[3] & NO_FRAME))
		walk(l);
	else if (layer_take(l, 4))
		walk_either_ip(l);
}

void walk_juniper_ether(struct layer *l)
{
	walk_juniper(l, walk_ethernet);
}

void walk_juniper_ppp(struct layer *l)
{
	walk_juniper(l, walk_ppp);
}

void walk_juniper_frame_relay(struct layer *l)
{
	walk_juniper(l, walk_frame_relay);
}

void walk_juniper_hdlc(struct layer *l)
{
	walk_juniper(l, walk_cisco_hdlc);
}

/* The delimiters of the first piece of a frame that can be interrupted. */
static bool starts_frame(uint8_t delimiter)
{
	return delimiter == 0xe6 || delimiter == 0x4c || delimiter == 0x7f ||
	       delimiter == 0xb3;
}

/* A frame that was not interrupted has all of its packet. */
static bool is_whole(const struct layer *l)
{
	enum { FCS = 4 };
	struct layer frame = *l;

	if (l->end - l->at < FCS)
		return false;
	frame.end -= FCS;
	return fit_ethernet(&frame, 0) >= FIT_LENGTH;
}

/*
 * Link type 274: a preamble with the delimiter of an express frame or of a
 * piece of another one (IEEE 802.3, 99.3.3), the frame, its check sequence.
 * Later pieces begin in the middle of a frame.
 */
void walk_mpacket(struct layer *l)
{
	enum { PREAMBLE = 8, EXPRESS = 0xd5 };
	const uint8_t *p = layer_take(l, PREAMBLE);

	if (!p)
		return;
	if (p[PREAMBLE - 1] != EXPRESS &&
	    (!starts_frame(p[PREAMBLE - 1]) || !is_whole(l))) {
		walk_edge(l, EDGE_LINKTYPE, 274);
		return;
	}
	walk_fcs(l, RULE_CRC32);
	walk_ethernet(l);
}

/* Of an extensible record format, the records that carry what is known. */
static void walk_erf_record(struct layer *l, uint8_t type)
{
	enum erf_type {
		ERF_HDLC = 1,
		ERF_ETHERNET = 2,
		ERF_HDLC_COLOR = 10,
		ERF_ETHERNET_COLOR = 11,
		ERF_HDLC_DSM = 15,
		ERF_ETHERNET_DSM = 16,
		ERF_HDLC_HASH = 19,
		ERF_ETHERNET_HASH = 20,
		ERF_IPV4 = 22,
		ERF_IPV6 = 23,
		ERF_PADDING = 48,
	};

	switch (type) {
	case ERF_HDLC:
	case ERF_HDLC_COLOR:
	case ERF_HDLC_DSM:
	case ERF_HDLC_HASH:
		walk_ppp_line(l);
		break;
	case ERF_ETHERNET:
	case ERF_ETHERNET_COLOR:
	case ERF_ETHERNET_DSM:
	case ERF_ETHERNET_HASH: /* an offset and padding in front */
		if (layer_take(l, 2))
			walk_ethernet(l);
		break;
	case ERF_IPV4:
		walk_ipv4(l);
		break;
	case ERF_IPV6:
		walk_ipv6(l);
		break;
	case ERF_PADDING:
		walk_nothing(l);
		break;
	default:
		walk_edge(l, EDGE_LINKTYPE, 197);
		break;
	}
}

/*
 * Endace, link type 197: time, type, flags, the length of the record, losses,
 * the length on the wire.  The top bit of the type says that 8 bytes more
 * follow, and so does that of the first of these.
 */
void walk_erf(struct layer *l)
{
	enum { HEADER = 16, TYPE = 8, MORE = 0x80 };
	const uint8_t *p = layer_take(l, HEADER);
	uint8_t type = p ? p[TYPE] : 0;
	bool more = type & MORE;

	while (p && more) {
		p = layer_take(l, 8);
		more = p && p[0] & MORE;
	}
	if (p)
		walk_erf_record(l, type & (MORE - 1));
}
