/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pcap_read.c - the pcap format (draft-ietf-opsawg-pcap).
 *
 * A file header of 24 bytes: magic, version, 8 unused bytes, snap length, link
 * type.  Then records: seconds, fraction, captured length, original length, and
 * the data.  The byte order is that of the machine that wrote it; the magic
 * tells.
 */
#include <inttypes.h>

#include "format.h"

enum {
	FILE_HEADER = 24,
	RECORD_HEADER = 16,
	/* interface, protocol and packet type follow */
	MODIFIED_HEADER = 24,
};

#define MAGIC_MICROSECONDS 0xa1b2c3d4u
#define MAGIC_NANOSECONDS  0xa1b23c4du
#define MAGIC_MODIFIED	   0xa1b2cd34u

/*
 * The link type is the low 16 bits of its word; the high 4 bits are the length
 * of a frame check sequence in units of 16 bits, if the bit HAS_FCS is set, and
 * those between are reserved.
 */
enum {
	LINKTYPE_BITS = 0xffff,
	RESERVED_BITS = 0x03ff0000,
	HAS_FCS = 0x04000000,
	FCS_SHIFT = 28,
};

struct lengths {
	uint32_t captured, original; /* BYTES */
};

/*
 * Files of versions before 2.3 have the two in the other order, and those of
 * 2.3 some; libpcap's sf-pcap.c tells.
 */
static struct lengths record_lengths(const struct reader *r, const uint8_t *p)
{
	const uint32_t first = file32(r, p + 8), second = file32(r, p + 12);

	if (r->minor < 3 || (r->minor == 3 && first > second))
		return (struct lengths){ second, first };
	return (struct lengths){ first, second };
}

static bool is_magic(uint32_t v)
{
	return v == MAGIC_MICROSECONDS || v == MAGIC_NANOSECONDS ||
	       v == MAGIC_MODIFIED;
}

static enum reader_status pcap_next(struct reader *r, struct packet *packet)
{
	const uint8_t *p = window_peek(&r->in, r->record_header);
	uint64_t at = r->in.offset;
	struct lengths len;
	uint32_t caplen;

	if (!p && window_ended(&r->in))
		return READER_END;
	if (!p)
		return reader_fail_short(r, at, "packet header",
					 r->record_header);
	len = record_lengths(r, p);
	caplen = len.captured;
	if (caplen > PACKET_MAX)
		return reader_fail(r, at,
				   "packet of %" PRIu32 " bytes: more than %d "
				   "is not believed",
				   caplen, PACKET_MAX);
	p = window_peek(&r->in, (size_t)r->record_header + caplen);
	if (!p)
		return reader_fail_short(r, at, "packet with header",
					 (uint64_t)r->record_header + caplen);
	*packet = (struct packet){
		.offset = at + r->record_header,
		.time = file32(r, p) * UINT64_C(1000000000) +
			(uint64_t)file32(r, p + 4) * r->fraction,
		.data = p + r->record_header,
		.caplen = caplen,
		.wirelen = len.original,
		.linktype = r->linktype,
		.fcs_len = r->fcs_len,
	};
	r->pending = r->record_header + caplen;
	return READER_PACKET;
}

static uint64_t pcap_size(const struct reader *r, const uint8_t *p)
{
	return (uint64_t)r->record_header + record_lengths(r, p).captured;
}

static const struct format pcap = { "pcap", pcap_next, pcap_size,
				    RECORD_HEADER };

enum reader_status pcap_start(struct reader *r)
{
	const uint8_t *p = window_peek(&r->in, 4);
	uint32_t word;

	r->big_endian = is_magic(be32(p));
	if (!is_magic(file32(r, p)))
		return READER_END;
	r->format = &pcap; /* whatever is wrong with the rest */
	p = window_peek(&r->in, FILE_HEADER);
	if (!p)
		return reader_fail_short(r, 0, "file header", FILE_HEADER);
	r->record_header = file32(r, p) == MAGIC_MODIFIED ? MODIFIED_HEADER
							  : RECORD_HEADER;
	r->fraction = file32(r, p) == MAGIC_NANOSECONDS ? 1 : 1000;
	if (file16(r, p + 4) != 2)
		return reader_fail(r, 4, "pcap version %u.%u; only 2 is known",
				   file16(r, p + 4), file16(r, p + 6));
	word = file32(r, p + 20);
	if (word & RESERVED_BITS)
		return reader_fail(r, 20,
				   "reserved bits are set next to the link "
				   "type: 0x%08" PRIx32,
				   word);
	r->linktype = word & LINKTYPE_BITS;
	r->fcs_len = word & HAS_FCS ? word >> FCS_SHIFT << 1 : 0;
	r->minor = file16(r, p + 6);
	window_skip(&r->in, FILE_HEADER);
	return READER_PACKET;
}
