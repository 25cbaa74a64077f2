/* SPDX-License-Identifier: BSD-2-Clause */
/* walk_link.c - the walk from the first byte of a frame to its IP header. */
#include <stddef.h>

#include "layer.h"

/* What only this file looks for. */
enum {
	TYPE_VLAN = 0x8100,
	TYPE_PROVIDER_VLAN = 0x88a8, /* 802.1ad, "QinQ" */
	TYPE_OLD_QINQ = 0x9100,	     /* before 802.1ad, and still seen */
	TYPE_OLD_QINQ_2 = 0x9200,
	TYPE_PBB = 0x88e7,	/* 802.1ah, provider backbone */
	TYPE_MACSEC = 0x88e5,	/* 802.1AE */
	TYPE_VNTAG = 0x8926,	/* Cisco, to virtual ports */
	TYPE_ETAG = 0x893f,	/* 802.1BR */
	TYPE_METADATA = 0x8909, /* Cisco, security group tag */
	TYPE_MPLS_UPSTREAM = 0x8848,
	TYPE_PPPOE = 0x8864,
	TYPE_NSH = 0x894f,
	TYPE_ARISTA = 0xd28b, /* a time stamp */
	LENGTH_MAX = 1500,    /* IEEE 802.3: up to here it is a length */
};

enum { SAP_IP = 0x06, SAP_SNAP = 0xaa, LLC_UNNUMBERED = 0x03 };

/* The OUIs whose protocol numbers are known: ethertypes, and others. */
enum {
	OUI_RFC1042 = 0x000000,
	OUI_BRIDGE = 0x0000f8, /* 802.1H */
	OUI_CISCO = 0x00000c,
	OUI_RFC2684 = 0x0080c2, /* frames of another kind, bridged */
};

/* BYTES of a tag that has the next ethertype at its end; 0 if it is none. */
static uint32_t tag_length(const struct layer *l, uint16_t type)
{
	enum { ARISTA_TIME_64 = 0x10 };
	const uint8_t *p;

	switch (type) {
	case TYPE_VLAN:
	case TYPE_PROVIDER_VLAN:
	case TYPE_OLD_QINQ:
	case TYPE_OLD_QINQ_2:
		return 4;
	case TYPE_VNTAG:
		return 6;
	case TYPE_ETAG:
	case TYPE_METADATA:
		return 8;
	case TYPE_ARISTA:
		p = layer_peek(l, 4);
		return p && p[3] & ARISTA_TIME_64 ? 14 : 12;
	default:
		return 0;
	}
}

/*
 * IEEE 802.1AE: what is only authenticated can be read.  The first byte tells:
 * 0x20 an identifier of 8 bytes follows, 0x08 encrypted, 0x04 changed.
 */
static void walk_macsec(struct layer *l)
{
	const uint8_t *tag = layer_take(l, 6);

	if (!tag)
		return;
	if (tag[0] & 0x0c) {
		walk_add(l, PROTO_PAYLOAD)->reason = REASON_ENCRYPTED;
		return;
	}
	if (tag[0] & 0x20 && !layer_take(l, 8))
		return;
	tag = layer_take(l, 2);
	if (tag)
		walk_ethertype(l, be16(tag));
}

/* What may stand inside of something, and in there again. */
static bool walk_carrier(struct layer *l, uint16_t type)
{
	switch (type) {
	case TYPE_PBB: /* a service tag, and a whole frame */
		if (layer_take(l, 4) && layer_enter(l))
			walk_ethernet(l);
		return true;
	case TYPE_ETHERNET:
		if (layer_enter(l))
			walk_ethernet(l);
		return true;
	case TYPE_MACSEC:
		if (layer_enter(l))
			walk_macsec(l);
		return true;
	case TYPE_MPLS:
	case TYPE_MPLS_UPSTREAM:
		if (layer_enter(l))
			walk_mpls(l);
		return true;
	case TYPE_PPPOE:
		if (layer_enter(l))
			walk_pppoe(l);
		return true;
	case TYPE_PPP:
		if (layer_enter(l))
			walk_ppp(l);
		return true;
	case TYPE_NSH:
		if (layer_enter(l))
			walk_nsh(l);
		return true;
	default:
		return false;
	}
}

