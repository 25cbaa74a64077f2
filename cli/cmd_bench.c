/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_bench.c - `csum bench`: measures the routines on this machine. */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "csum.h"
#include "lab.h"

enum { MOST = 64, MAX_BYTES = 1 << 30 };

/* 121 rows by default: about 15 s and 3 s. */
static const double default_row_seconds = 0.12, quick_row_seconds = 0.025;

struct bench_options {
	const char *routines[MOST];
	size_t nroutines;
	size_t sizes[MOST];
	size_t nsizes;
	size_t offsets[MOST];
	size_t noffsets;
	double seconds; /* 0: so much for each row */
	uint32_t seed;
	enum lab_mode mode;
	bool quick, json;
};

/* All there is to report. */
struct report {
	const struct lab_plan *plan;
	struct lab_run run;
	struct lab_machine machine;
	struct lab_warning warnings[LAB_WARNINGS];
	size_t nwarnings;
};

/* ------------------------------------------------------------------------
 * Options
 */

static void add_bytes(const char *arg, size_t *list, size_t *n,
		      struct argp_state *state)
{
	uint64_t v;

	if (!parse_size(arg, &v) || v > MAX_BYTES)
		argp_error(state, "'%s' is not a number of bytes up to 1G",
			   arg);
	if (*n == MOST)
		argp_error(state, "more than %d numbers of bytes", MOST);
	list[(*n)++] = (size_t)v;
}

static double parse_seconds(const char *arg, struct argp_state *state)
{
	char *end;
	double v = strtod(arg, &end);

	if (*end || !(v > 0 && v <= 86400))
		argp_error(state, "'%s' is not a time in seconds", arg);
	return v;
}

