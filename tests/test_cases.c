/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_cases.c - inputs from public bug reports, with their right values.
 *
 * Reads $CSUM_SHARED/cases/cases.json, whose README says what the fields mean.
 * Here are the cases that functions of csum.h answer; whole packets are in
 * test_verify_cases.c.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "cpu.h"
#include "csum.h"
#include "model.h"
#include "routines/routine.h"
#include "testing.h"

static const char *id; /* of the case at hand */

/* --- comparing --------------------------------------------------------- */

static csum_sum16 be(const json_t *obj, const char *key)
{
	return csum_be16_from_host((uint16_t)number(obj, key));
}

static bool is(const char *what, uint16_t got, uint16_t want)
{
	if (got != want)
		tap_note("%s: %s: want %#06x, got %#06x", id, what, want, got);
	return got == want;
}

/* --- one function a kind ----------------------------------------------- */

/* The data at every alignment up to a guard page, by every routine. */
static bool partial(const json_t *in, const json_t *want)
{
	struct bytes b = from_pieces(json_object_get(in, "data"));
	uint8_t *end, *start = testing_guarded(b.len + 64, &end);
	uint16_t initial = (uint16_t)number(in, "initial");
	uint16_t sum = (uint16_t)number(want, "sum");
	bool ok = b.len == number(in, "len");

	for (size_t a = 0; a < 64 && ok; a++) {
		uint8_t *p = end - b.len - a;
		csum_wsum got;

		memcpy(p, b.p, b.len);
		got = csum_partial(p, b.len, csum_be16_from_host(initial));
		ok = is("sum", host(csum_to16(got)), sum) &&
		     is("checksum", host(csum_fold(got)),
			(uint16_t)number(want, "checksum"));
		for (const struct csum_routine *r = csum_routines;
		     r->name && ok; r++)
			if (csum_can_run(r, csum_cpu_features()))
				ok = is(r->name,
					host(csum_to16(csum_add(
						r->sum(p, b.len, 0),
						csum_be16_from_host(initial)))),
					sum);
	}
	(void)start;
	free(b.p);
	return ok;
}

static bool fold(const json_t *in, const json_t *want)
{
	uint64_t acc = number(in, "acc");
	bool wide = number(in, "acc_bits") == 64;
	csum_wsum sum = wide ? csum_from64(acc) : (csum_wsum)acc;

	/* a number, not memory: no byte order */
	return is("sum", csum_to16(sum), (uint16_t)number(want, "sum")) &&
	       is("checksum", csum_fold(sum),
		  (uint16_t)number(want, "checksum"));
}

static bool join(const json_t *pieces, const json_t *want)
{
	csum_wsum sum = 0;
	bool ok = true;
	const json_t *v;
	size_t i;

	json_array_foreach(pieces, i, v)
	{
		struct bytes b = from_pieces(json_object_get(v, "data"));
		csum_wsum alone = csum_partial(b.p, b.len, 0);

		if (json_object_get(v, "sum_alone"))
			ok = ok && is("piece", host(csum_to16(alone)),
				      (uint16_t)number(v, "sum_alone"));
		sum = csum_combine(sum, alone, (size_t)number(v, "offset"));
		free(b.p);
	}
	return ok &&
	       is("sum", host(csum_to16(sum)), (uint16_t)number(want, "sum"));
}

static bool part(const json_t *in)
{
	const json_t *piece = json_object_get(in, "piece");
	const json_t *rest = json_object_get(in, "remainder");
	struct bytes p = from_pieces(json_object_get(piece, "data"));
	struct bytes r = from_pieces(json_object_get(rest, "data"));
	csum_wsum whole = be(in, "whole_sum");
	csum_wsum left = csum_uncombine(whole, csum_partial(p.p, p.len, 0),
					(size_t)number(piece, "offset"));
	csum_wsum alone = csum_shift(csum_partial(r.p, r.len, 0),
				     (size_t)number(rest, "offset"));

	free(p.p);
	free(r.p);
	/* both zeros are right, and equal */
	return csum_to16(left) % 0xffff == csum_to16(alone) % 0xffff;
}

static bool combine(const json_t *in, const json_t *want)
{
	const json_t *pieces = json_object_get(in, "pieces");

	if (strcmp(text(in, "op"), "sub") == 0)
		return part(in);
	if (!pieces)
		pieces = json_object_get(in, "pieces_given_in_this_order");
	return join(pieces, want);
}

static bool ip_header(const json_t *in, const json_t *want)
{
	struct bytes b = from_hex(text(in, "header"));
	bool ok;

	csum_store16(b.p + CSUM_FIELD_IPV4, 0);
	ok = is("checksum", host(csum_ipv4_header(b.p, (unsigned)b.len / 4)),
		(uint16_t)number(want, "checksum"));
	free(b.p);
	return ok;
}

