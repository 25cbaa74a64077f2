/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_json.h - one document for one or several runs, as csum-bench/3. */
#ifndef CSUM_BENCH_JSON_H
#define CSUM_BENCH_JSON_H

#include <jansson.h>

#include "bench_options.h"
#include "bench_report.h"
#include "rounds.h"
#include "subject.h"

/*
 * Starts a document on what was asked for.  Returns NULL if there is no memory,
 * which the others pass on.
 */
json_t *bench_json_new(const struct bench_options *opt);

/* Adds a run; @title tells it apart from the others. */
void bench_json_add(json_t *doc, const struct report *r, const char *title);

/* What no plan is made of: something that was timed, by name. */
struct bench_named {
	const char *subject;
	enum lab_kind kind;
	enum lab_op op;
	size_t size, offset; /* BYTES */
	const struct lab_timed *timed;
};

/* A row of it, to which more can be added; and a run of such rows. */
json_t *bench_json_named(const struct bench_named *named,
			 const struct lab_rounds *time);
void bench_json_add_named(json_t *doc, const char *title,
			  const struct lab_rounds *time, uint32_t seed,
			  json_t *rows);

/* Prints the document and frees it; returns an exit status. */
int bench_json_print(json_t *doc);

#endif
