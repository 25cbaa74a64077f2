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
	HEADER = 20,
	LINE = 64,
	CANARY = 0xa5,
};

/* Long against the clock, short against a slice of the scheduler. */
static const double min_sample_ns = 50e3, max_sample_ns = 1e6;

/* ------------------------------------------------------------------------
 * Calls
 *
 * The compiler may not know what is called, or it might call once and
 * multiply.  The sum of all results is returned, so all are needed.
 */

/*
 * Where the calls of a row go: @count places, a power of two, @stride BYTES
 * apart.  They are taken in steps of an odd number, so each comes up once
 * before any comes up again; the steps are large, so neighbours in time are not
 * neighbours in memory.
 */
struct walk {
	uint8_t *src, *dst;
	size_t len, stride, count, step, at;
};

static inline __attribute__((always_inline)) uint64_t loop(
	const struct lab_subject *s, struct walk *w, size_t calls, bool copy,
	bool wait, bool walk)
{
	csum_sum_fn sum = s->sum;
	csum_copy_fn copy_and_sum = s->copy;
	size_t at = w->at, zero = 0;
	csum_wsum last = 0;
	uint64_t all = 0;

	LAB_OPAQUE(sum);
	LAB_OPAQUE(copy_and_sum);
	LAB_OPAQUE(zero);
	for (; calls; calls--, all += last) {
		size_t place = walk ? at * w->stride : 0;

		if (wait)
			place += last & zero;
		last = copy ? copy_and_sum(w->dst + place, w->src + place,
					   w->len, 0)
			    : sum(w->src + place, w->len, 0);
		if (walk)
			at = (at + w->step) & (w->count - 1);
	}
	w->at = at;
	return all;
}

/* Returns the sum of the results of all calls. */
static uint64_t call(const struct lab_subject *s, struct walk *w, size_t calls)
{
	const bool wait = s->mode == LAB_LATENCY;

	lab_distance = s->distance;
	if (s->small)
		return s->small->loop[s->mode](w->src, calls);
	if (w->count > 1 && s->op == LAB_COPY)
		return loop(s, w, calls, true, wait, true);
	if (w->count > 1)
		return loop(s, w, calls, false, wait, true);
	if (s->op == LAB_COPY)
		return wait ? loop(s, w, calls, true, true, false)
			    : loop(s, w, calls, true, false, false);
	return wait ? loop(s, w, calls, false, true, false)
		    : loop(s, w, calls, false, false, false);
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
	uint8_t *buf,
		*dst; /* page-aligned; there is half a page around the copy */
	size_t buf_len;
	size_t near; /* BYTES of dst in which one copy may go wrong */
	uint64_t random;
	size_t *groups; /* a group is one size at one offset */
	size_t ngroups;
	size_t *order; /* of the subjects */
	size_t at;     /* where walks have come to */
};

/*
 * The destination is half a page away from where the source is in its page:
 * were both in the same place, loads would wait for stores that have the same
 * lower address bits.
 */
static uint8_t *destination(const struct bench *b, size_t offset)
{
	return b->dst + PAGE / 2 + offset;
}

static struct walk walk_of(const struct bench *b, const struct lab_row *row)
{
	struct walk w = { .src = b->buf + row->offset,
			  .dst = destination(b, row->offset),
			  .len = row->size,
			  .count = 1,
			  .at = b->at };

	w.stride = (row->offset + row->size + LINE - 1) / LINE * LINE;
	while (w.stride && 2 * w.count * w.stride <= b->plan->span)
		w.count *= 2;
	/* the golden section scatters best */
	w.step = (size_t)((double)w.count * 0.618) | 1;
	w.at &= w.count - 1;
	return w;
}

static void report_wrong(struct bench *b, struct lab_wrong wrong)
{
	for (size_t i = 0; i < b->run->nwrong; i++)
		if (b->run->wrong[i].subject == wrong.subject)
			return;
	b->run->wrong[b->run->nwrong++] = wrong;
}

/* The model's answer as a big-endian reading. */
static uint16_t wanted(enum lab_op op, const uint8_t *p, size_t len)
{
	uint8_t terms[6];
	uint16_t check;

	switch (op) {
	case LAB_REPLACE:
		/* ~HC + ~m + m'; in the library's convention never 0xffff */
		for (int i = 0; i < 6; i++)
			terms[i] = i < 4 ? (uint8_t)~p[i] : p[i];
		check = (uint16_t)~model_csum(terms, sizeof(terms), 0);
		return check == 0xffff ? 0 : check;
	case LAB_HEADER:
	case LAB_WRITTEN:
		return (uint16_t)~model_csum(p, HEADER, 0);
	default:
		return model_csum(p, len, 0);
	}
}

static csum_wsum call_once(const struct lab_subject *s, struct walk *w)
{
	return (csum_wsum)call(s, w, 1);
}

