/* SPDX-License-Identifier: BSD-2-Clause */
/* window.c - reading ahead in large blocks, keeping what is still needed. */
#include "window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump.h"
#include "unpack.h"

void window_open(struct window *w, int fd)
{
	*w = (struct window){ .fd = fd };
}

void window_open_memory(struct window *w, const void *buf, size_t len)
{
	*w = (struct window){ .fd = -1, .pos = buf, .have = len };
}

void window_close(struct window *w)
{
	unpack_close(w->unpack);
	free(w->buf);
	free(w->spare);
	free(w->full);
	w->unpack = NULL;
	w->buf = w->spare = w->full = NULL;
}

/* Twice the size, which is only asked for when the buffer is full. */
static bool grow(struct window *w)
{
	size_t size = w->size ? 2 * w->size : WINDOW_SIZE;
	uint8_t *buf = realloc(w->buf, size);

	if (!buf) {
		w->error = ENOMEM;
		return false;
	}
	w->buf = buf;
	w->size = size;
	return true;
}

/* What lies before the front is not needed any more. */
static bool pass_on(struct window *w)
{
	size_t n = (size_t)(w->pos - w->buf);

	if (!w->sink || !n || w->sink(w->sink_ctx, w->buf, n))
		return true;
	w->error = ECANCELED;
	return false;
}

/* Makes room at the end, by moving what is left to the front of a buffer. */
static bool slide(struct window *w)
{
	if (w->turning) {
		w->turning = false;
		w->full = w->buf;
		w->full_size = w->size;
		w->buf = w->spare;
		w->size = w->spare_size;
		w->spare = NULL;
		while (w->size <= w->have)
			if (!grow(w))
				return false;
	}
	if (!pass_on(w))
		return false;
	if (w->have && w->pos != w->buf)
		memmove(w->buf, w->pos, w->have);
	w->pos = w->buf;
	if (w->have == w->size && !grow(w))
		return false;
	w->pos = w->buf;
	return true;
}

void window_turn(struct window *w, uint8_t *spare, size_t size)
{
	w->spare = spare;
	w->spare_size = size;
	w->turning = true;
}

uint8_t *window_turned(struct window *w, size_t *size)
{
	uint8_t *full = w->full;

	*size = w->full_size;
	w->full = NULL;
	return full;
}

void window_turn_now(struct window *w)
{
	/* without memory, nothing can be read after it either */
	if (w->turning && w->buf)
		slide(w);
	w->turning = false;
}

bool window_join(struct window *w, uint8_t **buf, size_t *size, uint64_t at,
		 size_t n)
{
	const uint64_t end = w->offset + w->have;
	uint8_t *old = w->buf, *from;
	size_t known, old_size = w->size;

	/* if it begins behind that, the difference is huge */
	if (window_position(w) != end || w->have > WINDOW_HEADROOM ||
	    end - at >= n)
		return false;
	known = (size_t)(end - at);
	n -= known;
	if (lseek(w->fd, (off_t)n, SEEK_CUR) < 0)
		return false;
	from = *buf + (WINDOW_HEADROOM + known - w->have);
	if (w->have)
		memcpy(from, w->pos, w->have);
	w->buf = *buf;
	w->size = *size;
	w->pos = from;
	w->have += n;
	*buf = old;
	*size = old_size;
	return true;
}

bool window_is_short(const struct window *w)
{
	return !w->error && !(w->unpack && unpack_cause(w->unpack));
}

bool window_ended(const struct window *w)
{
	return !w->have && window_is_short(w);
}

uint64_t window_consumed(const struct window *w)
{
	return w->unpack ? unpack_offset(w->unpack) : w->offset + w->have;
}

static ssize_t read_some(struct window *w, uint8_t *to, size_t n)
{
	ssize_t got;

	if (w->unpack)
		return unpack_read(w->unpack, to, n);
	do
		got = read(w->fd, to, n);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		w->error = errno;
	return got;
}

/* At least one more byte at the end; false at the end of the input. */
static bool fill(struct window *w)
{
	ssize_t n;

	if (w->error || (w->fd < 0 && !w->unpack) || !slide(w))
		return false;
	n = read_some(w, w->buf + w->have, w->size - w->have);
	if (n <= 0) {
		w->fd = -1; /* the end of a terminal is read only once */
		return false;
	}
	w->have += (size_t)n;
	return true;
}

static bool looks_like_dump(struct window *w)
{
	bool all = false;

	for (;;) {
		switch (dump_probe(w->pos, w->have, all)) {
		case DUMP_YES:
			return true;
		case DUMP_NO:
			return false;
		case DUMP_PERHAPS:
			all = !fill(w);
		}
	}
}

/* What has to be unpacked; @dump: how, if it is no compressed file. */
static bool is_packed(struct window *w, struct input_form *dump)
{
	if (w->form)
		*dump = *w->form;
	if (dump->form != FORM_ANY)
		return true;
	while (w->have < UNPACK_MAGIC)
		if (!fill(w))
			return false;
	if (unpack_kind(w->pos))
		return true;
	if (looks_like_dump(w))
		dump->form = FORM_HEX;
	return dump->form != FORM_ANY;
}

/*
 * The first bytes, or the user, tell whether it is compressed or a dump; what
 * is read then is neither.
 */
static void look(struct window *w)
{
	struct input_form dump = { .form = FORM_ANY };

	w->looked = true;
	if (!is_packed(w, &dump))
		return;
	w->unpack = unpack_open(w->pos, w->have, w->fd,
				dump.form == FORM_ANY ? NULL : &dump);
	if (!w->unpack)
		w->error = ENOMEM;
	w->have = 0;
	w->fd = -1;
}

const uint8_t *window_fill(struct window *w, size_t n)
{
	if (!w->looked)
		look(w);
	while (w->have < n)
		if (!fill(w))
			return NULL;
	return w->pos;
}

const char *window_packed(const struct window *w)
{
	return w->unpack ? unpack_name(w->unpack) : NULL;
}

const char *window_unpack_cause(const struct window *w, uint64_t *offset)
{
	if (!w->unpack || !unpack_cause(w->unpack))
		return NULL;
	*offset = unpack_offset(w->unpack);
	return unpack_cause(w->unpack);
}

bool window_is_dump(const struct window *w)
{
	return w->unpack && unpack_is_dump(w->unpack);
}

bool window_guessed(const struct window *w)
{
	return w->unpack && unpack_guessed(w->unpack);
}

bool window_skip_far(struct window *w, uint64_t n)
{
	while (n) {
		size_t step;

		if (!window_peek(w, 1))
			return false;
		step = n < w->have ? (size_t)n : w->have;
		w->pos += step;
		w->have -= step;
		w->offset += step;
		n -= step;
	}
	return true;
}

void window_tee(struct window *w, window_sink sink, void *ctx)
{
	w->sink = sink;
	w->sink_ctx = ctx;
}

uint8_t *window_edit(struct window *w, uint64_t offset)
{
	uint64_t first = w->offset - (uint64_t)(w->pos - w->buf);

	if (offset < first || offset - first > w->offset - first + w->have)
		return NULL;
	return w->buf + (offset - first);
}

bool window_drain(struct window *w)
{
	while (window_peek(w, 1))
		window_skip(w, w->have);
	return window_ended(w) && pass_on(w);
}
