/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_datapath.c - csum_packet.h against recomputation on random packets; and
 * that what a reader would try first is wrong, so that these packets can tell.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csum_packet.h"
#include "model.h"
#include "testing.h"

static uint32_t below(uint32_t n)
{
	return (uint32_t)(testing_random() % n);
}

static void put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

/* Makes the field the one with which all of the message sums to -0. */
static void make_valid(uint8_t *msg, size_t len, size_t field, uint16_t start)
{
	csum_wsum sum;

	memset(msg + field, 0, 2);
	sum = csum_be16_from_host(model_csum(msg, len, start));
	csum_store16(msg + field, csum_fold(csum_shift(sum, field)));
}

static bool is_valid(const uint8_t *msg, size_t len, uint16_t start)
{
	return model_csum(msg, len, start) == 0xffff;
}

/* @buf in up to five pieces, empty ones too. */
static size_t cut(struct iovec iov[5], uint8_t *buf, size_t len)
{
	size_t n = 1 + below(5), at = 0;

	for (size_t i = 0; i < n; i++) {
		size_t piece =
			i + 1 == n ? len - at : below((uint32_t)(len - at) + 1);

		iov[i] = (struct iovec){ buf + at, piece };
		at += piece;
	}
	return n;
}

/* --- left to the card ---------------------------------------------------- */

static void test_complete(void)
{
	uint8_t buf[260], right[260], apart[260];
	struct iovec iov[5];
	bool ok = true, across = true;

	for (int i = 0; i < testing_rounds(50000) && ok; i++) {
		size_t start = below(40), len = 24 + below(180);
		size_t field = i % 2 ? CSUM_FIELD_TCP : CSUM_FIELD_UDP;
		uint8_t *msg = buf + start;
		csum_wsum pseudo = (csum_wsum)testing_random() | 1;
		csum_sum16 want;
		size_t n;

		testing_random_fill(buf, start + len);
		if (i % 16 == 1) { /* steered to a sum of zero */
			memset(msg, 0, len);
			csum_store16(msg, csum_fold(pseudo));
		}
		csum_store16(msg + field, 0);
		want = csum_be16_from_host(
			model_csum(msg, len, host(csum_to16(pseudo))));
		want = i % 2 ? csum_fold(want) : csum_fold_udp(want);
		csum_store_seed(msg + field, csum_seed(pseudo));
		memcpy(right, buf, start + len);
		csum_store16(right + start + field, want);
		n = cut(iov, buf, start + len);
		if (i % 3 == 0) { /* and apart from each other */
			size_t rest = len - field - 1;

			memcpy(apart, msg + field + 1, rest);
			iov[0] = (struct iovec){ buf, start + field + 1 };
			iov[1] = (struct iovec){ apart, rest };
			n = 2;
		}
		ok = csum_is_seed(csum_load_seed(msg + field), pseudo) &&
		     csum_complete(iov, n, start, field,
				   i % 2 ? 0 : CSUM_COMPLETE_UDP) == 0;
		if (i % 3 == 0)
			memcpy(msg + field + 1, apart, iov[1].iov_len);
		ok = ok && memcmp(buf, right, start + len) == 0;
	}
	tap_ok(ok, "complete: any pieces, the field across two, UDP's zero");
	for (int i = 0; i < testing_rounds(20000) && across; i++) {
		size_t len = 30 + below(100), field = 2 * below(10) + 1;

		testing_random_fill(buf, len);
		csum_store16(buf + field, 0);
		across = csum_complete(iov, cut(iov, buf, len), 0, field, 0) ==
				 0 &&
			 is_valid(buf, len, 0);
	}
	tap_ok(across, "complete: a field at an odd place");
	iov[0] = (struct iovec){ buf, 20 };
	tap_ok(csum_complete(iov, 1, 10, 9, 0) == EINVAL &&
		       csum_complete(iov, 1, 10, 10, 0) == EINVAL &&
		       csum_complete(iov, 1, SIZE_MAX, 2, 0) == EINVAL &&
		       csum_complete(iov, 1, 2, SIZE_MAX, 0) == EINVAL &&
		       csum_complete(iov, 0, 0, 0, 0) == EINVAL &&
		       csum_complete(iov, 1, 10, 8, 0) == 0,
	       "complete: EINVAL where the field is not in the packet");
}

