/* SPDX-License-Identifier: BSD-2-Clause */
/* counters.c - what the CPU counts: of this thread, in user space only. */
#define _GNU_SOURCE /* syscall() */
#include "counters.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *const lab_event_names[LAB_EVENTS] = {
	[LAB_CYCLES] = "cycles",
	[LAB_INSTRUCTIONS] = "instructions",
	[LAB_BRANCHES] = "branches",
	[LAB_BRANCH_MISSES] = "branch-misses",
	[LAB_L1D_LOADS] = "L1-dcache-loads",
	[LAB_L1D_LOAD_MISSES] = "L1-dcache-load-misses",
	[LAB_LLC_LOADS] = "LLC-loads",
	[LAB_LLC_LOAD_MISSES] = "LLC-load-misses",
	[LAB_DTLB_LOAD_MISSES] = "dTLB-load-misses",
};

/* ------------------------------------------------------------------------
 * The kernel
 */

#ifdef __linux__

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#define CACHE(which, result)                                                   \
	{                                                                      \
		PERF_TYPE_HW_CACHE,                                            \
			PERF_COUNT_HW_CACHE_##which |                          \
				PERF_COUNT_HW_CACHE_OP_READ << 8 |             \
				PERF_COUNT_HW_CACHE_RESULT_##result << 16      \
	}
#define CORE(which)                                                            \
	{                                                                      \
		PERF_TYPE_HARDWARE, PERF_COUNT_HW_##which                      \
	}

static const struct {
	uint32_t type;
	uint64_t config;
} kernel_events[LAB_EVENTS] = {
	[LAB_CYCLES] = CORE(CPU_CYCLES),
	[LAB_INSTRUCTIONS] = CORE(INSTRUCTIONS),
	[LAB_BRANCHES] = CORE(BRANCH_INSTRUCTIONS),
	[LAB_BRANCH_MISSES] = CORE(BRANCH_MISSES),
	[LAB_L1D_LOADS] = CACHE(L1D, ACCESS),
	[LAB_L1D_LOAD_MISSES] = CACHE(L1D, MISS),
	[LAB_LLC_LOADS] = CACHE(LL, ACCESS),
	[LAB_LLC_LOAD_MISSES] = CACHE(LL, MISS),
	[LAB_DTLB_LOAD_MISSES] = CACHE(DTLB, MISS),
};

int lab_perf_open(uint32_t type, uint64_t config, int group)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.read_format = PERF_FORMAT_GROUP |
			       PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		/* the others of a group run when its first one does */
		.disabled = group < 0,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	const int this_thread = 0, any_cpu = -1;

	return (int)syscall(SYS_perf_event_open, &attr, this_thread, any_cpu,
			    group, PERF_FLAG_FD_CLOEXEC);
}

static int kernel_open(enum lab_event event, int group)
{
	return lab_perf_open(kernel_events[event].type,
			     kernel_events[event].config, group);
}

static bool kernel_enable(int group)
{
	return ioctl(group, PERF_EVENT_IOC_ENABLE, 0) == 0;
}

static bool kernel_disable(int group)
{
	return ioctl(group, PERF_EVENT_IOC_DISABLE, 0) == 0;
}

static bool kernel_read(int group, uint64_t *words, size_t n)
{
	/* their number comes first */
	uint64_t all[1 + 2 + LAB_EVENTS];
	const size_t size = (1 + n) * sizeof(*all);

	if (read(group, all, size) != (ssize_t)size)
		return false;
	memcpy(words, all + 1, n * sizeof(*words));
	return true;
}

static void kernel_close(int fd)
{
	close(fd);
}

static int kernel_paranoid(void)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	int n = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%d", &n) != 1)
		n = 0;
	fclose(f);
	return n;
}

#else

static int kernel_open(enum lab_event event, int group)
{
	(void)event, (void)group;
	errno = ENOSYS;
	return -1;
}

static bool kernel_enable(int group)
{
	(void)group;
	return false;
}

static bool kernel_disable(int group)
{
	(void)group;
	return false;
}

static bool kernel_read(int group, uint64_t *words, size_t n)
{
	(void)group, (void)words, (void)n;
	return false;
}

static void kernel_close(int fd)
{
	(void)fd;
}

static int kernel_paranoid(void)
{
	return 0;
}

#endif

const struct lab_perf lab_perf_kernel = {
	.open = kernel_open,
	.enable = kernel_enable,
	.disable = kernel_disable,
	.read = kernel_read,
	.close = kernel_close,
	.paranoid = kernel_paranoid,
};

/* ------------------------------------------------------------------------
 * Passes
 */

static void start(const struct lab_perf *perf, const struct lab_pass *pass)
{
	(void)perf->enable(pass->fd[0]);
}

/*
 * Stops it and leaves in @grown by how much each word has grown.  Nothing is
 * ever set to 0, which would take another call and leave the times as they are.
 * Returns the share of the time that it was live; 0 if that is not known.
 */
