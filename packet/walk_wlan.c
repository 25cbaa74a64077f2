/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk_wlan.c - IEEE 802.11 data frames to LLC, and what capture drivers put in
 * front of them.  All is little endian, but for AVS.
 */
#include <stddef.h>

#include "layer.h"

/* Frame control, first byte and second byte. */
enum {
	WLAN_VERSION = 0x03,
	WLAN_TYPE = 0x0c,
	WLAN_DATA = 0x08,
	WLAN_NO_DATA = 0x40, /* of a data frame */
	WLAN_QOS = 0x80,
	WLAN_BOTH_DS = 0x03, /* to and from the distribution system */
	WLAN_PROTECTED = 0x40,
	WLAN_ORDER = 0x80,
};

/* QoS control, first byte and second byte. */
enum { QOS_AGGREGATE = 0x80, QOS_MESH = 0x01 };

/* What the header says of what follows it. */
struct body {
	bool mesh, aggregate;
	uint32_t padding; /* to whole words, BYTES, if there is any */
};

/*
 * IEEE 802.11, 9.2.4.8.3: flags, a count, a sequence number, and up to two more
 * addresses, as the flags say.
 */
static uint32_t mesh_length(const struct layer *l, uint32_t skip)
{
	enum { MESH_CONTROL = 6, EXTENSION = 0x03 };
	const uint8_t *p = layer_peek(l, skip + 1);

	return p ? MESH_CONTROL + 6u * (p[skip] & EXTENSION) : MESH_CONTROL;
}

/*
 * Where LLC starts, from @skip on.  Where there is no mesh, the bit for it is
 * one of the length of a queue, so both are looked at.
 */
static uint32_t find_llc(const struct layer *l, const struct body *b,
			 uint32_t skip, bool *found)
{
	uint32_t mesh;

	*found = fit_llc(l, skip);
	if (*found || !b->mesh)
		return skip;
	mesh = skip + mesh_length(l, skip);
	*found = fit_llc(l, mesh);
	return *found ? mesh : skip;
}

/*
 * IEEE 802.11, 9.3.2.2.2: frames with two addresses and a length each, padded
 * to words but for the last one.
 */
static void walk_aggregate(struct layer *l, const struct body *b)
{
	enum { SUBFRAME = 14 };
	const uint8_t *p;

	while ((p = layer_peek(l, SUBFRAME))) {
		struct layer one = *l;
		uint32_t len = be16(p + 12);
		bool found;

		layer_skip(&one, SUBFRAME);
		one.end = (uint64_t)one.at + len;
		if (layer_enter(&one)) {
			layer_skip(&one, find_llc(&one, b, 0, &found));
			walk_llc(&one);
		}
		len = (SUBFRAME + len + 3) & ~3u;
		if (!layer_peek(l, len))
			return;
		layer_skip(l, len);
	}
}

/* The first of the frames in an aggregate seems to start here. */
static bool fit_aggregate(const struct layer *l, const struct body *b,
			  uint32_t skip)
{
	const uint8_t *p = layer_peek(l, skip + 14);
	bool found = false;

	if (p && be16(p + skip + 12) <= l->end - l->at - skip - 14)
		find_llc(l, b, skip + 14, &found);
	return found;
}

/*
 * A driver may have padded the header to whole words, and not said so: LLC that
 * is known is where it starts.
 */
static void walk_body(struct layer *l, const struct body *b,
		      const uint8_t *control, bool padded)
{
	uint32_t at[2] = { padded ? b->padding : 0, padded ? 0 : b->padding };
	bool found;

	for (int i = 0; i < 2; i++) {
		uint32_t skip = find_llc(l, b, at[i], &found);

		if (found) {
			layer_skip(l, skip);
			walk_llc(l);
			return;
		}
		if (b->aggregate && fit_aggregate(l, b, at[i])) {
			layer_skip(l, at[i]);
			walk_aggregate(l, b);
			return;
		}
	}
	if (b->aggregate)
		walk_edge(l, EDGE_WLAN, be16(control));
	else if (!at[0] || layer_take(l, at[0]))
		walk_llc(l);
}

/* BYTES of the header of a data frame. */
static uint32_t header_length(const uint8_t *control)
{
	uint32_t len = 24;

	if ((control[1] & WLAN_BOTH_DS) == WLAN_BOTH_DS)
		len += 6; /* a fourth address */
	if (control[0] & WLAN_QOS)
		len += control[1] & WLAN_ORDER ? 6 : 2; /* and HT control */
	return len;
}

