/* SPDX-License-Identifier: BSD-2-Clause */
/* dump.c - lines of hex, to packets, to a pcap file. */
#include "dump.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "judge.h"
#include "unpack.h"

enum {
	FILE_HEADER = 24,
	RECORD_HEADER = 16,
	WRAPPED = 80, /* the most columns of text that was wrapped */
	HELD = 64,    /* packets that may be read before a link type is known */
	/* BYTES of a packet with '*', or a short text would fill the memory */
	REPEATED_MAX = 256 << 10,
};

enum style { STYLE_NONE, STYLE_OFFSETS, STYLE_PLAIN };

struct buffer {
	uint8_t *p;
	size_t n, size;
};

struct place {
	uint64_t line, column, offset; /* the first two from 1 on; 0: none */
};

struct dump {
	bool raw;
	enum style style;
	struct buffer line;
	struct place at;   /* of the line: column is 1 */
	struct place text; /* the first line that is no hex */
	/* STYLE_OFFSETS */
	bool colon;	    /* behind the offsets */
	unsigned digits;    /* of an offset */
	bool starred;	    /* the last row comes again, see @row */
	size_t row;	    /* where in the packet the last row begins */
	bool no_frame;	    /* tshark: put together from several packets */
	size_t first_width; /* STYLE_PLAIN: columns of its first line */
	struct buffer packet;
	uint64_t packets;
	/* the link type */
	bool known, guessed;
	uint32_t linktype;
	unsigned long scores[8]; /* of candidates[] */
	/* the pcap file, from @taken on; nothing before the link type is known
	 */
	struct buffer out;
	size_t taken;
	bool failed;
	struct place fault;
	char cause[120];
};

/* --- faults and memory -----------------------------------------------------
 */

