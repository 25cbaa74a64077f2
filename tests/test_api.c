/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_api.c - the functions of csum.h, against the model and each other.
 *
 * Values here are big-endian host integers, as the model returns them; be()
 * and host() go to and from the memory order of the API.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "csum.h"
#include "model.h"
#include "testing.h"

static csum_be16 be(uint16_t host)
{
	return csum_be16_from_host(host);
}

static uint16_t not16(uint16_t v)
{
	return v ^ 0xffff;
}

/* end-around addition of the model's kind */
static uint16_t add16(uint16_t a, uint16_t b)
{
	uint32_t sum = (uint32_t)a + b;

	return (uint16_t)(sum + (sum >> 16));
}

/* 16-bit values where carries and the two zeros live */
static const uint16_t hostile[] = {
	0x0000, 0x0001, 0x0002, 0x00ff, 0x0100, 0x0101, 0x7fff,
	0x8000, 0x8001, 0xfeff, 0xff00, 0xff01, 0xfffd, 0xfffe,
	0xffff, 0x5555, 0xaaaa, 0x3285, 0xdd2f, 0xcd7a,
};

enum { NHOSTILE = sizeof(hostile) / sizeof(hostile[0]) };

static uint16_t pick(void)
{
	uint64_t r = testing_random();

	return r & 1 ? hostile[(r >> 1) % NHOSTILE] : (uint16_t)(r >> 16);
}

static uint64_t pick64(void)
{
	return (uint64_t)pick() << 48 | (uint64_t)pick() << 32 |
	       (uint64_t)pick() << 16 | pick();
}

/* Any running sum that means @v: v plus multiples of 0xffff, v itself 0 or not
 */
static csum_wsum any_wsum(uint16_t word)
{
	csum_wsum most = (0xffffffff - word) / 0xffff;

	return word == 0 ? 0
			 : word + (csum_wsum)(testing_random() % (most + 1)) *
					   0xffff;
}

/* --- words ------------------------------------------------------------- */

