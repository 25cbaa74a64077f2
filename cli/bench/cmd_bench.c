/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_bench.c - `csum bench`: measures routines and small operations on this
 * machine, or does an experiment.
 */
#include <stdio.h>

#include "bench_common.h"
#include "bench_compare.h"
#include "bench_csv.h"
#include "bench_json.h"
#include "bench_markdown.h"
#include "bench_mix.h"
#include "bench_options.h"
#include "bench_scene.h"
#include "bench_sentence.h"
#include "bench_subjects.h"
#include "cli.h"
#include "elect.h"
#include "experiments/experiment.h"
#include "flush.h"

/* 121 rows by default: about 15 s and 3 s. */
static const double default_row_seconds = 0.12, quick_row_seconds = 0.025;

/* Until it is sure: so long at most. */
static const double most_seconds = 60;

static int list_experiments(void)
{
	const struct experiment *e;

	for (size_t i = 0; (e = experiment_at(i)); i++)
		printf("%-11s %s\n", e->name, e->what);
	return EXIT_CLEAN;
}

static double seconds_of(const struct bench_options *opt,
			 const struct lab_plan *plan)
{
	if (opt->seconds > 0)
		return opt->seconds;
	if (opt->narrow > 0)
		return most_seconds;
	return lab_plan_seconds(plan, opt->quick ? quick_row_seconds
						 : default_row_seconds);
}

static int print(const struct report *r, const struct bench_options *opt)
{
	json_t *doc;

	if (opt->csv)
		return bench_print_csv(r);
	if (opt->markdown)
		return bench_print_markdown(r);
	if (!opt->json) {
		bench_print_text(r);
		if (!r->small)
			bench_print_sentence(r);
		return EXIT_CLEAN;
	}
	doc = bench_json_new(opt);
	bench_json_add(doc, r, r->plan->span ? "over a span" : "in cache");
	return bench_json_print(doc);
}

static int measure_in_scene(struct report *r, struct lab_plan *plan,
			    const struct bench_options *opt)
{
	struct bench_scene scene;
	int status = bench_scene_begin(&scene, opt);

	return status == EXIT_CLEAN ? bench_scene_measure(&scene, r, plan)
				    : status;
}

static int measure_plan(struct lab_plan *plan, const struct bench_options *opt)
{
	struct report r = { .small = opt->small };
	struct bench_old old = { 0 };
	int status = EXIT_CLEAN, worse = EXIT_CLEAN;

	/* before minutes are spent */
	if (opt->compare)
		status = bench_old_load(&old, opt->compare);
	if (status == EXIT_CLEAN)
		status = measure_in_scene(&r, plan, opt);
	if (status == EXIT_CLEAN) {
		status = print(&r, opt);
		if (opt->compare)
			worse = bench_old_compare(
				&old, &r,
				opt->json || opt->csv ? stderr : stdout);
		lab_run_free(&r.run);
	}
	bench_old_free(&old);
	return worse > status ? worse : status;
}

static int run_rows(const struct bench_options *opt)
{
	struct bench_subjects s = { 0 };
	struct bench_mix mix = { 0 };
	int status = EXIT_TROUBLE;

	if (bench_subjects_choose(&s, opt) &&
	    (!opt->mix || bench_mix_load(&mix, opt->mix))) {
		struct lab_plan plan = {
			.subjects = s.list,
			.nsubjects = s.n,
			.sizes = opt->mix ? &mix.mean : opt->sizes,
			.nsizes = opt->mix ? 1 : opt->nsizes,
			.offsets = opt->offsets,
			.noffsets = opt->noffsets,
			.span = opt->span,
			.order = opt->order,
			.jitter = opt->jitter,
			.flush = opt->flush,
			.pages = opt->pages,
			.events = opt->events,
			.mix = opt->mix ? &mix.mix : NULL,
			.periods = opt->mix ? &opt->period : NULL,
			.rival = s.rival,
			.narrow = opt->narrow,
			.enough = opt->narrow > 0 ? lab_narrow_now : NULL,
			.seed = opt->seed,
		};

		plan.seconds = seconds_of(opt, &plan);
		status = measure_plan(&plan, opt);
	}
	bench_mix_free(&mix);
	bench_subjects_free(&s);
	return status;
}

int cmd_bench(int argc, char **argv)
{
	struct bench_options opt;
	int status = bench_options_parse(&opt, argc, argv);

	if (status != OPTIONS_TAKEN)
		return status;
	if (opt.list)
		return list_experiments();
	if (opt.flush && !lab_flush(&opt, 1))
		return trouble("--flush: not available here");
	if (opt.experiment)
		return opt.experiment->run(&opt);
	return run_rows(&opt);
}
