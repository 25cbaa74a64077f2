/* SPDX-License-Identifier: BSD-2-Clause */
/* claims_measure.c - finds the subjects of a claim, and measures its sides. */
#include "claims_measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "cpus.h"
#include "elect.h"
#include "experiment.h"
#include "machine.h"
#include "small.h"

/* ------------------------------------------------------------------------
 * Subjects
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
	/* a routine that sums is not measured as a copy */
	op = experiment_has(name, LAB_SUM) ? LAB_SUM : LAB_COPY;
	if (!experiment_has(name, op))
		return false;
	if (plus)
		prefetch = prefetch_of(plus + 1);
	return experiment_subject(s, name, op, plus ? &prefetch : NULL) ==
	       EXIT_CLEAN;
}

/* The index of a subject, or plan.nsubjects. */
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

void claim_add_test(struct judge *j, size_t index)
{
	const struct test *t = &j->claim->tests[index];
	struct side *side = &j->sides[t->scene];
	size_t i;

	if (t->scene > FRESH) {
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

/* The sizes of a plan of FRESH, and their periods. */
enum { KNOWN, NEW, KNOWN_OR_NEW };

/* EXIT_CLEAN; or EXIT_TROUBLE after saying that there is no memory. */
static int plan_lengths(struct side *side)
{
	static const size_t periods[KNOWN_OR_NEW] = { [KNOWN] = 64 };

	if (!bench_mix_load(&side->mix, "uniform:8-64"))
		return EXIT_TROUBLE;
	side->sizes[KNOWN] = side->sizes[NEW] = side->mix.mean;
	side->plan.nsizes = KNOWN_OR_NEW;
	side->plan.mix = &side->mix.mix;
	side->plan.periods = periods;
	return EXIT_CLEAN;
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
	side->plan.span = scene == HOT || scene == FRESH ? 0 : memory;
	side->plan.order = scene == SEQUENTIAL ? LAB_SEQUENTIAL : LAB_SHUFFLED;
	side->plan.seed = j->opt->seed;
	status = scene == FRESH ? plan_lengths(side) : EXIT_CLEAN;
	if (status == EXIT_CLEAN)
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

int claim_measure(struct judge *j, double seconds)
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

void claim_clean_up(struct judge *j)
{
	for (int s = 0; s < SCENES; s++) {
		struct side *side = &j->sides[s];

		bench_mix_free(&side->mix);
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
 * Ratios
 */

static struct lab_interval timed_ratio(const struct lab_rounds *r,
				       const struct lab_timed *a,
				       const struct lab_timed *b)
{
	return lab_ratio_interval(a->ns, b->ns, r->n, r->room);
}

struct lab_interval claim_ratio(const struct judge *j, const struct test *t)
{
	const struct side *side = &j->sides[t->scene];
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
	case FRESH:
		return lab_against(
			run, lab_row_at(run, NEW, 0, index_of(side, t->a)),
			lab_row_at(run, KNOWN, 0, index_of(side, t->b)));
	default:
		size = size_index(side, t->size);
		return lab_against(
			run, lab_row_at(run, size, 0, index_of(side, t->a)),
			lab_row_at(run, size, 0, index_of(side, t->b)));
	}
}
