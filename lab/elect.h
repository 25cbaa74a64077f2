/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elect.h - contests: which subject is the fastest, and how sure that is.
 *
 * Unless said otherwise for runs with one offset, in which no row is left out.
 */
#ifndef CSUM_LAB_ELECT_H
#define CSUM_LAB_ELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "run.h"
#include "stats.h"

enum lab_verdict {
	LAB_FASTER,
	LAB_SLOWER,
	LAB_TIE,       /* shown to be within 1% */
	LAB_UNDECIDED, /* nothing that this measurement can show */
};

/* The time of @a divided by that of @b. */
struct lab_interval lab_against(const struct lab_run *run,
				const struct lab_row *a,
				const struct lab_row *b);
enum lab_verdict lab_verdict(struct lab_interval ratio);

/* The subject with the smallest median at a size. */
size_t lab_fastest(const struct lab_run *run, size_t size);

/* True if at each size all others are slower than the fastest, or tie. */
bool lab_decided(const struct lab_run *run);

/* lab_decided() for lab_plan.enough: it looks only every 16 rounds. */
bool lab_decided_now(const struct lab_run *run);

/*
 * For lab_plan.enough, over rows of any offsets: true if the noise of each
 * comparison with the plan's rival is at most plan->narrow.  It looks only
 * every 16 rounds.
 */
bool lab_narrow_now(const struct lab_run *run);

/*
 * The row of the rival over the same bytes, if @row is one that is compared
 * with the rival; or NULL.
 */
const struct lab_row *lab_row_rival(const struct lab_run *run,
				    const struct lab_row *row);

/*
 * The subject with the smallest mean ratio over all sizes, each of the same
 * weight, to the subject @standing; or @standing unless that is beaten by over
 * 1%.
 */
size_t lab_elected(const struct lab_run *run, size_t standing);

#endif
