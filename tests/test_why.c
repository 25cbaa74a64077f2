/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_why.c - mistakes that are recognised, and what is not taken for one.
 *
 * The packets are in mistakes.h, made wrong without any code of ours.  Every
 * packet lies in memory of exactly its size.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mistakes.h"
#include "packets.h"
#include "testing.h"
#include "why.h"

enum {
	NROWS = sizeof(mistake_rows) / sizeof(mistake_rows[0]),
	NPACKETS = sizeof(packet_rows) / sizeof(packet_rows[0]),
};

static struct packet from_hex(const char *hex, uint32_t linktype,
			      uint32_t flags)
{
	const uint32_t len = (uint32_t)strlen(hex) / 2;
	uint8_t *data = malloc(len ? len : 1);

	for (uint32_t i = 0; i < len; i++) {
		const char pair[3] = { hex[2 * i], hex[2 * i + 1], 0 };

		data[i] = (uint8_t)strtoul(pair, NULL, 16);
	}
	return (struct packet){
		.data = data,
		.caplen = len,
		.wirelen = len,
		.linktype = linktype,
		.flags = flags,
		.crc = &crc_by_libraries,
	};
}

/* One cause in the words of mistake_row.want. */
static void describe(const struct why *w, char *buf, size_t size)
{
	switch (w->cause) {
	case CAUSE_LENGTH:
	case CAUSE_PROTOCOL:
	case CAUSE_TRAILER:
		snprintf(buf, size, "%s %" PRIu32, cause_name(w->cause),
			 w->detail);
		break;
	case CAUSE_CHANGED:
		snprintf(buf, size, "%s %s %" PRIu32 " %" PRIu32,
			 cause_name(w->cause), w->field, w->detail, w->now);
		break;
	default:
		snprintf(buf, size, "%s", cause_name(w->cause));
		break;
	}
}

static bool row_is_right(const struct mistake_row *row)
{
	struct packet p = from_hex(row->hex, 1, row->flags);
	struct why list[WHY_MAX];
	char text[120] = "";
	struct walk walk;
	struct check c;
	unsigned n;

	walk_packet(&p, &walk);
	if (row->site >= walk.count) {
		tap_note("%u checksums", walk.count);
		free((void *)p.data);
		return false;
	}
	c = check_site(&walk.sites[row->site], p.data);
	n = why_site(&p, &walk.sites[row->site], &c, &walk, list);
	if (n)
		describe(&list[0], text, sizeof(text));
	for (unsigned i = 0; i < n; i++) {
		char short_text[200];

		why_text(&list[i], short_text, sizeof(short_text));
		if (strcmp(text, row->want) != 0)
			tap_note("%s", short_text);
	}
	free((void *)p.data);
	return strcmp(text, row->want) == 0;
}

/*
 * Every value that the field can have: as many have a cause as struct why says.
 */
static bool chance_is_right(const char *hex, unsigned site, unsigned least)
{
	struct packet p = from_hex(hex, 1, 0);
	unsigned counted[2] = { 0, 0 }, said[2] = { 0, 0 };
	struct why list[WHY_MAX];
	struct walk walk;

	walk_packet(&p, &walk);
	for (uint32_t v = 0; v < 65536; v++) {
		struct check c;
		bool changed;

		site_store(&walk.sites[site], (uint8_t *)p.data, v);
		c = check_site(&walk.sites[site], p.data);
		if (c.verdict != VERDICT_BAD ||
		    !why_site(&p, &walk.sites[site], &c, &walk, list) ||
		    !list[0].chance)
			continue;
		changed = list[0].cause == CAUSE_CHANGED;
		counted[changed]++;
		said[changed] = list[0].chance;
	}
	tap_note("%u values with a mistake (%u), %u with a change (%u)",
		 counted[0], said[0], counted[1], said[1]);
	free((void *)p.data);
	return counted[0] + counted[1] >= least && counted[0] <= said[0] &&
	       counted[0] + 3 >= said[0] &&
	       (!said[1] || (counted[0] + counted[1] <= said[1] &&
			     counted[0] + counted[1] + 30 >= said[1]));
}

static void test_chance(void)
{
	static const char ip[] = "00005e00530200005e00530108004500002012344000"
				 "40113c47c000020ac6336414138a138a000cec6e"
				 "00000001";

	tap_ok(chance_is_right(ip, 0, 500),
	       "an IPv4 header: as many values have a cause as is said");
	tap_ok(chance_is_right(ip, 1, 10),
	       "UDP: as many values have a cause as is said");
}

static void test_mistakes(void)
{
	for (size_t i = 0; i < NROWS; i++)
		tap_ok(row_is_right(&mistake_rows[i]), "%s: %s",
		       mistake_rows[i].name,
		       *mistake_rows[i].want ? mistake_rows[i].want
					     : "cannot be told");
}

/*
 * Whatever a mistake leaves in any packet that we have: it is not right, and it
 * is recognised again.
 */
static bool comes_back(const struct packet *p, const struct walk *walk,
		       unsigned i, const struct why *mistake)
{
	const struct site *s = &walk->sites[i];
	struct why list[WHY_MAX];
	struct check c;
	unsigned n;

	site_store(s, (uint8_t *)p->data, mistake->value);
	c = check_site(s, p->data);
	if (c.verdict == VERDICT_ABSENT) /* UDP, left 0 */
		return mistake->value == 0;
	n = why_site(p, s, &c, walk, list);
	for (unsigned k = 0; k < n; k++)
		if (list[k].cause == mistake->cause)
			return c.verdict != VERDICT_GOOD;
	return false;
}

static void test_all_packets(void)
{
	size_t made = 0, back = 0;

	for (size_t row = 0; row < NPACKETS; row++) {
		struct packet p = from_hex(packet_rows[row].hex,
					   packet_rows[row].linktype, 0);
		struct why list[WHY_MAX];
		struct walk walk;

		walk_packet(&p, &walk);
		for (unsigned i = 0; i < walk.count; i++) {
			struct check c = check_site(&walk.sites[i], p.data);
			unsigned n;

			if (c.verdict != VERDICT_GOOD ||
			    right_by_other_rule(&c))
				continue;
			n = why_mistakes(&p, &walk.sites[i], list);
			for (unsigned k = 0; k < n; k++) {
				made++;
				if (comes_back(&p, &walk, i, &list[k]))
					back++;
				else
					tap_note("%s: %s",
						 packet_rows[row].name,
						 cause_name(list[k].cause));
				site_store(&walk.sites[i], (uint8_t *)p.data,
					   c.found);
			}
		}
		free((void *)p.data);
	}
	tap_ok(made > 1000 && made == back, "%zu mistakes, %zu recognised",
	       made, back);
}

int main(int argc, char **argv)
{
	testing_init(argc, argv);
	test_mistakes();
	test_chance();
	test_all_packets();
	return tap_done();
}