static csum_sum16 message(bool v6, unsigned proto, const uint8_t *s,
			  const uint8_t *d, const struct bytes *m)
{
	if (v6 && proto == 58)
		return csum_icmpv6(s, d, m->p, m->len);
	if (v6 && proto == 17)
		return csum_udp_ipv6(s, d, m->p, m->len);
	if (v6)
		return csum_tcp_ipv6(s, d, m->p, m->len);
	if (proto == 17)
		return csum_udp_ipv4(csum_load32(s), csum_load32(d), m->p,
				     m->len);
	return csum_tcp_ipv4(csum_load32(s), csum_load32(d), m->p, m->len);
}

static bool tcpudp(bool v6, const json_t *in, const json_t *want)
{
	struct bytes s = from_hex(text(in, "src"));
	struct bytes d = from_hex(text(in, "dst"));
	const json_t *recipe = json_object_get(in, "segment_recipe");
	struct bytes m =
		recipe ? from_pieces(recipe)
		       : from_hex(text(in, "segment_with_zero_checksum"));
	uint8_t proto = (uint8_t)number(in, "proto");
	csum_sum16 got;

	if (json_object_get(in, "sum_of_segment"))
		got = csum_fold(
			csum_pseudo_ipv6(s.p, d.p, (uint32_t)number(in, "len"),
					 proto, be(in, "sum_of_segment")));
	else
		got = message(v6, proto, s.p, d.p, &m);
	free(s.p);
	free(d.p);
	free(m.p);
	return is("checksum", host(got), (uint16_t)number(want, "checksum"));
}

static bool replace(const json_t *in, const json_t *want)
{
	struct bytes was = from_hex(text(in, "old"));
	struct bytes now = from_hex(text(in, "new"));
	bool odd = json_is_true(json_object_get(in, "field_offset_is_odd"));
	bool udp = strcmp(text(in, "l4"), "udp") == 0;
	csum_sum16 check = be(in, "checksum");
	uint16_t right = (uint16_t)number(want, "checksum");
	csum_sum16 got =
		csum_replace_bytes(check, was.p, was.len, now.p, now.len, odd);
	bool ok = is("replace_bytes",
		     host(udp ? csum_udp_keep(check, got) : got), right);

	if (odd || was.len != now.len) {
		free(was.p);
		free(now.p);
		return ok;
	}
	/* the function made for this size must agree */
	if (was.len == 2)
		got = csum_replace2(check, csum_load16(was.p),
				    csum_load16(now.p));
	else if (was.len == 4)
		got = csum_replace4(check, csum_load32(was.p),
				    csum_load32(now.p));
	else if (was.len == 16)
		got = csum_replace16(check, was.p, now.p);
	ok = ok &&
	     is("replace", host(udp ? csum_udp_keep(check, got) : got), right);
	free(was.p);
	free(now.p);
	return ok;
}

/* The sum of a whole packet, before and after a change that cancels out. */
static bool packet_sums(const json_t *in, const json_t *want)
{
	const char *const key[2][2] = {
		{ "packet_before", "packet_sum_before" },
		{ "packet_after", "packet_sum_after" },
	};
	bool ok = true;

	for (int i = 0; i < 2; i++) {
		struct bytes b = from_hex(text(in, key[i][0]));

		if (b.len)
			ok = ok &&
			     is(key[i][1],
				host(csum_to16(csum_partial(b.p, b.len, 0))),
				(uint16_t)number(want, key[i][1]));
		free(b.p);
	}
	return ok;
}

/* i*7 & 0xff, every pair of alignments, canaries around. */
static bool copy_sweep(const json_t *in)
{
	uint8_t src[308], dst[324];
	const json_t *v;
	bool ok = true;
	size_t i;

	for (size_t len = 0; len <= 300 && ok; len++)
		for (size_t a = 0; a < 64 && ok; a++) {
			uint8_t *s = src + a / 8, *d = dst + 8 + a % 8;

			for (size_t k = 0; k < len; k++)
				s[k] = (uint8_t)(k * 7);
			memset(dst, 0x5a, sizeof(dst));
			ok = csum_copy(d, s, len, 0) == csum_partial(s, len, 0);
			ok = ok && memcmp(d, s, len) == 0;
			for (uint8_t *p = dst; p < dst + sizeof(dst); p++)
				ok = ok &&
				     ((p >= d && p < d + len) || *p == 0x5a);
		}
	for (size_t k = 0; k < 300; k++)
		src[k] = (uint8_t)(k * 7);
	json_array_foreach(json_object_get(in, "spot"), i, v) ok =
		ok && is("spot",
			 host(csum_to16(csum_copy(
				 dst, src, (size_t)number(v, "len"), 0))),
			 (uint16_t)number(v, "sum"));
	return ok;
}

