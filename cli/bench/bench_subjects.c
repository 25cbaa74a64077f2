/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_subjects.c - who is measured: by name, by kind, from shared objects. */
#include "bench_subjects.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_report.h"
#include "cli.h"
#include "csum.h"
#include "oracle.h"
#include "plugin.h"
#include "small.h"
#include "trial.h"

bool bench_subjects_add(struct bench_subjects *s, struct lab_subject subject)
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
		if (fnmatch(opt->routines[i], name, 0) == 0)
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
static bool add_routine(struct bench_subjects *s,
			const struct bench_options *opt,
			const struct lab_entry *e)
{
	struct lab_subject subject = lab_routine(
		e->routine, e->study ? LAB_STUDY : LAB_ROUTINE, opt->op);

	subject.mode = opt->mode;
	if (!bench_subjects_add(s, subject))
		return false;
	for (size_t i = 0; e->study && i < opt->nprefetches; i++) {
		struct lab_subject variant = subject;

		if (lab_add_prefetch(&variant, e->study, &opt->prefetches[i]) &&
		    !bench_subjects_add(s, variant))
			return false;
	}
	return true;
}

static bool add_plugin(struct bench_subjects *s,
		       const struct bench_options *opt,
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
		if (!lab_trial(&subject, &wrong)) {
			bench_print_wrong(&wrong, 1);
			return false;
		}
		if (!bench_subjects_add(s, subject))
			return false;
	}
	return true;
}

bool bench_subjects_load(struct bench_subjects *s,
			 const struct bench_options *opt)
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
			trouble("%s%s: %s",
				opt->experiment ? "" : "--load=", file, cause);
			return false;
		}
	}
	return true;
}

bool bench_subjects_add_loaded(struct bench_subjects *s,
			       const struct bench_options *opt)
{
	for (size_t i = 0; i < s->nplugins; i++)
		if (!add_plugin(s, opt, &s->plugins[i]))
			return false;
	return true;
}

/* The library's function first, the limit last. */
static bool choose_routines(struct bench_subjects *s,
			    const struct bench_options *opt)
{
	struct lab_subject public = lab_public(opt->op);
	struct lab_subject limit = lab_limit(opt->op);
	struct lab_entry e;

	public.mode = opt->mode;
	limit.mode = opt->mode;
	if (is_chosen(opt, public.name, true) && !bench_subjects_add(s, public))
		return false;
	for (size_t i = 0; lab_entry_at(i, &e); i++) {
		const struct csum_routine *r = e.routine;

		if (csum_can_run(r, csum_cpu_features()) &&
		    has_op(r, opt->op) &&
		    is_chosen(opt, r->name, opt->study || !e.study) &&
		    !add_routine(s, opt, &e))
			return false;
	}
	return bench_subjects_add_loaded(s, opt) &&
	       bench_subjects_add(s, limit);
}

/* Beside the library's, which is what they are compared with. */
static bool choose_small(struct bench_subjects *s,
			 const struct bench_options *opt)
{
	for (const struct lab_small *small = lab_smalls; small->name; small++)
		for (int mode = 0; mode < LAB_MODES; mode++)
			if ((!small->origin ||
			     is_chosen(opt, small->name, true)) &&
			    !bench_subjects_add(
				    s, lab_small(small, (enum lab_mode)mode)))
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
static bool all_found(const struct bench_subjects *s,
		      const struct bench_options *opt)
{
	bool prefetches = false;

	for (size_t i = 0; i < opt->nroutines; i++) {
		bool found = false;

		for (size_t j = 0; j < s->n; j++)
			found = found || fnmatch(opt->routines[i],
						 s->list[j].name, 0) == 0;
		if (!found) {
			trouble("--routine=%s: %s; see `csum routines`",
				opt->routines[i],
				why_not(opt, opt->routines[i]));
			return false;
		}
	}
	for (size_t j = 0; j < s->n; j++)
		prefetches = prefetches || s->list[j].takes_prefetch;
	if (opt->nprefetches && !prefetches) {
		trouble("--prefetch: no chosen routine takes it; those of "
			"--study do, see `csum routines`");
		return false;
	}
	return true;
}

void bench_subjects_free(struct bench_subjects *s)
{
	for (size_t i = 0; i < s->nplugins; i++)
		lab_plugin_free(&s->plugins[i]);
	free(s->plugins);
	free(s->list);
}

/* Index of the subject of that name, or n. */
static size_t find_subject(const struct bench_subjects *s, const char *name)
{
	size_t i = 0;

	while (i < s->n && strcmp(s->list[i].name, name) != 0)
		i++;
	return i;
}

/*
 * The rival is in it.  If nothing else is but the limit, then so is the rival
 * once more, which shows how far the measuring can be trusted.
 */
static bool add_rival(struct bench_subjects *s, const struct bench_options *opt)
{
	struct lab_subject again;
	size_t at;

	if (!opt->against)
		return true;
	at = find_subject(s, opt->against);
	if (at == s->n) {
		trouble("--against=%s: it is not among what is measured",
			opt->against);
		return false;
	}
	s->rival = at + 1;
	again = s->list[at];
	again.planted = opt->planted;
	again.base = false;
	snprintf(again.name, sizeof(again.name), "%.40s again", opt->against);
	return s->n > 2 || bench_subjects_add(s, again);
}

bool bench_subjects_choose(struct bench_subjects *s,
			   const struct bench_options *opt)
{
	return bench_subjects_load(s, opt) &&
	       (opt->small ? choose_small(s, opt) : choose_routines(s, opt)) &&
	       all_found(s, opt) && add_rival(s, opt);
}
