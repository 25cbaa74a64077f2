/* SPDX-License-Identifier: BSD-2-Clause */
/* test_pktbuf.c - headers of packet buffers, on one CPU and across two. */
#include <string.h>

#include "cpus.h"
#include "pktbuf.h"
#include "rounds.h"
#include "tap.h"
#include "whynot.h"

static bool all_timed(const struct lab_pktbuf_run *run)
{
	bool timed = true;

	for (size_t i = 0; i < run->time.nitems; i++)
		for (size_t round = 0; round < run->time.n; round++)
			timed = timed && run->list[i]->ns[round] > 0;
	return timed && run->time.n >= 5 &&
	       run->time.nitems == (size_t)LAB_PKTBUF_SCOPES * LAB_PKTBUF_WAYS;
}

static void run(const char *where, int other, size_t len)
{
	const struct lab_pktbuf_plan plan = { .cpu = -1,
					      .other = other,
					      .len = len,
					      .seconds = 0.05,
					      .seed = 1 };
	struct lab_pktbuf_run run;
	char why[LAB_WHY];
	bool right = lab_pktbuf_begin(&run, &plan, why);

	tap_ok(right, "%s: each way is right with %zu bytes%s%s", where, len,
	       right ? "" : ": ", right ? "" : why);
	tap_ok(right && lab_rounds_run(&run.time) == LAB_OK && all_timed(&run),
	       "and timed, with the right sums");
	lab_pktbuf_end(&run);
	lab_pktbuf_end(&run);
	lab_rounds_free(&run.time);
}

static void test_ways(void)
{
	bool seen[2][2][2] = { 0 };
	bool all = true;

	for (size_t i = 0; i < LAB_PKTBUF_WAYS; i++) {
		struct lab_pktbuf_way w = lab_pktbuf_way(i);

		all = all && !seen[w.at_return][w.scattered][w.prefetch];
		seen[w.at_return][w.scattered][w.prefetch] = true;
	}
	tap_ok(all, "eight ways, all different");
}

/* No thread can be had on a CPU that does not exist. */
static void test_refusal(void)
{
	const struct lab_pktbuf_plan plan = {
		.cpu = -1, .other = 1 << 19, .len = 64, .seconds = 0.05
	};
	struct lab_pktbuf_run run;
	char why[LAB_WHY];

	tap_ok(!lab_pktbuf_begin(&run, &plan, why) && strstr(why, "CPU"),
	       "a CPU that is none is refused: %s", why);
	lab_pktbuf_end(&run);
}

int main(void)
{
	struct lab_topology *t = lab_topology_get();
	int other = t ? lab_topology_cpu(t, 1) : -1;

	test_ways();
	run("one CPU", -1, 1);
	run("one CPU", -1, LAB_PKTBUF_LONGEST);
	if (other >= 0)
		run("across CPUs", other, 1500);
	else
		tap_skip("there is no second CPU");
	test_refusal();
	lab_topology_free(t);
	return tap_done();
}
