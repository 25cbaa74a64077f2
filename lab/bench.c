/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench.c - runs a plan: which bytes each call sees, and whether every answer
 * is right.  When and how often they are called is rounds.c's business.
 */
#include "lab.h"

#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

enum {
	PAGE = 4096,
	HEADER = 20,
	LINE = 64,
	CANARY = 0xa5,
	/* random bytes repeat after so many, if there are more */
	PERIOD = 1 << 20,
	/* more bytes than this are new only in every fourth round */
	QUICKLY_FILLED = 16 << 20,
	MOST_PLACES = 1 << 20,
	MEMO = 1 << 16,
};

/* ------------------------------------------------------------------------
 * Places
 *
 * Where the calls of a row go.  Without a span that is one place.  With one,
 * each place once before any comes up again, or random ones.  Upwards and in
 * equal steps are arithmetic, over a power of two of places.  What needs more
 * is written down in a table, made anew for each group of rows in each round,
 * and read in order.
 */

/* One entry of the table. */
struct place {
	uint32_t at, len; /* BYTES */
	uint16_t want;	  /* the model's answer */
};

/* The model's answers so far, by where a place is in its line and its length */
struct memo {
	uint32_t phase, len; /* BYTES; len 0: empty, for that needs no model */
	uint16_t want;
};

struct walk {
	uint8_t *src, *dst;
	size_t len, stride, count, step, at;
	const struct place *table; /* or NULL */
};

struct bench {
	struct lab_run *run;
	const struct lab_plan *plan;
	struct lab_pages src_pages, dst_pages;
	uint8_t *buf,
		*dst; /* page-aligned; there is half a page around the copy */
	size_t buf_len;
	size_t near; /* BYTES of dst in which one copy may go wrong */
	uint64_t random;
	size_t at; /* where walks have come to */
	struct place *table;
	size_t nplaces, apart, table_group;
	struct memo *memo;
	struct lab_timed **items;
};

static bool needs_table(const struct lab_plan *plan)
{
	return (plan->span && plan->order <= LAB_RANDOM_EVEN) || plan->jitter ||
	       plan->mix;
}

/*
 * The destination is half a page away from where the source is in its page:
 * were both in the same place, loads would wait for stores that have the same
 * lower address bits.
 */
static uint8_t *destination(const struct bench *b, size_t offset)
{
	return b->dst + PAGE / 2 + offset;
}

/* BYTES from one place to the next: whole lines. */
static size_t stride_of(const struct lab_row *row)
{
	return (row->offset + row->size + LINE - 1) / LINE * LINE;
}

/* The places of a row without a table: a power of two. */
static size_t places_of(const struct bench *b, const struct lab_row *row)
{
	size_t stride = stride_of(row), count = 1;

	while (stride && 2 * count * stride <= b->plan->span)
		count *= 2;
	return count;
}

/* One place, the first of the row. */
static struct walk stay(const struct bench *b, const struct lab_row *row)
{
	return (struct walk){ .src = b->buf + row->offset,
			      .dst = destination(b, row->offset),
			      .len = row->size,
			      .count = 1 };
}

static struct walk walk_of(const struct bench *b, const struct lab_row *row)
{
	struct walk w = stay(b, row);

	if (b->table && row != &b->run->empty) {
		w.table = b->table;
		w.count = b->nplaces;
		w.at = b->at % w.count;
		return w;
	}
	w.stride = stride_of(row);
	w.count = places_of(b, row);
	/* odd, so all come up; near the golden section they fill in evenly */
	w.step = b->plan->order == LAB_SEQUENTIAL
			 ? 1
			 : (size_t)((double)w.count * 0.618) | 1;
	w.at = b->at & (w.count - 1);
	return w;
}

/* ------------------------------------------------------------------------
 * Calls
 *
 * The compiler may not know what is called, or it might call once and
 * multiply.  The sum of all results is returned, so all are needed.
 */

/* How places follow one another. */
enum way { STAY, WALK, TABLE };

