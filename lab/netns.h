/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * netns.h - network namespaces of our own, each with a TUN device: two hosts,
 * and this process is the cable between them.
 *
 * The system forgets a namespace once its descriptors are closed and no process
 * is in it, so nothing is left behind however this process ends.  The threads
 * of the caller stay in the namespace that they are in.
 */
#ifndef LAB_NETNS_H
#define LAB_NETNS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "whynot.h"

struct lab_netns_plan {
	unsigned char ipv4[4];	/* of the device; its network has 24 bits */
	unsigned char ipv6[16]; /* the same, 64 bits */
	/*
	 * The kernel may leave checksums and segmentation to whoever reads the
	 * device; then each packet has a struct virtio_net_hdr in front.
	 */
	bool offload;
};

struct lab_netns {
	int ns;	      /* descriptor of the namespace */
	int tun;      /* of its TUN device, which does not block */
	bool headers; /* there is a struct virtio_net_hdr in front */
	bool udp;     /* UDP is left to be segmented, too (Linux 6.2) */
};

/* What the kernel of a namespace has counted so far. */
struct lab_netns_counts {
	uint64_t tcp, udp;  /* segments and datagrams that were taken in */
	uint64_t tcp_wrong; /* those with a wrong checksum, by the kernel */
	uint64_t udp4_wrong, udp6_wrong;
	uint64_t overflow; /* UDP: the reader was too slow */
	uint64_t queue;	   /* the device: this process was too slow */
};

/*
 * Whether this process may have namespaces.  One that is not root becomes root
 * in a user namespace of its own, for good; only while it has one thread.
 */
bool lab_netns_allowed(char why[LAB_WHY]);

/* False, and nothing to close, with the reason in @why. */
bool lab_netns_open(struct lab_netns *n, const struct lab_netns_plan *plan,
		    char why[LAB_WHY]);
void lab_netns_close(struct lab_netns *n);

bool lab_netns_count(const struct lab_netns *n, struct lab_netns_counts *c);

/* A socket of the namespace, for whatever thread; or -1. */
int lab_netns_socket(const struct lab_netns *n, int family, int type);

/*
 * Starts a program in the namespace, which ends with this process.  Returns its
 * pid with what it writes to standard output in *@out; or -1.  Its errors are
 * not seen.  A program that cannot be started exits with 127.
 */
pid_t lab_netns_spawn(const struct lab_netns *n, char *const argv[], int *out);

#endif
