/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_capture.c - packets to verdicts, and files to packets.
 *
 * The packets and what is right for them are in packets.h, computed without
 * any code of ours.  Every packet and every file lies in memory of exactly its
 * size, so that a sanitizer sees any read beyond it.
 */
#define _GNU_SOURCE /* memfd_create */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "csum.h"
#include "judge.h"
#include "packets.h"
#include "reader.h"
#include "testing.h"
#include "walk.h"

enum { NROWS = sizeof(packet_rows) / sizeof(packet_rows[0]) };

/* --- packets to verdicts ---------------------------------------------- */

static uint8_t *exactly(uint32_t len)
{
	return malloc(len ? len : 1);
}

static uint32_t hex_len(const char *hex)
{
	return (uint32_t)strlen(hex) / 2;
}

static void from_hex(uint8_t *to, const char *hex)
{
	for (; hex[0]; hex += 2) {
		const char pair[3] = { hex[0], hex[1], 0 };

		*to++ = (uint8_t)strtoul(pair, NULL, 16);
	}
}

/* The packet of a row; its data is the caller's to free. */
static struct packet row_packet(const struct packet_row *row)
{
	uint32_t given = hex_len(row->hex), len = given + row->nfill;
	uint8_t *data = exactly(len);

	from_hex(data, row->hex);
	if (row->nfill)
		memset(data + given, row->fill, row->nfill);
	return (struct packet){
		.data = data,
		.caplen = len,
		.wirelen = row->wirelen ? row->wirelen : len,
		.linktype = row->linktype,
		.flags = row->flags,
		.crc = &crc_by_libraries,
	};
}

/* What every site promises, whatever the packet was. */
static bool site_is_sane(const struct site *s, const struct packet *p)
{
	uint32_t width = site_width(s), end = s->start + s->len;

	if (s->has_field && s->field + width > p->caplen)
		return false;
	if (s->reason || s->rule == RULE_NONE)
		return true;
	if (s->rule == RULE_ALL_ALLOWED && s->start + s->all_len > p->caplen)
		return false;
	if (s->hole_len &&
	    (s->hole < s->field + width || s->hole + s->hole_len > end))
		return false;
	return s->has_field && end <= p->caplen && end >= s->start &&
	       s->field >= s->start && s->field + width <= end;
}

/* One site in the words of packet_row.want. */
static void print_site(FILE *f, const struct site *s, struct check c)
{
	int digits = 2 * (int)site_width(s);

	fprintf(f, "%s%s", s->class == SITE_QUOTED ? "quoted " : "",
		protocol_name(s->protocol));
	if (s->has_field)
		fprintf(f, "@%" PRIu32, s->field);
	fprintf(f, " %s", verdict_name(c.verdict));
	switch (c.verdict) {
	case VERDICT_ABSENT:
		fprintf(f, " %0*x", digits, c.found);
		break;
	case VERDICT_UNVERIFIABLE:
		fprintf(f, " %s", reason_text(c.reason));
		break;
	default:
		fprintf(f, " %0*x %0*x", digits, c.found, digits, c.expected);
		break;
	}
}

static void print_walk(FILE *f, const struct walk *w, const struct packet *p)
{
	static const char *const edges[EDGE_COUNT] = {
		[EDGE_LINKTYPE] = "linktype", [EDGE_ETHERTYPE] = "ethertype",
		[EDGE_LLC] = "llc",	      [EDGE_FAMILY] = "family",
		[EDGE_PROTOCOL] = "protocol", [EDGE_PPP] = "ppp",
		[EDGE_NLPID] = "nlpid",	      [EDGE_WLAN] = "wlan",
		[EDGE_UDP] = "udp",	      [EDGE_TCP] = "tcp",
		[EDGE_LOWPAN] = "lowpan",     [EDGE_DEPTH] = "depth",
		[EDGE_SITES] = "sites",
	};
	struct check checks[WALK_SITES];
	const char *separator = "";

	judge_packet(w, p->data, checks);
	for (unsigned i = 0; i < w->count; i++) {
		fputs(separator, f);
		print_site(f, &w->sites[i], checks[i]);
		separator = "; ";
	}
	if (w->edge)
		fprintf(f, "%sedge %s %04x", separator, edges[w->edge],
			w->edge_number);
}

/* What the walk and the check say of a packet; false if they are not sane. */
static bool describe(const struct packet *p, char *text, size_t size)
{
	FILE *f = fmemopen(text, size, "w");
	struct walk w;
	bool sane = true;

	walk_packet(p, &w);
	for (unsigned i = 0; i < w.count; i++)
		sane = sane && site_is_sane(&w.sites[i], p);
	print_walk(f, &w, p);
	fclose(f);
	return sane;
}

