/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dispatch.c - which routine csum_partial() runs.
 *
 * The pointer starts at a resolver that chooses on the first call.  No
 * constructor and no lock: racing first callers all store the same pointer.
 */
#include "dispatch.h"

#include <stdlib.h>

#include "cpu.h"
#include "csum.h"

static csum_wsum resolve_then_sum(const void *buf, size_t len, csum_wsum sum);

_Atomic(csum_sum_fn) csum_active_fn = resolve_then_sum;

static bool usable(const struct csum_routine *r, uint32_t cpu)
{
	return (r->needs & ~cpu) == 0;
}

const struct csum_routine *csum_choose(uint32_t cpu, const char *name)
{
	const struct csum_routine *first = NULL;

	for (const struct csum_routine *r = csum_routines; r->name; r++) {
		if (!usable(r, cpu))
			continue;
		if (name && strcmp(name, r->name) == 0)
			return r;
		if (!first)
			first = r;
	}
	return first;
}

static csum_sum_fn resolve(void)
{
	csum_sum_fn f =
		csum_choose(csum_cpu_features(), getenv("CSUM_ROUTINE"))->sum;

	atomic_store_explicit(&csum_active_fn, f, memory_order_relaxed);
	return f;
}

static csum_wsum resolve_then_sum(const void *buf, size_t len, csum_wsum sum)
{
	return resolve()(buf, len, sum);
}

static csum_sum_fn active(void)
{
	csum_sum_fn f =
		atomic_load_explicit(&csum_active_fn, memory_order_relaxed);

	return f == resolve_then_sum ? resolve() : f;
}

size_t csum_routine_count(void)
{
	size_t n = 0;

	while (csum_routines[n].name)
		n++;
	return n;
}

bool csum_routine_get(size_t index, struct csum_routine_info *info)
{
	const struct csum_routine *r;

	if (index >= csum_routine_count())
		return false;
	r = &csum_routines[index];
	info->name = r->name;
	info->isa = r->isa;
	info->idea = r->idea;
	info->usable = usable(r, csum_cpu_features());
	info->active = r->sum == active();
	return true;
}

const char *csum_routine_active(void)
{
	const struct csum_routine *r = csum_routines;

	while (r->sum != active())
		r++;
	return r->name;
}
