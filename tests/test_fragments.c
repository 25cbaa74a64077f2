/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_fragments.c - messages cut up at random, in any order, repeated, lost,
 * overlapping: one verdict each, at the right frame, by the model's sum.
 */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "model.h"
#include "pass.h"
#include "testing.h"

enum {
	TCP = 6,
	UDP = 17,
	ICMP = 1,
	SCTP = 132,
	UDPLITE = 136,
	OSPF = 89,
	DESTINATION = 60,
	MESSAGE_MAX = 4000,
	ALL_MAX = 400,
	CUTS = 64
};

/* --- a message, and fragments of it --------------------------------------- */

struct message {
	uint32_t id;
	uint32_t len;
	uint32_t skip;	/* BYTES of IPv6 options in front of it */
	uint32_t right; /* the value for its field */
	uint32_t cover; /* BYTES of it, or 0 for all */
	uint8_t protocol;
	bool ipv6;
	uint8_t data[MESSAGE_MAX];
};

struct cut {
	uint32_t from, to;
};

static void put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static uint32_t field_of(uint8_t protocol)
{
	switch (protocol) {
	case TCP:
		return 16;
	case UDP:
	case UDPLITE:
		return 6;
	case SCTP:
		return 8;
	case OSPF:
		return 12;
	default:
		return 2;
	}
}

