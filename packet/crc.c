/* SPDX-License-Identifier: BSD-2-Clause */
/* crc.c - CRC-32C by ISA-L, Adler-32 by zlib. */
#include "crc.h"

#include <isa-l/crc.h>
#include <zlib.h>

uint32_t crc32c_update(uint32_t crc, const uint8_t *p, uint32_t len)
{
	return crc32_iscsi((uint8_t *)p, (int)len, crc);
}

uint32_t adler32_update(uint32_t adler, const uint8_t *p, uint32_t len)
{
	return (uint32_t)adler32(adler, p, len);
}
