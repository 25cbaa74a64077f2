/* SPDX-License-Identifier: BSD-2-Clause */
/* walk_link.c - the walk from the first byte of a frame to its IP header. */
#include <stddef.h>

#include "layer.h"

enum ethertype {
	TYPE_IPV4 = 0x0800,
	TYPE_VLAN = 0x8100,
	TYPE_IPV6 = 0x86dd,
	TYPE_PROVIDER_VLAN = 0x88a8, /* 802.1ad, "QinQ" */
	TYPE_OLD_QINQ = 0x9100,	     /* before 802.1ad, and still seen */
	TYPE_OLD_QINQ_2 = 0x9200,
	TYPE_MIN = 0x0600, /* IEEE 802.3: below is a length */
	LENGTH_MAX = 1500,
};

enum { SAP_IP = 0x06, SAP_SNAP = 0xaa, LLC_UNNUMBERED = 0x03 };

/* The OUIs whose protocol numbers are ethertypes: RFC 1042, and 802.1H. */
enum { OUI_RFC1042 = 0x000000, OUI_BRIDGE = 0x0000f8 };

struct site *walk_add(const struct layer *l, enum protocol protocol)
{
	struct site *s = &l->walk->sites[l->walk->count++];

	*s = (struct site){
		.protocol = protocol,
		.start = l->at,
		.unfinished = l->packet->flags & PACKET_CHECKSUM_NOT_READY,
	};
	return s;
}

void walk_edge(const struct layer *l, enum edge edge, uint16_t number)
{
	l->walk->edge = edge;
	l->walk->edge_number = number;
}

/* The header of a link layer, taken off; NULL with a site that says why. */
static const uint8_t *take(struct layer *l, uint32_t n)
{
	const uint8_t *p = layer_peek(l, n);

	if (p)
		layer_skip(l, n);
	else
		walk_add(l, PROTO_LINK)->reason = layer_lack(l, n);
	return p;
}

/* Behind VLAN tags, if there are any; after the number itself. */
static void walk_ethertype(struct layer *l, uint16_t type)
{
	while (type == TYPE_VLAN || type == TYPE_PROVIDER_VLAN ||
	       type == TYPE_OLD_QINQ || type == TYPE_OLD_QINQ_2) {
		const uint8_t *tag = take(l, 4);

		if (!tag)
			return;
		type = be16(tag + 2);
	}
	if (type == TYPE_IPV4)
		walk_ipv4(l);
	else if (type == TYPE_IPV6)
		walk_ipv6(l);
	else
		walk_edge(l, EDGE_ETHERTYPE, type);
}

/* IEEE 802.2, and SNAP on top of it (RFC 1042). */
static void walk_llc(struct layer *l)
{
	const uint8_t *llc = take(l, 3), *snap;

	if (!llc)
		return;
	if (llc[0] == SAP_IP && llc[2] == LLC_UNNUMBERED) {
		walk_ipv4(l);
		return;
	}
	if (llc[0] != SAP_SNAP || llc[2] != LLC_UNNUMBERED) {
		walk_edge(l, EDGE_LLC, llc[0]);
		return;
	}
	snap = take(l, 5);
	if (!snap)
		return;
	switch (be32(snap) >> 8) {
	case OUI_RFC1042:
	case OUI_BRIDGE:
		walk_ethertype(l, be16(snap + 3));
		break;
	default:
		walk_edge(l, EDGE_LLC, llc[0]);
		break;
	}
}

static void walk_ethernet(struct layer *l)
{
	const uint8_t *p = take(l, 14);
	uint16_t type;

	if (!p)
		return;
	type = be16(p + 12);
	if (type > LENGTH_MAX) {
		walk_ethertype(l, type);
		return;
	}
	/* what follows the counted bytes is padding */
	if (l->end - l->at > type)
		l->end = l->limit = l->at + type;
	walk_llc(l);
}

/* Linux cooked captures: a protocol that is mostly an ethertype. */
static void walk_cooked(struct layer *l, uint16_t protocol)
{
	enum { COOKED_LLC = 4 };

	if (protocol == COOKED_LLC)
		walk_llc(l);
	else
		walk_ethertype(l, protocol);
}

static void walk_sll(struct layer *l)
{
	const uint8_t *p = take(l, 16);

	if (p)
		walk_cooked(l, be16(p + 14));
}

static void walk_sll2(struct layer *l)
{
	const uint8_t *p = take(l, 20);

	if (p)
		walk_cooked(l, be16(p));
}

/*
 * The address family of the machine that captured, in its byte order: no such
 * number is above 16 bits, so the half that is not 0 holds it.
 */
