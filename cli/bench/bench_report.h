/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_report.h - what a run has to tell: figures, verdicts, a table. */
#ifndef CSUM_BENCH_REPORT_H
#define CSUM_BENCH_REPORT_H

#include "elect.h"
#include "warnings.h"

struct report {
	const struct lab_plan *plan;
	struct lab_run run;
	struct lab_machine machine;
	struct lab_warning warnings[LAB_WARNINGS];
	size_t nwarnings;
	bool small;	     /* small operations: a table of its own */
	int cpu;	     /* that it was pinned to, or -1 */
	char where[96];	     /* in words, or "" */
	char background[96]; /* in words, or "" */
};

extern const char *const bench_op_names[LAB_OPS];
extern const char *const bench_mode_names[LAB_MODES];
extern const char *const bench_order_names[LAB_ORDERS];

double bench_bytes_per_ns(const struct report *r, const struct lab_row *row);

/* 0 where the clock of the core cannot be estimated. */
double bench_cycles_per_byte(const struct report *r, const struct lab_row *row);

/* The median of the ratios in each round; 0 if there is nothing to compare. */
double bench_times_base(const struct report *r, const struct lab_row *row);

/* One row against that of the rival over the same bytes. */
struct bench_verdict {
	const struct lab_row *a, *b;
	struct lab_interval ratio; /* of a's time to b's */
	enum lab_verdict verdict;
};

enum { BENCH_VERDICT = 96 };

/* False past the last one, or if there is no rival. */
bool bench_verdict_at(const struct report *r, size_t index,
		      struct bench_verdict *v);

/* "faster by 3.1% (2.0 to 4.2%)", or that nothing shows. */
void bench_verdict_text(const struct bench_verdict *v,
			char text[BENCH_VERDICT]);

void bench_print_text(const struct report *r);

/* Says of each routine that is wrong how; returns EXIT_TROUBLE. */
int bench_print_wrong(const struct lab_wrong *wrong, size_t n);

#endif