static bool copy(const json_t *in, const json_t *want)
{
	struct bytes dst = from_hex(text(want, "dst"));
	uint8_t out[256] = { 0 };
	csum_wsum sum = 0;
	const json_t *v;
	bool ok = true;
	size_t i;

	if (json_object_get(in, "spot")) {
		free(dst.p);
		return copy_sweep(in);
	}
	json_array_foreach(json_object_get(in, "parts"), i, v)
	{
		struct bytes b = from_hex(text(v, "src"));
		size_t at = (size_t)number(v, "offset");

		sum = csum_combine(sum, csum_copy(out + at, b.p, b.len, 0), at);
		free(b.p);
	}
	ok = is("sum", host(csum_to16(sum)), (uint16_t)number(want, "sum")) &&
	     memcmp(out, dst.p, dst.len) == 0;
	free(dst.p);
	return ok;
}

static uint32_t bit(const json_t *in, const char *leaf, const char *name,
		    int at)
{
	return (uint32_t)number(json_object_get(in, leaf), name) << at;
}

/* Made-up cpuid answers, or the data of B098 by every routine. */
static bool dispatch(const json_t *in, const json_t *want)
{
	const json_t *spots = json_object_get(want, "spot_values");
	struct csum_cpuid cpuid = {
		.max_leaf = 7,
		.leaf1_ecx = bit(in, "cpuid_1_ecx", "OSXSAVE", 27) |
			     bit(in, "cpuid_1_ecx", "AVX", 28),
		.leaf7_ebx = bit(in, "cpuid_7_ebx", "AVX2", 5),
		.xcr0 = number(in, "xcr0"),
	};
	bool ok = true;
	const char *len;
	json_t *v;

	if (!spots)
		return (csum_cpu_decode(&cpuid) & CSUM_CPU_AVX2) ==
		       (json_is_true(json_object_get(want, "avx2"))
				? CSUM_CPU_AVX2
				: 0);
	json_object_foreach((json_t *)spots, len, v)
	{
		uint8_t d[600];

		for (size_t i = 0; i < sizeof(d); i++)
			d[i] = (uint8_t)(5 * i + 1);
		for (const struct csum_routine *r = csum_routines; r->name; r++)
			if (csum_can_run(r, csum_cpu_features()))
				ok = ok &&
				     is(r->name,
					host(csum_to16(r->sum(
						d, strtoul(len, NULL, 10), 0))),
					(uint16_t)number(spots, len));
	}
	return ok;
}

/* --- which function ---------------------------------------------------- */

/* Returns why a case is not for this file, or NULL. */
static const char *elsewhere(const char *api, const json_t *c)
{
	const json_t *in = json_object_get(c, "input");

	if (strcmp(api, "fix_packet") == 0)
		return "there is no fix yet";
	if (strcmp(api, "bench") == 0)
		return "a property of the lab";
	if (strcmp(api, "dispatch") == 0 && !json_object_get(in, "xcr0") &&
	    !json_object_get(json_object_get(c, "expected"), "spot_values"))
		return "needs an emulated CPU";
	return NULL;
}

static bool run(const char *api, const json_t *in, const json_t *want)
{
	if (strcmp(api, "partial") == 0)
		return partial(in, want);
	if (strcmp(api, "fold") == 0)
		return fold(in, want);
	if (strcmp(api, "combine") == 0)
		return combine(in, want);
	if (strcmp(api, "ip_header") == 0)
		return ip_header(in, want);
	if (strncmp(api, "tcpudp_v", 8) == 0)
		return tcpudp(api[8] == '6', in, want);
	if (strncmp(api, "replace", 7) == 0 || strcmp(api, "diff") == 0)
		return replace(in, want) && packet_sums(in, want);
	if (strcmp(api, "copy") == 0)
		return copy(in, want);
	if (strcmp(api, "dispatch") == 0)
		return dispatch(in, want);
	tap_note("unknown api '%s'", api);
	return false;
}

static void one_case(const json_t *c)
{
	const char *api = text(c, "api"), *why = elsewhere(api, c);

	id = text(c, "id");
	if (strcmp(api, "verify_packet") == 0)
		return;
	if (why)
		tap_skip("%s %s: %s", id, api, why);
	else
		tap_ok(run(api, json_object_get(c, "input"),
			   json_object_get(c, "expected")),
		       "%s %s: %s", id, api, text(c, "kind"));
}

int main(int argc, char **argv)
{
	const char *why;

	testing_init(argc, argv);
	why = cases_each(one_case);
	if (why)
		tap_skip("public cases: %s", why);
	return tap_done();
}