static void test_row(const struct packet_row *row)
{
	struct packet p = row_packet(row);
	char got[1500] = "";
	bool sane = describe(&p, got, sizeof(got));

	tap_ok(sane && strcmp(got, row->want) == 0, "%s: %s", row->name,
	       row->want);
	if (strcmp(got, row->want) != 0)
		tap_note("got: %s", got);
	free((void *)p.data);
}

/*
 * The twins of a good site: with another value in its field, and with a change
 * to any covered byte, it must be bad, and the right value still expected in
 * the first case; a change outside of the covered bytes must not matter.
 */
static bool field_twin(struct packet *p, const struct site *s)
{
	uint8_t *field = (uint8_t *)p->data + s->field;
	struct check before = check_site(s, p->data), after;
	struct walk w;

	/* far from zero, and from an inverted or unfinished sum */
	field[0] ^= 0x5a;
	after = check_site(s, p->data);
	walk_packet(p, &w);
	field[0] ^= 0x5a;
	return before.verdict == VERDICT_GOOD && after.verdict == VERDICT_BAD &&
	       after.found != before.found &&
	       after.expected == before.expected && w.count > 0;
}

static bool byte_twin(struct packet *p, const struct site *s, uint32_t at,
		      enum verdict want)
{
	uint8_t *byte = (uint8_t *)p->data + at;
	struct check c;

	*byte ^= 0x10;
	c = check_site(s, p->data);
	*byte ^= 0x10;
	return c.verdict == want;
}

/* Covered, and not the field itself. */
static bool covers(const struct site *s, uint32_t at)
{
	uint32_t width = site_width(s);

	return at >= s->start && at < s->start + s->len &&
	       (at < s->field || at >= s->field + width) &&
	       (at < s->hole || at >= s->hole + s->hole_len);
}

/* In headers that routers change, and the invariant CRC leaves out in part. */
static bool may_change(const struct site *s, uint32_t at)
{
	enum { UDP_AND_RESERVED = 8 + 5 };

	return s->rule == RULE_INVARIANT_CRC && at >= s->start &&
	       at < s->start + s->all_len + UDP_AND_RESERVED;
}

static bool site_twins(struct packet *p, const struct site *s)
{
	uint32_t width = site_width(s);
	bool ok = field_twin(p, s);

	for (uint32_t at = 0; at < p->caplen; at++)
		if ((at < s->field || at >= s->field + width) &&
		    !may_change(s, at))
			ok = ok && byte_twin(p, s, at,
					     covers(s, at) ? VERDICT_BAD
							   : VERDICT_GOOD);
	return ok;
}

static void test_twins(void)
{
	unsigned sites[PROTO_COUNT] = { 0 };
	bool ok = true;

	for (unsigned i = 0; i < NROWS; i++) {
		struct packet p = row_packet(&packet_rows[i]);
		struct walk w;

		walk_packet(&p, &w);
		p.flags = 0;
		for (unsigned k = 0; k < w.count && p.caplen < 10000; k++) {
			struct site *s = &w.sites[k];
			struct check c;

			s->unfinished = s->damaged = false;
			c = check_site(s, p.data);
			/* a wrong one of those may be something else */
			if (c.verdict != VERDICT_GOOD ||
			    right_by_other_rule(&c) ||
			    s->rule == RULE_CRC16_OR_SIGNAL)
				continue;
			sites[s->protocol]++;
			if (site_twins(&p, s))
				continue;
			tap_note("twin of %s: %s", packet_rows[i].name,
				 protocol_name(s->protocol));
			ok = false;
		}
		free((void *)p.data);
	}
	for (int i = PROTO_IPV4; i < PROTO_COUNT; i++)
		if (protocol_width(i))
			tap_ok(ok && sites[i], "bad twins of %u %s", sites[i],
			       protocol_name(i));
}

/* Every prefix of every packet, as cut by the snap length and as it is. */
static void test_prefixes(void)
{
	char text[1500];
	bool ok = true;

	for (unsigned i = 0; i < NROWS; i++) {
		struct packet whole = row_packet(&packet_rows[i]);

		for (uint32_t n = 0; n < whole.caplen && n < 200; n++) {
			struct packet p = whole;
			uint8_t *data = exactly(n);

			memcpy(data, whole.data, n);
			p.data = data;
			p.caplen = n;
			ok = ok && describe(&p, text, sizeof(text));
			/* a cut is never mistaken for damage */
			if (strstr(text, " bad ") &&
			    !strstr(packet_rows[i].want, " bad ")) {
				tap_note("%u bytes of %s: %s", n,
					 packet_rows[i].name, text);
				ok = false;
			}
			p.wirelen = n;
			ok = ok && describe(&p, text, sizeof(text));
			free(data);
		}
		free((void *)whole.data);
	}
	tap_ok(ok, "every prefix of every packet: nothing read beyond it");
}