static inline __attribute__((always_inline)) uint64_t loop(
	const struct lab_subject *s, struct walk *w, size_t calls, bool copy,
	bool wait, enum way way)
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
		size_t place = way == TABLE  ? w->table[at].at
			       : way == WALK ? at * w->stride
					     : 0;
		size_t len = way == TABLE ? w->table[at].len : w->len;

		if (wait)
			place += last & zero;
		last = copy ? copy_and_sum(w->dst + place, w->src + place, len,
					   0)
			    : sum(w->src + place, len, 0);
		if (way == WALK)
			at = (at + w->step) & (w->count - 1);
		else if (way == TABLE)
			at = at + 1 < w->count ? at + 1 : 0;
	}
	w->at = at;
	return all;
}

/* One loop for each op and mode, in which nothing is decided any more. */
static inline __attribute__((always_inline)) uint64_t loops(
	const struct lab_subject *s, struct walk *w, size_t calls, enum way way)
{
	const bool wait = s->mode == LAB_LATENCY;

	if (s->op == LAB_COPY)
		return wait ? loop(s, w, calls, true, true, way)
			    : loop(s, w, calls, true, false, way);
	return wait ? loop(s, w, calls, false, true, way)
		    : loop(s, w, calls, false, false, way);
}

/* Returns the sum of the results of all calls. */
static uint64_t call(const struct lab_subject *s, struct walk *w, size_t calls)
{
	lab_distance = s->prefetch.distance;
	if (s->small)
		return s->small->loop[s->mode](w->src, calls);
	if (w->table)
		return loops(s, w, calls, TABLE);
	return w->count > 1 ? loops(s, w, calls, WALK)
			    : loops(s, w, calls, STAY);
}

/* For struct lab_timed. */
static uint64_t run_row(void *what, size_t n)
{
	const struct lab_row *row = what;
	struct bench *b = row->bench;
	struct walk w = walk_of(b, row);
	uint64_t all =
		call(row->subject, &w, n + n * row->subject->planted / 1000);

	b->at = w.at;
	return all;
}

/* ------------------------------------------------------------------------
 * Data
 */

static size_t largest(const size_t *v, size_t n)
{
	size_t max = 0;

	for (size_t i = 0; i < n; i++)
		if (v[i] > max)
			max = v[i];
	return max;
}

/* BYTES that the longest call may touch. */
static size_t longest(const struct lab_plan *plan)
{
	size_t size = largest(plan->sizes, plan->nsizes);

	for (size_t i = 0; plan->mix && i < plan->mix->n; i++)
		if (plan->mix->lengths[i] > size)
			size = plan->mix->lengths[i];
	return size + largest(plan->offsets, plan->noffsets);
}

/* With a span, all lines are alike: so is what each call sees. */
static void fill(struct bench *b)
{
	size_t period = b->plan->span || b->table ? LINE : PERIOD;

	if (b->plan->data) {
		memcpy(b->buf, b->plan->data, longest(b->plan));
		return;
	}
	if (period > b->buf_len)
		period = b->buf_len;
	for (size_t i = 0; i < period; i += sizeof(uint64_t)) {
		uint64_t word = lab_random(&b->random);

		memcpy(b->buf + i, &word, sizeof(word));
	}
	for (size_t n; period < b->buf_len; period += n) {
		n = b->buf_len - period < period ? b->buf_len - period : period;
		memcpy(b->buf + period, b->buf, n);
	}
	if (b->memo)
		memset(b->memo, 0, MEMO * sizeof(*b->memo));
}

/* From memory that repeats after each line, so a few answers do for all. */
static uint16_t remembered(struct bench *b, const uint8_t *p, size_t len)
{
	uint32_t phase = (uint32_t)((size_t)(p - b->buf) % LINE);
	struct memo *m = &b->memo[(len * LINE + phase) % MEMO];

	if (m->len != len || m->phase != phase)
		*m = (struct memo){ .phase = phase,
				    .len = (uint32_t)len,
				    .want = model_csum(p, len, 0) };
	return len ? m->want : 0;
}

