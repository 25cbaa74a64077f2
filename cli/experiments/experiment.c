/* SPDX-License-Identifier: BSD-2-Clause */
/* experiment.c - the list of experiments, and what they share. */
#include "experiment.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench_common.h"
#include "bench_scene.h"
#include "cli.h"
#include "dispatch.h"
#include "elect.h"
#include "machine.h"
#include "pages.h"

static const struct experiment experiments[] = {
	{ "goals", "what this library set out to reach, as met or not",
	  experiment_goals },
	{ "claims", "claims about checksums, each tried here",
	  experiment_claims },
	{ "module", "two carry chains and prefetching, as in a kernel in 2013",
	  experiment_module },
	{ "cksum-perf", "short and long blocks, aligned or not, in timer ticks",
	  experiment_cksum_perf },
	{ "chunks", "sums and copies of a buffer in shuffled chunks",
	  experiment_chunks },
	{ "split", "64 KiB of a file by one carry chain, by two and by four",
	  experiment_split },
	{ "lengths", "mixes of lengths that repeat, and that are always new",
	  experiment_lengths },
	{ "prefetch",
	  "how far ahead, by which policy: hot, cold, with a neighbour",
	  experiment_prefetch },
	{ "packet", "packets finished, checked, translated, cut: over the sums",
	  experiment_packet },
	{ "peers", "the checksums of other projects, see scripts/peers",
	  experiment_peers },
	{ "pktbuf", "headers of packet buffers, initialised early or late",
	  experiment_pktbuf },
	{ "replace",
	  "a field of a header and its checksum changed, by ten ways",
	  experiment_replace },
	{ "tunnel",
	  "between two hosts: does the routine matter, are sums right",
	  experiment_tunnel },
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

double experiment_seconds(const struct bench_options *opt, double normal)
{
	if (opt->seconds > 0)
		return opt->seconds;
	return opt->quick ? normal / 5 : normal;
}

int experiment_no_words(const struct bench_options *opt)
{
	return opt->nwords ? trouble("%s: '%s' means nothing to it",
				     opt->experiment->name, opt->words[0])
			   : EXIT_CLEAN;
}

static bool find_routine(const char *name, struct lab_entry *e)
{
	for (size_t i = 0; lab_entry_at(i, e); i++)
		if (strcmp(e->routine->name, name) == 0)
			return true;
	return false;
}

static bool is_public(const char *name, enum lab_op op)
{
	return strcmp(name, lab_public(op).name) == 0;
}

/* NULL, or the cause. */
static const char *why_not(const char *name, enum lab_op op,
			   struct lab_entry *e)
{
	if (!find_routine(name, e))
		return "not a routine of this machine; see `csum routines`";
	if (!csum_can_run(e->routine, csum_cpu_features()))
		return "not available here: this machine cannot run it";
	if (op == LAB_SUM)
		return e->routine->sum ? NULL : "it copies only";
	return e->routine->copy ? NULL : "it sums only";
}

bool experiment_has(const char *name, enum lab_op op)
{
	struct lab_entry e;

	return is_public(name, op) || !why_not(name, op, &e);
}

int experiment_subject(struct lab_subject *s, const char *name, enum lab_op op,
		       const struct lab_prefetch *prefetch)
{
	struct lab_entry e = { 0 };
	const char *cause;

	if (is_public(name, op)) {
		*s = lab_public(op);
	} else {
		cause = why_not(name, op, &e);
		if (cause)
			return trouble("%s: %s", name, cause);
		*s = lab_routine(e.routine, e.study ? LAB_STUDY : LAB_ROUTINE,
				 op);
	}
	if (prefetch && !(e.study && lab_add_prefetch(s, e.study, prefetch)))
		return trouble("%s: it takes no prefetching", name);
	return EXIT_CLEAN;
}

struct bench_verdict experiment_verdict(struct lab_interval ratio)
{
	return (struct bench_verdict){ .ratio = ratio,
				       .verdict = lab_verdict(ratio) };
}

void experiment_print_ratio(struct lab_interval ratio)
{
	if (lab_too_noisy(ratio))
		fputs("too noisy to say", stdout);
	else
		printf("%.2f (%.2f to %.2f)", ratio.median, ratio.low,
		       ratio.high);
}

void experiment_header(const struct bench_options *opt, const char *title)
{
	struct lab_machine m;

	lab_machine_get(&m);
	printf("csum    %s, commit %s, %s\n"
	       "cpu     %.72s\nactive  %s\n"
	       "%-7s %s, --seed=%" PRIu32 "\n\n",
	       csum_version(), m.commit[0] ? m.commit : "unknown", m.compiler,
	       m.cpu[0] ? m.cpu : "unknown", csum_routine_active(),
	       opt->experiment->name, title, opt->seed);
}

int experiment_measure(struct report *r, struct lab_plan *plan)
{
	*r = (struct report){ .plan = plan, .cpu = -1 };
	return bench_report_run(r, plan);
}

int experiment_plan(const struct bench_options *opt, struct report *r,
		    struct lab_plan *plan)
{
	struct bench_scene scene;
	int status;

	plan->seed = opt->seed;
	plan->pages = opt->pages;
	*r = (struct report){ .plan = plan };
	status = bench_scene_begin(&scene, opt);
	return status == EXIT_CLEAN ? bench_scene_measure(&scene, r, plan)
				    : status;
}

void experiment_where(const struct report *r)
{
	if (r->where[0])
		printf("pinned  to %s\n", r->where);
	if (r->background[0])
		printf("beside  %s\n", r->background);
	if (r->plan->pages != LAB_ORDINARY_PAGES)
		printf("pages   %s\n", r->run.pages);
}

int experiment_status(enum lab_status status)
{
	switch (status) {
	case LAB_OK:
		return EXIT_CLEAN;
	case LAB_WRONG:
		return trouble("a result is wrong, so nothing is reported");
	default:
		return trouble("out of memory");
	}
}

int experiment_rounds(struct lab_rounds *rounds)
{
	enum lab_status status;

	rounds->progress = bench_progress();
	status = lab_rounds_run(rounds);
	bench_progress_end();
	if (status != LAB_OK)
		lab_rounds_free(rounds);
	return experiment_status(status);
}
