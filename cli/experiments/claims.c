/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * claims.c - `csum bench claims [NUMBER...]`: what was once asserted, tried on
 * this machine.
 *
 * Each claim has a measurement of its own: its sides take turns, so their ratio
 * is known better than either of them.
 */
#include "claims.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_json.h"
#include "cli.h"
#include "cpus.h"
#include "elect.h"
#include "experiment.h"
#include "inlined.h"
#include "machine.h"
#include "pktbuf.h"
#include "small.h"
#include "whynot.h"

enum { MOST_SUBJECTS = 2 * MOST_TESTS };

enum outcome { HOLDS, FAILS, BETWEEN, NOT_SHOWN, NOT_TRIED, OUTCOMES };

static const char *const outcome_names[OUTCOMES] = {
	[HOLDS] = "holds",
	[FAILS] = "does not hold",
	[BETWEEN] = "lies between what would hold and what would not",
	[NOT_SHOWN] = "cannot be shown within the noise",
	[NOT_TRIED] = "cannot be tried here",
};

static const char *const scene_names[SCENES] = {
	[HOT] = "hot",	   [COLD] = "cold",	  [SEQUENTIAL] = "in order",
	[INLINED] = "hot", [ONE_CPU] = "one CPU", [ACROSS] = "across CPUs",
};

/* All that a claim measures in one place. */
struct side {
	const char *specs[MOST_SUBJECTS];
	struct lab_subject list[MOST_SUBJECTS];
	size_t sizes[MOST_TESTS];
	struct lab_plan plan;
	struct report report;
	struct lab_inlined inlined;
	struct lab_pktbuf_run pktbuf;
	bool wanted, measured;
};

struct result {
	bool tried;
	struct lab_interval ratio, value; /* value: what is judged */
	enum outcome outcome;
};

struct judge {
	const struct bench_options *opt;
	const struct claim *claim;
	struct side sides[SCENES];
	struct result results[MOST_TESTS];
	enum outcome outcome;
	char why[LAB_WHY]; /* it cannot be tried */
};

/* ------------------------------------------------------------------------
 * Who is measured
 */

static bool find_small(const char *spec, const char *at, struct lab_subject *s)
{
	size_t len = (size_t)(at - spec);

	for (const struct lab_small *l = lab_smalls; l->name; l++)
		if (strlen(l->name) == len &&
		    strncmp(l->name, spec, len) == 0 &&
		    strcmp(bench_op_names[l->op], at + 1) == 0) {
			*s = lab_small(l, LAB_THROUGHPUT);
			return true;
		}
	return false;
}

/* "ahead5nta" */
static struct lab_prefetch prefetch_of(const char *text)
{
	struct lab_prefetch p = { .hint = LAB_HINT_ALL };
	char *end = NULL;

	for (int i = 0; i < LAB_POLICIES; i++) {
		size_t n = strlen(lab_policy_names[i]);

		if (strncmp(text, lab_policy_names[i], n) != 0)
			continue;
		p.policy = (enum lab_policy)i;
		p.distance.lines = strtoul(text + n, &end, 10);
	}
	if (end && strcmp(end, "nta") == 0)
		p.hint = LAB_HINT_NTA;
	return p;
}

static bool find_subject(const char *spec, struct lab_subject *s)
{
	const char *at = strchr(spec, '@'), *plus = strchr(spec, '+');
	const struct lab_subject limit = lab_limit(LAB_SUM);
	struct lab_prefetch prefetch;
	char name[LAB_NAME];
	enum lab_op op;

	if (at)
		return find_small(spec, at, s);
	if (strcmp(spec, limit.name) == 0) {
		*s = limit;
		return true;
	}
	snprintf(name, sizeof(name), "%.*s",
		 (int)(plus ? (size_t)(plus - spec) : strlen(spec)), spec);
	/* what sums is not measured as a copy */
	op = experiment_has(name, LAB_SUM) ? LAB_SUM : LAB_COPY;
	if (!experiment_has(name, op))
		return false;
	if (plus)
		prefetch = prefetch_of(plus + 1);
	return experiment_subject(s, name, op, plus ? &prefetch : NULL) ==
	       EXIT_CLEAN;
}

