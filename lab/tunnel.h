/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tunnel.h - two hosts of one machine, and a thread that forwards between them.
 *
 * The hosts are network namespaces (netns.h).  Their kernels are the judges:
 * each counts the packets that it takes in, and those with a wrong checksum.
 */
#ifndef LAB_TUNNEL_H
#define LAB_TUNNEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "forward.h"
#include "netns.h"
#include "routines/routine.h"
#include "whynot.h"

enum lab_tunnel_end { LAB_SENDER, LAB_RECEIVER, LAB_TUNNEL_ENDS };

struct lab_tunnel_plan {
	bool offload; /* see struct lab_netns_plan */
	bool nat;     /* the ends are in two networks, and translated */
	bool segment; /* see struct lab_forward */
	uint64_t corrupt;
};

/* Must stay where it is. */
struct lab_tunnel {
	struct lab_netns ends[LAB_TUNNEL_ENDS];
	/* by the end that sends; counts are of the whole life */
	struct lab_forward forward[LAB_TUNNEL_ENDS];
	/* where the sender finds the receiver, for a command line */
	char ipv4[16], ipv6[48];
	/* private to tunnel.c */
	pthread_t thread;
	int stop[2];
	double cpu_ns;
};

/* lab_netns_allowed() goes before.  False with the reason in @why. */
bool lab_tunnel_open(struct lab_tunnel *t, const struct lab_tunnel_plan *plan,
		     char why[LAB_WHY]);
void lab_tunnel_close(struct lab_tunnel *t);

/*
 * Forwards until lab_tunnel_stop(), which returns the time that the forwarding
 * thread has had a CPU, in ns.
 */
bool lab_tunnel_start(struct lab_tunnel *t);
double lab_tunnel_stop(struct lab_tunnel *t);

/* What both kernels have counted; false if they do not say. */
bool lab_tunnel_count(const struct lab_tunnel *t, struct lab_netns_counts *c);

/*
 * Makes csum_partial() and csum_copy() of this process use these functions;
 * NULL: what they used before.  Not while something is forwarded.
 */
void lab_tunnel_use(csum_sum_fn sum, csum_copy_fn copy);

#endif
