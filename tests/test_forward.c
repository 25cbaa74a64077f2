/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_forward.c - what the forwarder of `csum bench tunnel` makes of packets,
 * by the model; sockets stand for the TUN devices.
 */
#include <linux/virtio_net.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "forward.h"
#include "model.h"
#include "testing.h"

enum { GSO_UDP = 5, MOST = 4096, TCP = 6, UDP = 17, HDR = 10 };

/* A packet as it was made or came out, and what a test needs to know of it. */
struct packet {
	struct virtio_net_hdr h;
	unsigned char p[MOST];
	size_t len, start, header; /* of TCP or UDP */
	int proto;
	bool ipv6;
};

static int outside, inside, sink, source; /* two pairs */

static void put16(unsigned char *p, size_t v)
{
	p[0] = (unsigned char)(v >> 8);
	p[1] = (unsigned char)v;
}

static size_t get16(const unsigned char *p)
{
	return (size_t)p[0] << 8 | p[1];
}

/* Of the pseudo-header, by the model; a host integer, as in all below. */
static uint16_t pseudo(const struct packet *k, const unsigned char *p,
		       size_t len)
{
	unsigned char b[40] = { 0 };
	const size_t n = k->ipv6 ? 32 : 8;

	memcpy(b, p + (k->ipv6 ? 8 : 12), n);
	put16(b + n, (size_t)k->proto);
	put16(b + n + 2, len);
	return model_csum(b, n + 4, 0);
}

static unsigned char *field_of(struct packet *k)
{
	return k->p + k->start + (k->proto == UDP ? 6 : 16);
}

static void make_network(struct packet *k)
{
	unsigned char *p = k->p;

	if (k->ipv6) {
		p[0] = 0x60;
		put16(p + 4, k->len - 40);
		p[6] = (unsigned char)k->proto;
		return;
	}
	p[0] = 0x45;
	put16(p + 2, k->len);
	put16(p + 6, 0x4000);
	p[9] = (unsigned char)k->proto;
	put16(p + 10, 0);
	put16(p + 10, 0xffff ^ model_csum(p, 20, 0));
}

/* With a seed, as a kernel leaves it; @size: of a segment, or 0. */
static struct packet make(bool ipv6, int proto, size_t payload, size_t size)
{
	struct packet k = { .ipv6 = ipv6, .proto = proto };
	unsigned char *upper;

	k.start = ipv6 ? 40 : 20;
	k.header = proto == UDP ? 8 : 32;
	k.len = k.start + k.header + payload;
	testing_random_fill(k.p, k.len);
	make_network(&k);
	upper = k.p + k.start;
	if (proto == TCP) {
		upper[12] = 0x80;
		upper[13] = 0x99; /* CWR, ACK, PSH, FIN */
	} else {
		put16(upper + 4, k.header + payload);
	}
	put16(field_of(&k), pseudo(&k, k.p, k.header + payload));
	k.h.flags = VIRTIO_NET_HDR_F_NEEDS_CSUM;
	k.h.csum_start = (uint16_t)k.start;
	k.h.csum_offset = (uint16_t)(field_of(&k) - upper);
	k.h.gso_size = (uint16_t)size;
	if (size)
		k.h.gso_type = proto == UDP ? GSO_UDP
			       : ipv6	    ? VIRTIO_NET_HDR_GSO_TCPV6
					    : VIRTIO_NET_HDR_GSO_TCPV4;
	return k;
}

static void send_in(const struct packet *k)
{
	unsigned char b[HDR + MOST];

	memcpy(b, &k->h, HDR);
	memcpy(b + HDR, k->p, k->len);
	if (send(outside, b, HDR + k->len, 0) < 0)
		abort();
}

/* False if there is none. */
static bool take_out(const struct packet *like, struct packet *k)
{
	unsigned char b[HDR + MOST];
	ssize_t n = recv(sink, b, sizeof(b), MSG_DONTWAIT);

	if (n < HDR)
		return false;
	*k = *like;
	memcpy(&k->h, b, HDR);
	k->len = (size_t)n - HDR;
	memcpy(k->p, b + HDR, k->len);
	return true;
}

static bool is_right(const struct packet *k)
{
	const size_t len = k->len - k->start;
	const uint16_t sum =
		model_csum(k->p + k->start, len, pseudo(k, k->p, len));

	return sum == 0xffff && !k->h.flags &&
	       (k->ipv6 || model_csum(k->p, 20, 0) == 0xffff);
}

static struct lab_forward between(void)
{
	return (struct lab_forward){ .from = inside,
				     .to = source,
				     .headers = true };
}

/* ------------------------------------------------------------------------ */

static void test_complete(bool ipv6, int proto)
{
	struct packet k = make(ipv6, proto, 1001, 0), out;
	struct lab_forward f = between();

	send_in(&k);
	lab_forward(&f, 8);
	tap_ok(take_out(&k, &out) && is_right(&out) && out.len == k.len &&
		       f.counts.verified == 1 && f.counts.unfinished == 1,
	       "IPv%d, protocol %d: a seed becomes a checksum", ipv6 ? 6 : 4,
	       proto);
	field_of(&k)[1] ^= 1;
	send_in(&k);
	lab_forward(&f, 8);
	tap_ok(!take_out(&k, &out) && f.counts.wrong == 1,
	       "... and what is wrong is not delivered");
	k = make(ipv6, proto, 10, 0);
	f.corrupt = 3;
	for (int i = 0; i < 6; i++)
		send_in(&k);
	lab_forward(&f, 8);
	for (int i = 0; i < 6; i++)
		if (!take_out(&k, &out) || is_right(&out) == (i % 3 == 2))
			f.counts.corrupted = 99;
	tap_ok(f.counts.corrupted == 2, "... one in three is corrupted");
}

