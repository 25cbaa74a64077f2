/* SPDX-License-Identifier: BSD-2-Clause */
/* rewrite.c - what the reader has done with, to the output. */
#include "rewrite.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(struct rewrite *w, const uint8_t *p, size_t n)
{
	while (n) {
		ssize_t done = write(w->fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0) {
			w->error = errno;
			return false;
		}
		p += done;
		n -= (size_t)done;
	}
	return true;
}

static bool sink(void *ctx, const uint8_t *p, size_t n)
{
	struct rewrite *w = ctx;

	if (w->fd >= 0 && !write_all(w, p, n))
		return false;
	w->written += n;
	return true;
}

/* With O_APPEND, Linux writes at the end whatever pwrite() is told. */
static bool can_go_back(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       !(fcntl(fd, F_GETFL) & O_APPEND);
}

void rewrite_start(struct rewrite *w, struct reader *r, int fd)
{
	*w = (struct rewrite){ .reader = r, .fd = fd, .seekable = true };
	if (fd >= 0) {
		w->seekable = can_go_back(fd);
		w->base = w->seekable ? (uint64_t)lseek(fd, 0, SEEK_CUR) : 0;
	}
	reader_tee(r, sink, w);
}

uint8_t *rewrite_packet(struct rewrite *w, const struct packet *packet)
{
	return reader_edit(w->reader, packet->offset);
}

static bool write_back(struct rewrite *w, uint64_t offset, const uint8_t *p)
{
	if (!w->seekable)
		return false;
	if (w->fd < 0 || pwrite(w->fd, p, 1, (off_t)(w->base + offset)) == 1)
		return true;
	w->error = errno;
	return false;
}

bool rewrite_patch(struct rewrite *w, uint64_t offset, const uint8_t *bytes,
		   size_t n)
{
	if (offset < w->written && !w->seekable)
		return false;
	/* one by one: a field can lie on both sides of what is written */
	for (size_t i = 0; i < n; i++) {
		if (offset + i < w->written) {
			if (!write_back(w, offset + i, bytes + i))
				return false;
		} else {
			*reader_edit(w->reader, offset + i) = bytes[i];
		}
	}
	return true;
}

bool rewrite_finish(struct rewrite *w)
{
	return reader_drain(w->reader) && !w->error;
}
