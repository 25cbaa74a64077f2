/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * layer.h - what the parts of the walk hand to each other.
 *
 * A layer has three ends: by its own length, by the lengths of the layers
 * around it, and where the capture ends.  Only layer_peek() yields pointers,
 * and only up to the nearest one.
 */
#ifndef PACKET_LAYER_H
#define PACKET_LAYER_H

#include "bytes.h"
#include "decode.h"
#include "walk.h"

struct layer {
	const struct packet *packet;
	struct walk *walk;
	/* Places in the frame, BYTES from its start. */
	uint32_t at;	/* first byte of the layer; within caplen */
	uint64_t end;	/* end by the layer's own length; never before @at */
	uint64_t limit; /* end of the layers around; within wirelen */
	/* In a first fragment: end of the layers around, as if all fragments of
	 * the message stood in this frame. */
	uint64_t reach;
	bool fragment;	   /* the layer is in a first fragment: see @reach */
	uint8_t nested;	   /* calls of layer_enter() for the layer */
	uint8_t depth;	   /* IP headers in front of the layer */
	const uint8_t *ip; /* IP header passed last; NULL: none */
	bool no_length;	   /* that header has 0 for its length */
	bool damaged;	   /* check sequence that the receiver found wrong */
	bool sequence;	   /* sequence number in the GRE header in front */
	enum site_class class;
};

/* What an upper layer inherits from the IP header in front of that layer. */
struct upper {
	const uint8_t *src, *dst; /* addresses for the pseudo-header */
	/* Addresses in the IPv6 header, whatever extension headers replace. */
	const uint8_t *header_src, *header_dst;
	uint32_t next; /* IPv6: place of the byte that announces the layer */
	bool ipv6;
	bool fragment;
	bool headless; /* a fragment that is not the first */
	bool walked;   /* the fragment is the one in struct walk */
	/* Why no site of the layer can be verified; or REASON_NONE. */
	enum reason reason;
};

/* Ethertypes, wherever they stand: Ethernet, SNAP, GRE, Geneve... */
enum ethertype {
	TYPE_IPV4 = 0x0800,
	TYPE_IPV6 = 0x86dd,
	TYPE_ETHERNET = 0x6558, /* transparent bridging, RFC 1701 */
	TYPE_MPLS = 0x8847,
	TYPE_PPP = 0x880b,
	TYPE_CISCO_CDP = 0x2000,
};

/* Why the first @n BYTES are not there, or REASON_NONE. */
static inline enum reason layer_lack(const struct layer *l, uint32_t n)
{
	if (n > l->end - l->at)
		return REASON_NO_ROOM;
	if ((uint64_t)l->at + n > l->limit && l->fragment &&
	    (uint64_t)l->at + n <= l->reach)
		return REASON_FRAGMENT;
	if ((uint64_t)l->at + n > l->limit)
		return l->class == SITE_QUOTED ? REASON_QUOTE
					       : REASON_BEYOND_WIRE;
	return n > l->packet->caplen - l->at ? REASON_SNAPPED : REASON_NONE;
}

/* The first @n BYTES, or NULL: layer_lack() says why. */
static inline const uint8_t *layer_peek(const struct layer *l, uint32_t n)
{
	return layer_lack(l, n) ? NULL : l->packet->data + l->at;
}

/* Over @n bytes that layer_peek() has yielded. */
static inline void layer_skip(struct layer *l, uint32_t n)
{
	l->at += n;
}

/* BYTES of it that are in the capture. */
static inline uint32_t layer_captured(const struct layer *l)
{
	uint64_t end = l->end < l->limit ? l->end : l->limit;

	if (end > l->packet->caplen)
		end = l->packet->caplen;
	return end > l->at ? (uint32_t)(end - l->at) : 0;
}

/* A new site that starts where the layer does. */
struct site *walk_add(const struct layer *l, enum protocol protocol);

/* The walk ends here: @number is one that it does not know. */
void walk_edge(const struct layer *l, enum edge edge, uint16_t number);

/*
 * The header of a layer without a checksum, taken off; NULL with a site that
 * says why.
 */
const uint8_t *layer_take(struct layer *l, uint32_t n);

/*
 * From here on the layer is what it carries: nothing in there reaches beyond
 * its end.  False if that is one more than WALK_DEPTH inside of each other.
 */
bool layer_enter(struct layer *l);

/*
 * From here on the layer is in a message whose first fragment this is, and ends
 * in another one, at @end if they were in a row.
 */
void layer_enter_fragment(struct layer *l, uint64_t end);
enum { FRAGMENT_REACH = 1 << 16 }; /* where that is not known */

/* @s is that of a message in fragments. */
void walk_open(const struct layer *l, struct site *s);

/* What is known carries no packet: there is nothing that was not looked into.
 */
static inline void walk_nothing(const struct layer *l)
{
	l->walk->nothing = true;
}

/*
 * walk_guess.c: does a packet or a frame start @skip BYTES from here?  What is
 * cut off fits nothing.
 */
enum fitness {
	FIT_NONE,
	FIT_NUMBER, /* only a number that is known */
	FIT_LENGTH, /* and lengths that are possible here */
	FIT_SUM,    /* and a right header checksum, or the length to the byte */
};
enum fitness fit_ip(const struct layer *l, uint32_t skip);
/* What is behind the ethertype @type. */
enum fitness fit_type(const struct layer *l, uint32_t skip, uint16_t type);
enum fitness fit_ethernet(const struct layer *l, uint32_t skip);
bool fit_llc(const struct layer *l, uint32_t skip);

