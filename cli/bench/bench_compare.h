/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_compare.h - a run against one of before, see docs/BENCH-JSON.md. */
#ifndef CSUM_BENCH_COMPARE_H
#define CSUM_BENCH_COMPARE_H

#include <jansson.h>
#include <stdio.h>

#include "bench_report.h"

/* Starts as { 0 }. */
struct bench_old {
	json_t *doc;
	const char *file;
};

/* EXIT_CLEAN, or EXIT_TROUBLE after saying why. */
int bench_old_load(struct bench_old *old, const char *file);
void bench_old_free(struct bench_old *old);

/*
 * Says on standard error which rows got worse or better, and in @verdict what
 * that comes to: a sentence, and how many are the same, or new.  A
 * row got worse if its median rose by more than the noise of both: for each,
 * the larger of its spread (MAD) and half the interval of its median.  Returns
 * EXIT_BAD_SUMS if any did.
 */
int bench_old_compare(const struct bench_old *old, const struct report *r,
		      FILE *verdict);

#endif
