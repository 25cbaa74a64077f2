/* SPDX-License-Identifier: BSD-2-Clause */
/* words.c - phrases for edges, and protocols by their names. */
#include "words.h"

#include <stdio.h>
#include <string.h>

void edge_text(enum edge edge, uint16_t number, char *buf, size_t size)
{
	static const char *const kinds[EDGE_COUNT] = {
		[EDGE_LINKTYPE] = "link type %u",
		[EDGE_ETHERTYPE] = "ethertype 0x%04x",
		[EDGE_LLC] = "LLC SAP 0x%02x",
		[EDGE_FAMILY] = "address family %u",
		[EDGE_PROTOCOL] = "IP protocol %u",
		[EDGE_PPP] = "PPP protocol 0x%04x",
		[EDGE_NLPID] = "NLPID 0x%02x",
		[EDGE_WLAN] = "802.11 frame control 0x%04x",
		[EDGE_DEPTH] = "more than %u headers inside of each other",
		[EDGE_SITES] = "more than %u checksums",
	};
	const char *name = edge == EDGE_LINKTYPE ? linktype_name(number) : NULL;
	int n = snprintf(buf, size, kinds[edge], number);

	if (name && n > 0 && (size_t)n < size)
		snprintf(buf + n, size - (size_t)n, " (%s)", name);
}

const char *parse_protocols(char *list, bool *set)
{
	char *rest = list;

	memset(set, 0, PROTO_COUNT * sizeof(*set));
	for (char *word; (word = strsep(&rest, ","));) {
		int p = 0;

		/* those without a checksum are no protocols here */
		while (p < PROTO_COUNT && (!protocol_width(p) ||
					   strcmp(protocol_name(p), word) != 0))
			p++;
		if (p == PROTO_COUNT)
			return word;
		set[p] = true;
	}
	return NULL;
}
