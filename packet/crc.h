/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * crc.h - the checksums of SCTP, which are not Internet checksums.
 *
 * crc.c alone needs libraries for them; the rest of packet/ needs libc.
 */
#ifndef PACKET_CRC_H
#define PACKET_CRC_H

#include <stdint.h>

/*
 * CRC-32C (RFC 9260, appendix A) of @len BYTES more, from ~0 on; the checksum
 * is the complement of the last result.
 */
uint32_t crc32c_update(uint32_t crc, const uint8_t *p, uint32_t len);

/* Adler-32 (RFC 1950, section 9) of @len BYTES more, from 1 on. */
uint32_t adler32_update(uint32_t adler, const uint8_t *p, uint32_t len);

#endif