/* Random bytes in random places, up to the ends of the headers. */
static void test_random_damage(void)
{
	char text[1500];
	bool ok = true;

	for (unsigned i = 0; i < NROWS; i++) {
		struct packet p = row_packet(&packet_rows[i]);
		uint32_t range = hex_len(packet_rows[i].hex);

		for (int round = 0; round < 300 && range; round++) {
			uint8_t *data = (uint8_t *)p.data;

			data[testing_random() % range] =
				(uint8_t)testing_random();
			if (round % 16 == 0)
				from_hex(data, packet_rows[i].hex);
			ok = ok && describe(&p, text, sizeof(text));
		}
		free((void *)p.data);
	}
	tap_ok(ok, "random damage to every packet: every site is sane");
}

/* --- files to packets ------------------------------------------------- */

/* A file being written; and where its packets ought to be found. */
struct file {
	uint8_t p[1 << 20];
	uint32_t len;
	bool big_endian;
	struct packet want[16];
	uint32_t end[16]; /* BYTES that are needed to have the packet */
	unsigned npackets;
	uint32_t safe_end[16]; /* places where the file may end */
	unsigned nsafe;
};

static void put(struct file *f, uint64_t v, unsigned nbytes)
{
	for (unsigned i = 0; i < nbytes; i++) {
		unsigned shift = 8 * (f->big_endian ? nbytes - 1 - i : i);

		f->p[f->len++] = (uint8_t)(v >> shift);
	}
}

static void put_data(struct file *f, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		f->p[f->len++] = (uint8_t)(f->npackets + i);
}

static void safe(struct file *f)
{
	f->safe_end[f->nsafe++] = f->len;
}

static void expect_packet(struct file *f, uint64_t frame, struct packet want)
{
	want.frame = frame;
	want.offset = f->len;
	f->want[f->npackets] = want;
}

static void pcap_header(struct file *f, uint32_t magic, uint32_t linktype)
{
	put(f, magic, 4);
	put(f, 2, 2);
	put(f, 4, 2);
	put(f, 0, 8);
	put(f, 65535, 4);
	put(f, linktype, 4);
	safe(f);
}

enum { FRACTION = 999999 };

static void pcap_record(struct file *f, uint32_t magic, uint32_t caplen,
			uint32_t wirelen, uint32_t linktype)
{
	put(f, 1700000000, 4);
	put(f, FRACTION, 4);
	put(f, caplen, 4);
	put(f, wirelen, 4);
	if (magic == 0xa1b2cd34)
		put(f, 0x0000000208000000, 8);
	expect_packet(
		f, f->npackets + 1,
		(struct packet){
			.caplen = caplen,
			.wirelen = wirelen > caplen ? wirelen : caplen,
			.linktype = linktype,
			.time = 1700000000000000000u +
				FRACTION * (magic == 0xa1b23c4d ? 1u : 1000u),
		});
	put_data(f, caplen);
	f->end[f->npackets++] = f->len;
	safe(f);
}

static void write_pcap(struct file *f, uint32_t magic, bool big_endian)
{
	*f = (struct file){ .big_endian = big_endian };
	pcap_header(f, magic, 0xf4000071); /* 113, and a FCS of 4 bytes */
	pcap_record(f, magic, 60, 60, 113);
	pcap_record(f, magic, 0, 0, 113);
	pcap_record(f, magic, 33, 1500, 113);
	pcap_record(f, magic, 40, 20, 113);
}

/* --- pcapng */

static uint32_t block_start;

static void block(struct file *f, uint32_t type)
{
	block_start = f->len;
	put(f, type, 4);
	put(f, 0, 4);
}

static void end_block(struct file *f)
{
	uint32_t len;

	while ((f->len - block_start) % 4)
		put(f, 0, 1);
	len = f->len + 4 - block_start;
	f->len = block_start + 4;
	put(f, len, 4);
	f->len = block_start + len - 4;
	put(f, len, 4);
	safe(f);
}

static void section(struct file *f, bool big_endian, uint16_t minor)
{
	f->big_endian = big_endian;
	block(f, 0x0a0d0d0a);
	put(f, 0x1a2b3c4d, 4);
	put(f, 1, 2);
	put(f, minor, 2);
	put(f, UINT64_MAX, 8);
	end_block(f);
}