static double stop(const struct lab_perf *perf, struct lab_pass *pass,
		   uint64_t grown[2 + LAB_EVENTS])
{
	const size_t n = 2 + pass->n;
	uint64_t now[2 + LAB_EVENTS];

	memset(grown, 0, (2 + LAB_EVENTS) * sizeof(*grown));
	if (!perf->disable(pass->fd[0]) || !perf->read(pass->fd[0], now, n))
		return 0;
	for (size_t i = 0; i < n; i++)
		grown[i] = now[i] - pass->last[i];
	memcpy(pass->last, now, n * sizeof(*now));
	return grown[0] ? (double)grown[1] / (double)grown[0] : 0;
}

/*
 * The share of the time in which the pass runs.  The kernel refuses a group
 * that is too large for the CPU, but not one that is too large for what others,
 * such as its own watchdog, leave of it; that one never runs.  More than one
 * try, for another group may have its turn just now.
 */
static double try_live(const struct lab_perf *perf, struct lab_pass *pass)
{
	enum { TRIES = 3 };
	uint64_t grown[2 + LAB_EVENTS];
	double best = 0;

	for (int try = 0; try < TRIES && best < 1; try++) {
		double live;

		start(perf, pass);
		live = stop(perf, pass, grown);
		best = live > best ? live : best;
	}
	return best;
}

/*
 * Adds an event, if then all of the pass is live all the time; alone, some of
 * the time is enough.  Otherwise returns false with errno, which is 0 if it was
 * opened and never ran.
 */
static bool add(const struct lab_perf *perf, struct lab_pass *pass,
		enum lab_event event)
{
	const size_t n = pass->n;
	double live;

	pass->fd[n] = perf->open(event, n ? pass->fd[0] : -1);
	if (pass->fd[n] < 0)
		return false;
	pass->event[n] = event;
	pass->n++;
	live = try_live(perf, pass);
	if (n ? live >= 1 : live > 0)
		return true;
	pass->n--;
	perf->close(pass->fd[n]);
	errno = 0;
	return false;
}

/* Of all refusals the first; 0 is no refusal. */
static void explain(struct lab_counters *c, int error)
{
	const int paranoid = c->perf->paranoid();
	static const char no[] = "not available here";

	switch (error) {
	case 0:
		snprintf(c->why, LAB_WHY,
			 "%s: the CPU's counters never run; something else "
			 "may hold them",
			 no);
		break;
	case ENOSYS:
		snprintf(c->why, LAB_WHY,
			 "%s: this system has no perf_event_open()", no);
		break;
	case EACCES:
	case EPERM:
		if (paranoid > 2)
			snprintf(c->why, LAB_WHY,
				 "%s: kernel.perf_event_paranoid is %d; up to "
				 "2 a process may count itself",
				 no, paranoid);
		else
			snprintf(c->why, LAB_WHY,
				 "%s: this process may not use "
				 "perf_event_open(), as in many containers",
				 no);
		break;
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		snprintf(c->why, LAB_WHY,
			 "%s: the system sees no counters in this CPU; few "
			 "virtual machines have any",
			 no);
		break;
	default:
		snprintf(c->why, LAB_WHY, "%s: perf_event_open(): %s", no,
			 strerror(error));
	}
}

size_t lab_counters_open(struct lab_counters *c, unsigned int events,
			 const struct lab_perf *perf)
{
	int error = 0;

	*c = (struct lab_counters){ .perf = perf };
	events &= LAB_ALL_EVENTS;
	while (events) {
		struct lab_pass *pass = &c->passes[c->npasses];

		for (enum lab_event e = 0; e < LAB_EVENTS; e++) {
			const unsigned int bit = 1U << e;

			if (!(events & bit))
				continue;
			if (add(perf, pass, e)) {
				events &= ~bit;
			} else if (pass->n == 0) {
				if (!c->absent)
					error = errno;
				c->absent |= bit;
				events &= ~bit;
			}
		}
		c->npasses += pass->n > 0;
	}
	if (c->npasses == 0 && c->absent)
		explain(c, error);
	return c->npasses;
}

void lab_counters_close(struct lab_counters *c)
{
	for (size_t p = 0; p < c->npasses; p++)
		while (c->passes[p].n > 0)
			c->perf->close(c->passes[p].fd[--c->passes[p].n]);
	c->npasses = 0;
}

void lab_counters_start(struct lab_counters *c, size_t pass)
{
	start(c->perf, &c->passes[pass]);
}

void lab_counters_stop(struct lab_counters *c, size_t pass,
		       struct lab_count counts[LAB_EVENTS])
{
	struct lab_pass *p = &c->passes[pass];
	uint64_t grown[2 + LAB_EVENTS];
	double live;

	memset(counts, 0, LAB_EVENTS * sizeof(*counts));
	live = stop(c->perf, p, grown);
	for (size_t i = 0; i < p->n && live > 0; i++)
		counts[p->event[i]] = (struct lab_count){
			.count = (double)grown[2 + i] / live,
			.live = live,
		};
}