static void walk_wlan_data(struct layer *l, const uint8_t *control, bool padded)
{
	enum { SEQUENCE = 22, FRAGMENT = 0x0f };
	uint32_t len = header_length(control);
	const uint8_t *p = layer_take(l, len), *qos = NULL;
	struct body b = { .padding = -len % 4 };

	if (!p)
		return;
	if (control[0] & WLAN_QOS)
		qos = p + len - (control[1] & WLAN_ORDER ? 6 : 2);
	if (qos) {
		b.aggregate = qos[0] & QOS_AGGREGATE;
		b.mesh = qos[1] & QOS_MESH;
	}
	if (control[1] & WLAN_PROTECTED)
		walk_add(l, PROTO_PAYLOAD)->reason = REASON_ENCRYPTED;
	else if (p[SEQUENCE] & FRAGMENT) /* it goes on with one */
		walk_edge(l, EDGE_WLAN, be16(control));
	else
		walk_body(l, &b, control, padded);
}

static bool is_data(const uint8_t *control)
{
	return !(control[0] & WLAN_VERSION) &&
	       (control[0] & WLAN_TYPE) == WLAN_DATA &&
	       !(control[0] & WLAN_NO_DATA);
}

static void walk_wlan_padded(struct layer *l, bool padded)
{
	const uint8_t *p = layer_peek(l, 2);
	uint8_t control[2];

	if (!p) {
		layer_take(l, 2);
		return;
	}
	control[0] = p[0];
	control[1] = p[1];
	if (is_data(control))
		walk_wlan_data(l, control, padded);
	else
		walk_edge(l, EDGE_WLAN, be16(control));
}

void walk_wlan(struct layer *l)
{
	walk_wlan_padded(l, false);
}

/*
 * In a tunnel of some access points the two bytes of frame control are swapped:
 * so if they say data only in that order.
 */
void walk_wlan_swapped(struct layer *l)
{
	const uint8_t *p = layer_peek(l, 2);
	const uint8_t swapped[2] = { p ? p[1] : 0, p ? p[0] : 0 };

	if (p && !is_data(p) && is_data(swapped))
		walk_wlan_data(l, swapped, false);
	else
		walk_wlan(l);
}

/*
 * Version, padding, length, and words that tell which fields follow, as long as
 * their top bit is set.  Field 0 is a time of 8 bytes at a multiple of 8, field
 * 1 is the byte that matters; 0 if there is none.
 */
static uint8_t radiotap_flags(const uint8_t *p, uint32_t len)
{
	enum { HAS_TIME = 1, HAS_FLAGS = 2 };
	const uint32_t present = le32(p + 4);
	uint32_t at = 4;

	do
		at += 4;
	while (at + 4 <= len && p[at - 1] & 0x80);
	if (present & HAS_TIME)
		at = ((at + 7) & ~7u) + 8;
	return present & HAS_FLAGS && at < len ? p[at] : 0;
}

void walk_radiotap(struct layer *l)
{
	enum { FLAG_FCS = 0x10, FLAG_PADDED = 0x20, FLAG_BAD_FCS = 0x40 };
	const uint8_t *p = layer_peek(l, 8);
	uint32_t len = p ? le16(p + 2) : 8;
	uint8_t flags;

	p = layer_take(l, len < 8 ? 8 : len);
	if (!p)
		return;
	flags = radiotap_flags(p, len);
	if (flags & FLAG_BAD_FCS)
		l->damaged = true;
	if (flags & FLAG_FCS)
		walk_fcs(l, RULE_CRC32);
	walk_wlan_padded(l, flags & FLAG_PADDED);
}

/* Its length is the second big endian word. */
void walk_avs(struct layer *l)
{
	const uint8_t *p = layer_peek(l, 8);
	uint32_t len = p ? be32(p + 4) : 8;

	if (layer_take(l, len < 8 ? 8 : len))
		walk_wlan(l);
}

/* 144 bytes; some drivers write AVS under the same link type. */
void walk_prism(struct layer *l)
{
	enum { AVS_MAGIC = 0x802110 };
	const uint8_t *p = layer_peek(l, 4);

	if (p && be32(p) >> 8 == AVS_MAGIC)
		walk_avs(l);
	else if (layer_take(l, 144))
		walk_wlan(l);
}
