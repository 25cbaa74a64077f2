/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_walk.c - one packet in memory of just its size: its sites, their
 * verdicts, the causes, and the repair.
 */
#include <string.h>

#include "crc.h"
#include "decode.h"
#include "fuzz.h"
#include "judge.h"
#include "repair.h"
#include "walk.h"
#include "why.h"

/* Link types that the walk knows, and then any. */
static const uint16_t linktypes[] = { 1,   101, 0,   8,	  9,   12,  50,	 51,
				      99,  100, 104, 105, 107, 108, 109, 113,
				      127, 192, 228, 229, 276, 166, 178, 195,
				      197, 230, 274, 281, 282, 283, 284, 285 };

enum { LINKTYPES = sizeof(linktypes) / sizeof(*linktypes) };

static void explain(const struct packet *p, const struct walk *w,
		    const struct check *checks)
{
	struct why why[WHY_MAX];
	char text[200];

	for (unsigned i = 0; i < w->count; i++) {
		const struct site *s = &w->sites[i];
		unsigned n;

		if (checks[i].verdict == VERDICT_GOOD)
			REQUIRE(why_mistakes(p, s, why) <= WHY_MAX);
		if (s->open || (checks[i].verdict != VERDICT_BAD &&
				checks[i].verdict != VERDICT_PARTIAL))
			continue;
		n = why_site(p, s, &checks[i], w, why);
		REQUIRE(n <= WHY_MAX);
		for (unsigned k = 0; k < n; k++)
			why_text(&why[k], text, sizeof(text));
		why_short(why, n, text, sizeof(text));
	}
}

/* What is right afterwards, and that nothing but fields has changed. */
static void repair(struct packet *p, struct walk *w, struct check *checks,
		   uint8_t *frame)
{
	struct repair_rules rules = {
		.verdicts = { [VERDICT_BAD] = true, [VERDICT_PARTIAL] = true }
	};
	struct repaired done[WALK_SITES];
	uint8_t *was = exact(frame, p->caplen);
	struct walk again;

	memset(rules.protocols, true, sizeof(rules.protocols));
	repair_packet(&rules, w, checks, frame, done);
	for (unsigned i = 0; i < w->count; i++)
		if (repair_writes(&done[i]))
			memcpy(was + w->sites[i].field,
			       frame + w->sites[i].field,
			       site_width(&w->sites[i]));
	REQUIRE(memcmp(was, frame, p->caplen) == 0);
	walk_packet(p, &again);
	judge_packet(&again, frame, checks);
	free(was);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	const unsigned kind = (unsigned)take(&in, 1);
	const uint32_t more = (uint32_t)take(&in, 1);
	const uint32_t flags = (uint32_t)take(&in, 1) << 8;
	/* bits that mean nothing in a packet say what else is said of one */
	enum { SAYS_FCS = 1 << 14, SAYS_RULES = 1 << 15 };
	static const struct walk_rules rules = { .esp_null = true };
	struct check checks[WALK_SITES];
	uint8_t *frame = exact(in.p, in.n);
	struct packet p = {
		.frame = 1,
		.data = frame,
		.caplen = (uint32_t)in.n,
		.wirelen = (uint32_t)in.n + more * more,
		.linktype = kind < LINKTYPES ? linktypes[kind] : kind,
		.flags = flags,
		.fcs_len = flags & SAYS_FCS ? 4 : 0,
		.rules = flags & SAYS_RULES ? &rules : NULL,
		.crc = &crc_by_libraries,
	};
	struct walk w;

	walk_packet(&p, &w);
	REQUIRE(w.count <= WALK_SITES);
	judge_packet(&w, frame, checks);
	explain(&p, &w, checks);
	repair(&p, &w, checks, frame);
	if (repair_lengths(&p, &w, frame))
		walk_packet(&p, &w);
	free(frame);
	return 0;
}
