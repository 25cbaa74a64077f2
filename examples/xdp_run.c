/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xdp_run.c - tries xdp_nat.o on packets, in the kernel, without a network.
 *
 *   make xdp_run xdp_nat.o && ./xdp_run xdp_nat.o
 *
 * Needs root.  Prints what came out of each packet; the exit status is 0 if all
 * checksums are right, 1 if one is not, 2 if the kernel does not take the
 * program.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <csum.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
	ETHERNET = 14,
	UPPER = 20,
	PAYLOAD = 33,
	TCP = 6,
	UDP = 17,
	ROOM = ETHERNET + UPPER + 20 + PAYLOAD
};

/* From @source, with the address that a test gives; returns its length. */
static size_t make(unsigned char *frame, unsigned char source,
		   unsigned char proto)
{
	unsigned char *ip = frame + ETHERNET, *upper = ip + UPPER;
	const size_t len = (proto == TCP ? 20 : 8) + PAYLOAD;
	const unsigned char start[UPPER] = { 0x45, 0,	 0,   UPPER, 0,
					     1,	   0x40, 0,   64,    proto,
					     0,	   0,	 192, 0,     2,
					     0,	   203,	 0,   113,   9 };

	memset(frame, 0, ROOM);
	frame[12] = 8;
	memcpy(ip, start, UPPER);
	ip[3] = (unsigned char)(UPPER + len);
	ip[15] = source;
	csum_store16(ip + CSUM_FIELD_IPV4, csum_ipv4_header(ip, 5));
	memset(upper, proto, len);
	if (proto == TCP) {
		csum_store16(upper + CSUM_FIELD_TCP,
			     csum_tcp_ipv4(csum_load32(ip + 12),
					   csum_load32(ip + 16), upper, len));
	} else {
		csum_store16(upper + 4, csum_be16_from_host((uint16_t)len));
		csum_store16(upper + CSUM_FIELD_UDP,
			     csum_udp_ipv4(csum_load32(ip + 12),
					   csum_load32(ip + 16), upper, len));
	}
	return ETHERNET + UPPER + len;
}

static int is_right(const unsigned char *ip, size_t len)
{
	const unsigned char *upper = ip + UPPER;
	const csum_wsum sum = csum_partial(upper, len - UPPER, 0);

	if (csum_ipv4_header(ip, 5) != 0)
		return 0;
	if (ip[9] == UDP && csum_udp_absent(csum_load_sum16(upper + 6)))
		return 1;
	return csum_ok(csum_pseudo_ipv4(csum_load32(ip + 12),
					csum_load32(ip + 16),
					(uint32_t)(len - UPPER), ip[9], sum));
}

/* Whether what comes out has these right sums and that source. */
static int try(int program, unsigned char *frame, size_t len, const char *what,
	       const char *source)
{
	unsigned char out[ROOM + 64];
	LIBBPF_OPTS(bpf_test_run_opts, run, .data_in = frame,
		    .data_size_in = (unsigned)len, .data_out = out,
		    .data_size_out = sizeof(out), .repeat = 1);
	const unsigned char *ip = out + ETHERNET;
	char text[16];
	int right;

	if (bpf_prog_test_run_opts(program, &run))
		return 0;
	snprintf(text, sizeof(text), "%u.%u.%u.%u", ip[12], ip[13], ip[14],
		 ip[15]);
	right = run.data_size_out == len && is_right(ip, len - ETHERNET) &&
		strcmp(text, source) == 0;
	printf("%-26s comes out from %-13s %s\n", what, text,
	       right ? "right" : "WRONG");
	return right;
}

static int try_all(int program)
{
	unsigned char frame[ROOM];
	size_t len = make(frame, 7, TCP);
	int right = try(program, frame, len, "TCP from inside", "198.51.100.1");

	len = make(frame, 7, UDP);
	right &= try(program, frame, len, "UDP from inside", "198.51.100.1");
	csum_store16(frame + ETHERNET + UPPER + CSUM_FIELD_UDP, 0);
	right &= try(program, frame, len, "UDP without a checksum",
		     "198.51.100.1");
	len = make(frame, 8, UDP);
	right &=
		try(program, frame, len, "UDP from somebody else", "192.0.2.8");
	return right;
}

int main(int argc, char **argv)
{
	struct bpf_object *object;
	struct bpf_program *program;

	if (argc != 2) {
		fputs("usage: xdp_run xdp_nat.o\n", stderr);
		return 2;
	}
	object = bpf_object__open_file(argv[1], NULL);
	if (!object || bpf_object__load(object)) {
		fprintf(stderr, "xdp_run: the kernel does not take %s: %s\n",
			argv[1], strerror(errno));
		return 2;
	}
	program = bpf_object__find_program_by_name(object, "nat");
	return program && try_all(bpf_program__fd(program)) ? 0 : 1;
}
