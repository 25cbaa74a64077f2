/* SPDX-License-Identifier: BSD-2-Clause */
/* walk_link.c - the walk from the first byte of a frame to its IP header. */
#include <stddef.h>

#include "decode.h"
#include "layer.h"

enum { LENGTH_MAX = 1500 }; /* IEEE 802.3: up to here it is a length */

enum { SAP_IP = 0x06, SAP_SNAP = 0xaa, LLC_UNNUMBERED = 0x03 };

/* The OUIs whose protocol numbers are known: ethertypes, and others. */
enum {
	OUI_RFC1042 = 0x000000,
	OUI_BRIDGE = 0x0000f8, /* 802.1H */
	OUI_CISCO = 0x00000c,
	OUI_RFC2684 = 0x0080c2, /* frames of another kind, bridged */
};

/*
 * IEEE 802.1AE: what is only authenticated can be read.  The first byte tells:
 * 0x20 an identifier of 8 bytes follows, 0x08 encrypted, 0x04 changed.
 */
void walk_macsec(struct layer *l)
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

/* 802.1ah: a service tag, and a whole frame. */
void walk_pbb(struct layer *l)
{
	if (layer_take(l, 4))
		walk_ethernet(l);
}

/* Cisco FabricPath: a tree and a number of hops, and a whole frame. */
void walk_fabricpath(struct layer *l)
{
	enum { TYPE_FABRICPATH = 0x8903 };

	if (!layer_take(l, 2))
		return;
	if (fit_ethernet(l, 0))
		walk_ethernet(l);
	else
		walk_edge(l, EDGE_ETHERTYPE, TYPE_FABRICPATH);
}

/*
 * IEEE 802.3: LLC of @len BYTES, and what follows is padding.  No length here
 * reaches beyond what carries it.
 */
static void walk_length(struct layer *l, uint32_t len)
{
	if (l->end - l->at > len)
		l->end = l->at + len;
	if (l->limit > l->end)
		l->limit = l->end;
	if (l->reach > l->end)
		l->reach = l->end;
	walk_llc(l);
}

/* @tci: tag control information (IEEE 802.1Q, 9.6).  Tunnels are not meant. */
static void take_vlan(struct layer *l, uint16_t tci)
{
	struct vlans *v = &l->walk->vlans;

	if (!l->nested && v->count < WALK_VLANS)
		v->ids[v->count++] = tci & 0xfff;
}

/* After the number itself, which is not one of IPv4 or IPv6 in most cases. */
static void walk_other_ethertype(struct layer *l, uint16_t type)
{
	const struct decoder *d = find_decoder(l, DECODE_ETHERTYPE, type);
	uint32_t tag_len;
	const uint8_t *tag;

	while (d && !d->walk && (tag_len = d->tag(l))) {
		tag = layer_take(l, tag_len);
		if (!tag)
			return;
		if (d->vlan)
			take_vlan(l, be16(tag));
		type = be16(tag + tag_len - 2);
		/* IEEE 802.1Q: behind a tag, too, it may be a length */
		if (type <= LENGTH_MAX) {
			walk_length(l, type);
			return;
		}
		d = find_decoder(l, DECODE_ETHERTYPE, type);
	}
	if (!d || !d->walk)
		walk_edge(l, EDGE_ETHERTYPE, type);
	else if (!d->enter || layer_enter(l))
		d->walk(l);
}

void walk_ethertype(struct layer *l, uint16_t type)
{
	if (l->packet->rules)
		walk_other_ethertype(l, type);
	else if (type == TYPE_IPV4)
		walk_ipv4(l);
	else if (type == TYPE_IPV6)
		walk_ipv6(l);
	else
		walk_other_ethertype(l, type);
}

/*
 * RFC 2684, section 5.2, pads with zeros in front, RFC 2427 does not; and an
 * address may begin with zeros.
 */
