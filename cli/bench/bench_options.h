/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_options.h - what `csum bench` was asked for. */
#ifndef CSUM_BENCH_OPTIONS_H
#define CSUM_BENCH_OPTIONS_H

#include "cpus.h"
#include "pages.h"
#include "plan.h"

enum { BENCH_MOST = 256 };

struct bench_options {
	/* what would do the same again, for a shell; cut off if too long */
	char command[512];
	/* that instead of rows, or NULL; with its own words */
	const struct experiment *experiment;
	const char *words[BENCH_MOST];
	size_t nwords;
	bool list; /* name the experiments */
	/* who */
	const char *routines[BENCH_MOST];
	size_t nroutines;
	const char *files[BENCH_MOST]; /* to load */
	size_t nfiles;
	struct lab_prefetch prefetches[BENCH_MOST];
	size_t nprefetches;
	enum lab_mode mode;
	enum lab_op op;
	bool study, small;
	/* on which bytes */
	size_t sizes[BENCH_MOST];
	size_t nsizes;
	size_t offsets[BENCH_MOST];
	size_t noffsets;
	const char *mix; /* a name or a file, instead of sizes; or NULL */
	size_t period;	 /* lengths of the mix before they repeat; 0: never */
	size_t span, jitter;
	enum lab_order order;
	bool flush;
	enum lab_page_kind pages;
	/* where, and what else goes on; see bench_scene.h */
	int cpu;		/* -1: anywhere */
	const char *background; /* or NULL */
	enum lab_pair pair;	/* LAB_PAIRS: not said */
	unsigned events;	/* to be counted, see counters.h */
	/* how long */
	double seconds; /* 0: not said */
	bool quick;
	uint32_t seed;
	/* what comes of it */
	const char *against; /* or NULL */
	double narrow;	     /* 0: not asked for */
	unsigned planted;    /* see struct lab_subject */
	const char *compare; /* an old run, or NULL */
	bool json, csv, markdown;
};

/* As options_parse(): OPTIONS_TAKEN, or an exit status. */
int bench_options_parse(struct bench_options *opt, int argc, char **argv);

#endif
