/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_report.h - what `csum bench` has to tell, and two ways to print it. */
#ifndef CSUM_BENCH_REPORT_H
#define CSUM_BENCH_REPORT_H

#include "lab.h"

struct report {
	const struct lab_plan *plan;
	struct lab_run run;
	struct lab_machine machine;
	struct lab_warning warnings[LAB_WARNINGS];
	size_t nwarnings;
	bool small; /* small operations: a table of its own */
};

/* Both return an exit status. */
int bench_print_text(const struct report *r);
int bench_print_json(const struct report *r);

/* Says of each routine that is wrong how; returns EXIT_TROUBLE. */
int bench_print_wrong(const struct lab_wrong *wrong, size_t n);

#endif
