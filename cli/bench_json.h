/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_json.h - one document for one or several runs, as csum-bench/3. */
#ifndef CSUM_BENCH_JSON_H
#define CSUM_BENCH_JSON_H

#include <jansson.h>

#include "bench_report.h"

/*
 * Starts a document; @experiment: as in `csum bench NAME`, or "rows".  Returns
 * NULL if there is no memory, which the others pass on.
 */
json_t *bench_json_new(const char *experiment);

/* Adds a run; @title tells it apart from the others. */
void bench_json_add(json_t *doc, const struct report *r, const char *title);

/* Prints the document and frees it; returns an exit status. */
int bench_json_print(json_t *doc);

#endif