static void walk_bridged(struct layer *l, bool fcs)
{
	const uint8_t *padding = layer_peek(l, 2);

	if (padding && be16(padding) == 0 &&
	    fit_ethernet(l, 2) >= fit_ethernet(l, 0))
		layer_skip(l, 2);
	if (!layer_enter(l))
		return;
	if (fcs)
		walk_fcs(l, RULE_CRC32);
	walk_ethernet(l);
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
			walk_bridged(l, number == BRIDGED_ETHERNET_FCS);
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

void walk_type_or_length(struct layer *l, uint16_t type)
{
	if (type > LENGTH_MAX)
		walk_ethertype(l, type);
	else
		walk_length(l, type);
}

void walk_ethernet(struct layer *l)
{
	const uint8_t *p = layer_take(l, 14);

	if (p)
		walk_type_or_length(l, be16(p + 12));
}

/*
 * Linux cooked captures: a protocol that is mostly an ethertype.  Some kernels
 * left the tag control information of a VLAN in its place, and the ethertype
 * behind it; others 3, which stands for all protocols.
 */
static void walk_cooked(struct layer *l, uint16_t protocol)
{
	enum { COOKED_ALL = 3, COOKED_LLC = 4 };
	const uint8_t *p = layer_peek(l, 2);

	if (protocol == COOKED_ALL && fit_ip(l, 0) >= FIT_LENGTH)
		walk_either_ip(l);
	else if (protocol == COOKED_LLC && fit_llc(l, 0))
		walk_llc(l);
	else if (p && !find_decoder(l, DECODE_ETHERTYPE, protocol) &&
		 fit_type(l, 2, be16(p)) >= FIT_LENGTH) {
		layer_skip(l, 2);
		take_vlan(l, protocol);
		walk_ethertype(l, be16(p));
	} else if (protocol == COOKED_LLC)
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

/*
 * Old ISDN systems wrote Cisco HDLC under the same link type; no address family
 * has such a number, and an IP header that fits has to follow.
 */
static bool is_hdlc(const struct layer *l, const uint8_t *p)
{
	return cisco_hdlc_starts(p) && p[1] == 0 &&
	       fit_type(l, 4, be16(p + 2)) >= FIT_LENGTH;
}

static void walk_loopback(struct layer *l)
{
	const uint8_t *p = layer_peek(l, 4);

	if (p && is_hdlc(l, p))
		walk_cisco_hdlc(l);
	else if (layer_take(l, 4))
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

/*
 * Of the fields in a PPI header, that of 802.11 says whether the frame has a
 * check sequence, and whether its receiver found that wrong.
 */
static uint16_t ppi_flags(const uint8_t *p, uint32_t len)
{
	enum { HEADER = 8, FIELD = 4, COMMON = 2, COMMON_LEN = 20, FLAGS = 8 };
	uint32_t at = HEADER;

	while (at + FIELD <= len) {
		const uint32_t n = le16(p + at + 2);

		if (le16(p + at) == COMMON && n == COMMON_LEN &&
		    at + FIELD + n <= len)
			return le16(p + at + FIELD + FLAGS);
		at += FIELD + n;
	}
	return 0;
}

/* PPI: a length, and the link type of what follows; both little endian. */
static void walk_ppi(struct layer *l)
{
	enum { HAS_FCS = 0x0001, BAD_FCS = 0x0004, LINKTYPE_WLAN = 105 };
	const uint8_t *p = layer_peek(l, 8);
	uint32_t len = p && le16(p + 2) >= 8 ? le16(p + 2) : 8;
	uint16_t flags;

	p = layer_take(l, len);
	if (!p || !layer_enter(l))
		return;
	flags = le32(p + 4) == LINKTYPE_WLAN ? ppi_flags(p, len) : 0;
	if (flags & BAD_FCS)
		l->damaged = true;
	if (flags & HAS_FCS)
		walk_fcs(l, RULE_CRC32);
	walk_linktype(l, le32(p + 4));
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
	/* A frame check sequence would cover the frame from its first byte. */
	bool fcs;
} linktypes[] = {
	{ 1, "ETHERNET", walk_ethernet, true },
	{ 113, "LINUX_SLL", walk_sll, false },
	{ 276, "LINUX_SLL2", walk_sll2, false },
	{ 101, "RAW", walk_either_ip, false },
	{ 12, "RAW", walk_either_ip, false }, /* by most systems, for 101 */
	{ 14, "RAW", walk_either_ip, false }, /* OpenBSD */
	{ 228, "IPV4", walk_ipv4, false },
	{ 229, "IPV6", walk_ipv6, false },
	{ 0, "NULL", walk_loopback, false },
	{ 108, "LOOP", walk_loopback, false },
	{ 3, "AX25", NULL, false },
	{ 6, "IEEE802_5", walk_token_ring, true },
	{ 7, "ARCNET_BSD", walk_arcnet_bsd, false },
	{ 8, "SLIP", walk_slip, false },
	{ 9, "PPP", walk_ppp_line, true },
	{ 10, "FDDI", walk_fddi, true },
	{ 50, "PPP_HDLC", walk_ppp_line, true },
	{ 51, "PPP_ETHER", walk_pppoe, false },
	{ 99, "SYMANTEC_FIREWALL", NULL, false },
	{ 100, "ATM_RFC1483", walk_llc, false },
	{ 104, "C_HDLC", walk_cisco_hdlc, true },
	{ 105, "IEEE802_11", walk_wlan, true },
	{ 107, "FRELAY", walk_frame_relay, true },
	{ 109, "ENC", walk_enc, false },
	{ 112, "LINUX_LAPD", NULL, false },
	{ 114, "LTALK", NULL, false },
	{ 117, "PFLOG", walk_pflog, false },
	{ 119, "IEEE802_11_PRISM", walk_prism, false },
	{ 122, "IP_OVER_FC", walk_fibre_channel, false },
	{ 123, "SUNATM", walk_sun_atm, false },
	{ 127, "IEEE802_11_RADIOTAP", walk_radiotap, false },
	{ 129, "ARCNET_LINUX", walk_arcnet_linux, false },
	{ 138, "APPLE_IP_OVER_IEEE1394", NULL, false },
	{ 139, "MTP2_WITH_PHDR", NULL, false },
	{ 140, "MTP2", NULL, false },
	{ 141, "MTP3", NULL, false },
	{ 142, "SCCP", NULL, false },
	{ 143, "DOCSIS", NULL, false },
	{ 144, "LINUX_IRDA", NULL, false },
	{ 163, "IEEE802_11_AVS", walk_avs, false },
	{ 165, "BACNET_MS_TP", NULL, false },
	{ 166, "PPP_PPPD", walk_ppp_pppd, false },
	{ 169, "GPRS_LLC", NULL, false },
	{ 170, "GPF_T", NULL, false },
	{ 171, "GPF_F", NULL, false },
	{ 177, "LINUX_LAPD", NULL, false },
	{ 178, "JUNIPER_ETHER", walk_juniper_ether, false },
	{ 179, "JUNIPER_PPP", walk_juniper_ppp, false },
	{ 180, "JUNIPER_FRELAY", walk_juniper_frame_relay, false },
	{ 181, "JUNIPER_CHDLC", walk_juniper_hdlc, false },
	{ 187, "BLUETOOTH_HCI_H4", NULL, false },
	{ 189, "USB_LINUX", NULL, false },
	{ 192, "PPI", walk_ppi, false },
	{ 195, "IEEE802_15_4_WITHFCS", walk_lowpan_fcs, false },
	{ 196, "SITA", NULL, false },
	{ 197, "ERF", walk_erf, false },
	{ 201, "BLUETOOTH_HCI_H4_WITH_PHDR", NULL, false },
	{ 202, "AX25_KISS", NULL, false },
	{ 203, "LAPD", NULL, false },
	{ 204, "PPP_WITH_DIR", walk_ppp_with_direction, false },
	{ 209, "IPMB_LINUX", NULL, false },
	{ 210, "FLEXRAY", NULL, false },
	{ 212, "LIN", NULL, false },
	{ 215, "IEEE802_15_4_NONASK_PHY", NULL, false },
	{ 220, "USB_LINUX_MMAPPED", NULL, false },
	{ 224, "FC_2", NULL, false },
	{ 225, "FC_2_WITH_FRAME_DELIMS", NULL, false },
	{ 226, "IPNET", walk_ipnet, false },
	{ 227, "CAN_SOCKETCAN", NULL, false },
	{ 230, "IEEE802_15_4_NOFCS", walk_lowpan, false },
	{ 231, "DBUS", NULL, false },
	{ 235, "DVB_CI", NULL, false },
	{ 236, "MUX27010", NULL, false },
	{ 237, "STANAG_5066_D_PDU", NULL, false },
	{ 239, "NFLOG", walk_nflog, false },
	{ 240, "NETANALYZER", NULL, false },
	{ 241, "NETANALYZER_TRANSPARENT", NULL, false },
	{ 242, "IPOIB", walk_infiniband, false },
	{ 243, "MPEG_2_TS", NULL, false },
	{ 244, "NG40", NULL, false },
	{ 245, "NFC_LLCP", NULL, false },
	{ 247, "INFINIBAND", NULL, false },
	{ 248, "SCTP", NULL, false },
	{ 249, "USBPCAP", NULL, false },
	{ 250, "RTAC_SERIAL", NULL, false },
	{ 251, "BLUETOOTH_LE_LL", NULL, false },
	{ 253, "NETLINK", NULL, false },
	{ 254, "BLUETOOTH_LINUX_MONITOR", NULL, false },
	{ 255, "BLUETOOTH_BREDR_BB", NULL, false },
	{ 256, "BLUETOOTH_LE_LL_WITH_PHDR", NULL, false },
	{ 257, "PROFIBUS_DL", NULL, false },
	{ 258, "PKTAP", walk_pktap, false },
	{ 259, "EPON", NULL, false },
	{ 260, "IPMI_HPM_2", NULL, false },
	{ 261, "ZWAVE_R1_R2", NULL, false },
	{ 262, "ZWAVE_R3", NULL, false },
	{ 263, "WATTSTOPPER_DLM", NULL, false },
	{ 264, "ISO_14443", NULL, false },
	{ 265, "RDS", NULL, false },
	{ 266, "USB_DARWIN", NULL, false },
	{ 268, "SDLC", NULL, false },
	{ 270, "LORATAP", NULL, false },
	{ 271, "VSOCK", NULL, false },
	{ 272, "NORDIC_BLE", NULL, false },
	{ 273, "DOCSIS31_XRA31", NULL, false },
	{ 274, "ETHERNET_MPACKET", walk_mpacket, false },
	{ 275, "DISPLAYPORT_AUX", NULL, false },
	{ 278, "OPENVIZSLA", NULL, false },
	{ 279, "EBHSCR", NULL, false },
	{ 280, "VPP_DISPATCH", NULL, false },
	{ 281, "DSA_TAG_BRCM", walk_dsa, false },
	{ 282, "DSA_TAG_BRCM_PREPEND", walk_broadcom_prepended, false },
	{ 283, "IEEE802_15_4_TAP", walk_lowpan_tap, false },
	{ 284, "DSA_TAG_DSA", walk_dsa, false },
	{ 285, "DSA_TAG_EDSA", walk_dsa_ethertype, false },
	{ 286, "ELEE", NULL, false },
	{ 287, "Z_WAVE_SERIAL", NULL, false },
	{ 288, "USB_2_0", NULL, false },
	{ 289, "ATSC_ALP", NULL, false },
	{ LINKTYPE_CAPWAP, "CAPWAP", walk_capwap_whole, false },
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

	if (linktype >= LINKTYPE_SNOOP)
		return "a data link of snoop";
	return t ? t->name : NULL;
}

/* RFC 1662, section 3.1: a check sequence of 16 bits, or of 32. */
static bool is_serial(const struct linktype *t)
{
	return t->walk == walk_ppp_line || t->walk == walk_cisco_hdlc ||
	       t->walk == walk_frame_relay;
}

void walk_frame(struct layer *l)
{
	const struct packet *p = l->packet;
	const struct linktype *t = find_linktype(p->linktype);

	l->damaged = p->flags & PACKET_DAMAGED;
	if (p->fcs_len == 4 && t && t->fcs)
		walk_fcs(l, RULE_CRC32);
	else if (p->fcs_len == 2 && t && t->fcs && is_serial(t))
		walk_fcs(l, RULE_CRC16);
	else
		walk_trailer(l, p->fcs_len);
	walk_linktype(l, p->linktype);
}

void walk_linktype(struct layer *l, uint32_t linktype)
{
	const struct linktype *t = find_linktype(linktype);

	if (t && t->walk)
		t->walk(l);
	else
		walk_edge(l, EDGE_LINKTYPE, (uint16_t)linktype);
}