static void interface(struct file *f, uint16_t linktype, uint32_t snaplen)
{
	block(f, 1);
	put(f, linktype, 2);
	put(f, 0, 2);
	put(f, snaplen, 4);
	end_block(f);
}

static void end_packet_block(struct file *f)
{
	end_block(f);
	f->end[f->npackets++] = f->len;
}

#define TICKS UINT64_C(0x0005ffff12345678)

static void enhanced(struct file *f, uint64_t frame, struct packet want)
{
	block(f, 6);
	put(f, want.interface, 4);
	put(f, TICKS >> 32, 4);
	put(f, TICKS & UINT32_MAX, 4);
	if (!want.time)
		want.time = TICKS * 1000;
	put(f, want.caplen, 4);
	put(f, want.wirelen, 4);
	expect_packet(f, frame, want);
	put_data(f, want.caplen);
	while ((f->len - block_start) % 4)
		put(f, 0, 1);
	if (want.flags) {
		put(f, 1, 2); /* a comment of 5 bytes first */
		put(f, 5, 2);
		put(f, 0x6f6c6c6568, 8);
		put(f, 2, 2);
		put(f, 4, 2);
		put(f, want.flags, 4);
		put(f, 2, 2); /* flags of another size are none */
		put(f, 2, 2);
		put(f, 0x0200, 4);
		put(f, 0, 4);
	}
	end_packet_block(f);
}

static void obsolete(struct file *f, uint64_t frame, struct packet want)
{
	block(f, 2);
	put(f, want.interface, 2);
	put(f, 7, 2);
	put(f, 0, 8);
	put(f, want.caplen, 4);
	put(f, want.wirelen, 4);
	expect_packet(f, frame, want);
	put_data(f, want.caplen);
	end_packet_block(f);
}

static void simple(struct file *f, uint64_t frame, struct packet want)
{
	block(f, 3);
	put(f, want.wirelen, 4);
	expect_packet(f, frame, want);
	put_data(f, want.caplen);
	end_packet_block(f);
}

static void other_block(struct file *f, uint32_t type)
{
	block(f, type);
	put_data(f, 20);
	end_block(f);
}

/* An interface whose times have another resolution, and begin elsewhere. */
static void clocked(struct file *f, uint8_t resolution, uint64_t offset)
{
	block(f, 1);
	put(f, 1, 2);
	put(f, 0, 2);
	put(f, 0, 4);
	put(f, 9, 2);
	put(f, 1, 2);
	f->p[f->len] = resolution;
	f->len += 4;
	put(f, 14, 2);
	put(f, 8, 2);
	put(f, offset, 8);
	put(f, 0, 4);
	end_block(f);
}

/* Two sections of either byte order, and every kind of block. */
static void write_pcapng(struct file *f, bool big_endian)
{
	*f = (struct file){ 0 };
	section(f, big_endian, 0);
	interface(f, 1, 0);
	interface(f, 113, 64);
	enhanced(f, 1,
		 (struct packet){ .caplen = 61,
				  .wirelen = 1500,
				  .linktype = 1,
				  .flags = 0x220 });
	other_block(f, 5); /* statistics */
	enhanced(f, 2,
		 (struct packet){ .caplen = 7,
				  .wirelen = 7,
				  .linktype = 113,
				  .interface = 1 });
	simple(f, 3,
	       (struct packet){ .caplen = 30, .wirelen = 30, .linktype = 1 });
	other_block(f, 0xbad); /* takes frame number 4 */
	other_block(f, 0x40000bad);
	other_block(f, 9);
	obsolete(f, 7,
		 (struct packet){ .caplen = 9,
				  .wirelen = 99,
				  .linktype = 113,
				  .interface = 1 });
	section(f, !big_endian, 2);
	interface(f, 101, 24);
	simple(f, 8,
	       (struct packet){ .caplen = 24, .wirelen = 90, .linktype = 101 });
	enhanced(f, 9, (struct packet){ .linktype = 101 });
}

static bool same_packet(const struct packet *got, const struct packet *want)
{
	if (got->frame == want->frame && got->offset == want->offset &&
	    got->caplen == want->caplen && got->wirelen == want->wirelen &&
	    got->linktype == want->linktype &&
	    got->interface == want->interface && got->flags == want->flags &&
	    got->time == want->time)
		return true;
	tap_note("frame %" PRIu64 " (want %" PRIu64 ") at %" PRIu64 " (%" PRIu64
		 "): %" PRIu32 "/%" PRIu32 " bytes, linktype "
		 "%" PRIu32 ", interface %" PRIu32 ", flags %#" PRIx32
		 ", time %" PRIu64 " (%" PRIu64 ")",
		 got->frame, want->frame, got->offset, want->offset,
		 got->caplen, got->wirelen, got->linktype, got->interface,
		 got->flags, got->time, want->time);
	return false;
}

