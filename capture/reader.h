/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reader.h - packets out of a capture file, one after the other.
 *
 * Knows pcap (both byte orders; micro- and nanosecond times; the "modified"
 * kind with longer records) and pcapng (any number of sections and interfaces;
 * enhanced, simple and the obsolete packet blocks; other blocks are skipped).
 * No length in a file is believed before its bytes have been seen.
 */
#ifndef CAPTURE_READER_H
#define CAPTURE_READER_H

#include <stddef.h>
#include <stdint.h>

/*
 * The largest packet that is accepted, 128 MiB: what D-Bus allows for one
 * message, and no other link type has larger ones.  A record that claims more
 * is taken as damage.
 */
enum { PACKET_MAX = 128 << 20 };

/* Bits of packet.flags (pcapng, section 4.3.1: epb_flags). */
enum { PACKET_CHECKSUM_NOT_READY = 1 << 9 };

struct packet {
	uint64_t frame;	     /* from 1, as Wireshark counts */
	uint64_t offset;     /* in the file, of the first byte of data */
	const uint8_t *data; /* valid until the next reader_next() */
	uint32_t caplen;     /* BYTES captured, up to PACKET_MAX */
	uint32_t wirelen;    /* BYTES on the wire, never less than caplen */
	uint32_t linktype;
	uint32_t interface; /* its number in the section; 0 in pcap */
	uint32_t flags;	    /* epb_flags, or 0 */
};

/* What is wrong with a file, and where. */
struct fault {
	uint64_t offset;
	char cause[120];
};

enum reader_status { READER_PACKET, READER_END, READER_FAULT };

struct reader;

/*
 * Both return NULL if there is no memory.  Descriptor and memory stay the
 * caller's.
 */
struct reader *reader_open(int fd);
struct reader *reader_open_memory(const void *buf, size_t len);
void reader_close(struct reader *r);

/*
 * The next packet into *@packet.  After READER_END and READER_FAULT the answer
 * stays the same.
 */
enum reader_status reader_next(struct reader *r, struct packet *packet);

/* After READER_FAULT; lives as long as the reader. */
const struct fault *reader_fault(const struct reader *r);

/* "pcap", "pcapng", or NULL before the first reader_next(). */
const char *reader_format(const struct reader *r);

#endif
