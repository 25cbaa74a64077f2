/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk_guess.c - what bytes look like, where no number says what they are.
 *
 * A guess is only as good as what would have to be chance if it were wrong: a
 * number of 16 bits, lengths that fit what carries them, or a header whose own
 * checksum is right.
 */
#include "decode.h"
#include "layer.h"

enum { IPV4_HEADER = 20, IPV6_LEN = 40, ETHERNET_HEADER = 14 };

static uint64_t room(const struct layer *l, uint32_t skip)
{
	uint64_t len = l->end - l->at;

	return len > skip ? len - skip : 0;
}

static enum fitness fit_ipv4(const struct layer *l, uint32_t skip)
{
	const uint8_t *p = layer_peek(l, skip + IPV4_HEADER);
	uint32_t header_len = p ? 4 * (p[skip] & 15u) : 0, total;

	if (!p || p[skip] >> 4 != 4 || header_len < IPV4_HEADER)
		return FIT_NONE;
	total = be16(p + skip + 2);
	if (layer_peek(l, skip + header_len) && (total == 0 || total >= 20) &&
	    csum_ipv4_header(p + skip, header_len / 4) == 0)
		return total <= room(l, skip) ? FIT_SUM : FIT_NUMBER;
	if (total == 0) /* left to a network card */
		return FIT_NUMBER;
	return total >= header_len && total <= room(l, skip) ? FIT_LENGTH
							     : FIT_NONE;
}

/* It has no sum, but an end where that of its carrier is, to the byte. */
static enum fitness fit_ipv6(const struct layer *l, uint32_t skip)
{
	const uint8_t *p = layer_peek(l, skip + IPV6_LEN);
	uint32_t len = p ? be16(p + skip + 4) : 0;

	if (!p || p[skip] >> 4 != 6)
		return FIT_NONE;
	if (len == 0)
		return FIT_NUMBER;
	if (len + IPV6_LEN == room(l, skip))
		return FIT_SUM;
	return len + IPV6_LEN < room(l, skip) ? FIT_LENGTH : FIT_NONE;
}

enum fitness fit_ip(const struct layer *l, uint32_t skip)
{
	enum fitness fit = fit_ipv4(l, skip);

	return fit ? fit : fit_ipv6(l, skip);
}

/* RFC 826, for Ethernet and IPv4. */
static enum fitness fit_arp(const struct layer *l, uint32_t skip)
{
	const uint8_t *p = layer_peek(l, skip + 8);

	return p && be32(p + skip) == 0x00010800 && be16(p + skip + 4) == 0x0604
		       ? FIT_LENGTH
		       : FIT_NONE;
}

bool fit_llc(const struct layer *l, uint32_t skip)
{
	enum { SNAP = 0xaa, UNNUMBERED = 0x03 };
	const uint8_t *p = layer_peek(l, skip + 3);

	/* both ends have the same number in all that is in use */
	if (!p || p[skip] != p[skip + 1] || p[skip + 2] != UNNUMBERED)
		return false;
	if (p[skip] != SNAP)
		return p[skip] != 0;
	p = layer_peek(l, skip + 6);
	/* RFC 1042, 802.1H, Cisco */
	return p && p[skip + 3] == 0 && p[skip + 4] == 0 &&
	       (p[skip + 5] == 0 || p[skip + 5] == 0xf8 || p[skip + 5] == 0x0c);
}

/* A length: of LLC, or at least to the byte. */
static enum fitness fit_length(const struct layer *l, uint32_t skip,
			       uint16_t len)
{
	if (len < 3 || len > room(l, skip))
		return FIT_NONE;
	if (fit_llc(l, skip))
		return FIT_LENGTH;
	return len == room(l, skip) ? FIT_NUMBER : FIT_NONE;
}

enum fitness fit_type(const struct layer *l, uint32_t skip, uint16_t type)
{
	enum { TAGS = 4 };
	const struct decoder *d;
	const uint8_t *p;

	for (int i = 0; i < TAGS; i++) {
		switch (type) {
		case 0x8100:
		case 0x88a8:
		case 0x9100:
			break;
		case TYPE_IPV4:
			return fit_ipv4(l, skip);
		case TYPE_IPV6:
			return fit_ipv6(l, skip);
		case 0x0806:
			return fit_arp(l, skip);
		case 0x8863: /* PPPoE discovery */
		case 0x88cc: /* LLDP */
		case 0x9000: /* loopback */
			return FIT_NUMBER;
		default:
			if (type <= 1500)
				return fit_length(l, skip, type);
			d = find_decoder(l, DECODE_ETHERTYPE, type);
			return d ? FIT_NUMBER : FIT_NONE;
		}
		p = layer_peek(l, skip + 4);
		if (!p)
			return FIT_NUMBER;
		type = be16(p + skip + 2);
		skip += 4;
	}
	return FIT_NUMBER;
}

enum fitness fit_ethernet(const struct layer *l, uint32_t skip)
{
	const uint8_t *p = layer_peek(l, skip + ETHERNET_HEADER);

	return p ? fit_type(l, skip + ETHERNET_HEADER, be16(p + skip + 12))
		 : FIT_NONE;
}
