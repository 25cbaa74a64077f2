/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xdp_nat.c - a source NAT in the kernel: an XDP program.
 *
 *   make xdp_nat.o          clang, libbpf-dev
 *   ip link set dev DEVICE xdp obj xdp_nat.o sec xdp
 *
 * The functions of csum.h that change a checksum are all inline and need no
 * libc, so they are a part of the program.  xdp_run.c tries it on packets.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>
#include <csum.h>

/* 192.0.2.7 becomes 198.51.100.1. */
#define INSIDE	CSUM_BE32(0xc0000207)
#define OUTSIDE CSUM_BE32(0xc6336401)

enum {
	ETHERNET = 14,
	IPV4 = 20, /* a header with options is left alone */
	SOURCE = ETHERNET + 12,
	UPPER = ETHERNET + IPV4,
	TCP = 6,
	UDP = 17,
};

static __always_inline void update(unsigned char *field, csum_be32 was,
				   csum_be32 now, int udp)
{
	csum_sum16 check = csum_load_sum16(field);

	csum_store16(field, udp ? csum_udp_replace4(check, was, now)
				: csum_replace4(check, was, now));
}

SEC("xdp")
int nat(struct xdp_md *ctx)
{
	unsigned char *p = (unsigned char *)(long)ctx->data;
	unsigned char *end = (unsigned char *)(long)ctx->data_end;
	const csum_be32 now = OUTSIDE;
	csum_be32 was;

	if (p + UPPER > end || p[12] != 8 || p[13] != 0 || p[ETHERNET] != 0x45)
		return XDP_PASS;
	was = csum_load32(p + SOURCE);
	if (was != INSIDE)
		return XDP_PASS;
	/* a fragment that is not the first has no checksum of TCP or UDP */
	if (!(p[ETHERNET + 6] & 0x1f) && !p[ETHERNET + 7]) {
		if (p[ETHERNET + 9] == TCP) {
			if (p + UPPER + CSUM_FIELD_TCP + 2 > end)
				return XDP_DROP;
			update(p + UPPER + CSUM_FIELD_TCP, was, now, 0);
		} else if (p[ETHERNET + 9] == UDP) {
			if (p + UPPER + CSUM_FIELD_UDP + 2 > end)
				return XDP_DROP;
			update(p + UPPER + CSUM_FIELD_UDP, was, now, 1);
		}
	}
	update(p + ETHERNET + CSUM_FIELD_IPV4, was, now, 0);
	__builtin_memcpy(p + SOURCE, &now, sizeof(now));
	return XDP_PASS;
}

char _license[] SEC("license") = "Dual BSD/GPL";
