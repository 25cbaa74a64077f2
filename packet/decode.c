/* SPDX-License-Identifier: BSD-2-Clause */
/* decode.c - the decoders, and the numbers by which the walk finds them. */
#include "decode.h"

#include <stdlib.h>
#include <string.h>

#include "layer.h"

enum decoder_id {
	AS_AMT,
	AS_ARISTA,
	AS_AYIYA,
	AS_CAPWAP,
	AS_CDP,
	AS_CMD,
	AS_CMD_GRE,
	AS_ERSPAN,
	AS_ERSPAN3,
	AS_ETAG,
	AS_ETH,
	AS_FABRICPATH,
	AS_GENEVE,
	AS_GRE,
	AS_GTP,
	AS_HP_ERM,
	AS_HSR,
	AS_IP,
	AS_IPFIX,
	AS_IPV6,
	AS_L2TP,
	AS_LISP,
	AS_LISP_DATA,
	AS_MACSEC,
	AS_MPLS,
	AS_NHRP,
	AS_NSH,
	AS_OPAQUE,
	AS_PBB,
	AS_PPP,
	AS_PPPOE,
	AS_REALTEK,
	AS_ROCE,
	AS_SCTP,
	AS_SFLOW,
	AS_TEREDO,
	AS_TTAG,
	AS_TZSP,
	AS_UDPENCAP,
	AS_VLAN,
	AS_VNTAG,
	AS_VXLAN,
	AS_VXLAN_GPE,
	AS_WCCP,
	AS_WLAN,
	DECODERS
};

/* --- tags: each ends with the ethertype of what follows ------------------- */

static uint32_t tag_4(const struct layer *l)
{
	(void)l;
	return 4;
}

static uint32_t tag_6(const struct layer *l)
{
	(void)l;
	return 6;
}

static uint32_t tag_8(const struct layer *l)
{
	(void)l;
	return 8;
}

/* Arista: a version tells how long the time is. */
static uint32_t tag_arista(const struct layer *l)
{
	enum { TIME_64 = 0x10 };
	const uint8_t *p = layer_peek(l, 4);

	return p && p[3] & TIME_64 ? 14 : 12;
}

/*
 * Realtek: protocol 4 in the first byte has 8 bytes with the ethertype in
 * front, 0xa in the first half of it has 4.  Others carry no frame.
 */
static uint32_t tag_realtek(const struct layer *l)
{
	const uint8_t *p = layer_peek(l, 1);

	if (p && p[0] == 0x04)
		return 8;
	return p && p[0] >> 4 == 0xa ? 4 : 0;
}

