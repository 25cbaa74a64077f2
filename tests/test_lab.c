/* SPDX-License-Identifier: BSD-2-Clause */
/* test_lab.c - the lab: statistics, read-only loops, and who may be timed. */
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "model.h"
#include "testing.h"

/* ------------------------------------------------------------------------
 * Statistics, with values worked out by hand
 */

static bool near(double a, double b)
{
	double d = a - b;

	return d < 1e-12 && d > -1e-12;
}

static void test_stats(void)
{
	double room[6];
	const double odd[] = { 5, 1, 100, 2, 3 };
	const double even[] = { 8, 1, 2, 4 };
	const double same[] = { 7, 7, 7 };
	const double half[] = { 10, 0.5, 50, 1, 6 };
	struct lab_stats s = lab_stats(odd, 5, room);

	/* sorted 1 2 3 5 100; distances 0 1 2 2 97 */
	tap_ok(near(s.median, 3) && near(s.mad, 2) && near(s.min, 1),
	       "median, mad and min of five, one of them wild");
	tap_ok(near(odd[0], 5) && near(odd[2], 100),
	       "samples keep their order");
	/* sorted 1 2 4 8; median 3; distances 1 1 2 5 */
	s = lab_stats(even, 4, room);
	tap_ok(near(s.median, 3) && near(s.mad, 1.5) && near(s.min, 1),
	       "median, mad and min of four");
	s = lab_stats(same, 3, room);
	tap_ok(near(s.median, 7) && near(s.mad, 0) && near(s.min, 7),
	       "no spread");
	s = lab_stats(odd, 1, room);
	tap_ok(near(s.median, 5) && near(s.mad, 0) && near(s.min, 5),
	       "a single sample");
	tap_ok(near(lab_quantile(even, 4, 0, room), 1) &&
		       near(lab_quantile(even, 4, 1, room), 8) &&
		       near(lab_quantile(even, 4, 0.25, room), 1.75) &&
		       near(lab_quantile(even, 4, 0.9, room), 6.8),
	       "quantiles, interpolated");
	/* 0.5 2 2 2 0.5 */
	tap_ok(near(lab_ratio(odd, half, 5, room), 2),
	       "median ratio of samples side by side");
}

/* ------------------------------------------------------------------------
 * Read-only loops
 */

enum { READ_MAX = 700 };

struct read_case {
	csum_sum_fn read;
	const uint8_t *p;
	size_t len;
	csum_wsum result;
};

static void read_it(void *arg)
{
	struct read_case *c = arg;

	c->result = c->read(c->p, c->len, 0);
}

/* Only zeros inside, anything outside; then one bit at each place in turn. */
static bool sees_each_byte(csum_sum_fn read, uint8_t *p, size_t len)
{
	memset(p, 0, len);
	if (read(p, len, 0) != 0)
		return false;
	for (size_t i = 0; i < len; i++) {
		p[i] = (uint8_t)(1 << i % 8);
		if (read(p, len, 0) == 0)
			return false;
		p[i] = 0;
	}
	return true;
}

static void test_read_loop(csum_sum_fn read, size_t index)
{
	uint8_t *end, *start = testing_guarded(2 * READ_MAX, &end);
	bool inside = true, each = true;

	for (size_t len = 0; len <= READ_MAX && inside; len++) {
		struct read_case front = { read, start, len, 0 };
		struct read_case back = { read, end - len, len, 0 };

		inside = testing_survives(read_it, &front) &&
			 testing_survives(read_it, &back);
	}
	tap_ok(inside, "read loop %zu reads nothing beyond either end", index);
	for (size_t len = 0; len <= READ_MAX && each; len++) {
		size_t at = 1 + testing_random() % 64;

		memset(start, 0xff, 2 * READ_MAX);
		each = sees_each_byte(read, start + at, len);
	}
	tap_ok(each, "read loop %zu sees each byte, and none outside", index);
}

static void test_read_loops(void)
{
	csum_sum_fn read;

	for (size_t i = 0; (read = lab_read_variant(i)); i++)
		test_read_loop(read, i);
	tap_ok(lab_read_loop().sum == lab_read_variant(0),
	       "the limit is the first of them: %s", lab_read_isa());
}

/* ------------------------------------------------------------------------
 * Runs
 */

static uint64_t calls;

static csum_wsum right(const void *p, size_t len, csum_wsum sum)
{
	calls++;
	return csum_sum_portable(p, len, sum);
}

static csum_wsum wrong_at_odd_address(const void *p, size_t len, csum_wsum sum)
{
	calls++;
	return csum_sum_portable(p, len, sum) + ((uintptr_t)p & 1);
}

/* The classic: the remainder of -0 is +0. */
static csum_wsum wrong_zero(const void *p, size_t len, csum_wsum sum)
{
	return csum_sum_portable(p, len, sum) % 0xffff;
}

/* Right as long as somebody looks. */
static csum_wsum wrong_later(const void *p, size_t len, csum_wsum sum)
{
	return csum_sum_portable(p, len, sum) + (++calls > 1000);
}

static csum_wsum reads_nothing(const void *p, size_t len, csum_wsum sum)
{
	(void)p;
	return (csum_wsum)len + sum;
}

static struct lab_subject subject(const char *name, csum_sum_fn sum)
{
	const struct csum_routine r = { .name = name, .sum = sum };

	return lab_routine(&r);
}

static const size_t sizes[] = { 1501, 20 }, offsets[] = { 0, 1 };

