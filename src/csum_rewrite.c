/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csum_rewrite.c - the functions of csum_packet.h that change a packet and the
 * checksums that cover the change.
 *
 * Everything is read and judged before anything is written: a function that
 * refuses has changed nothing.
 */
#include <errno.h>
#include <string.h>

#include "inside.h"

enum {
	PROTOCOL_ICMP = 1,
	PROTOCOL_TCP = 6,
	PROTOCOL_UDP = 17,
	PROTOCOL_DCCP = 33,
	PROTOCOL_ROUTING = 43,
	PROTOCOL_FRAGMENT = 44,
	PROTOCOL_AH = 51,
	PROTOCOL_ICMPV6 = 58,
	PROTOCOL_OPTIONS = 60,
	PROTOCOL_OSPF = 89,
	PROTOCOL_PIM = 103,
	PROTOCOL_VRRP = 112,
	PROTOCOL_SCTP = 132,
	PROTOCOL_MOBILITY = 135,
	PROTOCOL_UDPLITE = 136,
};

static unsigned be16_at(const unsigned char *p)
{
	return (unsigned)p[0] << 8 | p[1];
}

static int write_bytes(void *msg, size_t len, size_t field, size_t at,
		       const void *now, size_t n, unsigned flags)
{
	unsigned char *p = msg;
	csum_sum16 check, after;

	if (len < 2 || field > len - 2 || at > len || n > len - at)
		return EINVAL;
	if (n && at < field + 2 && field < at + n)
		return EINVAL;
	check = csum_load_sum16(p + field);
	/* the halves as the field has them: seen from an odd field, an even
	 * place is odd */
	after = csum_replace_bytes(check, p + at, n, now, n, at ^ field);
	if (flags & CSUM_WRITE_UDP)
		after = csum_udp_keep(check, after);
	if (n == 0)
		return 0;
	memcpy(p + at, now, n);
	csum_store16(p + field, after);
	return 0;
}

int csum_write(void *msg, size_t len, size_t field, size_t at, const void *now,
	       size_t n, unsigned flags)
{
	return write_bytes(msg, len, field, at, now, n, flags);
}

int csum_ipv4_write(void *hdr, size_t len, size_t at, const void *now, size_t n)
{
	const unsigned char *p = hdr;
	size_t header;

	if (len < 20 || p[0] >> 4 != 4)
		return EINVAL;
	header = (size_t)4 * (p[0] & 15);
	if (header < 20 || header > len)
		return EINVAL;
	return write_bytes(hdr, header, CSUM_FIELD_IPV4, at, now, n, 0);
}

/* ------------------------------------------------------------------------
 * The maximum segment size
 */

/*
 * Finds the option of that @kind among those in [at, end); 0 where there is
 * none, SIZE_MAX where one reaches beyond the end.  IPv4 and TCP have the same
 * form: 0 ends them, 1 fills, and others have their length behind their kind.
 */
static size_t find_option(const unsigned char *p, size_t at, size_t end,
			  unsigned kind)
{
	while (at < end && p[at] != 0) {
		size_t len = 1;

		if (p[at] != 1) {
			if (end - at < 2 || p[at + 1] < 2 ||
			    p[at + 1] > end - at)
				return SIZE_MAX;
			len = p[at + 1];
		}
		if (p[at] == kind)
			return at;
		at += len;
	}
	return 0;
}

int csum_clamp_mss(void *tcp, size_t len, uint16_t most, uint16_t *was)
{
	enum { MSS = 2, MSS_LEN = 4, HEADER = 20 };
	const unsigned char *p = tcp;
	const csum_be16 now = csum_be16_from_host(most);
	size_t header, at;
	unsigned size;

	if (was)
		*was = 0;
	header = len < HEADER ? 0 : (size_t)4 * (p[12] >> 4);
	if (header < HEADER || header > len)
		return EINVAL;
	at = find_option(p, HEADER, header, MSS);
	if (at == 0)
		return 0;
	if (at == SIZE_MAX || p[at + 1] != MSS_LEN)
		return EINVAL;
	size = be16_at(p + at + 2);
	if (was)
		*was = (uint16_t)size;
	if (size <= most)
		return 0;
	return write_bytes(tcp, len, CSUM_FIELD_TCP, at + 2, &now, 2, 0);
}

/* ------------------------------------------------------------------------
 * Addresses and ports
 */

/* A packet from its IP header on. */
struct ip {
	unsigned char *p;
	size_t end; /* BYTES that are there and belong to the packet */
	bool ipv6;
	bool headless; /* a fragment that is not the first */
	bool fragment;
	bool detour; /* the checksum is that of other addresses */
	uint8_t protocol;
	size_t upper; /* of the upper layer, in BYTES from @p */
};

