/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_verify_cases.c - whole packets from public bug reports, with the right
 * verdict for each of their checksums.
 *
 * Every packet lies in memory that cannot be written, up against a page that
 * cannot be read.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "testing.h"
#include "walk.h"

static bool same_layer(enum protocol p, const char *layer)
{
	if (strcmp(layer, "eth") == 0)
		return p == PROTO_LINK;
	if (strcmp(layer, "l4") == 0)
		return p >= PROTO_TCP;
	return strcmp(layer, protocol_name(p)) == 0;
}

static bool same_number(const json_t *want, const char *key, uint32_t got)
{
	return !json_object_get(want, key) || number(want, key) == got;
}

/* Where nothing can be verified, no field and no value is compared. */
static bool matches(const struct site *s, const struct check *c,
		    const json_t *want)
{
	if (!same_layer(s->protocol, text(want, "layer")) ||
	    strcmp(text(want, "verdict"), verdict_name(c->verdict)) != 0)
		return false;
	return c->verdict == VERDICT_UNVERIFIABLE ||
	       (same_number(want, "field_off", s->field) &&
		same_number(want, "field", c->found) &&
		same_number(want, "expected", c->expected));
}

static bool site_is_right(const struct site *s, const struct check *c,
			  const json_t *expected, size_t i)
{
	const json_t *also = json_object_get(expected, "also_ok"), *v;
	size_t k;

	if (matches(s, c,
		    json_array_get(json_object_get(expected, "checks"), i)))
		return true;
	json_array_foreach(also, k, v)
	{
		if (matches(s, c, v))
			return true;
	}
	tap_note("%zu: %s at %u %s: found %#06x, should be %#06x (%s)", i,
		 protocol_name(s->protocol), s->field, verdict_name(c->verdict),
		 c->found, c->expected, reason_text(s->reason));
	return false;
}

static bool verify(const struct packet *p, const json_t *expected)
{
	size_t want = json_array_size(json_object_get(expected, "checks"));
	struct walk w;
	bool ok;

	walk_packet(p, &w);
	ok = w.count == want;
	if (!ok)
		tap_note("%u checksums, not %zu", w.count, want);
	for (unsigned i = 0; i < w.count && ok; i++) {
		struct check c = check_site(&w.sites[i], p->data);

		ok = site_is_right(&w.sites[i], &c, expected, i);
	}
	return ok;
}

static bool run(const json_t *in, const json_t *expected)
{
	const json_t *recipe = json_object_get(in, "packet_recipe");
	struct bytes b =
		recipe ? from_pieces(recipe) : from_hex(text(in, "packet"));
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *end, *start = testing_guarded(b.len, &end);
	struct packet p = {
		.data = end - b.len,
		.caplen = (uint32_t)b.len,
		.wirelen = (uint32_t)number(in, "wirelen"),
		.flags = (uint32_t)number(in, "pcapng_epb_flags"),
		.crc = &crc_by_libraries,
	};

	if (strcmp(text(in, "linktype"), "EN10MB") == 0)
		p.linktype = 1;
	else if (strcmp(text(in, "linktype"), "LINUX_SLL") == 0)
		p.linktype = 113;
	else
		tap_note("link type %s?", text(in, "linktype"));
	if (!p.wirelen)
		p.wirelen = p.caplen;
	memcpy(end - b.len, b.p, b.len);
	free(b.p);
	return mprotect(start, (b.len + page - 1) / page * page, PROT_READ) ==
		       0 &&
	       verify(&p, expected);
}

static void one_case(const json_t *c)
{
	if (strcmp(text(c, "api"), "verify_packet") == 0)
		tap_ok(run(json_object_get(c, "input"),
			   json_object_get(c, "expected")),
		       "%s: %s", text(c, "id"), text(c, "kind"));
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
