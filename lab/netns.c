/* SPDX-License-Identifier: BSD-2-Clause */
/* netns.c - network namespaces with TUN devices. */
#define _GNU_SOURCE /* unshare(), setns() */
#include "netns.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/if_tun.h>
#include <linux/ipv6.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* New in Linux 6.2. */
#ifndef TUN_F_USO4
#define TUN_F_USO4 0x20
#define TUN_F_USO6 0x40
#endif

enum {
	QUEUE = 10000, /* packets that may wait for this process */
	USABLE_MS = 2000,
};

static const char device[] = "csum0";

/* ------------------------------------------------------------------------
 * Being allowed to
 */

static bool say(char why[LAB_WHY], const char *what)
{
	snprintf(why, LAB_WHY, "%s: %s", what, strerror(errno));
	return false;
}

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) > 0;

	if (fd >= 0)
		close(fd);
	return done;
}

/* Our own user is root in there, and nobody else is anybody. */
static bool become_root(void)
{
	const unsigned uid = geteuid(), gid = getegid();
	char map[32];

	if (unshare(CLONE_NEWUSER))
		return false;
	/* older systems have no such file, and need none */
	write_file("/proc/self/setgroups", "deny");
	snprintf(map, sizeof(map), "0 %u 1", uid);
	if (!write_file("/proc/self/uid_map", map))
		return false;
	snprintf(map, sizeof(map), "0 %u 1", gid);
	return write_file("/proc/self/gid_map", map);
}

/* ------------------------------------------------------------------------
 * A thread in there
 */

struct visit {
	int ns; /* -1: a new one */
	bool (*work)(struct visit *visit);
	const void *from;
	void *to;
	char *why;
	bool done;
};

static void *visit_thread(void *arg)
{
	struct visit *v = arg;

	if (v->ns < 0 ? unshare(CLONE_NEWNET) : setns(v->ns, CLONE_NEWNET))
		v->done = say(v->why, "a network namespace");
	else
		v->done = v->work(v);
	return NULL;
}

/* A namespace is that of a thread, so a thread of its own leaves ours alone. */
static bool visit(struct visit v)
{
	pthread_t thread;

	errno = pthread_create(&thread, NULL, visit_thread, &v);
	if (errno)
		return say(v.why, "a thread");
	pthread_join(thread, NULL);
	return v.done;
}

static bool do_nothing(struct visit *v)
{
	(void)v;
	return true;
}

bool lab_netns_allowed(char why[LAB_WHY])
{
	struct visit v = { .ns = -1, .work = do_nothing, .why = why };

	if (visit(v))
		return true;
	if (!become_root())
		return say(why, "needs root, or a user namespace");
	return visit(v);
}

/* ------------------------------------------------------------------------
 * The device
 */

static struct ifreq request(void)
{
	struct ifreq r;

	memset(&r, 0, sizeof(r));
	memcpy(r.ifr_name, device, sizeof(device));
	return r;
}

static bool set_ipv4(int s, unsigned long what, const unsigned char bytes[4])
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	struct ifreq r = request();

	memcpy(&address.sin_addr, bytes, 4);
	memcpy(&r.ifr_addr, &address, sizeof(address));
	return ioctl(s, what, &r) == 0;
}

/* The kernel makes the address usable a moment later. */
static bool is_usable(int s, const unsigned char bytes[16])
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	struct sockaddr_in6 a = { .sin6_family = AF_INET6 };

	memcpy(&a.sin6_addr, bytes, 16);
	for (int ms = 0; ms < USABLE_MS; ms++) {
		if (bind(s, (const struct sockaddr *)&a, sizeof(a)) == 0)
			return true;
		nanosleep(&moment, NULL);
	}
	return false;
}

static bool set_ipv6(const unsigned char bytes[16])
{
	struct in6_ifreq r = { .ifr6_prefixlen = 64 };
	int s = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool done;

	if (s < 0)
		return false;
	r.ifr6_ifindex = (int)if_nametoindex(device);
	memcpy(&r.ifr6_addr, bytes, 16);
	done = ioctl(s, SIOCSIFADDR, &r) == 0 && is_usable(s, bytes);
	close(s);
	return done;
}

static bool set_up(int s, const struct lab_netns_plan *plan)
{
	static const unsigned char mask[4] = { 255, 255, 255, 0 };
	struct ifreq up = request(), queue = request();

	queue.ifr_qlen = QUEUE;
	if (!set_ipv4(s, SIOCSIFADDR, plan->ipv4) ||
	    !set_ipv4(s, SIOCSIFNETMASK, mask) || ioctl(s, SIOCGIFFLAGS, &up))
		return false;
	/* the root of a user namespace may not, and has the usual queue */
	ioctl(s, SIOCSIFTXQLEN, &queue);
	up.ifr_flags = (short)(up.ifr_flags | IFF_UP);
	return ioctl(s, SIOCSIFFLAGS, &up) == 0 && set_ipv6(plan->ipv6);
}

static bool make_device(struct lab_netns *n, bool offload)
{
	const unsigned tcp = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6;
	struct ifreq r = request();

	r.ifr_flags =
		(short)(IFF_TUN | IFF_NO_PI | (offload ? IFF_VNET_HDR : 0));
	if (ioctl(n->tun, TUNSETIFF, &r))
		return false;
	n->headers = offload;
	if (!offload)
		return ioctl(n->tun, TUNSETOFFLOAD, 0) == 0;
	n->udp = ioctl(n->tun, TUNSETOFFLOAD, tcp | TUN_F_USO4 | TUN_F_USO6) ==
		 0;
	return n->udp || ioctl(n->tun, TUNSETOFFLOAD, tcp) == 0;
}

