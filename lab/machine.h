/* SPDX-License-Identifier: BSD-2-Clause */
/* machine.h - the machine that figures come from, and what it did meanwhile. */
#ifndef CSUM_LAB_MACHINE_H
#define CSUM_LAB_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

struct lab_cache {
	char name[8]; /* "L1d" */
	char size[16];
};

enum { LAB_CACHES = 8 };

/* Strings are empty where the system does not say. */
struct lab_machine {
	char arch[32];
	char cpu[96];
	char kernel[96];
	char governor[32];
	char hypervisor[32]; /* "none" if there is none */
	char microcode[32];
	char turbo[4];	     /* "on" or "off" */
	char smt[16];	     /* "on", "off" or "not supported" */
	char huge_pages[16]; /* "always", "madvise" or "never" */
	char topology[96];
	struct lab_cache caches[LAB_CACHES];
	size_t ncaches;
	long cpus;
	long page_size; /* BYTES */
	double load;	/* of the last minute, in processes; -1 if unknown */
	const char *compiler;
	const char *flags;
	const char *commit;
	bool optimised;
	bool sanitised;
};

void lab_machine_get(struct lab_machine *m);

/*
 * The settings of the system in @m, from files below @root: "" outside of
 * tests.
 */
void lab_machine_settings(struct lab_machine *m, const char *root);

/*
 * The span for "L2", "L3" or "memory": half of that cache, which the cache
 * before does not hold; or four times the last cache, 256 MiB at least.  0 if
 * the size is not known.
 */
size_t lab_span(const char *where);

/* Disturbances by the system so far: before and after a run, to subtract. */
struct lab_usage {
	double steal; /* ticks that the host took from this guest... */
	double ticks; /* ...of all ticks */
	long preempted;
	int cpu;
};

void lab_usage_get(struct lab_usage *u);

#endif
