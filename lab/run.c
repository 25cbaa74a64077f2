/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.c - runs a plan: tries every row, then times all and looks at every
 * answer.  When and how often subjects are called is the business of rounds.c.
 */
#include "run.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "flush.h"
#include "limit.h"
#include "stats.h"

/* BYTES: more are new only in every fourth round. */
enum { QUICKLY_FILLED = 16 << 20 };

/* Lengths that may be learnt by heart, and how often they are seen first. */
enum { LEARNABLE = 1 << 14, LESSONS = 4 };

/* A run while it lasts. */
struct lab_running {
	struct lab_run *run;
	const struct lab_plan *plan;
	struct lab_places places;
	struct lab_memo *memo; /* NULL without a table of places */
	struct lab_timed **items;
	uint8_t canary; /* seed of the next call's */
};

/* The calls in a sample of @n, those of a planted slowdown included. */
static size_t with_planted(const struct lab_row *row, size_t n)
{
	return n + n * row->subject->planted / 1000;
}

static bool by_table(const struct lab_row *row)
{
	const struct lab_running *b = row->running;

	return b->places.table && row != &b->run->empty;
}

/* For struct lab_timed. */
static uint64_t run_row(void *what, size_t n)
{
	const struct lab_row *row = what;
	struct lab_places *p = &row->running->places;
	struct lab_visits v =
		row == &row->running->run->empty
			? lab_places_stay(p, 0, 0)
			: lab_places_visit(p, row->size, row->offset);
	uint64_t all = lab_calls(row->subject, &v, with_planted(row, n));

	if (row != &row->running->run->empty)
		p->next = v.at;
	return all;
}

/* ------------------------------------------------------------------------
 * Trials
 */

static void report_wrong(struct lab_running *b, const struct lab_wrong *wrong)
{
	if (wrong->fault == LAB_NO_FAULT)
		return;
	for (size_t i = 0; i < b->run->nwrong; i++)
		if (b->run->wrong[i].subject == wrong->subject)
			return;
	b->run->wrong[b->run->nwrong++] = *wrong;
}

/* One call, against @want, the model's answer for the same bytes. */
static void try_row(struct lab_running *b, struct lab_row *row,
		    const char *data, uint16_t want)
{
	const struct lab_subject *s = row->subject;
	struct lab_places *p = &b->places;
	struct lab_visits v = lab_places_stay(p, row->size, row->offset);
	struct lab_call call = { .src = v.src,
				 .dst = v.dst,
				 .len = v.len,
				 .before = p->dst,
				 .behind = p->dst + p->near,
				 .canary = b->canary++ };
	struct lab_wrong wrong = { .subject = s,
				   .size = row->size,
				   .offset = row->offset,
				   .data = data,
				   .want = want };

	if (s->op == LAB_COPY)
		lab_canary(p->dst, p->dst + p->near, call.canary);
	row->want = want;
	row->one = call.sum = (csum_wsum)lab_calls(s, &v, 1);
	wrong.fault = lab_fault_of(s, &call, &wrong);
	report_wrong(b, &wrong);
}

static void try_rows(struct lab_running *b, const char *data)
{
	const size_t n = b->plan->nsubjects;

	for (size_t i = 0; i < b->run->nrows; i++) {
		struct lab_row *row = &b->run->rows[i];
		const uint8_t *p = b->places.src + row->offset;
		const struct lab_row *before = i % n ? row - 1 : NULL;

		if (row->left_out)
			continue;
		if (before && !before->left_out &&
		    before->subject->op == row->subject->op)
			try_row(b, row, data, before->want);
		else
			try_row(b, row, data,
				lab_wanted(row->subject->op, p, row->size));
	}
}

static bool fill_and_try(struct lab_running *b)
{
	lab_places_fill(&b->places);
	if (b->memo)
		lab_memo_forget(b->memo);
	try_rows(b, lab_places_contents(&b->places));
	return b->run->nwrong == 0;
}

/* In the very buffer, at the very places; it is left as it will be timed. */
static bool all_right(struct lab_running *b)
{
	memset(b->places.src, 0, b->places.len);
	try_rows(b, "all bytes 00");
	memset(b->places.src, 0xff, b->places.len);
	try_rows(b, "all bytes ff");
	return fill_and_try(b);
}

/* One call of the table again; its result into *@one. */
static bool same_place(struct lab_running *b, const struct lab_row *row,
		       const struct lab_place *place, csum_wsum *one)
{
	const struct lab_subject *s = row->subject;
	const uint8_t *src = b->places.src + row->offset + place->at;
	uint8_t *dst = lab_places_dst(&b->places, row->offset) + place->at;
	struct lab_call call = { .src = src,
				 .dst = dst,
				 .len = place->len,
				 .before = dst - LAB_LINE,
				 .behind = dst + place->len + LAB_LINE,
				 .canary = b->canary++ };
	struct lab_wrong wrong = { .subject = s,
				   .size = place->len,
				   .offset = row->offset + place->at,
				   .data = "random bytes",
				   .want = place->want };

	if (s->op != LAB_COPY) {
		call.sum = s->sum(src, place->len, 0);
	} else {
		lab_canary(dst - LAB_LINE, call.behind, call.canary);
		call.sum = s->copy(dst, src, place->len, 0);
	}
	*one = call.sum;
	wrong.fault = lab_fault_of(s, &call, &wrong);
	report_wrong(b, &wrong);
	return b->run->nwrong == 0;
}

