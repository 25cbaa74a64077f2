/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merged.h - the conclusions of many files, added up.
 *
 * Each file is judged alone.  Parts with the same kind, subject and mistake
 * become one part: counts are added, and what was true of all stays true.  Such
 * sums do not depend on order or grouping, so hosts can add up what they have,
 * and somebody the rest.  Evidence of one file that would explain a checksum in
 * another one is not used.
 */
#ifndef DIAGNOSIS_MERGED_H
#define DIAGNOSIS_MERGED_H

#include "conclusion.h"

/* Starts as { 0 }. */
struct merged {
	uint64_t files[CONCLUDE_KINDS]; /* by the kind of their conclusion */
	uint64_t nothing_verified; /* files without a checksum to judge by */
	uint64_t unweighed;	   /* symptoms beyond the bounds of a file */
	struct conclusion_part *parts; /* after merged_sort(): no two alike */
	size_t nparts, size;
};

void merged_free(struct merged *m);

/*
 * Adds the conclusion of a file.  @file: its name, which tells its interfaces
 * from those of others; NULL if no part is about an interface.  False if there
 * is no memory; then @m is good for merged_free() alone.
 */
bool merged_add(struct merged *m, const struct conclusion *c, const char *file);

/* Adds a part alone; the counts of files are the caller's. */
bool merged_add_part(struct merged *m, const struct conclusion_part *p,
		     const char *file);

/* Parts that are alike become one, those that explain most first. */
void merged_sort(struct merged *m);

/* What all of them come to; @m is sorted, and its first parts are copied. */
void merged_conclude(const struct merged *m, struct conclusion *c);

#endif
