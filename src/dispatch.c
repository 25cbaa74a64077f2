/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dispatch.c - which routine csum_partial() runs.
 *
 * The pointers start at resolvers that choose on the first call.  No
 * constructor and no lock: racing first callers all store the same pointers.
 */
#include "dispatch.h"

#include "environment.h"

static csum_wsum resolve_then_sum(const void *buf, size_t len, csum_wsum sum);
static csum_wsum resolve_then_copy(void *dst, const void *src, size_t len,
				   csum_wsum sum);

_Atomic(csum_sum_fn) csum_active_sum = resolve_then_sum;
_Atomic(csum_copy_fn) csum_active_copy = resolve_then_copy;

static const struct csum_routine *find_for_cpu(uint32_t cpu, const char *name)
{
	for (const struct csum_routine *r = csum_routines; r->name; r++)
		if (csum_can_run(r, cpu) && strcmp(name, r->name) == 0)
			return r;
	return NULL;
}

const struct csum_routine *csum_find(const char *name)
{
	return find_for_cpu(csum_cpu_features(), name);
}

const struct csum_routine *csum_choose(uint32_t cpu, const char *name)
{
	const struct csum_routine *r = name ? find_for_cpu(cpu, name) : NULL;

	if (r)
		return r;
	/* the last one needs nothing and wants nothing */
	for (r = csum_routines; (r->needs | r->wants) & ~cpu;)
		r++;
	return r;
}

static const struct csum_routine *resolve(void)
{
	return csum_choose(csum_cpu_features(), csum_getenv("CSUM_ROUTINE"));
}

static csum_wsum resolve_then_sum(const void *buf, size_t len, csum_wsum sum)
{
	csum_sum_fn f = resolve()->sum;

	atomic_store_explicit(&csum_active_sum, f, memory_order_relaxed);
	return f(buf, len, sum);
}

static csum_wsum resolve_then_copy(void *dst, const void *src, size_t len,
				   csum_wsum sum)
{
	csum_copy_fn f = resolve()->copy;

	atomic_store_explicit(&csum_active_copy, f, memory_order_relaxed);
	return f(dst, src, len, sum);
}

/*
 * The routine that csum_partial(), or with @copies csum_copy(), uses, or would
 * use on its first call.
 */
static const struct csum_routine *in_use(bool copies)
{
	csum_sum_fn sum =
		atomic_load_explicit(&csum_active_sum, memory_order_relaxed);
	csum_copy_fn copy =
		atomic_load_explicit(&csum_active_copy, memory_order_relaxed);
	const struct csum_routine *r = csum_routines;

	if (copies ? copy == resolve_then_copy : sum == resolve_then_sum)
		return resolve();
	while (copies ? r->copy != copy : r->sum != sum)
		r++;
	return r;
}

static size_t count(void)
{
	size_t n = 0;

	while (csum_routines[n].name)
		n++;
	return n;
}

size_t csum_routine_count(void)
{
	return count();
}

bool csum_routine_get(size_t index, struct csum_routine_info *info)
{
	const struct csum_routine *r;

	if (index >= count())
		return false;
	r = &csum_routines[index];
	info->name = r->name;
	info->isa = r->isa;
	info->idea = r->idea;
	info->usable = csum_can_run(r, csum_cpu_features());
	info->active = r == in_use(false);
	info->active_copy = r == in_use(true);
	return true;
}

const char *csum_routine_active(void)
{
	return in_use(false)->name;
}
