/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mine.c - a routine of your own under `csum bench`, and a copy made of it.
 *
 *   make
 *   csum bench --load ./mine.so
 *
 * The idea: two 32-bit words at a time into two 64-bit sums.  They would wrap
 * after 2^32 words each, so the table says where it ends.
 */
#include <csum-plugin.h>
#include <string.h>

/* 2^64 = 1 (mod 0xffff), and so is 2^32: what wraps is added again. */
static uint32_t fold(uint64_t a)
{
	a = (a & 0xffffffff) + (a >> 32);
	return (uint32_t)(a + (a >> 32));
}

static uint64_t load32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static uint32_t mine_sum(const void *buf, size_t len, uint32_t sum)
{
	const unsigned char *p = buf;
	unsigned char rest[8] = { 0 };
	uint64_t a = sum, b = 0;

	for (; len >= 8; p += 8, len -= 8) {
		a += load32(p);
		b += load32(p + 4);
	}
	/* the rest, with zeros behind it: they change no sum */
	if (len)
		memcpy(rest, p, len);
	return fold(a + load32(rest) + (b + load32(rest + 4)));
}

static uint32_t mine_copy(void *dst, const void *src, size_t len, uint32_t sum)
{
	if (len)
		memcpy(dst, src, len);
	return mine_sum(src, len, sum);
}

CSUM_PLUGIN = {
	{
		.name = "mine",
		.idea = "two 32-bit words into two 64-bit sums",
		.sum = mine_sum,
		.copy = mine_copy,
		.max = (size_t)1 << 30,
	},
	{ .name = NULL },
};
