/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * crc.h - the checksums of SCTP and frames, which are not Internet checksums.
 *
 * The packet layer computes neither itself, so that it needs libc alone: who
 * gives it a packet gives it the two functions (struct packet).  crc.c has
 * those of the capture tool, and is a library of its own.
 */
#ifndef PACKET_CRC_H
#define PACKET_CRC_H

#include <stdint.h>

struct crc_functions {
	/*
	 * CRC-32C (RFC 9260, appendix A) of @len BYTES more, from ~0 on; the
	 * checksum is the complement of the last result.
	 */
	uint32_t (*crc32c)(uint32_t crc, const uint8_t *p, uint32_t len);
	/*
	 * Adler-32 (RFC 1950, section 9) of @len BYTES more, from 1 on.  NULL:
	 * SCTP of before 2002 is bad.
	 */
	uint32_t (*adler32)(uint32_t adler, const uint8_t *p, uint32_t len);
	/*
	 * CRC-32 (IEEE 802.3, 3.2.9) of @len BYTES more, from 0 on.  NULL:
	 * frame check sequences and RoCE are not verified.
	 */
	uint32_t (*crc32)(uint32_t crc, const uint8_t *p, uint32_t len);
};

/* By ISA-L and zlib. */
extern const struct crc_functions crc_by_libraries;

#endif
