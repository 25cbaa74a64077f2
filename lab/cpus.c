/* SPDX-License-Identifier: BSD-2-Clause */
/* cpus.c - which CPUs there are, what they share, and how to stay on one. */
#define _GNU_SOURCE /* CPU_ALLOC() */
#include "cpus.h"

#include <errno.h>
#include <hwloc.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------
 * Staying on one
 */

#ifdef __linux__

/* Returns 0 or an errno. */
static int set_affinity(pid_t pid, int cpu)
{
	const size_t size = CPU_ALLOC_SIZE(cpu + 1);
	cpu_set_t *set = CPU_ALLOC(cpu + 1);
	int error = 0;

	if (!set)
		return ENOMEM;
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	if (sched_setaffinity(pid, size, set) != 0)
		error = errno;
	CPU_FREE(set);
	return error;
}

bool lab_pin(pid_t pid, int cpu, char why[LAB_WHY])
{
	/* no kernel has as many; a larger number would only take memory */
	const int most = 1 << 20;
	int error = cpu < 0 || cpu >= most ? EINVAL : set_affinity(pid, cpu);

	if (error == EINVAL)
		snprintf(why, LAB_WHY,
			 "CPU %d: there is none, or this process may not use "
			 "it",
			 cpu);
	else if (error)
		snprintf(why, LAB_WHY, "CPU %d: %s", cpu, strerror(error));
	return !error;
}

#else

bool lab_pin(pid_t pid, int cpu, char why[LAB_WHY])
{
	(void)pid;
	snprintf(why, LAB_WHY,
		 "CPU %d: not available here: only on Linux can a thread be "
		 "kept on a CPU",
		 cpu);
	return false;
}

#endif

/* ------------------------------------------------------------------------
 * Topology
 */

struct lab_topology {
	hwloc_topology_t all;
	hwloc_bitmap_t allowed;
};

/* Takes over both. */
static struct lab_topology *keep(hwloc_topology_t all, hwloc_bitmap_t allowed)
{
	struct lab_topology *t = malloc(sizeof(*t));

	if (t && allowed) {
		*t = (struct lab_topology){ .all = all, .allowed = allowed };
		return t;
	}
	free(t);
	hwloc_bitmap_free(allowed);
	hwloc_topology_destroy(all);
	return NULL;
}

struct lab_topology *lab_topology_get(void)
{
	hwloc_topology_t all;
	hwloc_bitmap_t allowed;

	if (hwloc_topology_init(&all) != 0)
		return NULL;
	if (hwloc_topology_load(all) != 0) {
		hwloc_topology_destroy(all);
		return NULL;
	}
	allowed = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(all));
	/* a system without binding lets all CPUs be used */
	if (allowed &&
	    hwloc_get_cpubind(all, allowed, HWLOC_CPUBIND_THREAD) != 0)
		hwloc_bitmap_copy(allowed,
				  hwloc_topology_get_allowed_cpuset(all));
	return keep(all, allowed);
}

struct lab_topology *lab_topology_imagine(const char *machine,
					  const char *allowed)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	hwloc_topology_t all;

	if (hwloc_topology_init(&all) != 0) {
		hwloc_bitmap_free(set);
		return NULL;
	}
	if (!set || hwloc_bitmap_list_sscanf(set, allowed) != 0 ||
	    hwloc_topology_set_synthetic(all, machine) != 0 ||
	    hwloc_topology_load(all) != 0) {
		hwloc_bitmap_free(set);
		hwloc_topology_destroy(all);
		return NULL;
	}
	return keep(all, set);
}

void lab_topology_free(struct lab_topology *t)
{
	if (!t)
		return;
	hwloc_bitmap_free(t->allowed);
	hwloc_topology_destroy(t->all);
	free(t);
}

static hwloc_obj_t last_cache(hwloc_obj_t pu)
{
	hwloc_obj_t last = NULL;

	for (hwloc_obj_t o = pu->parent; o; o = o->parent)
		if (hwloc_obj_type_is_dcache(o->type))
			last = o;
	return last;
}

/* The PU itself where the system knows of no cores. */
static hwloc_obj_t core_of(const struct lab_topology *t, hwloc_obj_t pu)
{
	hwloc_obj_t core =
		hwloc_get_ancestor_obj_by_type(t->all, HWLOC_OBJ_CORE, pu);

	return core ? core : pu;
}

/* The next PU that may be used after @pu, or the first; NULL past the end. */
static hwloc_obj_t next_allowed(const struct lab_topology *t, hwloc_obj_t pu)
{
	do
		pu = hwloc_get_next_obj_by_type(t->all, HWLOC_OBJ_PU, pu);
	while (pu && !hwloc_bitmap_isset(t->allowed, pu->os_index));
	return pu;
}

int lab_topology_cpu(const struct lab_topology *t, size_t index)
{
	hwloc_obj_t pu = next_allowed(t, NULL);

	while (pu && index-- > 0)
		pu = next_allowed(t, pu);
	return pu ? (int)pu->os_index : -1;
}

size_t lab_topology_cache(const struct lab_topology *t)
{
	hwloc_obj_t pu = next_allowed(t, NULL);
	hwloc_obj_t cache = pu ? last_cache(pu) : NULL;

	return cache ? (size_t)cache->attr->cache.size : 0;
}

