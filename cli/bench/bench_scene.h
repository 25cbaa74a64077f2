/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_scene.h - on which CPU a run is, and what goes on beside it. */
#ifndef CSUM_BENCH_SCENE_H
#define CSUM_BENCH_SCENE_H

#include "background.h"
#include "bench_options.h"
#include "bench_report.h"
#include "plan.h"

/* Must stay where it is until it has ended. */
struct bench_scene {
	int cpu;	/* -1: anywhere */
	bool beside;	/* something is in the background */
	char where[96]; /* in words, or "" */
	struct lab_background background;
};

/*
 * Pins this thread and starts the background, as @opt has them.  EXIT_CLEAN,
 * and bench_scene_end() is due; or EXIT_TROUBLE after saying why.
 */
int bench_scene_begin(struct bench_scene *s, const struct bench_options *opt);

/*
 * bench_report_run() in a scene that has begun, and the end of the scene.  What
 * was disturbed otherwise than asked for is not reported.
 */
int bench_scene_measure(struct bench_scene *s, struct report *r,
			struct lab_plan *plan);

/*
 * Ends the background.  EXIT_TROUBLE, after saying so, if it did not last as
 * long as the run: then that was not measured which was to be.
 */
int bench_scene_end(struct bench_scene *s);

#endif
