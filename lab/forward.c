/* SPDX-License-Identifier: BSD-2-Clause */
/* forward.c - from one TUN device to another: what a tunnel does to packets. */
#include "forward.h"

#include <linux/virtio_net.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "csum_packet.h"

/* New in Linux 6.2. */
#ifndef VIRTIO_NET_HDR_GSO_UDP_L4
#define VIRTIO_NET_HDR_GSO_UDP_L4 5
#endif

enum {
	TCP = 6,
	UDP = 17,
	IPV4 = 20, /* BYTES of the shortest header, as the next two */
	IPV6 = 40,
	TCP_FLAGS = 13,
	FIN_AND_PSH = 0x09,
	CWR = 0x80,
	/* the bit that a translation flips: no two ports become one */
	PORT_BIT = 0x0100,
};

/* ------------------------------------------------------------------------
 * TCP and UDP packets
 */

/* Where the message of a packet is, and what goes with it. */
struct upper {
	bool ipv6;
	uint8_t proto;
	size_t start, len; /* BYTES */
	size_t header;	   /* of that, its own header */
};

static size_t get16(const unsigned char *p)
{
	return csum_be16_from_host(csum_load16(p));
}

static void put16(unsigned char *p, size_t v)
{
	csum_store16(p, csum_be16_from_host((uint16_t)v));
}

/* The network header: false unless a whole message is behind it. */
static bool find_message(const unsigned char *p, size_t len, struct upper *u)
{
	size_t end;

	if (len >= IPV4 && p[0] >> 4 == 4) {
		u->ipv6 = false;
		u->start = 4u * (p[0] & 15u);
		u->proto = p[9];
		end = get16(p + 2);
		/* more fragments, or an offset */
		if (u->start < IPV4 || (get16(p + 6) & 0x3fff))
			return false;
	} else if (len >= IPV6 && p[0] >> 4 == 6) {
		u->ipv6 = true;
		u->start = IPV6;
		u->proto = p[6];
		end = IPV6 + get16(p + 4);
	} else {
		return false;
	}
	if (end > len || end < u->start)
		return false;
	u->len = end - u->start;
	return true;
}

static bool find_upper(const unsigned char *p, size_t len, struct upper *u)
{
	if (!find_message(p, len, u))
		return false;
	u->header = 8;
	if (u->proto == TCP && u->len >= 20)
		u->header = 4u * (p[u->start + 12] >> 4);
	else if (u->proto != UDP)
		return false;
	return u->header >= 8 && u->header <= u->len;
}

static csum_wsum add_pseudo(const unsigned char *p, const struct upper *u,
			    size_t len, csum_wsum sum)
{
	if (u->ipv6)
		return csum_pseudo_ipv6(p + 8, p + 24, (uint32_t)len, u->proto,
					sum);
	return csum_pseudo_ipv4(csum_load32(p + 12), csum_load32(p + 16),
				(uint32_t)len, u->proto, sum);
}

static bool is_right(const unsigned char *p, const struct upper *u)
{
	if (!u->ipv6 && !csum_ok(csum_partial(p, u->start, 0)))
		return false;
	if (u->proto == UDP && !u->ipv6 &&
	    csum_udp_absent(csum_load_sum16(p + u->start + CSUM_FIELD_UDP)))
		return true;
	return csum_ok(add_pseudo(p, u, u->len,
				  csum_partial(p + u->start, u->len, 0)));
}

/* ------------------------------------------------------------------------
 * Delivery
 */

static void deliver(struct lab_forward *f, struct virtio_net_hdr *h,
		    unsigned char *p, size_t len)
{
	struct iovec iov[2] = { { h, sizeof(*h) }, { p, len } };
	ssize_t n = f->headers ? writev(f->to, iov, 2) : write(f->to, p, len);

	if (n < 0)
		f->counts.refused++;
	else
		f->counts.delivered++;
}

