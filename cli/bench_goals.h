/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_goals.h - `csum bench goals`. */
#ifndef CSUM_BENCH_GOALS_H
#define CSUM_BENCH_GOALS_H

#include <stdint.h>

/* Measures and judges every goal, in about a minute; an exit status. */
int bench_goals(uint32_t seed);

#endif
