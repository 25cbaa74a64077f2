/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_tunnel.c - UDP that a kernel leaves to be segmented, through the
 * forwarder to another kernel.  iperf3 sends none; for the rest see
 * test_tunnel_cli.sh.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "testing.h"
#include "tunnel.h"

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

enum { PORT = 5000, PIECES = 30, SENT = 40, MOST = 1427 };

static struct sockaddr_in6 six(const char *host)
{
	struct sockaddr_in6 a = { .sin6_family = AF_INET6,
				  .sin6_port = htons(PORT) };

	inet_pton(AF_INET6, host, &a.sin6_addr);
	return a;
}

static struct sockaddr_in four(const char *host)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_port = htons(PORT) };

	inet_pton(AF_INET, host, &a.sin_addr);
	return a;
}

static int receiver(const struct lab_tunnel *t, bool ipv6)
{
	const struct timeval patience = { .tv_usec = 300000 };
	const struct sockaddr_in6 any6 = six("::");
	const struct sockaddr_in any4 = four("0.0.0.0");
	int s = lab_netns_socket(&t->ends[LAB_RECEIVER],
				 ipv6 ? AF_INET6 : AF_INET, SOCK_DGRAM);

	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (ipv6 ? bind(s, (const struct sockaddr *)&any6, sizeof(any6))
		 : bind(s, (const struct sockaddr *)&any4, sizeof(any4)))
		return -1;
	return s;
}

static int sender(const struct lab_tunnel *t, bool ipv6, int size)
{
	const struct sockaddr_in6 to6 = six(t->ipv6);
	const struct sockaddr_in to4 = four(t->ipv4);
	int s = lab_netns_socket(&t->ends[LAB_SENDER],
				 ipv6 ? AF_INET6 : AF_INET, SOCK_DGRAM);

	if (setsockopt(s, IPPROTO_UDP, UDP_SEGMENT, &size, sizeof(size)))
		return -1;
	if (ipv6 ? connect(s, (const struct sockaddr *)&to6, sizeof(to6))
		 : connect(s, (const struct sockaddr *)&to4, sizeof(to4)))
		return -1;
	return s;
}

/* Datagrams that came as they were sent; -1: one did not. */
static int take(int s, const unsigned char *sent, size_t len, size_t size)
{
	unsigned char got[2 * MOST];
	ssize_t n;
	int came = 0;

	for (size_t at = 0; at < len; at += size) {
		const size_t want = len - at < size ? len - at : size;

		n = recv(s, got, sizeof(got), 0);
		if (n < 0)
			break;
		came++;
		/* without one that was corrupted the next comes instead */
		while (at < len &&
		       ((size_t)n != want || memcmp(got, sent + at, want) != 0))
			at += size;
		if (at >= len)
			return -1;
	}
	return came;
}

static void test(bool ipv6, size_t size, uint64_t corrupt)
{
	const struct lab_tunnel_plan plan = { .offload = true,
					      .nat = true,
					      .corrupt = corrupt };
	static unsigned char sent[PIECES * MOST];
	const size_t len = PIECES * size - 5;
	struct lab_netns_counts k;
	struct lab_tunnel t;
	char why[LAB_WHY];
	bool whole = true;
	uint64_t came = 0, corrupted, wrong;
	int in, out;

	if (!lab_tunnel_open(&t, &plan, why)) {
		tap_skip("%s", why);
		return;
	}
	in = sender(&t, ipv6, (int)size);
	out = receiver(&t, ipv6);
	if (!t.ends[LAB_SENDER].udp || in < 0 || out < 0) {
		tap_skip("this kernel leaves no UDP to be segmented");
		lab_tunnel_close(&t);
		return;
	}
	lab_tunnel_start(&t);
	for (int i = 0; i < SENT && whole; i++) {
		int n;

		testing_random_fill(sent, len);
		whole = send(in, sent, len, 0) == (ssize_t)len;
		n = take(out, sent, len, size);
		whole = whole && n >= 0;
		came += n > 0 ? (uint64_t)n : 0;
	}
	lab_tunnel_stop(&t);
	lab_tunnel_count(&t, &k);
	corrupted = t.forward[LAB_SENDER].counts.corrupted;
	wrong = ipv6 ? k.udp6_wrong : k.udp4_wrong;
	tap_ok(whole && came == SENT * PIECES - corrupted &&
		       t.forward[LAB_SENDER].counts.large == SENT &&
		       t.forward[LAB_SENDER].counts.wrong == 0,
	       "IPv%d: %d times %zu bytes, each in %d datagrams", ipv6 ? 6 : 4,
	       SENT, len, PIECES);
	tap_ok(wrong == corrupted && (corrupted > 0) == (corrupt > 0),
	       "... of which the kernel finds %d wrong, and %d are", (int)wrong,
	       (int)corrupted);
	close(in);
	close(out);
	lab_tunnel_close(&t);
}

int main(int argc, char **argv)
{
	char why[LAB_WHY];

	testing_init(argc, argv);
	if (!lab_netns_allowed(why)) {
		tap_skip("network namespaces: %s", why);
		return tap_done();
	}
	for (int i = 0; i < 2; i++) {
		test(i, 1427, 0);
		test(i, 1000, 0);
		test(i, 777, 50);
	}
	return tap_done();
}