/* The last byte is covered by the checksum, whatever the packet is. */
static void maybe_corrupt(struct lab_forward *f, unsigned char *p,
			  const struct upper *u)
{
	if (!f->corrupt || ++f->since < f->corrupt)
		return;
	f->since = 0;
	p[u->start + u->len - 1] ^= 1;
	f->counts.corrupted++;
}

static void verify_and_deliver(struct lab_forward *f, struct virtio_net_hdr *h,
			       unsigned char *p, size_t len)
{
	struct upper u;

	if (!find_upper(p, len, &u)) {
		f->counts.unchecked++;
	} else {
		f->counts.verified++;
		if (!is_right(p, &u)) {
			f->counts.wrong++;
			return;
		}
		maybe_corrupt(f, p, &u);
	}
	deliver(f, h, p, len);
}

/* ------------------------------------------------------------------------
 * Segmentation
 */

static void set_length(unsigned char *p, const struct upper *u, size_t number,
		       size_t payload)
{
	if (u->ipv6) {
		put16(p + 4, u->header + payload);
		return;
	}
	put16(p + 2, u->start + u->header + payload);
	put16(p + 4, get16(p + 4) + number);
	memset(p + CSUM_FIELD_IPV4, 0, 2);
	csum_store16(p + CSUM_FIELD_IPV4, csum_ipv4_header(p, p[0] & 15u));
}

static void set_tcp(unsigned char *tcp, size_t at, bool first, bool last)
{
	uint32_t sequence = csum_be32_from_host(csum_load32(tcp + 4));
	csum_be32 moved = csum_be32_from_host(sequence + (uint32_t)at);

	memcpy(tcp + 4, &moved, 4);
	if (!first)
		tcp[TCP_FLAGS] &= (unsigned char)~CWR;
	if (!last)
		tcp[TCP_FLAGS] &= (unsigned char)~FIN_AND_PSH;
}

/* @sum: of the payload, which is there already. */
static void set_checksum(unsigned char *p, const struct upper *u,
			 size_t payload, csum_wsum sum)
{
	unsigned char *upper = p + u->start;
	const size_t len = u->header + payload;
	const bool udp = u->proto == UDP;
	unsigned char *field = upper + (udp ? CSUM_FIELD_UDP : CSUM_FIELD_TCP);

	memset(field, 0, 2);
	sum = csum_combine(csum_partial(upper, u->header, 0), sum, u->header);
	sum = add_pseudo(p, u, len, sum);
	csum_store16(field, udp ? csum_fold_udp(sum) : csum_fold(sum));
}

static void cut(struct lab_forward *f, const unsigned char *p,
		const struct upper *u, size_t size)
{
	const size_t headers = u->start + u->header;
	const size_t payload = u->len - u->header;
	unsigned char piece[LAB_FORWARD_ROOM];
	struct virtio_net_hdr none = { 0 };

	for (size_t at = 0, i = 0; at < payload; at += size, i++) {
		size_t n = payload - at < size ? payload - at : size;
		csum_wsum sum;

		memcpy(piece, p, headers);
		sum = csum_copy(piece + headers, p + headers + at, n, 0);
		set_length(piece, u, i, n);
		if (u->proto == TCP)
			set_tcp(piece + u->start, at, !i, at + n == payload);
		else
			put16(piece + u->start + 4, u->header + n);
		set_checksum(piece, u, n, sum);
		verify_and_deliver(f, &none, piece, headers + n);
	}
}

/* ------------------------------------------------------------------------
 * Translation
 */

