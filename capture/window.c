/* SPDX-License-Identifier: BSD-2-Clause */
/* window.c - reading ahead in large blocks, keeping what is still needed. */
#include "window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Many packets per read(), and still small enough to stay in a L2 cache. */
enum { WINDOW_SIZE = 256 << 10 };

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
	free(w->buf);
	w->buf = NULL;
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
	w->pos = buf;
	return true;
}

/* At least one more byte at the end; false at the end of the input. */
static bool fill(struct window *w)
{
	uint8_t *free_from;
	ssize_t n;

	if (w->fd < 0)
		return false;
	if (w->pos != w->buf) {
		memmove(w->buf, w->pos, w->have);
		w->pos = w->buf;
	}
	if (w->have == w->size && !grow(w))
		return false;
	free_from = w->buf + w->have;
	do
		n = read(w->fd, free_from, w->size - w->have);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		w->error = errno;
	if (n <= 0) {
		w->fd = -1; /* the end of a terminal is read only once */
		return false;
	}
	w->have += (size_t)n;
	return true;
}

const uint8_t *window_peek(struct window *w, size_t n)
{
	while (w->have < n)
		if (!fill(w))
			return NULL;
	return w->pos;
}

bool window_skip(struct window *w, uint64_t n)
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
