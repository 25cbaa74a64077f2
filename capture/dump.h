/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump.h - packets written as hex, or one packet as bare bytes, made into a
 * pcap file.
 *
 * Two kinds of text are read.  Lines with offsets, as tcpdump -x, tcpdump -xx,
 * xxd, hexdump -C, od -Ax -tx1, tshark -x and Wireshark write them: offset 0
 * begins a packet, other lines end one, and what stands behind the hex digits
 * is skipped; so are the parts of tshark -x that are no frames.  Plain hex
 * without offsets, as xxd -p writes it, with or without spaces, colons, commas,
 * 0x or \x: an empty line ends a packet, and so does a line that is not as long
 * as the first one of the packet, which text that was wrapped at a fixed width
 * would be.
 *
 * Nothing in such a text is passed over that might belong to a packet: an
 * offset that does not follow, a digit that is none, words of plain text
 * between plain hex are faults.
 */
#ifndef CAPTURE_DUMP_H
#define CAPTURE_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader.h"

enum {
	/* BYTES at the front that decide whether a file is a dump. */
	DUMP_PROBE = 64 << 10,
};

struct dump;

enum dump_guess { DUMP_NO, DUMP_PERHAPS, DUMP_YES };

/*
 * Whether a file is a hex dump that begins with these bytes; @all: there are no
 * more, or DUMP_PROBE.  DUMP_PERHAPS, if more of them can tell.  Plain hex is
 * one if a packet with a checksum comes out.
 */
enum dump_guess dump_probe(const uint8_t *head, size_t n, bool all);

/* @in.form: FORM_RAW, or otherwise text.  NULL if there is no memory. */
struct dump *dump_open(const struct input_form *in);
void dump_close(struct dump *d);

/* The next @n BYTES of the input; then, once, that it has ended. */
void dump_feed(struct dump *d, const uint8_t *p, size_t n);
void dump_end(struct dump *d);

/* Takes up to @n BYTES of the pcap file as far as it is made. */
size_t dump_take(struct dump *d, uint8_t *to, size_t n);

/* What is wrong, and at which BYTE of the input; or NULL. */
const char *dump_cause(const struct dump *d, uint64_t *offset);

/* Whether it was the content that told the link type. */
bool dump_guessed(const struct dump *d);

#endif
