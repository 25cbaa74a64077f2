/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rewrite.h - a capture on its way from a reader to a file, byte for byte, but
 * for a few that are patched.
 *
 * The bytes are those that the reader has in its buffer, so a copy costs no
 * more than one read() and one write() for many packets, and memory does not
 * grow with the file.  A packet that has left the buffer, such as the first
 * fragment of a message, can be patched as long as the output can be written
 * again at an earlier place; a pipe cannot.
 */
#ifndef CAPTURE_REWRITE_H
#define CAPTURE_REWRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "reader.h"

enum { HOLD_SECONDS = 1 }; /* at most; see HOLD_BYTES */

struct rewrite {
	/*
	 * Where the first byte is that may still be patched; UINT64_MAX: none.
	 * NULL: as if it always said so.
	 */
	uint64_t (*waiting)(const void *ctx);
	const void *ctx;
	/* private to rewrite.c */
	struct reader *reader;
	int fd;
	int error;	       /* errno of a write that failed */
	struct writer *writer; /* or NULL: written at once */
	bool seekable;	       /* what has been written can be changed */
	uint64_t base;	       /* in the output, of the first byte */
	uint64_t written;      /* BYTES */
	uint8_t *held;	       /* HOLD_BYTES, behind those */
	size_t nheld;
	uint64_t from; /* what it is held back for */
	time_t since;
};

/*
 * Before the first reader_next().  @fd: open for writing, the copy begins where
 * it stands; -1: nothing is written, but patches are answered as for a file.
 */
void rewrite_start(struct rewrite *w, struct reader *r, int fd);
void rewrite_end(struct rewrite *w);

/* The bytes of the packet that the reader has yielded last, for change. */
uint8_t *rewrite_packet(struct rewrite *w, const struct packet *packet);

/*
 * Puts @n BYTES at @offset of the capture, which the reader has reached.  False
 * if they are past change, or cannot be written: see rewrite_error().
 */
bool rewrite_patch(struct rewrite *w, uint64_t offset, const uint8_t *bytes,
		   size_t n);

/*
 * Copies all that is left, damaged or not.  False if it cannot be written, see
 * rewrite_error(), or read, see reader_fault().
 */
bool rewrite_finish(struct rewrite *w);

/* After a failure, of the output: errno, or 0. */
static inline int rewrite_error(const struct rewrite *w)
{
	return w->error;
}

#endif