/* Its place among the subjects, or plan.nsubjects. */
static size_t index_of(const struct side *side, const char *spec)
{
	size_t i = 0;

	while (i < side->plan.nsubjects && strcmp(side->specs[i], spec) != 0)
		i++;
	return i;
}

static bool add_subject(struct judge *j, struct side *side, const char *spec)
{
	size_t i = index_of(side, spec);

	if (i < side->plan.nsubjects)
		return true;
	if (!find_subject(spec, &side->list[i])) {
		snprintf(j->why, sizeof(j->why), "%s does not run here", spec);
		return false;
	}
	side->specs[i] = spec;
	side->plan.nsubjects++;
	return true;
}

static size_t size_index(const struct side *side, size_t size)
{
	size_t i = 0;

	while (i < side->plan.nsizes && side->sizes[i] != size)
		i++;
	return i;
}

static void add_test(struct judge *j, size_t index)
{
	const struct test *t = &j->claim->tests[index];
	struct side *side = &j->sides[t->scene];
	size_t i;

	if (t->scene > SEQUENTIAL) {
		j->results[index].tried = side->wanted = true;
		return;
	}
	if (!add_subject(j, side, t->a) || !add_subject(j, side, t->b))
		return;
	i = size_index(side, t->size);
	if (i == side->plan.nsizes)
		side->sizes[side->plan.nsizes++] = t->size;
	j->results[index].tried = side->wanted = true;
}

/* ------------------------------------------------------------------------
 * Measuring
 */

/* Of a claim's time: a row far from the cache takes longer to be sure of. */
static double weight(const struct side *side, enum scene scene)
{
	double rows = (double)(side->plan.nsubjects * side->plan.nsizes);

	if (!side->wanted)
		return 0;
	if (scene == INLINED)
		return 2 * LAB_INLINED_SIZES;
	if (scene > INLINED)
		return LAB_PKTBUF_SCOPES * LAB_PKTBUF_WAYS;
	return scene == HOT ? rows : 3 * rows;
}

static int measure_plan(struct judge *j, struct side *side, enum scene scene)
{
	static const size_t offset = 0;
	size_t memory = lab_span("memory");
	int status;

	if (!memory || memory > LAB_MAX_SPAN)
		memory = (size_t)256 << 20;
	side->plan.subjects = side->list;
	side->plan.sizes = side->sizes;
	side->plan.offsets = &offset;
	side->plan.noffsets = 1;
	side->plan.span = scene == HOT ? 0 : memory;
	side->plan.order = scene == SEQUENTIAL ? LAB_SEQUENTIAL : LAB_SHUFFLED;
	side->plan.seed = j->opt->seed;
	status = experiment_measure(&side->report, &side->plan);
	side->measured = status == EXIT_CLEAN;
	return status;
}

static int measure_inlined(struct judge *j, struct side *side, double seconds)
{
	if (!lab_inlined_begin(&side->inlined, seconds, j->opt->seed))
		return trouble("inlined: the sum is wrong");
	side->measured = experiment_rounds(&side->inlined.time) == EXIT_CLEAN;
	return side->measured ? EXIT_CLEAN : EXIT_TROUBLE;
}

/* False with the cause if there are no two CPUs. */
static bool find_cpus(int cpus[2], char why[LAB_WHY])
{
	static const enum lab_pair pairs[] = { LAB_SHARED_CACHE,
					       LAB_OTHER_CACHE, LAB_SIBLINGS };
	struct lab_topology *t = lab_topology_get();
	bool found = false;

	snprintf(why, LAB_WHY, "the system does not say which CPUs there are");
	for (size_t i = 0; i < 3 && t && !found; i++)
		found = lab_topology_pair(t, pairs[i], -1, cpus, why);
	lab_topology_free(t);
	return found;
}

