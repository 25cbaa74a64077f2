/* SPDX-License-Identifier: BSD-2-Clause */
/* subject.h - a subject is a named function under test. */
#ifndef CSUM_LAB_SUBJECT_H
#define CSUM_LAB_SUBJECT_H

#include <stdbool.h>
#include <stddef.h>

#include "csum.h"
#include "op.h"
#include "routines/study.h"
#include "small.h"

enum lab_kind {
	LAB_ROUTINE, /* of the library */
	LAB_STUDY,   /* of lab/routines/, or an alternative in small.c */
	LAB_PLUGIN,  /* of a shared object */
	LAB_PUBLIC,  /* what users of csum.h call */
	LAB_LIMIT,   /* does the same to the bytes, but sums nothing */
};

enum { LAB_NAME = 48 };

/* A way to prefetch, as --prefetch names it. */
struct lab_prefetch {
	enum lab_policy policy;
	enum lab_hint hint;
	struct lab_distance distance;
};

struct lab_subject {
	char name[LAB_NAME];
	enum lab_kind kind;
	enum lab_op op;
	enum lab_mode mode;
	bool base;  /* others of the same op and mode are compared with it */
	size_t max; /* BYTES up to which the subject is right; 0: any number */
	csum_sum_fn sum;
	csum_copy_fn copy;
	const struct lab_small *small; /* instead of sum and copy, or NULL */
	/*
	 * Calls in a thousand that are made and not counted: a slowdown that is
	 * known, to see whether it is found.
	 */
	unsigned planted;
	bool takes_prefetch;
	struct lab_prefetch prefetch; /* none, unless it was added */
};

/* @op is LAB_SUM or LAB_COPY, and the routine has that function. */
struct lab_subject lab_routine(const struct csum_routine *r, enum lab_kind kind,
			       enum lab_op op);

/* csum_partial() or csum_copy(), the choice of a routine included. */
struct lab_subject lab_public(enum lab_op op);

/*
 * The fastest we know how to touch every byte here: the read-only loop, or
 * memcpy().  This subject is the base.
 */
struct lab_subject lab_limit(enum lab_op op);

struct lab_subject lab_small(const struct lab_small *small, enum lab_mode mode);

/*
 * Where the code of @s begins in its cache line, 0 to 63; -1 if it is inlined.
 * The same instructions elsewhere in a line may take another time.
 */
int lab_entry_in_line(const struct lab_subject *s);

extern const char *const lab_policy_names[LAB_POLICIES];

/*
 * Makes @s prefetch; returns false if @study takes no prefetching for the op of
 * @s.
 */
bool lab_add_prefetch(struct lab_subject *s, const struct lab_study *study,
		      const struct lab_prefetch *prefetch);

#endif
