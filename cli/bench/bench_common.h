/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_common.h - what `csum bench`, its goals and `csum elect` share. */
#ifndef CSUM_BENCH_COMMON_H
#define CSUM_BENCH_COMMON_H

#include "bench_report.h"
#include "options.h"
#include "run.h"

enum { BENCH_MAX_BYTES = 1 << 30 };

/* The argument of an option as BYTES; false after option_wrong(). */
bool bench_bytes(const struct option_use *use, size_t *bytes);

/*
 * Runs @plan, with its progress on standard error if that is a terminal.
 * Returns EXIT_CLEAN, and @run is for lab_run_free(); or EXIT_TROUBLE after
 * saying why, and there is nothing to free.
 */
int bench_measure(struct lab_run *run, struct lab_plan *plan);

/* The same into r->run, with what disturbed it. */
int bench_report_run(struct report *r, struct lab_plan *plan);

/* Begins to show progress, by what is returned; and ends it. */
void (*bench_progress(void))(double);
void bench_progress_end(void);

#endif
