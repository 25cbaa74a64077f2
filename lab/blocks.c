/* SPDX-License-Identifier: BSD-2-Clause */
/* blocks.c - visits of ten blocks, see blocks.h. */
#include "blocks.h"

#include <arpa/inet.h>
#include <assert.h>
#include <stdlib.h>
#include <time.h>

#include "model.h"
#include "opaque.h"
#include "splitmix.h"
#include "timer.h"

enum { LINE = 64 };

/* Long against reading the clock. */
static const double batch_ns = 20e3;

/* Of a visit and the rest before it. */
static const double rest_share = 0.25, least_visit_ns = 1e6;

struct blocks {
	struct lab_blocks *b;
	uint8_t *buf;
	size_t buf_len;
	uint64_t random;
	/* sums over all visits of one round */
	uint64_t ticks, ns;
};

/* BYTES from one block to the next: whole lines, and one between. */
static size_t stride_of(const struct lab_blocks_row *row)
{
	return ((row->offset + row->size) / LINE + 2) * LINE;
}

static const uint8_t *block_at(const struct lab_blocks_row *row, size_t i)
{
	return row->blocks->buf + row->offset + i * stride_of(row);
}

/* All blocks so often; the sum of all results. */
static uint64_t sum_blocks(const struct lab_blocks_row *row, size_t times)
{
	const uint8_t *blocks = block_at(row, 0);
	const size_t stride = stride_of(row), size = row->size;
	csum_sum_fn sum = row->subject->sum;
	uint64_t all = 0;

	LAB_OPAQUE(sum);
	for (; times; times--)
		for (size_t i = 0; i < LAB_BLOCKS; i++)
			all += sum(blocks + i * stride, size, 0);
	return all;
}

/* One visit: struct lab_timed has it as done once. */
static uint64_t visit(void *what, size_t n)
{
	struct lab_blocks_row *row = what;
	const double visit_ns = row->blocks->b->visit_ns;
	struct visit *v = &row->visit;
	const uint64_t start = lab_now();
	uint64_t now = start, all = 0;

	assert(n == 1);
	*v = (struct visit){ 0 };
	for (int part = 0; part < LAB_BLOCKS_PARTS; part++) {
		const double end = visit_ns * (part + 1) / LAB_BLOCKS_PARTS;
		uint64_t ticks = lab_ticks(), calls = 0;

		do {
			all += sum_blocks(row, row->batch);
			calls += row->batch * LAB_BLOCKS;
			now = lab_now();
		} while ((double)(now - start) < end);
		ticks = lab_ticks() - ticks;
		v->last = (double)ticks / (double)calls;
		if (part == 0)
			v->first = v->last;
		v->ticks += ticks;
		v->calls += calls;
	}
	v->ns = now - start;
	return all;
}

/* ------------------------------------------------------------------------
 * Around a visit
 */

static void rest(double ns)
{
	const struct timespec t = { (time_t)(ns / 1e9),
				    (long)((uint64_t)ns % 1000000000) };

	nanosleep(&t, NULL);
}

/* New contents, each block against the model. */
static bool fill_and_check(struct lab_blocks_row *row)
{
	struct blocks *x = row->blocks;

	for (size_t i = 0; i < x->buf_len; i++)
		x->buf[i] = (uint8_t)(splitmix64(&x->random) >> 56);
	row->want = 0;
	for (size_t i = 0; i < LAB_BLOCKS; i++) {
		const uint8_t *p = block_at(row, i);
		csum_wsum one = row->subject->sum(p, row->size, 0);

		if (ntohs(csum_to16(one)) != model_csum(p, row->size, 0))
			return false;
		row->want += one;
	}
	return true;
}

static size_t batch_of(const struct lab_blocks_row *row)
{
	for (size_t batch = 1;; batch *= 2) {
		uint64_t start = lab_now();

		(void)sum_blocks(row, batch);
		if ((double)(lab_now() - start) >= batch_ns)
			return batch;
	}
}

static bool begin(void *context, size_t round)
{
	struct blocks *x = context;

	(void)round;
	x->ticks = 0;
	x->ns = 0;
	return true;
}

static bool before(void *context, struct lab_timed *item)
{
	struct blocks *x = context;
	struct lab_blocks_row *row = item->what;

	if (!fill_and_check(row))
		return false;
	if (!row->batch)
		row->batch = batch_of(row);
	rest(x->b->rest_ns);
	return true;
}

static bool after(void *context, struct lab_timed *item, uint64_t all)
{
	struct blocks *x = context;
	struct lab_blocks_row *row = item->what;
	const struct visit *v = &row->visit;
	const size_t round = x->b->time.n;

	if (all != row->want * (v->calls / LAB_BLOCKS))
		return false;
	/* instead of the time of the whole visit */
	item->ns[round] = (double)v->ns / (double)v->calls;
	row->ticks[round] = (double)v->ticks / (double)v->calls;
	row->first[round] = v->first;
	row->last[round] = v->last;
	x->ticks += v->ticks;
	x->ns += v->ns;
	x->b->rate[round] = (double)x->ticks / (double)x->ns;
	return true;
}

static bool enough(void *context)
{
	const struct blocks *x = context;

	return x->b->time.n == LAB_BLOCKS_ROUNDS;
}

/* ------------------------------------------------------------------------
 * The run
 */

static void divide_time(struct lab_blocks *b)
{
	double ns = b->seconds * 1e9 / LAB_BLOCKS_ROUNDS / (double)b->nrows;

	b->rest_ns = rest_share * ns;
	b->visit_ns = ns - b->rest_ns;
	if (b->visit_ns < least_visit_ns)
		b->visit_ns = least_visit_ns;
}

static bool allocate(struct blocks *x, struct lab_timed ***items)
{
	for (size_t i = 0; i < x->b->nrows; i++) {
		size_t len = LAB_BLOCKS * stride_of(&x->b->rows[i]);

		x->buf_len = len > x->buf_len ? len : x->buf_len;
	}
	x->buf = aligned_alloc(LINE, x->buf_len);
	*items = calloc(x->b->nrows, sizeof(struct lab_timed *));
	return x->buf && *items;
}

enum lab_status lab_blocks_run(struct lab_blocks *b)
{
	struct blocks x = { .b = b, .random = ~(uint64_t)b->seed };
	struct lab_timed **items = NULL;
	enum lab_status status = LAB_NO_MEMORY;

	assert(b->nrows);
	divide_time(b);
	b->time = (struct lab_rounds){ .nitems = b->nrows,
				       .seconds = b->seconds,
				       .random = b->seed,
				       .progress = b->progress,
				       .enough = enough };
	b->time.hooks = (struct lab_hooks){
		.begin = begin, .before = before, .after = after, .context = &x
	};
	if (allocate(&x, &items)) {
		for (size_t i = 0; i < b->nrows; i++) {
			struct lab_blocks_row *row = &b->rows[i];

			row->blocks = &x;
			row->timed.run = visit;
			row->timed.what = row;
			row->timed.n = 1;
			items[i] = &row->timed;
		}
		b->time.items = items;
		status = lab_rounds_run(&b->time);
	}
	free(items);
	free(x.buf);
	return status;
}

void lab_blocks_free(struct lab_blocks *b)
{
	lab_rounds_free(&b->time);
}
