/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * erf_read.c - the extensible record format of Endace.
 *
 * Nothing but records: time, type, flags, the length of the record, losses, the
 * length on the wire, and what the type says.  A packet is a whole record, link
 * type 197, so that the walk reads its header.  There is no magic number, so a
 * file is taken for one if its first two records make sense.
 */
#include <inttypes.h>

#include "format.h"

enum { RECORD_HEADER = 16, LINKTYPE_ERF = 197 };

/* In the header: seconds are little endian, lengths big endian. */
enum {
	AT_FRACTION = 0,
	AT_SECONDS = 4,
	AT_TYPE = 8,
	AT_LENGTH = 10,
	AT_WIRE = 14
};

enum { TYPE_BITS = 0x7f, TYPE_ETHERNET = 2, TYPE_LAST = 27, TYPE_PADDING = 48 };

/* A time from 1990 to 2100, a type that is known, room for the header. */
static bool is_record(const uint8_t *p)
{
	const uint8_t type = p[AT_TYPE] & TYPE_BITS;
	const uint32_t seconds = le32(p + AT_SECONDS);

	if (type == TYPE_PADDING)
		return be16(p + AT_LENGTH) >= RECORD_HEADER;
	return seconds > 631152000u && seconds < 4102444800u && type &&
	       type <= TYPE_LAST && be16(p + AT_LENGTH) > RECORD_HEADER &&
	       be16(p + AT_WIRE);
}

/* BYTES of the packet as a record that had not been cut would have them. */
static uint32_t whole_length(const uint8_t *p, uint32_t len)
{
	uint32_t at = RECORD_HEADER;
	bool more = p[AT_TYPE] & 0x80;

	while (more && at + 8 <= len) {
		more = p[at] & 0x80;
		at += 8;
	}
	if ((p[AT_TYPE] & TYPE_BITS) == TYPE_ETHERNET)
		at += 2;
	return at + be16(p + AT_WIRE);
}

static enum reader_status erf_next(struct reader *r, struct packet *packet)
{
	for (;;) {
		const uint8_t *p = window_peek(&r->in, RECORD_HEADER);
		const uint64_t at = r->in.offset;
		uint32_t len, whole;

		if (!p && window_ended(&r->in))
			return READER_END;
		if (!p)
			return reader_fail_short(r, at, "record header",
						 RECORD_HEADER);
		len = be16(p + AT_LENGTH);
		if (len < RECORD_HEADER)
			return reader_fail(r, at,
					   "record of %" PRIu32 " bytes: its "
					   "header has 16",
					   len);
		p = window_peek(&r->in, len);
		if (!p)
			return reader_fail_short(r, at, "record", len);
		/* as in Wireshark, these have no number */
		if ((p[AT_TYPE] & TYPE_BITS) == TYPE_PADDING) {
			window_skip(&r->in, len);
			continue;
		}
		whole = whole_length(p, len);
		*packet = (struct packet){
			.offset = at,
			.time = le32(p + AT_SECONDS) * UINT64_C(1000000000) +
				(le32(p + AT_FRACTION) * UINT64_C(1000000000) >>
				 32),
			.data = p,
			.caplen = len,
			.wirelen = whole > len ? whole : len,
			.linktype = LINKTYPE_ERF,
		};
		r->pending = len;
		return READER_PACKET;
	}
}

static uint64_t erf_size(const struct reader *r, const uint8_t *p)
{
	(void)r;
	return be16(p + AT_LENGTH);
}

static const struct format erf_format = { "erf", erf_next, erf_size,
					  RECORD_HEADER };

enum reader_status erf_start(struct reader *r)
{
	const uint8_t *p = window_peek(&r->in, RECORD_HEADER);
	uint32_t len;

	if (!p || !is_record(p))
		return READER_END;
	len = be16(p + AT_LENGTH);
	p = window_peek(&r->in, len + RECORD_HEADER);
	/* the second record, or the end behind the first */
	if (p ? !is_record(p + len)
	      : !window_peek(&r->in, len) || window_left(&r->in) != len)
		return READER_END;
	r->format = &erf_format;
	return READER_PACKET;
}
