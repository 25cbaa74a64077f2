/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pcapng_read.c - the pcapng format (draft-ietf-opsawg-pcapng).
 *
 * A row of blocks: type, length, body, and the length again.  A section header
 * block says in which byte order the blocks up to the next one are written, and
 * starts the interfaces at number 0 again.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "format.h"

enum block_type {
	BLOCK_INTERFACE = 1,
	BLOCK_PACKET = 2, /* obsolete */
	BLOCK_SIMPLE_PACKET = 3,
	BLOCK_ENHANCED_PACKET = 6,
	BLOCK_JOURNAL = 9,
	/* events of sysdig, with flags, and larger ones */
	BLOCK_EVENT = 0x204,
	BLOCK_EVENT_FLAGS = 0x208,
	BLOCK_EVENT_2 = 0x216,
	BLOCK_EVENT_2_FLAGS = 0x217,
	BLOCK_EVENT_LARGE = 0x221,
	BLOCK_EVENT_LARGE_FLAGS = 0x222,
	BLOCK_CUSTOM = 0x00000bad,
	BLOCK_CUSTOM_NO_COPY = 0x40000bad,
	BLOCK_SECTION = 0x0a0d0d0a, /* the same in both orders */
};

enum {
	BYTE_ORDER_MAGIC = 0x1a2b3c4d,
	BLOCK_HEADER = 8,
	BLOCK_TRAILER = 4,
	BLOCK_MIN = BLOCK_HEADER + BLOCK_TRAILER,
	SECTION_MIN = BLOCK_MIN + 16,
	INTERFACE_MIN = BLOCK_MIN + 8,
	PACKET_BODY = 20, /* in front of the data, enhanced and obsolete */
	SIMPLE_BODY = 4,
	/* 1 MiB for header and options, such as comments of up to 64 KiB */
	BLOCK_MAX = PACKET_MAX + (1 << 20),
	/*
	 * Numbers of the obsolete packet block have 16 bits; without a limit, a
	 * compressed file of 5 MB took 769 MB of memory.
	 */
	INTERFACES_MAX = 1 << 18,
};

enum {
	OPTION_END = 0,
	OPTION_FLAGS = 2,	 /* of a packet */
	OPTION_RESOLUTION = 9,	 /* of an interface */
	OPTION_FCS_LENGTH = 13,	 /* of an interface */
	OPTION_TIME_OFFSET = 14, /* of an interface */
};

/* A block that is whole in the window, its two lengths being equal. */
struct block {
	const uint8_t *p;
	uint64_t at; /* offset in the file */
	uint32_t len;
	bool broken; /* one of its options is longer than the rest */
};

struct option {
	uint32_t code, len; /* BYTES */
	const uint8_t *value;
};

static enum reader_status check_trailer(struct reader *r, uint64_t at,
					uint32_t len, const uint8_t *trailer)
{
	if (file32(r, trailer) == len)
		return READER_PACKET;
	return reader_fail(r, at,
			   "block of %" PRIu32 " bytes ends with the length "
			   "%" PRIu32,
			   len, file32(r, trailer));
}

static enum reader_status check_length(struct reader *r, const struct block *b,
				       uint32_t min, uint32_t max)
{
	if (b->len >= min && b->len <= max && b->len % 4 == 0)
		return READER_PACKET;
	return reader_fail(r, b->at,
			   "block of %" PRIu32 " bytes: its type has %" PRIu32
			   " to %" PRIu32 ", and a multiple of 4",
			   b->len, min, max);
}

/* Brings the block at the front into the window. */
static enum reader_status load(struct reader *r, uint32_t min, struct block *b)
{
	enum reader_status status = check_length(r, b, min, BLOCK_MAX);

	if (status != READER_PACKET)
		return status;
	b->p = window_peek(&r->in, b->len);
	if (!b->p)
		return reader_fail_short(r, b->at, "block", b->len);
	return check_trailer(r, b->at, b->len, b->p + b->len - BLOCK_TRAILER);
}

/* Of any length, since nothing of it has to be kept. */
static enum reader_status skip(struct reader *r, const struct block *b)
{
	enum reader_status status = check_length(r, b, BLOCK_MIN, UINT32_MAX);
	const uint8_t *trailer;

	if (status != READER_PACKET)
		return status;
	if (!window_skip(&r->in, b->len - BLOCK_TRAILER))
		return reader_fail_short(r, b->at, "block", b->len);
	trailer = window_peek(&r->in, BLOCK_TRAILER);
	if (!trailer)
		return reader_fail_short(r, b->at, "block", b->len);
	status = check_trailer(r, b->at, b->len, trailer);
	window_skip(&r->in, BLOCK_TRAILER);
	return status;
}

static enum reader_status section(struct reader *r, struct block *b)
{
	enum reader_status status;
	uint16_t major, minor;