/* Behind tags, if there are any; after the number itself. */
void walk_ethertype(struct layer *l, uint16_t type)
{
	uint32_t tag_len;

	while ((tag_len = tag_length(l, type))) {
		const uint8_t *tag = layer_take(l, tag_len);

		if (!tag)
			return;
		type = be16(tag + tag_len - 2);
	}
	if (type == TYPE_IPV4)
		walk_ipv4(l);
	else if (type == TYPE_IPV6)
		walk_ipv6(l);
	else if (type == TYPE_CISCO_CDP)
		walk_cdp(l);
	else if (!walk_carrier(l, type))
		walk_edge(l, EDGE_ETHERTYPE, type);
}

void walk_snap(struct layer *l)
{
	enum { BRIDGED_ETHERNET_FCS = 1, BRIDGED_ETHERNET = 7 };
	const uint8_t *snap = layer_take(l, 5);
	uint16_t number;

	if (!snap)
		return;
	number = be16(snap + 3);
	switch (be32(snap) >> 8) {
	case OUI_RFC1042:
	case OUI_BRIDGE:
		walk_ethertype(l, number);
		return;
	case OUI_CISCO:
		if (number == TYPE_CISCO_CDP) {
			walk_cdp(l);
			return;
		}
		break;
	case OUI_RFC2684:
		if (number == BRIDGED_ETHERNET_FCS ||
		    number == BRIDGED_ETHERNET) {
			/* section 5.2 pads with zeros, RFC 2427 does not */
			snap = layer_peek(l, 2);
			if (snap && be16(snap) == 0)
				layer_skip(l, 2);
			if (layer_enter(l))
				walk_ethernet(l);
			return;
		}
		break;
	default:
		break;
	}
	walk_edge(l, EDGE_LLC, SAP_SNAP);
}

/* IEEE 802.2, and SNAP on top of it (RFC 1042). */
void walk_llc(struct layer *l)
{
	const uint8_t *llc = layer_take(l, 3);

	if (!llc)
		return;
	if (llc[0] == SAP_IP && llc[2] == LLC_UNNUMBERED)
		walk_ipv4(l);
	else if (llc[0] == SAP_SNAP && llc[2] == LLC_UNNUMBERED)
		walk_snap(l);
	else
		walk_edge(l, EDGE_LLC, llc[0]);
}

void walk_ethernet(struct layer *l)
{
	const uint8_t *p = layer_take(l, 14);
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
	const uint8_t *p = layer_take(l, 16);

	if (p)
		walk_cooked(l, be16(p + 14));
}

static void walk_sll2(struct layer *l)
{
	const uint8_t *p = layer_take(l, 20);

	if (p)
		walk_cooked(l, be16(p));
}