static const struct decoder decoders[DECODERS] = {
	[AS_AMT] = { "amt", "multicast in UDP, RFC 7450", .walk = walk_amt },
	[AS_ARISTA] = { "arista", "time stamp of Arista", .tag = tag_arista },
	[AS_AYIYA] = { "ayiya", "draft-massar-v6ops-ayiya",
		       .walk = walk_ayiya },
	[AS_CAPWAP] = { "capwap.data", "802.3 or 802.11, RFC 5415",
			.walk = walk_capwap },
	[AS_CDP] = { "cdp", "Cisco discovery", .walk = walk_cdp },
	[AS_CMD] = { "cmd", "Cisco metadata", .tag = tag_8 },
	[AS_CMD_GRE] = { "cmd-gre", "the same behind GRE",
			 .walk = walk_cmd_gre },
	[AS_ERSPAN] = { "erspan", "mirrored Ethernet, types I and II",
			.walk = walk_erspan },
	[AS_ERSPAN3] = { "erspan3", "the same, type III",
			 .walk = walk_erspan3 },
	[AS_ETAG] = { "ieee8021br", "802.1BR", .tag = tag_8 },
	[AS_ETH] = { "eth", "an Ethernet frame", .walk = walk_ethernet,
		     .enter = true },
	[AS_FABRICPATH] = { "mim", "Cisco FabricPath", .walk = walk_fabricpath,
			    .enter = true },
	[AS_GENEVE] = { "geneve", "RFC 8926", .walk = walk_geneve,
			.zero_udp = true },
	[AS_GRE] = { "gre", "RFC 2784; in UDP, RFC 8086",
		     .walk = walk_gre_alone, .zero_udp = true },
	[AS_GTP] = { "gtp", "user data, versions 0 and 1",
		     .walk = walk_gtp_user, .zero_udp = true },
	[AS_HP_ERM] = { "hp-erm", "mirrored Ethernet of HP",
			.walk = walk_hp_erm },
	[AS_HSR] = { "hsr", "IEC 62439-3", .tag = tag_6 },
	[AS_IP] = { "ip", "IPv4", .walk = walk_ipv4 },
	[AS_IPFIX] = { "cflow", "packets in IPFIX, RFC 7133",
		       .walk = walk_ipfix },
	[AS_IPV6] = { "ipv6", "IPv6", .walk = walk_ipv6 },
	[AS_L2TP] = { "l2tp", "PPP or Ethernet, RFC 2661 and 3931",
		      .walk = walk_l2tp },
	[AS_LISP] = { "lisp", "control messages, RFC 9301",
		      .walk = walk_lisp_control },
	[AS_LISP_DATA] = { "lisp-data", "RFC 9300", .walk = walk_lisp,
			   .zero_udp = true },
	[AS_MACSEC] = { "macsec", "802.1AE", .walk = walk_macsec,
			.enter = true },
	[AS_MPLS] = { "mpls", "labels; in UDP, RFC 7510", .walk = walk_mpls,
		      .enter = true, .zero_udp = true },
	[AS_NHRP] = { "nhrp", "RFC 2332", .walk = walk_nhrp },
	[AS_NSH] = { "nsh", "RFC 8300", .walk = walk_nsh, .enter = true },
	[AS_OPAQUE] = { "data", "not looked into", .walk = walk_opaque },
	[AS_PBB] = { "ieee8021ah", "802.1ah", .walk = walk_pbb, .enter = true },
	[AS_PPP] = { "ppp", "RFC 1661", .walk = walk_ppp, .enter = true },
	[AS_PPPOE] = { "pppoes", "RFC 2516", .walk = walk_pppoe,
		       .enter = true },
	[AS_REALTEK] = { "realtek", "tag of a switch", .tag = tag_realtek },
	[AS_ROCE] = { "rocev2", "InfiniBand over UDP", .walk = walk_roce },
	[AS_SCTP] = { "sctp", "RFC 6951", .walk = walk_sctp_alone },
	[AS_SFLOW] = { "sflow", "samples of packets", .walk = walk_sflow },
	[AS_TEREDO] = { "teredo", "IPv6 in UDP, RFC 4380",
			.walk = walk_teredo },
	[AS_TTAG] = { "ttag", "time tag of Cisco", .tag = tag_8 },
	[AS_TZSP] = { "tzsp", "mirrored frames", .walk = walk_tzsp },
	[AS_UDPENCAP] = { "udpencap", "ESP in UDP, RFC 3948",
			  .walk = walk_esp_in_udp },
	[AS_VLAN] = { "vlan", "802.1Q", .tag = tag_4, .vlan = true },
	[AS_VNTAG] = { "vntag", "Cisco, to virtual ports", .tag = tag_6 },
	[AS_VXLAN] = { "vxlan", "RFC 7348", .walk = walk_vxlan,
		       .zero_udp = true },
	[AS_VXLAN_GPE] = { "vxlan-gpe", "draft-ietf-nvo3-vxlan-gpe",
			   .walk = walk_vxlan_gpe, .zero_udp = true },
	[AS_WCCP] = { "wccp", "IP, in version 2 behind four bytes",
		      .walk = walk_wccp },
	[AS_WLAN] = { "wlan", "an IEEE 802.11 frame", .walk = walk_wlan },
};