static void test_seed(void)
{
	bool ok = true, ok16 = true, length = true;
	int naive = 0, rounds = testing_rounds(50000);

	for (int i = 0; i < rounds; i++) {
		uint8_t a[16], b[16], c[16];
		csum_be32 was = (csum_be32)testing_random();
		csum_be32 now = (csum_be32)testing_random();
		csum_be32 other = (csum_be32)testing_random();
		uint32_t len = below(1 << 17), then = below(1 << 17);
		csum_wsum before = csum_pseudo_ipv4(was, other, len, 6, 0);
		csum_wsum after = csum_pseudo_ipv4(now, other, len, 6, 0);

		ok = ok && csum_is_seed(csum_seed_replace4(csum_seed(before),
							   was, now),
					after);
		naive += csum_is_seed(
			csum_replace4(csum_seed(before), was, now), after);
		length = length &&
			 csum_is_seed(
				 csum_seed_length(csum_seed(before), len, then),
				 csum_pseudo_ipv4(was, other, then, 6, 0));
		testing_random_fill(a, 16);
		testing_random_fill(b, 16);
		testing_random_fill(c, 16);
		ok16 = ok16 && csum_is_seed(csum_seed_replace16(
						    csum_seed(csum_pseudo_ipv6(
							    a, b, len, 17, 0)),
						    a, c),
					    csum_pseudo_ipv6(c, b, len, 17, 0));
	}
	tap_ok(ok, "seed_replace4: the seed of the new packet");
	tap_ok(ok16, "seed_replace16: the seed of the new packet");
	tap_ok(length, "seed_length: the seed of the new length");
	tap_ok(naive < rounds / 100,
	       "csum_replace4() of a seed is wrong: "
	       "right in %d of %d",
	       naive, rounds);
}

static void test_device_sum(void)
{
	uint8_t buf[200];
	bool pulled = true, pushed = true, trimmed = true;
	int naive = 0, rounds = testing_rounds(50000);

	for (int i = 0; i < rounds; i++) {
		size_t len = 1 + below(199), n = below((uint32_t)len);
		csum_wsum all, rest, head;

		testing_random_fill(buf, sizeof(buf));
		buf[len - 1] |= 1;
		all = csum_partial(buf, len, 0);
		rest = csum_partial(buf + n, len - n, 0);
		head = csum_partial(buf, n, 0);
		pulled = pulled &&
			 csum_to16(csum_pull(all, buf, n)) == csum_to16(rest);
		pushed = pushed &&
			 csum_to16(csum_push(rest, buf, n)) == csum_to16(all);
		trimmed = trimmed &&
			  csum_to16(csum_trim(all, n, buf + n, len - n)) %
					  0xffff ==
				  csum_to16(head) % 0xffff;
		naive += csum_to16(csum_uncombine(all, head, 0)) ==
			 csum_to16(rest);
	}
	tap_ok(pulled, "pull: as if summed from there");
	tap_ok(pushed, "push: as if summed from there");
	tap_ok(trimmed, "trim: as if summed up to there");
	tap_ok(naive < rounds * 6 / 10 && naive > rounds * 4 / 10,
	       "csum_uncombine() alone is wrong after an odd pull: right in "
	       "%d of %d",
	       naive, rounds);
	tap_ok(csum_device_ok(0x1234, 0xedcb) && !csum_device_ok(0x1234, 0) &&
		       csum_device_ok(0xffff, 0),
	       "device_ok: with the pseudo-header, or without");
}

static void test_copy_iov(void)
{
	uint8_t from[200], to[202];
	struct iovec in[5], out[5];
	bool ok = true;

	for (int i = 0; i < testing_rounds(50000) && ok; i++) {
		size_t nfrom = below(200), nto = below(200), len = below(220);
		size_t least = nfrom < nto ? nfrom : nto, copied = 99;
		csum_wsum sum;

		if (len < least)
			least = len;
		testing_random_fill(from, sizeof(from));
		memset(to, 0x5a, sizeof(to));
		sum = csum_copy_iov(out, cut(out, to + 1, nto), in,
				    cut(in, from, nfrom), len, 7, &copied);
		ok = copied == least && memcmp(to + 1, from, least) == 0 &&
		     to[0] == 0x5a && to[least + 1] == 0x5a &&
		     csum_to16(sum) == csum_to16(csum_partial(from, least, 7));
	}
	tap_ok(ok, "copy_iov: any pieces on both sides");
	tap_ok(csum_copy_iov(NULL, 0, NULL, 0, 5, 3, NULL) == 3,
	       "copy_iov: nothing to nowhere");
}