static uint32_t parse_seed(const char *arg, struct argp_state *state)
{
	uint64_t v;

	if (!parse_size(arg, &v) || v > UINT32_MAX)
		argp_error(state, "'%s' is not a number below 2^32", arg);
	return (uint32_t)v;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct bench_options *opt = state->input;

	switch (key) {
	case 'r':
		if (opt->nroutines == MOST)
			argp_error(state, "more than %d routines", MOST);
		opt->routines[opt->nroutines++] = arg;
		return 0;
	case 's':
		add_bytes(arg, opt->sizes, &opt->nsizes, state);
		return 0;
	case 'o':
		add_bytes(arg, opt->offsets, &opt->noffsets, state);
		return 0;
	case 't':
		opt->seconds = parse_seconds(arg, state);
		return 0;
	case 'q':
		opt->quick = true;
		return 0;
	case 'l':
		opt->mode = LAB_LATENCY;
		return 0;
	case 'S':
		opt->seed = parse_seed(arg, state);
		return 0;
	case 'j':
		opt->json = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_usage(state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{ "routine", 'r', "NAME", 0,
	  "Measure this one; may be repeated (default: csum_partial and all "
	  "routines that can run here)",
	  0 },
	{ "size", 's', "N", 0,
	  "Sum N bytes; may be repeated (default: 20 to 65536 in twelve steps)",
	  0 },
	{ "offset", 'o', "N", 0,
	  "Start N bytes after a page boundary; may be repeated (default: 0 "
	  "and 1)",
	  0 },
	{ "latency", 'l', NULL, 0,
	  "Make each call wait for the result of the last one", 0 },
	{ "time", 't', "SECONDS", 0, "Measure so long (default: about 15 s)",
	  0 },
	{ "quick", 'q', NULL, 0, "A rough look: about 3 s", 0 },
	{ "seed", 'S', "N", 0, "Seed of the data and of the order", 0 },
	{ "json", 'j', NULL, 0, "Print JSON, with every sample", 0 },
	{ 0 },
};

static const struct argp argp = {
	options,
	parse,
	NULL,
	"Measure the routines on this machine, with data in the cache.  Each "
	"is first checked against the model; if one is wrong, nothing is "
	"measured and the exit status is 2."
	"\vThe row \"read\" is a loop that only reads the same bytes: no "
	"routine can be faster.  docs/METHOD.md explains the method and the "
	"JSON.\n\nExample: csum bench --quick --size 1500",
	NULL,
	NULL,
	NULL,
};

static const size_t default_sizes[] = { 20,  21,   40,	 64,   100,  101,
					576, 1500, 1501, 4096, 9000, 65536 };
static const size_t default_offsets[] = { 0, 1 };

static void set_defaults(struct bench_options *opt)
{
	if (!opt->nsizes) {
		memcpy(opt->sizes, default_sizes, sizeof(default_sizes));
		opt->nsizes = sizeof(default_sizes) / sizeof(*default_sizes);
	}
	if (!opt->noffsets) {
		memcpy(opt->offsets, default_offsets, sizeof(default_offsets));
		opt->noffsets =
			sizeof(default_offsets) / sizeof(*default_offsets);
	}
}

/* ------------------------------------------------------------------------
 * Subjects
 */

static bool asked_for(const struct bench_options *opt, const char *name)
{
	for (size_t i = 0; i < opt->nroutines; i++)
		if (strcmp(opt->routines[i], name) == 0)
			return true;
	return opt->nroutines == 0;
}

/* Says what is wrong with the first bad name. */
static bool names_are_good(const struct bench_options *opt)
{
	for (size_t i = 0; i < opt->nroutines; i++) {
		const char *name = opt->routines[i];
		const struct csum_routine *r = csum_routines;

		if (strcmp(name, lab_public().name) == 0)
			continue;
		while (r->name && strcmp(name, r->name) != 0)
			r++;
		if (!r->name || !csum_can_run(r, csum_cpu_features())) {
			trouble("--routine=%s: %s; see `csum routines`", name,
				r->name ? "this machine cannot run it"
					: "no such routine");
			return false;
		}
	}
	return true;
}

/* The library's function first, the limit last. */
static size_t choose(const struct bench_options *opt, struct lab_subject *s)
{
	size_t n = 0;

	if (asked_for(opt, lab_public().name))
		s[n++] = lab_public();
	for (const struct csum_routine *r = csum_routines; r->name; r++)
		if (csum_can_run(r, csum_cpu_features()) &&
		    asked_for(opt, r->name))
			s[n++] = lab_routine(r);
	s[n++] = lab_read_loop();
	return n;
}

/* ------------------------------------------------------------------------
 * Text
 */

/* Three or four digits that mean something: how many after the point. */
static int digits(double v)
{
	return v < 100 ? 2 : v < 1000 ? 1 : 0;
}

static void print_or_dash(int width, int precision, double v)
{
	if (isfinite(v) && v > 0)
		printf(" %*.*f", width, precision, v);
	else
		printf(" %*s", width, "-");
}

static struct lab_stats stats_of(const struct report *r,
				 const struct lab_row *row)
{
	return lab_stats(row->ns, r->run.rounds, r->run.room);
}

static double times_read(const struct report *r, const struct lab_row *row)
{
	const struct lab_row *read = lab_row_read(&r->run, row);

	return lab_ratio(row->ns, read->ns, r->run.rounds, r->run.room);
}

static double median(const struct report *r, const double *x)
{
	return lab_quantile(x, r->run.rounds, 0.5, r->run.room);
}

static double cycles_per_byte(const struct report *r, const struct lab_row *row)
{
	return stats_of(r, row).median * median(r, r->run.ghz) /
	       (double)row->size;
}

static void print_header(const struct report *r)
{
	const struct lab_machine *m = &r->machine;
	struct lab_stats empty = stats_of(r, &r->run.empty);
	double ghz = median(r, r->run.ghz);

	printf("csum    %s%s%s, %s, %s\n", csum_version(),
	       m->commit[0] ? ", commit " : "", m->commit, m->compiler,
	       m->flags[0] ? m->flags : "no flags");
	printf("cpu     %s, %ld online\n", m->cpu[0] ? m->cpu : "unknown",
	       m->cpus);
	printf("caches ");
	for (size_t i = 0; i < m->ncaches; i++)
		printf("%s %s %s", i ? "," : "", m->caches[i].name,
		       m->caches[i].size);
	puts(m->ncaches ? "" : " unknown");
	if (ghz > 0)
		printf("core    about %.2f GHz, %.1f additions per cycle\n",
		       ghz, median(r, r->run.width));
	printf("system  %s %s, hypervisor %s, governor %s\n", m->kernel,
	       m->arch, m->hypervisor[0] ? m->hypervisor : "unknown",
	       m->governor[0] ? m->governor : "unknown");
	printf("active  %s, in csum_partial; the read loop is %s\n",
	       csum_routine_active(), lab_read_isa());
	printf("run     %s, %zu rounds in %.1f s, --seed=%" PRIu32 "\n",
	       r->plan->mode == LAB_LATENCY ? "latency" : "throughput",
	       r->run.rounds, r->run.seconds, r->plan->seed);
	printf("cost    empty call %.2f ns +- %.2f, reading the clock %.0f "
	       "ns\n",
	       empty.median, empty.mad, r->run.clock_ns);
	for (size_t i = 0; i < r->nwarnings; i++)
		printf("warning: %s\n", r->warnings[i].text);
	puts("\nns: median per call; +-: median distance from it; cyc/B: "
	     "cycles per byte;\nx read: times the read loop");
}

/* Of one size, at one offset or at two next to each other. */
static void print_group(const struct report *r, size_t size, size_t offset,
			bool second)
{
	const size_t *at = &r->plan->offsets[offset];

	printf("\n%7zu bytes   at offset %zu", r->plan->sizes[size], at[0]);
	if (second)
		printf("%*s%zu", 37 - snprintf(NULL, 0, "%zu", at[0]),
		       "at offset ", at[1]);
	printf("\n%-12s %8s %6s %7s %6s %6s %6s", "", "ns", "+-", "min", "B/ns",
	       "cyc/B", "x read");
	if (second)
		printf(" %8s %6s %6s", "ns", "+-", "x read");
	putchar('\n');
	for (size_t i = 0; i < r->plan->nsubjects; i++) {
		const struct lab_row *row =
			lab_row_at(&r->run, size, offset, i);
		struct lab_stats s = stats_of(r, row);
		double rate = (double)row->size / s.median;
		int d = digits(s.median);

		printf("%-12s %8.*f %6.*f %7.*f", row->subject->name, d,
		       s.median, d, s.mad, d, s.min);
		print_or_dash(6, rate < 100 ? 1 : 0, rate);
		print_or_dash(6, 3, cycles_per_byte(r, row));
		print_or_dash(6, 2, times_read(r, row));
		if (second) {
			row = lab_row_at(&r->run, size, offset + 1, i);
			s = stats_of(r, row);
			d = digits(s.median);
			printf(" %8.*f %6.*f", d, s.median, d, s.mad);
			print_or_dash(6, 2, times_read(r, row));
		}
		putchar('\n');
	}
}

static int print_text(const struct report *r)
{
	print_header(r);
	for (size_t size = 0; size < r->plan->nsizes; size++)
		for (size_t o = 0; o < r->plan->noffsets; o += 2)
			print_group(r, size, o, o + 1 < r->plan->noffsets);
	return EXIT_CLEAN;
}

/* ------------------------------------------------------------------------
 * JSON: docs/METHOD.md describes every field
 */

static json_t *string_or_null(const char *s)
{
	return s[0] ? json_string(s) : json_null();
}

static json_t *number_or_null(double v)
{
	return isfinite(v) && v > 0 ? json_real(v) : json_null();
}

static json_t *reals(const double *x, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_real(x[i]));
	return list;
}

static json_t *integers(const size_t *x, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_integer((json_int_t)x[i]));
	return list;
}

