/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_fix.c - a capture copied with changes, and what is changed in a packet.
 */
#define _GNU_SOURCE /* memfd_create, pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "judge.h"
#include "packets.h"
#include "repair.h"
#include "rewrite.h"
#include "testing.h"

enum { NPACKETS = sizeof(packet_rows) / sizeof(packet_rows[0]) };

/* --- copies ------------------------------------------------------------- */

enum {
	RECORDS = 3000,
	DATA = 501, /* no record ends where a buffer does */
	RECORD = 16 + DATA,
	FILE_SIZE = 24 + RECORDS * RECORD,
};

static void put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

/* A pcap file of link type 147, which no walk knows, full of random bytes. */
static uint8_t *make_file(void)
{
	uint8_t *file = malloc(FILE_SIZE);

	for (size_t i = 0; i < FILE_SIZE; i++)
		file[i] = (uint8_t)testing_random();
	put32(file, 0xa1b2c3d4);
	put32(file + 4, 4u << 16 | 2);
	put32(file + 20, 147);
	for (uint32_t i = 0; i < RECORDS; i++) {
		put32(file + 24 + (size_t)i * RECORD + 8, DATA);
		put32(file + 24 + (size_t)i * RECORD + 12, DATA);
	}
	return file;
}

static int file_of(const uint8_t *p, size_t n)
{
	int fd = memfd_create("test", 0);

	if (write(fd, p, n) != (ssize_t)n || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	return fd;
}

static bool holds(int fd, size_t from, const uint8_t *want, size_t n)
{
	uint8_t *got = malloc(n + 1);
	bool same;

	same = pread(fd, got, n + 1, (off_t)from) == (ssize_t)n &&
	       memcmp(got, want, n) == 0;
	free(got);
	return same;
}

static void copies_everything(const uint8_t *file)
{
	/* whole, cut in a record, followed by what is no record */
	static const size_t lengths[] = { FILE_SIZE, FILE_SIZE - 100, 24 + 7 };

	for (size_t i = 0; i < 3; i++) {
		int in = file_of(file, lengths[i]), out = memfd_create("o", 0);
		struct reader *r = reader_open(in);
		struct packet packet;
		struct rewrite w;
		bool ok;

		rewrite_start(&w, r, out);
		while (reader_next(r, &packet) == READER_PACKET)
			;
		ok = rewrite_finish(&w);
		tap_ok(ok && holds(out, 0, file, lengths[i]),
		       "copy of %zu bytes", lengths[i]);
		rewrite_end(&w);
		reader_close(r);
		close(in);
		close(out);
	}
}

/* In each packet its own bytes, and now and then some of an earlier one. */
static void patches(const uint8_t *file)
{
	static const uint8_t mark[2] = { 'o', 'k' };
	int in = file_of(file, FILE_SIZE), out = memfd_create("o", 0);
	uint8_t *want = malloc(FILE_SIZE);
	struct reader *r = reader_open(in);
	struct packet packet;
	struct rewrite w;
	bool ok = write(out, "in front", 8) == 8;
	size_t n = 0;

	memcpy(want, file, FILE_SIZE);
	rewrite_start(&w, r, out);
	while (reader_next(r, &packet) == READER_PACKET) {
		uint64_t at = packet.offset + n % (DATA - 1);

		if (n % 7 == 0) {
			rewrite_packet(&w, &packet)[n % DATA] ^= 0xff;
			want[packet.offset + n % DATA] ^= 0xff;
		} else if (n % 7 == 1) {
			at -= testing_random() % (n * RECORD);
			ok &= rewrite_patch(&w, at, mark, 2);
			memcpy(want + at, mark, 2);
		}
		n++;
	}
	ok &= rewrite_finish(&w) && n == RECORDS;
	tap_ok(ok && holds(out, 8, want, FILE_SIZE),
	       "patches in front of and behind what is written");
	rewrite_end(&w);
	reader_close(r);
	close(in);
	close(out);
	free(want);
}

static void patches_bytes_around_the_border(const uint8_t *file)
{
	static const uint8_t mark[2] = { 'o', 'k' };
	int in = file_of(file, FILE_SIZE), out = memfd_create("o", 0);
	uint8_t *want = malloc(FILE_SIZE);
	struct reader *r = reader_open(in);
	struct packet packet;
	struct rewrite w;
	uint64_t border = 0;
	bool ok = true;

	memcpy(want, file, FILE_SIZE);
	rewrite_start(&w, r, out);
	while (reader_next(r, &packet) == READER_PACKET && !border)
		border = w.written;
	ok = border && rewrite_patch(&w, border - 1, mark, 2);
	memcpy(want + border - 1, mark, 2);
	ok &= rewrite_finish(&w);
	tap_ok(ok && holds(out, 0, want, FILE_SIZE),
	       "a patch half of which is written");
	rewrite_end(&w);
	reader_close(r);
	close(in);
	close(out);
	free(want);
}

/* A pipe takes what is to come, and says so for what is gone. */
static void pipes_and_appended(const uint8_t *file)
{
	static const uint8_t mark[2] = { 'o', 'k' };
	char name[] = "/tmp/csum-test-XXXXXX";
	int in, out = mkstemp(name);
	struct reader *r;
	struct packet packet;
	struct rewrite w;
	bool late = true, early = true;

	fcntl(out, F_SETFL, O_APPEND);
	in = file_of(file, FILE_SIZE);
	r = reader_open(in);
	rewrite_start(&w, r, out);
	while (reader_next(r, &packet) == READER_PACKET) {
		early &= rewrite_patch(&w, packet.offset, mark, 2);
		if (w.written > 100)
			late &= !rewrite_patch(&w, 50, mark, 2);
	}
	tap_ok(rewrite_finish(&w) && early && late && !rewrite_error(&w),
	       "no patch of what is gone, if the output is only appended to");
	rewrite_end(&w);
	reader_close(r);
	close(in);
	close(out);
	unlink(name);
}

static void full_disk(const uint8_t *file)
{
	int in = file_of(file, FILE_SIZE), out = open("/dev/full", O_WRONLY);
	struct packet packet;
	struct rewrite w;
	struct reader *r;

	if (out < 0) {
		tap_skip("no /dev/full");
		close(in);
		return;
	}
	r = reader_open(in);
	rewrite_start(&w, r, out);
	while (reader_next(r, &packet) == READER_PACKET)
		;
	tap_ok(!rewrite_finish(&w) && rewrite_error(&w) == ENOSPC,
	       "a full disk ends it");
	rewrite_end(&w);
	reader_close(r);
	close(in);
	close(out);
}

/* --- packets ------------------------------------------------------------ */

struct copy_of {
	struct packet packet;
	uint8_t *data;
	struct walk walk;
	struct repaired out[WALK_SITES];
};

static void load(struct copy_of *c, const struct packet_row *row)
{
	const uint32_t given = (uint32_t)strlen(row->hex) / 2;
	const uint32_t len = given + row->nfill;

	c->data = malloc(len + 1);
	for (uint32_t i = 0; i < given; i++) {
		const char pair[3] = { row->hex[2 * i], row->hex[2 * i + 1],
				       0 };

		c->data[i] = (uint8_t)strtoul(pair, NULL, 16);
	}
	memset(c->data + given, row->fill, row->nfill);
	c->packet = (struct packet){
		.data = c->data,
		.caplen = len,
		.wirelen = row->wirelen ? row->wirelen : len,
		.linktype = row->linktype,
		.flags = row->flags,
		.crc = &crc_by_libraries,
	};
	walk_packet(&c->packet, &c->walk);
}

static void repair(const struct repair_rules *rules, struct copy_of *c)
{
	struct check was[WALK_SITES];

	judge_packet(&c->walk, c->data, was);
	repair_packet(rules, &c->walk, was, c->data, c->out);
}

static struct repair_rules rules_for(bool bad, bool partial, bool absent)
{
	struct repair_rules rules = { .verdicts = { [VERDICT_BAD] = bad,
						    [VERDICT_PARTIAL] = partial,
						    [VERDICT_ABSENT] =
							    absent } };

	memset(rules.protocols, true, sizeof(rules.protocols));
	return rules;
}

/* After the repair all that was asked for is good; outside of fields nothing
 * has changed; and there is nothing left for a second one. */
static bool settles(const struct packet_row *row, bool absent)
{
	const struct repair_rules rules = rules_for(true, true, absent);
	struct check now[WALK_SITES];
	struct copy_of c, was;
	bool ok = true;

	load(&was, row);
	load(&c, row);
	repair(&rules, &c);
	judge_packet(&c.walk, c.data, now);
	for (unsigned i = 0; i < c.walk.count; i++) {
		const struct site *s = &c.walk.sites[i];

		ok &= c.out[i].what == REPAIR_UNKNOWN ||
		      now[i].verdict == VERDICT_GOOD ||
		      s->class == SITE_QUOTED ||
		      (!absent && (c.out[i].what == REPAIR_LEFT ||
				   c.out[i].what == REPAIR_REFUSED)) ||
		      s->rule == RULE_NONE;
		for (unsigned k = 0;
		     s->has_field && k < site_width(s); k++)
			was.data[s->field + k] = c.data[s->field + k];
	}
	ok &= memcmp(was.data, c.data, c.packet.caplen) == 0;
	repair(&rules, &c);
	for (unsigned i = 0; i < c.walk.count; i++)
		ok &= c.out[i].what != REPAIR_DONE;
	ok &= memcmp(was.data, c.data, c.packet.caplen) == 0;
	free(was.data);
	free(c.data);
	return ok;
}

static bool field_is(const struct site *s, const uint8_t *data, uint32_t value)
{
	return check_site(s, data).found == value;
}

/* A 0 that stands for none is not filled in unless that is asked for. */
static bool leaves_zero(const struct packet_row *row, size_t *zeros)
{
	const struct repair_rules rules = rules_for(true, true, false);
	struct copy_of c;
	bool ok = true;

	load(&c, row);
	repair(&rules, &c);
	for (unsigned i = 0; i < c.walk.count; i++) {
		/* SCTP's is bad like any other CRC: RFC 9653, section 5.2 */
		if (c.out[i].was.note != NOTE_ZERO_ILLEGAL ||
		    c.walk.sites[i].rule != RULE_UDP_REQUIRED)
			continue;
		ok &= c.out[i].what == REPAIR_REFUSED &&
		      field_is(&c.walk.sites[i], c.data, 0);
		++*zeros;
	}
	free(c.data);
	return ok;
}

/* A wrong checksum in a quoted packet stays; the error's own follows it. */
static bool leaves_quoted(const struct packet_row *row, size_t *quoted)
{
	const struct repair_rules rules = rules_for(true, true, true);
	struct copy_of c;
	bool ok = true;

	load(&c, row);
	for (unsigned i = 0; i < c.walk.count; i++) {
		const struct site *s = &c.walk.sites[i];

		if (s->class == SITE_QUOTED && s->has_field && !s->reason &&
		    s->protocol == PROTO_IPV4)
			site_store(s, c.data, 0xbad);
	}
	repair(&rules, &c);
	for (unsigned i = 0; i < c.walk.count; i++) {
		const struct site *s = &c.walk.sites[i];
		struct check now = check_site(s, c.data);

		if (s->class == SITE_QUOTED && s->has_field && !s->reason &&
		    s->protocol == PROTO_IPV4) {
			ok &= now.found == 0xbad &&
			      c.out[i].what == REPAIR_QUOTED;
			++*quoted;
		} else if (s->class == SITE_REAL && !now.reason) {
			ok &= now.verdict == VERDICT_GOOD ||
			      now.verdict == VERDICT_ABSENT;
		}
	}
	free(c.data);
	return ok;
}

static bool leaves_alone(const struct packet_row *row)
{
	const struct repair_rules rules = rules_for(false, false, false);
	struct copy_of c, was;
	bool ok;

	load(&was, row);
	load(&c, row);
	repair(&rules, &c);
	ok = memcmp(was.data, c.data, c.packet.caplen) == 0;
	free(was.data);
	free(c.data);
	return ok;
}

static void all_packets(void)
{
	size_t settled = 0, filled = 0, left = 0, zeros = 0, quoted = 0;
	size_t zeros_ok = 0, quoted_ok = 0;

	for (size_t i = 0; i < NPACKETS; i++) {
		bool ok = settles(&packet_rows[i], false);

		if (!ok)
			tap_note("%s", packet_rows[i].name);
		settled += ok;
		filled += settles(&packet_rows[i], true);
		left += leaves_alone(&packet_rows[i]);
		zeros_ok += leaves_zero(&packet_rows[i], &zeros);
		quoted_ok += leaves_quoted(&packet_rows[i], &quoted);
	}
	tap_ok(settled == NPACKETS, "%zu packets: repaired once and for all",
	       settled);
	tap_ok(filled == NPACKETS, "%zu packets: and filled", filled);
	tap_ok(left == NPACKETS, "%zu packets: untouched if nothing is asked",
	       left);
	tap_ok(zeros && zeros_ok == NPACKETS, "%zu zeros stay", zeros);
	tap_ok(quoted && quoted_ok == NPACKETS, "%zu quoted headers stay",
	       quoted);
}

int main(int argc, char **argv)
{
	uint8_t *file;

	testing_init(argc, argv);
	file = make_file();
	copies_everything(file);
	patches(file);
	patches_bytes_around_the_border(file);
	pipes_and_appended(file);
	full_disk(file);
	all_packets();
	free(file);
	return tap_done();
}