static void fail(struct dump *d, struct place at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void fail(struct dump *d, struct place at, const char *fmt, ...)
{
	int n = 0;
	va_list ap;

	if (d->failed)
		return;
	d->failed = true;
	d->fault = at;
	if (at.line)
		n = snprintf(d->cause, sizeof(d->cause),
			     "line %" PRIu64 ", column %" PRIu64 ": ", at.line,
			     at.column);
	va_start(ap, fmt);
	vsnprintf(d->cause + n, sizeof(d->cause) - (size_t)n, fmt, ap);
	va_end(ap);
}

/* Column @i of the line, from 0 on. */
static struct place column(const struct dump *d, size_t i)
{
	struct place at = d->at;

	at.column += i;
	at.offset += i;
	return at;
}

static void put(struct dump *d, struct buffer *b, const void *p, size_t n)
{
	if (d->failed || !n)
		return;
	if (b->n + n > b->size) {
		size_t size = 2 * (b->n + n) + 256;
		uint8_t *more = realloc(b->p, size);

		if (!more) {
			fail(d, d->at, "out of memory");
			return;
		}
		b->p = more;
		b->size = size;
	}
	memcpy(b->p + b->n, p, n);
	b->n += n;
}

/* --- the link type ---------------------------------------------------------
 */

/* What tcpdump and people write, the most frequent first. */
static const uint16_t candidates[] = {
	1,   /* Ethernet */
	101, /* an IP header */
	113, /* Linux cooked, of "any" */
	276, /* the same, version 2 */
	0,   /* BSD loopback */
	108, /* the same of OpenBSD */
};

enum { CANDIDATES = sizeof(candidates) / sizeof(*candidates) };

/* What one packet says for a link type; less than DECIDES proves little. */
enum { RIGHT = 10000, DECIDES = 100, WHOLE = 1 };

static bool is_whole(enum reason r)
{
	return r == REASON_SNAPPED || r == REASON_FRAGMENT ||
	       r == REASON_ENCRYPTED || r == REASON_NO_CRC;
}

static unsigned long score(const uint8_t *p, uint32_t n, uint32_t linktype)
{
	const struct packet packet = {
		.data = p,
		.caplen = n,
		.wirelen = n,
		.linktype = linktype,
	};
	struct check checks[WALK_SITES];
	unsigned long sum = 0;
	struct walk walk;

	walk_packet(&packet, &walk);
	judge_packet(&walk, packet.data, checks);
	for (unsigned i = 0; i < walk.count; i++)
		if (checks[i].verdict == VERDICT_GOOD)
			sum += RIGHT;
		else if (checks[i].verdict != VERDICT_UNVERIFIABLE)
			sum += DECIDES;
		else if (is_whole(checks[i].reason))
			sum += WHOLE;
	return sum;
}

/* Puts down the file header, which had to wait; what follows may go out. */
static void settle(struct dump *d)
{
	const uint8_t *p = d->out.p;

	if (d->known || !p)
		return;
	for (int i = 1, best = 0; i < CANDIDATES; i++)
		if (d->scores[i] > d->scores[best]) {
			best = i;
			d->linktype = candidates[i];
		}
	d->known = true;
	d->out.p[20] = (uint8_t)d->linktype;
	d->out.p[21] = (uint8_t)(d->linktype >> 8);
}

/* Whether the packets so far tell the link type; the last has @n BYTES. */
static bool guess(struct dump *d, uint32_t n)
{
	bool decided = false;

	for (int i = 0; i < CANDIDATES; i++) {
		d->scores[i] += score(d->packet.p, n, candidates[i]);
		decided |= d->scores[i] >= DECIDES;
	}
	return decided;
}

/* --- packets ---------------------------------------------------------------
 */

static void put32(struct dump *d, uint32_t v)
{
	const uint8_t p[4] = { (uint8_t)v, (uint8_t)(v >> 8),
			       (uint8_t)(v >> 16), (uint8_t)(v >> 24) };

	put(d, &d->out, p, sizeof(p));
}

static void put_file_header(struct dump *d)
{
	put32(d, 0xa1b2c3d4);
	put32(d, 4 << 16 | 2);
	put32(d, 0);
	put32(d, 0);
	put32(d, PACKET_MAX);
	put32(d, d->linktype);
}

static void end_packet(struct dump *d)
{
	const uint32_t n = (uint32_t)d->packet.n;

	if (d->starred)
		fail(d, d->at,
		     "behind '*' no offset says how often the line "
		     "in front comes again");
	if (!n || d->failed)
		return;
	d->packet.n = d->row = 0;
	if (d->no_frame) {
		d->no_frame = false;
		return;
	}
	d->packets++;
	put32(d, 0);
	put32(d, 0);
	put32(d, n);
	put32(d, n);
	put(d, &d->out, d->packet.p, n);
	if (!d->failed && !d->known && (guess(d, n) || d->packets == HELD))
		settle(d);
}

static void put_bytes(struct dump *d, struct place at, const uint8_t *p,
		      size_t n)
{
	if (d->packet.n + n > PACKET_MAX)
		fail(d, at, "a packet of more than %d bytes is not believed",
		     PACKET_MAX);
	put(d, &d->packet, p, n);
}

/* --- hex -------------------------------------------------------------------
 */

static int digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
		return (c | 0x20) - 'a' + 10;
	return -1;
}

/* How many hex digits stand at @i of the line. */
static size_t count_digits(const struct dump *d, size_t i)
{
	const size_t from = i;

	while (i < d->line.n && digit(d->line.p[i]) >= 0)
		i++;
	return i - from;
}

static bool is_space(const struct dump *d, size_t i)
{
	return i < d->line.n && (d->line.p[i] == ' ' || d->line.p[i] == '\t');
}

static size_t skip_spaces(const struct dump *d, size_t i)
{
	while (is_space(d, i))
		i++;
	return i;
}

/* @n digits at @i, which are there. */
static void put_digits(struct dump *d, size_t i, size_t n)
{
	if (n % 2)
		fail(d, column(d, i), "an odd number of hex digits: %zu", n);
	for (size_t k = 0; k < n && !d->failed; k += 2) {
		const uint8_t *p = d->line.p + i + k;
		const uint8_t byte = (uint8_t)(digit(p[0]) << 4 | digit(p[1]));

		put_bytes(d, column(d, i + k), &byte, 1);
	}
}

static void no_digit(struct dump *d, size_t i)
{
	const uint8_t c = d->line.p[i];

	if (c > 0x20 && c < 0x7f)
		fail(d, column(d, i), "'%c' is not a hex digit", c);
	else
		fail(d, column(d, i), "byte 0x%02x is not a hex digit", c);
}

