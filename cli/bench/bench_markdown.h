/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_markdown.h - a run as tables of Markdown. */
#ifndef CSUM_BENCH_MARKDOWN_H
#define CSUM_BENCH_MARKDOWN_H

#include "bench_report.h"

/* Returns an exit status. */
int bench_print_markdown(const struct report *r);

#endif
