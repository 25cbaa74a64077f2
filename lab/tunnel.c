/* SPDX-License-Identifier: BSD-2-Clause */
/* tunnel.c - two namespaces and the thread between them. */
#define _GNU_SOURCE /* pipe2() */
#include "tunnel.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "csum.h"
#include "dispatch.h"
#include "timer.h"

/* Packets of one device before the other has its turn. */
enum { BURST = 64 };

/*
 * Host @host of network @net, from the ranges for tests; networks 1 and
 * 2 are where the sender and the receiver are.
 */
static void address4(unsigned char a[16], unsigned char net, unsigned char host)
{
	memcpy(a, (const unsigned char[4]){ 198, 18, net, host }, 4);
}

static void address6(unsigned char a[16], unsigned char net, unsigned char host)
{
	static const unsigned char start[4] = { 0x20, 0x01, 0x0d, 0xb8 };

	memset(a, 0, 16);
	memcpy(a, start, sizeof(start));
	a[7] = net;
	a[15] = host;
}

/* ------------------------------------------------------------------------
 * Opening
 */

/* As each end sees it: the sender is host 1, the receiver host 2. */
static bool open_end(struct lab_tunnel *t, int end,
		     const struct lab_tunnel_plan *plan, char why[LAB_WHY])
{
	const unsigned char net = plan->nat ? (unsigned char)(end + 1) : 1;
	const unsigned char host = (unsigned char)(end + 1);
	struct lab_netns_plan place = { .offload = plan->offload };
	unsigned char ipv4[16];

	address4(ipv4, net, host);
	memcpy(place.ipv4, ipv4, sizeof(place.ipv4));
	address6(place.ipv6, net, host);
	return lab_netns_open(&t->ends[end], &place, why);
}

static void set_address(struct lab_forward_nat *nat, int which,
			unsigned char was, unsigned char now,
			unsigned char host)
{
	address4(nat->ipv4[which].was, was, host);
	address4(nat->ipv4[which].now, now, host);
	address6(nat->ipv6[which].was, was, host);
	address6(nat->ipv6[which].now, now, host);
}

static void plan_forward(struct lab_tunnel *t, int from,
			 const struct lab_tunnel_plan *plan)
{
	struct lab_forward *f = &t->forward[from];
	const int to = !from;
	const unsigned char was = (unsigned char)(from + 1);
	const unsigned char now = (unsigned char)(to + 1);

	*f = (struct lab_forward){
		.from = t->ends[from].tun,
		.to = t->ends[to].tun,
		.headers = plan->offload,
		.segment = plan->segment,
		.corrupt = plan->corrupt,
		.nat = { .on = plan->nat, .source_port = from == LAB_SENDER },
	};
	set_address(&f->nat, 0, was, now, was);
	set_address(&f->nat, 1, was, now, now);
}

static void name_receiver(struct lab_tunnel *t)
{
	unsigned char a[16];

	address4(a, 1, LAB_RECEIVER + 1);
	inet_ntop(AF_INET, a, t->ipv4, sizeof(t->ipv4));
	address6(a, 1, LAB_RECEIVER + 1);
	inet_ntop(AF_INET6, a, t->ipv6, sizeof(t->ipv6));
}

bool lab_tunnel_open(struct lab_tunnel *t, const struct lab_tunnel_plan *plan,
		     char why[LAB_WHY])
{
	*t = (struct lab_tunnel){ 0 };
	if (!open_end(t, LAB_SENDER, plan, why))
		return false;
	if (!open_end(t, LAB_RECEIVER, plan, why)) {
		lab_netns_close(&t->ends[LAB_SENDER]);
		return false;
	}
	plan_forward(t, LAB_SENDER, plan);
	plan_forward(t, LAB_RECEIVER, plan);
	name_receiver(t);
	return true;
}

void lab_tunnel_close(struct lab_tunnel *t)
{
	lab_netns_close(&t->ends[LAB_SENDER]);
	lab_netns_close(&t->ends[LAB_RECEIVER]);
}

/* ------------------------------------------------------------------------
 * Forwarding
 */

static void *forward(void *arg)
{
	struct lab_tunnel *t = arg;
	struct pollfd fds[] = {
		{ .fd = t->stop[0], .events = POLLIN },
		{ .fd = t->ends[LAB_SENDER].tun, .events = POLLIN },
		{ .fd = t->ends[LAB_RECEIVER].tun, .events = POLLIN },
	};
	const uint64_t start = lab_cpu_time();

	while (poll(fds, 3, -1) >= 0 || errno == EINTR) {
		size_t n = lab_forward(&t->forward[LAB_SENDER], BURST);

		n += lab_forward(&t->forward[LAB_RECEIVER], BURST);
		if (!n && fds[0].revents)
			break;
	}
	t->cpu_ns = (double)(lab_cpu_time() - start);
	return NULL;
}

bool lab_tunnel_start(struct lab_tunnel *t)
{
	if (pipe2(t->stop, O_CLOEXEC))
		return false;
	if (pthread_create(&t->thread, NULL, forward, t) == 0)
		return true;
	close(t->stop[0]);
	close(t->stop[1]);
	return false;
}

double lab_tunnel_stop(struct lab_tunnel *t)
{
	/* the other end sees that this one is closed */
	close(t->stop[1]);
	pthread_join(t->thread, NULL);
	close(t->stop[0]);
	return t->cpu_ns;
}

bool lab_tunnel_count(const struct lab_tunnel *t, struct lab_netns_counts *c)
{
	struct lab_netns_counts other;

	if (!lab_netns_count(&t->ends[LAB_SENDER], c) ||
	    !lab_netns_count(&t->ends[LAB_RECEIVER], &other))
		return false;
	c->tcp += other.tcp;
	c->udp += other.udp;
	c->tcp_wrong += other.tcp_wrong;
	c->udp4_wrong += other.udp4_wrong;
	c->udp6_wrong += other.udp6_wrong;
	c->overflow += other.overflow;
	c->queue += other.queue;
	return true;
}

void lab_tunnel_use(csum_sum_fn sum, csum_copy_fn copy)
{
	static csum_sum_fn usual_sum;
	static csum_copy_fn usual_copy;

	if (!usual_sum) {
		usual_sum = csum_find(csum_routine_active())->sum;
		usual_copy = csum_find(csum_routine_active())->copy;
	}
	atomic_store_explicit(&csum_active_sum, sum ? sum : usual_sum,
			      memory_order_relaxed);
	atomic_store_explicit(&csum_active_copy, copy ? copy : usual_copy,
			      memory_order_relaxed);
}
