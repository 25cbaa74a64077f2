/* SPDX-License-Identifier: BSD-2-Clause */
/* experiment.c - the list of experiments, and what they share. */
#include "experiment.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../bench_common.h"
#include "../cli.h"

static const struct experiment experiments[] = {
	{ "goals", "what this library set out to reach, as met or not",
	  experiment_goals },
};

const struct experiment *experiment_at(size_t index)
{
	size_t n = sizeof(experiments) / sizeof(*experiments);

	return index < n ? &experiments[index] : NULL;
}

const struct experiment *experiment_find(const char *name)
{
	const struct experiment *e;

	for (size_t i = 0; (e = experiment_at(i)); i++)
		if (strcmp(e->name, name) == 0)
			return e;
	return NULL;
}

void experiment_header(const struct bench_options *opt, const char *title)
{
	struct lab_machine m;

	lab_machine_get(&m);
	printf("csum    %s, commit %s, %s\n"
	       "cpu     %s, active routine %s\n"
	       "%-7s %s, --seed=%" PRIu32 "\n\n",
	       csum_version(), m.commit[0] ? m.commit : "unknown", m.compiler,
	       m.cpu[0] ? m.cpu : "unknown", csum_routine_active(),
	       opt->experiment->name, title, opt->seed);
}

int experiment_measure(struct report *r, struct lab_plan *plan)
{
	*r = (struct report){ .plan = plan };
	return bench_report_run(r, plan);
}

int experiment_rounds(struct lab_rounds *rounds)
{
	enum lab_status status;

	rounds->progress = bench_progress();
	status = lab_rounds_run(rounds);
	bench_progress_end();
	if (status == LAB_OK)
		return EXIT_CLEAN;
	lab_rounds_free(rounds);
	return status == LAB_WRONG
		       ? trouble("a result is wrong, so nothing is reported")
		       : trouble("out of memory");
}
