/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_common.c - options and measuring, see bench_common.h. */
#include "bench_common.h"

#include <stdio.h>

#include "bench_report.h"
#include "cli.h"
#include "progress.h"
#include "warnings.h"

bool bench_bytes(const struct option_use *use, size_t *bytes)
{
	uint64_t v;

	if (!parse_size(use->arg, &v) || v > BENCH_MAX_BYTES)
		return option_wrong(use,
				    "'%s' is not a number of bytes up to "
				    "1G",
				    use->arg);
	*bytes = (size_t)v;
	return true;
}

static void show_progress(double share)
{
	progress_show(share, "");
}

void (*bench_progress(void))(double)
{
	progress_begin("measuring");
	return show_progress;
}

void bench_progress_end(void)
{
	progress_end();
}

int bench_measure(struct lab_run *run, struct lab_plan *plan)
{
	enum lab_status status;
	int trouble_status;

	plan->progress = bench_progress();
	status = lab_run(run, plan);
	bench_progress_end();
	if (status == LAB_OK)
		return EXIT_CLEAN;
	trouble_status = status == LAB_WRONG
				 ? bench_print_wrong(run->wrong, run->nwrong)
				 : trouble("out of memory");
	lab_run_free(run);
	return trouble_status;
}

int bench_report_run(struct report *r, struct lab_plan *plan)
{
	struct lab_usage before, after;
	int status;

	r->plan = plan;
	r->cpu = -1;
	lab_machine_get(&r->machine);
	lab_usage_get(&before);
	status = bench_measure(&r->run, plan);
	lab_usage_get(&after);
	if (status == EXIT_CLEAN)
		r->nwarnings = lab_warnings(&r->run, &r->machine, &before,
					    &after, r->warnings);
	return status;
}
