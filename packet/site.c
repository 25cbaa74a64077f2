/* SPDX-License-Identifier: BSD-2-Clause */
/* site.c - the words for what site.h counts. */
#include "site.h"

static const struct {
	const char *name;
	unsigned width;
} protocols[PROTO_COUNT] = {
	[PROTO_LINK] = { "link", 0 },
	[PROTO_IPV4] = { "ipv4", 2 },
	[PROTO_IPV6] = { "ipv6", 0 },
	[PROTO_PAYLOAD] = { "payload", 0 },
	[PROTO_TCP] = { "tcp", 2 },
	[PROTO_UDP] = { "udp", 2 },
	[PROTO_UDPLITE] = { "udplite", 2 },
	[PROTO_DCCP] = { "dccp", 2 },
	[PROTO_SCTP] = { "sctp", 4 },
	[PROTO_ICMP] = { "icmp", 2 },
	[PROTO_ICMPV6] = { "icmpv6", 2 },
	[PROTO_ICMP_EXT] = { "icmp-ext", 2 },
	[PROTO_IGMP] = { "igmp", 2 },
	[PROTO_DVMRP] = { "dvmrp", 2 },
	[PROTO_RGMP] = { "rgmp", 2 },
	[PROTO_GRE] = { "gre", 2 },
	[PROTO_OSPF] = { "ospf", 2 },
	[PROTO_OSPF_LLS] = { "ospf-lls", 2 },
	[PROTO_PIM] = { "pim", 2 },
	[PROTO_VRRP] = { "vrrp", 2 },
	[PROTO_EIGRP] = { "eigrp", 2 },
	[PROTO_RSVP] = { "rsvp", 2 },
	[PROTO_NHRP] = { "nhrp", 2 },
	[PROTO_PGM] = { "pgm", 2 },
	[PROTO_MOBILITY] = { "mobility", 2 },
	[PROTO_CDP] = { "cdp", 2 },
	[PROTO_OSPF_LSA] = { "ospf-lsa", 2 },
	[PROTO_ROCE] = { "rocev2", 4 },
	[PROTO_FCS] = { "fcs", 4 },
};

const char *protocol_name(enum protocol p)
{
	return protocols[p].name;
}

unsigned protocol_width(enum protocol p)
{
	return protocols[p].width;
}

const char *reason_text(enum reason r)
{
	static const char *const texts[REASON_COUNT] = {
		[REASON_NONE] = "none",
		[REASON_SNAPPED] = "cut short by the snap length",
		[REASON_BEYOND_WIRE] = "longer than what carries it",
		[REASON_FRAGMENT] = "fragment",
		[REASON_FRAGMENT_LOST] = "fragments missing",
		[REASON_OVERLAP] = "fragments overlap",
		[REASON_FRAGMENTS] = "more fragments than are kept",
		[REASON_QUOTE] = "quoted in part",
		[REASON_ENCRYPTED] = "encrypted",
		[REASON_COMPRESSED] = "compressed",
		[REASON_ROUTE] = "the route hides the final destination",
		[REASON_NO_CRC] = "no function for its CRC is given",
		[REASON_NO_ROOM] = "malformed: no room for its header",
		[REASON_VERSION] = "malformed: wrong IP version",
		[REASON_HEADER_LENGTH] = "malformed: impossible header length",
		[REASON_TOTAL_LENGTH] =
			"malformed: IP length below that of its header",
		[REASON_LENGTH_FIELD] = "malformed: impossible length field",
		[REASON_OPTIONS] = "malformed: impossible options",
		[REASON_AMBIGUOUS] = "can be read in two ways",
		[REASON_DAMAGED] = "damaged on its way: wrong frame check",
	};

	return texts[r];
}
