/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_packet_api.c - csum_packet_check() and csum_packet_finish() against the
 * walk of the capture tool, on all packets of the other tests, on captures and
 * on random packets; and their short way against the long one.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crc.h"
#include "csum_packet.h"
#include "judge.h"
#include "model.h"
#include "packets.h"
#include "reader.h"
#include "testing.h"

enum { NROWS = sizeof(packet_rows) / sizeof(packet_rows[0]) };
enum { ROOM = 1 << 17 };

/* Up against a page that cannot be read. */
static uint8_t *memory_end;

static uint32_t crc32c(uint32_t crc, const uint8_t *p, uint32_t len)
{
	return crc_by_libraries.crc32c(crc, p, len);
}

static uint32_t below(uint32_t n)
{
	return (uint32_t)(testing_random() % n);
}

static void put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static uint8_t *at_the_end(const uint8_t *p, size_t len)
{
	return memcpy(memory_end - len, p, len);
}

/* --- the same as the capture tool ------------------------------------------
 */

static bool same_site(const struct csum_site *got, const struct site *s,
		      const struct check *c)
{
	return strcmp(got->layer, protocol_name(s->protocol)) == 0 &&
	       (int)got->verdict == (int)c->verdict &&
	       got->quoted == (s->class == SITE_QUOTED) &&
	       got->depth == s->depth &&
	       (!s->has_field ||
		(got->offset == s->field && got->found == c->found &&
		 got->width == protocol_width(s->protocol))) &&
	       (c->verdict > VERDICT_PARTIAL || got->right == c->expected) &&
	       (c->verdict != VERDICT_UNVERIFIABLE ||
		strcmp(got->why, reason_text(c->reason)) == 0);
}

/* All that csum_packet_check() says of @p is what the tool says. */
static bool agrees(const struct packet *p)
{
	const struct crc_functions crc = { .crc32c = crc32c };
	struct csum_site sites[WALK_SITES];
	struct csum_packet_detail detail = { .crc32c = crc32c,
					     .wire_len = p->wirelen,
					     .sites = sites,
					     .room = WALK_SITES };
	struct packet packet = { .data = p->data,
				 .caplen = p->caplen,
				 .wirelen = p->wirelen,
				 .linktype = p->linktype,
				 .flags = p->flags & PACKET_CHECKSUM_NOT_READY,
				 .crc = &crc };
	struct check checks[WALK_SITES];
	unsigned want, got;
	struct walk w;

	got = csum_packet_check(p->data, p->caplen, p->linktype,
				packet.flags ? CSUM_MARKED_PARTIAL : 0,
				&detail);
	walk_packet(&packet, &w);
	judge_packet(&w, p->data, checks);
	want = w.edge ? CSUM_HAS_UNREAD : 0;
	if (detail.count != w.count)
		return false;
	for (unsigned i = 0; i < w.count; i++) {
		if (!same_site(&sites[i], &w.sites[i], &checks[i]))
			return false;
		if (w.sites[i].class == SITE_REAL)
			want |= 1u << checks[i].verdict;
	}
	return got == want;
}

/* Without a report the short way is open; with one the walk is taken. */
static bool ways_agree(const uint8_t *data, size_t len, unsigned link)
{
	struct csum_site sites[1];
	struct csum_packet_detail report = { .sites = sites, .room = 1 };
	uint8_t *p = at_the_end(data, len), *finished = malloc(len + 1);
	unsigned quick, slow;
	bool ok;

	ok = csum_packet_check(p, len, link, 0, NULL) ==
	     csum_packet_check(p, len, link, 0, &report);
	slow = csum_packet_finish(p, len, link, 0, &report);
	memcpy(finished, p, len);
	quick = csum_packet_finish(at_the_end(data, len), len, link, 0, NULL);
	ok = ok && quick == slow && memcmp(finished, p, len) == 0;
	/* finishing leaves nothing that a check would not call right */
	ok = ok && csum_packet_check(p, len, link, 0, NULL) == quick &&
	     !(quick & (CSUM_HAS_BAD | CSUM_HAS_PARTIAL));
	free(finished);
	return ok;
}

static struct packet row_packet(const struct packet_row *row, uint8_t *room)
{
	size_t n = strlen(row->hex) / 2;

	for (size_t i = 0; i < n; i++) {
		const char pair[3] = { row->hex[2 * i], row->hex[2 * i + 1] };

		room[i] = (uint8_t)strtoul(pair, NULL, 16);
	}
	memset(room + n, row->fill, row->nfill);
	n += row->nfill;
	return (struct packet){
		.data = room,
		.caplen = (uint32_t)n,
		.wirelen = row->wirelen ? row->wirelen : (uint32_t)n,
		.linktype = row->linktype,
		.flags = row->flags,
	};
}

