/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_bench.c - `csum bench`: measures routines and small operations on this
 * machine.
 */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_common.h"
#include "bench_goals.h"
#include "bench_report.h"
#include "cli.h"
#include "csum.h"
#include "lab.h"

enum { MOST = 64 };

/* 121 rows by default: about 15 s and 3 s. */
static const double default_row_seconds = 0.12, quick_row_seconds = 0.025;

struct bench_options {
	const char *routines[MOST];
	size_t nroutines;
	const char *files[MOST]; /* to load */
	size_t nfiles;
	struct lab_prefetch prefetches[MOST];
	size_t nprefetches;
	size_t sizes[MOST];
	size_t nsizes;
	size_t offsets[MOST];
	size_t noffsets;
	size_t span;
	double seconds; /* 0: so much for each row */
	uint32_t seed;
	enum lab_mode mode;
	enum lab_op op;
	bool study, small, quick, json;
	bool goals; /* that instead */
};

/* ------------------------------------------------------------------------
 * Options
 */

static void add_bytes(const char *arg, size_t *list, size_t *n,
		      struct argp_state *state)
{
	if (*n == MOST)
		argp_error(state, "more than %d numbers of bytes", MOST);
	list[(*n)++] = bench_bytes(arg, state);
}

static void add_text(const char *arg, const char **list, size_t *n,
		     struct argp_state *state)
{
	if (*n == MOST)
		argp_error(state, "more than %d times the same option", MOST);
	list[(*n)++] = arg;
}

/* The policy that @arg begins with, up to a colon; moves @arg behind it. */
static enum lab_policy parse_policy(const char **arg)
{
	size_t n = strcspn(*arg, ":");

	for (int p = 0; p < LAB_POLICIES; p++)
		if (strlen(lab_policy_names[p]) == n &&
		    strncmp(*arg, lab_policy_names[p], n) == 0) {
			*arg += n;
			return (enum lab_policy)p;
		}
	return LAB_POLICIES;
}

/* POLICY[:LINES[:BYTES]][:nta] */
static struct lab_prefetch parse_prefetch(const char *arg,
					  struct argp_state *state)
{
	/* five lines, as in 2013; from where a packet is not a header */
	struct lab_prefetch p = { .distance = { .lines = 5, .above = 512 } };
	size_t *numbers[] = { &p.distance.lines, &p.distance.above };
	const char *rest = arg;
	uint64_t v;
	char word[16];

	p.policy = parse_policy(&rest);
	for (size_t i = 0; *rest == ':' && p.policy != LAB_POLICIES; i++) {
		int n = (int)strcspn(++rest, ":");

		snprintf(word, sizeof(word), "%.*s", n, rest);
		rest += n;
		if (strcmp(word, "nta") == 0 && !*rest)
			p.hint = LAB_HINT_NTA;
		else if (i < 2 && parse_size(word, &v) && v <= BENCH_MAX_BYTES)
			*numbers[i] = (size_t)v;
		else
			p.policy = LAB_POLICIES;
	}
	if (p.policy == LAB_POLICIES || *rest)
		argp_error(state,
			   "'%s' is not POLICY[:LINES[:BYTES]][:nta], with one "
			   "of none, ahead, bounded, lead, above",
			   arg);
	return p;
}

enum {
	KEY_COPY = 256,
	KEY_STUDY,
	KEY_SMALL,
	KEY_LOAD,
	KEY_PREFETCH,
	KEY_SPAN,
};

static void check_options(const struct bench_options *opt,
			  struct argp_state *state)
{
	if (opt->small &&
	    (opt->op == LAB_COPY || opt->study || opt->nfiles || opt->span ||
	     opt->nprefetches || opt->nsizes || opt->mode == LAB_LATENCY))
		argp_error(state,
			   "--small goes with --routine, --offset, --time, "
			   "--quick, --seed and --json only");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct bench_options *opt = state->input;

