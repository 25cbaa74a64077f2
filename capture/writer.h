/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * writer.h - write(2) in a thread of its own.
 *
 * Most of the time of a copy goes into the kernel's pages of the new file; the
 * other processor can look at packets meanwhile.  What is written is copied
 * once more, out of a buffer that is still in the cache: 0.04 s for 734 MB.
 */
#ifndef CAPTURE_WRITER_H
#define CAPTURE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct writer;

/* NULL if there is no memory, or no thread. */
struct writer *writer_start(int fd);

/*
 * Takes @n BYTES, to be written in order; at most 1 MiB is on its way.  False
 * after an error: see writer_settle().
 */
bool writer_put(struct writer *w, const uint8_t *p, size_t n);

/* Waits until everything is written.  Returns the errno of a failure, or 0. */
int writer_settle(struct writer *w);

/* Ends it, whether everything is written or not. */
void writer_end(struct writer *w);

/* The same without a thread: errno, or 0. */
int write_all(int fd, const uint8_t *p, size_t n);

#endif
