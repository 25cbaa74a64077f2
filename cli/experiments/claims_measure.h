/* SPDX-License-Identifier: BSD-2-Clause */
/* claims_measure.h - all that one claim measures, and what came of it. */
#ifndef CSUM_CLAIMS_MEASURE_H
#define CSUM_CLAIMS_MEASURE_H

#include "bench_mix.h"
#include "bench_options.h"
#include "bench_report.h"
#include "claims.h"
#include "inlined.h"
#include "pktbuf.h"
#include "stats.h"
#include "whynot.h"

enum { MOST_CLAIM_SUBJECTS = 2 * MOST_TESTS };

enum outcome { HOLDS, FAILS, BETWEEN, NOT_SHOWN, NOT_TRIED, OUTCOMES };

/* All that a claim measures in one scene. */
struct side {
	const char *specs[MOST_CLAIM_SUBJECTS]; /* see struct test */
	struct lab_subject list[MOST_CLAIM_SUBJECTS];
	size_t sizes[MOST_TESTS];
	struct lab_plan plan;
	struct report report;
	struct bench_mix mix;
	struct lab_inlined inlined;
	struct lab_pktbuf_run pktbuf;
	bool wanted, measured;
};

struct result {
	bool tried;
	struct lab_interval ratio, value; /* value: what is judged */
	enum outcome outcome;
};

/* One claim on its way from subjects to an outcome. */
struct judge {
	const struct bench_options *opt;
	const struct claim *claim;
	struct side sides[SCENES];
	struct result results[MOST_TESTS];
	enum outcome outcome;
	char why[LAB_WHY]; /* the claim cannot be tried */
};

/* Adds the subjects of a claim's test number @index to its side. */
void claim_add_test(struct judge *j, size_t index);

/* Measures all sides, in @seconds.  Whatever it returns, end with the next. */
int claim_measure(struct judge *j, double seconds);
void claim_clean_up(struct judge *j);

/* The ratio of a test: the time of its a divided by that of its b. */
struct lab_interval claim_ratio(const struct judge *j, const struct test *t);

#endif