/* False unless the packet goes where this translation is for. */
static bool rule_for(const struct lab_forward_nat *nat, const unsigned char *p,
		     const struct upper *u, struct csum_nat_rule *rule)
{
	const struct lab_forward_address *a = u->ipv6 ? nat->ipv6 : nat->ipv4;
	const size_t n = u->ipv6 ? 16 : 4, at = u->ipv6 ? 24 : 16;
	const unsigned char *port = p + u->start + (nat->source_port ? 0 : 2);
	csum_be16 other =
		csum_be16_from_host((uint16_t)(get16(port) ^ PORT_BIT));

	if (memcmp(p + at, a[1].was, n) != 0)
		return false;
	*rule = (struct csum_nat_rule){
		.change = CSUM_NAT_SOURCE_ADDRESS |
			  CSUM_NAT_DESTINATION_ADDRESS |
			  (nat->source_port ? CSUM_NAT_SOURCE_PORT
					    : CSUM_NAT_DESTINATION_PORT),
		.source_port = other,
		.destination_port = other,
	};
	memcpy(rule->source_address, a[0].now, n);
	memcpy(rule->destination_address, a[1].now, n);
	return true;
}

/* A seed is translated as a seed: that is what must not be mixed up. */
static bool translate(const struct lab_forward *f, unsigned char *p, size_t len,
		      bool seed)
{
	struct csum_nat_rule rule;
	struct upper u;

	if (!f->nat.on || !find_upper(p, len, &u) ||
	    !rule_for(&f->nat, p, &u, &rule))
		return true;
	if (seed)
		rule.change |= CSUM_NAT_SEED;
	return csum_nat(p, len, &rule) == 0;
}

/* ------------------------------------------------------------------------
 * One packet
 */

static bool complete(const struct virtio_net_hdr *h, unsigned char *p,
		     size_t len)
{
	const struct iovec iov = { p, len };
	const unsigned udp =
		h->csum_offset == CSUM_FIELD_UDP ? CSUM_COMPLETE_UDP : 0;

	return csum_complete(&iov, 1, h->csum_start, h->csum_offset, udp) == 0;
}

/* Whether the packet has gone, in segments. */
static bool was_cut(struct lab_forward *f, const struct virtio_net_hdr *h,
		    const unsigned char *p, size_t len)
{
	const bool udp = h->gso_type == VIRTIO_NET_HDR_GSO_UDP_L4;
	struct upper u;

	if (!(udp || f->segment) || !h->gso_size || !find_upper(p, len, &u))
		return false;
	cut(f, p, &u, h->gso_size);
	return true;
}

static void forward_one(struct lab_forward *f, struct virtio_net_hdr *h,
			unsigned char *p, size_t len)
{
	const bool seed = h->flags & VIRTIO_NET_HDR_F_NEEDS_CSUM;
	const bool large = h->gso_type != VIRTIO_NET_HDR_GSO_NONE;

	f->counts.packets++;
	f->counts.unfinished += seed;
	f->counts.large += large;
	if (!translate(f, p, len, seed)) {
		f->counts.wrong++;
		return;
	}
	if (large && was_cut(f, h, p, len))
		return;
	if (seed && !complete(h, p, len)) {
		f->counts.wrong++;
		return;
	}
	/* finished, and nobody has verified it: so says a header without flags
	 */
	h->flags = 0;
	h->csum_start = h->csum_offset = 0;
	verify_and_deliver(f, h, p, len);
}

size_t lab_forward(struct lab_forward *f, size_t most)
{
	unsigned char packet[LAB_FORWARD_ROOM];
	size_t n = 0;

	for (; n < most; n++) {
		struct virtio_net_hdr h = { 0 };
		const size_t front = f->headers ? sizeof(h) : 0;
		ssize_t len = read(f->from, packet, sizeof(packet));

		if (len < 0 || (size_t)len < front)
			break;
		memcpy(&h, packet, front);
		forward_one(f, &h, packet + front, (size_t)len - front);
	}
	return n;
}

void lab_forward_add(struct lab_forward_counts *a,
		     const struct lab_forward_counts *b)
{
	a->packets += b->packets;
	a->unfinished += b->unfinished;
	a->large += b->large;
	a->delivered += b->delivered;
	a->verified += b->verified;
	a->wrong += b->wrong;
	a->unchecked += b->unchecked;
	a->corrupted += b->corrupted;
	a->refused += b->refused;
}