/* --- lines with offsets ----------------------------------------------------
 */

struct offset {
	uint32_t value;
	unsigned digits;
	bool colon;
	size_t at, end; /* columns: of the offset, behind it */
};

/* Something that may be an offset, in front of a space or the end of the line.
 */
static bool scan_offset(const struct dump *d, struct offset *o)
{
	size_t i = skip_spaces(d, 0), n;

	*o = (struct offset){ .at = i };
	if (i + 1 < d->line.n && d->line.p[i] == '0' &&
	    (d->line.p[i + 1] | 0x20) == 'x')
		i += 2;
	n = count_digits(d, i);
	if (n < 4 || n > 8)
		return false;
	o->digits = (unsigned)n;
	for (; n--; i++)
		o->value = o->value << 4 | (uint32_t)digit(d->line.p[i]);
	o->colon = i < d->line.n && d->line.p[i] == ':';
	o->end = i + o->colon;
	return o->end == d->line.n || is_space(d, o->end);
}

/*
 * Offset 0 of the first line, with hex behind it.  Without a colon it might be
 * the first word of plain hex; but that is followed by one space and a word of
 * the same size.
 */
static bool begins_offsets(const struct dump *d, const struct offset *o)
{
	const size_t next = skip_spaces(d, o->end);
	const size_t n = count_digits(d, next);

	if (o->value || !n)
		return false;
	return o->colon || next - o->end > 1 || n != o->digits;
}

static bool is_offset(struct dump *d, struct offset *o)
{
	if (!scan_offset(d, o))
		return false;
	if (d->style == STYLE_OFFSETS)
		return o->colon == d->colon &&
		       (o->colon || o->digits >= d->digits);
	if (d->style != STYLE_NONE || !begins_offsets(d, o))
		return false;
	d->style = STYLE_OFFSETS;
	d->colon = o->colon;
	d->digits = o->digits;
	return true;
}

/* The last row once more and again, up to offset @end. */
static void repeat_row(struct dump *d, const struct offset *o)
{
	d->starred = false;
	if (d->row == d->packet.n || o->value < d->packet.n ||
	    o->value > REPEATED_MAX) {
		fail(d, column(d, o->at), "offset 0x%" PRIx32 " behind '*'%s",
		     o->value,
		     o->value > REPEATED_MAX ? ": that long is no packet" : "");
		return;
	}
	for (size_t from = d->row; d->packet.n < o->value && !d->failed;
	     from++) {
		const uint8_t byte = d->packet.p[from];

		put_bytes(d, d->at, &byte, 1);
	}
}

static void check_offset(struct dump *d, const struct offset *o)
{
	if (d->starred && o->value)
		repeat_row(d, o);
	else if (!o->value)
		end_packet(d);
	if (o->value != d->packet.n)
		fail(d, column(d, o->at),
		     "offset 0x%" PRIx32 " behind 0x%zx bytes of the packet%s",
		     o->value, d->packet.n,
		     o->value > d->packet.n && !o->colon
			     ? "; it has to be hex, as of od -Ax"
			     : "");
}

/*
 * Two spaces stand in front of the text that repeats the bytes; hexdump -C has
 * them behind eight bytes as well.
 */
static bool row_goes_on(const struct dump *d, size_t spaces, size_t next)
{
	const size_t n = d->packet.n - d->row;

	if (spaces < 2 || n == 0)
		return true;
	return spaces == 2 && n == 8 && count_digits(d, next) == 2 &&
	       (next + 2 == d->line.n || is_space(d, next + 2));
}

static void offset_line(struct dump *d, const struct offset *o)
{
	size_t i = o->end;

	check_offset(d, o);
	d->row = d->packet.n;
	while (!d->failed) {
		const size_t next = skip_spaces(d, i);
		const size_t n = count_digits(d, next);

		if (next == d->line.n || !row_goes_on(d, next - i, next))
			break;
		if (!n || (next + n < d->line.n && !is_space(d, next + n)))
			no_digit(d, next + n);
		/* hexdump and od -x have seven digits, and no colon */
		else if (n == 4 && d->digits == 7 && !d->colon)
			fail(d, column(d, next),
			     "words in the byte order of a machine; use "
			     "hexdump -C or od -Ax -tx1");
		put_digits(d, next, n);
		i = next + n;
	}
	/* nothing but an offset stands behind the last line */
	if (d->row == d->packet.n)
		end_packet(d);
}