	switch (key) {
	case 'r':
		add_text(arg, opt->routines, &opt->nroutines, state);
		return 0;
	case 's':
		add_bytes(arg, opt->sizes, &opt->nsizes, state);
		return 0;
	case 'o':
		add_bytes(arg, opt->offsets, &opt->noffsets, state);
		return 0;
	case 't':
		opt->seconds = bench_seconds(arg, state);
		return 0;
	case 'q':
		opt->quick = true;
		return 0;
	case 'l':
		opt->mode = LAB_LATENCY;
		return 0;
	case 'S':
		opt->seed = bench_seed(arg, state);
		return 0;
	case 'j':
		opt->json = true;
		return 0;
	case KEY_COPY:
		opt->op = LAB_COPY;
		return 0;
	case KEY_STUDY:
		opt->study = true;
		return 0;
	case KEY_SMALL:
		opt->small = true;
		return 0;
	case KEY_LOAD:
		add_text(arg, opt->files, &opt->nfiles, state);
		return 0;
	case KEY_PREFETCH:
		if (opt->nprefetches == MOST)
			argp_error(state, "more than %d prefetches", MOST);
		opt->prefetches[opt->nprefetches++] =
			parse_prefetch(arg, state);
		return 0;
	case KEY_SPAN:
		opt->span = bench_bytes(arg, state);
		return 0;
	case ARGP_KEY_ARG:
		if (strcmp(arg, "goals") == 0 && opt->nfiles == 0) {
			opt->goals = true;
			return 0;
		}
		/* so that --load can be followed by what a shell expands */
		if (opt->nfiles == 0)
			argp_error(state,
				   "'%s' is no experiment; there is: "
				   "goals",
				   arg);
		add_text(arg, opt->files, &opt->nfiles, state);
		return 0;
	case ARGP_KEY_SUCCESS:
		check_options(opt, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "What is measured:", 1 },
	{ "copy", KEY_COPY, NULL, 0, "Copies that sum, beside memcpy", 1 },
	{ "small", KEY_SMALL, NULL, 0,
	  "Small operations and alternatives to them: an update after two "
	  "bytes changed, a header; both in throughput and latency",
	  1 },
	{ "study", KEY_STUDY, NULL, 0,
	  "The routines kept for study as well, see `csum routines`", 1 },
	{ "load", KEY_LOAD, "FILE", 0,
	  "The routines of a shared object as well, see csum-plugin.h; more "
	  "files may follow",
	  1 },
	{ "routine", 'r', "NAME", 0,
	  "This one, of whatever kind; may be repeated (default: csum_partial "
	  "and all routines of the library that can run here)",
	  1 },
	{ "prefetch", KEY_PREFETCH, "POLICY[:LINES[:BYTES]][:nta]", 0,
	  "Every chosen routine that takes it once more, prefetching: ahead, "
	  "bounded, lead (LINES ahead, default 5), or above (ahead from BYTES "
	  "on, default 512); may be repeated",
	  1 },
	{ NULL, 0, NULL, 0, "On which bytes:", 2 },
	{ "size", 's', "N", 0,
	  "N bytes; may be repeated (default: 20 to 65536 in twelve steps)",
	  2 },
	{ "offset", 'o', "N", 0,
	  "Start N bytes after a page boundary; may be repeated (default: 0 "
	  "and 1)",
	  2 },
	{ "span", KEY_SPAN, "BYTES", 0,
	  "Scatter the calls over so many bytes: 256M is beyond any cache "
	  "(default: all calls see the same bytes)",
	  2 },
	{ NULL, 0, NULL, 0, "How:", 3 },
	{ "latency", 'l', NULL, 0,
	  "Make each call wait for the result of the last one", 3 },
	{ "time", 't', "SECONDS", 0, "Measure so long (default: about 15 s)",
	  3 },
	{ "quick", 'q', NULL, 0, "A rough look: about 3 s", 3 },
	{ "seed", 'S', "N", 0, "Seed of the data and of the order", 3 },
	{ "json", 'j', NULL, 0, "Print JSON, with every sample", 3 },
	{ 0 },
};

static const struct argp argp = {
	options,
	parse,
	"\ngoals",
	"Measure routines on this machine, with data in the cache.  Each is "
	"first checked against the model; if one is wrong, nothing is "
	"measured and the exit status is 2.  With \"goals\": what this library "
	"set out to reach, line by line, as met or not, in about a minute."
	"\vThe row \"read\" is a loop that only reads the same bytes: no "
	"routine can be faster.  docs/METHOD.md explains the method and the "
	"JSON.\n\nExamples: csum bench --quick --size 1500\n"
	"          csum bench --copy --study --span 256M --size 1500\n"
	"          csum bench --load ./mine.so",
	NULL,
	NULL,
	NULL,
};

static const size_t default_sizes[] = { 20,  21,   40,	 64,   100,  101,
					576, 1500, 1501, 4096, 9000, 65536 };
static const size_t default_offsets[] = { 0, 1 };

static void set_defaults(struct bench_options *opt)
{
	if (opt->small) {
		opt->sizes[0] = 20;
		opt->nsizes = 1;
	}
	if (!opt->nsizes) {
		memcpy(opt->sizes, default_sizes, sizeof(default_sizes));
		opt->nsizes = sizeof(default_sizes) / sizeof(*default_sizes);
	}
	if (!opt->noffsets) {
		memcpy(opt->offsets, default_offsets, sizeof(default_offsets));
		/* a header is at an even place */
		opt->noffsets = opt->small ? 1
					   : sizeof(default_offsets) /
						     sizeof(*default_offsets);
	}
}

/* ------------------------------------------------------------------------
 * Subjects
 */

struct subjects {
	struct lab_subject *list;
	size_t n, room;
	struct lab_plugin *plugins;
	size_t nplugins;
};

static bool add_subject(struct subjects *s, struct lab_subject subject)
{
	if (s->n == s->room) {
		size_t room = 2 * s->room + 16;
		void *list = realloc(s->list, room * sizeof(*s->list));

		if (!list) {
			trouble("out of memory");
			return false;
		}
		s->list = list;
		s->room = room;
	}
	s->list[s->n++] = subject;
	return true;
}

static bool is_named(const struct bench_options *opt, const char *name)
{
	for (size_t i = 0; i < opt->nroutines; i++)
		if (strcmp(opt->routines[i], name) == 0)
			return true;
	return false;
}

/* By name if names were given, otherwise by default. */
static bool is_chosen(const struct bench_options *opt, const char *name,
		      bool by_default)
{
	return opt->nroutines ? is_named(opt, name) : by_default;
}

static bool has_op(const struct csum_routine *r, enum lab_op op)
{
	return op == LAB_SUM ? r->sum != NULL : r->copy != NULL;
}

/* Itself, and once for each way to prefetch. */
static bool add_routine(struct subjects *s, const struct bench_options *opt,
			const struct lab_entry *e)
{
	struct lab_subject subject = lab_routine(
		e->routine, e->study ? LAB_STUDY : LAB_ROUTINE, opt->op);

	subject.mode = opt->mode;
	if (!add_subject(s, subject))
		return false;
	for (size_t i = 0; e->study && i < opt->nprefetches; i++) {
		struct lab_subject variant = subject;

		if (lab_add_prefetch(&variant, e->study, &opt->prefetches[i]) &&
		    !add_subject(s, variant))
			return false;
	}
	return true;
}

static bool add_plugin(struct subjects *s, const struct bench_options *opt,
		       const struct lab_plugin *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct csum_routine *r = &p->routines[i];
		struct lab_subject subject;
		struct lab_wrong wrong;

		if (!has_op(r, opt->op) || !is_chosen(opt, r->name, true))
			continue;
		subject = lab_routine(r, LAB_PLUGIN, opt->op);
		subject.mode = opt->mode;
		subject.max = p->max[i];
		if (!lab_verify(&subject, &wrong)) {
			bench_print_wrong(&wrong, 1);
			return false;
		}
		if (!add_subject(s, subject))
			return false;
	}
	return true;
}