/* Makes the calls of the last sample, which came to @all, once more. */
static bool table_is_right(struct lab_running *b, const struct lab_row *row,
			   uint64_t all)
{
	const struct lab_places *p = &b->places;
	size_t calls = with_planted(row, row->timed.n);
	size_t at = (p->next + p->n - calls % p->n) % p->n;
	uint64_t sum = 0;

	for (; calls; calls--) {
		csum_wsum one;

		if (!same_place(b, row, &p->table[at], &one))
			return false;
		sum += one;
		at = at + 1 < p->n ? at + 1 : 0;
	}
	return sum == all;
}

/* ------------------------------------------------------------------------
 * Hooks
 */

/* New contents, and every subject tried on them. */
static bool new_contents(void *context, size_t round)
{
	struct lab_running *b = context;

	b->places.group = SIZE_MAX;
	if (b->places.len > QUICKLY_FILLED && round % 4)
		return true;
	return fill_and_try(b);
}

/* The row's bytes, and where they are copied to. */
static void flush(const struct lab_running *b, const struct lab_row *row)
{
	const struct lab_places *p = &b->places;

	lab_flush(p->src, p->len);
	if (row->subject->op == LAB_COPY)
		lab_flush(p->dst, p->len + LAB_PAGE);
}

/* Lengths that repeat are to be known by heart, if they can be. */
static void learn(struct lab_row *row)
{
	if (row->period && row->period <= LEARNABLE)
		run_row(row, LESSONS * row->period);
}

/* For so many calls of a row. */
static void prepare(struct lab_running *b, struct lab_row *row, size_t calls)
{
	const struct lab_spot spot = { .size = row->size,
				       .offset = row->offset,
				       .period = row->period,
				       .group = row->timed.group };

	if (by_table(row)) {
		if (lab_places_draw(&b->places, &spot, calls))
			lab_memo_answer(b->memo, &b->places, row->offset);
		learn(row);
	}
	if (b->plan->flush)
		flush(b, row);
}

static bool make_ready(void *context, struct lab_timed *item)
{
	struct lab_row *row = item->what;
	const size_t times = lab_rounds_times(item);

	/* more than there are while it is found out how many fill a sample */
	prepare(context, row, times ? with_planted(row, times) + 1 : 1 << 16);
	return true;
}

/*
 * Each call must have returned what it does when it is looked at, or it is not
 * known what was timed: 2^64 wraps in both products alike.
 */
static bool steady(void *context, struct lab_timed *item, uint64_t all)
{
	struct lab_running *b = context;
	struct lab_row *row = item->what;

	b->run->consumed += all;
	if (by_table(row)
		    ? table_is_right(b, row, all)
		    : all == (uint64_t)row->one * with_planted(row, item->n))
		return true;
	report_wrong(
		b, &(struct lab_wrong){ .subject = row->subject,
					.fault = LAB_UNSTEADY,
					.size = row->size,
					.offset = row->offset,
					.data = lab_places_contents(&b->places),
					.want = row->want });
	return false;
}

static bool enough(void *context)
{
	const struct lab_running *b = context;

	return b->plan->enough && b->plan->enough(b->run);
}

/* ------------------------------------------------------------------------
 * The run
 */

static const struct lab_subject empty_call = { .name = "empty call",
					       .kind = LAB_LIMIT,
					       .sum = lab_empty };

static bool allocate(struct lab_running *b)
{
	struct lab_run *run = b->run;

	if (!lab_places_alloc(&b->places, b->plan))
		return false;
	snprintf(run->pages, sizeof(run->pages), "%s", b->places.src_pages.got);
	b->items = calloc(run->nrows + 1, sizeof(struct lab_timed *));
	run->rows = calloc(run->nrows, sizeof(*run->rows));
	run->wrong = calloc(b->plan->nsubjects + 1, sizeof(*run->wrong));
	if (b->places.table)
		b->memo = lab_memo_new();
	return b->items && run->rows && run->wrong &&
	       (b->memo || !b->places.table);
}

static void add_item(struct lab_running *b, struct lab_row *row, size_t group)
{
	struct lab_rounds *r = &b->run->time;

	row->running = b;
	row->timed.run = run_row;
	row->timed.what = row;
	row->timed.group = group;
	row->timed.n = b->plan->calls;
	if (b->plan->flush && row != &b->run->empty)
		row->timed.n =
			lab_places_once(&b->places, row->size, row->offset);
	r->items[r->nitems++] = &row->timed;
}

