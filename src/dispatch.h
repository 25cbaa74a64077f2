/* SPDX-License-Identifier: BSD-2-Clause */
/* dispatch.h - the sum routine in use: chosen on the first call, see there. */
#ifndef CSUM_DISPATCH_H
#define CSUM_DISPATCH_H

#include <stdatomic.h>

#include "routines/routine.h"

#pragma GCC visibility push(hidden)

extern _Atomic(csum_sum_fn) csum_active_fn;

static inline csum_wsum csum_active_sum(const void *buf, size_t len,
					csum_wsum sum)
{
	/*
	 * Relaxed is enough: every value it ever holds is a function that
	 * gives the same answer.
	 */
	csum_sum_fn f =
		atomic_load_explicit(&csum_active_fn, memory_order_relaxed);

	return f(buf, len, sum);
}

/* The first usable entry of the registry, or the usable one that is named. */
const struct csum_routine *csum_choose(uint32_t cpu, const char *name);

#pragma GCC visibility pop

#endif
