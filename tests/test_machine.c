/* SPDX-License-Identifier: BSD-2-Clause */
/* test_machine.c - the lab: what it knows of the machine, and takes hold of. */
#define _GNU_SOURCE /* sched_getcpu() */
#include <sched.h>
#include <string.h>

#include "cpus.h"
#include "lab.h"
#include "testing.h"

/* ------------------------------------------------------------------------
 * CPUs, on machines that are not there
 */

static bool described(const char *machine, const char *want)
{
	struct lab_topology *t = lab_topology_imagine(machine, "0");
	char got[96] = "";

	if (t)
		lab_topology_text(t, got, sizeof(got));
	lab_topology_free(t);
	if (strcmp(got, want) != 0)
		tap_note("'%s', not '%s'", got, want);
	return strcmp(got, want) == 0;
}

static void test_topology_text(void)
{
	struct lab_topology *t = lab_topology_imagine("pack:1 pu:2", "0");
	char little[8];

	tap_ok(described("pack:1 l3:1 core:2 pu:1",
			 "1 package, 2 cores, 1 thread each, "
			 "L3 shared by 2 cores"),
	       "one package in words");
	tap_ok(described("pack:2 l3:2 l2:4 core:1 pu:2",
			 "2 packages, 16 cores, 2 threads each, "
			 "4 L3, each shared by 4 cores"),
	       "two packages with two last caches each");
	tap_ok(described("pack:1 l2:2 core:1 pu:1",
			 "1 package, 2 cores, 1 thread each, "
			 "2 L2, each shared by 1 core"),
	       "caches that nobody shares");
	tap_ok(described("pack:1 core:4 pu:1",
			 "1 package, 4 cores, 1 thread each"),
	       "no caches known");
	tap_ok(described("pu:3", "3 CPUs"), "no cores known");
	lab_topology_text(t, little, sizeof(little));
	tap_ok(strcmp(little, "1 packa") == 0, "cut where the room ends");
	lab_topology_free(t);
	tap_ok(!lab_topology_imagine("pack:x", "0"), "no such machine");
}

/* The pair, or with -1 that there is none; and then why. */
static bool pairs(const struct lab_topology *t, enum lab_pair pair, int cpu,
		  int a, int b)
{
	int got[2] = { -1, -1 };
	char why[LAB_WHY] = "";
	bool found = lab_topology_pair(t, pair, cpu, got, why);
	bool right = found == (a >= 0) && got[0] == a && got[1] == b &&
		     !found == (strstr(why, "not available here: ") == why);

	if (!right)
		tap_note("%s of %d: %d and %d, '%s'", lab_pair_names[pair], cpu,
			 got[0], got[1], why);
	return right;
}

/* CPUs 0-1 2-3 4-5 6-7 are cores, each two of which share an L3. */
static void test_pairs(void)
{
	static const char machine[] = "pack:2 l3:1 core:2 pu:2";
	struct lab_topology *t = lab_topology_imagine(machine, "0-7");

	tap_ok(pairs(t, LAB_SAME_CPU, -1, 0, 0) &&
		       pairs(t, LAB_SIBLINGS, -1, 0, 1) &&
		       pairs(t, LAB_SHARED_CACHE, -1, 0, 2) &&
		       pairs(t, LAB_OTHER_CACHE, -1, 0, 4),
	       "a pair of each kind");
	tap_ok(pairs(t, LAB_SAME_CPU, 5, 5, 5) &&
		       pairs(t, LAB_SIBLINGS, 5, 5, 4) &&
		       pairs(t, LAB_SHARED_CACHE, 5, 5, 6) &&
		       pairs(t, LAB_OTHER_CACHE, 5, 5, 0),
	       "a pair of each kind with CPU 5");
	tap_ok(pairs(t, LAB_SAME_CPU, 8, -1, -1), "no pair with CPU 8 of 0-7");
	lab_topology_free(t);

	t = lab_topology_imagine(machine, "1,4-5");
	tap_ok(lab_topology_cpu(t, 0) == 1 && lab_topology_cpu(t, 1) == 4 &&
		       lab_topology_cpu(t, 2) == 5 &&
		       lab_topology_cpu(t, 3) == -1,
	       "only what may be used is listed");
	tap_ok(pairs(t, LAB_SIBLINGS, -1, 4, 5) &&
		       pairs(t, LAB_SIBLINGS, 1, -1, -1) &&
		       pairs(t, LAB_SHARED_CACHE, -1, -1, -1) &&
		       pairs(t, LAB_OTHER_CACHE, -1, 1, 4) &&
		       pairs(t, LAB_SAME_CPU, 0, -1, -1),
	       "only what may be used is paired");
	lab_topology_free(t);

	t = lab_topology_imagine("pack:1 core:2 pu:1", "0-1");
	tap_ok(pairs(t, LAB_SHARED_CACHE, -1, -1, -1) &&
		       pairs(t, LAB_OTHER_CACHE, -1, -1, -1) &&
		       lab_topology_cache(t) == 0,
	       "unknown caches are neither shared nor different");
	lab_topology_free(t);

	t = lab_topology_imagine(
		"pack:1 l3:2(size=8388608) l2:1(size=1048576) pu:1", "1");
	tap_ok(lab_topology_cache(t) == 8 << 20, "the last cache has 8 MiB");
	lab_topology_free(t);
}

/* ------------------------------------------------------------------------
 * CPUs of this machine.  Leaves this thread on one of them.
 */

static void test_pin(struct lab_topology *t)
{
	int cpu, last = -1;
	char why[LAB_WHY] = "";
	bool there = true;

	for (size_t i = 0; (cpu = lab_topology_cpu(t, i)) >= 0; i++) {
		if (!lab_pin(0, cpu, why))
			break;
		there = there && sched_getcpu() == cpu;
		last = cpu;
	}
	tap_ok(there && last >= 0 && cpu < 0,
	       "stays on each CPU that may be used %s", why);
	tap_ok(!lab_pin(0, -1, why) && strstr(why, "CPU -1: ") == why &&
		       !lab_pin(0, 1 << 19, why) &&
		       strstr(why, "there is none"),
	       "%s", why);
	lab_topology_free(t);

	t = lab_topology_get();
	tap_ok(t && lab_topology_cpu(t, 0) == last &&
		       lab_topology_cpu(t, 1) == -1 &&
		       pairs(t, LAB_SAME_CPU, -1, last, last) &&
		       pairs(t, LAB_SIBLINGS, -1, -1, -1),
	       "a thread on CPU %d may use no other", last);
	lab_topology_free(t);
}

static void test_cpus(void)
{
	struct lab_topology *t = lab_topology_get();
	char text[96] = "";

	if (!t) {
		tap_skip("this system does not say which CPUs there are");
		return;
	}
	lab_topology_text(t, text, sizeof(text));
	tap_ok(text[0], "%s", text);
	test_pin(t);
}

int main(int argc, char **argv)
{
	testing_init(argc, argv);
	test_topology_text();
	test_pairs();
	test_cpus();
	return tap_done();
}