static void walk_family(struct layer *l, uint16_t family)
{
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

/*
 * The address family of the machine that captured, in its byte order: no such
 * number is above 16 bits, so the half that is not 0 holds it.
 */
static uint16_t family_of(const uint8_t *p)
{
	return be16(p) ? le16(p) : be16(p + 2);
}

static void walk_loopback(struct layer *l)
{
	const uint8_t *p = layer_take(l, 4);

	if (p)
		walk_family(l, family_of(p));
}

/* BSD IPsec interface: the family, an index and flags. */
static void walk_enc(struct layer *l)
{
	const uint8_t *p = layer_take(l, 12);

	if (p)
		walk_family(l, family_of(p));
}

/* OpenBSD packet filter: its own length, without padding, and the family. */
static void walk_pflog(struct layer *l)
{
	const uint8_t *p = layer_peek(l, 2);
	uint16_t family = p ? p[1] : 0;

	if (layer_take(l, p ? (p[0] + 3u) & ~3u : 2))
		walk_family(l, family);
}

void walk_either_ip(struct layer *l)
{
	const uint8_t *p = layer_peek(l, 1);

	if (!p)
		walk_add(l, PROTO_LINK)->reason = layer_lack(l, 1);
	else if (p[0] >> 4 == 6)
		walk_ipv6(l);
	else
		walk_ipv4(l);
}

/* RFC 4391, behind the address that the interface put there. */
static void walk_infiniband(struct layer *l)
{
	const uint8_t *p = layer_take(l, 44);

	if (p)
		walk_ethertype(l, be16(p + 40));
}

/* RFC 2625, section 3: the network header, then LLC. */
static void walk_fibre_channel(struct layer *l)
{
	if (layer_take(l, 16))
		walk_llc(l);
}

/* RFC 2684, section 5: LLC is the only kind that says what it carries. */
static void walk_sun_atm(struct layer *l)
{
	const uint8_t *p = layer_take(l, 4);

	if (p && (p[0] & 15) == 2)
		walk_llc(l);
	else if (p)
		walk_edge(l, EDGE_LINKTYPE, 123);
}

/* FDDI and Token Ring: a header, on a ring a route of its own, then LLC. */
static void walk_fddi(struct layer *l)
{
	if (layer_take(l, 13))
		walk_llc(l);
}

static void walk_token_ring(struct layer *l)
{
	const uint8_t *p = layer_take(l, 14);

	if (!p)
		return;
	if (p[8] & 0x80) {
		const uint8_t *route = layer_peek(l, 2);

		if (!layer_take(l, route ? route[0] & 31u : 2))
			return;
	}
	walk_llc(l);
}

/* ARCNET, RFC 1201: the second BSD number for IP, and the flags it brings. */
static void walk_arcnet(struct layer *l, uint32_t type_at)
{
	enum { ARCNET_IP = 212, ARCNET_IP_OLD = 240 };
	const uint8_t *p = layer_take(l, type_at + 1);

	if (!p)
		return;
	if (p[type_at] != ARCNET_IP && p[type_at] != ARCNET_IP_OLD)
		walk_edge(l, EDGE_LINKTYPE, (uint16_t)l->packet->linktype);
	else if (p[type_at] == ARCNET_IP_OLD || layer_take(l, 3))
		walk_ipv4(l); /* RFC 1051 has nothing in between */
}

static void walk_arcnet_bsd(struct layer *l)
{
	walk_arcnet(l, 2);
}

static void walk_arcnet_linux(struct layer *l)
{
	walk_arcnet(l, 4);
}

/*
 * Direction, kind, and what a compressed header was made of; the packet behind
 * is not compressed any more.
 */
static void walk_slip(struct layer *l)
{
	if (layer_take(l, 16))
		walk_either_ip(l);
}

/* Solaris: version, family, and 22 more bytes. */
static void walk_ipnet(struct layer *l)
{
	enum { IPNET_IPV4 = 2, IPNET_IPV6 = 26 };
	const uint8_t *p = layer_take(l, 24);

	if (!p)
		return;
	if (p[1] == IPNET_IPV4)
		walk_ipv4(l);
	else if (p[1] == IPNET_IPV6)
		walk_ipv6(l);
	else
		walk_edge(l, EDGE_FAMILY, p[1]);
}

/*
 * Linux netfilter log: a family, then attributes of length and type, both in
 * the byte order of the machine, which is taken to be little endian.
 */
static void walk_nflog(struct layer *l)
{
	enum { ATTRIBUTE = 4, ATTRIBUTE_PAYLOAD = 9, FAMILY_IPV6 = 10 };
	const uint8_t *p = layer_take(l, 4);
	uint16_t family = p ? p[0] : 0;

	while (p && (p = layer_peek(l, ATTRIBUTE))) {
		uint32_t len = le16(p);

		if (len < ATTRIBUTE)
			return;
		if (le16(p + 2) == ATTRIBUTE_PAYLOAD) {
			layer_skip(l, ATTRIBUTE);
			l->end = l->at + len - ATTRIBUTE;
			walk_family(l, family);
			return;
		}
		p = layer_take(l, (len + 3) & ~3u);
	}
}

/* PPI: a length, and the link type of what follows; both little endian. */
static void walk_ppi(struct layer *l)
{
	const uint8_t *p = layer_peek(l, 8);
	uint32_t linktype = p ? le32(p + 4) : 0;

	if (layer_take(l, p && le16(p + 2) >= 8 ? le16(p + 2) : 8) &&
	    layer_enter(l))
		walk_linktype(l, linktype);
}

/* Apple: the same, longer. */
static void walk_pktap(struct layer *l)
{
	const uint8_t *p = layer_peek(l, 12);
	uint32_t linktype = p ? le32(p + 8) : 0;

	if (layer_take(l, p && le32(p) >= 12 ? le32(p) : 12) && layer_enter(l))
		walk_linktype(l, linktype);
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
	{ 101, "RAW", walk_either_ip },
	{ 12, "RAW",
	  walk_either_ip }, /* what most systems use instead of 101 */
	{ 14, "RAW", walk_either_ip }, /* OpenBSD */
	{ 228, "IPV4", walk_ipv4 },
	{ 229, "IPV6", walk_ipv6 },
	{ 0, "NULL", walk_loopback },
	{ 108, "LOOP", walk_loopback },
	{ 3, "AX25", NULL },
	{ 6, "IEEE802_5", walk_token_ring },
	{ 7, "ARCNET_BSD", walk_arcnet_bsd },
	{ 8, "SLIP", walk_slip },
	{ 9, "PPP", walk_ppp },
	{ 10, "FDDI", walk_fddi },
	{ 50, "PPP_HDLC", walk_ppp },
	{ 51, "PPP_ETHER", walk_pppoe },
	{ 100, "ATM_RFC1483", walk_llc },
	{ 104, "C_HDLC", walk_cisco_hdlc },
	{ 105, "IEEE802_11", walk_wlan },
	{ 107, "FRELAY", walk_frame_relay },
	{ 109, "ENC", walk_enc },
	{ 114, "LTALK", NULL },
	{ 117, "PFLOG", walk_pflog },
	{ 119, "IEEE802_11_PRISM", walk_prism },
	{ 122, "IP_OVER_FC", walk_fibre_channel },
	{ 123, "SUNATM", walk_sun_atm },
	{ 127, "IEEE802_11_RADIOTAP", walk_radiotap },
	{ 129, "ARCNET_LINUX", walk_arcnet_linux },
	{ 143, "DOCSIS", NULL },
	{ 163, "IEEE802_11_AVS", walk_avs },
	{ 187, "BLUETOOTH_HCI_H4", NULL },
	{ 189, "USB_LINUX", NULL },
	{ 192, "PPI", walk_ppi },
	{ 195, "IEEE802_15_4_WITHFCS", NULL },
	{ 201, "BLUETOOTH_HCI_H4_WITH_PHDR", NULL },
	{ 204, "PPP_WITH_DIR", walk_ppp_with_direction },
	{ 220, "USB_LINUX_MMAPPED", NULL },
	{ 226, "IPNET", walk_ipnet },
	{ 227, "CAN_SOCKETCAN", NULL },
	{ 230, "IEEE802_15_4_NOFCS", NULL },
	{ 239, "NFLOG", walk_nflog },
	{ 242, "IPOIB", walk_infiniband },
	{ 248, "SCTP", NULL },
	{ 249, "USBPCAP", NULL },
	{ 253, "NETLINK", NULL },
	{ 258, "PKTAP", walk_pktap },
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

void walk_linktype(struct layer *l, uint32_t linktype)
{
	const struct linktype *t = find_linktype(linktype);

	if (t && t->walk)
		t->walk(l);
	else
		walk_edge(l, EDGE_LINKTYPE, (uint16_t)linktype);
}