static bool load_plugins(struct subjects *s, const struct bench_options *opt)
{
	s->plugins = calloc(opt->nfiles + 1, sizeof(*s->plugins));
	if (!s->plugins) {
		trouble("out of memory");
		return false;
	}
	for (size_t i = 0; i < opt->nfiles; i++) {
		const char *file = opt->files[i];
		const char *cause =
			lab_plugin_load(&s->plugins[s->nplugins++], file);

		if (cause) {
			trouble("--load=%s: %s", file, cause);
			return false;
		}
	}
	return true;
}

/* The library's function first, the limit last. */
static bool choose_routines(struct subjects *s, const struct bench_options *opt)
{
	struct lab_subject public = lab_public(opt->op);
	struct lab_subject limit = lab_limit(opt->op);
	struct lab_entry e;

	public.mode = opt->mode;
	limit.mode = opt->mode;
	if (is_chosen(opt, public.name, true) && !add_subject(s, public))
		return false;
	for (size_t i = 0; lab_entry_at(i, &e); i++) {
		const struct csum_routine *r = e.routine;

		if (csum_can_run(r, csum_cpu_features()) &&
		    has_op(r, opt->op) &&
		    is_chosen(opt, r->name, opt->study || !e.study) &&
		    !add_routine(s, opt, &e))
			return false;
	}
	for (size_t i = 0; i < s->nplugins; i++)
		if (!add_plugin(s, opt, &s->plugins[i]))
			return false;
	return add_subject(s, limit);
}

