/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench.c - runs a plan: check, calibrate, then rounds of samples.
 *
 * A machine changes while it is measured: frequency, neighbours, interrupts.
 * So each round visits every row once, in an order of its own, and what is to
 * be compared is timed close together: all subjects over the same bytes follow
 * one another.
 */
#include "lab.h"

#include <arpa/inet.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

enum {
	PAGE = 4096,
	MIN_ROUNDS = 5,
	GOOD_ROUNDS = 101, /* more of them before longer samples */
	/* one untimed call in so many before a sample: predictors, caches */
	WARM_SHARE = 8,
};

/* Long against the clock, short against a slice of the scheduler. */
static const double min_sample_ns = 50e3, max_sample_ns = 1e6;

/* ------------------------------------------------------------------------
 * Calls
 *
 * The compiler may not know what is called, or it might call once and
 * multiply.  The sum of all results is returned, so all are needed.
 */

#define OPAQUE(x) __asm__ volatile("" : "+r"(x))

static uint64_t throughput(csum_sum_fn f, const uint8_t *p, size_t len,
			   size_t calls)
{
	uint64_t all = 0;

	OPAQUE(f);
	while (calls--)
		all += f(p, len, 0);
	return all;
}

static uint64_t latency(csum_sum_fn f, const uint8_t *p, size_t len,
			size_t calls)
{
	uint64_t all = 0, zero = 0;
	csum_wsum last = 0;

	OPAQUE(f);
	OPAQUE(zero);
	while (calls--) {
		last = f(p + (last & zero), len, 0);
		all += last;
	}
	return all;
}

/* Returns the sum of the results of all calls. */
static uint64_t call(const struct lab_subject *s, enum lab_mode mode,
		     const uint8_t *p, size_t len, size_t calls)
{
	return mode == LAB_LATENCY ? latency(s->sum, p, len, calls)
				   : throughput(s->sum, p, len, calls);
}

struct lab_subject lab_public(void)
{
	return (struct lab_subject){ .name = "csum_partial",
				     .kind = LAB_PUBLIC,
				     .sum = csum_partial };
}

/* ------------------------------------------------------------------------
 * Data and order
 */

/* splitmix64: any seed is good, and it is four lines. */
static uint64_t random64(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static void shuffle(size_t *order, size_t n, uint64_t *state)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = random64(state) % i, t = order[j];

		order[j] = order[i - 1];
		order[i - 1] = t;
	}
}

static size_t largest(const size_t *v, size_t n)
{
	size_t max = 0;

	for (size_t i = 0; i < n; i++)
		if (v[i] > max)
			max = v[i];
	return max;
}

/* ------------------------------------------------------------------------
 * Check
 */

struct bench {
	struct lab_run *run;
	const struct lab_plan *plan;
	uint8_t *buf;
	size_t buf_len;
	uint64_t random;
	size_t *groups; /* a group is one size at one offset */
	size_t ngroups;
	size_t *order; /* of the subjects */
};

static void report_wrong(struct bench *b, struct lab_wrong wrong)
{
	for (size_t i = 0; i < b->run->nwrong; i++)
		if (b->run->wrong[i].subject == wrong.subject)
			return;
	b->run->wrong[b->run->nwrong++] = wrong;
}

/* One call, against the model's sum @want of the same bytes. */
static void check(struct bench *b, struct lab_row *row, const char *data,
		  uint16_t want)
{
	const struct lab_subject *s = row->subject;
	uint16_t got;
	bool right;

	row->sum = want;
	row->one = s->sum(b->buf + row->offset, row->size, 0);
	/* a sum is 0 only if all bytes are, so the model judges this too */
	got = ntohs(csum_to16(row->one));
	right = s->kind == LAB_READ ? !row->one == !want : got == want;
	if (!right)
		report_wrong(b, (struct lab_wrong){ .subject = s,
						    .size = row->size,
						    .offset = row->offset,
						    .data = data,
						    .want = want,
						    .got = got });
}

static void check_all(struct bench *b, const char *data)
{
	const size_t n = b->plan->nsubjects;

	for (size_t g = 0; g < b->ngroups; g++) {
		struct lab_row *row = &b->run->rows[g * n];
		uint16_t want = model_csum(b->buf + row->offset, row->size, 0);

		for (size_t i = 0; i < n; i++)
			check(b, &row[i], data, want);
	}
}