static void test_rows(void)
{
	uint8_t *room = malloc(ROOM * 2);
	unsigned same = 0, short_way = 0, ways = 0;

	for (size_t i = 0; i < NROWS; i++) {
		struct packet p = row_packet(&packet_rows[i], room);
		bool ok = agrees(&p);

		same += ok;
		if (!ok)
			tap_note("not the same: %s", packet_rows[i].name);
		if (p.caplen > ROOM || p.wirelen != p.caplen)
			continue;
		ways++;
		ok = ways_agree(p.data, p.caplen, p.linktype);
		short_way += ok;
		if (!ok)
			tap_note("two answers: %s", packet_rows[i].name);
	}
	tap_ok(same == NROWS, "%u packets: as the capture tool says", same);
	tap_ok(short_way == ways, "%u of them: one answer by both ways", ways);
	free(room);
}

static volatile unsigned cut_good;

/* Each row cut short everywhere, in front of a page that cannot be read. */
static void every_end(void *unused)
{
	uint8_t *room = malloc(ROOM * 2);

	(void)unused;
	for (size_t i = 0; i < NROWS; i++) {
		struct packet p = row_packet(&packet_rows[i], room);

		for (uint32_t len = 0; len < p.caplen && len < 300; len++) {
			uint8_t *cut = at_the_end(p.data, len);

			if (csum_packet_check(cut, len, p.linktype, 0, NULL) ==
			    CSUM_HAS_GOOD)
				cut_good++;
			csum_packet_finish(cut, len, p.linktype, 0, NULL);
		}
	}
	free(room);
}

static void test_capture(const char *name)
{
	int fd = open(name, O_RDONLY);
	struct reader *r = fd < 0 ? NULL : reader_open(fd);
	struct packet p;
	unsigned n = 0, same = 0, ways = 0;

	while (r && reader_next(r, &p) == READER_PACKET) {
		n++;
		same += agrees(&p);
		ways += p.caplen > ROOM ||
			ways_agree(p.data, p.caplen, p.linktype);
	}
	tap_ok(n > 0 && same == n && ways == n,
	       "%s: %u packets, as the tool says, by both ways", name, n);
	if (r)
		reader_close(r);
	close(fd);
}

/* --- random packets ---------------------------------------------------------
 */

/* A TCP or UDP packet with anything in its checksum fields. */
struct made {
	uint8_t data[14 + 40 + 1500];
	size_t len, ip, msg, msg_len;
	bool ipv6, udp, ethernet;
};

static void make(struct made *m)
{
	static const uint16_t ports[] = { 53, 4789, 2152, 443, 6081, 500 };
	size_t header;

	m->ipv6 = below(2);
	m->udp = below(2);
	m->ethernet = below(2);
	m->ip = m->ethernet ? 14 : 0;
	header = m->ipv6 ? 40 : 20;
	m->msg = m->ip + header;
	m->msg_len = (m->udp ? 8 : 20) + below(below(10) ? 200 : 1400);
	m->len = m->msg + m->msg_len;
	testing_random_fill(m->data, m->len);
	if (m->ethernet)
		put16(m->data + 12, m->ipv6 ? 0x86dd : 0x0800);
	if (m->ipv6) {
		m->data[m->ip] = 0x60;
		put16(m->data + m->ip + 4, (uint32_t)m->msg_len);
		m->data[m->ip + 6] = m->udp ? 17 : 6;
	} else {
		m->data[m->ip] = 0x45;
		put16(m->data + m->ip + 2, (uint32_t)(m->msg_len + 20));
		put16(m->data + m->ip + 6, 0x4000);
		m->data[m->ip + 9] = m->udp ? 17 : 6;
	}
	if (m->udp) {
		put16(m->data + m->msg, 40000 + below(1000));
		put16(m->data + m->msg + 2, 1 + below(499));
		put16(m->data + m->msg + 4, (uint32_t)m->msg_len);
	} else {
		m->data[m->msg + 12] = 0x50;
	}
	if (m->udp && below(8) == 0)
		put16(m->data + m->msg + 2 * below(2), ports[below(6)]);
	/* padding of Ethernet, which belongs to nothing */
	if (m->ethernet && below(2))
		m->len += below(4);
}

/* What the field has to hold, by the model alone. */
static uint16_t model_upper(const struct made *m, size_t len)
{
	uint8_t pseudo[40] = { 0 }, copy[1600];
	size_t addresses = m->ipv6 ? 32 : 8;
	uint16_t sum;

	memcpy(pseudo, m->data + m->ip + (m->ipv6 ? 8 : 12), addresses);
	put16(pseudo + addresses, (uint32_t)(m->msg_len));
	put16(pseudo + addresses + 2, m->udp ? 17 : 6);
	memcpy(copy, m->data + m->msg, len);
	memset(copy + (m->udp ? 6 : 16), 0, 2);
	sum = model_csum(copy, len, model_csum(pseudo, addresses + 4, 0));
	sum = (uint16_t)~sum;
	return m->udp && sum == 0 ? 0xffff : sum;
}

