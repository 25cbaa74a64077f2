/* SPDX-License-Identifier: BSD-2-Clause */
/* warnings.c - what makes figures doubtful. */
#include "warnings.h"

#include <stdio.h>
#include <string.h>

#include "stats.h"

struct list {
	struct lab_warning *w;
	size_t n;
};

/* Room for the next warning; there are fewer to give than fit. */
static char *next(struct list *l)
{
	return l->w[l->n++].text;
}

enum { TEXT = sizeof(((struct lab_warning *)0)->text) };

#define WARN(l, ...) ((void)snprintf(next(l), TEXT, __VA_ARGS__))

static void warn_of_build(struct list *l, const struct lab_machine *m)
{
	if (!m->optimised)
		WARN(l, "built without optimisation: the figures say nothing "
			"about the library");
	if (m->sanitised)
		WARN(l, "built with sanitizers: the figures say nothing about "
			"the library");
}

static void warn_of_machine(struct list *l, const struct lab_machine *m)
{
	if (m->hypervisor[0] && strcmp(m->hypervisor, "none") != 0)
		WARN(l, "virtual machine: other guests may share the core "
			"unseen");
	if (m->governor[0] && strcmp(m->governor, "performance") != 0)
		WARN(l, "frequency governor is %s, not performance",
		     m->governor);
	if (strcmp(m->turbo, "on") == 0)
		WARN(l, "turbo is on: the frequency follows heat and what "
			"other cores do");
	if (strcmp(m->smt, "on") == 0)
		WARN(l, "SMT is on: the core's other thread may take its share "
			"unseen");
	if (strcmp(m->huge_pages, "always") == 0)
		WARN(l, "transparent huge pages are on: which memory gets them "
			"is chance");
	if (m->load > 0.3)
		WARN(l,
		     "load average was %.1f before the run: other processes "
		     "want the CPUs",
		     m->load);
}

static void warn_of_usage(struct list *l, const struct lab_run *run,
			  const struct lab_usage *before,
			  const struct lab_usage *after)
{
	const double steal = after->steal - before->steal;
	const double ticks = after->ticks - before->ticks;
	const long preempted = after->preempted - before->preempted;

	if (steal > 0.005 * ticks)
		WARN(l, "the host took %.1f%% of the time of this guest",
		     100 * steal / ticks);
	if ((double)preempted > 20 * run->time.took)
		WARN(l, "preempted %.0f times a second",
		     (double)preempted / run->time.took);
	if (before->cpu != after->cpu)
		WARN(l, "moved from CPU %d to %d: pin it, taskset -c N",
		     before->cpu, after->cpu);
}

static void warn_of_core(struct list *l, const struct lab_run *run)
{
	const size_t n = run->time.n;
	double ghz = lab_quantile(run->time.ghz, n, 0.5, run->time.room);
	double low = lab_quantile(run->time.ghz, n, 0.1, run->time.room);
	double high = lab_quantile(run->time.ghz, n, 0.9, run->time.room);
	double width = lab_quantile(run->time.width, n, 0.5, run->time.room);
	/* a slow chain makes one round seem the widest of all */
	double widest = lab_quantile(run->time.width, n, 0.9, run->time.room);

	if (!run->time.settled)
		WARN(l, "the clock was still rising when the run began");
	if (ghz == 0)
		WARN(l, "the core frequency cannot be estimated here");
	else if (high - low > 0.02 * ghz)
		WARN(l,
		     "the core frequency wandered: %.2f to %.2f GHz in 8 "
		     "rounds of 10",
		     low, high);
	if (width < 0.9 * widest)
		WARN(l,
		     "the core did %.1f additions per cycle, %.1f at best: "
		     "something shares it",
		     width, widest);
}

static void warn_of_samples(struct list *l, const struct lab_run *run)
{
	size_t unsteady = 0, slow = 0;

	for (size_t i = 0; i < run->nrows; i++) {
		struct lab_stats s;

		if (run->rows[i].left_out)
			continue;
		s = lab_stats(run->rows[i].timed.ns, run->time.n,
			      run->time.room);
		unsteady += s.mad > 0.03 * s.median;
		slow += s.min < 0.75 * s.median;
	}
	if (unsteady)
		WARN(l,
		     "%zu of %zu rows spread by more than 3%% of their "
		     "median",
		     unsteady, run->nrows);
	if (slow)
		WARN(l,
		     "%zu of %zu rows mostly took more than 4/3 of their "
		     "minimum",
		     slow, run->nrows);
	if (run->time.interrupted)
		WARN(l,
		     "%zu samples stand though others took the CPU meanwhile, "
		     "%zu were taken again",
		     run->time.interrupted, run->time.dropped);
	if (run->time.n < 20)
		WARN(l, "only %zu rounds: allow more --time", run->time.n);
	if (run->time.clock_ns > 0.01 * run->time.sample_ns)
		WARN(l,
		     "reading the clock takes %.0f ns, more than 1%% of a "
		     "sample",
		     run->time.clock_ns);
}

size_t lab_warnings(const struct lab_run *run, const struct lab_machine *m,
		    const struct lab_usage *before,
		    const struct lab_usage *after,
		    struct lab_warning warnings[LAB_WARNINGS])
{
	struct list l = { .w = warnings };

	warn_of_build(&l, m);
	warn_of_machine(&l, m);
	warn_of_usage(&l, run, before, after);
	warn_of_core(&l, run);
	warn_of_samples(&l, run);
	return l.n;
}