/* In the very buffer, at the very places; it is left as it will be timed. */
static bool all_right(struct bench *b)
{
	memset(b->buf, 0, b->buf_len);
	check_all(b, "all bytes 00");
	memset(b->buf, 0xff, b->buf_len);
	check_all(b, "all bytes ff");
	for (size_t i = 0; i < b->buf_len; i++)
		b->buf[i] = (uint8_t)random64(&b->random);
	check_all(b, "random bytes");
	return b->run->nwrong == 0;
}

/* ------------------------------------------------------------------------
 * Time
 */

/* Returns ns for all @calls, with their results summed in *all. */
static double time_calls(struct bench *b, const struct lab_row *row,
			 size_t calls, uint64_t *all)
{
	const uint8_t *p = b->buf + row->offset;
	uint64_t start = lab_now();

	*all = call(row->subject, b->plan->mode, p, row->size, calls);
	return (double)(lab_now() - start);
}

/* How many calls make a sample.  The faster of two: one may be disturbed. */
static size_t calibrate(struct bench *b, const struct lab_row *row)
{
	const double target = b->run->sample_ns;
	double best = 0;
	size_t calls = 1;

	for (;; calls *= 2) {
		uint64_t all;
		double first = time_calls(b, row, calls, &all);
		double second = time_calls(b, row, calls, &all);

		best = first < second ? first : second;
		if (best >= target / 8)
			break;
	}
	calls = (size_t)((double)calls * target / best);
	return calls ? calls : 1;
}

/*
 * Each call must have returned what the first one did, or it is not known what
 * was timed: 2^64 wraps in both products alike.
 */
static bool sample(struct bench *b, struct lab_row *row, size_t round)
{
	uint64_t all;
	double ns;

	time_calls(b, row, row->calls / WARM_SHARE + 1, &all);
	ns = time_calls(b, row, row->calls, &all);
	row->ns[round] = ns / (double)row->calls;
	b->run->consumed += all;
	if (all == (uint64_t)row->one * row->calls)
		return true;
	report_wrong(b, (struct lab_wrong){ .subject = row->subject,
					    .size = row->size,
					    .offset = row->offset,
					    .data = "random bytes",
					    .while_timed = true,
					    .want = row->sum });
	return false;
}

static bool run_round(struct bench *b, size_t round)
{
	const size_t n = b->plan->nsubjects;
	struct lab_core core = lab_core();

	b->run->ghz[round] = core.ghz;
	b->run->width[round] = core.width;
	if (!sample(b, &b->run->empty, round))
		return false;
	shuffle(b->groups, b->ngroups, &b->random);
	for (size_t g = 0; g < b->ngroups; g++) {
		shuffle(b->order, n, &b->random);
		for (size_t i = 0; i < n; i++)
			if (!sample(b,
				    &b->run->rows[b->groups[g] * n +
						  b->order[i]],
				    round))
				return false;
	}
	return true;
}

static enum lab_status measure(struct bench *b, size_t max_rounds)
{
	struct lab_run *run = b->run;
	const uint64_t start = lab_now();

	lab_warm_up();
	run->clock_ns = lab_clock_cost();
	run->empty.calls = calibrate(b, &run->empty);
	for (size_t i = 0; i < run->nrows; i++)
		run->rows[i].calls = calibrate(b, &run->rows[i]);
	while (run->rounds < max_rounds) {
		double share;

		if (!run_round(b, run->rounds))
			return LAB_WRONG;
		run->rounds++;
		run->seconds = (double)(lab_now() - start) / 1e9;
		share = run->seconds / b->plan->seconds;
		if (b->plan->progress)
			b->plan->progress(share < 1 ? share : 1);
		if (share >= 1 && run->rounds >= MIN_ROUNDS)
			break;
	}
	return LAB_OK;
}

/* ------------------------------------------------------------------------
 * The run
 */

static const struct lab_subject empty_call = { .name = "empty call",
					       .kind = LAB_READ,
					       .sum = lab_empty };

static size_t row_count(const struct lab_plan *plan)
{
	return plan->nsubjects * plan->nsizes * plan->noffsets;
}

double lab_plan_seconds(const struct lab_plan *plan, double seconds_per_row)
{
	return seconds_per_row * (double)(row_count(plan) + 1);
}