/* decode.c: how to go on behind a number; NULL: that is not known. */
const struct decoder *find_decoder(const struct layer *l, enum decode_table t,
				   uint16_t number);
/* Between two ports; the one that is sent to counts first. */
const struct decoder *find_port_decoder(const struct layer *l,
					enum decode_table t, uint16_t from,
					uint16_t to);

/* walk_link.c: by the number in front, which has been read. */
void walk_frame(struct layer *l);
void walk_linktype(struct layer *l, uint32_t linktype);
void walk_ethertype(struct layer *l, uint16_t type);
void walk_type_or_length(struct layer *l, uint16_t type);
void walk_ethernet(struct layer *l);
void walk_llc(struct layer *l);
void walk_snap(struct layer *l);
void walk_macsec(struct layer *l);
void walk_pbb(struct layer *l);
void walk_fabricpath(struct layer *l);
/* IPv4 or IPv6, as its first bits say. */
void walk_either_ip(struct layer *l);

/* walk_ppp.c: PPP with or without its address and control bytes. */
void walk_ppp(struct layer *l);
void walk_ppp_line(struct layer *l);
void walk_ppp_with_direction(struct layer *l);
void walk_ppp_pppd(struct layer *l);
/* The first byte is the address of Cisco HDLC. */
bool cisco_hdlc_starts(const uint8_t *p);
void walk_pppoe(struct layer *l);
void walk_cisco_hdlc(struct layer *l);
void walk_frame_relay(struct layer *l);

/* walk_wlan.c: IEEE 802.11, and the headers in front of it. */
void walk_wlan(struct layer *l);
void walk_wlan_swapped(struct layer *l);
void walk_radiotap(struct layer *l);
void walk_prism(struct layer *l);
void walk_avs(struct layer *l);

/* walk_ip.c */
void walk_ipv4(struct layer *l);
void walk_ipv6(struct layer *l);
/* From the header of kind @next on, behind the addresses in @u. */
void walk_ipv6_payload(struct layer *l, const struct upper *u, uint8_t next);

/* walk_upper.c: what an IP packet carries, headers of IPv6 excepted. */
csum_wsum pseudo_sum(const struct pseudo *p);
void walk_upper(struct layer *l, const struct upper *u, uint8_t protocol);
/* What is encrypted, or only looks like it: RFC 2410. */
void walk_esp(struct layer *l, const struct upper *u);

/* walk_tunnel.c: what carries packets. */
void walk_mpls(struct layer *l);
void walk_gre(struct layer *l, const struct upper *u);
void walk_nsh(struct layer *l);
enum { IP_PROTOCOL_L2TP = 115 };
void walk_l2tp_over_ip(struct layer *l);
void walk_gre_alone(struct layer *l);
void walk_erspan(struct layer *l);
void walk_erspan3(struct layer *l);
void walk_wccp(struct layer *l);
void walk_cmd_gre(struct layer *l);
void walk_vxlan(struct layer *l);
void walk_vxlan_gpe(struct layer *l);
void walk_geneve(struct layer *l);
void walk_gtp_user(struct layer *l);
void walk_l2tp(struct layer *l);
void walk_teredo(struct layer *l);
void walk_lisp(struct layer *l);
/* What is between two ports of @t: the payload of a UDP or TCP message. */
void walk_port_payload(struct layer *l, enum decode_table t, uint16_t from,
		       uint16_t to);

/* walk_over_udp.c: more of those, each from its first byte on. */
void walk_amt(struct layer *l);
void walk_ayiya(struct layer *l);
void walk_capwap(struct layer *l);
void walk_capwap_whole(struct layer *l);
void walk_esp_in_udp(struct layer *l);
void walk_hp_erm(struct layer *l);
void walk_lisp_control(struct layer *l);
void walk_opaque(struct layer *l);
void walk_roce(struct layer *l);
void walk_tzsp(struct layer *l);

/* walk_ipfix.c */
void walk_ipfix(struct layer *l);

/* walk_upper.c: without an IP header in front that it depends on. */
void walk_sctp_alone(struct layer *l);

/* walk_sflow.c: a datagram with samples of packets. */
void walk_sflow(struct layer *l);

/*
 * walk_device.c: the frame from here on ends with a check sequence of @rule,
 * which is not part of what it carries; or with @len BYTES of anything.
 */
void walk_fcs(struct layer *l, enum site_rule rule);
void walk_trailer(struct layer *l, uint32_t len);
/* What devices and drivers put in front of a frame. */
void walk_erf(struct layer *l);
void walk_juniper_ether(struct layer *l);
void walk_juniper_ppp(struct layer *l);
void walk_juniper_frame_relay(struct layer *l);
void walk_juniper_hdlc(struct layer *l);
void walk_mpacket(struct layer *l);
void walk_dsa(struct layer *l);
void walk_dsa_ethertype(struct layer *l);
void walk_broadcom_prepended(struct layer *l);

/* walk_lowpan.c: IPv6 over IEEE 802.15.4; behind its frame header, or with a
 * check sequence at the end. */
void walk_lowpan(struct layer *l);
void walk_lowpan_fcs(struct layer *l);
void walk_lowpan_tap(struct layer *l);

/* walk_icmp.c: what an error quotes, and its extension; from its header on. */
void walk_icmp_payload(struct layer *l, bool ipv6);

/* walk_upper.c: NHRP behind GRE, CDP behind SNAP. */
void walk_nhrp(struct layer *l);
void walk_cdp(struct layer *l);

#endif
