/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_segment.c - large packets into segments, and back, by csum_packet.h:
 * random TCP and UDP packets, in tunnels too, against recomputation.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csum_packet.h"
#include "model.h"
#include "testing.h"

enum { ROOM = 300000, HEADERS = 256 };

static uint32_t below(uint32_t n)
{
	return (uint32_t)(testing_random() % n);
}

static void put16(uint8_t *p, size_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static uint32_t get16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t get32(const uint8_t *p)
{
	return get16(p) << 16 | get16(p + 2);
}

/* A packet whose headers are made from the inside out. */
struct made {
	uint8_t *memory; /* of HEADERS + ROOM */
	uint8_t *p;	 /* its first byte */
	size_t len, payload;
	unsigned type; /* what is in front: an ethertype */
	bool udp, big;
	size_t msg, ip[4]; /* BYTES from the start; IPv4 headers alone */
	unsigned nip;
};

static uint8_t *prepend(struct made *m, size_t n)
{
	m->p -= n;
	m->len += n;
	m->msg += n;
	for (unsigned i = 0; i < m->nip; i++)
		m->ip[i] += n;
	testing_random_fill(m->p, n);
	return m->p;
}

/* A length that 16 bits do not hold is 0. */
static size_t length16(size_t n)
{
	return n > UINT16_MAX ? 0 : n;
}

static void add_ip(struct made *m, unsigned protocol, unsigned inner)
{
	const bool jumbo = m->len > UINT16_MAX && !below(2);
	uint8_t *h;

	if (inner)
		protocol = inner == 0x0800 ? 4 : 41;
	if (jumbo) {
		h = prepend(m, 8);
		h[0] = (uint8_t)protocol;
		memcpy(h + 1, "\0\xc2\4", 3);
		put16(h + 4, m->len >> 16);
		put16(h + 6, m->len & 0xffff);
	}
	if (jumbo || below(2)) {
		const size_t len = m->len;

		h = prepend(m, 40);
		h[0] = 0x60;
		put16(h + 4, length16(len));
		h[6] = jumbo ? 0 : (uint8_t)protocol;
		m->type = 0x86dd;
		return;
	}
	h = prepend(m, 20);
	h[0] = 0x45;
	put16(h + 2, length16(m->len));
	put16(h + 6, 0x4000);
	h[9] = (uint8_t)protocol;
	m->type = 0x0800;
	memmove(m->ip + 1, m->ip, m->nip * sizeof(*m->ip));
	m->ip[0] = 0;
	m->nip++;
}

static void add_tunnel(struct made *m)
{
	const unsigned inner = m->type;
	uint8_t *h;

	switch (below(3)) {
	case 0: /* IP in IP */
		add_ip(m, 0, inner);
		break;
	case 1: /* GRE, with checksum and key or not */
		if (below(2)) {
			h = prepend(m, 12);
			put16(h, 0xa000);
			put16(h + 6, 0);
		} else {
			h = prepend(m, 4);
			put16(h, 0);
		}
		put16(h + 2, inner);
		add_ip(m, 47, 0);
		break;
	default: /* VXLAN */
		h = prepend(m, 14);
		put16(h + 12, inner);
		h = prepend(m, 8);
		memcpy(h, "\x08\0\0\0", 4);
		h[7] = 0;
		h = prepend(m, 8);
		put16(h + 2, 4789);
		put16(h + 4, length16(m->len));
		if (below(2))
			put16(h + 6, 0);
		add_ip(m, 17, 0);
		break;
	}
}

static void make(struct made *m, size_t payload, unsigned tunnels)
{
	uint8_t *h;

	m->p = m->memory + HEADERS;
	m->len = m->payload = payload;
	m->msg = m->nip = 0;
	m->udp = payload < 65000 && below(2);
	testing_random_fill(m->p, payload);
	h = prepend(m, m->udp ? 8 : 20 + 12);
	m->msg = 0;
	if (m->udp) {
		put16(h, 1000);
		put16(h + 2, 2000);
		put16(h + 4, length16(m->len));
		h[6] = 1;
	} else {
		h[12] = 0x80;
		h[13] = (uint8_t)(0x10 | (below(2) ? 0x80 : 0) |
				  (below(2) ? 0x09 : 0));
	}
	add_ip(m, m->udp ? 17 : 6, 0);
	while (tunnels--)
		add_tunnel(m);
	m->big = m->len > UINT16_MAX;
}

/* What TCP, UDP and IPv4 headers of segment @index have to say. */
static bool counts_are_right(const struct made *m, const uint8_t *p, size_t len,
			     size_t jumbo, unsigned index, size_t size,
			     bool last)
{
	const uint8_t *h = p + m->msg - jumbo, *was = m->p + m->msg;
	uint8_t flags = was[13];

	for (unsigned i = 0; i < m->nip; i++) {
		const uint8_t *ip = p + m->ip[i] - (i ? jumbo : 0);

		if (get16(ip + 4) !=
		    ((get16(m->p + m->ip[i] + 4) + index) & 0xffff))
			return false;
	}
	if (m->udp)
		return get16(h + 4) == len - (size_t)(h - p) &&
		       memcmp(h, was, 4) == 0;
	if (!last)
		flags &= (uint8_t)~0x09;
	if (index)
		flags &= (uint8_t)~0x80;
	return h[13] == flags &&
	       get32(h + 4) == (uint32_t)(get32(was + 4) + index * size) &&
	       memcmp(h + 8, was + 8, 5) == 0 &&
	       memcmp(h + 18, was + 18, 14) == 0;
}

/* Right, absent where it was, and as the model computes it without a tunnel. */
static bool sums_are_right(const uint8_t *p, size_t len)
{
	const unsigned bits = csum_packet_check(p, len, CSUM_LINK_IP, 0, NULL);
	const bool ipv6 = p[0] >> 4 == 6;
	const size_t at = ipv6 ? 40 : 20;
	const unsigned protocol = ipv6 ? p[6] : p[9];
	uint8_t pseudo[36] = { 0 };
	size_t n = ipv6 ? 32 : 8;

	if (!(bits & CSUM_HAS_GOOD) ||
	    bits & ~(unsigned)(CSUM_HAS_GOOD | CSUM_HAS_ABSENT))
		return false;
	if (protocol != 6)
		return true;
	memcpy(pseudo, p + (ipv6 ? 8 : 12), n);
	put16(pseudo + n, len - at);
	pseudo[n + 3] = 6;
	return model_csum(p + at, len - at, model_csum(pseudo, n + 4, 0)) ==
	       0xffff;
}

struct tally {
	unsigned packets, segments, joined;
};

/* One packet into segments, all of them judged; and back if that is possible.
 */
static bool round_trip(struct made *m, size_t size, uint8_t *back,
		       struct tally *t)
{
	uint8_t out[HEADERS + 1500];
	struct csum_segmenter s;
	struct csum_joiner j;
	size_t n, done = 0, jumbo;
	unsigned index = 0;

	if (csum_segment(&s, m->p, m->len, size))
		return false;
	jumbo = m->len - m->payload - s.header;
	if (csum_segment_next(&s, out, s.header) && m->payload)
		return false;
	while ((n = csum_segment_next(&s, out, s.header + size)) > 0) {
		const size_t piece = n - s.header;

		if (!sums_are_right(out, n) ||
		    !counts_are_right(m, out, n, jumbo, index++, size,
				      s.left == 0) ||
		    memcmp(out + s.header, m->p + m->len - m->payload + done,
			   piece) != 0)
			return false;
		done += piece;
		t->segments++;
		if (m->big)
			continue;
		if (index == 1) {
			memcpy(back, out, n);
			if (csum_join(&j, back, n, ROOM))
				return false;
		} else if (csum_join_next(&j, out, n)) {
			return false;
		}
	}
	t->packets++;
	if (done != m->payload || s.left)
		return false;
	if (m->big)
		return true;
	t->joined++;
	return j.len == m->len && memcmp(back, m->p, m->len) == 0;
}

static void test_round_trip(struct made *m, uint8_t *back)
{
	struct tally t = { 0 }, big = { 0 };
	bool ok = true, ok_big = true;

	for (int i = 0; i < testing_rounds(3000) && ok; i++) {
		make(m, 1 + below(i % 3 ? 5000 : 60000), below(3));
		csum_packet_finish(m->p, m->len, CSUM_LINK_IP,
				   CSUM_LEAVE_ABSENT, NULL);
		ok = round_trip(m, 1 + 200 + below(1248), back, &t);
	}
	tap_ok(ok, "%u packets in %u segments, and back the same", t.packets,
	       t.segments);
	for (int i = 0; i < testing_rounds(50) && ok_big; i++) {
		make(m, 65536 + below(150000), 0);
		ok_big = round_trip(m, 1448, back, &big);
	}
	tap_ok(ok_big && big.packets > 0,
	       "%u packets of more than 65,535 bytes in %u segments",
	       big.packets, big.segments);
}

/* What is damaged or belongs elsewhere is not joined, and changes nothing. */
static void test_join_refuses(struct made *m, uint8_t *back)
{
	uint8_t first[600], second[600], bent[600];
	unsigned bad = 0, other = 0, rounds = 0, same = 0;
	struct csum_segmenter s;
	struct csum_joiner j;

	while (rounds < 2000) {
		size_t n, k, at;
		int error;

		make(m, 200 + below(100), below(2));
		csum_packet_finish(m->p, m->len, CSUM_LINK_IP, 0, NULL);
		if (csum_segment(&s, m->p, m->len, 120))
			break;
		n = csum_segment_next(&s, first, sizeof(first));
		k = csum_segment_next(&s, second, sizeof(second));
		memcpy(back, first, n);
		if (csum_join(&j, back, n, ROOM))
			break;
		rounds++;
		memcpy(bent, second, k);
		at = s.header + below((uint32_t)(k - s.header));
		bent[at] ^= (uint8_t)(1 << below(8));
		bad += csum_join_next(&j, bent, k) == EBADMSG;
		/* not the next one: another time to live, or sequence number */
		memcpy(bent, second, k);
		bent[bent[0] >> 4 == 4 ? 8 : 7] ^= 1;
		csum_packet_finish(bent, k, CSUM_LINK_IP, 0, NULL);
		error = csum_join_next(&j, bent, k);
		other += error == ENOTSUP;
		same += j.len == n && memcmp(back, first, n) == 0 &&
			csum_join_next(&j, second, k) == 0 &&
			sums_are_right(back, j.len);
	}
	/*
	 * By chance a wrong sum looks like a seed, or fits one of six lists of
	 * segments that an IPv6 destination may hold (RFC 9800): 7 in 65536.
	 */
	tap_ok(rounds == 2000 && bad + 4 > rounds,
	       "a flipped bit is EBADMSG, in %u of %u", bad, rounds);
	tap_ok(other == rounds, "another hop limit is ENOTSUP, in %u", other);
	tap_ok(same == rounds, "and the packet goes on afterwards");
}

static int segment_of(const void *p, size_t len, size_t size)
{
	struct csum_segmenter s;

	return csum_segment(&s, p, len, size);
}

static void test_refusals(struct made *m)
{
	bool short_ok = true;

	make(m, 100, 0);
	tap_ok(segment_of(m->p, m->len, 0) == EINVAL &&
		       segment_of(m->p, m->len, 65535) == EINVAL &&
		       segment_of(m->p, 0, 9) == EINVAL &&
		       segment_of(m->p, m->len, SIZE_MAX) == EINVAL,
	       "EINVAL: no size, too large a one, no packet");
	for (int i = 0; i < 300; i++) {
		make(m, 100, below(3));
		for (size_t len = 0; len < m->len; len++) {
			uint8_t *copy = malloc(len ? len : 1);

			memcpy(copy, m->p, len);
			short_ok &= segment_of(copy, len, 50) != 0;
			free(copy);
		}
	}
	tap_ok(short_ok, "what is cut short is refused");
	do
		make(m, 100, 0);
	while (m->p[0] != 0x45);
	put16(m->p + 6, 0x2000);
	tap_ok(segment_of(m->p, m->len, 50) == ENOTSUP, "ENOTSUP: a fragment");
	do
		make(m, 100, 0);
	while (m->p[0] != 0x60);
	m->p[6] = 43;
	tap_ok(segment_of(m->p, m->len, 50) == ENOTSUP,
	       "ENOTSUP: an IPv6 extension header");
}

int main(int argc, char **argv)
{
	uint8_t *back = malloc(ROOM);
	struct made m = { .memory = malloc(HEADERS + ROOM) };

	testing_init(argc, argv);
	test_round_trip(&m, back);
	test_join_refuses(&m, back);
	test_refusals(&m);
	free(m.memory);
	free(back);
	return tap_done();
}
