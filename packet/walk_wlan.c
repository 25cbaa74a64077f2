/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk_wlan.c - IEEE 802.11 data frames to LLC, and what capture drivers put in
 * front of them.  All is little endian, but for AVS.
 */
#include <stddef.h>

#include "layer.h"

/* Frame control, first byte and second byte. */
enum {
	WLAN_TYPE = 0x0c,
	WLAN_DATA = 0x08,
	WLAN_NO_DATA = 0x40, /* of a data frame */
	WLAN_QOS = 0x80,
	WLAN_BOTH_DS = 0x03, /* to and from the distribution system */
	WLAN_PROTECTED = 0x40,
	WLAN_ORDER = 0x80,
};

enum { QOS_AGGREGATE = 0x80 };

static void walk_wlan_padded(struct layer *l, bool padded)
{
	const uint8_t *p = layer_peek(l, 2);
	uint32_t len = 24;
	uint8_t control[2], qos = 0;

	if (!p) {
		layer_take(l, 2);
		return;
	}
	control[0] = p[0];
	control[1] = p[1];
	if ((control[0] & WLAN_TYPE) != WLAN_DATA ||
	    control[0] & WLAN_NO_DATA) {
		walk_edge(l, EDGE_WLAN, be16(p));
		return;
	}
	if ((control[1] & WLAN_BOTH_DS) == WLAN_BOTH_DS)
		len += 6; /* a fourth address */
	if (control[0] & WLAN_QOS)
		len += control[1] & WLAN_ORDER ? 6 : 2; /* and HT control */
	p = layer_take(l, len);
	if (!p)
		return;
	if (control[0] & WLAN_QOS)
		qos = p[control[1] & WLAN_ORDER ? len - 6 : len - 2];
	if (control[1] & WLAN_PROTECTED) {
		walk_add(l, PROTO_PAYLOAD)->reason = REASON_ENCRYPTED;
	} else if (qos & QOS_AGGREGATE) {
		walk_edge(l, EDGE_WLAN, be16(control));
	} else {
		/* a driver may have padded the header to whole words */
		if (padded && len % 4 && !layer_take(l, 4 - len % 4))
			return;
		walk_llc(l);
	}
}

void walk_wlan(struct layer *l)
{
	walk_wlan_padded(l, false);
}

/*
 * Version, padding, length, and words that tell which fields follow, as long as
 * their top bit is set.  Field 0 is a time of 8 bytes at a multiple of 8, field
 * 1 is the byte that matters.
 */
void walk_radiotap(struct layer *l)
{
	enum { HAS_TIME = 1, HAS_FLAGS = 2, FLAG_PADDED = 0x20 };
	const uint8_t *p = layer_peek(l, 8);
	uint32_t len = p ? le16(p + 2) : 8, at = 4, present = 0;
	bool padded;

	p = layer_take(l, len < 8 ? 8 : len);
	if (!p)
		return;
	present = le32(p + 4);
	do
		at += 4;
	while (at + 4 <= len && p[at - 1] & 0x80);
	if (present & HAS_TIME)
		at = ((at + 7) & ~7u) + 8;
	padded = present & HAS_FLAGS && at < len && p[at] & FLAG_PADDED;
	walk_wlan_padded(l, padded);
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
