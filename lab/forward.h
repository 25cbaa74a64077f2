/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * forward.h - the packets of one TUN device handed on to another, by what
 * csum.h and csum_packet.h have for that.
 *
 * A checksum that the sender left unfinished is completed; a large packet is
 * cut into segments, or handed on whole; addresses and a port are translated;
 * and every TCP and UDP packet is verified before it is delivered, with nothing
 * that would tell its receiver not to look for itself.
 */
#ifndef LAB_FORWARD_H
#define LAB_FORWARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest packet, with a struct virtio_net_hdr in front. */
enum { LAB_FORWARD_ROOM = 65536 + 64 };

/* What a translation makes of one address. */
struct lab_forward_address {
	unsigned char was[16], now[16];
};

/* A packet to was[1] gets both addresses, its ports what a side has. */
struct lab_forward_nat {
	bool on;
	struct lab_forward_address ipv4[2], ipv6[2]; /* source, destination */
	bool source_port; /* the source port is changed, not the destination */
};

struct lab_forward_counts {
	uint64_t packets;    /* that came */
	uint64_t unfinished; /* of them: with a sum that was left to us */
	uint64_t large;	     /* of them: to be segmented */
	uint64_t delivered;
	uint64_t verified;  /* of what was to be delivered */
	uint64_t wrong;	    /* verified, wrong, and not delivered */
	uint64_t unchecked; /* neither TCP nor UDP, or a fragment */
	uint64_t corrupted; /* delivered with one bit flipped, as was asked */
	uint64_t refused;   /* by the device to which they were to go */
};

struct lab_forward {
	int from, to; /* descriptors */
	bool headers; /* struct virtio_net_hdr in front, on both */
	bool segment; /* cut large TCP packets; large UDP ones always are */
	struct lab_forward_nat nat;
	uint64_t corrupt; /* flip a bit in one of so many; 0: in none */
	struct lab_forward_counts counts;
	uint64_t since; /* private to forward.c: the last one was corrupted */
};

/* Adds @b to @a. */
void lab_forward_add(struct lab_forward_counts *a,
		     const struct lab_forward_counts *b);

/* Hands on what is there, at most @most packets; returns how many came. */
size_t lab_forward(struct lab_forward *f, size_t most);

#endif
