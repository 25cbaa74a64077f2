/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_counters.c - dealing events to passes, and what comes out of them.
 *
 * On a CPU that is not there, since its limits are what matters; then on the
 * kernel's own software events; then on this CPU, if it has any counters.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MADV_NOHUGEPAGE */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counters.h"
#include "testing.h"

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/mman.h>
#endif

/* ------------------------------------------------------------------------
 * A CPU that is not there.  Between start and stop of a group pass 1000 ns, and
 * event e happens 1000 * (e + 1) times.
 */

enum { FDS = 64, TIME = 1000 };

static struct {
	size_t refused_above; /* a group of more cannot be opened */
	size_t counters;      /* a group of more never runs */
	unsigned int lacks;   /* events that the CPU does not have */
	int error;	      /* of every open */
	int paranoid;
	uint64_t live; /* ns that a group runs in each 1000 */
	bool cannot_read;
	/* what happened */
	size_t open, enabled, mistakes;
	struct {
		bool used, on;
		int group;
		enum lab_event event;
		uint64_t time, ran, count;
	} fd[FDS];
} fake;

static void fake_cpu(size_t counters)
{
	memset(&fake, 0, sizeof(fake));
	fake.refused_above = fake.counters = counters;
	fake.live = TIME;
}

static size_t fake_members(int group)
{
	size_t n = 0;

	for (int i = 0; i < FDS; i++)
		n += fake.fd[i].used && fake.fd[i].group == group;
	return n;
}

static int fake_open(enum lab_event event, int group)
{
	int fd = 0;

	errno = fake.error		   ? fake.error
		: fake.lacks & 1U << event ? ENOENT
		: group >= 0 && fake_members(group) >= fake.refused_above
			? EINVAL
			: 0;
	if (errno)
		return -1;
	while (fake.fd[fd].used)
		fd++;
	memset(&fake.fd[fd], 0, sizeof(fake.fd[fd]));
	fake.fd[fd].used = true;
	fake.fd[fd].group = group < 0 ? fd : group;
	fake.fd[fd].event = event;
	fake.open++;
	return fd;
}

static bool fake_enable(int group)
{
	/* only its first one starts a group, and two would share the CPU */
	fake.mistakes += fake.fd[group].group != group || fake.enabled > 0;
	fake.fd[group].on = true;
	fake.enabled++;
	return true;
}

static bool fake_disable(int group)
{
	const uint64_t ran =
		fake_members(group) <= fake.counters ? fake.live : 0;

	fake.mistakes += !fake.fd[group].on;
	fake.fd[group].on = false;
	fake.enabled--;
	fake.fd[group].time += TIME;
	fake.fd[group].ran += ran;
	for (int i = 0; i < FDS; i++)
		if (fake.fd[i].used && fake.fd[i].group == group)
			fake.fd[i].count += ran * (fake.fd[i].event + 1);
	return true;
}

static bool fake_read(int group, uint64_t *words, size_t n)
{
	size_t i = 0;

	words[i++] = fake.fd[group].time;
	words[i++] = fake.fd[group].ran;
	for (int fd = 0; fd < FDS && i < n; fd++)
		if (fake.fd[fd].used && fake.fd[fd].group == group)
			words[i++] = fake.fd[fd].count;
	fake.mistakes += n != 2 + fake_members(group);
	return !fake.cannot_read;
}

static void fake_close(int fd)
{
	fake.mistakes += !fake.fd[fd].used;
	fake.fd[fd].used = false;
	fake.open--;
}

static int fake_paranoid(void)
{
	return fake.paranoid;
}

static const struct lab_perf fake_perf = {
	.open = fake_open,
	.enable = fake_enable,
	.disable = fake_disable,
	.read = fake_read,
	.close = fake_close,
	.paranoid = fake_paranoid,
};

/* ------------------------------------------------------------------------
 * Passes
 */

/*
 * True if the passes have so many events each, as digits, and each event that
 * can be counted is counted in one pass, at its own rate, @live of the time.
 */
static bool deals(struct lab_counters *c, unsigned int events,
		  const char *sizes, double live)
{
	struct lab_count counts[LAB_EVENTS];
	unsigned int seen = c->absent;
	bool right = c->npasses == strlen(sizes);

	for (size_t p = 0; p < c->npasses && right; p++) {
		const size_t size = (size_t)(sizes[p] - '0');
		size_t n = 0;

		lab_counters_start(c, p);
		lab_counters_stop(c, p, counts);
		for (unsigned int e = 0; e < LAB_EVENTS; e++) {
			if (counts[e].live == 0) {
				right = right && counts[e].count == 0;
				continue;
			}
			right = right && !(seen & 1U << e) &&
				counts[e].live == live &&
				counts[e].count == TIME * (e + 1.0);
			seen |= 1U << e;
			n++;
		}
		right = right && n == size;
	}
	right = right && seen == events && fake.mistakes == 0;
	if (!right)
		tap_note("%zu passes, events %x, absent %x, %zu mistakes; %s",
			 c->npasses, seen, c->absent, fake.mistakes, c->why);
	return right;
}