/* Beside the library's, which is what they are compared with. */
static bool choose_small(struct subjects *s, const struct bench_options *opt)
{
	for (const struct lab_small *small = lab_smalls; small->name; small++)
		for (int mode = 0; mode < LAB_MODES; mode++)
			if ((!small->origin ||
			     is_chosen(opt, small->name, true)) &&
			    !add_subject(s,
					 lab_small(small, (enum lab_mode)mode)))
				return false;
	return true;
}

static const char *why_not(const struct bench_options *opt, const char *name)
{
	struct lab_entry e;

	for (size_t i = 0; lab_entry_at(i, &e); i++) {
		if (strcmp(e.routine->name, name) != 0)
			continue;
		if (!csum_can_run(e.routine, csum_cpu_features()))
			return "this machine cannot run it";
		if (!has_op(e.routine, opt->op))
			return opt->op == LAB_SUM ? "it copies only: --copy"
						  : "it sums only";
	}
	return "no such routine";
}

/* Each name that was given, and each prefetch, has made a row. */
static bool all_found(const struct subjects *s, const struct bench_options *opt)
{
	bool prefetches = false;

	for (size_t i = 0; i < opt->nroutines; i++) {
		bool found = false;

		for (size_t j = 0; j < s->n; j++)
			found = found ||
				strcmp(s->list[j].name, opt->routines[i]) == 0;
		if (!found) {
			trouble("--routine=%s: %s; see `csum routines`",
				opt->routines[i],
				why_not(opt, opt->routines[i]));
			return false;
		}
	}
	for (size_t j = 0; j < s->n; j++)
		prefetches = prefetches || s->list[j].distance.lines ||
			     strchr(s->list[j].name, '+');
	if (opt->nprefetches && !prefetches) {
		trouble("--prefetch: no chosen routine takes it; those of "
			"--study do, see `csum routines`");
		return false;
	}
	return true;
}

static void free_subjects(struct subjects *s)
{
	for (size_t i = 0; i < s->nplugins; i++)
		lab_plugin_free(&s->plugins[i]);
	free(s->plugins);
	free(s->list);
}

/* ------------------------------------------------------------------------
 * The command
 */

static int run(struct lab_plan *plan, const struct bench_options *opt)
{
	struct report r = { .plan = plan, .small = opt->small };
	struct lab_usage before, after;
	int status;

	lab_machine_get(&r.machine);
	lab_usage_get(&before);
	status = bench_measure(&r.run, plan);
	lab_usage_get(&after);
	if (status != EXIT_CLEAN)
		return status;
	r.nwarnings =
		lab_warnings(&r.run, &r.machine, &before, &after, r.warnings);
	status = opt->json ? bench_print_json(&r) : bench_print_text(&r);
	lab_run_free(&r.run);
	return status;
}

int cmd_bench(int argc, char **argv)
{
	struct bench_options opt = { .seed = (uint32_t)lab_now() };
	struct subjects s = { 0 };
	struct lab_plan plan;
	int status = EXIT_TROUBLE;

	argp_parse(&argp, argc, argv, 0, NULL, &opt);
	if (opt.goals)
		return bench_goals(opt.seed);
	set_defaults(&opt);
	if (load_plugins(&s, &opt) &&
	    (opt.small ? choose_small(&s, &opt) : choose_routines(&s, &opt)) &&
	    all_found(&s, &opt)) {
		plan = (struct lab_plan){
			.subjects = s.list,
			.nsubjects = s.n,
			.sizes = opt.sizes,
			.nsizes = opt.nsizes,
			.offsets = opt.offsets,
			.noffsets = opt.noffsets,
			.span = opt.span,
			.seconds = opt.seconds,
			.seed = opt.seed,
		};
		if (plan.seconds == 0)
			plan.seconds = lab_plan_seconds(
				&plan, opt.quick ? quick_row_seconds
						 : default_row_seconds);
		status = run(&plan, &opt);
	}
	free_subjects(&s);
	return status;
}
