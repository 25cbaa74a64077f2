/* SPDX-License-Identifier: BSD-2-Clause */
/* tunnel_traffic.h - iperf3 from one end of a tunnel to the other. */
#ifndef CSUM_TUNNEL_TRAFFIC_H
#define CSUM_TUNNEL_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tunnel.h"

/* What is sent. */
struct tunnel_traffic {
	bool ipv6, udp;
	unsigned streams;
	size_t length;	/* BYTES of a message: of one write, of a datagram */
	uint64_t bytes; /* in all */
	uint64_t mbits; /* UDP only: 10^6 bit/s of all streams */
};

/* What came of it. */
struct tunnel_transfer {
	double seconds;
	double bytes;		       /* that were received */
	double sender_ns, receiver_ns; /* that iperf3 had a CPU, at each end */
};

/* Whether there is an iperf3; EXIT_TROUBLE after saying that there is none. */
int tunnel_traffic_ready(void);

/*
 * Sends that while the tunnel is started.  EXIT_CLEAN; or EXIT_TROUBLE with
 * what iperf3 said in @why.
 */
int tunnel_traffic_send(const struct lab_tunnel *t,
			const struct tunnel_traffic *traffic,
			struct tunnel_transfer *result, char why[LAB_WHY]);

#endif
