/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pktbuf.c - `csum bench pktbuf`: the header of a packet buffer initialised
 * when it is taken, or when it is returned.
 *
 * A gain of 156 cycles was shown in the initialising code, 145 were left of
 * them in taking and returning, and 0.7% in what the buffers are for.  Each of
 * the three is measured, on one CPU and across two, several times.
 */
#include "pktbuf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_json.h"
#include "cli.h"
#include "cpus.h"
#include "elect.h"
#include "experiment.h"
#include "whynot.h"

enum {
	RUNS = 3,
	HOMES = 2,
	PLACES = 2, /* all on one CPU; on two */
	SCOPES = LAB_PKTBUF_SCOPES,
	WAYS = LAB_PKTBUF_WAYS,
	LENGTH = 1500,
};

/* A question to each scope: the time of @a to that of @b, ways by index. */
static const struct question {
	const char *asks;
	size_t a, b;
} questions[] = {
	{ "initialised when taken, against when returned", 0, 1 },
	{ "when taken: words scattered, against by address", 2, 0 },
	{ "when taken: the next one prefetched, against not", 4, 0 },
};

enum { QUESTIONS = sizeof(questions) / sizeof(*questions) };

/* Figures that are kept of a run. */
struct outcome {
	double ns[SCOPES][WAYS], ghz;
	struct lab_interval ratio[QUESTIONS][SCOPES];
};

struct place {
	char name[24];
	int cpu, other;
	struct outcome runs[RUNS];
};

struct bench {
	const struct bench_options *opt;
	struct place places[HOMES * PLACES];
	size_t nplaces;
	size_t len;
	char alone[LAB_WHY]; /* why there is no second CPU, or "" */
	json_t *doc;
};

static const char *const scope_names[SCOPES] = { "init", "take+return",
						 "workload" };

/* As lab_pktbuf_way() counts them. */
static const char *const way_names[WAYS] = { "take",	"ret",	  "take-s",
					     "ret-s",	"take-p", "ret-p",
					     "take-sp", "ret-sp" };

/* ------------------------------------------------------------------------
 * Where
 */

static void add_place(struct bench *b, int cpu, int other)
{
	struct place *p = &b->places[b->nplaces++];

	*p = (struct place){ .cpu = cpu, .other = other };
	if (other >= 0)
		snprintf(p->name, sizeof(p->name), "%d to %d", cpu, other);
	else if (cpu >= 0)
		snprintf(p->name, sizeof(p->name), "%d", cpu);
	else
		snprintf(p->name, sizeof(p->name), "any");
}

static bool find_pair(const struct bench_options *opt, int cpus[2],
		      char why[LAB_WHY])
{
	static const enum lab_pair preferred[] = { LAB_SHARED_CACHE,
						   LAB_OTHER_CACHE,
						   LAB_SIBLINGS };
	struct lab_topology *t = lab_topology_get();
	bool found = false;

	snprintf(why, LAB_WHY, "the system does not say which CPUs there are");
	if (!t)
		return false;
	if (opt->pair != LAB_PAIRS)
		found = lab_topology_pair(t, opt->pair, opt->cpu, cpus, why);
	else
		for (size_t i = 0; i < 3 && !found; i++)
			found = lab_topology_pair(t, preferred[i], opt->cpu,
						  cpus, why);
	lab_topology_free(t);
	return found;
}

static void find_places(struct bench *b)
{
	int cpus[2];

	if (!find_pair(b->opt, cpus, b->alone)) {
		add_place(b, b->opt->cpu, -1);
		return;
	}
	b->alone[0] = 0;
	for (int home = 0; home < HOMES; home++) {
		add_place(b, cpus[home], -1);
		if (cpus[0] != cpus[1])
			add_place(b, cpus[home], cpus[!home]);
	}
}

/* ------------------------------------------------------------------------
 * Measuring
 */

static void keep(const struct lab_pktbuf_run *run, struct outcome *o)
{
	const struct lab_rounds *r = &run->time;

	o->ghz = lab_quantile(r->ghz, r->n, 0.5, r->room);
	for (size_t s = 0; s < SCOPES; s++) {
		const struct lab_timed *items = run->items[s];

		for (size_t w = 0; w < WAYS; w++)
			o->ns[s][w] =
				lab_quantile(items[w].ns, r->n, 0.5, r->room);
		for (size_t q = 0; q < QUESTIONS; q++)
			o->ratio[q][s] = lab_ratio_interval(
				items[questions[q].a].ns,
				items[questions[q].b].ns, r->n, r->room);
	}
}