static int measure_pktbuf(struct judge *j, struct side *side, enum scene scene,
			  double seconds)
{
	struct lab_pktbuf_plan plan = { .cpu = -1,
					.other = -1,
					.len = 1500,
					.seconds = seconds,
					.seed = j->opt->seed };
	char why[LAB_WHY];
	int cpus[2];
	int status = EXIT_CLEAN;

	if (scene == ACROSS) {
		if (!find_cpus(cpus, j->why))
			return EXIT_CLEAN;
		plan.cpu = cpus[0];
		plan.other = cpus[1];
	}
	if (!lab_pktbuf_begin(&side->pktbuf, &plan, why))
		status = trouble("pktbuf: %s", why);
	if (status == EXIT_CLEAN)
		status = experiment_rounds(&side->pktbuf.time);
	lab_pktbuf_end(&side->pktbuf);
	side->measured = status == EXIT_CLEAN;
	return status;
}

static int measure(struct judge *j, double seconds)
{
	double all = 0;
	int status = EXIT_CLEAN;

	for (int s = 0; s < SCENES; s++)
		all += weight(&j->sides[s], (enum scene)s);
	for (int s = 0; s < SCENES && status == EXIT_CLEAN; s++) {
		struct side *side = &j->sides[s];
		double share = seconds * weight(side, (enum scene)s) / all;

		side->plan.seconds = share;
		if (!side->wanted)
			continue;
		if (s == INLINED)
			status = measure_inlined(j, side, share);
		else if (s > INLINED)
			status = measure_pktbuf(j, side, (enum scene)s, share);
		else
			status = measure_plan(j, side, (enum scene)s);
	}
	return status;
}

static void clean_up(struct judge *j)
{
	for (int s = 0; s < SCENES; s++) {
		struct side *side = &j->sides[s];

		if (!side->measured)
			continue;
		if (s == INLINED)
			lab_rounds_free(&side->inlined.time);
		else if (s > INLINED)
			lab_rounds_free(&side->pktbuf.time);
		else
			lab_run_free(&side->report.run);
	}
}

/* ------------------------------------------------------------------------
 * Judging
 */

static struct lab_interval timed_ratio(const struct lab_rounds *r,
				       const struct lab_timed *a,
				       const struct lab_timed *b)
{
	return lab_ratio_interval(a->ns, b->ns, r->n, r->room);
}

static struct lab_interval ratio_of(const struct side *side,
				    const struct test *t)
{
	const struct lab_run *run = &side->report.run;
	const struct lab_timed *ways;
	size_t size;

	switch (t->scene) {
	case INLINED:
		size = t->size != lab_inlined_sizes[0];
		return timed_ratio(&side->inlined.time,
				   &side->inlined.inlined[size],
				   &side->inlined.called[size]);
	case ONE_CPU:
	case ACROSS:
		/* the first two are told apart by nothing else */
		ways = side->pktbuf.items[t->size];
		return timed_ratio(&side->pktbuf.time, &ways[0], &ways[1]);
	default:
		size = size_index(side, t->size);
		return lab_against(
			run, lab_row_at(run, size, 0, index_of(side, t->a)),
			lab_row_at(run, size, 0, index_of(side, t->b)));
	}
}

static enum outcome below(struct lab_interval i, double holds, double fails)
{
	if (i.high < holds)
		return HOLDS;
	if (i.low > fails)
		return FAILS;
	return i.low >= holds && i.high <= fails ? BETWEEN : NOT_SHOWN;
}

static struct lab_interval inverse(struct lab_interval i)
{
	return (struct lab_interval){ 1 / i.high, 1 / i.median, 1 / i.low };
}

/* How far it is from 1, whichever way. */
static struct lab_interval distance(struct lab_interval i)
{
	double low = fabs(i.low - 1), high = fabs(i.high - 1);
	bool around = i.low < 1 && i.high > 1;

	return (struct lab_interval){ around ? 0 : fmin(low, high),
				      fabs(i.median - 1), fmax(low, high) };
}

/* What is left of the gain that the ratio @before has. */
static struct lab_interval share_left(struct lab_interval before,
				      struct lab_interval now)
{
	double gain = 1 - before.median;

	return (struct lab_interval){ (1 - now.high) / gain,
				      (1 - now.median) / gain,
				      (1 - now.low) / gain };
}