/* The result says what the subject makes of it. */
static bool result_is_right(const struct lab_subject *s, csum_wsum one,
			    uint16_t want, uint16_t *got)
{
	*got = ntohs(csum_to16(one));
	/* memcpy() gives none */
	if (s->kind == LAB_LIMIT && s->op == LAB_COPY)
		return true;
	/* a sum is 0 only if all bytes are, so the model judges this too */
	if (s->kind == LAB_LIMIT)
		return !one == !want;
	if (s->small && s->small->either_zero && want == 0 && *got == 0xffff)
		return true;
	return *got == want;
}

static bool untouched(const uint8_t *p, const uint8_t *end)
{
	while (p < end && *p == CANARY)
		p++;
	return p == end;
}

/* One call, against @want, the model's answer for the same bytes. */
static void check(struct bench *b, struct lab_row *row, const char *data,
		  uint16_t want)
{
	const struct lab_subject *s = row->subject;
	struct walk w = walk_of(b, row);
	struct lab_wrong wrong = { .subject = s,
				   .size = row->size,
				   .offset = row->offset,
				   .data = data,
				   .want = want };

	w.count = 1;
	if (s->op == LAB_COPY)
		memset(b->dst, CANARY, b->near);
	row->want = want;
	row->one = call_once(s, &w);
	if (!result_is_right(s, row->one, want, &wrong.got)) {
		report_wrong(b, wrong);
	} else if (s->op == LAB_COPY) {
		wrong.fault = LAB_WRONG_BYTES;
		if (memcmp(w.dst, w.src, w.len) != 0)
			report_wrong(b, wrong);
		wrong.fault = LAB_WRITES_BEYOND;
		if (!untouched(b->dst, w.dst) ||
		    !untouched(w.dst + w.len, b->dst + b->near))
			report_wrong(b, wrong);
	}
}

static void check_all(struct bench *b, const char *data)
{
	const size_t n = b->plan->nsubjects;

	for (size_t i = 0; i < b->run->nrows; i++) {
		struct lab_row *row = &b->run->rows[i];
		const uint8_t *p = b->buf + row->offset;
		const struct lab_row *before = i % n ? row - 1 : NULL;

		if (row->left_out)
			continue;
		if (before && !before->left_out &&
		    before->subject->op == row->subject->op)
			check(b, row, data, before->want);
		else
			check(b, row, data,
			      wanted(row->subject->op, p, row->size));
	}
}

/* With a span, all lines are alike: so is what each call sees. */
static void fill_randomly(struct bench *b)
{
	size_t period = b->plan->span ? LINE : b->buf_len;

	for (size_t i = 0; i < period; i++)
		b->buf[i] = (uint8_t)random64(&b->random);
	for (size_t i = period; i < b->buf_len; i++)
		b->buf[i] = b->buf[i - period];
}

/* In the very buffer, at the very places; it is left as it will be timed. */
static bool all_right(struct bench *b)
{
	memset(b->buf, 0, b->buf_len);
	check_all(b, "all bytes 00");
	memset(b->buf, 0xff, b->buf_len);
	check_all(b, "all bytes ff");
	fill_randomly(b);
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
	struct walk w = walk_of(b, row);
	uint64_t start = lab_now(), took;

	*all = call(row->subject, &w, calls);
	took = lab_now() - start;
	b->at = w.at;
	return (double)took;
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
					    .fault = LAB_UNSTEADY,
					    .size = row->size,
					    .offset = row->offset,
					    .data = "random bytes",
					    .want = row->want });
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
		for (size_t i = 0; i < n; i++) {
			struct lab_row *row =
				&b->run->rows[b->groups[g] * n + b->order[i]];

			if (!row->left_out && !sample(b, row, round))
				return false;
		}
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
		if (!run->rows[i].left_out)
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
		if (run->rounds < MIN_ROUNDS)
			continue;
		if (share >= 1 || (b->plan->enough && b->plan->enough(run)))
			break;
	}
	return LAB_OK;
}

/* ------------------------------------------------------------------------
 * The run
 */

static const struct lab_subject empty_call = { .name = "empty call",
					       .kind = LAB_LIMIT,
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

	b->near = (end / PAGE + 2) * PAGE;
	if (end < plan->span)
		end = plan->span;
	b->buf_len = (end / PAGE + 1) * PAGE;
	b->buf = aligned_alloc(PAGE, b->buf_len);
	b->dst = aligned_alloc(PAGE, b->buf_len + PAGE);
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
	if (!b->buf || !b->dst || !b->groups || !b->order || !run->rows ||
	    !run->wrong || !run->ghz || !run->width || !run->room || !ns)
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
			row->left_out = row->subject->max &&
					row->size > row->subject->max;
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
	free(b.dst);
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

const struct lab_row *lab_row_base(const struct lab_run *run,
				   const struct lab_row *row)
{
	size_t n = run->plan->nsubjects;
	size_t group = (size_t)(row - run->rows) / n;

	for (size_t i = 0; i < n; i++) {
		const struct lab_row *r = &run->rows[group * n + i];

		if (r->subject->base && r->subject->op == row->subject->op &&
		    r->subject->mode == row->subject->mode)
			return r;
	}
	return NULL;
}