static void test_finish(void)
{
	unsigned all = 0, right = 0, ways = 0, padded = 0, wrong = 0;
	int rounds = testing_rounds(40000);

	for (int i = 0; i < rounds; i++) {
		struct made m;
		unsigned link, bits;
		uint16_t upper;
		uint8_t *p;

		make(&m);
		if (m.udp && i % 4 == 0)
			memset(m.data + m.msg + 6, 0, 2);
		if (i % 5 == 0) /* no data: sums that come to zero happen */
			memset(m.data + m.msg + (m.udp ? 8 : 20), 0,
			       m.len - m.msg - (m.udp ? 8 : 20));
		link = m.ethernet ? CSUM_LINK_ETHERNET : CSUM_LINK_IP;
		ways += ways_agree(m.data, m.len, link);
		p = at_the_end(m.data, m.len);
		upper = model_upper(&m, m.msg_len);
		bits = csum_packet_finish(p, m.len, link, 0, NULL);
		if (bits & CSUM_HAS_UNREAD)
			continue; /* a port of a tunnel */
		all++;
		p += m.msg + (m.udp ? 6 : 16);
		right += (p[0] << 8 | p[1]) == upper &&
			 (m.ipv6 || model_csum(memory_end - m.len + m.ip, 20,
					       0) == 0xffff);
		/* control: to the end of the frame instead of the packet */
		if (m.len > m.msg + m.msg_len) {
			padded++;
			wrong += model_upper(&m, m.len - m.msg) != upper;
		}
	}
	tap_ok(right == all && all > (unsigned)rounds / 2,
	       "finish: %u random packets, as recomputed", all);
	tap_ok(ways == (unsigned)rounds, "finish: one answer by both ways");
	tap_ok(wrong > padded / 2,
	       "control: padding summed is wrong in %u of %u", wrong, padded);
}

/* One bit anywhere in the headers: both ways still say the same. */
static void test_damaged(void)
{
	int rounds = testing_rounds(200000);
	unsigned same = 0, bad = 0;

	for (int i = 0; i < rounds; i++) {
		struct made m;
		unsigned link;
		size_t bit;

		make(&m);
		link = m.ethernet ? CSUM_LINK_ETHERNET : CSUM_LINK_IP;
		csum_packet_finish(m.data, m.len, link, 0, NULL);
		bit = below((uint32_t)(8 * (m.msg + 8)));
		m.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
		bad += !!(csum_packet_check(m.data, m.len, link, 0, NULL) &
			  CSUM_HAS_BAD);
		same += ways_agree(m.data, m.len, link);
	}
	tap_ok(same == (unsigned)rounds,
	       "a damaged header: one answer by both ways, %u bad", bad);
}

/* --- tunnels, flags, reports ------------------------------------------------
 */

/* IPv4, UDP, VXLAN, Ethernet, IPv4, TCP; no checksum is right. */
static size_t make_tunnel(uint8_t *p)
{
	static const uint8_t vxlan[8] = { 8 };
	const size_t tcp = 27, inner = 20 + tcp, udp = 8 + 8 + 14 + inner;

	testing_random_fill(p, 20 + udp);
	memcpy(p, "\x45\0\0\0\0\0\0\0\x40\x11", 10);
	put16(p + 2, (uint32_t)(20 + udp));
	put16(p + 22, 4789);
	put16(p + 24, (uint32_t)udp);
	memcpy(p + 28, vxlan, 8);
	memcpy(p + 48, "\x08\0\x45\0\0\0\0\0\0\0\x40\x06", 12);
	put16(p + 52, (uint32_t)inner);
	p[70 + 12] = 0x50;
	return 20 + udp;
}