static json_t *machine_json(const struct lab_machine *m)
{
	json_t *caches = json_object();

	for (size_t i = 0; i < m->ncaches; i++)
		json_object_set_new(caches, m->caches[i].name,
				    json_string(m->caches[i].size));
	return json_pack("{so so si so so so so so ss ss sb sb}", "cpu",
			 string_or_null(m->cpu), "arch",
			 string_or_null(m->arch), "cpus", (int)m->cpus,
			 "caches", caches, "kernel", string_or_null(m->kernel),
			 "hypervisor", string_or_null(m->hypervisor),
			 "governor", string_or_null(m->governor), "load",
			 m->load < 0 ? json_null() : json_real(m->load),
			 "compiler", m->compiler, "flags", m->flags,
			 "optimised", m->optimised, "sanitised", m->sanitised);
}

static json_t *settings_json(const struct report *r)
{
	const struct lab_plan *plan = r->plan;

	return json_pack("{ss sf sf si sI so so}", "mode",
			 plan->mode == LAB_LATENCY ? "latency" : "throughput",
			 "seconds", plan->seconds, "sample_ns",
			 r->run.sample_ns, "rounds", (int)r->run.rounds, "seed",
			 (json_int_t)plan->seed, "sizes",
			 integers(plan->sizes, plan->nsizes), "offsets",
			 integers(plan->offsets, plan->noffsets));
}

/* What every row has, the one of the empty call too. */
static json_t *timing_json(const struct report *r, const struct lab_row *row)
{
	struct lab_stats s = stats_of(r, row);

	return json_pack("{sI sf sf sf so}", "calls", (json_int_t)row->calls,
			 "median_ns", s.median, "mad_ns", s.mad, "min_ns",
			 s.min, "samples_ns", reals(row->ns, r->run.rounds));
}

static json_t *row_json(const struct report *r, const struct lab_row *row)
{
	static const char *const kinds[] = { [LAB_ROUTINE] = "routine",
					     [LAB_PUBLIC] = "public",
					     [LAB_READ] = "read" };
	const struct lab_subject *s = row->subject;
	json_t *j = timing_json(r, row);
	char sum[8];

	snprintf(sum, sizeof(sum), "0x%04x", row->sum);
	json_object_update_new(
		j,
		json_pack("{ss ss sI sI ss so so so}", "subject", s->name,
			  "kind", kinds[s->kind], "size", (json_int_t)row->size,
			  "offset", (json_int_t)row->offset, "sum", sum,
			  "bytes_per_ns",
			  number_or_null((double)row->size /
					 stats_of(r, row).median),
			  "cycles_per_byte",
			  number_or_null(cycles_per_byte(r, row)), "x_read",
			  number_or_null(times_read(r, row))));
	return j;
}

