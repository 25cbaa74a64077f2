/* SPDX-License-Identifier: BSD-2-Clause */
/* digest.c - sums of parts, and what they come to as a whole. */
#include "digest.h"

#include <stddef.h>

/* --- polynomials over GF(2), modulo that of CRC-32C; bit 31 is 1, bit 0 x^31
 */

static uint32_t times_x(uint32_t a)
{
	const uint32_t polynomial = 0x82f63b78;

	return a >> 1 ^ (a & 1 ? polynomial : 0);
}

static uint32_t multiply(uint32_t a, uint32_t b)
{
	uint32_t product = 0;

	for (; a; a <<= 1, b = times_x(b))
		if (a & 0x80000000u)
			product ^= b;
	return product;
}

/* What @len bytes of zeros make of a CRC: it is multiplied by x^(8 len). */
static uint32_t crc_shift(uint32_t crc, uint32_t len)
{
	uint32_t power = 0x80000000u >> 8;

	for (; len; len >>= 1) {
		if (len & 1)
			crc = multiply(crc, power);
		power = multiply(power, power);
	}
	return crc;
}

/* --- Adler-32 (RFC 1950, section 9): the sum of the bytes, and that of these
 * sums, of which each byte is in as many as are left from it on */

enum { ADLER = 65521 };

static uint32_t adler_add(uint32_t a, uint32_t b, uint32_t behind)
{
	uint32_t low = (a & 0xffff) + (b & 0xffff);
	uint64_t high = (a >> 16) + (b >> 16) + (uint64_t)(b & 0xffff) * behind;

	return (uint32_t)(high % ADLER) << 16 | low % ADLER;
}

/* --- all three --------------------------------------------------------------
 */

void digest_bytes(struct digest *d, const uint8_t *p, uint32_t len,
		  uint32_t front, const struct crc_functions *crc)
{
	d->sum = csum_combine(d->sum, csum_partial(p, len, 0), front);
	if (!crc)
		return;
	d->crc = crc->crc32c(d->crc, p, len);
	if (crc->adler32)
		d->adler = crc->adler32(d->adler, p, len);
}

void digest_zeros(struct digest *d, uint32_t len,
		  const struct crc_functions *crc)
{
	static const uint8_t zeros[8];

	digest_bytes(d, zeros, len, 0, crc);
}

void digest_combine(struct digest *whole, const struct digest *part,
		    uint32_t front, uint32_t behind)
{
	whole->sum = csum_combine(whole->sum, part->sum, front);
	whole->crc ^= crc_shift(part->crc, behind);
	whole->adler = adler_add(whole->adler, part->adler, behind);
}

uint32_t digest_crc32c(const struct digest *d, uint32_t len)
{
	return ~(crc_shift(~0u, len) ^ d->crc);
}

uint32_t digest_adler32(const struct digest *d, uint32_t len)
{
	return adler_add(d->adler, 1, len);
}