/* --- the table --- */

static size_t random_below(struct bench *b, size_t n)
{
	return n ? (size_t)(lab_random(&b->random) % n) : 0;
}

/* An end of a chunk, moved inwards; as much as leaves one byte. */
static void shorten(struct bench *b, struct place *p)
{
	size_t most = b->plan->jitter;
	size_t start, end;

	if (most > (p->len - 1) / 2)
		most = (p->len - 1) / 2;
	start = random_below(b, most + 1);
	end = random_below(b, most + 1);
	p->at += (uint32_t)start;
	p->len -= (uint32_t)(start + end);
}

/* Where entry @i is, before it is moved to another place in the order. */
static void place(struct bench *b, const struct lab_row *row, size_t i)
{
	const struct lab_plan *plan = b->plan;
	struct place *p = &b->table[i];
	size_t room;

	*p = (struct place){ .len = (uint32_t)row->size };
	if (plan->mix)
		p->len = plan->mix->lengths[random_below(b, plan->mix->n)];
	room = plan->span > p->len ? plan->span - p->len : 0;
	if (plan->order == LAB_RANDOM)
		p->at = (uint32_t)random_below(b, room);
	else if (plan->order == LAB_RANDOM_EVEN)
		p->at = (uint32_t)random_below(b, room) & ~UINT32_C(1);
	else if (plan->span)
		p->at = (uint32_t)(i * b->apart);
	if (plan->jitter && p->len)
		shorten(b, p);
}

static size_t table_size(const struct lab_plan *plan, const struct lab_row *row)
{
	size_t n = plan->span / (stride_of(row) ? stride_of(row) : LINE);

	/* lengths in another order each time, or they would be learnt */
	if (plan->mix && n < MOST_PLACES / 16)
		n = plan->span ? n : MOST_PLACES / 16;
	/* what has been flushed is met once, or hardly more often */
	if ((plan->order == LAB_RANDOM || plan->order == LAB_RANDOM_EVEN) &&
	    !plan->flush)
		n = MOST_PLACES;
	return n > MOST_PLACES ? MOST_PLACES : n ? n : 1;
}

static void make_table(struct bench *b, const struct lab_row *row)
{
	const struct lab_plan *plan = b->plan;

	b->nplaces = table_size(plan, row);
	/* if there are too many places for the table, all over the span */
	b->apart = plan->span / b->nplaces / LINE * LINE;
	if (b->apart < stride_of(row))
		b->apart = stride_of(row);
	for (size_t i = 0; i < b->nplaces; i++)
		place(b, row, i);
	for (size_t i = b->nplaces;
	     plan->span && plan->order == LAB_SHUFFLED && i > 1; i--) {
		size_t j = random_below(b, i);
		struct place p = b->table[j];

		b->table[j] = b->table[i - 1];
		b->table[i - 1] = p;
	}
	for (size_t i = 0; i < b->nplaces; i++) {
		struct place *p = &b->table[i];

		p->want = remembered(b, b->buf + row->offset + p->at, p->len);
	}
	b->table_group = row->timed.group;
	b->at = 0;
}

/* ------------------------------------------------------------------------
 * Check
 */

/* What the buffer holds while it is timed. */
static const char *contents(const struct bench *b)
{
	return b->plan->data ? "the bytes given" : "random bytes";
}

static void report_wrong(struct bench *b, struct lab_wrong wrong)
{
	for (size_t i = 0; i < b->run->nwrong; i++)
		if (b->run->wrong[i].subject == wrong.subject)
			return;
	b->run->wrong[b->run->nwrong++] = wrong;
}