/* RFC 9260, appendix A, one bit after the other; its bytes as a number. */
static uint32_t crc32c(const uint8_t *p, uint32_t len)
{
	uint32_t crc = ~0u;

	for (uint32_t i = 0; i < len; i++) {
		crc ^= p[i];
		for (int k = 0; k < 8; k++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	crc = ~crc;
	return crc << 24 | (crc << 8 & 0xff0000) | (crc >> 8 & 0xff00) |
	       crc >> 24;
}

static void addresses(const struct message *m, uint8_t *p)
{
	for (int i = 0; i < (m->ipv6 ? 32 : 8); i++)
		p[i] = (uint8_t)(0x40 + 7 * i);
}

/* Fills in what the field should hold; RFC 1071 by the model. */
static void finish(struct message *m)
{
	uint8_t all[40 + MESSAGE_MAX] = { 0 };
	uint8_t *start = m->data + m->skip;
	uint32_t head = 0, len = m->len - m->skip;
	uint32_t field = field_of(m->protocol);

	put16(start + field, 0);
	if (m->protocol == SCTP) {
		put16(start + field + 2, 0);
		m->right = crc32c(start, len);
		put16(start + field, m->right >> 16);
		put16(start + field + 2, m->right & 0xffff);
		return;
	}
	if (m->protocol != ICMP && m->protocol != OSPF) {
		addresses(m, all);
		head = m->ipv6 ? 40 : 12;
		put16(all + head - (m->ipv6 ? 6 : 2), len);
		all[head - (m->ipv6 ? 1 : 3)] = m->protocol;
	}
	memcpy(all + head, start, len);
	if (m->protocol == OSPF)
		memset(all + head + 16, 0, 8);
	m->right = (uint16_t)~model_csum(all,
					 head + (m->cover ? m->cover : len), 0);
	if ((m->protocol == UDP || m->protocol == UDPLITE) && m->right == 0)
		m->right = 0xffff;
	put16(start + field, m->right);
}

static struct message make_behind(bool ipv6, uint8_t protocol, uint32_t len,
				  uint32_t skip)
{
	static const uint8_t options[8] = { 0, 0, 1, 4 };
	static uint32_t id;
	struct message m = {
		.ipv6 = ipv6,
		.protocol = protocol,
		.len = len,
		.id = ++id,
		.skip = skip,
	};

	testing_random_fill(m.data, len);
	memcpy(m.data, options, skip);
	if (skip)
		m.data[0] = protocol;
	if (protocol == TCP || protocol == UDP || protocol == UDPLITE) {
		/* ports of nothing: what is random must not be a tunnel */
		put16(m.data + skip, 50000);
		put16(m.data + skip + 2, 50001);
	}
	if (protocol == TCP)
		m.data[skip + 12] = 0x50;
	if (protocol == UDP)
		put16(m.data + skip + 4, len - skip);
	if (protocol == UDPLITE)
		put16(m.data + skip + 4, 0);
	if (protocol == ICMP)
		m.data[skip] = 8;
	if (protocol == OSPF) {
		m.data[0] = 2;
		m.data[1] = 1; /* hello: no list of link states */
		put16(m.data + 2, len);
		put16(m.data + 14, 1); /* a password */
	}
	finish(&m);
	return m;
}

static struct message make(bool ipv6, uint8_t protocol, uint32_t len)
{
	return make_behind(ipv6, protocol, len, 0);
}

/* Behind a header of 20 bytes, or of 40 and 8. */
static struct packet fragment(const struct message *m, struct cut c,
			      uint64_t frame)
{
	uint32_t head = m->ipv6 ? 48 : 20, n = c.to - c.from;
	uint32_t offset = c.from / 8, more = c.to < m->len;
	uint8_t *p = calloc(1, head + n);

	if (m->ipv6) {
		p[0] = 0x60;
		put16(p + 4, 8 + n);
		p[6] = 44;
		addresses(m, p + 8);
		p[40] = m->skip ? DESTINATION : m->protocol;
		put16(p + 42, offset << 3 | more);
		put16(p + 46, m->id);
	} else {
		p[0] = 0x45;
		put16(p + 2, head + n);
		put16(p + 4, m->id);
		put16(p + 6, more << 13 | offset);
		p[9] = m->protocol;
		addresses(m, p + 12);
	}
	memcpy(p + head, m->data + c.from, n);
	return (struct packet){
		.frame = frame,
		.offset = 1000 * frame,
		.data = p,
		.caplen = head + n,
		.wirelen = head + n,
		.linktype = 101,
		.crc = &crc_by_libraries,
	};
}

/* --- what is reported ------------------------------------------------------
 */

struct log {
	struct pass pass;
	unsigned count;
	struct told {
		uint64_t frame, field_frame, offset;
		struct check check;
		enum protocol protocol;
		enum reason reason;
		uint32_t len; /* BYTES covered */
	} told[ALL_MAX];
};

/* IPv4 headers are right in every one of them, and not of interest. */
static void note(void *context, const struct finding *f)
{
	struct log *log = context;

	if (log->count == ALL_MAX || f->site->protocol == PROTO_IPV4)
		return;
	log->told[log->count++] = (struct told){
		.frame = f->packet->frame,
		.field_frame = f->field_frame,
		.offset = f->offset,
		.check = f->check,
		.protocol = f->site->protocol,
		.reason = f->site->reason,
		.len = f->site->len,
	};
}

static struct log *begin(void)
{
	struct log *log = calloc(1, sizeof(*log));

	log->pass = (struct pass){
		.crc = &crc_by_libraries,
		.site = note,
		.context = log,
		.tally = tally_new(),
	};
	if (!pass_gather(&log->pass))
		abort();
	return log;
}

static void end(struct log *log)
{
	pass_end(&log->pass);
	free(log->pass.tally);
	free(log);
}

static void add_cut(struct log *log, const struct message *m, struct cut c,
		    uint64_t frame, uint32_t caplen)
{
	struct packet p = fragment(m, c, frame);
	struct fragment_copy *copy;

	if (caplen && caplen < p.caplen)
		p.caplen = caplen;
	copy = pass_packet(&log->pass, &p, NULL);
	free((void *)p.data); /* nothing of it is kept */
	if (!copy)
		tap_ok(false, "frame %u is no fragment", (unsigned)frame);
	pass_fragment(&log->pass, copy);
}

static void add(struct log *log, const struct message *m, struct cut c,
		uint64_t frame)
{
	add_cut(log, m, c, frame, 0);
}

/* Up to @max fragments at random multiples of 8; none need have a header. */
static unsigned cut_up(const struct message *m, struct cut *cuts, unsigned max)
{
	uint32_t at = 0;
	unsigned n = 0;

	while (at < m->len) {
		uint32_t left = m->len - at;
		uint32_t step = 8 + 8 * (uint32_t)(testing_random() % 40);

		if (n + 1 == max || step >= left)
			step = left;
		cuts[n++] = (struct cut){ at, at + step };
		at += step;
	}
	return n;
}

static void shuffle(struct cut *cuts, unsigned n)
{
	while (n > 1) {
		unsigned k = (unsigned)(testing_random() % n--);
		struct cut c = cuts[k];

		cuts[k] = cuts[n];
		cuts[n] = c;
	}
}

/* One report, at @frame: good, or bad with the right value. */
static bool reported(const struct log *log, uint64_t frame,
		     enum verdict verdict, const struct message *m)
{
	const struct check *c = &log->told[0].check;

	/* a wrong value can be that of an unfinished offload by chance */
	if (log->count == 1 && log->told[0].frame == frame &&
	    (c->verdict == verdict ||
	     (verdict == VERDICT_BAD && c->verdict == VERDICT_PARTIAL)) &&
	    c->expected == m->right)
		return true;
	tap_note("%u reports, frame %u, %s, found %#x, should be %#x (%#x)",
		 log->count, (unsigned)log->told[0].frame,
		 verdict_name(c->verdict), c->found, c->expected, m->right);
	return false;
}

/* --- tests ------------------------------------------------------------------
 */

static const uint8_t protocols[] = { TCP, UDP, UDPLITE, SCTP, ICMP, OSPF };
enum { OVER_IPV4 = 6, OVER_IPV6 = 4 };

static bool any_order(bool ipv6, uint8_t protocol, uint32_t skip)
{
	uint32_t len = 60 + (uint32_t)(testing_random() % (MESSAGE_MAX - 60));
	struct message m = make_behind(ipv6, protocol, len, skip);
	uint32_t field = skip + field_of(protocol);
	bool damage = testing_random() % 2;
	struct log *log = begin();
	struct cut cuts[CUTS];
	unsigned n;
	uint64_t frame = 0, with_field = 0, at = 0;
	bool ok;

	do
		n = cut_up(&m, cuts, CUTS);
	while (n < 2);
	shuffle(cuts, n);
	if (damage) {
		m.data[field] ^= 0x5a;
		m.data[field + 1] ^= 0x11;
		/* 0 would say that there is none */
		if (!m.data[field] && !m.data[field + 1])
			m.data[field + 1] = 1;
	}
	for (unsigned i = 0; i < n; i++) {
		add(log, &m, cuts[i], ++frame);
		if (cuts[i].from <= field && field < cuts[i].to) {
			with_field = frame;
			at = 1000 * frame + (ipv6 ? 48u : 20u) + field -
			     cuts[i].from;
		}
		/* now and then again, unless that completes another one */
		if (i + 1 < n && testing_random() % 4 == 0)
			add(log, &m, cuts[i], ++frame);
	}
	ok = reported(log, frame, damage ? VERDICT_BAD : VERDICT_GOOD, &m) &&
	     log->told[0].field_frame == with_field &&
	     log->told[0].len == len - skip && log->told[0].offset == at;
	pass_flush(&log->pass);
	ok = ok && log->count == 1;
	end(log);
	return ok;
}

static void test_any_order(void)
{
	for (int ipv6 = 0; ipv6 < 2; ipv6++)
		for (unsigned p = 0; p < (ipv6 ? OVER_IPV6 : OVER_IPV4); p++) {
			bool ok = true;

			for (int i = 0; i < 300; i++)
				ok = ok && any_order(ipv6, protocols[p],
						     ipv6 && i % 2 ? 8 : 0);
			tap_ok(ok, "protocol %u over %s, in any order",
			       protocols[p], ipv6 ? "ipv6" : "ipv4");
		}
}

/*
 * Only the first bytes are covered: they end anywhere in the first fragment,
 * where another one does, or in front of that.
 */
static bool partly(bool ipv6)
{
	uint32_t len = 200 + (uint32_t)(testing_random() % 800);
	struct message m = make(ipv6, UDPLITE, len);
	struct log *log = begin();
	struct cut cuts[CUTS];
	unsigned n, where = (unsigned)(testing_random() % 3);
	uint64_t frame = 0;
	bool ok;

	do
		n = cut_up(&m, cuts, CUTS);
	while (n < 3);
	m.cover = where == 0
			  ? 8 + (uint32_t)(testing_random() % (cuts[0].to - 7))
		  : where == 1 ? cuts[1].to
			       : cuts[1].to - 1;
	put16(m.data + 4, m.cover);
	finish(&m);
	shuffle(cuts, n);
	for (unsigned i = 0; i < n; i++)
		add(log, &m, cuts[i], ++frame);
	ok = reported(log, frame, VERDICT_GOOD, &m) &&
	     log->told[0].len == m.cover;
	end(log);
	return ok;
}

static void test_partly(void)
{
	for (int ipv6 = 0; ipv6 < 2; ipv6++) {
		bool ok = true;

		for (int i = 0; i < 300; i++)
			ok = ok && partly(ipv6);
		tap_ok(ok, "only a part is covered, over %s",
		       ipv6 ? "ipv6" : "ipv4");
	}
}

/* Each fragment twice, as captured on two interfaces: two verdicts. */
static void test_twice(void)
{
	struct message m = make(false, UDP, 400);
	struct log *log = begin();

	for (uint64_t frame = 1; frame <= 6; frame++) {
		uint32_t at = 96 * (uint32_t)((frame - 1) / 2);

		add(log, &m, (struct cut){ at, at == 192 ? 400 : at + 96 },
		    frame);
	}
	tap_ok(log->count == 2 && log->told[0].frame == 5 &&
		       log->told[1].frame == 6 &&
		       log->told[0].check.verdict == VERDICT_GOOD &&
		       log->told[1].check.verdict == VERDICT_GOOD &&
		       log->told[0].field_frame == 1 &&
		       log->told[1].field_frame == 2,
	       "each fragment twice: two messages");
	pass_flush(&log->pass);
	tap_ok(log->count == 2, "and nothing is missing");
	end(log);
}

/* All fragments of @n messages, one after the other and then the next round. */
static void test_interleaved(void)
{
	enum { N = 100 };
	static struct message m[N];
	struct log *log = begin();
	bool ok = true;

	for (unsigned i = 0; i < N; i++)
		m[i] = make(i % 2, protocols[i % 2], 300);
	for (uint32_t at = 0; at < 300; at += 96)
		for (unsigned i = 0; i < N; i++)
			add(log, &m[i],
			    (struct cut){ at, at + 96 < 300 ? at + 96 : 300 },
			    i);
	for (unsigned i = 0; i < N; i++)
		ok = ok && log->told[i].frame == i &&
		     log->told[i].check.verdict == VERDICT_GOOD;
	tap_ok(ok && log->count == N, "%u messages at once", log->count);
	end(log);
}

/* More at once than the table holds: the oldest give way, and say so. */
static void test_eviction(void)
{
	enum { N = FRAGMENT_ROWS * FRAGMENT_ROW, MORE = 200 };
	struct log *log = begin();
	struct message m;
	bool lost = true;

	for (unsigned i = 0; i < N + MORE; i++) {
		m = make(false, UDP, 300);
		add(log, &m, (struct cut){ 0, 96 }, i + 1);
	}
	for (unsigned i = 0; i < log->count; i++)
		lost = lost && log->told[i].reason == REASON_FRAGMENT_LOST &&
		       log->told[i].protocol == PROTO_UDP;
	tap_ok(lost && log->count >= MORE && log->count <= 2 * MORE,
	       "%u gave way to %u more than there is room for", log->count,
	       MORE);
	/* the last one is still there */
	log->count = 0;
	add(log, &m, (struct cut){ 96, 300 }, 9999);
	tap_ok(reported(log, 9999, VERDICT_GOOD, &m), "the last one is not");
	end(log);
}

/* One that goes on outlives all those that do not. */
static void test_patience(void)
{
	struct message m = make(false, UDP, 60 * 8), other;
	struct log *log = begin();
	bool before;

	for (uint32_t i = 0; i < 59; i++) {
		add(log, &m, (struct cut){ 8 * i, 8 * i + 8 }, i + 1);
		for (int k = 0; k < 50; k++) {
			other = make(false, TCP, 300);
			add(log, &other, (struct cut){ 0, 96 }, i + 1);
		}
	}
	before = log->count == ALL_MAX;
	log->count = 0;
	add(log, &m, (struct cut){ 59 * 8, 60 * 8 }, 100);
	tap_ok(before && reported(log, 100, VERDICT_GOOD, &m),
	       "2950 others pass, one that goes on stays");
	end(log);
}

static bool unverifiable(const struct log *log, unsigned i, uint64_t frame,
			 enum reason reason)
{
	if (i < log->count && log->told[i].frame == frame &&
	    log->told[i].check.verdict == VERDICT_UNVERIFIABLE &&
	    log->told[i].reason == reason)
		return true;
	tap_note("%u reports; %u: frame %u, %s", log->count, i,
		 (unsigned)log->told[i].frame,
		 reason_text(log->told[i].reason));
	return false;
}

static void test_faults(void)
{
	struct message m = make(false, TCP, 400), other;
	struct log *log = begin();

	add(log, &m, (struct cut){ 0, 96 }, 1);
	add(log, &m, (struct cut){ 192, 400 }, 2);
	tap_ok(log->count == 0, "nothing is said of an incomplete message");
	pass_flush(&log->pass);
	tap_ok(unverifiable(log, 0, 1, REASON_FRAGMENT_LOST),
	       "until the end: at its first frame");

	log->count = 0;
	m = make(false, TCP, 400);
	add(log, &m, (struct cut){ 0, 96 }, 1);
	add(log, &m, (struct cut){ 88, 400 }, 2);
	tap_ok(unverifiable(log, 0, 2, REASON_OVERLAP), "an overlap by 8");
	add(log, &m, (struct cut){ 96, 400 }, 3);
	pass_flush(&log->pass);
	tap_ok(log->count == 1, "which is said once");

	log->count = 0;
	m = make(true, UDP, 400);
	add(log, &m, (struct cut){ 0, 96 }, 1);
	add(log, &m, (struct cut){ 200, 400 }, 2);
	add(log, &m, (struct cut){ 192, 200 }, 3);
	add(log, &m, (struct cut){ 96, 208 }, 4);
	tap_ok(unverifiable(log, 0, 4, REASON_OVERLAP),
	       "an overlap in the middle");

	log->count = 0;
	m = make(false, UDP, 400);
	add(log, &m, (struct cut){ 96, 400 }, 1);
	other = m;
	other.len = 800; /* so that this is not the last */
	add(log, &other, (struct cut){ 400, 480 }, 2);
	tap_ok(unverifiable(log, 0, 2, REASON_OVERLAP), "beyond the end");

	log->count = 0;
	m = make(false, UDP, 400);
	other = m;
	other.len = 800;
	add(log, &other, (struct cut){ 400, 480 }, 1);
	add(log, &m, (struct cut){ 96, 400 }, 2);
	tap_ok(unverifiable(log, 0, 2, REASON_OVERLAP), "an end in front");

	/* the same number again: what is left of the first one is lost */
	log->count = 0;
	m = make(false, UDP, 400);
	other = make(false, UDP, 400);
	other.id = m.id;
	add(log, &m, (struct cut){ 0, 96 }, 1);
	add(log, &other, (struct cut){ 0, 96 }, 2);
	add(log, &other, (struct cut){ 96, 400 }, 3);
	tap_ok(unverifiable(log, 0, 1, REASON_FRAGMENT_LOST) &&
		       log->count == 2 && log->told[1].frame == 3 &&
		       log->told[1].check.verdict == VERDICT_GOOD,
	       "a number that is used again");

	log->count = 0;
	m = make(false, UDP, MESSAGE_MAX);
	for (uint32_t i = 0; i < MESSAGE_MAX / 8; i++)
		add(log, &m, (struct cut){ 8 * i, 8 * i + 8 }, i + 1);
	tap_ok(reported(log, MESSAGE_MAX / 8, VERDICT_GOOD, &m),
	       "as many fragments as there can be");

	log->count = 0;
	m = make(false, UDP, 400);
	add(log, &m, (struct cut){ 0, 96 }, 1);
	add_cut(log, &m, (struct cut){ 96, 400 }, 2, 60);
	tap_ok(unverifiable(log, 0, 2, REASON_SNAPPED), "one that was cut");

	for (int by = -8; by <= 8; by += 16) {
		log->count = 0;
		m = make(false, UDP, 400);
		put16(m.data + 4, 400u + (uint32_t)by);
		add(log, &m, (struct cut){ 96, 400 }, 1);
		add(log, &m, (struct cut){ 0, 96 }, 2);
		tap_ok(by < 0 ? log->count == 1 && log->told[0].len == 392
			      : unverifiable(log, 0, 2, REASON_LENGTH_FIELD),
		       "a length field that is %d off", by);
	}

	log->count = 0;
	m = make(false, UDP, 400);
	put16(m.data + 6, 0);
	add(log, &m, (struct cut){ 96, 400 }, 1);
	add(log, &m, (struct cut){ 0, 96 }, 2);
	tap_ok(log->count == 1 && log->told[0].check.verdict == VERDICT_ABSENT,
	       "a datagram without a checksum");

	log->count = 0;
	m = make(false, TCP, 400);
	m.data[12] = 0x40;
	add(log, &m, (struct cut){ 0, 96 }, 1);
	add(log, &m, (struct cut){ 96, 400 }, 2);
	tap_ok(unverifiable(log, 0, 2, REASON_HEADER_LENGTH),
	       "a header that is malformed");
	end(log);
}

int main(int argc, char **argv)
{
	testing_init(argc, argv);
	test_any_order();
	test_partly();
	test_twice();
	test_interleaved();
	test_eviction();
	test_patience();
	test_faults();
	return tap_done();
}