/*
 * Reads to the end, comparing packets as long as they ought to be the same:
 * those that end by @intact.  Returns how many there were, or UINT_MAX.
 */
static unsigned read_all(struct reader *r, const struct file *f,
			 uint32_t intact, enum reader_status *status)
{
	struct packet got;
	unsigned n = 0;

	while ((*status = reader_next(r, &got)) == READER_PACKET) {
		struct walk w;

		if (n < f->npackets && f->end[n] <= intact &&
		    (!same_packet(&got, &f->want[n]) ||
		     memcmp(got.data, f->p + got.offset, got.caplen) != 0))
			return UINT32_MAX;
		walk_packet(&got, &w);
		n++;
	}
	/* and the answer stays the same */
	if (reader_next(r, &got) != *status)
		return UINT32_MAX;
	return n;
}

static void test_clocks(struct file *f, bool big_endian)
{
	static const struct {
		uint8_t resolution;
		uint64_t offset, time;
	} clocks[] = {
		{ 6, 0, TICKS * 1000 },
		{ 9, 0, TICKS },
		{ 9, 1000, TICKS + 1000000000000 },
		{ 9, -(uint64_t)1000, TICKS - 1000000000000 },
		{ 12, 0, TICKS / 1000 },
		/* 2^-20 seconds: 0x0005ffff123 of them, and 0x45678 */
		{ 0x80 | 20, 0,
		  UINT64_C(0x5ffff123) * 1000000000 +
			  (UINT64_C(0x45678) * 1000000000 >> 20) },
		/* 2^-48: the seconds are 5, the rest is cut to 34 bits */
		{ 0x80 | 48, 0,
		  5000000000 + ((UINT64_C(0xffff12345678) >> 14) * 1000000000 >>
				34) },
	};
	const unsigned n = sizeof(clocks) / sizeof(*clocks);
	enum reader_status status;
	struct reader *r;

	*f = (struct file){ 0 };
	section(f, big_endian, 0);
	for (unsigned i = 0; i < n; i++)
		clocked(f, clocks[i].resolution, clocks[i].offset);
	for (unsigned i = 0; i < n; i++)
		enhanced(f, i + 1,
			 (struct packet){ .linktype = 1,
					  .interface = i,
					  .time = clocks[i].time });
	r = reader_open_memory(f->p, f->len);
	tap_ok(read_all(r, f, f->len, &status) == n && status == READER_END,
	       "times of every resolution, %s endian",
	       big_endian ? "big" : "little");
	reader_close(r);
}

static unsigned intact_packets(const struct file *f, uint32_t intact)
{
	unsigned n = 0;

	while (n < f->npackets && f->end[n] <= intact)
		n++;
	return n;
}

static bool fault_is_clear(const struct reader *r, uint32_t len)
{
	const struct fault *fault = reader_fault(r);

	if (fault->offset <= len && strlen(fault->cause) > 5)
		return true;
	tap_note("fault at %" PRIu64 " of %" PRIu32 ": %s", fault->offset, len,
		 fault->cause);
	return false;
}

/* In memory of exactly its size. */
static struct reader *open_copy(const uint8_t *p, uint32_t len, uint8_t **copy)
{
	*copy = exactly(len);
	memcpy(*copy, p, len);
	return reader_open_memory(*copy, len);
}

static void test_whole(const struct file *f, const char *name)
{
	enum reader_status status;
	uint8_t *copy;
	struct reader *r = open_copy(f->p, f->len, &copy);
	unsigned n = read_all(r, f, f->len, &status);

	tap_ok(n == f->npackets && status == READER_END &&
		       strncmp(name, reader_format(r),
			       strlen(reader_format(r))) == 0,
	       "%s: %u packets", name, n);
	reader_close(r);
	free(copy);
}

static bool may_end(const struct file *f, uint32_t len)
{
	for (unsigned i = 0; i < f->nsafe; i++)
		if (f->safe_end[i] == len)
			return true;
	return false;
}

