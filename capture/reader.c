/* SPDX-License-Identifier: BSD-2-Clause */
/* reader.c - tells the formats apart; what they have in common. */
#include "reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format.h"
#include "walk.h"

enum reader_status reader_fail(struct reader *r, uint64_t offset,
			       const char *fmt, ...)
{
	va_list ap;

	r->fault.offset = offset;
	va_start(ap, fmt);
	vsnprintf(r->fault.cause, sizeof(r->fault.cause), fmt, ap);
	va_end(ap);
	return READER_FAULT;
}

enum reader_status reader_fail_short(struct reader *r, uint64_t offset,
				     const char *what, uint64_t n)
{
	uint64_t end = r->in.offset + window_left(&r->in), packed_at;
	const char *cause = window_unpack_cause(&r->in, &packed_at);

	if (cause && window_is_dump(&r->in))
		return reader_fail(r, packed_at, "%s", cause);
	if (cause)
		return reader_fail(r, end,
				   "%s: %s, at byte %" PRIu64
				   " of the compressed file",
				   window_packed(&r->in), cause, packed_at);
	if (window_error(&r->in))
		return reader_fail(r, end, "%s",
				   strerror(window_error(&r->in)));
	return reader_fail(r, offset,
			   "%s of %" PRIu64 " bytes, but the file ends after "
			   "%" PRIu64,
			   what, n, end - offset);
}

static struct reader *reader_new(void)
{
	struct reader *r = calloc(1, sizeof(*r));

	if (r)
		r->status = READER_PACKET;
	return r;
}

struct reader *reader_open(int fd)
{
	struct reader *r = reader_new();

	if (r)
		window_open(&r->in, fd);
	return r;
}

struct reader *reader_open_memory(const void *buf, size_t len)
{
	struct reader *r = reader_new();

	if (r)
		window_open_memory(&r->in, buf, len);
	return r;
}

void reader_says(struct reader *r, const struct input_form *form)
{
	r->in.form = form;
}

void reader_close(struct reader *r)
{
	if (!r)
		return;
	window_close(&r->in);
	free(r->interfaces);
	free(r);
}

/* What people feed to a program that wanted a capture file. */
static const char *compression(const uint8_t *p)
{
	if (be32(p) == 0xfd377a58)
		return "xz";
	if (be32(p) >> 8 == 0x425a68)
		return "bzip2";
	return NULL;
}

static enum reader_status start(struct reader *r)
{
	const uint8_t *p = window_peek(&r->in, 4);
	enum reader_status status;
	const char *packer;

	r->foreign = !p && window_is_short(&r->in);
	if (!p && window_ended(&r->in))
		return reader_fail(r, 0, "the file is empty");
	if (!p)
		return reader_fail_short(r, 0, "file header", 4);
	status = pcap_start(r);
	if (status == READER_END)
		status = pcapng_start(r);
	if (status == READER_END)
		status = snoop_start(r);
	if (status == READER_END)
		status = erf_start(r);
	if (status != READER_END)
		return status;
	p = window_peek(&r->in, 4);
	packer = compression(p);
	if (packer)
		return reader_fail(r, 0, "compressed with %s: unpack it first",
				   packer);
	r->foreign = true;
	return reader_fail(
		r, 0,
		"not a pcap, pcapng, snoop or ERF file, nor a hex dump: it "
		"starts with %02x %02x %02x %02x",
		p[0], p[1], p[2], p[3]);
}

enum reader_status reader_next(struct reader *r, struct packet *packet)
{
	if (r->status != READER_PACKET)
		return r->status;
	if (r->pending)
		window_skip(&r->in, r->pending);
	r->pending = 0;
	if (!r->format)
		r->status = start(r);
	if (r->status == READER_PACKET)
		r->status = r->format->next(r, packet);
	if (r->status != READER_PACKET)
		return r->status;
	packet->frame = ++r->frames;
	/* some writers swap the two lengths, or leave the second one 0 */
	if (packet->wirelen < packet->caplen)
		packet->wirelen = packet->caplen;
	return READER_PACKET;
}

/* The packets of @b so far have to stay; what is read next goes elsewhere. */
static void hold_still(struct reader *r, struct batch *b)
{
	window_turn(&r->in, b->buf, b->size);
	b->buf = NULL;
	b->size = 0;
}

