/* SPDX-License-Identifier: BSD-2-Clause */
/* test_lab.c - the lab: statistics, read-only loops, and who may be timed. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "elect.h"
#include "limit.h"
#include "model.h"
#include "small.h"
#include "testing.h"
#include "timer.h"
#include "trial.h"
#include "warnings.h"

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

/* 1 to 100: 25.76 throws of 100 off by chance, 12.88 on each side of 50 */
static void test_interval(void)
{
	double x[100], y[100], room[100];
	struct lab_interval i;
	struct lab_stats s;

	for (int k = 0; k < 100; k++) {
		/* any order */
		x[k] = 3.0 * (k * 37 % 100 + 1);
		y[k] = 3.0;
	}
	i = lab_ratio_interval(x, y, 100, room);
	tap_ok(near(i.low, 37) && near(i.median, 50.5) && near(i.high, 64),
	       "interval of a median ratio: %.1f %.1f %.1f", i.low, i.median,
	       i.high);
	tap_ok(near(lab_noise(i), 13.5 / 50.5), "noise: half the interval");
	s = lab_stats(x, 100, room);
	/* 3 to 300 in steps of 3: 19.6 throws of 100, 9.8 on each side */
	tap_ok(near(s.low, 120) && near(s.median, 151.5) && near(s.high, 183),
	       "interval of a median: %.1f %.1f %.1f", s.low, s.median, s.high);
	/* variance of 1 to n: n (n + 1) / 12 */
	tap_ok(near(s.mean, 151.5) && near(s.sd * s.sd / 9, 100 * 101 / 12.0),
	       "mean and standard deviation: %.2f %.2f", s.mean, s.sd);
	i = lab_ratio_interval(x, y, 3, room);
	tap_ok(i.low <= i.median && i.median <= i.high,
	       "interval of three samples: all of them");
	tap_ok(lab_verdict((struct lab_interval){ 0.90, 0.95, 0.98 }) ==
			       LAB_FASTER &&
		       lab_verdict((struct lab_interval){ 1.02, 1.05, 1.1 }) ==
			       LAB_SLOWER &&
		       lab_verdict((struct lab_interval){ 0.995, 1, 1.005 }) ==
			       LAB_TIE &&
		       lab_verdict((struct lab_interval){ 0.9, 1, 1.1 }) ==
			       LAB_UNDECIDED,
	       "verdicts: faster, slower, a tie, not shown");
	tap_ok(lab_too_noisy((struct lab_interval){ 0.108, 0.997, 776 }) &&
		       !lab_too_noisy((struct lab_interval){ 0.9, 1, 1.1 }) &&
		       !lab_too_noisy((struct lab_interval){ 1.09, 2.7, 26 }),
	       "too noisy is what lies far on both sides of 1");
}

/* Three subjects at two sizes, with times that are made up. */
static void test_election(void)
{
	static const size_t size[] = { 10, 20 }, offset = 0;
	const struct lab_subject s[3] = { { .name = "a" },
					  { .name = "b" },
					  { .name = "c" } };
	struct lab_plan plan = { .subjects = s,
				 .nsubjects = 3,
				 .sizes = size,
				 .nsizes = 2,
				 .offsets = &offset,
				 .noffsets = 1 };
	/* a is best at 10; b, 40% behind there, twice as good at 20 */
	const double mean[6] = { 10, 14, 30, 40, 20, 30 };
	double ns[6][32], room[32];
	struct lab_row row[6];
	struct lab_run run = { .plan = &plan,
			       .time = { .n = 32, .room = room },
			       .rows = row,
			       .nrows = 6 };

	for (int r = 0; r < 6; r++) {
		for (int k = 0; k < 32; k++)
			ns[r][k] = mean[r] * (1 + 0.001 * (k % 5));
		row[r] = (struct lab_row){ .subject = &s[r % 3],
					   .size = size[r / 3],
					   .timed.ns = ns[r] };
	}
	tap_ok(lab_fastest(&run, 0) == 0 && lab_fastest(&run, 1) == 1,
	       "election: the fastest at each size");
	tap_ok(lab_decided(&run), "election: clear at both");
	tap_ok(lab_elected(&run, 0) == 1 && lab_elected(&run, 1) == 1 &&
		       lab_elected(&run, 2) == 1,
	       "election: the best over all sizes, whoever stands");
	/* from 16 rounds to 16: noise of 50% in which nothing shows */
	for (int k = 0; k < 32; k++)
		ns[1][k] = ns[0][k] * (k % 2 ? 1.5 : 0.7);
	tap_ok(!lab_decided(&run), "election: not decided in noise");
	for (int r = 0; r < 6; r++)
		for (int k = 0; k < 32; k++)
			ns[r][k] = 10 * (1 + 0.005 * (r % 3 == 1));
	tap_ok(lab_elected(&run, 0) == 0 && lab_elected(&run, 2) == 2,
	       "election: who stands is not beaten by less than 1%%");
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
	tap_ok(lab_limit(LAB_SUM).sum == lab_read_variant(0),
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

	return lab_routine(&r, LAB_PLUGIN, LAB_SUM);
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

		if (row->timed.n == 0)
			return false;
		for (size_t r = 0; r < run->time.n; r++)
			if (!(row->timed.ns[r] > 0))
				return false;
	}
	return true;
}