/* --- plain hex -------------------------------------------------------------
 */

static bool is_between(uint8_t c)
{
	return c == ' ' || c == '\t' || c == ':' || c == ',' || c == '-';
}

/* Where the next digits begin; their prefix is skipped. */
static size_t next_digits(const struct dump *d, size_t i)
{
	const uint8_t *p = d->line.p;

	while (i < d->line.n && is_between(p[i]))
		i++;
	if (i + 2 < d->line.n && (p[i] == '0' || p[i] == '\\') &&
	    (p[i + 1] | 0x20) == 'x' && digit(p[i + 2]) >= 0)
		i += 2;
	return i;
}

/* The column of the first thing in the line that is no hex; or its length. */
static size_t plain_until(const struct dump *d)
{
	size_t i = next_digits(d, 0);

	while (i < d->line.n) {
		size_t n = count_digits(d, i);

		if (!n)
			break;
		i = next_digits(d, i + n);
	}
	return i;
}

/* An IP packet without anything around it, and whole. */
static bool is_whole_ip(const struct buffer *b)
{
	if (b->n >= 20 && b->p[0] >> 4 == 4)
		return be16(b->p + 2) == b->n;
	return b->n >= 40 && b->p[0] >> 4 == 6 && be16(b->p + 4) + 40u == b->n;
}

static bool begins_packet(const struct dump *d)
{
	return !d->packet.n || d->line.n > WRAPPED ||
	       d->first_width > WRAPPED || d->line.n > d->first_width ||
	       is_whole_ip(&d->packet);
}

static void plain_line(struct dump *d)
{
	bool last;

	if (d->text.line)
		fail(d, d->text, "neither hex nor an empty line nor '#'");
	d->style = STYLE_PLAIN;
	if (begins_packet(d)) {
		end_packet(d);
		d->first_width = d->line.n;
	}
	last = d->line.n < d->first_width;
	for (size_t i = next_digits(d, 0); i < d->line.n && !d->failed;) {
		const size_t n = count_digits(d, i);

		put_digits(d, i, n);
		i = next_digits(d, i + n);
	}
	if (last)
		end_packet(d);
}

/* --- lines -----------------------------------------------------------------
 */

/*
 * "Reassembled TCP (2920 bytes):", as tshark -x writes it over bytes that it
 * has made of several packets; "Frame (1514 bytes):" is the packet.
 */
static bool is_heading(const struct dump *d, const char *begin)
{
	static const char end[] = " bytes):";
	const size_t n = strlen(begin), last = sizeof(end) - 1;

	return d->line.n > n + last && memcmp(d->line.p, begin, n) == 0 &&
	       memcmp(d->line.p + d->line.n - last, end, last) == 0;
}

static void text_line(struct dump *d, size_t not_hex)
{
	/* may be a packet's, which then is not whole */
	if (d->style == STYLE_PLAIN)
		no_digit(d, not_hex);
	end_packet(d);
	d->no_frame = is_heading(d, "") && !is_heading(d, "Frame (");
	if (!d->text.line)
		d->text = column(d, not_hex);
}

/* tcpdump -v: behind a tab and spaces, an option in hex that it does not know.
 */
static bool is_nested(const struct dump *d, size_t i)
{
	return i > 1 && d->line.p[0] == '\t';
}

static void take_line(struct dump *d)
{
	struct offset o;
	size_t i;

	while (d->line.n &&
	       (is_space(d, d->line.n - 1) || d->line.p[d->line.n - 1] == '\r'))
		d->line.n--;
	i = skip_spaces(d, 0);
	if (i == d->line.n)
		end_packet(d);
	else if (d->line.p[i] == '#')
		;
	else if (d->style == STYLE_OFFSETS && i + 1 == d->line.n &&
		 d->line.p[i] == '*')
		d->starred = true;
	else if (is_nested(d, i))
		text_line(d, i);
	else if (is_offset(d, &o))
		offset_line(d, &o);
	else if (d->style == STYLE_OFFSETS)
		text_line(d, i);
	else if (i = plain_until(d), i == d->line.n)
		plain_line(d);
	else
		text_line(d, i);
}