static void lay_out(struct lab_running *b)
{
	const struct lab_plan *plan = b->plan;
	struct lab_row *row = b->run->rows;
	size_t groups = plan->nsizes * plan->noffsets;

	b->run->time.items = b->items;
	b->run->empty.subject = &empty_call;
	add_item(b, &b->run->empty, groups);
	for (size_t g = 0; g < groups; g++) {
		for (size_t i = 0; i < plan->nsubjects; i++, row++) {
			row->subject = &plan->subjects[i];
			row->size = plan->sizes[g / plan->noffsets];
			row->offset = plan->offsets[g % plan->noffsets];
			row->period =
				plan->periods && plan->mix
					? plan->periods[g / plan->noffsets]
					: 0;
			row->left_out = row->subject->max &&
					row->size > row->subject->max;
			if (!row->left_out)
				add_item(b, row, g);
		}
	}
}

static enum lab_status time_rows(struct lab_running *b)
{
	struct lab_rounds *r = &b->run->time;

	r->seconds = b->plan->seconds;
	r->random = b->plan->seed;
	r->progress = b->plan->progress;
	r->enough = enough;
	r->hooks = (struct lab_hooks){ .begin = new_contents,
				       .before = make_ready,
				       .after = steady,
				       .context = b };
	return lab_rounds_run(r);
}

/*
 * Whoever is right and yet much faster than the loop that only reads the same
 * bytes has not read them all.  That loop is a limit where its loads are: in
 * throughput, over bytes in a near cache, not too few and of a known length.
 */
static bool is_too_fast(const struct lab_run *run, const struct lab_row *row)
{
	enum { LEAST = 256, MOST = 256 << 10 };
	const double limit = 0.9;
	const struct lab_row *base = lab_row_base(run, row);

	return base && base != row && !row->left_out &&
	       base->subject->kind == LAB_LIMIT &&
	       row->subject->op == LAB_SUM &&
	       row->subject->mode == LAB_THROUGHPUT && row->size >= LEAST &&
	       row->size <= MOST &&
	       lab_ratio_interval(row->timed.ns, base->timed.ns, run->time.n,
				  run->time.room)
			       .high < limit;
}

static bool credible(struct lab_running *b)
{
	const struct lab_plan *plan = b->plan;

	if (plan->span || plan->flush || plan->mix)
		return true;
	for (size_t i = 0; i < b->run->nrows; i++) {
		const struct lab_row *row = &b->run->rows[i];

		if (is_too_fast(b->run, row))
			report_wrong(b, &(struct lab_wrong){
						.subject = row->subject,
						.fault = LAB_TOO_FAST,
						.size = row->size,
						.offset = row->offset,
						.data = lab_places_contents(
							&b->places) });
	}
	return b->run->nwrong == 0;
}

/* ------------------------------------------------------------------------
 * Counting: after the timing, since starting and stopping takes some us
 */

static void count_row(struct lab_running *b, struct lab_counters *c,
		      struct lab_row *row)
{
	for (size_t pass = 0; pass < c->npasses; pass++) {
		struct lab_count counts[LAB_EVENTS];

		prepare(b, row, 2 * with_planted(row, row->timed.n));
		if (!b->plan->flush)
			run_row(row, row->timed.n);
		lab_counters_start(c, pass);
		run_row(row, row->timed.n);
		lab_counters_stop(c, pass, counts);
		for (int e = 0; e < LAB_EVENTS; e++) {
			if (counts[e].live <= 0)
				continue;
			row->counts[e] = counts[e];
			row->counts[e].count /= (double)row->timed.n;
		}
	}
}

static void count_all(struct lab_running *b)
{
	struct lab_counters c;

	b->run->passes =
		lab_counters_open(&c, b->plan->events, &lab_perf_kernel);
	snprintf(b->run->no_counts, sizeof(b->run->no_counts), "%s", c.why);
	for (size_t i = 0; i < b->run->nrows && c.npasses; i++)
		if (!b->run->rows[i].left_out)
			count_row(b, &c, &b->run->rows[i]);
	lab_counters_close(&c);
}

enum lab_status lab_run(struct lab_run *run, const struct lab_plan *plan)
{
	struct lab_running b = { .run = run, .plan = plan };
	enum lab_status status = LAB_NO_MEMORY;

	assert(plan->nsubjects && plan->nsizes && plan->noffsets);
	*run = (struct lab_run){ .plan = plan, .nrows = lab_plan_rows(plan) };
	if (allocate(&b)) {
		lay_out(&b);
		status = all_right(&b) ? time_rows(&b) : LAB_WRONG;
		if (status == LAB_OK && !credible(&b))
			status = LAB_WRONG;
		if (status == LAB_OK && plan->events)
			count_all(&b);
	}
	free(b.memo);
	free(b.items);
	lab_places_free(&b.places);
	return status;
}

void lab_run_free(struct lab_run *run)
{
	lab_rounds_free(&run->time);
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