static void test_good_run(enum lab_mode mode, size_t span, const char *name)
{
	struct lab_subject s[] = { lab_public(LAB_SUM), subject("right", right),
				   lab_limit(LAB_SUM) };
	struct lab_plan plan = plan_of(s, 3);
	const struct lab_row *row;
	struct lab_run run;
	uint64_t timed = 0;

	for (int i = 0; i < 3; i++)
		s[i].mode = mode;
	plan.span = span;
	calls = 0;
	tap_ok(lab_run(&run, &plan) == LAB_OK, "%s: right is right", name);
	tap_ok(run.nrows == 12 && run.time.n >= 5 && samples_are_sane(&run),
	       "%s: every row has a sample per round", name);
	for (size_t size = 0; size < 2; size++)
		for (size_t o = 0; o < 2; o++)
			timed += lab_row_at(&run, size, o, 1)->timed.n *
				 run.time.n;
	tap_ok(calls >= timed && run.consumed != 0,
	       "%s: no call is left out, no result unused", name);
	row = lab_row_at(&run, 1, 1, 0);
	tap_ok(row->subject == &s[0] && row->size == 20 && row->offset == 1,
	       "%s: rows are where the plan says", name);
	tap_ok(lab_row_base(&run, row) == lab_row_at(&run, 1, 1, 2),
	       "%s: each row finds its read-only loop", name);
	tap_ok(row->want == lab_row_at(&run, 1, 1, 1)->want &&
		       row->want != run.rows[0].want,
	       "%s: the result is of the bytes", name);
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
		sum[i] = run.rows[0].want;
		if (i == 0)
			tap_ok(!lab_row_base(&run, &run.rows[0]),
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
	struct lab_subject s[] = { lab_public(LAB_SUM),
				   subject("odd", wrong_at_odd_address) };
	struct lab_plan plan = plan_of(s, 2);
	struct lab_run run;
	const struct lab_wrong *w;

	calls = 0;
	tap_ok(refused(&run, &plan) && run.time.n == 0,
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
	/* found by whichever looks first: the total of a sample, or a trial */
	tap_ok(refused(&run, &plan) && (run.wrong[0].fault == LAB_UNSTEADY ||
					run.wrong[0].fault == LAB_WRONG_RESULT),
	       "a routine that changes its answer is refused");
	lab_run_free(&run);

	s[1] = lab_limit(LAB_SUM);
	s[1].sum = reads_nothing;
	tap_ok(refused(&run, &plan) && run.time.n == 0,
	       "a read-only loop that does not read is refused");
	lab_run_free(&run);
}

/* ------------------------------------------------------------------------
 * Interruptions
 */

/* Loses the CPU for a millisecond, as if another process had it. */
static void lose_cpu(void)
{
	const struct timespec t = { .tv_nsec = 1000000 };

	nanosleep(&t, NULL);
}

/* In the third of all calls, or in every call if @what is NULL. */
static uint64_t interrupted_work(void *what, size_t n)
{
	int *count = what;

	if (!count || ++*count == 3)
		lose_cpu();
	for (uint64_t end = lab_now() + 20000; lab_now() < end;)
		;
	return n;
}

static void test_interruptions(void)
{
	int count = 0;
	struct lab_timed once = { interrupted_work, &count, 0, 1, NULL, false };
	struct lab_timed always = { interrupted_work, NULL, 0, 1, NULL, false };
	struct lab_timed *list[] = { &once };
	struct lab_rounds r = { .items = list, .nitems = 1, .seconds = 1e-3 };

	tap_ok(lab_rounds_run(&r) == LAB_OK && r.dropped >= 1 &&
		       (size_t)count >= r.n + 1,
	       "a sample that was interrupted is taken again");
	lab_rounds_free(&r);
	list[0] = &always;
	r = (struct lab_rounds){ .items = list, .nitems = 1, .seconds = 1e-3 };
	tap_ok(lab_rounds_run(&r) == LAB_OK && r.interrupted == r.n,
	       "but not for ever, and then this is told");
	lab_rounds_free(&r);
}

/* ------------------------------------------------------------------------
 * Mixes
 */

enum { MIX_CALLS = 5000, MIX_ROUNDS = 2, MIX_TRIALS = 3 };

static uint32_t lengths_seen[1 << 16];
static size_t nlengths_seen;

static csum_wsum notes_length(const void *p, size_t len, csum_wsum sum)
{
	enum { MOST = sizeof(lengths_seen) / sizeof(*lengths_seen) };

	if (nlengths_seen < MOST)
		lengths_seen[nlengths_seen++] = (uint32_t)len;
	return csum_sum_portable(p, len, sum);
}

/*
 * Runs a mix of 8 to 64 bytes.  Three trials come first; then, in each round,
 * one more, the calls that make lengths known by heart, a sample, and the same
 * calls again to look at each result.  Sets where the samples of two rounds
 * begin.
 */
static void run_mix(size_t period, size_t span, const uint32_t *samples[2])
{
	static const size_t mean = 36, offset = 0;
	struct lab_subject s = subject("notes", notes_length);
	struct lab_plan plan = plan_of(&s, 1);
	const size_t lessons = period ? 4 * period : 0;
	uint32_t lengths[57];
	const struct lab_mix mix = { "uniform", lengths, 57 };
	struct lab_run run;

	for (uint32_t i = 0; i < 57; i++)
		lengths[i] = 8 + i;
	plan.sizes = &mean;
	plan.offsets = &offset;
	plan.nsizes = plan.noffsets = 1;
	plan.mix = &mix;
	plan.periods = &period;
	plan.span = span;
	plan.calls = MIX_CALLS;
	nlengths_seen = 0;
	tap_ok(lab_run(&run, &plan) == LAB_OK && run.time.n >= MIX_ROUNDS,
	       "a mix is timed, period %zu, span %zu", period, span);
	lab_run_free(&run);
	samples[0] = lengths_seen + MIX_TRIALS + 1 + lessons;
	samples[1] = samples[0] + 2 * MIX_CALLS + 1 + lessons;
}

static bool same_lengths(const uint32_t *a, const uint32_t *b, size_t n)
{
	return memcmp(a, b, n * sizeof(*a)) == 0;
}

/* As often as the mix has each: the mean is 36 */
static bool has_the_mix(const uint32_t *sample)
{
	double sum = 0;

	for (size_t i = 0; i < MIX_CALLS; i++) {
		if (sample[i] < 8 || sample[i] > 64)
			return false;
		sum += sample[i];
	}
	return sum / MIX_CALLS > 35.8 && sum / MIX_CALLS < 36.2;
}

static void test_mixes(void)
{
	const uint32_t *samples[2];
	bool repeats = true, repeats_early = false;

	for (size_t span = 0; span <= 1 << 16; span += 1 << 16) {
		run_mix(0, span, samples);
		tap_ok(same_lengths(samples[0], samples[0] + MIX_CALLS,
				    MIX_CALLS),
		       "each result of a mix is looked at");
		tap_ok(!same_lengths(samples[0], samples[1], 16),
		       "each sample has new lengths");
		tap_ok(has_the_mix(samples[0]) && has_the_mix(samples[1]),
		       "and the mix that was asked for");
	}
	run_mix(64, 0, samples);
	for (size_t i = 64; i < MIX_CALLS; i++) {
		repeats = repeats && samples[0][i] == samples[0][i - 64];
		repeats_early =
			repeats_early ||
			(i >= 96 && samples[0][i] != samples[0][i - 32]);
	}
	tap_ok(repeats && repeats_early, "lengths repeat after the period");
	tap_ok(same_lengths(samples[0] - 64, samples[0], 64),
	       "and were seen before the sample");
}

/* Right, and does not read what it seems to have seen before. */
static csum_wsum remembers(const void *p, size_t len, csum_wsum sum)
{
	static const void *last;
	static uint64_t first_word;
	static csum_wsum result;

	if (last != p || len < 8 || csum_load64(p) != first_word) {
		last = len < 8 ? NULL : p;
		first_word = len < 8 ? 0 : csum_load64(p);
		result = csum_sum_portable(p, len, 0);
	}
	return csum_add(result, sum);
}

static void test_too_fast(void)
{
	static const size_t size = 65536, offset = 0;
	struct lab_subject s[] = { subject("remembers", remembers),
				   lab_limit(LAB_SUM) };
	struct lab_plan plan = plan_of(s, 2);
	struct lab_run run;

	plan.sizes = &size;
	plan.offsets = &offset;
	plan.nsizes = plan.noffsets = 1;
	tap_ok(lab_run(&run, &plan) == LAB_WRONG && run.nwrong == 1 &&
		       run.wrong[0].fault == LAB_TOO_FAST &&
		       run.wrong[0].subject == &s[0],
	       "who is faster than reading is refused");
	lab_run_free(&run);
}

/* ------------------------------------------------------------------------
 * Copies
 */

static csum_wsum copy_too_much(void *dst, const void *src, size_t len,
			       csum_wsum sum)
{
	csum_wsum result = csum_copy_portable(dst, src, len, sum);

	((uint8_t *)dst)[len] = 0;
	return result;
}

static csum_wsum copy_before(void *dst, const void *src, size_t len,
			     csum_wsum sum)
{
	((uint8_t *)dst)[-1] = 0;
	return csum_copy_portable(dst, src, len, sum);
}

/* What no sum shows: both words are the same in another order. */
static csum_wsum copy_swapped(void *dst, const void *src, size_t len,
			      csum_wsum sum)
{
	uint8_t *d = dst;
	csum_wsum result = csum_copy_portable(dst, src, len, sum);

	if (len >= 4) {
		uint16_t first = csum_load16(d), second = csum_load16(d + 2);

		csum_store16(d, second);
		csum_store16(d + 2, first);
	}
	return result;
}

static csum_wsum copy_reads_on(void *dst, const void *src, size_t len,
			       csum_wsum sum)
{
	volatile const uint8_t *p = src;

	(void)p[len];
	return csum_copy_portable(dst, src, len, sum);
}

static struct lab_subject copy_subject(const char *name, csum_copy_fn copy)
{
	const struct csum_routine r = { .name = name, .copy = copy };

	return lab_routine(&r, LAB_PLUGIN, LAB_COPY);
}

static void test_copies(void)
{
	static const struct {
		csum_copy_fn copy;
		enum lab_fault fault;
	} bad[] = { { copy_too_much, LAB_WRITES_BEYOND },
		    { copy_before, LAB_WRITES_BEYOND },
		    { copy_swapped, LAB_WRONG_BYTES } };
	struct lab_subject s[] = { lab_public(LAB_COPY),
				   copy_subject("copy", csum_copy_portable),
				   lab_limit(LAB_COPY) };
	struct lab_plan plan = plan_of(s, 3);
	struct lab_run run;

	tap_ok(lab_run(&run, &plan) == LAB_OK && samples_are_sane(&run),
	       "copies are timed");
	tap_ok(lab_row_base(&run, &run.rows[0])->subject == &s[2],
	       "and compared with memcpy");
	lab_run_free(&run);
	plan.span = 1 << 20;
	tap_ok(lab_run(&run, &plan) == LAB_OK && samples_are_sane(&run),
	       "shuffled ones too");
	lab_run_free(&run);
	plan.span = 0;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		s[1] = copy_subject("bad", bad[i].copy);
		tap_ok(refused(&run, &plan) && run.time.n == 0 &&
			       run.wrong[0].fault == bad[i].fault,
		       "bad copy %zu is refused, and why", i);
		lab_run_free(&run);
	}
}

/* ------------------------------------------------------------------------
 * Sizes that a subject is not for
 */

static csum_wsum right_to_100(const void *p, size_t len, csum_wsum sum)
{
	calls++;
	return csum_sum_portable(p, len, sum) + (len > 100);
}

static void test_left_out(void)
{
	struct lab_subject s[] = { subject("short", right_to_100),
				   lab_limit(LAB_SUM) };
	struct lab_plan plan = plan_of(s, 2);
	struct lab_run run;

	s[0].max = 100;
	tap_ok(lab_run(&run, &plan) == LAB_OK,
	       "a routine may be right to a length");
	tap_ok(lab_row_at(&run, 0, 0, 0)->left_out &&
		       !lab_row_at(&run, 0, 0, 1)->left_out &&
		       !lab_row_at(&run, 1, 0, 0)->left_out,
	       "and is left out beyond, where others are not");
	lab_run_free(&run);
}

/* ------------------------------------------------------------------------
 * Small operations
 */

/* In full: the message is ~check, without the word, and then with the new. */
static uint16_t full(csum_sum16 check, csum_be16 was, csum_be16 now)
{
	const uint16_t terms[] = { (uint16_t)~check, (uint16_t)~was, now };
	uint16_t want =
		(uint16_t)~model_csum((const void *)terms, sizeof(terms), 0);

	return csum_be16_from_host(want == 0xffff ? 0 : want);
}

static void test_replace(void)
{
	static const uint16_t corners[] = {
		0, 1, 0x7fff, 0x8000, 0xfffe, 0xffff
	};
	enum { N = sizeof(corners) / sizeof(corners[0]), TRIES = 100000 };

	for (const struct lab_small *s = lab_smalls; s->name; s++) {
		bool right = true, other_zero = false;

		if (s->op != LAB_REPLACE)
			continue;
		for (size_t i = 0; i < TRIES && right; i++) {
			uint64_t x = testing_random();
			bool corner = i < (size_t)N * N * N;
			uint16_t check = corner ? corners[i % N] : (uint16_t)x;
			uint16_t was = corner ? corners[i / N % N]
					      : (uint16_t)(x >> 16);
			uint16_t now = corner ? corners[i / N / N % N]
					      : (uint16_t)(x >> 32);
			uint16_t want = full(check, was, now);
			uint16_t got = s->replace(check, was, now);

			if (s->either_zero && want == 0 && got == 0xffff)
				other_zero = true;
			else
				right = got == want;
			if (!right)
				tap_note("%04x, %04x to %04x: %04x, not %04x",
					 check, was, now, got, want);
		}
		tap_ok(right && other_zero == s->either_zero, "%s: right%s",
		       s->name,
		       s->either_zero ? ", but for 0xffff instead of 0" : "");
	}
}

static const struct lab_small *find_small(const char *name)
{
	const struct lab_small *s = lab_smalls;

	while (s->name && strcmp(s->name, name) != 0)
		s++;
	return s;
}

/* RFC 1624, section 4: the example that shows RFC 1141 wrong. */
static void test_rfc1624(void)
{
	const csum_sum16 check = csum_be16_from_host(0xdd2f);
	const csum_be16 was = csum_be16_from_host(0x5555);
	const csum_be16 now = csum_be16_from_host(0x3285);

	tap_ok(find_small("rfc1141")->replace(check, was, now) == 0xffff,
	       "RFC 1141 has 0xffff in the example of RFC 1624");
	tap_ok(find_small("eqn3_16")->replace(check, was, now) == 0 &&
		       find_small("eqn3_wide")->replace(check, was, now) == 0,
	       "equation 3 has 0");
	tap_ok(find_small("eqn3_wide")->replace(0xffff, 0xffff, 0) == 0xffff &&
		       find_small("csum_replace2")
				       ->replace(0xffff, 0xffff, 0) == 0,
	       "and 0xffff where all its terms are 0, unlike the library");
}

static void test_headers(void)
{
	enum { TRIES = 10000 };
	uint8_t hdr[20];

	test_rfc1624();
	for (const struct lab_small *s = lab_smalls; s->name; s++) {
		bool right = true;

		if (s->op != LAB_HEADER)
			continue;
		for (int i = 0; i < TRIES && right; i++) {
			uint16_t want;

			if (i < 2)
				memset(hdr, -i, sizeof(hdr));
			else
				testing_random_fill(hdr, sizeof(hdr));
			want = (uint16_t)~model_csum(hdr, sizeof(hdr), 0);
			right = s->header(hdr) == csum_be16_from_host(want);
		}
		tap_ok(right, "%s: right", s->name);
	}
}

/*
 * The header, its field and its checksum are right after a change, and nothing
 * else has changed.  Where the other zero comes from is test_replace()'s.
 */
static bool changes_right(const struct lab_small *s, uint8_t hdr[20])
{
	uint8_t want[20];
	csum_be16 now;
	uint16_t check;

	hdr[0] = 0x45;
	memcpy(&now, hdr + 4, sizeof(now));
	memset(hdr + 10, 0, 2);
	check = csum_be16_from_host((uint16_t)~model_csum(hdr, 20, 0));
	memcpy(hdr + 10, &check, sizeof(check));
	memcpy(want, hdr, sizeof(want));
	memcpy(want + 2, &now, sizeof(now));
	memset(want + 10, 0, 2);
	check = csum_be16_from_host((uint16_t)~model_csum(want, 20, 0));
	memcpy(want + 10, &check, sizeof(check));
	if (s->either_zero && check == 0)
		return true;
	return s->change(hdr, now) == check && memcmp(hdr, want, 20) == 0;
}

static void test_changes(void)
{
	enum { TRIES = 10000 };
	uint8_t hdr[20];

	for (const struct lab_small *s = lab_smalls; s->name; s++) {
		bool right = true;

		if (s->op != LAB_CHANGE)
			continue;
		for (int i = 0; i < TRIES && right; i++) {
			testing_random_fill(hdr, sizeof(hdr));
			right = changes_right(s, hdr);
		}
		tap_ok(right, "%s: right in a header", s->name);
	}
}

/* Each alternative in each mode, as `csum bench --small` has it. */
static void test_small_run(void)
{
	static const size_t header = 20, offset = 0;
	struct lab_subject s[128] = { { .small = NULL } };
	struct lab_plan plan = plan_of(s, 0);
	struct lab_run run;

	for (const struct lab_small *small = lab_smalls; small->name; small++)
		for (int m = 0; m < LAB_MODES; m++)
			s[plan.nsubjects++] =
				lab_small(small, (enum lab_mode)m);
	plan.sizes = &header;
	plan.offsets = &offset;
	plan.nsizes = plan.noffsets = 1;
	tap_ok(lab_run(&run, &plan) == LAB_OK && samples_are_sane(&run),
	       "small operations are timed");
	tap_ok(lab_row_base(&run, &run.rows[3]) == &run.rows[1] &&
		       lab_row_base(&run, &run.rows[2]) == &run.rows[0],
	       "and compared with the library's, mode by mode");
	lab_run_free(&run);
}

/* ------------------------------------------------------------------------
 * Prefetching
 */

static struct lab_distance seen;

static csum_wsum notes_distance(const void *p, size_t len, csum_wsum sum)
{
	seen = lab_distance;
	return csum_sum_portable(p, len, sum);
}

static void test_prefetch(void)
{
	static const csum_sum_fn sums[LAB_POLICIES][LAB_HINTS] = {
		[LAB_PREFETCH_ABOVE] = { right, notes_distance },
	};
	const struct lab_study study = {
		.routine = { .name = "mine", .sum = right },
		.sums = sums,
	};
	const struct lab_prefetch prefetch = { LAB_PREFETCH_ABOVE,
					       LAB_HINT_NTA,
					       { .lines = 7, .above = 1500 } };
	struct lab_subject s = lab_routine(&study.routine, LAB_STUDY, LAB_SUM);
	struct lab_plan plan = plan_of(&s, 1);
	struct lab_run run;

	tap_ok(lab_add_prefetch(&s, &study, &prefetch) &&
		       strcmp(s.name, "mine+above7ntafrom1500") == 0,
	       "a prefetch is named: %s", s.name);
	lab_run(&run, &plan);
	tap_ok(seen.lines == 7 && seen.above == 1500,
	       "and called with its distance");
	lab_run_free(&run);
	s = copy_subject("copy", csum_copy_portable);
	tap_ok(!lab_add_prefetch(&s, &study, &prefetch),
	       "who takes none for this is told apart");
	test_small_run();
}

/* ------------------------------------------------------------------------
 * Routines from outside
 */

static csum_wsum reads_on(const void *p, size_t len, csum_wsum sum)
{
	volatile const uint8_t *byte = p;

	(void)byte[len];
	return csum_sum_portable(p, len, sum);
}

static csum_wsum reads_before(const void *p, size_t len, csum_wsum sum)
{
	volatile const uint8_t *byte = p;

	(void)byte[-1];
	return csum_sum_portable(p, len, sum);
}

/* What it writes is what was there. */
static csum_wsum writes_source(const void *p, size_t len, csum_wsum sum)
{
	volatile uint8_t *byte = (uint8_t *)(uintptr_t)p;

	if (len)
		*byte = *byte;
	return csum_sum_portable(p, len, sum);
}

static csum_wsum never_returns(const void *p, size_t len, csum_wsum sum)
{
	(void)p, (void)sum;
	for (volatile size_t i = len; i == 7;)
		;
	return csum_sum_portable(p, len, sum);
}

/* It knows what the lab once put around each copy. */
static csum_wsum copy_guesses(void *dst, const void *src, size_t len,
			      csum_wsum sum)
{
	csum_wsum result = csum_copy_portable(dst, src, len, sum);

	((uint8_t *)dst)[-1] = 0xa5;
	return result;
}

static csum_wsum forgets_start(const void *p, size_t len, csum_wsum sum)
{
	(void)sum;
	return csum_sum_portable(p, len, 0);
}

static csum_wsum wraps_at_64k(const void *p, size_t len, csum_wsum sum)
{
	return csum_sum_portable(p, (uint16_t)len, sum);
}

static bool found(struct lab_subject s, enum lab_fault fault, size_t size)
{
	struct lab_wrong w;
	bool right = lab_trial(&s, &w);

	if (right || w.fault != fault || w.size != size)
		tap_note("right %d, fault %d, size %zu", right, w.fault,
			 w.size);
	return !right && w.fault == fault && w.size == size;
}

static void test_trial(void)
{
	struct lab_subject s = subject("right", right);
	struct lab_wrong w;

	tap_ok(lab_trial(&s, &w), "a right sum is right");
	s = copy_subject("right", csum_copy_portable);
	tap_ok(lab_trial(&s, &w), "a right copy is right");
	tap_ok(found(subject("x", wrong_at_odd_address), LAB_WRONG_RESULT, 0),
	       "wrong at odd addresses");
	tap_ok(found(subject("x", wrong_zero), LAB_WRONG_RESULT, 2),
	       "zero for -0");
	tap_ok(found(subject("x", forgets_start), LAB_WRONG_RESULT, 0),
	       "forgets where to start");
	tap_ok(found(subject("x", reads_on), LAB_READS_BEHIND, 0), "reads on");
	tap_ok(found(subject("x", reads_before), LAB_READS_BEFORE, 0),
	       "reads in front");
	tap_ok(found(subject("x", writes_source), LAB_WRITES_SOURCE, 1),
	       "writes the source");
	tap_ok(found(subject("x", never_returns), LAB_HANGS, 7),
	       "never returns");
	tap_ok(found(copy_subject("x", copy_guesses), LAB_WRITES_BEYOND, 0),
	       "writes what was around copies once");
	tap_ok(found(subject("x", wraps_at_64k), LAB_WRONG_RESULT, 65536),
	       "wraps at 64 KiB");
	s = subject("x", wraps_at_64k);
	s.max = 65535;
	tap_ok(lab_trial(&s, &w), "which is right for less");
	tap_ok(found(copy_subject("x", copy_too_much), LAB_WRITES_BEYOND, 0),
	       "writes behind the copy");
	tap_ok(found(copy_subject("x", copy_before), LAB_WRITES_BEYOND, 0),
	       "writes before it");
	tap_ok(found(copy_subject("x", copy_swapped), LAB_WRONG_BYTES, 4),
	       "copies wrong bytes");
	tap_ok(found(copy_subject("x", copy_reads_on), LAB_READS_BEHIND, 0),
	       "reads on while copying");
}

static void test_machine(void)
{
	const struct lab_subject s = lab_limit(LAB_SUM);
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
	test_interval();
	test_election();
	test_read_loops();
	test_good_run(LAB_THROUGHPUT, 0, "throughput");
	test_good_run(LAB_LATENCY, 0, "latency");
	test_good_run(LAB_THROUGHPUT, 1 << 20, "shuffled");
	test_good_run(LAB_LATENCY, 1 << 20, "shuffled latency");
	test_seed();
	test_wrong();
	test_interruptions();
	test_mixes();
	test_too_fast();
	test_copies();
	test_left_out();
	test_replace();
	test_headers();
	test_changes();
	test_prefetch();
	test_trial();
	test_machine();
	return tap_done();
}