/* --- rewriting ----------------------------------------------------------- */

static void test_write(void)
{
	uint8_t msg[100], now[100], before[100];
	bool ok = true, refused = true;

	for (int i = 0; i < testing_rounds(100000) && ok && refused; i++) {
		size_t len = below(100), field = below(104), at = below(104);
		size_t n = below(20);
		bool inside = field + 2 <= len && at + n <= len &&
			      (n == 0 || at + n <= field || at >= field + 2);
		int status;

		testing_random_fill(msg, sizeof(msg));
		testing_random_fill(now, sizeof(now));
		if (inside)
			make_valid(msg, len, field, 0);
		memcpy(before, msg, sizeof(msg));
		status = csum_write(msg, len, field, at, now, n, 0);
		if (inside)
			ok = status == 0 && is_valid(msg, len, 0) &&
			     memcmp(msg + at, now, n) == 0;
		else
			refused = status == EINVAL &&
				  memcmp(msg, before, sizeof(msg)) == 0;
	}
	tap_ok(ok, "write: any bytes anywhere, odd fields too");
	tap_ok(refused, "write: EINVAL outside, and nothing is changed");
	memset(msg, 0, 8);
	put16(msg, 0x1111);
	tap_ok(csum_write(msg, 8, 6, 0, now, 2, CSUM_WRITE_UDP) == 0 &&
		       msg[6] == 0 && msg[7] == 0,
	       "write: an absent UDP checksum stays absent");
	tap_ok(csum_write(msg, 8, SIZE_MAX, 0, now, 2, 0) == EINVAL &&
		       csum_write(msg, 8, 6, SIZE_MAX, now, 2, 0) == EINVAL &&
		       csum_write(msg, 8, 6, 0, now, SIZE_MAX, 0) == EINVAL,
	       "write: places that wrap around");
}

static void test_ipv4_write(void)
{
	uint8_t hdr[60];
	bool ok = true;

	for (int i = 0; i < testing_rounds(20000) && ok; i++) {
		unsigned ihl = 5 + below(11);
		uint8_t v = (uint8_t)testing_random();
		size_t at = i % 2 ? CSUM_IPV4_TOS : CSUM_IPV4_TTL;

		testing_random_fill(hdr, sizeof(hdr));
		hdr[0] = (uint8_t)(0x40 | ihl);
		make_valid(hdr, (size_t)4 * ihl, CSUM_FIELD_IPV4, 0);
		ok = csum_ipv4_write(hdr, (size_t)4 * ihl, at, &v, 1) == 0 &&
		     hdr[at] == v && csum_ipv4_header(hdr, ihl) == 0 &&
		     csum_ipv4_write(hdr, (size_t)4 * ihl - 1, at, &v, 1) ==
			     EINVAL;
	}
	tap_ok(ok, "ipv4_write: DSCP and TTL");
}

static void test_clamp_mss(void)
{
	uint8_t seg[120];
	bool ok = true;
	int naive = 0, odd = 0;

	for (int i = 0; i < testing_rounds(50000) && ok; i++) {
		size_t header = 20 + 4 * (1 + below(10));
		size_t at = 20 + below((uint32_t)header - 23), len = 120;
		uint16_t start = (uint16_t)testing_random(), was = 1, most;
		uint32_t size = below(0x10000);
		csum_sum16 first;

		testing_random_fill(seg, sizeof(seg));
		seg[12] = (uint8_t)(header / 4 << 4);
		memset(seg + 20, 1, header - 20);
		seg[at] = 2;
		seg[at + 1] = 4;
		put16(seg + at + 2, size);
		make_valid(seg, len, CSUM_FIELD_TCP, start);
		most = (uint16_t)below(0x10000);
		first = csum_load_sum16(seg + CSUM_FIELD_TCP);
		ok = csum_clamp_mss(seg, len, most, &was) == 0 && was == size &&
		     is_valid(seg, len, start) &&
		     (uint32_t)(seg[at + 2] << 8 | seg[at + 3]) ==
			     (size < most ? size : most);
		if (at % 2 && size > most) {
			odd++;
			naive += csum_replace2(
					 first,
					 csum_be16_from_host((uint16_t)size),
					 csum_be16_from_host(most)) ==
				 csum_load_sum16(seg + CSUM_FIELD_TCP);
		}
	}
	tap_ok(ok, "clamp_mss: at any place of the options");
	tap_ok(naive < odd / 20,
	       "csum_replace2() at an odd place is wrong: "
	       "right in %d of %d",
	       naive, odd);
	memset(seg, 1, sizeof(seg));
	seg[12] = 0x60;
	tap_ok(csum_clamp_mss(seg, 24, 9, NULL) == 0 &&
		       csum_clamp_mss(seg, 23, 9, NULL) == EINVAL &&
		       csum_clamp_mss(seg, 19, 9, NULL) == EINVAL &&
		       (seg[22] = 2, csum_clamp_mss(seg, 24, 9, NULL)) ==
			       EINVAL,
	       "clamp_mss: no option; headers and options that are cut");
}