static void cut_to(struct ip *ip, size_t total)
{
	if (total && total < ip->end)
		ip->end = total;
}

/* RFC 791, section 3.1: a source route that is not used up. */
static bool has_route(const unsigned char *p, size_t header)
{
	enum { LOOSE = 131, STRICT = 137, FIXED = 20 };
	static const unsigned kinds[] = { LOOSE, STRICT };

	for (size_t i = 0; i < 2; i++) {
		size_t at = find_option(p, FIXED, header, kinds[i]);

		if (at == SIZE_MAX)
			return true; /* nobody can know */
		if (at && p[at + 1] > 2 && p[at + 2] <= p[at + 1])
			return true;
	}
	return false;
}

static int parse_ipv4(struct ip *ip)
{
	const unsigned char *p = ip->p;
	unsigned offset;

	if (ip->end < 20)
		return EINVAL;
	ip->upper = (size_t)4 * (p[0] & 15);
	cut_to(ip, be16_at(p + 2));
	if (ip->upper < 20 || ip->upper > ip->end)
		return EINVAL;
	offset = be16_at(p + 6);
	ip->headless = offset & 0x1fff;
	ip->fragment = offset & 0x3fff;
	ip->protocol = p[9];
	ip->detour = has_route(p, ip->upper);
	return 0;
}

/* RFC 6275, section 6.3: a home address takes the place of the source. */
static bool has_home_address(const unsigned char *p, size_t len)
{
	enum { HOME_ADDRESS = 201 };

	for (size_t at = 2; at < len;) {
		if (p[at] == HOME_ADDRESS)
			return true;
		at += p[at] == 0 ? 1 : at + 1 < len ? 2 + (size_t)p[at + 1] : 1;
	}
	return false;
}

/* One extension header at @ip->upper; its length in BYTES. */
static size_t take_extension(struct ip *ip)
{
	const unsigned char *p = ip->p + ip->upper;
	size_t len = 8 + (size_t)8 * p[1];

	if (ip->protocol == PROTOCOL_FRAGMENT) {
		ip->headless = ip->headless || be16_at(p + 2) >> 3;
		ip->fragment = true;
		return 8;
	}
	if (ip->protocol == PROTOCOL_AH)
		return 8 + (size_t)4 * p[1];
	if (len > ip->end - ip->upper)
		return len;
	if (ip->protocol == PROTOCOL_ROUTING && p[3] != 0)
		ip->detour = true;
	if (ip->protocol == PROTOCOL_OPTIONS && has_home_address(p, len))
		ip->detour = true;
	return len;
}

static bool is_extension(unsigned protocol)
{
	return protocol == 0 || protocol == PROTOCOL_ROUTING ||
	       protocol == PROTOCOL_FRAGMENT || protocol == PROTOCOL_AH ||
	       protocol == PROTOCOL_OPTIONS;
}

static int parse_ipv6(struct ip *ip)
{
	enum { HEADER = 40 };
	size_t len;

	if (ip->end < HEADER)
		return EINVAL;
	ip->protocol = ip->p[6];
	ip->upper = HEADER;
	len = be16_at(ip->p + 4);
	cut_to(ip, len ? HEADER + len : 0);
	while (!ip->headless && is_extension(ip->protocol)) {
		uint8_t next;

		if (ip->end - ip->upper < 8)
			return EINVAL;
		next = ip->p[ip->upper];
		len = take_extension(ip);
		if (len > ip->end - ip->upper)
			return EINVAL;
		ip->upper += len;
		ip->protocol = next;
	}
	return 0;
}

static int parse_ip(struct ip *ip, void *packet, size_t len)
{
	*ip = (struct ip){ .p = packet, .end = len };
	if (len == 0)
		return EINVAL;
	ip->ipv6 = ip->p[0] >> 4 == 6;
	if (!ip->ipv6 && ip->p[0] >> 4 != 4)
		return EINVAL;
	return ip->ipv6 ? parse_ipv6(ip) : parse_ipv4(ip);
}

/* Where the checksum is that covers the addresses; 0: there is none. */
static size_t field_of(const struct ip *ip)
{
	switch (ip->protocol) {
	case PROTOCOL_TCP:
		return CSUM_FIELD_TCP;
	case PROTOCOL_UDP:
	case PROTOCOL_UDPLITE:
	case PROTOCOL_DCCP:
		return CSUM_FIELD_UDP;
	case PROTOCOL_ICMPV6:
		return ip->ipv6 ? CSUM_FIELD_ICMP : 0;
	default:
		return 0;
	}
}

