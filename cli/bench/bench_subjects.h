/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_subjects.h - who is measured, from the options of `csum bench`. */
#ifndef CSUM_BENCH_SUBJECTS_H
#define CSUM_BENCH_SUBJECTS_H

#include "bench_options.h"
#include "plugin.h"
#include "subject.h"

/* Starts as { 0 }. */
struct bench_subjects {
	struct lab_subject *list;
	size_t n, room;
	size_t rival; /* see struct lab_plan */
	struct lab_plugin *plugins;
	size_t nplugins;
};

/*
 * False after saying why.  Whatever it returns, end with
 * bench_subjects_free().
 */
bool bench_subjects_choose(struct bench_subjects *s,
			   const struct bench_options *opt);
void bench_subjects_free(struct bench_subjects *s);

/*
 * Loads the shared objects of @opt; and adds those of their routines that it
 * chooses, once they have been tried.  False after saying why.
 */
bool bench_subjects_load(struct bench_subjects *s,
			 const struct bench_options *opt);
bool bench_subjects_add_loaded(struct bench_subjects *s,
			       const struct bench_options *opt);

/* One more; false after saying that there is no memory. */
bool bench_subjects_add(struct bench_subjects *s, struct lab_subject subject);

#endif