static int print_json(const struct report *r)
{
	json_t *rows = json_array(), *warnings = json_array(), *j;
	char consumed[24];
	int failed;

	for (size_t i = 0; i < r->run.nrows; i++)
		json_array_append_new(rows, row_json(r, &r->run.rows[i]));
	for (size_t i = 0; i < r->nwarnings; i++)
		json_array_append_new(warnings,
				      json_string(r->warnings[i].text));
	snprintf(consumed, sizeof(consumed), "0x%016" PRIx64, r->run.consumed);
	j = json_pack("{ss ss so so so ss ss sf sf s{so so so so} so so ss so}",
		      "schema", "csum-bench/1", "version", csum_version(),
		      "commit", string_or_null(r->machine.commit), "machine",
		      machine_json(&r->machine), "settings", settings_json(r),
		      "active", csum_routine_active(), "read_loop",
		      lab_read_isa(), "seconds", r->run.seconds, "clock_ns",
		      r->run.clock_ns, "core", "ghz",
		      number_or_null(median(r, r->run.ghz)), "width",
		      number_or_null(median(r, r->run.width)), "samples_ghz",
		      reals(r->run.ghz, r->run.rounds), "samples_width",
		      reals(r->run.width, r->run.rounds), "empty_call",
		      timing_json(r, &r->run.empty), "rows", rows, "consumed",
		      consumed, "warnings", warnings);
	if (!j)
		return trouble("out of memory");
	failed = json_dumpf(j, stdout, JSON_REAL_PRECISION(6));
	putchar('\n');
	json_decref(j);
	return failed ? trouble("cannot write the output") : EXIT_CLEAN;
}

/* ------------------------------------------------------------------------
 * The command
 */

static void show_progress(double share)
{
	fprintf(stderr, "\rmeasuring: %3.0f%%", 100 * share);
}

static int report_wrong(const struct lab_run *run)
{
	for (size_t i = 0; i < run->nwrong; i++) {
		const struct lab_wrong *w = &run->wrong[i];
		const char *name = w->subject->name;

		if (w->while_timed)
			trouble("%s: changed its answer while it was timed: "
				"%zu bytes at offset %zu, %s",
				name, w->size, w->offset, w->data);
		else if (w->subject->kind == LAB_READ)
			trouble("%s: does not see %zu bytes at offset %zu, %s",
				name, w->size, w->offset, w->data);
		else
			trouble("%s: wrong: %zu bytes at offset %zu, %s: sum "
				"0x%04x, the model says 0x%04x",
				name, w->size, w->offset, w->data, w->got,
				w->want);
	}
	return trouble("a routine is wrong, so nothing is reported");
}

static int run(const struct lab_plan *plan, bool json)
{
	struct report r = { .plan = plan };
	struct lab_usage before, after;
	enum lab_status status;
	int exit_status;

	lab_machine_get(&r.machine);
	lab_usage_get(&before);
	status = lab_run(&r.run, plan);
	lab_usage_get(&after);
	if (plan->progress)
		fputs("\r               \r", stderr);
	switch (status) {
	case LAB_OK:
		r.nwarnings = lab_warnings(&r.run, &r.machine, &before, &after,
					   r.warnings);
		exit_status = json ? print_json(&r) : print_text(&r);
		break;
	case LAB_WRONG:
		exit_status = report_wrong(&r.run);
		break;
	default:
		exit_status = trouble("out of memory");
		break;
	}
	lab_run_free(&r.run);
	return exit_status;
}

int cmd_bench(int argc, char **argv)
{
	struct bench_options opt = { .seed = (uint32_t)lab_now() };
	struct lab_subject *subjects;
	struct lab_plan plan;
	int status;

	argp_parse(&argp, argc, argv, 0, NULL, &opt);
	set_defaults(&opt);
	if (!names_are_good(&opt))
		return EXIT_TROUBLE;
	subjects = calloc(csum_routine_count() + 2, sizeof(*subjects));
	if (!subjects)
		return trouble("out of memory");
	plan = (struct lab_plan){
		.subjects = subjects,
		.nsubjects = choose(&opt, subjects),
		.sizes = opt.sizes,
		.nsizes = opt.nsizes,
		.offsets = opt.offsets,
		.noffsets = opt.noffsets,
		.mode = opt.mode,
		.seconds = opt.seconds,
		.seed = opt.seed,
		.progress = isatty(STDERR_FILENO) ? show_progress : NULL,
	};
	if (plan.seconds == 0)
		plan.seconds = lab_plan_seconds(
			&plan,
			opt.quick ? quick_row_seconds : default_row_seconds);
	status = run(&plan, opt.json);
	free(subjects);
	return status;
}
