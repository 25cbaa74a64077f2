/* SPDX-License-Identifier: BSD-2-Clause */
/* test_machine.c - the lab: what it knows of the machine, and takes hold of. */
#define _GNU_SOURCE /* sched_getcpu(), nftw() */
#include <ftw.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cpus.h"
#include "flush.h"
#include "pages.h"
#include "run.h"
#include "testing.h"
#include "warnings.h"
#include "whynot.h"

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

/* ------------------------------------------------------------------------
 * Settings, of systems that are not there
 */

static char root[] = "/tmp/csum-test-XXXXXX";

/* Writes a file below the root; its folders are made, too. */
static void set(const char *path, const char *line)
{
	char file[256];
	FILE *f;

	snprintf(file, sizeof(file), "%s%s", root, path);
	for (char *p = file + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(file, 0700);
		*p = '/';
	}
	f = fopen(file, "we");
	if (!f || fprintf(f, "%s\n", line) < 0 || fclose(f) != 0) {
		perror(file);
		abort();
	}
}

static int remove_one(const char *path, const struct stat *s, int type,
		      struct FTW *ftw)
{
	(void)s, (void)type, (void)ftw;
	return remove(path);
}

static bool settings(const char *turbo, const char *smt, const char *huge)
{
	struct lab_machine m = { 0 };
	bool right;

	lab_machine_settings(&m, root);
	right = strcmp(m.turbo, turbo) == 0 && strcmp(m.smt, smt) == 0 &&
		strcmp(m.huge_pages, huge) == 0;
	if (!right)
		tap_note("turbo '%s', SMT '%s', huge pages '%s'", m.turbo,
			 m.smt, m.huge_pages);
	return right;
}