struct made {
	uint8_t p[400];
	size_t len, upper, field; /* field 0: none that NAT changes */
	bool ipv6;
	uint8_t protocol;
};

static uint16_t pseudo_of(const struct made *m)
{
	uint32_t len = (uint32_t)(m->len - m->upper);
	csum_wsum sum = m->ipv6 ? csum_pseudo_ipv6(m->p + 8, m->p + 24, len,
						   m->protocol, 0)
				: csum_pseudo_ipv4(csum_load32(m->p + 12),
						   csum_load32(m->p + 16), len,
						   m->protocol, 0);

	return host(csum_to16(sum));
}

static void make_packet(struct made *m, bool small)
{
	static const uint8_t kinds[] = { 6, 17, 136, 33, 1, 58, 47 };
	static const size_t fields[] = { 16, 6, 6, 6, 0, 2, 0 };
	const size_t k = below(7);

	testing_random_fill(m->p, sizeof(m->p));
	m->ipv6 = below(2);
	m->protocol = kinds[k];
	m->field = m->protocol == 58 && !m->ipv6 ? 0 : fields[k];
	if (m->ipv6) {
		size_t extra = below(3);

		m->p[0] = 0x60;
		m->p[6] = m->protocol;
		m->upper = 40;
		if (extra) { /* destination options: padding, and nothing else
			      */
			m->p[6] = 60;
			m->upper += 8 * extra;
			memset(m->p + 40, 0, 8 * extra);
			m->p[40] = m->protocol;
			m->p[41] = (uint8_t)(extra - 1);
		}
	} else {
		m->upper = 20 + 4 * below(5);
		m->p[0] = (uint8_t)(0x40 | m->upper / 4);
		memset(m->p + 20, 1, m->upper - 20);
		put16(m->p + 6, 0x4000);
		m->p[9] = m->protocol;
	}
	m->len = m->upper + 20 + below(small ? 40 : 200);
	put16(m->p + (m->ipv6 ? 4 : 2),
	      (uint32_t)(m->ipv6 ? m->len - 40 : m->len));
	if (!m->ipv6)
		make_valid(m->p, m->upper, CSUM_FIELD_IPV4, 0);
	if (m->field)
		make_valid(m->p + m->upper, m->len - m->upper, m->field,
			   pseudo_of(m));
	if (m->protocol == 17) { /* 0 would say that there is none */
		uint8_t *field = m->p + m->upper + m->field;

		csum_store16(field, csum_udp_sent(csum_load_sum16(field)));
	}
}

static bool packet_is_valid(const struct made *m)
{
	return (m->ipv6 || is_valid(m->p, m->upper, 0)) &&
	       (!m->field ||
		is_valid(m->p + m->upper, m->len - m->upper, pseudo_of(m)));
}

static struct csum_nat_rule random_nat(void)
{
	struct csum_nat_rule nat = { .change = below(16) };

	testing_random_fill(nat.source_address, 16);
	testing_random_fill(nat.destination_address, 16);
	nat.source_port = (csum_be16)testing_random();
	nat.destination_port = (csum_be16)testing_random();
	return nat;
}