static void test_file_prefixes(const struct file *f, const char *name)
{
	bool ok = true;

	for (uint32_t len = 0; len < f->len && ok; len++) {
		enum reader_status status;
		uint8_t *copy;
		struct reader *r = open_copy(f->p, len, &copy);

		ok = read_all(r, f, len, &status) == intact_packets(f, len);
		if (may_end(f, len))
			ok = ok && status == READER_END;
		else
			ok = ok && status == READER_FAULT &&
			     fault_is_clear(r, len);
		if (!ok)
			tap_note("prefix of %" PRIu32 " bytes", len);
		reader_close(r);
		free(copy);
	}
	tap_ok(ok, "%s: every prefix: what came before, then the fault", name);
}

static void test_file_damage(struct file *f, const char *name)
{
	static const uint8_t masks[] = { 0x01, 0x04, 0x80, 0xff };
	bool ok = true;

	for (uint32_t at = 0; at < f->len && ok; at++)
		for (size_t m = 0; m < sizeof(masks) && ok; m++) {
			enum reader_status status;
			struct reader *r;
			uint8_t *copy;
			unsigned n;

			f->p[at] ^= masks[m];
			r = open_copy(f->p, f->len, &copy);
			n = read_all(r, f, at, &status);
			ok = n != UINT32_MAX && n >= intact_packets(f, at) &&
			     (status == READER_END ||
			      fault_is_clear(r, f->len));
			if (!ok)
				tap_note("byte %" PRIu32 " ^ %#x", at,
					 masks[m]);
			f->p[at] ^= masks[m];
			reader_close(r);
			free(copy);
		}
	tap_ok(ok, "%s: damage to every byte: what came before is there", name);
}

/* A length field that claims more than anyone has. */
static void test_huge(struct file *f, const char *name, uint32_t at,
		      uint32_t fault_at)
{
	static const uint32_t lengths[] = { 0xffffffff, 0xfffffffc, 0xfffffff0,
					    0x80000000, 0x7ffffffc, 0x08000001,
					    0x08000000, 0x00100000 };
	uint32_t len = f->len;
	uint8_t was[4];
	bool ok = true;

	memcpy(was, f->p + at, 4);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		enum reader_status status;
		struct reader *r;
		uint8_t *copy;

		f->len = at;
		put(f, lengths[i], 4);
		f->len = len;
		r = open_copy(f->p, len, &copy);
		ok = ok &&
		     read_all(r, f, fault_at, &status) ==
			     intact_packets(f, fault_at) &&
		     status == READER_FAULT && fault_is_clear(r, len) &&
		     reader_fault(r)->offset == fault_at;
		if (!ok)
			tap_note("length %#" PRIx32, lengths[i]);
		reader_close(r);
		free(copy);
	}
	memcpy(f->p + at, was, 4);
	tap_ok(ok, "%s: lengths near 2^32 at %" PRIu32 ": fault at %" PRIu32,
	       name, at, fault_at);
}

/* The same from a descriptor: a file, and a pipe that delivers in pieces. */
static void test_descriptors(const struct file *f, const char *name)
{
	enum reader_status status;
	struct reader *r;
	int fd[2], mem = memfd_create("capture", 0);
	unsigned n;

	if (mem < 0 || write(mem, f->p, f->len) != (ssize_t)f->len ||
	    lseek(mem, 0, SEEK_SET) != 0) {
		tap_ok(false, "%s: cannot write a file", name);
		return;
	}
	r = reader_open(mem);
	n = read_all(r, f, f->len, &status);
	tap_ok(n == f->npackets && status == READER_END, "%s: from a file",
	       name);
	reader_close(r);
	close(mem);

	/* read one by one by being written one by one: fits into a pipe */
	if (f->len > 60000 || pipe(fd) != 0)
		return;
	for (uint32_t i = 0; i < f->len; i++)
		if (write(fd[1], f->p + i, 1) != 1)
			break;
	close(fd[1]);
	r = reader_open(fd[0]);
	n = read_all(r, f, f->len, &status);
	tap_ok(n == f->npackets && status == READER_END, "%s: from a pipe",
	       name);
	reader_close(r);
	close(fd[0]);
}

/* Packets larger than the window, and small ones over its edge. */
static void test_large_packets(struct file *f)
{
	*f = (struct file){ 0 };
	pcap_header(f, 0xa1b2c3d4, 1);
	pcap_record(f, 0xa1b2c3d4, 262100, 262100, 1);
	pcap_record(f, 0xa1b2c3d4, 100, 100, 1);
	pcap_record(f, 0xa1b2c3d4, 300000, 300000, 1);
	pcap_record(f, 0xa1b2c3d4, 270000, 270000, 1);
	pcap_record(f, 0xa1b2c3d4, 60, 60, 1);
	test_descriptors(f, "pcap with large packets");
	test_whole(f, "pcap with large packets");
}

