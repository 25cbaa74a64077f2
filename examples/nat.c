/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nat.c - a source NAT for packets in a buffer, and for the errors that come
 * back about them.
 *
 *   cc nat.c $(pkg-config --cflags --libs csum) && ./a.out
 *
 * Prints what a router would send, and exits with 0 if the checksums are right.
 */
#include <csum_packet.h>
#include <stdio.h>
#include <string.h>

static const unsigned char inside[4] = { 192, 0, 2, 7 };
static const unsigned char outside[4] = { 198, 51, 100, 1 };
enum { INSIDE_PORT = 5353, OUTSIDE_PORT = 40000, LEN = 33, UDP = 20 };

/* On the way out: the source becomes the router's. */
static int send_out(unsigned char *packet, size_t len)
{
	struct csum_nat_rule nat = {
		.change = CSUM_NAT_SOURCE_ADDRESS | CSUM_NAT_SOURCE_PORT,
		.source_port = CSUM_BE16(OUTSIDE_PORT),
	};

	memcpy(nat.source_address, outside, sizeof(outside));
	return csum_nat(packet, len, &nat);
}

/*
 * On the way back: an error is addressed to the router, and quotes a packet
 * that came from it.  Both become the sender's.
 */
static int take_in_error(unsigned char *packet, size_t len)
{
	struct csum_nat_rule nat = {
		.change = CSUM_NAT_SOURCE_ADDRESS | CSUM_NAT_SOURCE_PORT,
		.source_port = CSUM_BE16(INSIDE_PORT),
	};
	int error;

	memcpy(nat.source_address, inside, sizeof(inside));
	error = csum_nat_quoted(packet, len, &nat);
	if (error)
		return error;
	nat.change = CSUM_NAT_DESTINATION_ADDRESS;
	memcpy(nat.destination_address, inside, sizeof(inside));
	return csum_nat(packet, len, &nat);
}

/* A datagram of five bytes, as a host sends it. */
static void make(unsigned char *p)
{
	static const unsigned char start[LEN] = {
		0x45, 0,   0, LEN, 0, 1,   0,	0,   64,  17,	0,
		0,    192, 0, 2,   7, 203, 0,	113, 9,	  0x14, 0xe9,
		0,    53,  0, 13,  0, 0,   'h', 'e', 'l', 'l',	'o'
	};

	memcpy(p, start, LEN);
	csum_store16(p + CSUM_FIELD_IPV4, csum_ipv4_header(p, 5));
	csum_store16(p + UDP + CSUM_FIELD_UDP,
		     csum_udp_ipv4(csum_load32(p + 12), csum_load32(p + 16),
				   p + UDP, LEN - UDP));
}

static int is_right(const unsigned char *p)
{
	csum_wsum sum = csum_partial(p + UDP, LEN - UDP, 0);

	return csum_ipv4_header(p, 5) == 0 &&
	       csum_ok(csum_pseudo_ipv4(csum_load32(p + 12),
					csum_load32(p + 16), LEN - UDP, 17,
					sum));
}

int main(void)
{
	enum { QUOTE = 28 };
	unsigned char sent[LEN], original[LEN],
		error[QUOTE + LEN] = { 0x45, 0, 0, QUOTE + LEN, 0,
				       2,    0, 0, 64,		1 };

	make(original);
	memcpy(sent, original, LEN);
	if (send_out(sent, LEN) || !is_right(sent))
		return 1;
	printf("sent from %u.%u.%u.%u\n", sent[12], sent[13], sent[14],
	       sent[15]);
	/* "port unreachable", from 203.0.113.9 to the router */
	memcpy(error + 12, sent + 16, 4);
	memcpy(error + 16, outside, 4);
	csum_store16(error + CSUM_FIELD_IPV4, csum_ipv4_header(error, 5));
	error[20] = error[21] = 3;
	memcpy(error + QUOTE, sent, LEN);
	csum_store16(error + 20 + CSUM_FIELD_ICMP,
		     csum_icmp(error + 20, 8 + LEN));
	if (take_in_error(error, sizeof(error)))
		return 1;
	printf("the error comes to %u.%u.%u.%u\n", error[16], error[17],
	       error[18], error[19]);
	return csum_ipv4_header(error, 5) != 0 ||
	       !csum_ok(csum_partial(error + 20, 8 + LEN, 0)) ||
	       memcmp(error + QUOTE, original, LEN) != 0;
}
