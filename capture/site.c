/* SPDX-License-Identifier: BSD-2-Clause */
/* site.c - the words for what site.h counts. */
#include "site.h"

const char *protocol_name(enum protocol p)
{
	static const char *const names[PROTO_COUNT] = {
		[PROTO_LINK] = "link", [PROTO_IPV4] = "ipv4",
		[PROTO_IPV6] = "ipv6", [PROTO_PAYLOAD] = "payload",
		[PROTO_TCP] = "tcp",   [PROTO_UDP] = "udp",
		[PROTO_ICMP] = "icmp", [PROTO_ICMPV6] = "icmpv6",
	};

	return names[p];
}

const char *reason_text(enum reason r)
{
	static const char *const texts[REASON_COUNT] = {
		[REASON_NONE] = "none",
		[REASON_SNAPPED] = "cut short by the snap length",
		[REASON_BEYOND_WIRE] = "longer than the frame on the wire",
		[REASON_FRAGMENT] = "fragment",
		[REASON_ENCRYPTED] = "encrypted",
		[REASON_ROUTE] = "the route hides the final destination",
		[REASON_NO_ROOM] = "malformed: no room for its header",
		[REASON_VERSION] = "malformed: wrong IP version",
		[REASON_HEADER_LENGTH] = "malformed: impossible header length",
		[REASON_TOTAL_LENGTH] =
			"malformed: IP length below that of its header",
		[REASON_LENGTH_FIELD] = "malformed: impossible length field",
	};

	return texts[r];
}
