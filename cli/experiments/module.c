/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * module.c - `csum bench module`: the kernel module with which two carry chains
 * and prefetching were argued about in 2013, case by case.
 *
 * It took the average of 100,000 sums for one way after another, each in a
 * kernel built for it, and called any difference a gain.
 */
#include "experiment.h"

#include <stdio.h>

#include "bench_json.h"
#include "cli.h"
#include "elect.h"
#include "machine.h"

enum { MIB = 1 << 20, WAYS = 4 };

static const struct lab_prefetch ahead5 = { .policy = LAB_PREFETCH_AHEAD,
					    .distance = { .lines = 5 } };

/* Base first. */
static const struct {
	const char *name;
	const char *routine;
	const struct lab_prefetch *prefetch;
} ways[WAYS] = {
	{ "base", "adc_64", NULL },
	{ "prefetch", "adc_64", &ahead5 },
	{ "two chains", "adc2_mixed", NULL },
	{ "both", "adc2_mixed", &ahead5 },
};

static const struct scene {
	const char *title;
	size_t size, span;
	enum lab_order order;
	double published[WAYS]; /* ns */
} scenes[] = {
	{ "4 KiB, always the same",
	  4096,
	  0,
	  LAB_SHUFFLED,
	  { 875, 781, 510, 494 } },
	{ "4 KiB, one after the other over 64 MiB",
	  4096,
	  64 * MIB,
	  LAB_SEQUENTIAL,
	  { 939, 919, 718, 693 } },
	{ "1500 bytes at random even places in 16 blocks of 2 MiB",
	  1500,
	  32 * MIB,
	  LAB_RANDOM_EVEN,
	  { 492, 488, 449, 438 } },
};

enum { SCENES = sizeof(scenes) / sizeof(*scenes) };

struct tally {
	int gains, losses, unseen;
};

static void print_way(const struct report *r, const struct scene *scene,
		      size_t way)
{
	const struct lab_row *row = lab_row_at(&r->run, 0, 0, way);
	struct lab_stats s =
		lab_stats(row->timed.ns, r->run.time.n, r->run.time.room);

	printf("  %-10s %-17s %6.0f %6.3f %8.1f %6.1f %8.1f %6.3f\n",
	       ways[way].name, row->subject->name, scene->published[way],
	       scene->published[way] / scene->published[0], s.median, s.mad,
	       s.mean, lab_against(&r->run, row, r->run.rows).median);
}

static void judge(const struct report *r, size_t way, struct tally *tally)
{
	const struct lab_row *row = lab_row_at(&r->run, 0, 0, way);
	struct bench_verdict v =
		experiment_verdict(lab_against(&r->run, row, r->run.rows));
	char text[BENCH_VERDICT];

	bench_verdict_text(&v, text);
	printf("  %-10s %s\n", ways[way].name, text);
	tally->gains += v.verdict == LAB_FASTER;
	tally->losses += v.verdict == LAB_SLOWER;
	tally->unseen += v.verdict == LAB_TIE || v.verdict == LAB_UNDECIDED;
}

static void print_scene(const struct report *r, const struct scene *scene,
			struct tally *tally)
{
	printf("\n%s\n", scene->title);
	experiment_where(r);
	printf("  %28s %13s %31s\n"
	       "  %28s %6s %6s %8s %6s %8s %6s\n",
	       "", "published", "here", "", "mean", "x base", "ns", "+-",
	       "mean", "x base");
	for (size_t way = 0; way < WAYS; way++)
		print_way(r, scene, way);
	for (size_t way = 1; way < WAYS; way++)
		judge(r, way, tally);
}

static void print_head(const struct bench_options *opt)
{
	experiment_header(opt, "sums in ns, four ways");
	puts("A kernel module of October 2013: the average of 100,000 sums, "
	     "one way after the\nother.  Here all four ways take turns: ns is "
	     "the median of their rounds, each is\ncompared with the base "
	     "round by round, with 99% intervals.");
	/* beyond four times the last cache, see lab_span() */
	if (lab_span("memory") > 4 * 64 * (size_t)MIB)
		puts("The last cache here holds all that the original kept out "
		     "of its caches.");
}

static int choose_ways(struct lab_subject list[WAYS])
{
	int status = EXIT_CLEAN;

	for (size_t i = 0; i < WAYS && status == EXIT_CLEAN; i++)
		status = experiment_subject(&list[i], ways[i].routine, LAB_SUM,
					    ways[i].prefetch);
	return status;
}

static int run_scene(const struct bench_options *opt, json_t *doc,
		     const struct lab_subject *list, const struct scene *scene,
		     struct tally *tally)
{
	static const size_t offset = 0;
	struct lab_plan plan = {
		.subjects = list,
		.nsubjects = WAYS,
		.sizes = &scene->size,
		.nsizes = 1,
		.offsets = &offset,
		.noffsets = 1,
		.span = scene->span,
		.order = scene->order,
		.rival = 1,
		.seconds = experiment_seconds(opt, 24) / SCENES,
	};
	struct report r;
	int status = experiment_plan(opt, &r, &plan);

	if (status != EXIT_CLEAN)
		return status;
	if (opt->json)
		bench_json_add(doc, &r, scene->title);
	else
		print_scene(&r, scene, tally);
	fflush(stdout);
	lab_run_free(&r.run);
	return EXIT_CLEAN;
}

int experiment_module(const struct bench_options *opt)
{
	json_t *doc = opt->json ? bench_json_new(opt) : NULL;
	struct tally tally = { 0 };
	struct lab_subject list[WAYS];
	int status = experiment_no_words(opt);

	if (status == EXIT_CLEAN)
		status = choose_ways(list);
	if (status == EXIT_CLEAN && !opt->json)
		print_head(opt);
	for (size_t i = 0; i < SCENES && status == EXIT_CLEAN; i++)
		status = run_scene(opt, doc, list, &scenes[i], &tally);
	if (status == EXIT_CLEAN && opt->json)
		return bench_json_print(doc);
	json_decref(doc);
	if (status == EXIT_CLEAN)
		printf("\nOf the differences published as gains here are "
		       "gains: "
		       "%d, losses: %d, and such as\nthis measurement cannot "
		       "show: %d.\n",
		       tally.gains, tally.losses, tally.unseen);
	return status;
}