/* The same after opening; and nothing stays open. */
static bool opens(unsigned int events, const char *sizes, unsigned int absent)
{
	struct lab_counters c;
	size_t n = lab_counters_open(&c, events, &fake_perf);
	bool right = n == c.npasses && c.absent == absent && !c.why[0] &&
		     deals(&c, events, sizes, 1);

	lab_counters_close(&c);
	return right && fake.open == 0 && fake.enabled == 0;
}

static void test_passes(void)
{
	fake_cpu(LAB_EVENTS);
	tap_ok(opens(LAB_ALL_EVENTS, "9", 0), "room for all: one pass");
	fake_cpu(4);
	tap_ok(opens(LAB_ALL_EVENTS, "441", 0),
	       "nine events in four counters: three passes");
	tap_ok(opens(1 << LAB_BRANCHES | 1 << LAB_LLC_LOADS, "2", 0),
	       "only what was asked for");
	fake.counters = 3;
	tap_ok(opens(LAB_ALL_EVENTS, "333", 0),
	       "one of the four is taken, which only shows when they run");
	fake_cpu(1);
	tap_ok(opens(LAB_ALL_EVENTS, "111111111", 0), "one at a time");
	fake_cpu(4);
	fake.lacks = 1 << LAB_CYCLES | 1 << LAB_LLC_LOADS |
		     1 << LAB_DTLB_LOAD_MISSES;
	tap_ok(opens(LAB_ALL_EVENTS, "42", fake.lacks),
	       "what the CPU cannot count is absent, and takes no room");
	tap_ok(opens(0, "", 0), "nothing asked for");
}

static void test_live(void)
{
	struct lab_count counts[LAB_EVENTS];
	struct lab_counters c;

	fake_cpu(4);
	lab_counters_open(&c, LAB_ALL_EVENTS, &fake_perf);
	fake.live = TIME / 2;
	tap_ok(deals(&c, LAB_ALL_EVENTS, "441", 0.5),
	       "live half the time: counts are doubled, and it shows");
	fake.live = TIME;
	tap_ok(deals(&c, LAB_ALL_EVENTS, "441", 1),
	       "which says nothing about the next sample");
	fake.live = 0;
	lab_counters_start(&c, 0);
	lab_counters_stop(&c, 0, counts);
	tap_ok(counts[LAB_CYCLES].live == 0 && counts[LAB_CYCLES].count == 0,
	       "never live: no count");
	fake.live = TIME;
	fake.cannot_read = true;
	counts[LAB_CYCLES].live = 1;
	lab_counters_start(&c, 0);
	lab_counters_stop(&c, 0, counts);
	tap_ok(counts[LAB_CYCLES].live == 0, "not readable: no count");
	lab_counters_close(&c);
	fake_cpu(4);
	fake.live = TIME / 4;
	lab_counters_open(&c, 1 << LAB_CYCLES | 1 << LAB_BRANCHES, &fake_perf);
	fake.live = TIME;
	tap_ok(deals(&c, 1 << LAB_CYCLES | 1 << LAB_BRANCHES, "11", 1),
	       "what has to take turns even alone stays alone");
	lab_counters_close(&c);
}

static bool refuses(int error, int paranoid, const char *because)
{
	struct lab_counters c;
	size_t n;
	bool right;

	fake_cpu(error ? 4 : 0);
	fake.error = error;
	fake.paranoid = paranoid;
	n = lab_counters_open(&c, LAB_ALL_EVENTS, &fake_perf);
	right = n == 0 && c.absent == LAB_ALL_EVENTS &&
		strstr(c.why, "not available here: ") == c.why &&
		strstr(c.why, because) && fake.open == 0;
	if (!right)
		tap_note("%zu passes, absent %x, '%s'", n, c.absent, c.why);
	lab_counters_close(&c);
	return right;
}