/* What @nat asks for is there, and the rest as it was but for checksums. */
static bool nat_done(const struct made *was, const struct made *now,
		     const struct csum_nat_rule *nat)
{
	struct made want = *was;
	const size_t n = was->ipv6 ? 16 : 4, at = was->ipv6 ? 8 : 12;
	const bool ports = was->field && was->protocol != 58;
	uint8_t *upper = want.p + was->upper;

	if (nat->change & CSUM_NAT_SOURCE_ADDRESS)
		memcpy(want.p + at, nat->source_address, n);
	if (nat->change & CSUM_NAT_DESTINATION_ADDRESS)
		memcpy(want.p + at + n, nat->destination_address, n);
	if (ports && nat->change & CSUM_NAT_SOURCE_PORT)
		memcpy(upper, &nat->source_port, 2);
	if (ports && nat->change & CSUM_NAT_DESTINATION_PORT)
		memcpy(upper + 2, &nat->destination_port, 2);
	if (!was->ipv6)
		memcpy(want.p + 10, now->p + 10, 2);
	if (was->field)
		memcpy(upper + was->field, now->p + was->upper + was->field, 2);
	return memcmp(want.p, now->p, sizeof(want.p)) == 0;
}

static void test_nat(void)
{
	bool ok = true, absent = true, seed = true, late = true;
	struct made m, was;

	for (int i = 0; i < testing_rounds(100000) && ok; i++) {
		struct csum_nat_rule nat = random_nat();

		make_packet(&m, false);
		was = m;
		ok = csum_nat(m.p, m.len + below(2) * 9, &nat) == 0 &&
		     packet_is_valid(&m) && nat_done(&was, &m, &nat);
	}
	tap_ok(ok, "nat: IPv4, IPv6, six protocols, as if sent like that");
	for (int i = 0; i < testing_rounds(20000) && absent && seed && late;) {
		struct csum_nat_rule nat = random_nat();
		uint8_t *field;

		make_packet(&m, false);
		if (m.protocol != 17 && m.protocol != 6)
			continue;
		i++;
		field = m.p + m.upper + m.field;
		was = m;
		if (!m.ipv6) { /* not the first fragment */
			put16(m.p + 6, 1 + below(100));
			make_valid(m.p, m.upper, CSUM_FIELD_IPV4, 0);
			was = m;
			late = csum_nat(m.p, m.upper + 3, &nat) == 0 &&
			       is_valid(m.p, m.upper, 0) &&
			       memcmp(m.p + m.upper, was.p + m.upper,
				      m.len - m.upper) == 0;
			put16(m.p + 6, 0);
			make_valid(m.p, m.upper, CSUM_FIELD_IPV4, 0);
		}
		csum_store16(field, csum_be16_from_host(pseudo_of(&m)));
		nat.change |= CSUM_NAT_SEED;
		seed = csum_nat(m.p, m.len, &nat) == 0 &&
		       csum_is_seed(csum_load_seed(field),
				    csum_be16_from_host(pseudo_of(&m)));
		if (i % 2 || m.protocol == 6)
			nat.change &= ~(unsigned)CSUM_NAT_SEED;
		csum_store16(field, 0);
		absent = csum_nat(m.p, m.len, &nat) == 0 &&
			 (m.protocol == 6 || csum_load16(field) == 0);
	}
	tap_ok(late, "nat: a late fragment has addresses only");
	tap_ok(seed, "nat: seeds become those of the new packet");
	tap_ok(absent, "nat: an absent UDP checksum stays absent");
}

/* What nobody can do right is refused: detours, other checksums. */
static void test_nat_refused(void)
{
	struct csum_nat_rule nat = random_nat();
	struct made m;

	nat.change = CSUM_NAT_DESTINATION_ADDRESS | CSUM_NAT_SOURCE_PORT;
	do
		make_packet(&m, false);
	while (m.ipv6 || m.upper != 24);
	m.p[9] = 132;
	tap_ok(csum_nat(m.p, m.len, &nat) == ENOTSUP, "nat: ports of SCTP");
	m.p[9] = 112;
	tap_ok(csum_nat(m.p, m.len, &nat) == ENOTSUP, "nat: VRRP");
	m.p[9] = 6;
	memcpy(m.p + 20, (const uint8_t[4]){ 131, 4, 4, 0 }, 4);
	tap_ok(csum_nat(m.p, m.len, &nat) == ENOTSUP, "nat: a source route");
	memset(&m, 0, sizeof(m));
	m.p[0] = 0x60;
	m.p[5] = 60;
	m.p[6] = 43;
	m.p[40] = 6;
	m.p[43] = 1;
	tap_ok(csum_nat(m.p, 100, &nat) == ENOTSUP, "nat: a routing header");
	m.p[6] = 60;
	m.p[41] = 2;
	m.p[42] = 201;
	m.p[43] = 16;
	tap_ok(csum_nat(m.p, 100, &nat) == ENOTSUP, "nat: a home address");
}