static void test_refused(const char *what, const void *p, uint32_t len,
			 uint64_t offset, const char *cause)
{
	enum reader_status status;
	struct packet packet;
	uint8_t *copy;
	struct reader *r = open_copy(p, len, &copy);
	const struct fault *fault = reader_fault(r);

	do
		status = reader_next(r, &packet);
	while (status == READER_PACKET);
	tap_ok(status == READER_FAULT && fault->offset == offset &&
		       strstr(fault->cause, cause),
	       "%s: offset %" PRIu64 ": %s", what, fault->offset, fault->cause);
	reader_close(r);
	free(copy);
}

static void test_refusals(struct file *f)
{
	struct packet one = { .caplen = 4, .wirelen = 4, .linktype = 1 };

	test_refused("nothing", "", 0, 0, "empty");
	test_refused("three bytes", "\xd4\xc3\xb2", 3, 0,
		     "of 4 bytes, but the file ends after 3");
	test_refused("text", "hello, world", 12, 0,
		     "not a pcap, pcapng, snoop or ERF");
	test_refused("gzip", "\x1f\x8b\x08\x00", 4, 0, "gzip");
	test_refused("zstd", "\x28\xb5\x2f\xfd", 4, 0, "zstd");
	test_refused("xz",
		     "\xfd"
		     "7zXZ",
		     5, 0, "xz");

	write_pcap(f, 0xa1b2c3d4, true);
	f->p[5] = 1;
	test_refused("pcap version 1", f->p, f->len, 4, "version 1.4");
	write_pcap(f, 0xa1b2c3d4, true);
	f->p[21] = 1;
	test_refused("pcap reserved bits", f->p, f->len, 20, "reserved");

	*f = (struct file){ 0 };
	pcap_header(f, 0xa1b2c3d4, 1);
	pcap_record(f, 0xa1b2c3d4, 60, 60, 1);
	memcpy(f->p + 32, "\x01\0\0\x08", 4);
	test_refused("packet above the limit", f->p, f->len, 24,
		     "134217729 bytes: more than 134217728");

	*f = (struct file){ 0 };
	section(f, true, 1);
	test_refused("pcapng version 1.1", f->p, f->len, 12, "version 1.1");
	*f = (struct file){ 0 };
	section(f, true, 0);
	f->p[11] ^= 1;
	test_refused("pcapng byte order", f->p, f->len, 8, "0x1a2b3c4c");
	*f = (struct file){ 0 };
	section(f, true, 0);
	enhanced(f, 1, one);
	test_refused("packet of no interface", f->p, f->len, 28,
		     "interface 0; the section has described 0");
	*f = (struct file){ 0 };
	section(f, true, 0);
	simple(f, 1, one);
	test_refused("simple packet of no interface", f->p, f->len, 28,
		     "interface 0; the section has described 0");
	*f = (struct file){ 0 };
	section(f, false, 0);
	interface(f, 1, 0);
	section(f, false, 0);
	enhanced(f, 1, one);
	test_refused("interface of another section", f->p, f->len, 76,
		     "interface 0; the section has described 0");
	*f = (struct file){ 0 };
	section(f, false, 0);
	other_block(f, 77);
	f->p[f->len - 4] ^= 4;
	test_refused("lengths that differ", f->p, f->len, 28,
		     "block of 32 bytes ends with the length 36");
	*f = (struct file){ 0 };
	section(f, true, 0);
	interface(f, 1, 0);
	enhanced(f, 1, one);
	memcpy(f->p + 48 + 4, "\x7f\0\0\0", 4);
	test_refused("block above the limit", f->p, f->len, 48,
		     "block of 2130706432 bytes: its type has");
	*f = (struct file){ 0 };
	section(f, false, 0);
	other_block(f, 77);
	f->p[32] = 30;
	test_refused("length that is no multiple", f->p, f->len, 28,
		     "multiple of 4");
	*f = (struct file){ 0 };
	section(f, false, 0);
	interface(f, 1, 0);
	one.flags = 0x200;
	enhanced(f, 1, one);
	f->p[48 + 32 + 2] = 200; /* the comment's length */
	test_refused("option beyond its block", f->p, f->len, 48 + 32,
		     "option of 200 bytes");
	*f = (struct file){ 0 };
	section(f, false, 0);
	interface(f, 1, 0);
	one.caplen = 4;
	simple(f, 1, one);
	f->p[48 + 8] = 5;
	test_refused("simple packet beyond its block", f->p, f->len, 48,
		     "packet of 5 bytes in a block with room for 4");
}