static void test_tunnel(void)
{
	struct csum_site sites[5] = { 0 };
	struct csum_packet_detail detail = { .sites = sites, .room = 4 };
	uint8_t p[200], was[200];
	size_t len = make_tunnel(p);
	unsigned bits;

	memcpy(was, p, len);
	bits = csum_packet_check(p, len, CSUM_LINK_IP, 0, &detail);
	tap_ok(bits == CSUM_HAS_BAD && detail.count == 4 &&
		       strcmp(sites[0].layer, "ipv4") == 0 &&
		       strcmp(sites[3].layer, "tcp") == 0 &&
		       sites[3].offset == 70 + 16 && sites[3].width == 2,
	       "check: four checksums of a tunnel, all bad");
	detail.room = 2;
	sites[2].layer = "untouched";
	tap_ok(csum_packet_check(p, len, CSUM_LINK_IP, 0, &detail) == bits &&
		       detail.count == 4 &&
		       strcmp(sites[2].layer, "untouched") == 0,
	       "check: no more sites than there is room for");
	detail.room = 4;
	bits = csum_packet_finish(p, len, CSUM_LINK_IP, CSUM_LEAVE_INNER,
				  &detail);
	tap_ok(bits == CSUM_HAS_GOOD && detail.count == 2 &&
		       memcmp(p + 50, was + 50, len - 50) == 0 &&
		       csum_packet_check(p, len, CSUM_LINK_IP, 0, NULL) ==
			       (CSUM_HAS_GOOD | CSUM_HAS_BAD),
	       "finish: CSUM_LEAVE_INNER");
	bits = csum_packet_finish(p, len, CSUM_LINK_IP, 0, &detail);
	tap_ok(bits == CSUM_HAS_GOOD && detail.count == 4 &&
		       csum_packet_check(p, len, CSUM_LINK_IP, 0, NULL) == bits,
	       "finish: the inner ones, and the outer one follows");
	memcpy(p, was, len);
	bits = csum_packet_finish(p, len, CSUM_LINK_IP, CSUM_LEAVE_UPPER, NULL);
	tap_ok(bits == CSUM_HAS_GOOD && memcmp(p + 20, was + 20, 40) == 0 &&
		       model_csum(p, 20, 0) == 0xffff &&
		       model_csum(p + 50, 20, 0) == 0xffff,
	       "finish: CSUM_LEAVE_UPPER");
	memcpy(p, was, len);
	csum_packet_finish(p, len, CSUM_LINK_IP, CSUM_LEAVE_IPV4, NULL);
	tap_ok(memcmp(p, was, 20) == 0 && memcmp(p + 50, was + 50, 20) == 0 &&
		       memcmp(p, was, len) != 0,
	       "finish: CSUM_LEAVE_IPV4");
	memset(p + 26, 0, 2);
	csum_packet_finish(p, len, CSUM_LINK_IP, CSUM_LEAVE_ABSENT, NULL);
	tap_ok(p[26] == 0 && p[27] == 0 &&
		       csum_packet_check(p, len, CSUM_LINK_IP, 0, NULL) ==
			       (CSUM_HAS_GOOD | CSUM_HAS_ABSENT),
	       "finish: CSUM_LEAVE_ABSENT");
	csum_packet_finish(p, len, CSUM_LINK_IP, 0, NULL);
	tap_ok(csum_packet_check(p, len, CSUM_LINK_IP, 0, NULL) ==
		       CSUM_HAS_GOOD,
	       "finish: an absent checksum is computed");
}

static void test_sctp(void)
{
	uint8_t p[36] = { 0x45, 0, 0, 36, 0, 0, 0, 0, 64, 132 };
	struct csum_site site[2];
	struct csum_packet_detail none = { .sites = site, .room = 2 };
	struct csum_packet_detail by = { .crc32c = crc32c };

	testing_random_fill(p + 20, 16);
	tap_ok(csum_packet_finish(p, 36, CSUM_LINK_IP, 0, &none) ==
			       (CSUM_HAS_GOOD | CSUM_HAS_UNVERIFIABLE) &&
		       strcmp(site[1].layer, "sctp") == 0 && site[1].why[0],
	       "SCTP without a function: not judged, and why");
	tap_ok(csum_packet_check(p, 36, CSUM_LINK_IP, 0, &by) ==
			       (CSUM_HAS_GOOD | CSUM_HAS_BAD) &&
		       csum_packet_finish(p, 36, CSUM_LINK_IP, 0, &by) ==
			       CSUM_HAS_GOOD &&
		       csum_packet_check(p, 36, CSUM_LINK_IP, 0, &by) ==
			       CSUM_HAS_GOOD,
	       "SCTP with one: bad, finished, good");
	tap_ok(csum_packet_check(p, (size_t)1 << 40, CSUM_LINK_IP, 0, NULL) ==
			       CSUM_HAS_UNREAD &&
		       csum_packet_check(p, 36, 0xffffff, 0, NULL) ==
			       CSUM_HAS_UNREAD &&
		       csum_packet_check(NULL, 0, CSUM_LINK_IP, 0, NULL) ==
			       CSUM_HAS_UNVERIFIABLE,
	       "too long, an unknown link, nothing at all: never good");
}

int main(int argc, char **argv)
{
	testing_init(argc, argv);
	testing_guarded(ROOM, &memory_end);
	test_rows();
	tap_ok(testing_survives(every_end, NULL),
	       "packets cut short: nothing beyond their end is touched");
	test_capture("tests/captures/sample.pcap");
	for (int i = 1; i < argc; i++)
		if (argv[i][0] == '/')
			test_capture(argv[i]);
	test_finish();
	test_damaged();
	test_tunnel();
	test_sctp();
	return tap_done();
}
