/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_fix_cases.c - whole packets from public bug reports, repaired: exactly
 * the bytes that should change, and those only.
 */
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "judge.h"
#include "repair.h"
#include "testing.h"

static uint32_t linktype(const json_t *in)
{
	return strcmp(text(in, "linktype"), "LINUX_SLL") == 0 ? 113 : 1;
}

static void repair(struct bytes *b, uint32_t link, uint32_t wirelen)
{
	struct repair_rules rules = {
		.verdicts = { [VERDICT_BAD] = true, [VERDICT_PARTIAL] = true }
	};
	const struct packet p = {
		.data = b->p,
		.caplen = (uint32_t)b->len,
		.wirelen = wirelen > b->len ? wirelen : (uint32_t)b->len,
		.linktype = link,
		.crc = &crc_by_libraries,
	};
	struct repaired out[WALK_SITES];
	struct check was[WALK_SITES];
	struct walk walk;

	memset(rules.protocols, true, sizeof(rules.protocols));
	walk_packet(&p, &walk);
	judge_packet(&walk, b->p, was);
	repair_packet(&rules, &walk, was, b->p, out);
}

static bool is_repaired(const json_t *in, const json_t *expected)
{
	struct bytes got = from_hex(text(in, "packet"));
	struct bytes want = from_hex(text(expected, "packet"));
	bool same;

	repair(&got, linktype(in), 0);
	same = got.len == want.len && memcmp(got.p, want.p, got.len) == 0;
	for (size_t i = 0; i < got.len && i < want.len; i++)
		if (got.p[i] != want.p[i])
			tap_note("offset %zu: 0x%02x, not 0x%02x", i, got.p[i],
				 want.p[i]);
	free(got.p);
	free(want.p);
	return same;
}

/* The robustness cases: what is malformed comes out as it was. */
static bool is_unchanged(const json_t *in)
{
	struct bytes was = from_hex(text(in, "packet"));
	struct bytes got = from_hex(text(in, "packet"));
	bool same;

	repair(&got, linktype(in), (uint32_t)number(in, "wirelen"));
	same = memcmp(got.p, was.p, was.len) == 0;
	free(was.p);
	free(got.p);
	return same;
}

static void one_case(const json_t *c)
{
	const json_t *in = json_object_get(c, "input");
	const char *id = text(c, "id");

	if (strstr(text(c, "note"), "must return the packet unchanged"))
		tap_ok(is_unchanged(in), "%s: unchanged", id);
	if (strcmp(text(c, "api"), "fix_packet") == 0)
		tap_ok(is_repaired(in, json_object_get(c, "expected")),
		       "%s: %s", id, text(c, "kind"));
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