static void add_json(struct bench *b, const struct lab_pktbuf_run *run,
		     const char *place, int number)
{
	json_t *rows = json_array();
	char title[48];

	for (size_t s = 0; s < SCOPES; s++)
		for (size_t w = 0; w < WAYS; w++) {
			const struct bench_named named = {
				.subject = way_names[w],
				.kind = LAB_STUDY,
				.op = LAB_SUM,
				.size = b->len,
				.timed = &run->items[s][w],
			};
			json_t *row = bench_json_named(&named, &run->time);

			json_object_set_new(row, "op",
					    json_string(scope_names[s]));
			json_array_append_new(rows, row);
		}
	snprintf(title, sizeof(title), "CPU %s, run %d", place, number);
	bench_json_add_named(b->doc, title, &run->time, b->opt->seed, rows);
}

static int measure_place(struct bench *b, struct place *place, int number)
{
	const struct lab_pktbuf_plan plan = {
		.cpu = place->cpu,
		.other = place->other,
		.len = b->len,
		.seconds = experiment_seconds(b->opt, 36) / RUNS /
			   (double)b->nplaces,
		.seed = b->opt->seed + (uint32_t)number,
	};
	struct lab_pktbuf_run run;
	char why[LAB_WHY];
	int status;

	status = lab_pktbuf_begin(&run, &plan, why)
			 ? EXIT_CLEAN
			 : trouble("pktbuf: %s", why);
	if (status == EXIT_CLEAN)
		status = experiment_rounds(&run.time);
	lab_pktbuf_end(&run);
	if (status != EXIT_CLEAN)
		return status;
	keep(&run, &place->runs[number]);
	if (b->doc)
		add_json(b, &run, place->name, number + 1);
	lab_rounds_free(&run.time);
	return EXIT_CLEAN;
}

/* One run of each place, then the next of each: what changes, changes all. */
static int measure_all(struct bench *b)
{
	for (int number = 0; number < RUNS; number++)
		for (size_t i = 0; i < b->nplaces; i++) {
			int status = measure_place(b, &b->places[i], number);

			if (status != EXIT_CLEAN)
				return status;
		}
	return EXIT_CLEAN;
}

/* ------------------------------------------------------------------------
 * The tables
 */

static double middle(const struct place *p, size_t scope, size_t way,
		     bool cycles)
{
	double x[RUNS], room[RUNS];

	for (size_t i = 0; i < RUNS; i++)
		x[i] = p->runs[i].ns[scope][way] *
		       (cycles ? p->runs[i].ghz : 1);
	return lab_quantile(x, RUNS, 0.5, room);
}

static void print_figure(double v)
{
	if (isfinite(v) && v > 0)
		printf(" %11.*f", v < 1000 ? 1 : 0, v);
	else
		printf(" %11s", "-");
}

static void print_place(const struct place *p)
{
	printf("\nCPU %-8s %31s%36s\n       ", p->name, "ns", "est. cycles");
	for (int unit = 0; unit < 2; unit++)
		for (size_t s = 0; s < SCOPES; s++)
			printf(" %11s", scope_names[s]);
	putchar('\n');
	for (size_t w = 0; w < WAYS; w++) {
		printf("%-7s", way_names[w]);
		for (int unit = 0; unit < 2; unit++)
			for (size_t s = 0; s < SCOPES; s++)
				print_figure(middle(p, s, w, unit));
		putchar('\n');
	}
}

static void print_head(const struct bench *b)
{
	experiment_header(b->opt, "headers of packet buffers");
	printf("A header of 256 bytes for each packet of %zu bytes, from a "
	       "pool of the CPU and\nback; %d are taken before any is "
	       "returned.  Initialised when taken (take) or\nreturned (ret); "
	       "-s: its words in a scattered order; -p: with each that is "
	       "taken,\nthe next is prefetched.  \"CPU 0 to 1\": the other "
	       "delivers and returns, by turns,\nso the time of both counts.  "
	       "For each packet, the median of %d runs.\n",
	       b->len, LAB_PKTBUF_BURST, RUNS);
	if (b->alone[0])
		printf("Across CPUs: %s.\n", b->alone);
}

/* ------------------------------------------------------------------------
 * Conclusions
 */

/* The verdict that all runs agree on. */
static const char *agreed(const struct place *p, size_t question, size_t scope)
{
	static const char *const words[] = { [LAB_FASTER] = "saves",
					     [LAB_SLOWER] = "costs",
					     [LAB_TIE] = "the same",
					     [LAB_UNDECIDED] = "not shown" };
	enum lab_verdict first = lab_verdict(p->runs[0].ratio[question][scope]);

	for (size_t i = 1; i < RUNS; i++)
		if (lab_verdict(p->runs[i].ratio[question][scope]) != first)
			return "not shown";
	return words[first];
}

