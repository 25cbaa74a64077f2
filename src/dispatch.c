/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dispatch.c - which routine csum_partial() runs.
 *
 * The pointers start at resolvers that choose on the first call.  No
 * constructor and no lock: racing first callers all store the same pointers.
 */
#include "dispatch.h"

#include <stdlib.h>

static csum_wsum resolve_then_sum(const void *buf, size_t len, csum_wsum sum);
static csum_wsum resolve_then_copy(void *dst, const void *src, size_t len,
				   csum_wsum sum);

_Atomic(csum_sum_fn) csum_active_sum = resolve_then_sum;
_Atomic(csum_copy_fn) csum_active_copy = resolve_then_copy;

const struct csum_routine *csum_choose(uint32_t cpu, const char *name)
{
	const struct csum_routine *first = NULL;

	for (const struct csum_routine *r = csum_routines; r->name; r++) {
		if (!csum_can_run(r, cpu))
			continue;
		if (name && strcmp(name, r->name) == 0)
			return r;
		if (!first && (r->wants & ~cpu) == 0)
			first = r;
	}
	return first;
}

static const struct csum_routine *resolve(void)
{
	const struct csum_routine *r =
		csum_choose(csum_cpu_features(), getenv("CSUM_ROUTINE"));

	atomic_store_explicit(&csum_active_sum, r->sum, memory_order_relaxed);
	atomic_store_explicit(&csum_active_copy, r->copy, memory_order_relaxed);
	return r;
}

static csum_wsum resolve_then_sum(const void *buf, size_t len, csum_wsum sum)
{
	return resolve()->sum(buf, len, sum);
}

static csum_wsum resolve_then_copy(void *dst, const void *src, size_t len,
				   csum_wsum sum)
{
	return resolve()->copy(dst, src, len, sum);
}

static const struct csum_routine *active(void)
{
	csum_sum_fn f =
		atomic_load_explicit(&csum_active_sum, memory_order_relaxed);
	const struct csum_routine *r = csum_routines;

	if (f == resolve_then_sum)
		return resolve();
	while (r->sum != f)
		r++;
	return r;
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
	info->usable = csum_can_run(r, csum_cpu_features());
	info->active = r == active();
	return true;
}

const char *csum_routine_active(void)
{
	return active()->name;
}
