/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pick.h - the best of many candidates, judged in rounds of its own.
 *
 * Of seventy candidates that are all alike one seems the fastest, by luck, and
 * its interval over the same rounds would call that luck a gain.  So every
 * other round chooses the best candidate, and the rounds between judge that
 * candidate.
 */
#ifndef LAB_PICK_H
#define LAB_PICK_H

#include <stdbool.h>
#include <stddef.h>

#include "stats.h"

struct lab_pick {
	size_t best;		   /* index */
	struct lab_interval ratio; /* of the best's time to the base's */
};

/*
 * @ns: times of @n candidates and @base: that of the base, in each of @rounds,
 * two at least.  Returns false if there is no memory.
 */
bool lab_pick(struct lab_pick *pick, const double *const *ns, size_t n,
	      const double *base, size_t rounds);

#endif