	b->p = window_peek(&r->in, BLOCK_MIN);
	if (!b->p)
		return reader_fail_short(r, b->at, "section header",
					 SECTION_MIN);
	r->big_endian = be32(b->p + 8) == BYTE_ORDER_MAGIC;
	if (file32(r, b->p + 8) != BYTE_ORDER_MAGIC)
		return reader_fail(r, b->at + 8,
				   "no byte order has the magic 0x%08" PRIx32,
				   be32(b->p + 8));
	b->len = file32(r, b->p + 4);
	status = load(r, SECTION_MIN, b);
	if (status != READER_PACKET)
		return status;
	major = file16(r, b->p + 12);
	minor = file16(r, b->p + 14);
	/* 1.2 means the same as 1.0 (section 4.1) */
	if (major != 1 || (minor != 0 && minor != 2))
		return reader_fail(r, b->at + 12,
				   "pcapng version %u.%u; only 1.0 is known",
				   major, minor);
	r->ninterfaces = 0;
	window_skip(&r->in, b->len);
	return READER_PACKET;
}

/*
 * The option at @at, and @at behind it; false at the end of the options, or
 * with
 * @b->broken where one is longer than its block.
 */
static bool next_option(const struct reader *r, struct block *b, uint32_t *at,
			struct option *option)
{
	const uint32_t end = b->len - BLOCK_TRAILER;

	if (*at >= end || end - *at < 4)
		return false;
	option->code = file16(r, b->p + *at);
	option->len = file16(r, b->p + *at + 2);
	option->value = b->p + *at + 4;
	if (option->code == OPTION_END)
		return false;
	if (option->len > end - *at - 4) {
		b->broken = true;
		return false;
	}
	*at += 4 + ((option->len + 3) & ~3u);
	return true;
}

/* The flags can tell how long a frame check sequence is, for one packet. */
static enum reader_status read_flags(struct reader *r, struct block *b,
				     uint32_t at, struct packet *packet)
{
	struct option o;

	while (next_option(r, b, &at, &o))
		if (o.code == OPTION_FLAGS && o.len == 4)
			packet->flags = file32(r, o.value);
	if (packet->flags >> 5 & 15)
		packet->fcs_len = packet->flags >> 5 & 15;
	if (b->broken)
		return reader_fail(r, b->at + at,
				   "option of %" PRIu32 " bytes with %" PRIu32
				   " left in its block",
				   o.len, b->len - BLOCK_TRAILER - at - 4);
	return READER_PACKET;
}

/* Section 4.2: in bits, but the example there is 4, and that is written. */
static uint8_t fcs_bytes(uint8_t value)
{
	return value < 8 ? value : value / 8;
}

/* Options of an interface that are broken leave its packets as they are. */
static void read_options(const struct reader *r, struct block *b,
			 struct interface *i)
{
	uint32_t at = INTERFACE_MIN - BLOCK_TRAILER;
	struct option o;

	i->resolution = 6;
	while (next_option(r, b, &at, &o)) {
		if (o.code == OPTION_RESOLUTION && o.len == 1)
			i->resolution = o.value[0];
		else if (o.code == OPTION_FCS_LENGTH && o.len == 1)
			i->fcs_len = fcs_bytes(o.value[0]);
		else if (o.code == OPTION_TIME_OFFSET && o.len == 8)
			i->offset = (int64_t)file64(r, o.value);
	}
}

static uint64_t power_of_ten(unsigned n)
{
	uint64_t power = 1;

	while (n--)
		power *= 10;
	return power;
}

/*
 * To ns.  The resolution is the negative exponent of 10 or, with its high bit
 * set, of 2; a value beyond those that make sense gives no time.
 */
static uint64_t to_ns(uint64_t time, const struct interface *i)
{
	const unsigned n = i->resolution & 0x7f;
	uint64_t ns, fraction;

	if (i->resolution & 0x80) {
		if (n > 63)
			return 0;
		fraction = time & ((UINT64_C(1) << n) - 1);
		/* 30 bits for 10^9 leave 34 */
		ns = (time >> n) * 1000000000 +
		     (n > 34 ? (fraction >> (n - 34)) * 1000000000 >> 34
			     : fraction * 1000000000 >> n);
	} else if (n <= 9) {
		ns = time * power_of_ten(9 - n);
	} else if (n - 9 <= 19) {
		ns = time / power_of_ten(n - 9);
	} else {
		return 0;
	}
	return ns + (uint64_t)i->offset * 1000000000;
}

static enum reader_status interface(struct reader *r, struct block *b)
{
	enum reader_status status = load(r, INTERFACE_MIN, b);

	if (status != READER_PACKET)
		return status;
	if (r->ninterfaces == INTERFACES_MAX)
		return reader_fail(r, b->at,
				   "interface %d of a section: more are not "
				   "believed",
				   INTERFACES_MAX);
	if (r->ninterfaces == r->interfaces_size) {
		size_t size = 2 * r->interfaces_size + 4;
		struct interface *list =
			realloc(r->interfaces, size * sizeof(*list));

		if (!list)
			return reader_fail(r, b->at, "out of memory");
		r->interfaces = list;
		r->interfaces_size = size;
	}
	r->interfaces[r->ninterfaces] = (struct interface){
		.linktype = file16(r, b->p + 8),
		.snaplen = file32(r, b->p + 12),
	};
	read_options(r, b, &r->interfaces[r->ninterfaces++]);
	window_skip(&r->in, b->len);
	return READER_PACKET;
}

