/* SPDX-License-Identifier: BSD-2-Clause */
/* crc.c - CRC-32C by ISA-L, CRC-32 and Adler-32 by zlib. */
#include "crc.h"

#include <isa-l/crc.h>
#include <zlib.h>

static uint32_t crc32c(uint32_t crc, const uint8_t *p, uint32_t len)
{
	return crc32_iscsi((uint8_t *)p, (int)len, crc);
}

static uint32_t ieee(uint32_t crc, const uint8_t *p, uint32_t len)
{
	return (uint32_t)crc32(crc, p, len);
}

static uint32_t adler(uint32_t sum, const uint8_t *p, uint32_t len)
{
	return (uint32_t)adler32(sum, p, len);
}

const struct crc_functions crc_by_libraries = { crc32c, adler, ieee };
