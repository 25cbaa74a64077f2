/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snoop_read.c - the snoop format of Solaris (RFC 1761), big endian.
 *
 * A file header of 16 bytes: eight that name the format, version 2, the type of
 * the data link.  Then records: original length, included length, length of the
 * record with its header and padding, drops, seconds, microseconds, the data.
 */
#include <inttypes.h>
#include <string.h>

#include "format.h"

enum { FILE_HEADER = 16, RECORD_HEADER = 24, VERSION = 2 };

/* Data links, and the link types that are the same. */
static const struct {
	uint32_t datalink, linktype;
} links[] = {
	{ 0, 1 },    /* IEEE 802.3 */
	{ 2, 6 },    /* Token Ring */
	{ 4, 1 },    /* Ethernet */
	{ 8, 10 },   /* FDDI */
	{ 18, 123 }, /* ATM, as Solaris writes it */
	{ 22, 242 }, /* IP over InfiniBand */
	{ 26, 226 }, /* Solaris, between zones */
};

static uint32_t linktype_of(uint32_t datalink)
{
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++)
		if (links[i].datalink == datalink)
			return links[i].linktype;
	return LINKTYPE_SNOOP + (datalink < 0xff ? datalink : 0xff);
}

static enum reader_status snoop_next(struct reader *r, struct packet *packet)
{
	const uint8_t *p = window_peek(&r->in, RECORD_HEADER);
	const uint64_t at = r->in.offset;
	uint32_t caplen, len;

	if (!p && window_ended(&r->in))
		return READER_END;
	if (!p)
		return reader_fail_short(r, at, "packet header", RECORD_HEADER);
	caplen = be32(p + 4);
	len = be32(p + 8);
	if (caplen > PACKET_MAX || len < RECORD_HEADER ||
	    len - RECORD_HEADER < caplen ||
	    len - RECORD_HEADER - caplen > PACKET_MAX)
		return reader_fail(r, at,
				   "packet of %" PRIu32 " bytes in a record "
				   "of %" PRIu32,
				   caplen, len);
	p = window_peek(&r->in, len);
	if (!p)
		return reader_fail_short(r, at, "packet with header", len);
	*packet = (struct packet){
		.offset = at + RECORD_HEADER,
		.time = be32(p + 16) * UINT64_C(1000000000) +
			be32(p + 20) * UINT64_C(1000),
		.data = p + RECORD_HEADER,
		.caplen = caplen,
		.wirelen = be32(p),
		.linktype = r->linktype,
	};
	r->pending = len;
	return READER_PACKET;
}

static uint64_t snoop_size(const struct reader *r, const uint8_t *p)
{
	(void)r;
	return be32(p + 8);
}

static const struct format snoop = { "snoop", snoop_next, snoop_size,
				     RECORD_HEADER };

enum reader_status snoop_start(struct reader *r)
{
	static const char magic[8] = "snoop";
	const uint8_t *p = window_peek(&r->in, 4);

	if (!p || memcmp(p, magic, 4) != 0)
		return READER_END;
	p = window_peek(&r->in, FILE_HEADER);
	if (!p)
		return reader_fail_short(r, 0, "file header", FILE_HEADER);
	if (memcmp(p, magic, sizeof(magic)) != 0)
		return READER_END;
	r->format = &snoop; /* whatever is wrong with the rest */
	if (be32(p + 8) != VERSION)
		return reader_fail(r, 8,
				   "snoop version %" PRIu32 "; only 2 is known",
				   be32(p + 8));
	r->linktype = linktype_of(be32(p + 12));
	window_skip(&r->in, FILE_HEADER);
	return READER_PACKET;
}
