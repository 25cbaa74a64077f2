/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * prefetch.c - `csum bench prefetch [ROUTINE] [SIZE...]`: how many lines ahead,
 * by which policy, at which size; with data in the cache, with data in none,
 * and while a neighbour wants memory too.
 *
 * In 2013 five lines were chosen from a few runs of a few sizes.
 */
#include "experiment.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_common.h"
#include "bench_json.h"
#include "cli.h"
#include "elect.h"
#include "machine.h"
#include "pick.h"

enum {
	LINES = 17, /* 0 to 16 */
	MOST_SIZES = 8,
	ACROSS = 4, /* maps beside each other */
	MIB = 1 << 20,
};

static const enum lab_policy policies[] = {
	LAB_PREFETCH_AHEAD,
	LAB_PREFETCH_BOUNDED,
	LAB_PREFETCH_LEAD,
	LAB_PREFETCH_ABOVE,
};

enum {
	POLICIES = sizeof(policies) / sizeof(*policies),
	WAYS = POLICIES * LINES,
	SUBJECTS = 1 + WAYS, /* none first, then by policy and lines */
	ABOVE = 1024,	     /* BYTES: between what is short and what is not */
};

static const struct state {
	const char *title;
	bool cold, neighbour;
	double share; /* of the time: memory is less steady than caches */
} states[] = {
	{ "hot", false, false, 0.2 },
	{ "cold", true, false, 0.4 },
	{ "neighbour", true, true, 0.4 },
};

enum { STATES = sizeof(states) / sizeof(*states) };

struct choice {
	const char *routine;
	size_t sizes[MOST_SIZES];
	size_t nsizes;
	struct lab_subject list[SUBJECTS];
};

/* ------------------------------------------------------------------------
 * Text
 */

static const struct lab_row *row_of(const struct lab_run *run, size_t size,
				    size_t policy, size_t lines)
{
	return lab_row_at(run, size, 0, 1 + policy * LINES + lines);
}

/* The time of a row divided by that without prefetching. */
static double ratio(const struct lab_run *run, const struct lab_row *row)
{
	return lab_against(run, row, lab_row_rival(run, row)).median;
}

/* More than fits is as bad as what just fits. */
static void print_percent(double times)
{
	printf(" %3.0f", times < 9.99 ? 100 * times : 999);
}

static void print_table(const struct lab_run *run, size_t size)
{
	const struct lab_row *none = lab_row_at(run, size, 0, 0);

	printf("\n  %zu bytes: %.1f ns without; with, in %% of that\n  lines  ",
	       none->size,
	       lab_quantile(none->timed.ns, run->time.n, 0.5, run->time.room));
	for (int lines = 0; lines < LINES; lines++)
		printf(" %3d", lines);
	for (size_t p = 0; p < POLICIES; p++) {
		printf("\n  %-7s", lab_policy_names[policies[p]]);
		for (size_t lines = 0; lines < LINES; lines++)
			print_percent(ratio(run, row_of(run, size, p, lines)));
	}
	putchar('\n');
}

static char shade(double times)
{
	return times < 0.90   ? 'O'
	       : times < 0.97 ? 'o'
	       : times < 1.03 ? '.'
	       : times < 1.10 ? '+'
			      : '#';
}

/* The maps of a few sizes beside each other. */
static void print_maps(const struct lab_run *run, size_t first)
{
	size_t last = run->plan->nsizes;

	if (last > first + ACROSS)
		last = first + ACROSS;
	printf("\n bytes:  ");
	for (size_t size = first; size < last; size++)
		printf("%-*zu", size + 1 < last ? LINES + 1 : 0,
		       run->plan->sizes[size]);
	for (size_t p = 0; p < POLICIES; p++) {
		printf("\n %-7s", lab_policy_names[policies[p]]);
		for (size_t size = first; size < last; size++) {
			putchar(' ');
			for (size_t lines = 0; lines < LINES; lines++)
				putchar(shade(ratio(
					run, row_of(run, size, p, lines))));
		}
	}
	putchar('\n');
}

/* Adds to *@pays if it does.  EXIT_TROUBLE after saying why it cannot tell. */
static int print_best(const struct lab_run *run, size_t size, size_t *pays)
{
	const double *ns[WAYS];
	struct lab_pick pick;
	struct bench_verdict v;
	const struct lab_prefetch *p;
	char text[BENCH_VERDICT], name[32];

	for (size_t i = 0; i < WAYS; i++)
		ns[i] = lab_row_at(run, size, 0, 1 + i)->timed.ns;
	if (!lab_pick(&pick, ns, WAYS, lab_row_at(run, size, 0, 0)->timed.ns,
		      run->time.n))
		return trouble("out of memory");
	v = experiment_verdict(pick.ratio);
	bench_verdict_text(&v, text);
	p = &run->plan->subjects[1 + pick.best].prefetch;
	snprintf(name, sizeof(name), "%s:%zu", lab_policy_names[p->policy],
		 p->distance.lines);
	printf("  %5zu %-10s %s\n", run->plan->sizes[size], name, text);
	*pays += v.verdict == LAB_FASTER;
	return EXIT_CLEAN;
}

