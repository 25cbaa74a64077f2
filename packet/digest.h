/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * digest.h - sums of parts, and what they come to as a whole.
 *
 * Internet checksum, CRC-32C and Adler-32 are all linear: what a part adds to
 * the whole depends on its own bytes, and on how many are in front of it or
 * behind it.  So they are combined in any order, without the data.
 */
#ifndef PACKET_DIGEST_H
#define PACKET_DIGEST_H

#include <stdint.h>

#include "crc.h"
#include "csum.h"

struct digest {
	csum_wsum sum;
	/* Both as if what they start with were 0. */
	uint32_t crc, adler;
};

/* @len BYTES more, behind @front of them.  @crc NULL: the sum alone. */
void digest_bytes(struct digest *d, const uint8_t *p, uint32_t len,
		  uint32_t front, const struct crc_functions *crc);

/* The same for a field or a hole, which count as zeros, up to 8 BYTES. */
void digest_zeros(struct digest *d, uint32_t len,
		  const struct crc_functions *crc);

/* A part with @front BYTES of the whole in front of it, and @behind behind. */
void digest_combine(struct digest *whole, const struct digest *part,
		    uint32_t front, uint32_t behind);

/* Of @len bytes: the values as they are known, with what they start with. */
uint32_t digest_crc32c(const struct digest *d, uint32_t len);
uint32_t digest_adler32(const struct digest *d, uint32_t len);

#endif
