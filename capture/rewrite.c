/* SPDX-License-Identifier: BSD-2-Clause */
/* rewrite.c - what the reader has done with, to the output. */
#include "rewrite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "writer.h"

/* After an error nothing is written any more, and the error stays. */
static bool pass_on(struct rewrite *w, const uint8_t *p, size_t n)
{
	if (w->error)
		return false;
	if (w->writer && !writer_put(w->writer, p, n))
		w->error = writer_settle(w->writer);
	else if (!w->writer && w->fd >= 0)
		w->error = write_all(w->fd, p, n);
	w->written += n;
	return !w->error;
}

/* How many of the last of @n BYTES are to be held back. */
static size_t to_hold(struct rewrite *w, size_t n)
{
	const uint64_t end = w->written + n;
	uint64_t from = w->waiting ? w->waiting(w->ctx) : UINT64_MAX;
	struct timespec now;

	if (from >= end)
		return 0;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (from != w->from)
		w->since = now.tv_sec;
	w->from = from;
	if (now.tv_sec - w->since > HOLD_SECONDS)
		return 0;
	return end - from < HOLD_BYTES ? (size_t)(end - from) : HOLD_BYTES;
}

/* For an output that cannot be changed: the end of what there is waits. */
static bool pass_on_some(struct rewrite *w, const uint8_t *p, size_t n)
{
	const size_t hold = to_hold(w, w->nheld + n);
	const size_t go = w->nheld + n - hold;
	const size_t old = go < w->nheld ? go : w->nheld;

	if (hold && !w->held)
		w->held = malloc(HOLD_BYTES);
	if (hold && !w->held) {
		w->error = ENOMEM;
		return false;
	}
	if (!pass_on(w, w->held, old) || !pass_on(w, p, go - old))
		return false;
	w->nheld -= old;
	if (old && w->nheld)
		memmove(w->held, w->held + old, w->nheld);
	if (hold)
		memcpy(w->held + w->nheld, p + (go - old), n - (go - old));
	w->nheld = hold;
	return true;
}

static bool sink(void *ctx, const uint8_t *p, size_t n)
{
	struct rewrite *w = ctx;

	return w->seekable ? pass_on(w, p, n) : pass_on_some(w, p, n);
}

/* With O_APPEND, Linux writes at the end whatever pwrite() is told. */
static bool can_go_back(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       !(fcntl(fd, F_GETFL) & O_APPEND);
}

static uint64_t find_base(struct rewrite *w, int fd)
{
	off_t at = lseek(fd, 0, SEEK_CUR);

	if (at < 0)
		w->error = errno;
	return at < 0 ? 0 : (uint64_t)at;
}

void rewrite_start(struct rewrite *w, struct reader *r, int fd)
{
	*w = (struct rewrite){ .reader = r, .fd = fd, .seekable = true };
	if (fd >= 0) {
		w->seekable = can_go_back(fd);
		w->base = w->seekable ? find_base(w, fd) : 0;
		/* a pipe is waited for; without a thread it is as good */
		w->writer = w->seekable ? writer_start(fd) : NULL;
	}
	reader_tee(r, sink, w);
}

uint8_t *rewrite_packet(struct rewrite *w, const struct packet *packet)
{
	return reader_edit(w->reader, packet->offset);
}

static bool write_back(struct rewrite *w, uint64_t offset, const uint8_t *p)
{
	ssize_t n;

	if (w->writer && !w->error)
		w->error = writer_settle(w->writer);
	if (w->error)
		return false;
	if (w->fd < 0)
		return true;
	do
		n = pwrite(w->fd, p, 1, (off_t)(w->base + offset));
	while (n < 0 && errno == EINTR);
	if (n != 1)
		w->error = n < 0 ? errno : EIO;
	return n == 1;
}

bool rewrite_patch(struct rewrite *w, uint64_t offset, const uint8_t *bytes,
		   size_t n)
{
	if (offset < w->written && !w->seekable)
		return false;
	/* one by one: a field can lie on both sides of what is written */
	for (size_t i = 0; i < n; i++) {
		uint64_t at = offset + i;

		if (at >= w->written + w->nheld)
			*reader_edit(w->reader, at) = bytes[i];
		else if (at >= w->written)
			w->held[at - w->written] = bytes[i];
		else if (!write_back(w, at, bytes + i))
			return false;
	}
	return true;
}

bool rewrite_finish(struct rewrite *w)
{
	if (!reader_drain(w->reader) || !pass_on(w, w->held, w->nheld))
		return false;
	w->nheld = 0;
	if (w->writer && !w->error)
		w->error = writer_settle(w->writer);
	return !w->error;
}

void rewrite_end(struct rewrite *w)
{
	writer_end(w->writer);
	free(w->held);
}