/* Each in the order of its numbers: they are found by halving. */
static const struct decode_row ethertypes[] = {
	{ TYPE_IPV4, TYPE_IPV4, .as = &decoders[AS_IP] },
	{ TYPE_CISCO_CDP, TYPE_CISCO_CDP, .as = &decoders[AS_CDP] },
	{ TYPE_ETHERNET, TYPE_ETHERNET, .as = &decoders[AS_ETH] },
	{ 0x8100, 0x8100, .as = &decoders[AS_VLAN] },
	{ 0x8200, 0x8200, .as = &decoders[AS_VLAN] }, /* set up by hand */
	{ TYPE_IPV6, TYPE_IPV6, .as = &decoders[AS_IPV6] },
	{ TYPE_PPP, TYPE_PPP, .as = &decoders[AS_PPP] },
	/* the second one had been for multicast, RFC 5332 */
	{ TYPE_MPLS, TYPE_MPLS + 1, .as = &decoders[AS_MPLS] },
	{ 0x8864, 0x8864, .as = &decoders[AS_PPPOE] },
	{ 0x8899, 0x8899, .as = &decoders[AS_REALTEK] },
	{ 0x88a8, 0x88a8, .as = &decoders[AS_VLAN] }, /* 802.1ad */
	{ 0x88e5, 0x88e5, .as = &decoders[AS_MACSEC] },
	{ 0x88e7, 0x88e7, .as = &decoders[AS_PBB] },
	{ 0x8903, 0x8903, .as = &decoders[AS_FABRICPATH] },
	{ 0x8909, 0x8909, .as = &decoders[AS_CMD] },
	{ 0x8926, 0x8926, .as = &decoders[AS_VNTAG] },
	{ 0x892f, 0x892f, .as = &decoders[AS_HSR] },
	{ 0x893f, 0x893f, .as = &decoders[AS_ETAG] },
	{ 0x894f, 0x894f, .as = &decoders[AS_NSH] },
	{ 0x8988, 0x8988, .as = &decoders[AS_TTAG] },
	/* before 802.1ad, and still seen */
	{ 0x9100, 0x9100, .as = &decoders[AS_VLAN] },
	{ 0x9200, 0x9200, .as = &decoders[AS_VLAN] },
	{ 0xd28b, 0xd28b, .as = &decoders[AS_ARISTA] },
};

static const struct decode_row gre_protocols[] = {
	{ 0x2001, 0x2001, .as = &decoders[AS_NHRP] },
	{ 0x22eb, 0x22eb, .as = &decoders[AS_ERSPAN3] },
	{ 0x6400, 0x6400, .as = &decoders[AS_ETH] },  /* MikroTik EoIP */
	{ 0x8200, 0x82ff, .as = &decoders[AS_WLAN] }, /* Aruba */
	{ 0x883e, 0x883e, .as = &decoders[AS_WCCP] },
	{ 0x88be, 0x88be, .as = &decoders[AS_ERSPAN] },
	{ 0x8909, 0x8909, .as = &decoders[AS_CMD_GRE] },
};

static const struct decode_row udp_ports[] = {
	{ 1194, 1194, true, &decoders[AS_OPAQUE] }, /* OpenVPN */
	{ 1701, 1701, true, &decoders[AS_L2TP] },
	{ 2152, 2152, false, &decoders[AS_GTP] },
	{ 2268, 2268, true, &decoders[AS_AMT] },
	{ 3386, 3386, false, &decoders[AS_GTP] }, /* version 0 */
	{ 3544, 3544, true, &decoders[AS_TEREDO] },
	{ 4341, 4341, false, &decoders[AS_LISP_DATA] },
	{ 4342, 4342, false, &decoders[AS_LISP] },
	{ 4500, 4500, true, &decoders[AS_UDPENCAP] },
	{ 4739, 4739, false, &decoders[AS_IPFIX] },
	{ 4754, 4754, false, &decoders[AS_GRE] },
	{ 4789, 4789, false, &decoders[AS_VXLAN] },
	{ 4790, 4790, false, &decoders[AS_VXLAN_GPE] },
	{ 4791, 4791, false, &decoders[AS_ROCE] },
	{ 5072, 5072, true, &decoders[AS_AYIYA] },
	{ 5247, 5247, true, &decoders[AS_CAPWAP] },
	{ 6080, 6080, false, &decoders[AS_OPAQUE] }, /* generic, in UDP */
	{ 6081, 6081, false, &decoders[AS_GENEVE] },
	{ 6343, 6343, false, &decoders[AS_SFLOW] },
	{ 6635, 6635, false, &decoders[AS_MPLS] },
	{ 7932, 7932, false, &decoders[AS_HP_ERM] },
	/* Linux, before VXLAN had a number */
	{ 8472, 8472, false, &decoders[AS_VXLAN] },
	{ 9899, 9899, true, &decoders[AS_SCTP] },
	{ 12222, 12222, true, &decoders[AS_OPAQUE] }, /* LWAPP, RFC 5412 */
	{ 37008, 37008, false, &decoders[AS_TZSP] },
	{ 51820, 51820, true, &decoders[AS_OPAQUE] }, /* WireGuard */
};