/* The widest that the runs have. */
static struct lab_interval widest(const struct place *p, size_t question,
				  size_t scope)
{
	struct lab_interval all = p->runs[0].ratio[question][scope];
	double medians[RUNS], room[RUNS];

	for (size_t i = 0; i < RUNS; i++) {
		const struct lab_interval *one =
			&p->runs[i].ratio[question][scope];

		all.low = fmin(all.low, one->low);
		all.high = fmax(all.high, one->high);
		medians[i] = one->median;
	}
	all.median = lab_quantile(medians, RUNS, 0.5, room);
	return all;
}

/* A disturbed run may have any figure; the lines fit all the same. */
static int decimals(double v)
{
	return fabs(v) < 10 ? 3 : fabs(v) < 100 ? 2 : 0;
}

static void answer(const struct place *p, size_t question, size_t scope)
{
	const struct question *q = &questions[question];
	struct lab_interval i = widest(p, question, scope);

	printf("  %-11s %-10s", scope_names[scope], p->name);
	for (size_t run = 0; run < RUNS; run++) {
		const struct outcome *o = &p->runs[run];
		double saved =
			(o->ns[scope][q->b] - o->ns[scope][q->a]) * o->ghz;

		printf(" %6.*f", fabs(saved) < 1000 ? 1 : 0, saved);
	}
	if (lab_too_noisy(i))
		printf("  too noisy to say  %s\n", agreed(p, question, scope));
	else
		printf("  %6.*f (%.*f to %.*f) %s\n", decimals(i.median),
		       i.median, decimals(i.low), i.low, decimals(i.high),
		       i.high, agreed(p, question, scope));
}

static void print_answers(const struct bench *b, size_t question)
{
	printf("\n%s:\n"
	       "  %22s  est. cycles saved in  ratio of times, in all runs\n"
	       "  %-11s %-10s %6s %6s %6s\n",
	       questions[question].asks, "", "", "CPU", "run 1", "run 2",
	       "run 3");
	for (size_t scope = 0; scope < SCOPES; scope++)
		for (size_t i = 0; i < b->nplaces; i++)
			answer(&b->places[i], question, scope);
}

static void print_agreed(const struct bench *b, size_t scope, bool across)
{
	const char *between = across ? "; across: " : " on one CPU: ";

	for (size_t i = 0; i < b->nplaces; i++) {
		const struct place *p = &b->places[i];

		if ((p->other >= 0) != across)
			continue;
		printf("%s%s", between, agreed(p, 0, scope));
		between = ", ";
	}
}

static void conclude(const struct bench *b)
{
	puts("\npublished of taking against returning: it saves 156 cycles "
	     "alone, 145 in both\ntogether, 0.7% of a workload, and only "
	     "across CPUs; here, as all runs say, it");
	for (size_t scope = 0; scope < SCOPES; scope++) {
		printf("  %-11s", scope_names[scope]);
		print_agreed(b, scope, false);
		print_agreed(b, scope, true);
		putchar('\n');
	}
}

static int words(struct bench *b)
{
	uint64_t len;

	if (!b->opt->nwords)
		return EXIT_CLEAN;
	if (b->opt->nwords > 1 || !parse_size(b->opt->words[0], &len) || !len ||
	    len > LAB_PKTBUF_LONGEST)
		return trouble("pktbuf: '%s' is not a length of packets, 1 to "
			       "%d bytes",
			       b->opt->words[b->opt->nwords - 1],
			       LAB_PKTBUF_LONGEST);
	b->len = (size_t)len;
	return EXIT_CLEAN;
}

int experiment_pktbuf(const struct bench_options *opt)
{
	struct bench b = { .opt = opt, .len = LENGTH };
	int status = words(&b);

	if (status != EXIT_CLEAN)
		return status;
	find_places(&b);
	if (opt->json)
		b.doc = bench_json_new(opt);
	status = measure_all(&b);
	if (status == EXIT_CLEAN && opt->json)
		return bench_json_print(b.doc);
	json_decref(b.doc);
	if (status != EXIT_CLEAN)
		return status;
	print_head(&b);
	for (size_t i = 0; i < b.nplaces; i++)
		print_place(&b.places[i]);
	for (size_t q = 0; q < QUESTIONS; q++)
		print_answers(&b, q);
	conclude(&b);
	return EXIT_CLEAN;
}
