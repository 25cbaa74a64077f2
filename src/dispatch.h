/* SPDX-License-Identifier: BSD-2-Clause */
/* dispatch.h - the routine in use: chosen on the first call, see dispatch.c. */
#ifndef CSUM_DISPATCH_H
#define CSUM_DISPATCH_H

#include <stdatomic.h>

#include "routines/routine.h"

#pragma GCC visibility push(hidden)

/*
 * Loaded relaxed: every value they ever hold is a function that gives the same
 * answer.
 */
extern _Atomic(csum_sum_fn) csum_active_sum;
extern _Atomic(csum_copy_fn) csum_active_copy;

/*
 * The first entry of the registry that the CPU can run and should, or the one
 * that is named if the CPU can run it.
 */
const struct csum_routine *csum_choose(uint32_t cpu, const char *name);

/* The routine of that name, if this machine can run it; else NULL. */
const struct csum_routine *csum_find(const char *name);

#pragma GCC visibility pop

#endif
