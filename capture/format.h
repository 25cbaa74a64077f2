/* SPDX-License-Identifier: BSD-2-Clause */
/* format.h - what the file formats share behind reader.h. */
#ifndef CAPTURE_FORMAT_H
#define CAPTURE_FORMAT_H

#include <stdbool.h>

#include "bytes.h"
#include "reader.h"
#include "window.h"

/* One file format: its name, and how to get to the next packet. */
struct format {
	const char *name;
	enum reader_status (*next)(struct reader *r, struct packet *packet);
	/* BYTES at the front that the next one takes, as far as can be seen. */
	uint64_t (*size)(const struct reader *r, const uint8_t *p);
	size_t header; /* BYTES that @size looks at */
};

/* What an interface description block says. */
struct interface {
	uint32_t linktype;
	uint32_t snaplen;   /* 0: no limit */
	uint8_t fcs_len;    /* BYTES of a frame check sequence, or 0 */
	uint8_t resolution; /* of times, as if_tsresol has it */
	int64_t offset;	    /* seconds, to be added to times */
};

struct reader {
	struct window in;
	const struct format *format;
	enum reader_status status;
	bool foreign; /* see reader_is_foreign() */
	struct fault fault;
	uint64_t frames;  /* number of the last one */
	bool big_endian;  /* the file, or the section */
	uint32_t pending; /* BYTES of the last packet, still at the front */
	/* The packet that made the window turn; see reader_batch(). */
	bool has_held;
	struct packet held;
	/* pcap, snoop */
	uint32_t linktype;
	uint32_t fcs_len;	/* BYTES of a frame check sequence, or 0 */
	uint16_t minor;		/* of the version */
	uint32_t record_header; /* BYTES */
	uint32_t fraction;	/* ns, of the unit behind the seconds */
	/* pcapng: the interfaces of the section */
	struct interface *interfaces;
	size_t ninterfaces, interfaces_size;
};

/*
 * Each takes the file header off the front, if it is one of its own; READER_END
 * if it is not.
 */
enum reader_status pcap_start(struct reader *r);
enum reader_status pcapng_start(struct reader *r);
enum reader_status snoop_start(struct reader *r);
enum reader_status erf_start(struct reader *r);

/* Notes what is wrong at @offset and returns READER_FAULT. */
enum reader_status reader_fail(struct reader *r, uint64_t offset,
			       const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * For @what of @n BYTES at @offset that window_peek() or window_skip() could
 * not deliver.
 */
enum reader_status reader_fail_short(struct reader *r, uint64_t offset,
				     const char *what, uint64_t n);

static inline uint16_t file16(const struct reader *r, const uint8_t *p)
{
	return r->big_endian ? be16(p) : le16(p);
}

static inline uint32_t file32(const struct reader *r, const uint8_t *p)
{
	return r->big_endian ? be32(p) : le32(p);
}

static inline uint64_t file64(const struct reader *r, const uint8_t *p)
{
	const uint64_t first = file32(r, p), second = file32(r, p + 4);

	return r->big_endian ? first << 32 | second : second << 32 | first;
}

#endif