static bool tcp_piece_is_right(const struct packet *k, const struct packet *out,
			       size_t at, size_t payload)
{
	const unsigned char *was = k->p + k->start, *now = out->p + k->start;
	const size_t n = out->len - k->start - k->header;
	const bool first = at == 0, last = at + n == payload;
	const uint32_t moved =
		(uint32_t)(get16(now + 4) << 16 | get16(now + 6)) -
		(uint32_t)(get16(was + 4) << 16 | get16(was + 6));

	return moved == at &&
	       now[13] == (0x10 | (first ? 0x80 : 0) | (last ? 0x09 : 0));
}

/* What comes out is the payload in pieces, each with a number of its own. */
static bool pieces_are_right(const struct packet *k, size_t size)
{
	const size_t headers = k->start + k->header;
	const size_t payload = k->len - headers;
	struct packet out;
	size_t at = 0;

	for (size_t i = 0; take_out(k, &out); i++) {
		const size_t n = out.len - headers;

		if (!is_right(&out) || out.h.gso_type || out.len <= headers ||
		    n != (payload - at < size ? payload - at : size) ||
		    memcmp(out.p + headers, k->p + headers + at, n) != 0)
			return false;
		if (!k->ipv6 &&
		    ((get16(out.p + 4) - get16(k->p + 4)) & 0xffff) != i)
			return false;
		if (k->proto == TCP &&
		    !tcp_piece_is_right(k, &out, at, payload))
			return false;
		if (k->proto == UDP && get16(out.p + k->start + 4) != 8 + n)
			return false;
		at += n;
	}
	return at == payload;
}

static void test_cut(bool ipv6, int proto, size_t payload, size_t size)
{
	struct packet k = make(ipv6, proto, payload, size);
	struct lab_forward f = between();

	f.segment = true;
	send_in(&k);
	lab_forward(&f, 8);
	tap_ok(pieces_are_right(&k, size) && f.counts.large == 1 &&
		       !f.counts.wrong,
	       "IPv%d, protocol %d: %zu bytes in pieces of %zu", ipv6 ? 6 : 4,
	       proto, payload, size);
}

static void test_nat(bool ipv6, int proto)
{
	const size_t n = ipv6 ? 16 : 4, at = ipv6 ? 8 : 12;
	struct packet k = make(ipv6, proto, 77, 0), out;
	struct lab_forward f = between();
	struct lab_forward_address *a = ipv6 ? f.nat.ipv6 : f.nat.ipv4;

	f.nat.on = f.nat.source_port = true;
	for (size_t i = 0; i < 2; i++) {
		memcpy(a[i].was, k.p + at + i * n, n);
		testing_random_fill(a[i].now, n);
	}
	send_in(&k);
	lab_forward(&f, 8);
	tap_ok(take_out(&k, &out) && is_right(&out) &&
		       memcmp(out.p + at, a[0].now, n) == 0 &&
		       memcmp(out.p + at + n, a[1].now, n) == 0 &&
		       get16(out.p + k.start) != get16(k.p + k.start),
	       "IPv%d, protocol %d: a seed is translated, then completed",
	       ipv6 ? 6 : 4, proto);
	a[1].was[0] ^= 1;
	send_in(&k);
	lab_forward(&f, 8);
	tap_ok(take_out(&k, &out) && is_right(&out) &&
		       memcmp(out.p + at, k.p + at, 2 * n) == 0,
	       "... and what goes elsewhere is not translated");
}

/* Nothing of these is looked into, and nothing is read beyond. */
static void test_short(void)
{
	struct packet k = make(false, TCP, 0, 0), out;
	struct lab_forward f = between();
	size_t came = 0;

	k.h.flags = 0;
	k.p[k.start + 12] = 0xf0; /* a TCP header that is longer */
	for (size_t len = 0; len < k.len; len++) {
		struct packet cut = k;

		cut.len = len;
		send_in(&cut);
		lab_forward(&f, 1);
		came += take_out(&cut, &out);
	}
	tap_ok(came == k.len && f.counts.unchecked == k.len,
	       "what is cut short is handed on, and not called verified");
}

static bool make_pair(int *a, int *b)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends))
		return false;
	*a = ends[0];
	*b = ends[1];
	return true;
}

int main(int argc, char **argv)
{
	testing_init(argc, argv);
	if (!make_pair(&outside, &inside) || !make_pair(&source, &sink))
		return 2;
	for (int i = 0; i < 4; i++) {
		const bool ipv6 = i & 1;
		const int proto = i & 2 ? UDP : TCP;

		test_complete(ipv6, proto);
		test_cut(ipv6, proto, 3001, 1447);
		test_cut(ipv6, proto, 2896, 1448);
		test_cut(ipv6, proto, 7, 1448);
		test_nat(ipv6, proto);
	}
	test_short();
	return tap_done();
}
