/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_scene.c - pins, and finds a place for the background. */
#include "bench_scene.h"

#include <stdio.h>

#include "bench_common.h"
#include "cli.h"
#include "cpus.h"
#include "run.h"
#include "whynot.h"

/* A neighbour that disturbs memory and not the core, if there is one. */
static const enum lab_pair preferred[] = { LAB_SHARED_CACHE, LAB_OTHER_CACHE,
					   LAB_SIBLINGS, LAB_SAME_CPU };

static bool find_pair(const struct lab_topology *t,
		      const struct bench_options *opt, enum lab_pair *pair,
		      int cpus[2], char why[LAB_WHY])
{
	if (opt->pair != LAB_PAIRS) {
		*pair = opt->pair;
		return lab_topology_pair(t, *pair, opt->cpu, cpus, why);
	}
	for (size_t i = 0; i < sizeof(preferred) / sizeof(*preferred); i++) {
		*pair = preferred[i];
		if (lab_topology_pair(t, *pair, opt->cpu, cpus, why))
			return true;
	}
	return false;
}

static int begin_background(struct bench_scene *s, const struct lab_topology *t,
			    const struct bench_options *opt)
{
	enum lab_pair pair;
	char why[LAB_WHY];
	int cpus[2];

	if (!find_pair(t, opt, &pair, cpus, why))
		return trouble("--background=%s: %s", opt->background, why);
	if (!lab_pin(0, cpus[0], why) ||
	    !lab_background_start(&s->background, opt->background, cpus[1],
				  lab_topology_cache(t), why))
		return trouble("--background=%s: %s", opt->background, why);
	s->beside = true;
	s->cpu = cpus[0];
	snprintf(s->where, sizeof(s->where), "CPU %d, beside it CPU %d (%s)",
		 cpus[0], cpus[1], lab_pair_names[pair]);
	return EXIT_CLEAN;
}

static int pin(struct bench_scene *s, int cpu)
{
	char why[LAB_WHY];

	if (!lab_pin(0, cpu, why))
		return trouble("--cpu=%d: %s", cpu, why);
	s->cpu = cpu;
	snprintf(s->where, sizeof(s->where), "CPU %d", cpu);
	return EXIT_CLEAN;
}

int bench_scene_begin(struct bench_scene *s, const struct bench_options *opt)
{
	struct lab_topology *t;
	int status;

	*s = (struct bench_scene){ .cpu = -1 };
	if (!opt->background)
		return opt->cpu < 0 ? EXIT_CLEAN : pin(s, opt->cpu);
	t = lab_topology_get();
	if (!t)
		return trouble("--background: the system does not say which "
			       "CPUs there are");
	status = begin_background(s, t, opt);
	lab_topology_free(t);
	return status;
}

int bench_scene_end(struct bench_scene *s)
{
	char why[LAB_WHY];

	if (!s->beside || lab_background_stop(&s->background, why))
		return EXIT_CLEAN;
	return trouble("background: %s", why);
}

int bench_scene_measure(struct bench_scene *s, struct report *r,
			struct lab_plan *plan)
{
	int status = bench_report_run(r, plan);

	if (status != EXIT_CLEAN) {
		bench_scene_end(s);
		return status;
	}
	snprintf(r->where, sizeof(r->where), "%s", s->where);
	r->cpu = s->cpu;
	if (s->beside)
		lab_background_text(&s->background, r->background,
				    sizeof(r->background));
	status = bench_scene_end(s);
	if (status != EXIT_CLEAN)
		lab_run_free(&r->run);
	return status;
}