/* Each length of a packet, in a buffer of just this length. */
static void test_nat_bounds(void)
{
	bool unchanged = true;

	for (int i = 0; i < testing_rounds(300); i++) {
		struct csum_nat_rule nat = random_nat();
		struct made m;

		make_packet(&m, true);
		for (size_t len = 0; len <= m.len; len++) {
			uint8_t *p = malloc(len ? len : 1);
			bool quoted = len % 2;
			int status;

			memcpy(p, m.p, len);
			if (i % 4 == 0) /* lengths and options that lie */
				for (size_t k = 0; k < len; k += 1 + below(9))
					p[k] = (uint8_t)testing_random();
			if (len && i % 4 == 0)
				p[0] = (uint8_t)((p[0] & 0xf) |
						 (m.ipv6 ? 0x60 : 0x40));
			{
				uint8_t *was = malloc(len ? len : 1);

				memcpy(was, p, len);
				status = quoted ? csum_nat_quoted(p, len, &nat)
						: csum_nat(p, len, &nat);
				unchanged =
					unchanged && (status == 0 ||
						      memcmp(p, was, len) == 0);
				free(was);
			}
			free(p);
		}
	}
	tap_ok(unchanged, "nat: refused at any length, and nothing is changed");
}

static void test_nat_quoted(void)
{
	bool ok = true;
	int inside = 0, naive = 0;

	for (int i = 0; i < testing_rounds(50000) && ok; i++) {
		struct csum_nat_rule nat = random_nat();
		struct made in, out = { 0 };
		size_t kept, at, half;
		csum_sum16 before;

		do
			make_packet(&in, true);
		while (in.ipv6 && in.protocol == 1);
		out.ipv6 = in.ipv6;
		out.upper = out.ipv6 ? 40 : 20;
		out.protocol = out.ipv6 ? 58 : 1;
		out.field = 2;
		at = out.upper + 8;
		kept = in.upper + 8 + below((uint32_t)(in.len - in.upper - 7));
		out.len = at + kept;
		testing_random_fill(out.p, out.len);
		out.p[0] = out.ipv6 ? 0x60 : 0x45;
		out.p[out.ipv6 ? 6 : 9] = out.protocol;
		put16(out.p + (out.ipv6 ? 4 : 2),
		      (uint32_t)(out.ipv6 ? out.len - 40 : out.len));
		put16(out.p + 6, out.ipv6 ? (uint32_t)(58 << 8 | 64) : 0);
		out.p[out.upper] = out.ipv6 ? 1 : 3;
		memcpy(out.p + at, in.p, kept);
		if (!out.ipv6)
			make_valid(out.p, out.upper, CSUM_FIELD_IPV4, 0);
		make_valid(out.p + out.upper, out.len - out.upper, 2,
			   out.ipv6 ? pseudo_of(&out) : 0);
		before = csum_load_sum16(out.p + out.upper + 2);
		/* the first byte of a field that is cut in two stays */
		half = in.field && kept == in.upper + in.field + 1;
		ok = csum_nat_quoted(out.p, out.len, &nat) == 0 &&
		     csum_nat(in.p, in.len, &nat) == 0 &&
		     memcmp(out.p + at, in.p, kept - half) == 0 &&
		     is_valid(out.p + out.upper, out.len - out.upper,
			      out.ipv6 ? pseudo_of(&out) : 0);
		if (in.field && nat.change && in.upper + in.field + 2 > kept) {
			inside++;
			naive += before ==
				 csum_load_sum16(out.p + out.upper + 2);
		}
	}
	tap_ok(ok, "nat_quoted: the quote is the packet as it was sent, the "
		   "error is right");
	tap_ok(naive < inside / 5,
	       "the sum of an error does change where the "
	       "quote is cut short: the same in %d of %d",
	       naive, inside);
}

