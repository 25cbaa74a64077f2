/* SPDX-License-Identifier: BSD-2-Clause */
/* words.c - phrases for edges; the words of options. */
#include "words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const kinds[EDGE_COUNT] = {
	[EDGE_LINKTYPE] = "of link type %u",
	[EDGE_ETHERTYPE] = "of ethertype 0x%04x",
	[EDGE_LLC] = "of LLC SAP 0x%02x",
	[EDGE_FAMILY] = "of address family %u",
	[EDGE_PROTOCOL] = "of IP protocol %u",
	[EDGE_PPP] = "of PPP protocol 0x%04x",
	[EDGE_NLPID] = "of NLPID 0x%02x",
	[EDGE_WLAN] = "of 802.11 frame control 0x%04x",
	[EDGE_UDP] = "of UDP port %u",
	[EDGE_TCP] = "of TCP port %u",
	[EDGE_LOWPAN] = "of 6LoWPAN dispatch 0x%02x",
	[EDGE_DEPTH] = "with more than %u layers in each other",
	[EDGE_SITES] = "with more than %u checksums",
};

void edge_text(enum edge edge, unsigned number, char *buf, size_t size)
{
	const char *name = edge == EDGE_LINKTYPE ? linktype_name(number) : NULL;
	int n = snprintf(buf, size, kinds[edge], number);

	if (name)
		snprintf(buf + n, size - (size_t)n, " (%s)", name);
}

bool edge_from_text(const char *text, enum edge *edge, unsigned *number)
{
	for (int e = 0; e < EDGE_COUNT; e++) {
		char again[80];

		if (!kinds[e] || sscanf(text, kinds[e], number) != 1 ||
		    *number >= EDGE_NUMBERS)
			continue;
		*edge = (enum edge)e;
		edge_text(*edge, *number, again, sizeof(again));
		if (strcmp(again, text) == 0)
			return true;
	}
	return false;
}

void print_edges(FILE *to, const struct tally *t)
{
	for (uint32_t i = 0; i < t->nseen; i++) {
		const uint64_t packets = t->edges[t->seen[i]];
		char text[80];

		edge_text(tally_edge_kind(t, i), tally_edge_number(t, i), text,
			  sizeof(text));
		fprintf(to, "  not looked into: %" PRIu64 " packet%s %s\n",
			packets, packets == 1 ? "" : "s", text);
	}
}

const char *protocol_word(int i)
{
	return i < PROTO_COUNT ? protocol_name(i) : NULL;
}

const char *verdict_word(int i)
{
	return i < VERDICT_COUNT ? verdict_name(i) : NULL;
}