/* Has a checksum with a pseudo-header, and it is not looked for here. */
static bool is_unknown(const struct ip *ip)
{
	switch (ip->protocol) {
	case PROTOCOL_OSPF:
	case PROTOCOL_PIM:
	case PROTOCOL_MOBILITY:
		return ip->ipv6;
	case PROTOCOL_VRRP:
		return true;
	default:
		return false;
	}
}

static bool has_ports(const struct ip *ip)
{
	return field_of(ip) && ip->protocol != PROTOCOL_ICMPV6;
}

enum {
	ADDRESSES = CSUM_NAT_SOURCE_ADDRESS | CSUM_NAT_DESTINATION_ADDRESS,
	PORTS = CSUM_NAT_SOURCE_PORT | CSUM_NAT_DESTINATION_PORT,
};

/* Why @nat cannot be done to the packet, or 0. */
static int refusal(const struct ip *ip, const struct csum_nat_rule *nat,
		   bool cut)
{
	const size_t there = ip->end - ip->upper;
	size_t needed;

	if (ip->headless)
		return 0;
	if ((ip->detour || is_unknown(ip)) && nat->change & ADDRESSES)
		return ENOTSUP;
	if (ip->protocol == PROTOCOL_SCTP && nat->change & PORTS)
		return ENOTSUP;
	if (field_of(ip) == 0)
		return 0;
	needed = field_of(ip) + 2;
	if (cut)
		needed = has_ports(ip) ? 4 : 0;
	return there < needed ? EINVAL : 0;
}

/* Of two or four bytes mostly: a call takes longer than that. */
#define INLINE inline __attribute__((always_inline))

/* What has been written, as seen by the checksums that cover it. */
struct written {
	struct csum_changes addresses, ports, all;
};

/*
 * Writes @n bytes, an even number, and returns what that changes in a sum: ~m
 * + m' of each word.  A call of csum_partial() for a few bytes would take
 * longer than all the rest.
 */
static INLINE csum_wsum write_words(unsigned char *p, const unsigned char *now,
				    size_t n)
{
	uint64_t sum = 0;

	for (; n >= 4; n -= 4, p += 4, now += 4) {
		sum += 0xffffffffu ^ csum_load32(p);
		sum += csum_load32(now);
		memcpy(p, now, 4);
	}
	if (n) {
		sum += 0xffffu ^ csum_load16(p);
		sum += csum_load16(now);
		memcpy(p, now, 2);
	}
	return csum_from64(sum);
}

static void add_change(struct csum_changes *c, csum_wsum diff)
{
	c->diff = csum_add(c->diff, diff);
	c->any = true;
}

/* @p is at an even place of what each of @a and @b sums. */
static INLINE void put(unsigned char *p, const void *now, size_t n,
		       struct csum_changes *a, struct csum_changes *b)
{
	const csum_wsum diff = write_words(p, now, n);

	if (a)
		add_change(a, diff);
	add_change(b, diff);
}

static void put_check(unsigned char *p, csum_sum16 check,
		      struct csum_changes *all)
{
	unsigned char bytes[2];

	csum_store16(bytes, check);
	put(p, bytes, 2, NULL, all);
}

static void put_addresses(const struct ip *ip, const struct csum_nat_rule *nat,
			  struct written *w)
{
	const size_t len = ip->ipv6 ? 16 : 4, at = ip->ipv6 ? 8 : 12;
	unsigned char *field = ip->p + CSUM_FIELD_IPV4;

	if (nat->change & CSUM_NAT_SOURCE_ADDRESS)
		put(ip->p + at, nat->source_address, len, &w->addresses,
		    &w->all);
	if (nat->change & CSUM_NAT_DESTINATION_ADDRESS)
		put(ip->p + at + len, nat->destination_address, len,
		    &w->addresses, &w->all);
	if (!ip->ipv6 && w->addresses.any)
		put_check(field,
			  csum_changes_check(&w->addresses,
					     csum_load_sum16(field)),
			  &w->all);
}

static void put_ports(const struct ip *ip, const struct csum_nat_rule *nat,
		      struct written *w)
{
	unsigned char *p = ip->p + ip->upper;

	if (nat->change & CSUM_NAT_SOURCE_PORT)
		put(p, &nat->source_port, 2, &w->ports, &w->all);
	if (nat->change & CSUM_NAT_DESTINATION_PORT)
		put(p + 2, &nat->destination_port, 2, &w->ports, &w->all);
}

/* The checksum of the upper layer, if it is there. */
static void put_upper(const struct ip *ip, const struct csum_nat_rule *nat,
		      struct written *w)
{
	unsigned char *field = ip->p + ip->upper + field_of(ip);
	struct csum_changes both;
	csum_sum16 check;