static void test_prefix(void)
{
	static const uint8_t in[16] = { 0xfd, 1, 2, 3, 4, 5, 0,	   1,
					0,    0, 0, 0, 0, 0, 0x12, 0x34 };
	static const uint8_t out[16] = { 0x20, 1, 0xd, 0xb8, 0, 1, 0xd5, 0x50,
					 0,    0, 0,   0,    0, 0, 0x12, 0x34 };
	uint8_t a[16], b[16];
	bool ok = true, wide = true;

	memcpy(a, in, 16);
	tap_ok(csum_prefix(a, out, 48) == 0 && memcmp(a, out, 16) == 0,
	       "prefix: the example of RFC 6296");
	tap_ok(csum_prefix(a, in, 48) == 0 && memcmp(a, in, 16) == 0,
	       "prefix: and back");
	for (uint32_t subnet = 0; subnet < 0xffff && ok; subnet++) {
		memcpy(a, in, 16);
		put16(a + 6, subnet);
		memcpy(b, a, 16);
		ok = csum_prefix(a, out, 48) == 0 && memcmp(a, out, 6) == 0 &&
		     model_csum(a, 16, 0) % 0xffff ==
			     model_csum(b, 16, 0) % 0xffff &&
		     csum_prefix(a, in, 48) == 0 && memcmp(a, b, 16) == 0;
	}
	tap_ok(ok, "prefix: all 65,535 subnets both ways");
	put16(a + 6, 0xffff);
	memcpy(b, a, 16);
	memset(a + 8, 0, 8);
	memcpy(b, a, 16);
	tap_ok(csum_prefix(a, out, 56) == EINVAL && memcmp(a, b, 16) == 0,
	       "prefix: an identifier of all zeros is not for 56 bits");
	a[15] = b[15] = 1;
	tap_ok(csum_prefix(a, out, 56) == 0, "... one bit in it will do");
	memcpy(a, b, 16);
	tap_ok(csum_prefix(a, out, 48) == EINVAL && memcmp(a, b, 16) == 0 &&
		       csum_prefix(a, out, 65) == EINVAL,
	       "prefix: the 65,536th cannot be translated");
	for (int i = 0; i < testing_rounds(50000) && wide; i++) {
		unsigned bits = below(65);
		uint8_t prefix[16];

		testing_random_fill(a, 16);
		testing_random_fill(prefix, 16);
		if (i % 4 == 0)
			put16(a + 8, 0xffff);
		put16(a + 6, below(0xffff));
		memcpy(b, a, 16);
		wide = csum_prefix(a, prefix, bits) == 0 &&
		       model_csum(a, 16, 0) % 0xffff ==
			       model_csum(b, 16, 0) % 0xffff &&
		       memcmp(a, prefix, bits / 8) == 0 &&
		       (bits % 8 == 0 || ((a[bits / 8] ^ prefix[bits / 8]) >>
					  (8 - bits % 8)) == 0);
	}
	tap_ok(wide, "prefix: of any length up to 64 bits");
}

static void test_changes(void)
{
	uint8_t msg[64], was[64];
	bool ok = true;

	for (int i = 0; i < testing_rounds(20000) && ok; i++) {
		struct csum_changes c = csum_changes_none();
		csum_sum16 check;

		testing_random_fill(msg, sizeof(msg));
		make_valid(msg, sizeof(msg), 20, 0);
		check = csum_load_sum16(msg + 20);
		ok = csum_changes_check(&c, check) == check;
		for (unsigned n = below(5); n; n--) {
			size_t at = 22 + below(30), len = below(12);

			memcpy(was, msg, sizeof(was));
			testing_random_fill(msg + at, len);
			csum_changes_bytes(&c, was + at, msg + at, len, at);
		}
		csum_store16(msg + 20, csum_changes_check(&c, check));
		ok = ok && is_valid(msg, sizeof(msg), 0) &&
		     csum_changes_udp(&c, 0) == 0;
	}
	tap_ok(ok, "changes: several, applied once");
}

int main(int argc, char **argv)
{
	testing_init(argc, argv);
	test_complete();
	test_seed();
	test_device_sum();
	test_copy_iov();
	test_changes();
	test_write();
	test_ipv4_write();
	test_clamp_mss();
	test_nat();
	test_nat_refused();
	test_nat_bounds();
	test_nat_quoted();
	test_prefix();
	return tap_done();
}
