/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * window.h - a view of the input that slides forward, from a descriptor or over
 * memory, unpacked on the way if it is compressed.
 *
 * Large reads into one buffer, and pointers into it: nothing is copied per
 * packet, and a pipe serves as well as a file.  The buffer grows only while
 * bytes arrive, so a length field that lies costs an error, never memory.
 *
 * A map would save the copy out of the page cache, but costs as much in page
 * faults, and kills the process if somebody shortens the file.
 *
 * What the front has moved over can be passed on to a sink: each byte once, in
 * order, just before its place in the buffer is used again.  Until then it can
 * still be changed, which is how a capture is rewritten without a second copy.
 */
#ifndef CAPTURE_WINDOW_H
#define CAPTURE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sizes.h"

struct unpack;

/* Returns false to stop the reading. */
typedef bool (*window_sink)(void *ctx, const uint8_t *p, size_t n);

struct window {
	uint64_t offset; /* in the input, unpacked, of the front */
	/* private to window.c */
	int fd;		    /* -1: over memory, or nothing more to read */
	int error;	    /* errno of a read or an allocation that failed */
	uint8_t *buf;	    /* owned; NULL over memory */
	size_t size;	    /* BYTES allocated */
	const uint8_t *pos; /* the front */
	size_t have;	    /* BYTES from the front on */
	struct unpack *unpack;
	bool looked; /* at whether it is compressed, or a dump */
	const struct input_form *form; /* what the user says of it, or NULL */
	/* See window_turn(). */
	bool turning;
	uint8_t *spare, *full;
	size_t spare_size, full_size;
	window_sink sink; /* or NULL */
	void *sink_ctx;
};

/* The parts that read, for the functions below. */
const uint8_t *window_fill(struct window *w, size_t n);
bool window_skip_far(struct window *w, uint64_t n);

/* Both leave the descriptor and the memory to the caller. */
void window_open(struct window *w, int fd);
void window_open_memory(struct window *w, const void *buf, size_t len);
void window_close(struct window *w);

/*
 * Returns the first @n BYTES at the front, or NULL if the input ends before or
 * cannot be read: see window_left() and window_error().  They stay where they
 * are until the next call.
 */
static inline const uint8_t *window_peek(struct window *w, size_t n)
{
	return w->looked && n <= w->have ? w->pos : window_fill(w, n);
}

/*
 * When the window has to slide next, it goes on in @spare, of @size BYTES and
 * from malloc(), or NULL; and leaves what it has shown as it is.
 * window_turn_now() makes it slide at once, unless it is over memory; in any
 * case, the next time it slides in place again.  window_turned() hands out the
 * buffer that was left, which is the caller's then.
 */
void window_turn(struct window *w, uint8_t *spare, size_t size);
void window_turn_now(struct window *w);
uint8_t *window_turned(struct window *w, size_t *size);

static inline bool window_has_turned(const struct window *w)
{
	return w->full;
}

/*
 * Offers @n BYTES that follow offset @at of the descriptor, which have been
 * read into @buf from WINDOW_HEADROOM on.  If they go on where the window ends,
 * the window moves to that buffer, and returns true; its old one takes the
 * place of the other.
 */
/* Of the descriptor: where the next read begins; UINT64_MAX: see there. */
static inline uint64_t window_position(const struct window *w)
{
	return w->looked && !w->unpack && w->fd >= 0 ? w->offset + w->have
						     : UINT64_MAX;
}

bool window_join(struct window *w, uint8_t **buf, size_t *size, uint64_t at,
		 size_t n);

/* After a failure: true if the input is whole, and just ends. */
bool window_is_short(const struct window *w);

/* The same, and no byte is left. */
bool window_ended(const struct window *w);

/* BYTES of the input, before unpacking, that were read. */
uint64_t window_consumed(const struct window *w);

/* "gzip", "hex" and the like, or NULL. */
const char *window_packed(const struct window *w);

/* It is a hex dump or bare bytes; and its content told the link type. */
bool window_is_dump(const struct window *w);
bool window_guessed(const struct window *w);

/* Moves the front over @n BYTES; false if the input ends before. */
static inline bool window_skip(struct window *w, uint64_t n)
{
	if (n > w->have)
		return window_skip_far(w, n);
	w->pos += n;
	w->have -= n;
	w->offset += n;
	return true;
}

/* For a descriptor that has not been read yet, and no window_turn(). */
void window_tee(struct window *w, window_sink sink, void *ctx);

/*
 * The byte at @offset of the input, for change; NULL if it has been passed on,
 * or has not been read.  Those behind it are there up to the front, and as far
 * as window_peek() has yielded.
 */
uint8_t *window_edit(struct window *w, uint64_t offset);

/*
 * Moves the front to the end of the input, and passes everything on; false if
 * the sink has refused it, or the input does not end well.
 */
bool window_drain(struct window *w);

/* After a failure: the BYTES left before the end, and errno or 0. */
static inline size_t window_left(const struct window *w)
{
	return w->have;
}

static inline int window_error(const struct window *w)
{
	return w->error;
}

/* What is wrong with the compressed input, or NULL; and where in the file. */
const char *window_unpack_cause(const struct window *w, uint64_t *offset);

#endif