static void test_refusals(void)
{
	tap_ok(refuses(ENOENT, 2, "no counters in this CPU"), "no counters");
	tap_ok(refuses(EACCES, 3, "perf_event_paranoid is 3"), "paranoid");
	tap_ok(refuses(EPERM, 2, "this process may not"), "forbidden");
	tap_ok(refuses(ENOSYS, 0, "this system has no"), "not on this system");
	tap_ok(refuses(EMFILE, 2, strerror(EMFILE)), "any other cause");
	tap_ok(refuses(0, 2, "never run"), "opened, and never live");
}

/* ------------------------------------------------------------------------
 * The kernel
 */

#ifdef __linux__

/* a multiple of what any machine has */
enum { PAGES = 64, PAGE = 65536 };

/* In each place, something that every kernel counts by itself. */
static int software_open(enum lab_event event, int group)
{
	static const uint64_t events[] = { PERF_COUNT_SW_PAGE_FAULTS,
					   PERF_COUNT_SW_TASK_CLOCK };

	return lab_perf_open(PERF_TYPE_SOFTWARE, events[event], group);
}

static char *pages;
static int zero;

/* Touches pages, or has the kernel do it. */
static void touch(size_t n, bool by_kernel)
{
	for (size_t i = 0; i < n; i++)
		if (!by_kernel)
			*(volatile char *)(pages + i * PAGE) = 1;
		else if (read(zero, pages + i * PAGE, 1) != 1)
			abort();
}

/*
 * Touched before, so that a sanitizer has what it needs to watch them; they
 * come anew at the next touch.
 */
static void take_away(void)
{
	touch(PAGES, true);
	touch(PAGES, false);
	if (madvise(pages, PAGES * PAGE, MADV_DONTNEED) != 0)
		abort();
}

static void get_pages(void)
{
	pages = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (pages == MAP_FAILED || zero < 0)
		abort();
	(void)madvise(pages, PAGES * PAGE, MADV_NOHUGEPAGE);
}

static void test_software(void)
{
	struct lab_count few[LAB_EVENTS], many[LAB_EVENTS];
	struct lab_perf perf = lab_perf_kernel;
	struct lab_counters c;
	int fd;

	perf.open = software_open;
	fd = perf.open(0, -1);
	if (fd < 0) {
		tap_skip("software events: %s", strerror(errno));
		return;
	}
	perf.close(fd);
	lab_counters_open(&c, 1 << 0 | 1 << 1, &perf);
	tap_ok(c.npasses == 1 && c.passes[0].n == 2 && !c.absent,
	       "the kernel counts two software events at once");
	get_pages();
	take_away();
	lab_counters_start(&c, 0);
	touch(PAGES, false);
	lab_counters_stop(&c, 0, many);
	take_away();
	touch(PAGES / 2, false);
	lab_counters_start(&c, 0);
	touch(PAGES / 2 + 1, false);
	touch(PAGES, true);
	lab_counters_stop(&c, 0, few);
	tap_ok(many[0].live == 1 && many[0].count >= PAGES &&
		       few[0].live == 1 && few[0].count >= 1 &&
		       few[0].count < PAGES / 4.0,
	       "page faults of each sample alone, none of the kernel: %.0f, "
	       "%.0f",
	       many[0].count, few[0].count);
	tap_ok(many[1].count > 0 && few[1].count > 0 && many[2].live == 0,
	       "the second counts too, the third was not asked for");
	fd = c.passes[0].fd[0];
	lab_counters_close(&c);
	munmap(pages, PAGES * PAGE);
	close(zero);
	tap_ok(!perf.disable(fd), "closed is closed");
}

#endif

static void test_this_cpu(void)
{
	enum { STEPS = 100000 };
	struct lab_count counts[LAB_EVENTS];
	struct lab_counters c;

	if (!lab_counters_open(&c, 1 << LAB_INSTRUCTIONS, &lab_perf_kernel)) {
		tap_ok(strstr(c.why, "not available here: ") == c.why, "%s",
		       c.why);
		lab_counters_close(&c);
		return;
	}
	lab_counters_start(&c, 0);
	for (volatile int i = 0; i < STEPS; i++)
		;
	lab_counters_stop(&c, 0, counts);
	tap_ok(counts[LAB_INSTRUCTIONS].live > 0 &&
		       counts[LAB_INSTRUCTIONS].count >= 2.0 * STEPS,
	       "%d steps are %.0f instructions", STEPS,
	       counts[LAB_INSTRUCTIONS].count);
	lab_counters_close(&c);
}

int main(int argc, char **argv)
{
	testing_init(argc, argv);
	test_passes();
	test_live();
	test_refusals();
#ifdef __linux__
	test_software();
#endif
	test_this_cpu();
	return tap_done();
}