/* @body: BYTES between the block header and the data. */
static enum reader_status packet_data(struct reader *r, const struct block *b,
				      uint32_t body, struct packet *packet)
{
	const uint32_t room = b->len - BLOCK_MIN - body;

	if (packet->interface >= r->ninterfaces)
		return reader_fail(r, b->at,
				   "packet of interface %" PRIu32 "; the "
				   "section has described %zu",
				   packet->interface, r->ninterfaces);
	if (packet->caplen > room || packet->caplen > PACKET_MAX)
		return reader_fail(r, b->at,
				   "packet of %" PRIu32 " bytes in a block "
				   "with room for %" PRIu32,
				   packet->caplen, room);
	packet->linktype = r->interfaces[packet->interface].linktype;
	packet->fcs_len = r->interfaces[packet->interface].fcs_len;
	packet->data = b->p + BLOCK_HEADER + body;
	packet->offset = b->at + BLOCK_HEADER + body;
	r->pending = b->len;
	return READER_PACKET;
}

/*
 * The obsolete block differs from the enhanced one only in that half of its
 * interface number is a count of drops.
 */
static enum reader_status full_packet(struct reader *r, struct block *b,
				      uint32_t type, struct packet *packet)
{
	enum reader_status status = load(r, BLOCK_MIN + PACKET_BODY, b);
	const uint8_t *body;

	if (status != READER_PACKET)
		return status;
	body = b->p + BLOCK_HEADER;
	*packet = (struct packet){
		.interface = type == BLOCK_PACKET ? file16(r, body)
						  : file32(r, body),
		.caplen = file32(r, body + 12),
		.wirelen = file32(r, body + 16),
	};
	status = packet_data(r, b, PACKET_BODY, packet);
	if (status != READER_PACKET)
		return status;
	packet->time =
		to_ns((uint64_t)file32(r, body + 4) << 32 | file32(r, body + 8),
		      &r->interfaces[packet->interface]);
	return read_flags(
		r, b, BLOCK_HEADER + PACKET_BODY + ((packet->caplen + 3) & ~3u),
		packet);
}

/* Belongs to interface 0, whose snap length is its captured length. */
static enum reader_status simple_packet(struct reader *r, struct block *b,
					struct packet *packet)
{
	enum reader_status status = load(r, BLOCK_MIN + SIMPLE_BODY, b);
	uint32_t snaplen;

	if (status != READER_PACKET)
		return status;
	*packet = (struct packet){ .wirelen = file32(r, b->p + 8) };
	packet->caplen = packet->wirelen;
	snaplen = r->ninterfaces ? r->interfaces[0].snaplen : 0;
	if (snaplen && packet->caplen > snaplen)
		packet->caplen = snaplen;
	return packet_data(r, b, SIMPLE_BODY, packet);
}

static enum reader_status pcapng_next(struct reader *r, struct packet *packet)
{
	enum reader_status status;

	do {
		struct block b = { .at = r->in.offset };
		uint32_t type;

		b.p = window_peek(&r->in, BLOCK_HEADER);
		if (!b.p && window_ended(&r->in))
			return READER_END;
		if (!b.p)
			return reader_fail_short(r, b.at, "block header",
						 BLOCK_HEADER);
		type = file32(r, b.p);
		b.len = file32(r, b.p + 4);
		if (type == BLOCK_SECTION) {
			status = section(r, &b);
			continue;
		}
		switch (type) {
		case BLOCK_INTERFACE:
			status = interface(r, &b);
			break;
		case BLOCK_ENHANCED_PACKET:
		case BLOCK_PACKET:
			return full_packet(r, &b, type, packet);
		case BLOCK_SIMPLE_PACKET:
			return simple_packet(r, &b, packet);
		case BLOCK_EVENT:
		case BLOCK_EVENT_FLAGS:
		case BLOCK_EVENT_2:
		case BLOCK_EVENT_2_FLAGS:
		case BLOCK_EVENT_LARGE:
		case BLOCK_EVENT_LARGE_FLAGS:
		case BLOCK_JOURNAL:
		case BLOCK_CUSTOM:
		case BLOCK_CUSTOM_NO_COPY:
			/* nothing to verify, but Wireshark numbers them */
			r->frames++;
			status = skip(r, &b);
			break;
		default:
			status = skip(r, &b);
			break;
		}
	} while (status == READER_PACKET);
	return status;
}

static uint64_t pcapng_size(const struct reader *r, const uint8_t *p)
{
	return file32(r, p + 4);
}

static const struct format pcapng = { "pcapng", pcapng_next, pcapng_size,
				      BLOCK_HEADER };

enum reader_status pcapng_start(struct reader *r)
{
	if (be32(window_peek(&r->in, 4)) != BLOCK_SECTION)
		return READER_END;
	r->format = &pcapng;
	return READER_PACKET;
}