static struct lab_plan plan_of(const struct lab_subject *subjects, size_t n)
{
	return (struct lab_plan){
		.subjects = subjects,
		.nsubjects = n,
		.sizes = sizes,
		.nsizes = 2,
		.offsets = offsets,
		.noffsets = 2,
		.seconds = 0.01,
		.seed = 1,
	};
}

static bool samples_are_sane(const struct lab_run *run)
{
	for (size_t i = 0; i < run->nrows; i++) {
		const struct lab_row *row = &run->rows[i];

		if (row->calls == 0)
			return false;
		for (size_t r = 0; r < run->rounds; r++)
			if (!(row->ns[r] > 0))
				return false;
	}
	return true;
}

static void test_good_run(enum lab_mode mode, const char *name)
{
	const struct lab_subject s[] = { lab_public(), subject("right", right),
					 lab_read_loop() };
	struct lab_plan plan = plan_of(s, 3);
	const struct lab_row *row;
	struct lab_run run;
	uint64_t timed = 0;

	plan.mode = mode;
	calls = 0;
	tap_ok(lab_run(&run, &plan) == LAB_OK, "%s: right is right", name);
	tap_ok(run.nrows == 12 && run.rounds >= 5 && samples_are_sane(&run),
	       "%s: every row has a sample per round", name);
	for (size_t size = 0; size < 2; size++)
		for (size_t o = 0; o < 2; o++)
			timed += lab_row_at(&run, size, o, 1)->calls *
				 run.rounds;
	tap_ok(calls >= timed && run.consumed != 0,
	       "%s: no call is left out, no result unused", name);
	row = lab_row_at(&run, 1, 1, 0);
	tap_ok(row->subject == &s[0] && row->size == 20 && row->offset == 1,
	       "%s: rows are where the plan says", name);
	tap_ok(lab_row_read(&run, row) == lab_row_at(&run, 1, 1, 2),
	       "%s: each row finds its read-only loop", name);
	tap_ok(row->sum == run.rows[9].sum && row->sum != run.rows[0].sum,
	       "%s: the sum is of the bytes", name);
	lab_run_free(&run);
}

static void test_seed(void)
{
	const struct lab_subject s = subject("right", right);
	struct lab_plan plan = plan_of(&s, 1);
	uint16_t sum[3];
	struct lab_run run;

	for (int i = 0; i < 3; i++) {
		plan.seed = i < 2 ? 7 : 8;
		lab_run(&run, &plan);
		sum[i] = run.rows[0].sum;
		if (i == 0)
			tap_ok(!lab_row_read(&run, &run.rows[0]),
			       "a plan may leave the read-only loop out");
		lab_run_free(&run);
	}
	tap_ok(sum[0] == sum[1] && sum[0] != sum[2], "the seed makes the data");
}

/* Runs two subjects of which @s is bad. */
static bool refused(struct lab_run *run, const struct lab_plan *plan)
{
	return lab_run(run, plan) == LAB_WRONG && run->nwrong == 1 &&
	       run->wrong[0].subject == &plan->subjects[1];
}

static void test_wrong(void)
{
	struct lab_subject s[] = { lab_public(),
				   subject("odd", wrong_at_odd_address) };
	struct lab_plan plan = plan_of(s, 2);
	struct lab_run run;
	const struct lab_wrong *w;

	calls = 0;
	tap_ok(refused(&run, &plan) && run.rounds == 0,
	       "a wrong routine is refused");
	/* three kinds of data in four places */
	tap_ok(calls == 12, "and never timed");
	w = run.wrong;
	tap_ok(w->size == 1501 && w->offset == 1 && w->want == 0 &&
		       w->got == (csum_be16_from_host(1)) &&
		       strcmp(w->data, "all bytes 00") == 0,
	       "its first wrong answer is kept");
	lab_run_free(&run);

	s[1] = subject("zero", wrong_zero);
	tap_ok(refused(&run, &plan) &&
		       strcmp(run.wrong[0].data, "all bytes ff") == 0,
	       "a routine that mixes up the zeros is refused");
	lab_run_free(&run);

	s[1] = subject("later", wrong_later);
	calls = 0;
	tap_ok(refused(&run, &plan) && run.wrong[0].while_timed,
	       "a routine that changes its answer is refused");
	lab_run_free(&run);

	s[1] = lab_read_loop();
	s[1].sum = reads_nothing;
	tap_ok(refused(&run, &plan) && run.rounds == 0,
	       "a read-only loop that does not read is refused");
	lab_run_free(&run);
}

static void test_machine(void)
{
	const struct lab_subject s = lab_read_loop();
	const struct lab_plan plan = plan_of(&s, 1);
	struct lab_warning warnings[LAB_WARNINGS];
	struct lab_usage before, after;
	struct lab_machine m;
	struct lab_run run;
	bool named = false;
	size_t n;

	lab_machine_get(&m);
	tap_ok(m.cpus >= 1 && m.compiler[0] && m.kernel[0],
	       "the machine has a name: %s, %s", m.cpu, m.kernel);
	lab_usage_get(&before);
	lab_run(&run, &plan);
	lab_usage_get(&after);
	m.sanitised = true;
	n = lab_warnings(&run, &m, &before, &after, warnings);
	for (size_t i = 0; i < n; i++)
		named = named || strstr(warnings[i].text, "sanitizers");
	tap_ok(n <= LAB_WARNINGS && named, "sanitizers are warned of");
	lab_run_free(&run);
}

int main(int argc, char **argv)
{
	testing_init(argc, argv);
	test_stats();
	test_read_loops();
	test_good_run(LAB_THROUGHPUT, "throughput");
	test_good_run(LAB_LATENCY, "latency");
	test_seed();
	test_wrong();
	test_machine();
	return tap_done();
}