static const struct {
	const char *name;
	const struct decode_row *rows;
	size_t n;
} tables[DECODE_TABLES] = {
	[DECODE_ETHERTYPE] = { "ethertype", ethertypes,
			       sizeof(ethertypes) / sizeof(*ethertypes) },
	[DECODE_GRE] = { "gre.proto", gre_protocols,
			 sizeof(gre_protocols) / sizeof(*gre_protocols) },
	[DECODE_UDP] = { "udp.port", udp_ports,
			 sizeof(udp_ports) / sizeof(*udp_ports) },
	[DECODE_TCP] = { "tcp.port", NULL, 0 },
};

static const struct decoder *find_rule(const struct layer *l,
				       enum decode_table t, uint16_t number)
{
	const struct walk_rules *r = l->packet->rules;

	for (unsigned i = 0; r && i < r->count; i++)
		if (r->rules[i].table == t && r->rules[i].number == number)
			return r->rules[i].as;
	return NULL;
}

static const struct decode_row *find_row(enum decode_table t, uint16_t number)
{
	const struct decode_row *row = tables[t].rows;
	size_t n = tables[t].n;

	while (n) {
		size_t half = n / 2;

		if (number < row[half].first) {
			n = half;
		} else if (number > row[half].last) {
			row += half + 1;
			n -= half + 1;
		} else {
			return &row[half];
		}
	}
	return NULL;
}

const struct decoder *find_decoder(const struct layer *l, enum decode_table t,
				   uint16_t number)
{
	const struct decoder *d = find_rule(l, t, number);
	const struct decode_row *row = d ? NULL : find_row(t, number);

	return row ? row->as : d;
}

const struct decoder *find_port_decoder(const struct layer *l,
					enum decode_table t, uint16_t from,
					uint16_t to)
{
	const struct decoder *d = find_decoder(l, t, to);
	const struct decode_row *row;

	if (!d)
		d = find_rule(l, t, from);
	if (d)
		return d;
	row = find_row(t, from);
	return row && row->answers ? row->as : NULL;
}

bool udp_ports_carry_data(uint16_t from, uint16_t to)
{
	const struct decode_row *row = find_row(DECODE_UDP, from);

	return !(row && row->answers) && !find_row(DECODE_UDP, to);
}

/* --- for those who list it or add to it ----------------------------------- */

const char *decode_table_name(enum decode_table t)
{
	return tables[t].name;
}

const struct decode_row *decode_rows(enum decode_table t, size_t *n)
{
	*n = tables[t].n;
	return tables[t].rows;
}

const struct decoder *decoder_at(size_t i)
{
	return i < DECODERS ? &decoders[i] : NULL;
}

bool decoder_fits(const struct decoder *d, enum decode_table t)
{
	return d->walk || t == DECODE_ETHERTYPE;
}

/* The number of a table whose name @text starts with, and "=="; or none. */
static enum decode_table read_table(const char *text, const char **rest)
{
	for (int t = 0; t < DECODE_TABLES; t++) {
		size_t n = strlen(tables[t].name);

		*rest = text + n + 2;
		if (strncmp(text, tables[t].name, n) == 0 &&
		    strncmp(text + n, "==", 2) == 0)
			return (enum decode_table)t;
	}
	return DECODE_TABLES;
}

static const struct decoder *decoder_named(const char *name,
					   enum decode_table t)
{
	for (size_t i = 0; i < DECODERS; i++)
		if (strcmp(decoders[i].name, name) == 0 &&
		    decoder_fits(&decoders[i], t))
			return &decoders[i];
	return NULL;
}

const char *walk_rules_add(struct walk_rules *r, const char *text)
{
	const struct decoder *as;
	enum decode_table table;
	const char *rest;
	unsigned long number;
	char *end;

	table = read_table(text, &rest);
	if (table == DECODE_TABLES)
		return "begins with none of udp.port==, tcp.port==, "
		       "ethertype==, gre.proto==";
	number = strtoul(rest, &end, 0);
	if (*rest < '0' || *rest > '9' || *end != ',' || number > UINT16_MAX)
		return "has no number up to 65535 and a comma behind ==";
	as = decoder_named(end + 1, table);
	if (!as)
		return "names nothing that can be decoded there: see "
		       "--decode-as list";
	if (r->count == WALK_RULES)
		return "is one more than 32";
	r->rules[r->count].table = table;
	r->rules[r->count].number = (uint16_t)number;
	r->rules[r->count++].as = as;
	return NULL;
}