static int print_state(const struct report *r, const struct state *state)
{
	const struct lab_run *run = &r->run;
	const size_t n = run->plan->nsizes;
	int status = EXIT_CLEAN;
	size_t pays = 0;

	printf("\n%s: ", state->title);
	if (run->plan->span)
		printf("calls shuffled over %zu MiB", run->plan->span / MIB);
	else
		printf("always the same bytes");
	printf(", %zu rounds\n", run->time.n);
	experiment_where(r);
	for (size_t i = 0; i < n; i++)
		print_table(run, i);
	for (size_t i = 0; i < n; i += ACROSS)
		print_maps(run, i);
	puts("\n  the best, chosen in every other round and judged in the "
	     "rest");
	for (size_t i = 0; i < n && status == EXIT_CLEAN; i++)
		status = print_best(run, i, &pays);
	printf("  Prefetching pays, beyond the noise, at %zu of %zu sizes.\n",
	       pays, n);
	fflush(stdout);
	return status;
}

static void print_head(const struct bench_options *opt,
		       const struct choice *choice)
{
	char title[64];

	snprintf(title, sizeof(title), "%s, 0 to %d lines ahead",
		 choice->routine, LINES - 1);
	experiment_header(opt, title);
	printf("Maps: from left to right 0 to %d lines; # slower than without "
	       "by over 10%%,\n+ by over 3%%, . neither, o faster by over 3%%, "
	       "O by over 10%%.  above: ahead, from\n%d bytes on.  Intervals "
	       "are of 99%%.\n",
	       LINES - 1, ABOVE);
}

/* ------------------------------------------------------------------------
 * Running
 */

static int take_size(struct choice *c, const char *word)
{
	uint64_t v;

	if (!parse_size(word, &v) || !v || v > BENCH_MAX_BYTES)
		return trouble("prefetch: '%s' is not a number of bytes up to "
			       "1G",
			       word);
	if (c->nsizes == MOST_SIZES)
		return trouble("prefetch: more than %d sizes", MOST_SIZES);
	c->sizes[c->nsizes++] = (size_t)v;
	return EXIT_CLEAN;
}

static int take_routine(struct choice *c, const char *word)
{
	if (c->routine)
		return trouble("prefetch: '%s': one routine at a time", word);
	c->routine = word;
	return EXIT_CLEAN;
}

static int choose_variants(const struct bench_options *opt, struct choice *c)
{
	static const size_t sizes[] = { 576, 1500, 4096, 16384 };
	struct lab_prefetch p = { .policy = LAB_PREFETCH_NONE };
	int status = EXIT_CLEAN;

	for (size_t i = 0; i < opt->nwords && status == EXIT_CLEAN; i++) {
		const char *word = opt->words[i];

		status = isdigit((unsigned char)word[0])
				 ? take_size(c, word)
				 : take_routine(c, word);
	}
	if (!c->routine)
		c->routine = "adc_64";
	if (!c->nsizes) {
		memcpy(c->sizes, sizes, sizeof(sizes));
		c->nsizes = sizeof(sizes) / sizeof(*sizes);
	}
	for (size_t i = 0; i < SUBJECTS && status == EXIT_CLEAN; i++) {
		if (i) {
			p.policy = policies[(i - 1) / LINES];
			p.distance.lines = (i - 1) % LINES;
			p.distance.above = ABOVE;
		}
		status = experiment_subject(&c->list[i], c->routine, LAB_SUM,
					    &p);
	}
	return status;
}

static int run_state(const struct bench_options *opt, json_t *doc,
		     const struct choice *c, const struct state *state)
{
	static const size_t offset = 0;
	struct lab_plan plan = {
		.subjects = c->list,
		.nsubjects = SUBJECTS,
		.sizes = c->sizes,
		.nsizes = c->nsizes,
		.offsets = &offset,
		.noffsets = 1,
		.span = state->cold ? lab_span("memory") : 0,
		.rival = 1,
		.seconds = experiment_seconds(opt, 45) * state->share,
	};
	struct bench_options here = *opt;
	struct report r;
	int status;

	here.background = !state->neighbour ? NULL
			  : opt->background ? opt->background
					    : "stream";
	status = experiment_plan(&here, &r, &plan);
	if (status != EXIT_CLEAN)
		return status;
	if (opt->json)
		bench_json_add(doc, &r, state->title);
	else
		status = print_state(&r, state);
	lab_run_free(&r.run);
	return status;
}

int experiment_prefetch(const struct bench_options *opt)
{
	struct choice *c = calloc(1, sizeof(*c));
	json_t *doc;
	int status;

	if (!c)
		return trouble("out of memory");
	doc = opt->json ? bench_json_new(opt) : NULL;
	status = choose_variants(opt, c);
	if (status == EXIT_CLEAN && !opt->json)
		print_head(opt, c);
	for (size_t i = 0; i < STATES && status == EXIT_CLEAN; i++)
		status = run_state(opt, doc, c, &states[i]);
	free(c);
	if (status == EXIT_CLEAN && opt->json)
		return bench_json_print(doc);
	json_decref(doc);
	return status;
}
