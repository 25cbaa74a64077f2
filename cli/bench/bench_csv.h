/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_csv.h - the rows of a run for a spreadsheet. */
#ifndef CSUM_BENCH_CSV_H
#define CSUM_BENCH_CSV_H

#include "bench_report.h"

/* Returns an exit status. */
int bench_print_csv(const struct report *r);

#endif