static struct lab_interval quotient(struct lab_interval a,
				    struct lab_interval b)
{
	return (struct lab_interval){ a.low / b.high, a.median / b.median,
				      a.high / b.low };
}

static enum outcome turns(const struct test *t, struct lab_interval before,
			  struct lab_interval now)
{
	if (before.high < t->holds && now.low > t->fails)
		return HOLDS;
	return before.low > t->holds || now.high < t->fails ? FAILS : NOT_SHOWN;
}

static void judge_test(struct judge *j, size_t index)
{
	const struct test *t = &j->claim->tests[index];
	struct result *r = &j->results[index];

	if (!j->sides[t->scene].measured)
		r->tried = false;
	r->outcome = NOT_TRIED;
	if (!r->tried)
		return;
	r->value = r->ratio = ratio_of(&j->sides[t->scene], t);
	switch (t->kind) {
	case BELOW:
		r->outcome = below(r->value, t->holds, t->fails);
		break;
	case EXCEEDS:
		r->value = quotient(r->ratio, r[-1].ratio);
		/* fall through */
	case ABOVE:
		r->outcome =
			below(inverse(r->value), 1 / t->holds, 1 / t->fails);
		break;
	case NEAR:
		r->outcome = below(distance(r->value), t->holds, t->fails);
		break;
	case REMAINS:
		r->value = share_left(r[-1].ratio, r->ratio);
		r->outcome = r[-1].ratio.high < 1
				     ? below(r->value, t->holds, t->fails)
				     : NOT_SHOWN;
		break;
	case TURNS:
		r->outcome = turns(t, r[-1].ratio, r->ratio);
		break;
	default:
		break;
	}
}

/* What the tests come to.  The worse ones are asked for first. */
static void judge_claim(struct judge *j)
{
	static const enum outcome all[] = { FAILS, NOT_TRIED, NOT_SHOWN,
					    BETWEEN, HOLDS };
	static const enum outcome any[] = { HOLDS, NOT_SHOWN, BETWEEN, FAILS,
					    NOT_TRIED };
	const enum outcome *asked = j->claim->any ? any : all;
	bool there[OUTCOMES] = { false };
	size_t i = 0;

	for (; i < MOST_TESTS && j->claim->tests[i].kind; i++) {
		judge_test(j, i);
		if (j->claim->tests[i].kind != SHOWN)
			there[j->results[i].outcome] = true;
	}
	there[NOT_TRIED] = there[NOT_TRIED] || j->claim->elsewhere;
	if (j->claim->elsewhere)
		snprintf(j->why, sizeof(j->why), "%s", j->claim->elsewhere);
	for (i = 0; !there[asked[i]];)
		i++;
	j->outcome = asked[i];
}

/* ------------------------------------------------------------------------
 * Text
 */

enum { WIDTH = 80, INDENT = 4, LABEL = 46 };

/* Goes on at the given column, without a blank at the end of a line. */
static void print_wrapped(const char *text, size_t at)
{
	const char *between = "";

	while (*text) {
		size_t n = strcspn(text, " ");

		if (at + strlen(between) + n > WIDTH) {
			printf("\n%*s", INDENT, "");
			between = "";
			at = INDENT;
		}
		printf("%s%.*s", between, (int)n, text);
		at += strlen(between) + n;
		text += n + (text[n] == ' ');
		between = " ";
	}
	putchar('\n');
}

static void label_of(const struct test *t, char label[LAB_WHY])
{
	static const char *const scopes[] = {
		[LAB_PKTBUF_INIT] = "initialising",
		[LAB_PKTBUF_PAIR] = "both",
		[LAB_PKTBUF_WORK] = "workload",
	};

	if (t->scene >= ONE_CPU)
		snprintf(label, LAB_WHY, "%s / %s, %s, %s", t->a, t->b,
			 scopes[t->size], scene_names[t->scene]);
	else if (strchr(t->a, '@'))
		snprintf(label, LAB_WHY, "%s / %s", t->a, t->b);
	else
		snprintf(label, LAB_WHY, "%s / %s, %zu %s", t->a, t->b, t->size,
			 scene_names[t->scene]);
}

