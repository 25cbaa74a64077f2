/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reader.h - packets out of a capture file, one after the other.
 *
 * Knows pcap (both byte orders; micro- and nanosecond times; the "modified"
 * kind with longer records) and pcapng (any number of sections and interfaces;
 * enhanced, simple and the obsolete packet blocks; other blocks are skipped);
 * snoop, version 2; ERF, which is known by its first records;
 * each also compressed by gzip, zstd or lz4.  A hex dump, or one packet as bare
 * bytes, is read as the pcap file that dump.h makes of it.  Offsets then are
 * those of the unpacked file.
 * No length in a file is believed before its bytes have been seen.
 */
#ifndef CAPTURE_READER_H
#define CAPTURE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet.h"
#include "sizes.h"

/* What is wrong with a file, and where. */
struct fault {
	uint64_t offset;
	char cause[120];
};

enum reader_status { READER_PACKET, READER_END, READER_FAULT };

struct reader;

/* What the user says of a file that its bytes cannot. */
enum form {
	FORM_ANY, /* a capture, or text that is recognised as a hex dump */
	FORM_HEX, /* a hex dump, whatever it looks like */
	FORM_RAW, /* the bytes of one packet */
};

struct input_form {
	enum form form;
	/* What packets of a dump begin with; false: it is guessed. */
	bool has_linktype;
	uint32_t linktype;
};

/*
 * Both return NULL if there is no memory.  Descriptor and memory stay the
 * caller's.
 */
struct reader *reader_open(int fd);
struct reader *reader_open_memory(const void *buf, size_t len);
void reader_close(struct reader *r);

/* Before the first reader_next(); @form stays the caller's, and has to stay. */
void reader_says(struct reader *r, const struct input_form *form);

/*
 * The next packet into *@packet.  After READER_END and READER_FAULT the answer
 * stays the same.
 */
enum reader_status reader_next(struct reader *r, struct packet *packet);

/*
 * A row of packets that stay where they are while other threads read on, until
 * the same batch is filled again.  Starts as { 0 }.
 */
struct batch {
	unsigned count;
	struct packet *packets;
	/* private to reader.c: where they are */
	uint8_t *buf;
	size_t size;
	/* read ahead, WINDOW_HEADROOM behind @buf: where from, and BYTES */
	uint64_t ahead_at;
	size_t ahead;
	const struct reader *ahead_of; /* NULL: nothing */
};

/*
 * As many packets as come with one large read.  READER_PACKET, or why there are
 * no more behind these; READER_FAULT also if there is no memory.
 */
enum reader_status reader_batch(struct reader *r, struct batch *b);
void batch_free(struct batch *b);

/*
 * Reads a large block at offset @at of @fd, which is the regular file of @r,
 * for the reader_batch() that reaches it; that one need not read it again.
 * While one thread uses the reader, others can do this.
 */
void batch_ahead(struct batch *b, const struct reader *r, int fd, uint64_t at);

/* The file is closed before what was read ahead is used. */
static inline void batch_forget(struct batch *b)
{
	b->ahead_of = NULL;
}

/*
 * Where the reader will go on to read; UINT64_MAX if nothing can be read ahead:
 * the file is compressed, or has not been looked at.
 */
uint64_t reader_position(const struct reader *r);

/* BYTES of the file, before it was unpacked, that have been taken in. */
uint64_t reader_consumed(const struct reader *r);

/*
 * "gzip", "zstd", "lz4", or "hex" or "raw" for a dump, see reader_is_dump();
 * NULL if the file is as it is.
 */
const char *reader_packed(const struct reader *r);
bool reader_is_dump(const struct reader *r);

/*
 * Passes the whole file, unpacked, on to @sink, byte for byte and in order: see
 * window.h.  For a descriptor, before the first reader_next(); not together
 * with reader_batch().
 */
void reader_tee(struct reader *r, bool (*sink)(void *, const uint8_t *, size_t),
		void *ctx);

/*
 * The byte at @offset of the file, for change, up to the end of the last
 * packet; NULL if it has been passed on already.
 */
uint8_t *reader_edit(struct reader *r, uint64_t offset);

/*
 * Passes on what is left, whatever it is; to be called at the end, or after a
 * fault.  False if the sink refuses it, or it cannot be read: then
 * reader_fault() says why.
 */
bool reader_drain(struct reader *r);

/* After READER_FAULT; lives as long as the reader. */
const struct fault *reader_fault(const struct reader *r);

/*
 * "pcap", "pcapng", "snoop", "erf" as the first bytes say it, whatever is wrong
 * behind them; "hex" or "raw" for a dump.  NULL before the first reader_next(),
 * or if they say none of them.
 */
const char *reader_format(const struct reader *r);

/*
 * The same in words, with what the packets of a dump are taken to begin with:
 * "hex dump of link type 1, ETHERNET (a guess)".
 */
void reader_describe(const struct reader *r, char *buf, size_t size);

/*
 * After READER_FAULT: the file was read, and its first bytes are those of
 * something else than a capture.  False if that cannot be told, since they
 * could not be read or unpacked.
 */
bool reader_is_foreign(const struct reader *r);

#endif