static void test_read_error(void)
{
	enum reader_status status;
	struct packet packet;
	int fd[2];
	struct reader *r;

	if (pipe(fd) != 0)
		return;
	r = reader_open(fd[1]); /* the end for writing */
	status = reader_next(r, &packet);
	tap_ok(status == READER_FAULT && reader_fault(r)->offset == 0 &&
		       strstr(reader_fault(r)->cause, "descriptor"),
	       "read error: %s", reader_fault(r)->cause);
	reader_close(r);
	close(fd[0]);
	close(fd[1]);
}

static void test_files(struct file *f)
{
	static const struct {
		uint32_t magic;
		uint32_t header;
		const char *name;
	} kinds[] = {
		{ 0xa1b2c3d4, 16, "pcap, microseconds" },
		{ 0xa1b23c4d, 16, "pcap, nanoseconds" },
		{ 0xa1b2cd34, 24, "pcap, modified" },
	};
	char name[80];

	for (int i = 0; i < 6; i++) {
		write_pcap(f, kinds[i / 2].magic, i % 2);
		snprintf(name, sizeof(name), "%s, %s endian", kinds[i / 2].name,
			 i % 2 ? "big" : "little");
		test_whole(f, name);
		test_descriptors(f, name);
		test_file_prefixes(f, name);
		test_file_damage(f, name);
		test_huge(f, name, 24 + 8, 24);
		test_huge(f, name, 24 + kinds[i / 2].header + 60 + 8,
			  24 + kinds[i / 2].header + 60);
	}
	for (int i = 0; i < 2; i++) {
		test_clocks(f, i);
		write_pcapng(f, i);
		f->big_endian = i; /* for what is written over it below */
		snprintf(name, sizeof(name), "pcapng, %s endian first",
			 i ? "big" : "little");
		test_whole(f, name);
		test_descriptors(f, name);
		test_file_prefixes(f, name);
		test_file_damage(f, name);
		test_huge(f, name, 4, 0);	 /* section */
		test_huge(f, name, 28 + 4, 28);	 /* interface */
		test_huge(f, name, 68 + 4, 68);	 /* packet block */
		test_huge(f, name, 68 + 20, 68); /* and its packet */
		/* a block that is skipped, behind the first packet */
		test_huge(f, name, f->end[0] + 4, f->end[0]);
	}
}

/* What else is known of one site of a row. */
static void test_note(const char *row, unsigned site, uint32_t flags,
		      enum note want)
{
	for (unsigned i = 0; i < NROWS; i++) {
		struct packet p;
		struct check c;
		struct walk w;

		if (strcmp(packet_rows[i].name, row) != 0)
			continue;
		p = row_packet(&packet_rows[i]);
		p.flags |= flags;
		walk_packet(&p, &w);
		c = check_site(&w.sites[site], p.data);
		tap_ok(site < w.count && c.note == want, "%s: site %u, \"%s\"",
		       row, site, note_text(want));
		if (c.note != want)
			tap_note("\"%s\"", note_text(c.note));
		free((void *)p.data);
		return;
	}
	tap_ok(false, "no packet \"%s\"", row);
}

static void test_notes(void)
{
	test_note("ipv4 length 0, all filled in", 0, 0, NOTE_NO_LENGTH);
	test_note("ipv4 length 0, all filled in", 1, 0, NOTE_NO_LENGTH);
	test_note("ipv4 length 0, nothing filled in", 1, 0, NOTE_LARGE_SEND);
	test_note("ipv6 length 0", 0, 0, NOTE_NO_LENGTH);
	test_note("jumbogram, tcp", 0, 0, NOTE_NONE);
	test_note("jumbo option below 65536 is ignored", 0, 0, NOTE_NO_LENGTH);
	test_note("flags: something else", 1, 0, NOTE_SAID_VALID);
	test_note("flags: checksum not ready", 1, PACKET_CHECKSUM_VALID,
		  NOTE_FLAGGED);
	test_note("flags: not ready, and yet right", 1, PACKET_CHECKSUM_VALID,
		  NOTE_NONE);
}

int main(int argc, char **argv)
{
	struct file *f = malloc(sizeof(*f));

	testing_init(argc, argv);
	for (unsigned i = 0; i < NROWS; i++)
		test_row(&packet_rows[i]);
	test_notes();
	test_twins();
	test_prefixes();
	test_random_damage();
	test_files(f);
	test_large_packets(f);
	test_refusals(f);
	test_read_error();
	free(f);
	return tap_done();
}