static void test_words(void)
{
	const uint8_t bytes[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	uint64_t w64;
	bool ok = true;

	memcpy(&w64, bytes, 8);
	tap_ok(host(csum_to16(csum_from16(csum_load16(bytes)))) == 0x0102 &&
		       host(csum_to16(csum_from32(csum_load32(bytes)))) ==
			       0x0406 &&
		       host(csum_to16(csum_from64(w64))) == 0x1014,
	       "from16, from32, from64: the words at 01 02 .. 08");
	tap_ok(be(0x0102) == csum_load16(bytes) &&
		       csum_be32_from_host(0x01020304) == csum_load32(bytes),
	       "be16_from_host, be32_from_host");
	tap_ok(CSUM_BE16(0x0102) == csum_load16(bytes) &&
		       CSUM_BE32(0x01020304) == csum_load32(bytes) &&
		       CSUM_BE16(0xffff) == 0xffff &&
		       CSUM_BE32(0xffffffff) == 0xffffffff,
	       "CSUM_BE16, CSUM_BE32: the same as constants");
	for (int i = 0; i < testing_rounds(1000000) && ok; i++) {
		uint64_t v = pick64();
		uint8_t b[8];

		memcpy(b, &v, 8);
		ok = host(csum_to16(csum_from64(v))) == model_csum(b, 8, 0) &&
		     host(csum_to16((csum_wsum)v)) ==
			     model_csum((const uint8_t *)&(
						uint32_t){ (uint32_t)v },
					4, 0);
		if (!ok)
			tap_note("%#llx", (unsigned long long)v);
	}
	tap_ok(ok, "from64 and to16 fold like the model");
	tap_ok(csum_fold(0) == 0xffff && csum_fold(0xffff) == 0 &&
		       csum_fold(0xffffffff) == 0 && csum_to16(0) == 0 &&
		       csum_to16(0xffffffff) == 0xffff &&
		       csum_to16(0x0001ffff) == 0x0001,
	       "fold and to16 at both zeros and at a double carry");
	ok = true;
	if (testing_slow()) {
		for (uint64_t v = 0; v < 1ull << 32 && ok; v++) {
			uint16_t sum =
				v == 0 ? 0 : (uint16_t)((v - 1) % 0xffff + 1);

			ok = csum_to16((csum_wsum)v) == sum &&
			     csum_fold((csum_wsum)v) + sum == 0xffff;
		}
		tap_ok(ok, "to16 and fold: every running sum");
	}
	tap_ok(csum_fold_udp(0xffff) == 0xffff && csum_fold_udp(0) == 0xffff &&
		       csum_fold_udp(be(0x1234)) == be(0xedcb),
	       "fold_udp never gives 0");
	tap_ok(csum_ok(0xffff) && csum_ok(0xffffffff) && csum_ok(0x1fffe) &&
		       !csum_ok(0) && !csum_ok(1) && !csum_ok(0xfffffffe),
	       "ok accepts -0 only");
	tap_ok(csum_udp_absent(0) && !csum_udp_absent(0xffff),
	       "udp_absent: 0 and nothing else");
}

static void test_add_sub(void)
{
	bool ok = true;

	for (int i = 0; i < testing_rounds(1000000) && ok; i++) {
		uint16_t a = pick(), b = pick();
		csum_wsum wa = any_wsum(a), wb = any_wsum(b);
		uint16_t sum = csum_to16(csum_add(wa, wb));
		uint16_t back = csum_to16(csum_sub(csum_add(wa, wb), wb));

		ok = sum == add16(a, b) && back == (a ? a : 0xffff) &&
		     csum_sub(wa, wb) != 0;
		if (!ok)
			tap_note("%#x %#x", wa, wb);
	}
	tap_ok(ok, "add is end-around, sub its inverse, never +0");
	tap_ok(csum_sub(0, 0) == 0xffffffff && csum_sub(0, 0xffffffff) != 0,
	       "sub of zeros is -0");
}

/* --- sums of bytes ----------------------------------------------------- */

static void test_partial(void)
{
	uint8_t buf[300];
	bool ok = true;

	for (size_t len = 0; len <= sizeof(buf) && ok; len++) {
		uint16_t start = pick();

		testing_random_fill(buf, len);
		ok = host(csum_to16(
			     csum_partial(buf, len, any_wsum(be(start))))) ==
		     model_csum(buf, len, start);
	}
	tap_ok(ok, "partial adds the caller's running sum");
	tap_ok(csum_partial(NULL, 0, 0) == 0 && csum_partial(NULL, 0, 5) == 5,
	       "partial of nothing is the sum it was given");
}

/* Cut anywhere, odd places too, and join again, in either order. */
static void test_combine(void)
{
	uint8_t buf[193];
	bool joined = true, parted = true;

	for (int round = 0; round < 20; round++) {
		size_t len = sizeof(buf) - (size_t)round % 2;

		testing_random_fill(buf, len);
		if (round == 0)
			memset(buf, 0xff, len);
		for (size_t cut = 0; cut <= len; cut++) {
			uint16_t whole = be(model_csum(buf, len, 0));
			csum_wsum head = csum_partial(buf, cut, 0);
			csum_wsum tail = csum_partial(buf + cut, len - cut, 0);
			csum_wsum all = csum_combine(head, tail, cut);

			joined &= csum_to16(all) == whole;
			joined &= csum_to16(csum_combine(csum_shift(tail, cut),
							 head, 0)) == whole;
			/* what is left of zeros is -0 */
			parted &= csum_to16(csum_uncombine(all, tail, cut)) ==
				  (head ? csum_to16(head) : 0xffff);
			parted &= csum_to16(csum_uncombine(all, head, 0)) ==
				  (tail ? csum_to16(csum_shift(tail, cut))
					: 0xffff);
		}
	}
	tap_ok(joined, "combine: every cut joins to the whole, both ways");
	tap_ok(parted, "uncombine: takes either piece out again");
}

static void test_iov(void)
{
	uint8_t buf[512];
	bool ok = true;

	for (int round = 0; round < testing_rounds(20000) && ok; round++) {
		struct iovec iov[12];
		size_t n = testing_random() % 13, total = 0, off, len, want;
		uint16_t start = pick();

		testing_random_fill(buf, sizeof(buf));
		for (size_t i = 0; i < n; i++) {
			size_t piece = testing_random() % 41;

			if (testing_random() % 4 == 0)
				piece = 0;
			iov[i] = (struct iovec){ piece ? buf + total : NULL,
						 piece };
			total += piece;
		}
		off = testing_random() % (total + 3);
		len = testing_random() % 3 ? testing_random() % (total + 3)
					   : SIZE_MAX;
		want = off >= total ? 0 : len < total - off ? len : total - off;
		ok = host(csum_to16(csum_iov(iov, n, off, len,
					     any_wsum(be(start))))) ==
		     model_csum(buf + (off < total ? off : 0), want, start);
		if (!ok)
			tap_note("%zu pieces, %zu bytes, off %zu, len %zu", n,
				 total, off, len);
	}
	tap_ok(ok, "iov: any pieces, any range, is the sum of the whole");
}

static void test_copy(void)
{
	enum { MAX = 700, CANARY = 64 };
	uint8_t *send, *src = testing_guarded(MAX + 16, &send);
	uint8_t *dend, *dst = testing_guarded(MAX + 2 * CANARY + 16, &dend);
	bool ok = true;

	for (size_t len = 0; len <= MAX && ok; len++)
		for (size_t a = 0; a < 16 && ok; a++) {
			/* the source ends at a guard page, or near it */
			uint8_t *s = send - len - (a & 3);
			uint8_t *d = dst + CANARY + a;
			uint16_t start = pick(), got;

			testing_random_fill(s, len);
			memset(dst, 0xa5, (size_t)(dend - dst));
			got = host(csum_to16(
				csum_copy(d, s, len, any_wsum(be(start)))));
			ok = got == model_csum(s, len, start) &&
			     memcmp(d, s, len) == 0;
			for (uint8_t *p = dst; p < dend && ok; p++)
				ok = (p >= d && p < d + len) || *p == 0xa5;
			/* and the destination ends at one */
			d = dend - len;
			ok = ok &&
			     csum_copy(d, s, len, 0) == csum_partial(s, len, 0);
			ok = ok && memcmp(d, s, len) == 0;
			if (!ok)
				tap_note("length %zu, alignment %zu", len, a);
		}
	tap_ok(ok, "copy: sum, bytes, and nothing else written, 0 to %d", MAX);

	uint8_t *big = malloc(100001), *to = malloc(100001);

	testing_random_fill(big, 100001);
	tap_ok(host(csum_to16(csum_copy(to, big, 100001, 0))) ==
			       model_csum(big, 100001, 0) &&
		       memcmp(big, to, 100001) == 0,
	       "copy: 100001 bytes");
	tap_ok(csum_copy(NULL, NULL, 0, 7) == 7, "copy of nothing");
	free(big);
	free(to);
	munmap(src, (size_t)(send - src));
	munmap(dst, (size_t)(dend - dst));
}

/* --- headers and messages ---------------------------------------------- */

static void test_ipv4_header(void)
{
	/* by hand: 4500 + 0073 + 4000 + 4011 + c000 + 0201 + c633 + 6401 is
	 * 2b1b9, folded b1bb, complemented 4e44 */
	const uint8_t hdr[20] = { 0x45, 0,    0,    0x73, 0,   0,   0x40,
				  0,	0x40, 0x11, 0,	  0,   192, 0,
				  2,	1,    198,  51,	  100, 1 };
	uint8_t buf[60];
	bool ok = true;

	tap_ok(host(csum_ipv4_header(hdr, 5)) == 0x4e44,
	       "ipv4_header: a header summed by hand");
	for (int round = 0; round < testing_rounds(2000) && ok; round++)
		for (unsigned ihl = 5; ihl <= 15 && ok; ihl++) {
			csum_sum16 check;

			testing_random_fill(buf, sizeof(buf));
			if (round == 0)
				memset(buf, 0xff, sizeof(buf));
			csum_store16(buf + CSUM_FIELD_IPV4, 0);
			check = csum_ipv4_header(buf, ihl);
			ok = host(check) ==
			     not16(model_csum(buf, (size_t)4 * ihl, 0));
			csum_store16(buf + CSUM_FIELD_IPV4, check);
			ok = ok && csum_ipv4_header(buf, ihl) == 0;
		}
	tap_ok(ok, "ipv4_header: 20 to 60 bytes");
	/* NULL: nothing is read */
	ok = true;
	for (unsigned ihl = 0; ihl <= 40; ihl++)
		ok = ok && (ihl >= 5 && ihl <= 15
				    ? true
				    : csum_ipv4_header(NULL, ihl) == 0xffff);
	tap_ok(ok && csum_ipv4_header(NULL, UINT32_MAX) == 0xffff,
	       "ipv4_header: a length that no header has is not intact");
}

/* Any field, odd and outside too; any length. */
static void test_without(void)
{
	uint8_t msg[67], zeroed[67];
	bool ok = true;

	for (int i = 0; i < testing_rounds(50000) && ok; i++) {
		size_t len = testing_random() % sizeof(msg);
		size_t field = testing_random() % (sizeof(msg) + 4);

		testing_random_fill(msg, len);
		if (i % 8 == 0)
			memset(msg, 0, len);
		memcpy(zeroed, msg, len);
		if (field + 2 <= len)
			memset(zeroed + field, 0, 2);
		ok = host(csum_to16(csum_without(msg, len, field))) ==
		     model_csum(zeroed, len, 0);
		if (!ok)
			tap_note("%zu at %zu", len, field);
	}
	tap_ok(ok, "without: any field, odd ones too");
	ok = true;
	for (size_t less = 0; less < 4; less++)
		for (size_t len = 0; len < 5; len++)
			ok = ok && csum_to16(csum_without(msg, len,
							  SIZE_MAX - less)) ==
					   csum_to16(csum_partial(msg, len, 0));
	tap_ok(ok, "without: a field at SIZE_MAX is not in the message");
}

/* The pseudo-header written out as bytes, for the model. */
static uint16_t model_pseudo(bool v6, const uint8_t *saddr,
			     const uint8_t *daddr, uint32_t len, uint8_t proto,
			     uint16_t start)
{
	size_t n = v6 ? 16 : 4;
	uint8_t b[40] = { 0 };

	memcpy(b, saddr, n);
	memcpy(b + n, daddr, n);
	b[2 * n] = (uint8_t)(len >> 24);
	b[2 * n + 1] = (uint8_t)(len >> 16);
	b[2 * n + 2] = (uint8_t)(len >> 8);
	b[2 * n + 3] = (uint8_t)len;
	b[2 * n + 7] = proto;
	return model_csum(b, 2 * n + 8, start);
}

static void test_pseudo(void)
{
	bool ok = true;

	for (int i = 0; i < testing_rounds(200000) && ok; i++) {
		uint64_t r[4] = { pick64(), pick64(), pick64(), pick64() };
		const uint8_t *s = (const uint8_t *)r, *d = s + 16;
		uint32_t len = (uint32_t)testing_random();
		uint8_t proto = (uint8_t)pick();
		uint16_t start = pick();
		csum_wsum sum = any_wsum(be(start));

		ok = host(csum_to16(csum_pseudo_ipv4(csum_load32(s),
						     csum_load32(d), len, proto,
						     sum))) ==
			     model_pseudo(false, s, d, len, proto, start) &&
		     host(csum_to16(csum_pseudo_ipv6(s, d, len, proto, sum))) ==
			     model_pseudo(true, s, d, len, proto, start);
	}
	tap_ok(ok, "pseudo_ipv4 and pseudo_ipv6: 32-bit lengths, any sum");
}

/*
 * The checksum of a message by the model: field taken as zero, pseudo-header if
 * there is a protocol, UDP's rule.
 */
static uint16_t model_message(bool v6, const uint8_t *addrs, uint8_t proto,
			      size_t field, const uint8_t *msg, size_t len)
{
	uint8_t copy[256];
	uint16_t check;

	memcpy(copy, msg, len);
	if (len >= field + 2)
		memset(copy + field, 0, 2);
	check = model_csum(copy, len, 0);
	if (proto)
		check = model_pseudo(v6, addrs, addrs + 16, (uint32_t)len,
				     proto, check);
	check = not16(check);
	return proto == 17 && check == 0 ? 0xffff : check;
}

static void test_messages(void)
{
	const struct {
		const char *name;
		bool v6;
		uint8_t proto;
		size_t field;
	} kind[] = {
		{ "tcp_ipv4", false, 6, CSUM_FIELD_TCP },
		{ "udp_ipv4", false, 17, CSUM_FIELD_UDP },
		{ "tcp_ipv6", true, 6, CSUM_FIELD_TCP },
		{ "udp_ipv6", true, 17, CSUM_FIELD_UDP },
		{ "icmpv6", true, 58, CSUM_FIELD_ICMP },
		{ "icmp", false, 0, CSUM_FIELD_ICMP },
	};
	uint8_t msg[200], addrs[32];

	for (size_t k = 0; k < 6; k++) {
		bool ok = true, verifies = true;

		for (int i = 0; i < testing_rounds(50000) && ok; i++) {
			size_t len = testing_random() % sizeof(msg);
			uint32_t s, d;
			csum_sum16 got = 0;
			csum_wsum sum;

			testing_random_fill(addrs, sizeof(addrs));
			testing_random_fill(msg, len);
			if (i % 8 == 0) /* all zeros but, maybe, the field */
				memset(msg, 0, len);
			if (i % 8 == 0 && len >= kind[k].field + 2)
				csum_store16(msg + kind[k].field, pick());
			/* steer one message in four to a sum of zero */
			if (i % 4 == 1 && len > 23) {
				memset(msg + 18, 0, 2);
				csum_store16(msg + 18,
					     be(model_message(kind[k].v6, addrs,
							      kind[k].proto,
							      kind[k].field,
							      msg, len)));
			}
			s = csum_load32(addrs);
			d = csum_load32(addrs + 16);
			switch (k) {
			case 0:
				got = csum_tcp_ipv4(s, d, msg, len);
				break;
			case 1:
				got = csum_udp_ipv4(s, d, msg, len);
				break;
			case 2:
				got = csum_tcp_ipv6(addrs, addrs + 16, msg,
						    len);
				break;
			case 3:
				got = csum_udp_ipv6(addrs, addrs + 16, msg,
						    len);
				break;
			case 4:
				got = csum_icmpv6(addrs, addrs + 16, msg, len);
				break;
			default:
				got = csum_icmp(msg, len);
				break;
			}
			ok = host(got) ==
			     model_message(kind[k].v6, addrs, kind[k].proto,
					   kind[k].field, msg, len);
			if (!ok)
				tap_note("length %zu: got %#06x", len,
					 host(got));
			if (len < kind[k].field + 2)
				continue;
			csum_store16(msg + kind[k].field, got);
			sum = csum_partial(msg, len, 0);
			if (kind[k].proto && kind[k].v6)
				sum = csum_pseudo_ipv6(addrs, addrs + 16,
						       (uint32_t)len,
						       kind[k].proto, sum);
			else if (kind[k].proto)
				sum = csum_pseudo_ipv4(s, d, (uint32_t)len,
						       kind[k].proto, sum);
			verifies = verifies && csum_ok(sum);
		}
		tap_ok(ok, "%s: like the model, whatever the field holds",
		       kind[k].name);
		tap_ok(verifies, "%s: what it returns verifies", kind[k].name);
	}
}

/* --- incremental update ------------------------------------------------ */

/*
 * What an update must return for data that sums to @after: the complement, and
 * the documented 0x0000 where that would be 0xffff.
 */
static uint16_t updated(uint16_t after)
{
	return after == 0 ? 0 : not16(after);
}

/*
 * Data of two words, the changed one and the rest: with these every state of
 * a longer message is covered, since only its sum matters.
 */
static bool replace2_is_right(uint16_t was, uint16_t rest, uint16_t now)
{
	uint16_t before = not16(add16(was, rest));
	uint16_t after = updated(add16(now, rest));
	csum_sum16 check = be(before);
	csum_sum16 want_udp = before == 0 ? 0 : after == 0 ? 0xffff : be(after);

	return csum_replace2(check, be(was), be(now)) == be(after) &&
	       csum_udp_replace2(check, be(was), be(now)) == want_udp;
}

static void test_replace2(void)
{
	bool ok = true;

	for (uint32_t rest = 0; rest < 0x10000 && ok; rest++)
		for (int i = 0; i < NHOSTILE && ok; i++)
			for (int j = 0; j < NHOSTILE && ok; j++)
				ok = replace2_is_right(
					hostile[i], (uint16_t)rest, hostile[j]);
	tap_ok(ok, "replace2: every sum x hostile words");
	if (!testing_slow())
		return;
	for (uint32_t was = 0; was < 0x10000 && ok; was++)
		for (uint32_t now = 0; now < 0x10000 && ok; now++)
			ok = replace2_is_right((uint16_t)was, 0, (uint16_t)now);
	tap_ok(ok, "replace2: every word to every word, nothing else");
	for (uint32_t was = 0; was < 0x10000 && ok; was++)
		for (uint32_t now = 0; now < 0x10000 && ok; now++)
			ok = replace2_is_right((uint16_t)was, 0xffff,
					       (uint16_t)now);
	tap_ok(ok, "replace2: every word to every word, the rest -0");
}

static void test_replace_never_ones(void)
{
	bool ok = true;

	/* also from fields that no full computation would have left */
	for (uint32_t check = 0; check < 0x10000 && ok; check++)
		for (int i = 0; i < NHOSTILE && ok; i++)
			for (int j = 0; j < NHOSTILE && ok; j++)
				ok = csum_replace2((uint16_t)check, hostile[i],
						   hostile[j]) != 0xffff &&
				     csum_replace4((uint16_t)check, hostile[i],
						   hostile[j]) != 0xffff &&
				     csum_dec_ttl((uint16_t)check) != 0xffff &&
				     csum_replace_by_diff((uint16_t)check,
							  hostile[i]) != 0xffff;
	tap_ok(ok, "replace2, 4, by_diff and dec_ttl never give 0xffff");
	tap_ok(csum_replace2(0xffff, 0xffff, 0) == 0,
	       "replace2 where equation 3 gives 0xffff");
}

/* Changes some bytes of a message and compares with the sum of the result. */
static void test_replace_range(void)
{
	uint8_t msg[96], old[96];
	bool ok[4] = { true, true, true, true };

	for (int i = 0; i < testing_rounds(300000); i++) {
		size_t len = 32 + testing_random() % 64;
		size_t at = 2 * (testing_random() % 8);
		size_t from = testing_random() % len;
		size_t n = testing_random() % (len - from + 1);
		csum_sum16 before;
		uint16_t after;

		testing_random_fill(msg, len);
		if (i % 3 == 0)
			memset(msg, i % 2 ? 0xff : 0, len);
		memcpy(old, msg, len);
		before = be(not16(model_csum(msg, len, 0)));

		testing_random_fill(msg + at, 4);
		if (i % 5 == 0)
			memset(msg + at, 0, 4);
		after = updated(model_csum(msg, len, 0));
		ok[0] &= host(csum_replace4(before, csum_load32(old + at),
					    csum_load32(msg + at))) == after;
		memcpy(msg, old, len);

		testing_random_fill(msg + at, 16);
		after = updated(model_csum(msg, len, 0));
		ok[1] &= host(csum_replace16(before, old + at, msg + at)) ==
			 after;
		memcpy(msg, old, len);

		testing_random_fill(msg + from, n);
		after = updated(model_csum(msg, len, 0));
		ok[2] &= host(csum_replace_bytes(before, old + from, n,
						 msg + from, n, from)) == after;
		ok[2] &= csum_udp_replace_bytes(before, old + from, n,
						msg + from, n, from) ==
			 csum_udp_keep(before, be(after));
		ok[3] &= host(csum_replace_by_diff(
				 before, csum_diff(old + from, n, msg + from, n,
						   from, 0))) == after;
		ok[3] &= csum_to16(csum_diff(old + from, n, msg + from, n, from,
					     csum_partial(old, len, 0))) ==
			 (after == 0 ? 0xffff : be(not16(after)));
	}
	tap_ok(ok[0], "replace4 equals recomputation");
	tap_ok(ok[1], "replace16 equals recomputation");
	tap_ok(ok[2], "replace_bytes: any range, odd places too");
	tap_ok(ok[3], "diff: for a field and from a running sum");
}

static void test_replace_lengths(void)
{
	uint8_t was[64], now[64], rest[20];
	bool ok = true;

	for (int i = 0; i < testing_rounds(100000) && ok; i++) {
		size_t a = testing_random() % 40;
		size_t b = (a + 2 * (testing_random() % 12)) % 64;
		uint16_t tail, before, after;

		testing_random_fill(was, a);
		testing_random_fill(now, b);
		testing_random_fill(rest, sizeof(rest));
		/* header of 20 bytes, then a range that grows or shrinks */
		tail = model_csum(rest, sizeof(rest), 0);
		before = not16(model_csum(was, a, tail));
		after = updated(model_csum(now, b, tail));
		ok = host(csum_replace_bytes(be(before), was, a, now, b, 20)) ==
		     after;
	}
	tap_ok(ok, "replace_bytes: old and new of different lengths");
}

static void test_udp_replace(void)
{
	const uint8_t a[16] = { 0x20, 1, 0xd, 0xb8 }, b[16] = { 0xfe, 0x80 };

	tap_ok(csum_udp_replace2(0, 1, 2) == 0 &&
		       csum_udp_replace4(0, 1, 2) == 0 &&
		       csum_udp_replace16(0, a, b) == 0 &&
		       csum_udp_replace_bytes(0, a, 16, b, 16, 0) == 0 &&
		       csum_udp_replace_by_diff(0, 5) == 0,
	       "udp_replace*: absent stays absent");
	/* 0xfffe - 1 + 2 is 0xffff, a checksum of 0 */
	tap_ok(csum_udp_replace2(be(0x0001), be(1), be(2)) == 0xffff &&
		       csum_udp_replace4(be(0x0001), csum_be32_from_host(1),
					 csum_be32_from_host(2)) == 0xffff &&
		       csum_udp_replace_by_diff(be(0x0001), be(1)) == 0xffff,
	       "udp_replace*: a computed 0 is stored as 0xffff");
	tap_ok(csum_udp_replace16(be(0x1234), a, b) ==
			       csum_replace16(be(0x1234), a, b) &&
		       csum_udp_keep(5, 6) == 6 &&
		       csum_udp_keep(5, 0) == 0xffff,
	       "udp_replace*: else like replace*");
}

static void test_ttl(void)
{
	bool ok = true, in_place = true;
	uint8_t hdr[21], *h = hdr + 1; /* odd address */

	for (uint32_t rest = 0; rest < 0x10000 && ok; rest++)
		for (uint32_t ttl = 1; ttl < 256 && ok; ttl++) {
			uint16_t word = (uint16_t)(ttl << 8 | 17);
			uint16_t before = not16(add16(word, (uint16_t)rest));
			uint16_t after = updated(add16((uint16_t)(word - 0x100),
						       (uint16_t)rest));

			ok = csum_dec_ttl(be(before)) == be(after);
		}
	tap_ok(ok, "dec_ttl: every TTL x every rest of the header");
	testing_random_fill(h, 20);
	h[8] = 255;
	csum_store16(h + CSUM_FIELD_IPV4, 0);
	csum_store16(h + CSUM_FIELD_IPV4, csum_ipv4_header(h, 5));
	for (int ttl = 254; ttl >= 0; ttl--)
		in_place = in_place && csum_ipv4_dec_ttl(h) == ttl &&
			   h[8] == ttl && csum_ipv4_header(h, 5) == 0;
	tap_ok(in_place, "ipv4_dec_ttl: 255 down to 0, header stays right");
	tap_ok(csum_ipv4_dec_ttl(h) == -1 && h[8] == 0 &&
		       csum_ipv4_header(h, 5) == 0,
	       "ipv4_dec_ttl: a TTL of 0 is left alone");
}

/* RFC 1071, section 3: the bytes 00 01 f2 03 f4 f5 f6 f7 sum to ddf2. */
static void test_rfc1071(void)
{
	const uint8_t d[8] = { 0, 1, 0xf2, 3, 0xf4, 0xf5, 0xf6, 0xf7 };

	tap_ok(host(csum_to16(csum_partial(d, 8, 0))) == 0xddf2 &&
		       host(csum_fold(csum_partial(d, 8, 0))) == 0x220d,
	       "the example of RFC 1071");
	/* RFC 1624, section 4: dd2f, 5555 becomes 3285 */
	tap_ok(csum_replace2(be(0xdd2f), be(0x5555), be(0x3285)) == 0,
	       "the example of RFC 1624");
}

int main(int argc, char **argv)
{
	testing_init(argc, argv);
	test_rfc1071();
	test_words();
	test_add_sub();
	test_partial();
	test_combine();
	test_iov();
	test_copy();
	test_ipv4_header();
	test_without();
	test_pseudo();
	test_messages();
	test_replace2();
	test_replace_never_ones();
	test_replace_range();
	test_replace_lengths();
	test_udp_replace();
	test_ttl();
	return tap_done();
}