static void walk_loopback(struct layer *l)
{
	const uint8_t *p = take(l, 4);
	uint16_t family;

	if (!p)
		return;
	family = be16(p) ? le16(p) : be16(p + 2);
	switch (family) {
	case 2:
		walk_ipv4(l);
		break;
	case 10: /* Linux */
	case 23: /* Windows */
	case 24: /* NetBSD, OpenBSD */
	case 28: /* FreeBSD */
	case 30: /* macOS */
		walk_ipv6(l);
		break;
	default:
		walk_edge(l, EDGE_FAMILY, family);
		break;
	}
}

static void walk_raw(struct layer *l)
{
	const uint8_t *p = layer_peek(l, 1);

	if (!p)
		walk_add(l, PROTO_LINK)->reason = layer_lack(l, 1);
	else if (p[0] >> 4 == 6)
		walk_ipv6(l);
	else
		walk_ipv4(l);
}

/* Those without a function are known by name only. */
static const struct linktype {
	uint32_t number;
	const char *name;
	void (*walk)(struct layer *l);
} linktypes[] = {
	{ 1, "ETHERNET", walk_ethernet },
	{ 113, "LINUX_SLL", walk_sll },
	{ 276, "LINUX_SLL2", walk_sll2 },
	{ 101, "RAW", walk_raw },
	{ 12, "RAW", walk_raw }, /* what most systems use instead of 101 */
	{ 14, "RAW", walk_raw }, /* OpenBSD */
	{ 228, "IPV4", walk_ipv4 },
	{ 229, "IPV6", walk_ipv6 },
	{ 0, "NULL", walk_loopback },
	{ 108, "LOOP", walk_loopback },
	{ 3, "AX25", NULL },
	{ 6, "IEEE802_5", NULL },
	{ 7, "ARCNET_BSD", NULL },
	{ 8, "SLIP", NULL },
	{ 9, "PPP", NULL },
	{ 10, "FDDI", NULL },
	{ 50, "PPP_HDLC", NULL },
	{ 51, "PPP_ETHER", NULL },
	{ 100, "ATM_RFC1483", NULL },
	{ 104, "C_HDLC", NULL },
	{ 105, "IEEE802_11", NULL },
	{ 107, "FRELAY", NULL },
	{ 109, "ENC", NULL },
	{ 114, "LTALK", NULL },
	{ 117, "PFLOG", NULL },
	{ 119, "IEEE802_11_PRISM", NULL },
	{ 122, "IP_OVER_FC", NULL },
	{ 123, "SUNATM", NULL },
	{ 127, "IEEE802_11_RADIOTAP", NULL },
	{ 129, "ARCNET_LINUX", NULL },
	{ 143, "DOCSIS", NULL },
	{ 163, "IEEE802_11_AVS", NULL },
	{ 187, "BLUETOOTH_HCI_H4", NULL },
	{ 189, "USB_LINUX", NULL },
	{ 192, "PPI", NULL },
	{ 195, "IEEE802_15_4_WITHFCS", NULL },
	{ 201, "BLUETOOTH_HCI_H4_WITH_PHDR", NULL },
	{ 204, "PPP_WITH_DIR", NULL },
	{ 220, "USB_LINUX_MMAPPED", NULL },
	{ 226, "IPNET", NULL },
	{ 227, "CAN_SOCKETCAN", NULL },
	{ 230, "IEEE802_15_4_NOFCS", NULL },
	{ 239, "NFLOG", NULL },
	{ 242, "IPOIB", NULL },
	{ 248, "SCTP", NULL },
	{ 249, "USBPCAP", NULL },
	{ 253, "NETLINK", NULL },
	{ 258, "PKTAP", NULL },
};

static const struct linktype *find_linktype(uint32_t number)
{
	for (size_t i = 0; i < sizeof(linktypes) / sizeof(*linktypes); i++)
		if (linktypes[i].number == number)
			return &linktypes[i];
	return NULL;
}

const char *linktype_name(uint32_t linktype)
{
	const struct linktype *t = find_linktype(linktype);

	return t ? t->name : NULL;
}

void walk_packet(const struct packet *packet, struct walk *walk)
{
	const struct linktype *t = find_linktype(packet->linktype);
	struct layer l = {
		.packet = packet,
		.walk = walk,
		.end = packet->wirelen,
		.limit = packet->wirelen,
	};

	walk->count = 0;
	walk->edge = EDGE_NONE;
	if (t && t->walk)
		t->walk(&l);
	else
		walk_edge(&l, EDGE_LINKTYPE, (uint16_t)packet->linktype);
}