/* ------------------------------------------------------------------------
 * In words
 */

struct text {
	char *out;
	size_t size, len;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *text,
						      const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text->out + text->len, text->size - text->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		text->len += (size_t)n;
	if (text->len >= text->size)
		text->len = text->size - 1;
}

static void say_number(struct text *text, int n, const char *what)
{
	say(text, "%s%d %s%s", text->len ? ", " : "", n, what,
	    n == 1 ? "" : "s");
}

/* How many of @inner are in one of @outer: "2", or "1 to 2" if not all agree.
 * Returns the most. */
static int say_inside(struct text *text, const struct lab_topology *t,
		      hwloc_obj_type_t outer, hwloc_obj_type_t inner)
{
	int low = 0, high = 0;
	hwloc_obj_t o = NULL;

	while ((o = hwloc_get_next_obj_by_type(t->all, outer, o)) != NULL) {
		int n = hwloc_get_nbobjs_inside_cpuset_by_type(
			t->all, o->cpuset, inner);

		low = !low || n < low ? n : low;
		high = n > high ? n : high;
	}
	if (low != high)
		say(text, "%d to ", low);
	say(text, "%d", high);
	return high;
}

static void say_cache(struct text *text, const struct lab_topology *t)
{
	hwloc_obj_t pu = hwloc_get_obj_by_type(t->all, HWLOC_OBJ_PU, 0);
	hwloc_obj_t cache = pu ? last_cache(pu) : NULL;
	hwloc_obj_type_t type;
	int n;

	if (!cache)
		return;
	type = cache->type;
	n = hwloc_get_nbobjs_by_type(t->all, type);
	if (n > 1)
		say(text, ", %d L%d, each", n, cache->attr->cache.depth);
	else
		say(text, ", L%d", cache->attr->cache.depth);
	say(text, " shared by ");
	n = say_inside(text, t, type, HWLOC_OBJ_CORE);
	say(text, n == 1 ? " core" : " cores");
}

void lab_topology_text(const struct lab_topology *t, char *out, size_t size)
{
	struct text text = { .out = out, .size = size };
	int packages = hwloc_get_nbobjs_by_type(t->all, HWLOC_OBJ_PACKAGE);
	int cores = hwloc_get_nbobjs_by_type(t->all, HWLOC_OBJ_CORE);
	int n;

	out[0] = '\0';
	if (packages > 0)
		say_number(&text, packages, "package");
	if (cores <= 0) {
		n = hwloc_get_nbobjs_by_type(t->all, HWLOC_OBJ_PU);
		say_number(&text, n, "CPU");
		return;
	}
	say_number(&text, cores, "core");
	say(&text, ", ");
	n = say_inside(&text, t, HWLOC_OBJ_CORE, HWLOC_OBJ_PU);
	say(&text, n == 1 ? " thread each" : " threads each");
	say_cache(&text, t);
}

/* ------------------------------------------------------------------------
 * Pairs
 */

const char *const lab_pair_names[LAB_PAIRS] = {
	[LAB_SAME_CPU] = "same",
	[LAB_SIBLINGS] = "sibling",
	[LAB_SHARED_CACHE] = "shared-cache",
	[LAB_OTHER_CACHE] = "other-cache",
};

/* Of each pair: what no two CPUs are if the machine has no such pair. */
static const char *const no_two[LAB_PAIRS] = {
	[LAB_SAME_CPU] = "are there",
	[LAB_SIBLINGS] = "are threads of one core",
	[LAB_SHARED_CACHE] = "are cores known to share a last cache",
	[LAB_OTHER_CACHE] = "are cores known to have different last caches",
};

static bool is_pair(const struct lab_topology *t, enum lab_pair pair,
		    hwloc_obj_t a, hwloc_obj_t b)
{
	const bool one_core = core_of(t, a) == core_of(t, b);
	hwloc_obj_t of_a = last_cache(a), of_b = last_cache(b);

	switch (pair) {
	case LAB_SAME_CPU:
		return a == b;
	case LAB_SIBLINGS:
		return a != b && one_core;
	case LAB_SHARED_CACHE:
		return !one_core && of_a && of_a == of_b;
	case LAB_OTHER_CACHE:
		return !one_core && of_a && of_b && of_a != of_b;
	default:
		return false;
	}
}

bool lab_topology_pair(const struct lab_topology *t, enum lab_pair pair,
		       int cpu, int cpus[2], char why[LAB_WHY])
{
	size_t n = 0;
	bool seen = cpu < 0;

	for (hwloc_obj_t a = next_allowed(t, NULL); a; a = next_allowed(t, a)) {
		n++;
		if (cpu >= 0 && (int)a->os_index != cpu)
			continue;
		seen = true;
		for (hwloc_obj_t b = next_allowed(t, NULL); b;
		     b = next_allowed(t, b)) {
			if (!is_pair(t, pair, a, b))
				continue;
			cpus[0] = (int)a->os_index;
			cpus[1] = (int)b->os_index;
			return true;
		}
	}
	if (!seen)
		snprintf(why, LAB_WHY,
			 "not available here: CPU %d is none that this process "
			 "may use",
			 cpu);
	else
		snprintf(why, LAB_WHY,
			 "not available here: of the %zu CPUs that this "
			 "process may use no two %s",
			 n, no_two[pair]);
	return false;
}
