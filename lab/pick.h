/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pick.h - the best of many, judged by what had no part in choosing it.
 *
 * Of seventy that are all alike one seems the fastest, and the interval of
 * that one tells how lucky it was.  So it is chosen in every other round, and
 * its interval is that of the rest.
 */
#ifndef LAB_PICK_H
#define LAB_PICK_H

#include <stdbool.h>
#include <stddef.h>

#include "stats.h"

struct lab_pick {
	size_t best;		   /* index */
	struct lab_interval ratio; /* of its time to that of the base */
};

/*
 * @ns: times of @n candidates and @base: that of the base, in each of @rounds,
 * two at least.  Returns false if there is no memory.
 */
bool lab_pick(struct lab_pick *pick, const double *const *ns, size_t n,
	      const double *base, size_t rounds);

#endif