/* When it holds. */
static void bound_of(const struct test *t, char bound[16])
{
	static const char signs[] = { [BELOW] = '<',
				      [ABOVE] = '>',
				      [REMAINS] = '<',
				      [EXCEEDS] = '>',
				      [TURNS] = '>' };

	if (t->kind == SHOWN)
		bound[0] = 0;
	else if (t->kind == NEAR)
		snprintf(bound, 16, "1+-%.0f%%", 100 * t->holds);
	else
		snprintf(bound, 16, "%c%.2f", signs[t->kind],
			 t->kind == TURNS ? t->fails : t->holds);
}

/* Lines fit, whatever the noise. */
static int decimals(double v)
{
	if (v < 0)
		return v > -10 ? 2 : 0;
	return v < 10 ? 3 : v < 100 ? 2 : 0;
}

static void print_figure(const char *label, const char *bound,
			 struct lab_interval i)
{
	printf("%*s%-*s %6s %6.*f (%.*f to %.*f)\n", INDENT - 1, "", LABEL,
	       label, bound, decimals(i.median), i.median, decimals(i.low),
	       i.low, decimals(i.high), i.high);
}

static void print_test(const struct test *t, const struct result *r)
{
	bool derived = t->kind == REMAINS || t->kind == EXCEEDS;
	char label[LAB_WHY], bound[16];

	if (!r->tried)
		return;
	label_of(t, label);
	bound_of(t, bound);
	print_figure(label, derived ? "" : bound, r->ratio);
	if (t->kind == REMAINS)
		print_figure("  what this leaves of the gain above", bound,
			     r->value);
	if (t->kind == EXCEEDS)
		print_figure("  this ratio to the one above", bound, r->value);
}

static void print_claim(const struct judge *j)
{
	const struct claim *c = j->claim;
	char verdict[LAB_WHY + 64];

	printf("%*d  ", INDENT - 2, (int)(c - claims) + 1);
	print_wrapped(c->text, INDENT);
	for (size_t i = 0; i < MOST_TESTS && c->tests[i].kind; i++)
		print_test(&c->tests[i], &j->results[i]);
	if (j->outcome == NOT_TRIED)
		snprintf(verdict, sizeof(verdict), "=> %s: %s",
			 outcome_names[NOT_TRIED], j->why);
	else
		snprintf(verdict, sizeof(verdict), "=> %s",
			 outcome_names[j->outcome]);
	printf("%*s", INDENT - 3, "");
	print_wrapped(verdict, INDENT - 3);
	putchar('\n');
	fflush(stdout);
}

static void print_head(const struct bench_options *opt)
{
	struct lab_machine m;

	experiment_header(opt, "what was asserted, tried here");
	puts("Ratios of times, with the interval of 99%; beside each, what it "
	     "has to be if the\nclaim holds.  hot: the same bytes again; cold: "
	     "shuffled over memory; in order:\nupwards through it.  csum "
	     "bench claims N tries one.\n");
	lab_machine_get(&m);
	if (m.load > 0.3)
		printf("The load average is %.1f: others want the CPUs, so "
		       "less can be shown.\n\n",
		       m.load);
}

static void print_summary(const enum outcome outcomes[CLAIMS],
			  const bool asked[CLAIMS])
{
	for (int o = 0; o < OUTCOMES; o++) {
		const char *between = ": ";

		for (int i = 0; i < CLAIMS; i++) {
			if (!asked[i] || (int)outcomes[i] != o)
				continue;
			if (*between == ':')
				fputs(outcome_names[o], stdout);
			printf("%s%d", between, i + 1);
			between = ", ";
		}
		if (*between == ',')
			putchar('\n');
	}
}

/* ------------------------------------------------------------------------
 * JSON
 */

static json_t *test_json(const struct test *t, const struct result *r)
{
	char label[LAB_WHY], bound[16];

	label_of(t, label);
	bound_of(t, bound);
	return json_pack("{ss ss sf sf sf ss}", "what", label, "holds_if",
			 bound, "low", r->value.low, "ratio", r->value.median,
			 "high", r->value.high, "verdict",
			 t->kind == SHOWN ? "shown only"
					  : outcome_names[r->outcome]);
}