static void next_line(struct dump *d, uint64_t bytes)
{
	d->line.n = 0;
	d->at.line++;
	d->at.offset += bytes;
}

static void feed_text(struct dump *d, const uint8_t *p, size_t n)
{
	while (n && !d->failed) {
		const uint8_t *end = memchr(p, '\n', n);
		const size_t part = end ? (size_t)(end - p) : n;
		uint64_t bytes;

		put(d, &d->line, p, part);
		if (!end)
			return;
		bytes = d->line.n + 1;
		take_line(d);
		next_line(d, bytes);
		p += part + 1;
		n -= part + 1;
	}
}

/* --- the interface ---------------------------------------------------------
 */

struct dump *dump_open(const struct input_form *in)
{
	struct dump *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->raw = in->form == FORM_RAW;
	d->known = in->has_linktype;
	d->guessed = !d->known;
	d->linktype = d->known ? in->linktype : candidates[0];
	if (!d->raw)
		d->at = (struct place){ 1, 1, 0 };
	put_file_header(d);
	return d;
}

void dump_close(struct dump *d)
{
	if (!d)
		return;
	free(d->line.p);
	free(d->packet.p);
	free(d->out.p);
	free(d);
}

void dump_feed(struct dump *d, const uint8_t *p, size_t n)
{
	if (d->raw)
		put_bytes(d, d->at, p, n);
	else
		feed_text(d, p, n);
	if (d->failed)
		settle(d);
}

void dump_end(struct dump *d)
{
	if (!d->raw && d->line.n)
		take_line(d);
	end_packet(d);
	if (!d->packets)
		fail(d, (struct place){ 0, 0, 0 },
		     d->raw ? "the file is empty" : "no line of hex in it");
	settle(d);
}

size_t dump_take(struct dump *d, uint8_t *to, size_t n)
{
	const size_t left = d->known ? d->out.n - d->taken : 0;

	if (n > left)
		n = left;
	if (n)
		memcpy(to, d->out.p + d->taken, n);
	d->taken += n;
	if (d->known && d->taken == d->out.n)
		d->taken = d->out.n = 0;
	return n;
}

const char *dump_cause(const struct dump *d, uint64_t *offset)
{
	*offset = d->fault.offset;
	return d->failed ? d->cause : NULL;
}

bool dump_guessed(const struct dump *d)
{
	return d->guessed;
}

/* --- whether it is one -----------------------------------------------------
 */

/* BYTES at the front that a text can have. */
static size_t text_length(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((p[i] < 0x20 && p[i] != '\t' && p[i] != '\r' &&
		     p[i] != '\n') ||
		    p[i] == 0x7f)
			return i;
	return n;
}

/* Once it is known, no byte that follows changes the answer. */
static bool is_known_dump(const struct dump *d)
{
	if (d->style == STYLE_OFFSETS)
		return true;
	for (int i = 0; i < CANDIDATES; i++)
		if (d->scores[i] >= DECIDES)
			return true;
	return false;
}

enum dump_guess dump_probe(const uint8_t *head, size_t n, bool all)
{
	const struct input_form form = { .form = FORM_HEX };
	enum dump_guess result = DUMP_PERHAPS;
	struct dump *d;
	size_t text;

	if (n > DUMP_PROBE)
		n = DUMP_PROBE;
	all |= n == DUMP_PROBE;
	text = text_length(head, n);
	if (text < n && text < UNPACK_MAGIC)
		return DUMP_NO;
	d = dump_open(&form);
	if (!d)
		return DUMP_NO;
	dump_feed(d, head, text);
	if (all && text == n)
		dump_end(d);
	if (is_known_dump(d))
		result = DUMP_YES;
	else if (all || text < n || d->failed)
		result = DUMP_NO;
	dump_close(d);
	return result;
}
