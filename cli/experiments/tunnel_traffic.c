/* SPDX-License-Identifier: BSD-2-Clause */
/* tunnel_traffic.c - runs iperf3 at both ends, and takes its figures. */
#define _GNU_SOURCE /* wait4() */
#include "tunnel_traffic.h"

#include <inttypes.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "timer.h"

enum {
	LISTENS_MS = 10000,    /* the server is given so long to begin... */
	ENDS_MS = 10000,       /* ...and to end... */
	SLOWEST_BYTE_NS = 100, /* ...and the client so long for each byte */
	ARGUMENTS = 24,
	NUMBER = 24,
};

static char iperf3[] = "iperf3";

struct program {
	pid_t pid;
	int out;
	char *text; /* what it wrote, ended by a 0 */
	size_t len, room;
};

/* ------------------------------------------------------------------------
 * A program and what it writes
 */

static bool grow(struct program *p)
{
	const size_t least = 64 << 10;
	char *text;

	if (p->text && p->room - p->len > 1)
		return true;
	text = realloc(p->text, 2 * p->room + least);
	if (!text)
		return false;
	p->text = text;
	p->room = 2 * p->room + least;
	return true;
}

/* False at the end of what it writes, or at @deadline (lab_now()). */
static bool read_some(struct program *p, uint64_t deadline)
{
	struct pollfd ready = { .fd = p->out, .events = POLLIN };
	const uint64_t now = lab_now();
	ssize_t n;

	if (now >= deadline || !grow(p) ||
	    poll(&ready, 1, (int)((deadline - now) / 1000000 + 1)) <= 0)
		return false;
	n = read(p->out, p->text + p->len, p->room - p->len - 1);
	if (n <= 0)
		return false;
	p->len += (size_t)n;
	p->text[p->len] = '\0';
	return true;
}

static uint64_t in_ms(uint64_t ms)
{
	return lab_now() + ms * 1000000;
}

static bool start(struct program *p, const struct lab_netns *n, char **argv)
{
	*p = (struct program){ .out = -1 };
	p->pid = lab_netns_spawn(n, argv, &p->out);
	return p->pid >= 0;
}

static double ns_of(struct timeval t)
{
	return 1e9 * (double)t.tv_sec + 1e3 * (double)t.tv_usec;
}

/* Waits for its end, which a signal makes sure of; its time on a CPU, or -1. */
static double finish(struct program *p, uint64_t deadline)
{
	struct rusage usage;
	int status = 0;

	if (p->pid < 0)
		return -1;
	while (read_some(p, deadline))
		;
	if (lab_now() >= deadline)
		kill(p->pid, SIGKILL);
	if (wait4(p->pid, &status, 0, &usage) < 0)
		status = -1;
	close(p->out);
	return status == 0 ? ns_of(usage.ru_utime) + ns_of(usage.ru_stime) : -1;
}

/* ------------------------------------------------------------------------
 * iperf3
 */

int tunnel_traffic_ready(void)
{
	const char *path = getenv("PATH");
	char copy[4096], file[4200], *save = NULL;

	snprintf(copy, sizeof(copy), "%s", path ? path : "/usr/bin:/bin");
	for (const char *dir = strtok_r(copy, ":", &save); dir;
	     dir = strtok_r(NULL, ":", &save)) {
		snprintf(file, sizeof(file), "%s/%s", dir, iperf3);
		if (access(file, X_OK) == 0)
			return EXIT_CLEAN;
	}
	return trouble("tunnel: there is no iperf3; on Debian the package has "
		       "that name");
}

/* Once, for one client. */
static bool start_server(struct program *p, const struct lab_tunnel *t)
{
	char *argv[] = { iperf3, "-s", "-1", "--forceflush", NULL };
	const uint64_t deadline = in_ms(LISTENS_MS);

	if (!start(p, &t->ends[LAB_RECEIVER], argv))
		return false;
	while (!(p->text && strstr(p->text, "listening")))
		if (!read_some(p, deadline))
			return false;
	return true;
}

static bool start_client(struct program *p, const struct lab_tunnel *t,
			 const struct tunnel_traffic *traffic)
{
	char bytes[NUMBER], length[NUMBER], streams[NUMBER], rate[NUMBER];
	char receiver[sizeof(t->ipv6)];
	/* reno is in every kernel, and does not pace: the default may be any */
	char *tcp[] = { "-C", "reno", NULL },
	     *udp[] = { "-u", "-b", rate, NULL };
	char *argv[ARGUMENTS] = { iperf3, "-J", "-c",	receiver, "-n",
				  bytes,  "-l", length, "-P",	  streams };
	size_t n = 10;

	snprintf(receiver, sizeof(receiver), "%s",
		 traffic->ipv6 ? t->ipv6 : t->ipv4);
	snprintf(bytes, sizeof(bytes), "%" PRIu64, traffic->bytes);
	snprintf(length, sizeof(length), "%zu", traffic->length);
	snprintf(streams, sizeof(streams), "%u", traffic->streams);
	/* of each stream */
	snprintf(rate, sizeof(rate), "%" PRIu64,
		 traffic->mbits * 1000000 / traffic->streams);
	for (char **more = traffic->udp ? udp : tcp; *more; more++)
		argv[n++] = *more;
	return start(p, &t->ends[LAB_SENDER], argv);
}

static int take_figures(const char *text, struct tunnel_transfer *result,
			char why[LAB_WHY])
{
	json_t *doc = text ? json_loads(text, 0, NULL) : NULL;
	const char *error = NULL;
	int unpacked = json_unpack(doc, "{s{s{sF sF}}}", "end", "sum_received",
				   "bytes", &result->bytes, "seconds",
				   &result->seconds);

	json_unpack(doc, "{ss}", "error", &error);
	snprintf(why, LAB_WHY, "iperf3: %s",
		 error		 ? error
		 : unpacked == 0 ? "nothing was received"
				 : "it did not say what was received");
	json_decref(doc);
	return unpacked == 0 && !error && result->bytes > 0 &&
			       result->seconds > 0
		       ? EXIT_CLEAN
		       : EXIT_TROUBLE;
}

int tunnel_traffic_send(const struct lab_tunnel *t,
			const struct tunnel_traffic *traffic,
			struct tunnel_transfer *result, char why[LAB_WHY])
{
	struct program server, client = { .pid = -1 };
	const bool started =
		start_server(&server, t) && start_client(&client, t, traffic);
	int status = EXIT_TROUBLE;

	snprintf(why, LAB_WHY, "iperf3 does not begin");
	result->sender_ns = finish(
		&client,
		in_ms(ENDS_MS + traffic->bytes * SLOWEST_BYTE_NS / 1000000));
	/* a server whose client has failed would wait for another */
	result->receiver_ns =
		finish(&server, in_ms(result->sender_ns < 0 ? 0 : ENDS_MS));
	if (started)
		status = take_figures(client.text, result, why);
	if (result->sender_ns < 0 || result->receiver_ns < 0)
		status = EXIT_TROUBLE;
	free(server.text);
	free(client.text);
	return status;
}