/* The next packet is in the buffer, too; a guess, if that is damaged. */
static bool has_next(const struct reader *r)
{
	const size_t have = window_left(&r->in) - r->pending;
	const uint8_t *p = r->in.pos + r->pending;

	return have >= r->format->header && have >= r->format->size(r, p);
}

/* Fills @b up to the packet that does not lie in the same buffer any more. */
static enum reader_status fill_batch(struct reader *r, struct batch *b)
{
	if (b->ahead_of == r && !r->has_held)
		window_join(&r->in, &b->buf, &b->size, b->ahead_at, b->ahead);
	batch_forget(b);
	while (b->count < BATCH_PACKETS) {
		struct packet *p = &b->packets[b->count];
		enum reader_status status = reader_next(r, p);

		if (status != READER_PACKET)
			return status;
		if (window_has_turned(&r->in)) {
			r->held = *p;
			r->has_held = true;
			return READER_PACKET;
		}
		if (b->count++ == 0)
			hold_still(r, b);
		if (!has_next(r))
			break;
	}
	return READER_PACKET;
}

enum reader_status reader_batch(struct reader *r, struct batch *b)
{
	enum reader_status status;

	if (!b->packets)
		b->packets = malloc(BATCH_PACKETS * sizeof(*b->packets));
	if (!b->packets) {
		r->status = reader_fail(r, r->in.offset, "out of memory");
		return r->status;
	}
	b->count = 0;
	if (r->has_held) {
		b->packets[b->count++] = r->held;
		r->has_held = false;
		hold_still(r, b);
	}
	status = fill_batch(r, b);
	if (b->count && !window_has_turned(&r->in)) {
		window_skip(&r->in, r->pending);
		r->pending = 0;
		window_turn_now(&r->in);
	}
	if (window_has_turned(&r->in))
		b->buf = window_turned(&r->in, &b->size);
	return status;
}

void batch_ahead(struct batch *b, const struct reader *r, int fd, uint64_t at)
{
	const size_t size = WINDOW_HEADROOM + AHEAD_BYTES;
	ssize_t n;

	batch_forget(b);
	if (b->size < size) {
		free(b->buf);
		b->buf = malloc(size);
		b->size = b->buf ? size : 0;
	}
	if (!b->buf)
		return;
	n = pread(fd, b->buf + WINDOW_HEADROOM, AHEAD_BYTES, (off_t)at);
	if (n > 0) {
		b->ahead_at = at;
		b->ahead = (size_t)n;
		b->ahead_of = r;
	}
}

uint64_t reader_position(const struct reader *r)
{
	return window_position(&r->in);
}

void batch_free(struct batch *b)
{
	free(b->packets);
	free(b->buf);
}

uint64_t reader_consumed(const struct reader *r)
{
	return window_consumed(&r->in);
}

const char *reader_packed(const struct reader *r)
{
	return window_packed(&r->in);
}

void reader_tee(struct reader *r, bool (*sink)(void *, const uint8_t *, size_t),
		void *ctx)
{
	window_tee(&r->in, sink, ctx);
}

uint8_t *reader_edit(struct reader *r, uint64_t offset)
{
	return window_edit(&r->in, offset);
}

bool reader_drain(struct reader *r)
{
	/* the last packet stays where it is until now, to be changed */
	if (window_drain(&r->in))
		return true;
	reader_fail_short(r, r->in.offset, "the rest", 0);
	return false;
}

const struct fault *reader_fault(const struct reader *r)
{
	return &r->fault;
}

const char *reader_format(const struct reader *r)
{
	if (r->format && window_is_dump(&r->in))
		return window_packed(&r->in);
	return r->format ? r->format->name : NULL;
}

bool reader_is_dump(const struct reader *r)
{
	return window_is_dump(&r->in);
}

void reader_describe(const struct reader *r, char *buf, size_t size)
{
	const char *format = reader_format(r), *link;

	if (!format || !reader_is_dump(r)) {
		snprintf(buf, size, "%s", format ? format : "");
		return;
	}
	link = linktype_name(r->linktype);
	snprintf(buf, size, "%s of link type %" PRIu32 ", %s%s",
		 strcmp(format, "raw") == 0 ? "bare bytes" : "hex dump",
		 r->linktype, link ? link : "unknown",
		 window_guessed(&r->in) ? " (a guess)" : "");
}

bool reader_is_foreign(const struct reader *r)
{
	return r->foreign;
}
