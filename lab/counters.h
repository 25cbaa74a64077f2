/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counters.h - events that the CPU counts, of this thread and in user space.
 *
 * A CPU counts only so many events at once.  Asked for more, the kernel lets
 * them take turns, and then each was seen for a part of the time only.  Here
 * the events are dealt to passes that the CPU can count as a whole, and each
 * sample is measured in one pass.
 */
#ifndef CSUM_LAB_COUNTERS_H
#define CSUM_LAB_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "whynot.h"

enum lab_event {
	LAB_CYCLES,
	LAB_INSTRUCTIONS,
	LAB_BRANCHES,
	LAB_BRANCH_MISSES,
	LAB_L1D_LOADS,
	LAB_L1D_LOAD_MISSES,
	LAB_LLC_LOADS,
	LAB_LLC_LOAD_MISSES,
	LAB_DTLB_LOAD_MISSES,
	LAB_EVENTS,
};

/* Names of the events, as perf(1) has them. */
extern const char *const lab_event_names[LAB_EVENTS];

/* A set of events has bit 1 << event for each. */
enum { LAB_ALL_EVENTS = (1 << LAB_EVENTS) - 1 };

struct lab_count {
	double count; /* scaled up if the counter was live for a part only */
	double live;  /* share of the time, 0 to 1; at 0 there is no count */
};

/*
 * Whom the counters are asked of: the kernel, or what a test puts there.
 * Descriptors are as in perf_event_open(): that of a group is its first one's.
 * -1 or false is a failure, with errno.
 */
struct lab_perf {
	/* a counter that does not run yet; @group -1 starts a group */
	int (*open)(enum lab_event event, int group);
	bool (*enable)(int group);
	bool (*disable)(int group);
	/*
	 * ns that it was enabled, ns that it ran, then the counts in the order
	 * of opening; since it was opened, and @n of them in all.
	 */
	bool (*read)(int group, uint64_t *words, size_t n);
	void (*close)(int fd);
	/* kernel.perf_event_paranoid; 0 if unknown */
	int (*paranoid)(void);
};

extern const struct lab_perf lab_perf_kernel;

#ifdef __linux__
/* Opens the counter of an event by the numbers of <linux/perf_event.h>. */
int lab_perf_open(uint32_t type, uint64_t config, int group);
#endif

struct lab_pass {
	size_t n;
	enum lab_event event[LAB_EVENTS];
	int fd[LAB_EVENTS];
	uint64_t last[2 + LAB_EVENTS]; /* words of the last lab_perf.read */
};

struct lab_counters {
	const struct lab_perf *perf;
	size_t npasses;
	struct lab_pass passes[LAB_EVENTS];
	unsigned int absent; /* events asked for that cannot be counted */
	/* the reason if no event can be counted: "not available here: ..." */
	char why[LAB_WHY];
};

/*
 * Finds out what can be counted at once, so that every event that can be
 * counted is in one pass.  They count the thread that calls this.  Returns the
 * number of passes; whatever it is, end with lab_counters_close().
 */
size_t lab_counters_open(struct lab_counters *c, unsigned int events,
			 const struct lab_perf *perf);
void lab_counters_close(struct lab_counters *c);

/*
 * Around a sample, outside of its clock: the two take some us, in the kernel.
 * @pass is below npasses.  What is not in it has no count.
 */
void lab_counters_start(struct lab_counters *c, size_t pass);
void lab_counters_stop(struct lab_counters *c, size_t pass,
		       struct lab_count counts[LAB_EVENTS]);

#endif