static bool furnish(struct visit *v)
{
	const struct lab_netns_plan *plan = v->from;
	struct lab_netns *n = v->to;
	int s;

	n->ns = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	if (n->ns < 0)
		return say(v->why, "/proc/thread-self/ns/net");
	n->tun = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (n->tun < 0)
		return say(v->why, "/dev/net/tun");
	if (!make_device(n, plan->offload))
		return say(v->why, "a TUN device");
	s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (s < 0 || !set_up(s, plan)) {
		say(v->why, "an address for a TUN device");
		if (s >= 0)
			close(s);
		return false;
	}
	close(s);
	return true;
}

bool lab_netns_open(struct lab_netns *n, const struct lab_netns_plan *plan,
		    char why[LAB_WHY])
{
	struct visit v = {
		.ns = -1, .work = furnish, .from = plan, .to = n, .why = why
	};

	*n = (struct lab_netns){ .ns = -1, .tun = -1 };
	if (visit(v))
		return true;
	lab_netns_close(n);
	return false;
}

void lab_netns_close(struct lab_netns *n)
{
	if (n->ns >= 0)
		close(n->ns);
	if (n->tun >= 0)
		close(n->tun);
	n->ns = n->tun = -1;
}

/* ------------------------------------------------------------------------
 * What its kernel counts
 */

/* @line is a word @prefix and fields; the value in the column of @name. */
static uint64_t column(const char *names, const char *values, const char *name)
{
	char a[1024], b[1024], *save_a, *save_b;

	snprintf(a, sizeof(a), "%s", names);
	snprintf(b, sizeof(b), "%s", values);
	for (char *x = strtok_r(a, " \n", &save_a),
		  *y = strtok_r(b, " \n", &save_b);
	     x && y; x = strtok_r(NULL, " \n", &save_a),
		  y = strtok_r(NULL, " \n", &save_b))
		if (strcmp(x, name) == 0)
			return strtoull(y, NULL, 10);
	return 0;
}

/* A line of names, then one of values. */
static bool read_snmp(struct lab_netns_counts *c)
{
	FILE *f = fopen("/proc/thread-self/net/snmp", "re");
	char names[1024], values[1024];

	if (!f)
		return false;
	while (fgets(names, sizeof(names), f) &&
	       fgets(values, sizeof(values), f)) {
		if (strncmp(names, "Tcp:", 4) == 0) {
			c->tcp = column(names, values, "InSegs");
			c->tcp_wrong = column(names, values, "InCsumErrors");
		} else if (strncmp(names, "Udp:", 4) == 0) {
			c->udp = column(names, values, "InDatagrams");
			c->udp4_wrong = column(names, values, "InCsumErrors");
			c->overflow = column(names, values, "RcvbufErrors");
		}
	}
	fclose(f);
	return true;
}

/* A name and a value on each line. */
static bool read_snmp6(struct lab_netns_counts *c)
{
	FILE *f = fopen("/proc/thread-self/net/snmp6", "re");
	char name[64];
	uint64_t value;

	if (!f)
		return false;
	while (fscanf(f, "%63s %" SCNu64, name, &value) == 2) {
		if (strcmp(name, "Udp6InDatagrams") == 0)
			c->udp += value;
		else if (strcmp(name, "Udp6InCsumErrors") == 0)
			c->udp6_wrong = value;
		else if (strcmp(name, "Udp6RcvbufErrors") == 0)
			c->overflow += value;
	}
	fclose(f);
	return true;
}

/* Behind the name of the device: eight of receiving, and then of sending. */
static bool read_device(struct lab_netns_counts *c)
{
	FILE *f = fopen("/proc/thread-self/net/dev", "re");
	char line[512];

	if (!f)
		return false;
	while (fgets(line, sizeof(line), f)) {
		const char *colon = strchr(line, ':');

		if (colon && strstr(line, device))
			sscanf(colon + 1,
			       "%*u %*u %*u %*u %*u %*u %*u %*u "
			       "%*u %*u %*u %" SCNu64,
			       &c->queue);
	}
	fclose(f);
	return true;
}

static bool read_counts(struct visit *v)
{
	struct lab_netns_counts *c = v->to;

	return read_snmp(c) && read_snmp6(c) && read_device(c);
}

bool lab_netns_count(const struct lab_netns *n, struct lab_netns_counts *c)
{
	char why[LAB_WHY];

	*c = (struct lab_netns_counts){ 0 };
	return visit((struct visit){
		.ns = n->ns, .work = read_counts, .to = c, .why = why });
}

/* ------------------------------------------------------------------------
 * Sockets and programs
 */

static bool open_socket(struct visit *v)
{
	const int *kind = v->from;
	int *s = v->to;

	*s = socket(kind[0], kind[1] | SOCK_CLOEXEC, 0);
	return *s >= 0;
}

int lab_netns_socket(const struct lab_netns *n, int family, int type)
{
	const int kind[] = { family, type };
	char why[LAB_WHY];
	int s = -1;

	visit((struct visit){ .ns = n->ns,
			      .work = open_socket,
			      .from = kind,
			      .to = &s,
			      .why = why });
	return s;
}

pid_t lab_netns_spawn(const struct lab_netns *n, char *const argv[], int *out)
{
	const pid_t parent = getpid();
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	pid = fork();
	if (pid == 0) {
		const int null = open("/dev/null", O_WRONLY);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* a parent that is gone by now sends no signal */
		if (getppid() == parent && setns(n->ns, CLONE_NEWNET) == 0 &&
		    dup2(ends[1], STDOUT_FILENO) >= 0 &&
		    dup2(null, STDERR_FILENO) >= 0)
			execvp(argv[0], argv);
		_exit(127);
	}
	close(ends[1]);
	*out = ends[0];
	if (pid < 0)
		close(ends[0]);
	return pid;
}