static void add_json(json_t *doc, const struct judge *j)
{
	static const char *const titles[] = { "hot", "cold", "in order" };
	int number = (int)(j->claim - claims) + 1;
	json_t *tests = json_array();
	char title[40];

	for (int s = HOT; s <= SEQUENTIAL; s++) {
		snprintf(title, sizeof(title), "claim %d, %s", number,
			 titles[s]);
		if (j->sides[s].measured)
			bench_json_add(doc, &j->sides[s].report, title);
	}
	for (size_t i = 0; i < MOST_TESTS && j->claim->tests[i].kind; i++)
		if (j->results[i].tried)
			json_array_append_new(
				tests,
				test_json(&j->claim->tests[i], &j->results[i]));
	json_array_append_new(json_object_get(doc, "claims"),
			      json_pack("{si ss ss so so}", "number", number,
					"claim", j->claim->text, "verdict",
					outcome_names[j->outcome], "why",
					j->outcome == NOT_TRIED
						? json_string(j->why)
						: json_null(),
					"tests", tests));
}

/* ------------------------------------------------------------------------
 * The command
 */

/* What is far from the caches, or from this CPU, takes longer to be sure of. */
static double seconds_of(const struct claim *c)
{
	double seconds = 0;

	for (size_t i = 0; i < MOST_TESTS && c->tests[i].kind; i++)
		seconds = fmax(seconds, c->tests[i].scene == HOT ? 8 : 24);
	return seconds;
}

static int try_claim(const struct bench_options *opt, int index, double seconds,
		     json_t *doc, enum outcome *outcome)
{
	struct judge *j = calloc(1, sizeof(*j));
	int status;

	if (!j)
		return trouble("out of memory");
	j->opt = opt;
	j->claim = &claims[index];
	for (size_t i = 0; i < MOST_TESTS && j->claim->tests[i].kind; i++)
		add_test(j, i);
	status = measure(j, seconds);
	if (status == EXIT_CLEAN) {
		judge_claim(j);
		*outcome = j->outcome;
		if (doc)
			add_json(doc, j);
		else
			print_claim(j);
	}
	clean_up(j);
	free(j);
	return status;
}

/* Which are asked for: all, or those whose numbers are given. */
static int words(const struct bench_options *opt, bool asked[CLAIMS])
{
	for (size_t i = 0; i < CLAIMS; i++)
		asked[i] = !opt->nwords;
	for (size_t i = 0; i < opt->nwords; i++) {
		uint64_t number;

		if (!parse_size(opt->words[i], &number) || !number ||
		    number > CLAIMS)
			return trouble("claims: '%s' is not the number of one, "
				       "1 to %d",
				       opt->words[i], CLAIMS);
		asked[number - 1] = true;
	}
	return EXIT_CLEAN;
}

int experiment_claims(const struct bench_options *opt)
{
	enum outcome outcomes[CLAIMS] = { HOLDS };
	bool asked[CLAIMS];
	int status = words(opt, asked);
	double normal = 0, factor;
	json_t *doc = NULL;

	if (status != EXIT_CLEAN)
		return status;
	for (int i = 0; i < CLAIMS; i++)
		normal += asked[i] ? seconds_of(&claims[i]) : 0;
	factor = normal > 0 ? experiment_seconds(opt, normal) / normal : 1;
	if (opt->json) {
		doc = bench_json_new(opt);
		json_object_set_new(doc, "claims", json_array());
	} else {
		print_head(opt);
	}
	for (int i = 0; i < CLAIMS && status == EXIT_CLEAN; i++)
		if (asked[i])
			status = try_claim(opt, i,
					   factor * seconds_of(&claims[i]), doc,
					   &outcomes[i]);
	if (status == EXIT_CLEAN && opt->json)
		return bench_json_print(doc);
	json_decref(doc);
	if (status == EXIT_CLEAN)
		print_summary(outcomes, asked);
	return status;
}
