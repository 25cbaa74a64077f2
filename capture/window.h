/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * window.h - a view of the input that slides forward, from a descriptor or over
 * memory.
 *
 * Large reads into one buffer, and pointers into it: nothing is copied per
 * packet, and a pipe serves as well as a file.  The buffer grows only while
 * bytes arrive, so a length field that lies costs an error, never memory.
 */
#ifndef CAPTURE_WINDOW_H
#define CAPTURE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct window {
	uint64_t offset; /* in the input, of the front */
	/* private to window.c */
	int fd;		    /* -1: over memory, or nothing more to read */
	int error;	    /* errno of a read or an allocation that failed */
	uint8_t *buf;	    /* owned; NULL over memory */
	size_t size;	    /* BYTES allocated */
	const uint8_t *pos; /* the front */
	size_t have;	    /* BYTES from the front on */
};

/* Both leave the descriptor and the memory to the caller. */
void window_open(struct window *w, int fd);
void window_open_memory(struct window *w, const void *buf, size_t len);
void window_close(struct window *w);

/*
 * Returns the first @n BYTES at the front, or NULL if the input ends before or
 * cannot be read: see window_left() and window_error().  They stay where they
 * are until the next call.
 */
const uint8_t *window_peek(struct window *w, size_t n);

/* Moves the front over @n BYTES; false if the input ends before. */
bool window_skip(struct window *w, uint64_t n);

/* After a failure: the BYTES left before the end, and errno or 0. */
static inline size_t window_left(const struct window *w)
{
	return w->have;
}

static inline int window_error(const struct window *w)
{
	return w->error;
}

#endif