	if (ip->end - ip->upper < field_of(ip) + 2)
		return;
	check = csum_load_sum16(field);
	both.any = w->addresses.any || w->ports.any;
	both.diff = csum_add(w->addresses.diff, w->ports.diff);
	if (ip->protocol == PROTOCOL_UDP && csum_udp_absent(check))
		return;
	if (nat->change & CSUM_NAT_SEED &&
	    (ip->protocol == PROTOCOL_TCP || ip->protocol == PROTOCOL_UDP))
		check = CSUM_AS(csum_sum16,
				csum_changes_seed(&w->addresses,
						  csum_load_seed(field)));
	else if (ip->protocol == PROTOCOL_UDP)
		check = csum_changes_udp(&both, check);
	else
		check = csum_changes_check(&both, check);
	put_check(field, check, &w->all);
}

/* @all: what has changed in the packet. */
static int translate(void *packet, size_t len, const struct csum_nat_rule *nat,
		     bool cut, struct csum_changes *all)
{
	struct written w = { 0 };
	struct ip ip;
	int error = parse_ip(&ip, packet, len);

	if (error == 0)
		error = refusal(&ip, nat, cut);
	if (error)
		return error;
	put_addresses(&ip, nat, &w);
	if (!ip.headless && has_ports(&ip))
		put_ports(&ip, nat, &w);
	if (!ip.headless && field_of(&ip))
		put_upper(&ip, nat, &w);
	/* one by one: all at once would wait for two stores of other widths */
	all->diff = w.all.diff;
	all->any = w.all.any;
	return 0;
}

int csum_nat(void *packet, size_t len, const struct csum_nat_rule *nat)
{
	struct csum_changes all;

	return translate(packet, len, nat, false, &all);
}

/* RFC 792, RFC 4443: messages that quote the packet they are about. */
static bool is_error(const struct ip *ip, unsigned type)
{
	if (ip->ipv6)
		return ip->protocol == PROTOCOL_ICMPV6 && type >= 1 &&
		       type <= 4;
	return ip->protocol == PROTOCOL_ICMP &&
	       ((type >= 3 && type <= 5) || type == 11 || type == 12);
}

int csum_nat_quoted(void *packet, size_t len, const struct csum_nat_rule *nat)
{
	enum { HEADER = 8 };
	struct csum_changes all;
	unsigned char *error, *field;
	struct ip ip;
	int status = parse_ip(&ip, packet, len);

	if (status)
		return status;
	if (ip.fragment)
		return ENOTSUP;
	error = ip.p + ip.upper;
	if (ip.end - ip.upper < HEADER || !is_error(&ip, error[0]))
		return EINVAL;
	status = translate(error + HEADER, ip.end - ip.upper - HEADER, nat,
			   true, &all);
	if (status)
		return status;
	field = error + CSUM_FIELD_ICMP;
	csum_store16(field, csum_changes_check(&all, csum_load_sum16(field)));
	return 0;
}

/* ------------------------------------------------------------------------
 * Checksum-neutral prefixes
 */

/*
 * The word that takes the difference; 0: none can, or none may.  RFC 6296,
 * section 3.7, drops a packet whose interface identifier is all zeros.  Nothing
 * in the arithmetic asks for that, and erratum 8757 reports that all ones were
 * meant; but that erratum is not verified.
 */
static size_t adjusted_word(const unsigned char *address, unsigned bits)
{
	static const unsigned char zeros[8];
	const size_t first = bits <= 48 ? 6 : 8, end = bits <= 48 ? 8 : 16;

	if (bits > 48 && memcmp(address + 8, zeros, 8) == 0)
		return 0;
	for (size_t at = first; at < end; at += 2)
		if (be16_at(address + at) != 0xffff)
			return at;
	return 0;
}

static void put_prefix(unsigned char *address, const unsigned char *prefix,
		       unsigned bits)
{
	const size_t whole = bits / 8;
	const unsigned kept = 0xffu >> bits % 8;

	memcpy(address, prefix, whole);
	if (bits % 8)
		address[whole] = (unsigned char)((prefix[whole] & ~kept) |
						 (address[whole] & kept));
}

int csum_prefix(void *address, const void *prefix, unsigned bits)
{
	unsigned char *p = address;
	csum_wsum before, word;
	uint16_t after;
	size_t at;

	if (bits > 64)
		return EINVAL;
	at = adjusted_word(p, bits);
	if (at == 0)
		return EINVAL;
	before = csum_partial(p, 16, 0);
	put_prefix(p, prefix, bits);
	word = csum_add(csum_from16(csum_load16(p + at)),
			csum_sub(before, csum_partial(p, 16, 0)));
	after = csum_to16(word);
	/* of the two zeros the one that can be translated back */
	csum_store16(p + at, after == 0xffff ? 0 : after);
	return 0;
}
