/* SPDX-License-Identifier: BSD-2-Clause */
/* packet.h - the bytes of one frame, and what its capture file says of them. */
#ifndef PACKET_PACKET_H
#define PACKET_PACKET_H

#include <stdint.h>

struct crc_functions;

/*
 * The largest packet that is accepted, 128 MiB: what D-Bus allows for one
 * message, and no other link type has larger ones.  A record that claims more
 * is taken as damage.
 */
enum { PACKET_MAX = 128 << 20 };

/* Bits of packet.flags (pcapng, section 4.3.1: epb_flags). */
enum {
	PACKET_CHECKSUM_NOT_READY = 1 << 9,
	PACKET_CHECKSUM_VALID = 1 << 10,
	PACKET_SEGMENTATION_OFFLOAD = 1 << 11,
	/* the receiver found the frame check sequence wrong */
	PACKET_DAMAGED = 1 << 24,
	/* the network card has something left to do */
	PACKET_UNFINISHED =
		PACKET_CHECKSUM_NOT_READY | PACKET_SEGMENTATION_OFFLOAD,
};

/*
 * Where a format has numbers of its own for what no link type is: snoop's data
 * links from here on.
 */
enum { LINKTYPE_SNOOP = 0xff00 };

struct walk_rules; /* decode.h */

struct packet {
	uint64_t frame;	     /* number in the file, from 1, as in Wireshark */
	uint64_t offset;     /* BYTES, in the file, of the first byte of data */
	uint64_t time;	     /* ns since 1970 in UTC; 0: the file has none */
	const uint8_t *data; /* caplen BYTES, owned by the caller */
	uint32_t caplen;     /* BYTES captured, up to PACKET_MAX */
	uint32_t wirelen;    /* BYTES on the wire, never less than caplen */
	uint32_t linktype;   /* as in the public list of link types */
	uint32_t interface;  /* number in the section; 0 in pcap */
	uint32_t flags;	     /* epb_flags, or 0 */
	/* How the CRC of SCTP is computed, see crc.h.  NULL: not at all, and
	 * the reason of such a site is REASON_NO_CRC. */
	const struct crc_functions *crc;
	/* BYTES of a frame check sequence at its end, as the file says. */
	uint32_t fcs_len;
	const struct walk_rules *rules; /* NULL: the tables as they are */
};

#endif