/* Of a header as small.c changes it: bytes 2 and 3 become what 4 and 5 are. */
static uint16_t wanted_of_change(const uint8_t *p)
{
	uint8_t header[HEADER];

	memcpy(header, p, HEADER);
	header[0] = 0x45;
	memcpy(header + 2, header + 4, 2);
	memset(header + 10, 0, 2);
	return (uint16_t)~model_csum(header, HEADER, 0);
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
	case LAB_CHANGE:
	case LAB_CHANGE_WRITTEN:
		return wanted_of_change(p);
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
	struct walk w = stay(b, row);
	struct lab_wrong wrong = { .subject = s,
				   .size = row->size,
				   .offset = row->offset,
				   .data = data,
				   .want = want };

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

/* In the very buffer, at the very places; it is left as it will be timed. */
static bool all_right(struct bench *b)
{
	memset(b->buf, 0, b->buf_len);
	check_all(b, "all bytes 00");
	memset(b->buf, 0xff, b->buf_len);
	check_all(b, "all bytes ff");
	fill(b);
	check_all(b, contents(b));
	return b->run->nwrong == 0;
}

/* One call of the table again; its result into *@one. */
static bool same_place(struct bench *b, const struct lab_row *row,
		       const struct place *p, csum_wsum *one)
{
	const struct lab_subject *s = row->subject;
	const uint8_t *src = b->buf + row->offset + p->at;
	uint8_t *dst = destination(b, row->offset) + p->at;
	struct lab_wrong wrong = { .subject = s,
				   .size = p->len,
				   .offset = row->offset + p->at,
				   .data = "random bytes",
				   .want = p->want };

	if (s->op != LAB_COPY) {
		*one = s->sum(src, p->len, 0);
	} else {
		memset(dst - LINE, CANARY, p->len + 2 * LINE);
		*one = s->copy(dst, src, p->len, 0);
	}
	if (!result_is_right(s, *one, p->want, &wrong.got)) {
		report_wrong(b, wrong);
	} else if (s->op == LAB_COPY) {
		wrong.fault = LAB_WRONG_BYTES;
		if (memcmp(dst, src, p->len) != 0)
			report_wrong(b, wrong);
		wrong.fault = LAB_WRITES_BEYOND;
		if (!untouched(dst - LINE, dst) ||
		    !untouched(dst + p->len, dst + p->len + LINE))
			report_wrong(b, wrong);
	}
	return b->run->nwrong == 0;
}

/* The calls in a sample, those of a planted slowdown included. */
static size_t made(const struct lab_row *row)
{
	return row->timed.n + row->timed.n * row->subject->planted / 1000;
}

/* What has just been timed, once more, call by call; they came to @all. */
static bool table_is_right(struct bench *b, const struct lab_row *row,
			   uint64_t all)
{
	size_t calls = made(row), n = b->nplaces;
	size_t at = (b->at + n - calls % n) % n;
	uint64_t sum = 0;

	for (; calls; calls--) {
		csum_wsum one;

		if (!same_place(b, row, &b->table[at], &one))
			return false;
		sum += one;
		at = at + 1 < n ? at + 1 : 0;
	}
	return sum == all;
}

/* ------------------------------------------------------------------------
 * Hooks
 */

/* New contents, and every subject tried on them. */
static bool new_contents(void *context, size_t round)
{
	struct bench *b = context;

	b->table_group = SIZE_MAX;
	if (b->buf_len > QUICKLY_FILLED && round % 4)
		return true;
	fill(b);
	check_all(b, contents(b));
	return b->run->nwrong == 0;
}

/* The row's bytes, and where they are copied to. */
static void flush(const struct bench *b, const struct lab_row *row)
{
	lab_flush(b->buf, b->buf_len);
	if (row->subject->op == LAB_COPY)
		lab_flush(b->dst, b->buf_len + PAGE);
}

static bool make_ready(void *context, struct lab_timed *item)
{
	struct bench *b = context;

	if (b->table && item->what != &b->run->empty &&
	    b->table_group != item->group)
		make_table(b, item->what);
	if (b->plan->flush)
		flush(b, item->what);
	return true;
}

/*
 * Each call must have returned what it does when it is looked at, or it is not
 * known what was timed: 2^64 wraps in both products alike.
 */
static bool steady(void *context, struct lab_timed *item, uint64_t all)
{
	struct bench *b = context;
	struct lab_row *row = item->what;

	b->run->consumed += all;
	if (b->table && row != &b->run->empty) {
		if (table_is_right(b, row, all))
			return true;
	} else if (all == (uint64_t)row->one * made(row)) {
		return true;
	}
	report_wrong(b, (struct lab_wrong){ .subject = row->subject,
					    .fault = LAB_UNSTEADY,
					    .size = row->size,
					    .offset = row->offset,
					    .data = contents(b),
					    .want = row->want });
	return false;
}

static bool enough(void *context)
{
	const struct bench *b = context;

	return b->plan->enough && b->plan->enough(b->run);
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

static bool allocate(struct bench *b)
{
	const struct lab_plan *plan = b->plan;
	struct lab_run *run = b->run;
	size_t end = longest(plan);

	b->near = (end / PAGE + 2) * PAGE;
	/* the last place of a span begins in it */
	b->buf_len = ((plan->span + end) / PAGE + 1) * PAGE;
	if (!lab_pages_alloc(&b->src_pages, b->buf_len, plan->pages) ||
	    !lab_pages_alloc(&b->dst_pages, b->buf_len + PAGE, plan->pages))
		return false;
	b->buf = b->src_pages.p;
	b->dst = b->dst_pages.p;
	snprintf(run->pages, sizeof(run->pages), "%s", b->src_pages.got);
	b->items = calloc(run->nrows + 1, sizeof(struct lab_timed *));
	run->rows = calloc(run->nrows, sizeof(*run->rows));
	run->wrong = calloc(plan->nsubjects + 1, sizeof(*run->wrong));
	if (needs_table(plan)) {
		b->table = calloc(MOST_PLACES, sizeof(*b->table));
		b->memo = calloc(MEMO, sizeof(*b->memo));
		if (!b->table || !b->memo)
			return false;
	}
	return b->items && run->rows && run->wrong;
}

static void add_item(struct bench *b, struct lab_row *row, size_t group)
{
	struct lab_rounds *r = &b->run->time;

	row->bench = b;
	row->timed.run = run_row;
	row->timed.what = row;
	row->timed.group = group;
	row->timed.n = b->plan->calls;
	if (b->plan->flush && row != &b->run->empty)
		row->timed.n =
			b->table ? table_size(b->plan, row) : places_of(b, row);
	r->items[r->nitems++] = &row->timed;
}

static void lay_out(struct bench *b)
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
			row->left_out = row->subject->max &&
					row->size > row->subject->max;
			if (!row->left_out)
				add_item(b, row, g);
		}
	}
}

static enum lab_status measure(struct bench *b)
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

/* ------------------------------------------------------------------------
 * Counting: after the timing, since starting and stopping takes some us
 */

static void count_row(struct bench *b, struct lab_counters *c,
		      struct lab_row *row)
{
	for (size_t pass = 0; pass < c->npasses; pass++) {
		struct lab_count counts[LAB_EVENTS];

		make_ready(b, &row->timed);
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

static void count_all(struct bench *b)
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
	struct bench b = { .run = run,
			   .plan = plan,
			   .random = ~(uint64_t)plan->seed,
			   .table_group = SIZE_MAX };
	enum lab_status status = LAB_NO_MEMORY;

	assert(plan->nsubjects && plan->nsizes && plan->noffsets);
	assert(!plan->data || !(plan->span || needs_table(plan)));
	*run = (struct lab_run){ .plan = plan, .nrows = row_count(plan) };
	if (allocate(&b)) {
		lay_out(&b);
		status = all_right(&b) ? measure(&b) : LAB_WRONG;
		if (status == LAB_OK && plan->events)
			count_all(&b);
	}
	free(b.memo);
	free(b.table);
	free(b.items);
	lab_pages_free(&b.dst_pages);
	lab_pages_free(&b.src_pages);
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
