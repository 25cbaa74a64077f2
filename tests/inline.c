/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inline.c - each inline function of csum.h, and those of csum_packet.h for
 * seeds, for compilers that have little and for checkers that look closely:
 * tests/small.sh and tests/build.sh.
 *
 * With INLINE_ALONE nothing is called that is in the library.
 */
#include "csum_packet.h"

uint32_t every(const unsigned char *p, uint32_t v);
uint32_t alone(const unsigned char *p, uint32_t v);

static uint32_t of16(csum_sum16 check)
{
	return csum_to16(csum_from16(CSUM_AS(csum_be16, check)));
}

static uint32_t of32(csum_wsum sum)
{
	return csum_to16(sum);
}

/* @p: 64 bytes. */
uint32_t alone(const unsigned char *p, uint32_t v)
{
	const uint16_t half = CSUM_TO(uint16_t, v & 0xffff);
	const csum_be16 a16 = csum_load16(p), b16 = csum_be16_from_host(half);
	const csum_be32 a32 = csum_load32(p), b32 = csum_be32_from_host(v);
	const csum_sum16 check = csum_load_sum16(p + 2);
	const csum_wsum a = csum_from32(b32), b = csum_from32(a32);
	unsigned char hdr[20];
	uint32_t all = 0;

	all += of32(csum_add(a, b)) + of32(csum_sub(a, b));
	all += of32(csum_from16(a16)) + of32(csum_shift(a, 1));
	all += of32(csum_from64(CSUM_TO(uint64_t, v) << 32 | v));
	all += of32(csum_combine(a, b, half)) +
	       of32(csum_uncombine(a, b, half));
	all += of16(csum_fold(a)) + of16(csum_fold_udp(a));
	all += csum_ok(a) + csum_udp_absent(check);
	all += of16(csum_ipv4_header(p, 5));
	all += of16(csum_ipv4_header(p, 5 + half % 11u));
	all += of32(csum_pseudo_ipv4(a32, b32, v, 6, a));
	all += of32(csum_pseudo_ipv6(p, p + 16, v, 6, a));
	all += of16(csum_replace_by_diff(check, a));
	all += of16(csum_replace2(check, a16, b16));
	all += of16(csum_replace4(check, a32, b32));
	all += of16(csum_replace16(check, p, p + 16));
	all += of16(csum_dec_ttl(check));
	all += of16(csum_udp_keep(check, csum_dec_ttl(check)));
	all += of16(csum_udp_replace2(check, a16, b16));
	all += of16(csum_udp_replace4(check, a32, b32));
	all += of16(csum_udp_replace16(check, p, p + 16));
	all += of16(csum_udp_replace_by_diff(check, a));
	all += csum_is_seed(csum_seed_by_diff(csum_load_seed(p), a), b);
	all += csum_is_seed(csum_seed_replace4(csum_seed(a), a32, b32), b);
	all += csum_is_seed(csum_seed_length(csum_seed(a), v, half), b);
	for (unsigned i = 0; i < sizeof(hdr); i++)
		hdr[i] = p[i];
	csum_store_seed(hdr, csum_seed(a));
	csum_store16(hdr + CSUM_FIELD_IPV4, check);
	all += csum_ipv4_dec_ttl(hdr) < 0;
	return all + CSUM_AS(uint16_t, CSUM_BE16(0x1234)) + hdr[11];
}

#ifndef INLINE_ALONE
uint32_t every(const unsigned char *p, uint32_t v)
{
	const csum_be32 a = csum_load32(p), b = csum_be32_from_host(v);
	uint32_t all = alone(p, v);

	all += of32(csum_without(p, 64, v % 64));
	all += of16(csum_tcp_ipv4(a, b, p, 64));
	all += of16(csum_udp_ipv4(a, b, p, 64));
	all += of16(csum_tcp_ipv6(p, p + 16, p, 64));
	all += of16(csum_udp_ipv6(p, p + 16, p, 64));
	all += of16(csum_icmpv6(p, p + 16, p, 64));
	all += of16(csum_icmp(p, 64));
	all += of32(csum_diff(p, 7, p + 7, 9, v % 64, csum_from32(a)));
	all += of16(csum_replace_bytes(csum_load_sum16(p), p, 3, p + 3, 3, 1));
	return all + of16(csum_udp_replace_bytes(csum_load_sum16(p), p, 3,
						 p + 3, 3, 1));
}

int main(void)
{
	unsigned char p[64];
	uint32_t all = 0;

	for (unsigned fill = 0; fill < 256; fill++)
		for (unsigned v = 0; v < 4; v++) {
			for (unsigned i = 0; i < sizeof(p); i++)
				p[i] = CSUM_TO(unsigned char,
					       (fill * (i + 1)) & 0xff);
			all ^= every(p, 0xffffffffu / (v + 1));
		}
	return all == 0;
}
#endif
