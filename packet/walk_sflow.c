/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk_sflow.c - the samples in an sFlow datagram (sflow.org, version 5): the
 * start of a packet that has passed a switch, which is a quote like that in an
 * ICMP error.  All numbers have 32 bits; samples and records say how long they
 * are, so what is unknown is passed over.
 */
#include <stddef.h>

#include "layer.h"

enum { SFLOW_VERSION = 5, LENGTH_AND_TYPE = 8 };

/* The start of a packet: its protocol, its length, what was stripped, BYTES. */
static void walk_header_record(struct layer *l)
{
	enum { RECORD_ETHERNET = 1, RECORD_IPV4 = 11, RECORD_IPV6 = 12 };
	const uint8_t *p = layer_peek(l, 16);

	if (!p)
		return;
	layer_skip(l, 16);
	if ((uint64_t)l->at + be32(p + 12) < l->end)
		l->end = (uint64_t)l->at + be32(p + 12);
	l->class = SITE_QUOTED;
	if (!layer_enter(l))
		return;
	switch (be32(p)) {
	case RECORD_ETHERNET:
		walk_ethernet(l);
		break;
	case RECORD_IPV4:
		walk_ipv4(l);
		break;
	case RECORD_IPV6:
		walk_ipv6(l);
		break;
	default:
		break;
	}
}

/*
 * @count items of a type and a length, each walked as a layer of its own that
 * @walk may leave anywhere.
 */
static void each_item(struct layer *l, uint32_t count,
		      void (*walk)(struct layer *item, uint32_t type))
{
	while (count--) {
		const uint8_t *p = layer_peek(l, LENGTH_AND_TYPE);
		struct layer item = *l;
		uint32_t len = p ? be32(p + 4) : 0;

		if (!p || len > l->end - l->at - LENGTH_AND_TYPE)
			return;
		item.at += LENGTH_AND_TYPE;
		item.end = (uint64_t)item.at + len;
		walk(&item, be32(p));
		if (len > layer_captured(l) - LENGTH_AND_TYPE)
			return;
		layer_skip(l, LENGTH_AND_TYPE + len);
	}
}

static void walk_record(struct layer *l, uint32_t type)
{
	enum { RAW_HEADER = 1 };

	if (type == RAW_HEADER)
		walk_header_record(l);
}

/* Of flows; those of counters have no packets. */
static void walk_sample(struct layer *l, uint32_t type)
{
	enum { FLOW = 1, FLOW_EXPANDED = 3 };
	const uint32_t len = type == FLOW ? 32 : 44;
	const uint8_t *p = layer_peek(l, len);

	if (!p || (type != FLOW && type != FLOW_EXPANDED))
		return;
	layer_skip(l, len);
	each_item(l, be32(p + len - 4), walk_record);
}

void walk_sflow(struct layer *l)
{
	enum { AGENT_IPV4 = 1, AGENT_IPV6 = 2 };
	const uint8_t *p = layer_peek(l, 8);
	uint32_t len;

	if (!p || be32(p) != SFLOW_VERSION ||
	    (be32(p + 4) != AGENT_IPV4 && be32(p + 4) != AGENT_IPV6))
		return;
	/* the agent, its part, a number, the time, how many samples */
	len = 8 + (be32(p + 4) == AGENT_IPV4 ? 4 : 16) + 16;
	p = layer_peek(l, len);
	if (!p)
		return;
	layer_skip(l, len);
	each_item(l, be32(p + len - 4), walk_sample);
}
