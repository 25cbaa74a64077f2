/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inlined.h - one sum in C, inlined into the loop that times it and called from
 * it.
 *
 * Inlined, the length is a constant to the compiler, which unrolls for just
 * this length, and nothing is called.  A program has that seldom, a benchmark
 * easily.
 */
#ifndef CSUM_LAB_INLINED_H
#define CSUM_LAB_INLINED_H

#include <stdbool.h>
#include <stddef.h>

#include "rounds.h"

enum { LAB_INLINED_SIZES = 2 };

/* BYTES of each. */
extern const size_t lab_inlined_sizes[LAB_INLINED_SIZES];

/* Must stay where it is. */
struct lab_inlined {
	struct lab_rounds time; /* for lab_rounds_run() */
	struct lab_timed inlined[LAB_INLINED_SIZES], called[LAB_INLINED_SIZES];
	struct lab_timed *list[2 * LAB_INLINED_SIZES];
};

/* Returns false if a sum is not the model's. */
bool lab_inlined_begin(struct lab_inlined *in, double seconds, uint32_t seed);

#endif
