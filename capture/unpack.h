/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unpack.h - the bytes of a compressed file: gzip, zstd, lz4; and the pcap file
 * that a hex dump or the bytes of one packet stand for, see dump.h.
 *
 * The first three may consist of several streams in a row, which are one input.
 */
#ifndef CAPTURE_UNPACK_H
#define CAPTURE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { UNPACK_MAGIC = 4 }; /* BYTES that tell what it is */

/* "gzip", or NULL if it is not compressed in a way that is known. */
const char *unpack_kind(const uint8_t magic[UNPACK_MAGIC]);

struct unpack;
struct input_form;

/*
 * @head: the bytes that have been read already.  @fd: where the rest is, or -1
 * if there is none.  @dump: what form the packets have, if not that of
 * a compressed file; or NULL.  Returns NULL if there is no memory.
 */
struct unpack *unpack_open(const uint8_t *head, size_t n, int fd,
			   const struct input_form *dump);
void unpack_close(struct unpack *u);

/* Up to @n BYTES; 0 at the end; -1 for a fault. */
ssize_t unpack_read(struct unpack *u, uint8_t *to, size_t n);

/* "gzip", as unpack_kind() says it; "hex" or "raw" of a dump. */
const char *unpack_name(const struct unpack *u);

/* It is a dump; and its content told the link type. */
bool unpack_is_dump(const struct unpack *u);
bool unpack_guessed(const struct unpack *u);

/* After -1: what is wrong, and how many BYTES of the file were taken in. */
const char *unpack_cause(const struct unpack *u);
uint64_t unpack_offset(const struct unpack *u);

#endif
