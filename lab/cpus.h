/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpus.h - which CPUs there are, what they share, and how to stay on one.
 *
 * A CPU here is what the system runs threads on, by the system's number for it:
 * one hardware thread.
 */
#ifndef CSUM_LAB_CPUS_H
#define CSUM_LAB_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "whynot.h"

/*
 * Keeps a process, or with @pid 0 this thread alone, on one CPU.  What it
 * starts afterwards stays there too.  Returns false and says why if it cannot.
 */
bool lab_pin(pid_t pid, int cpu, char why[LAB_WHY]);

/* The CPUs of this machine, and which of them this process may use. */
struct lab_topology;

/*
 * What may be used is what this thread may use now, so ask before pinning it.
 * NULL if the system does not say.
 */
struct lab_topology *lab_topology_get(void);

/*
 * A machine that is not there, for tests.  @machine: as hwloc describes it,
 * "pack:2 l3:1 core:4 pu:2"; @allowed: numbers, "0-3,6".
 */
struct lab_topology *lab_topology_imagine(const char *machine,
					  const char *allowed);

/* NULL is all right. */
void lab_topology_free(struct lab_topology *t);

/* "1 package, 2 cores, 1 thread each, L3 shared by 2 cores" */
void lab_topology_text(const struct lab_topology *t, char *out, size_t size);

/* BYTES of the last cache before memory, as one CPU sees it; 0 if unknown. */
size_t lab_topology_cache(const struct lab_topology *t);

/* The CPUs that may be used, neighbours together; -1 past the end. */
int lab_topology_cpu(const struct lab_topology *t, size_t index);

/* Where two threads can be to each other. */
enum lab_pair {
	LAB_SAME_CPU,
	LAB_SIBLINGS,	  /* two hardware threads of one core */
	LAB_SHARED_CACHE, /* two cores before the same last cache */
	LAB_OTHER_CACHE,  /* two cores that share memory only */
	LAB_PAIRS,
};

/* "same", "sibling", "shared-cache", "other-cache" */
extern const char *const lab_pair_names[LAB_PAIRS];

/*
 * Finds such a pair among the CPUs that may be used; the first is @cpu, or any
 * if @cpu is -1.  Returns false and says why if there is none.
 */
bool lab_topology_pair(const struct lab_topology *t, enum lab_pair pair,
		       int cpu, int cpus[2], char why[LAB_WHY]);

#endif