/* Few long samples or many short ones: sets sample_ns, returns most rounds. */
static size_t divide_time(struct lab_run *run)
{
	const double warm = 1 + 1.0 / WARM_SHARE;
	double row_ns = run->plan->seconds * 1e9 / (double)(run->nrows + 1);
	double ns = row_ns / GOOD_ROUNDS / warm;

	if (ns < min_sample_ns)
		ns = min_sample_ns;
	if (ns > max_sample_ns)
		ns = max_sample_ns;
	run->sample_ns = ns;
	/* samples differ a little from what was meant */
	return (size_t)(1.25 * row_ns / (ns * warm)) + MIN_ROUNDS;
}

static bool allocate(struct bench *b, size_t max_rounds)
{
	const struct lab_plan *plan = b->plan;
	struct lab_run *run = b->run;
	size_t end = largest(plan->sizes, plan->nsizes) +
		     largest(plan->offsets, plan->noffsets);
	double *ns;

	b->buf_len = (end / PAGE + 1) * PAGE;
	b->buf = aligned_alloc(PAGE, b->buf_len);
	b->ngroups = plan->nsizes * plan->noffsets;
	b->groups = calloc(b->ngroups, sizeof(*b->groups));
	b->order = calloc(plan->nsubjects, sizeof(*b->order));
	run->rows = calloc(run->nrows, sizeof(*run->rows));
	run->wrong = calloc(plan->nsubjects + 1, sizeof(*run->wrong));
	run->ghz = calloc(max_rounds, sizeof(*run->ghz));
	run->width = calloc(max_rounds, sizeof(*run->width));
	run->room = calloc(max_rounds, sizeof(*run->room));
	/* one block for all samples, which belongs to the empty call */
	ns = calloc((run->nrows + 1) * max_rounds, sizeof(*ns));
	run->empty.ns = ns;
	if (!b->buf || !b->groups || !b->order || !run->rows || !run->wrong ||
	    !run->ghz || !run->width || !run->room || !ns)
		return false;
	for (size_t i = 0; i < run->nrows; i++)
		run->rows[i].ns = ns + (i + 1) * max_rounds;
	return true;
}

static void lay_out(struct bench *b)
{
	const struct lab_plan *plan = b->plan;
	struct lab_row *row = b->run->rows;

	b->run->empty.subject = &empty_call;
	for (size_t g = 0; g < b->ngroups; g++) {
		b->groups[g] = g;
		for (size_t i = 0; i < plan->nsubjects; i++, row++) {
			row->subject = &plan->subjects[i];
			row->size = plan->sizes[g / plan->noffsets];
			row->offset = plan->offsets[g % plan->noffsets];
		}
	}
	for (size_t i = 0; i < plan->nsubjects; i++)
		b->order[i] = i;
}

enum lab_status lab_run(struct lab_run *run, const struct lab_plan *plan)
{
	struct bench b = { .run = run, .plan = plan, .random = plan->seed };
	enum lab_status status = LAB_NO_MEMORY;
	size_t max_rounds;

	assert(plan->nsubjects && plan->nsizes && plan->noffsets);
	*run = (struct lab_run){ .plan = plan, .nrows = row_count(plan) };
	max_rounds = divide_time(run);
	if (allocate(&b, max_rounds)) {
		lay_out(&b);
		status = all_right(&b) ? measure(&b, max_rounds) : LAB_WRONG;
	}
	free(b.order);
	free(b.groups);
	free(b.buf);
	return status;
}

void lab_run_free(struct lab_run *run)
{
	free(run->empty.ns);
	free(run->room);
	free(run->width);
	free(run->ghz);
	free(run->wrong);
	free(run->rows);
	*run = (struct lab_run){ 0 };
}

const struct lab_row *lab_row_at(const struct lab_run *run, size_t size,
				 size_t offset, size_t subject)
{
	const struct lab_plan *plan = run->plan;

	return &run->rows[(size * plan->noffsets + offset) * plan->nsubjects +
			  subject];
}

const struct lab_row *lab_row_read(const struct lab_run *run,
				   const struct lab_row *row)
{
	size_t n = run->plan->nsubjects;
	size_t group = (size_t)(row - run->rows) / n;

	for (size_t i = 0; i < n; i++) {
		const struct lab_row *r = &run->rows[group * n + i];

		if (r->subject->kind == LAB_READ)
			return r;
	}
	return NULL;
}