static void test_settings(void)
{
	static const char cpu[] = "/sys/devices/system/cpu";
	char boost[64], no_turbo[64], control[64], active[64];
	static const char huge[] =
		"/sys/kernel/mm/transparent_hugepage/enabled";
	struct lab_machine m = { 0 };

	snprintf(boost, sizeof(boost), "%s/cpufreq/boost", cpu);
	snprintf(no_turbo, sizeof(no_turbo), "%s/intel_pstate/no_turbo", cpu);
	snprintf(control, sizeof(control), "%s/smt/control", cpu);
	snprintf(active, sizeof(active), "%s/smt/active", cpu);
	if (!mkdtemp(root)) {
		perror(root);
		abort();
	}
	tap_ok(settings("", "", ""), "a system that says nothing");
	set(boost, "1");
	set(control, "notsupported");
	set(active, "0");
	set(huge, "[always] madvise never");
	tap_ok(settings("on", "not supported", "always"), "boost, no SMT");
	set(boost, "0");
	set(control, "on");
	set(huge, "always [madvise] never");
	tap_ok(settings("off", "off", "madvise"),
	       "SMT that no core has is off");
	set(no_turbo, "0");
	set(active, "1");
	set(huge, "always madvise [never]");
	tap_ok(settings("on", "on", "never"), "Intel's turbo goes before");
	set(no_turbo, "1");
	set("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
	    "ondemand");
	tap_ok(settings("off", "on", "never"), "and says when it is off");
	lab_machine_settings(&m, root);
	tap_ok(strcmp(m.governor, "ondemand") == 0, "the governor");
	nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static bool warns(const struct lab_run *run, const struct lab_machine *m,
		  const char *of)
{
	struct lab_warning warnings[LAB_WARNINGS];
	struct lab_usage usage = { 0 };
	size_t n = lab_warnings(run, m, &usage, &usage, warnings);

	for (size_t i = 0; i < n; i++)
		if (strstr(warnings[i].text, of) == warnings[i].text)
			return true;
	return false;
}

static void test_warnings(void)
{
	double one[1] = { 1 }, room[1];
	const struct lab_run run = { .time = { .n = 1,
					       .ghz = one,
					       .width = one,
					       .room = room,
					       .settled = true } };
	struct lab_machine m = { .turbo = "off",
				 .smt = "not supported",
				 .huge_pages = "madvise" };

	tap_ok(!warns(&run, &m, "turbo") && !warns(&run, &m, "SMT") &&
		       !warns(&run, &m, "transparent"),
	       "nothing to warn of");
	strcpy(m.turbo, "on");
	strcpy(m.smt, "on");
	strcpy(m.huge_pages, "always");
	tap_ok(warns(&run, &m, "turbo") && warns(&run, &m, "SMT") &&
		       warns(&run, &m, "transparent"),
	       "turbo, SMT and huge pages are warned of");
	lab_machine_get(&m);
	tap_ok(m.page_size > 0 && (m.page_size & (m.page_size - 1)) == 0,
	       "pages of %ld bytes; %s", m.page_size, m.topology);
}

/* ------------------------------------------------------------------------
 * Memory
 */

static bool all_zero(const uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (p[i] != 0)
			return false;
	return true;
}

static void read_before(void *p)
{
	(void)*((volatile const uint8_t *)p - 1);
}

static void test_pages_of(enum lab_page_kind kind, size_t size)
{
	struct lab_pages pages, next;

	/* a neighbour must not be counted */
	if (!lab_pages_alloc(&pages, size, kind) ||
	    !lab_pages_alloc(&next, size, kind)) {
		tap_ok(false, "%zu bytes", size);
		return;
	}
	tap_ok(all_zero(pages.p, size) && (uintptr_t)pages.p % 4096 == 0,
	       "%zu bytes: %s", size, pages.got);
	if (kind == LAB_ORDINARY_PAGES)
		tap_ok(pages.huge == 0 && strstr(pages.got, "pages"),
		       "none of them huge");
	else
		tap_ok((pages.huge == 0) ==
				       (strstr(pages.got, "not ") != NULL) &&
			       pages.huge <= 1,
		       "%.0f%% of them huge, and the words agree",
		       100 * pages.huge);
	memset(pages.p, 0xff, size);
	tap_ok(all_zero(next.p, size), "nobody else's memory");
	lab_pages_free(&next);
	lab_pages_free(&pages);
	tap_ok(!pages.p, "given back");
}

static void test_pages(void)
{
	struct lab_pages pages;

	test_pages_of(LAB_ORDINARY_PAGES, 1);
	test_pages_of(LAB_ORDINARY_PAGES, 5 << 20);
	test_pages_of(LAB_HUGE_PAGES, 1);
	test_pages_of(LAB_HUGE_PAGES, 5 << 20);
	tap_ok(!lab_pages_alloc(&pages, SIZE_MAX, LAB_HUGE_PAGES) &&
		       !lab_pages_alloc(&pages, SIZE_MAX - 4096,
					LAB_ORDINARY_PAGES) &&
		       !pages.p,
	       "more than there can be");
#ifdef __linux__
	if (lab_pages_alloc(&pages, 1, LAB_ORDINARY_PAGES))
		tap_ok(!testing_survives(read_before, pages.p),
		       "a page before it cannot be read");
	lab_pages_free(&pages);
#endif
}

static void test_flush(void)
{
	uint8_t data[1000];
	bool can = true;

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)i;
	for (size_t from = 0; from < 130; from++)
		can = lab_flush(data + from, sizeof(data) - 2 * from) && can;
#if defined(__x86_64__) || (defined(__aarch64__) && defined(__linux__))
	for (size_t i = 0; i < sizeof(data); i++)
		can = can && data[i] == (uint8_t)i;
	tap_ok(can, "flushed bytes are what they were");
#else
	tap_ok(!can, "nothing can be flushed here");
#endif
}

int main(int argc, char **argv)
{
	testing_init(argc, argv);
	test_topology_text();
	test_pairs();
	test_settings();
	test_warnings();
	test_pages();
	test_flush();
	test_cpus();
	return tap_done();
}
