/* SPDX-License-Identifier: BSD-2-Clause */
/* test_experiments.c - what experiments measure with, beyond plans. */
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "model.h"
#include "pick.h"
#include "run.h"
#include "stats.h"
#include "testing.h"
#include "timer.h"

static struct lab_subject subject(const char *name, csum_sum_fn sum)
{
	const struct csum_routine r = { .name = name, .sum = sum };

	return lab_routine(&r, LAB_STUDY, LAB_SUM);
}

/* ------------------------------------------------------------------------
 * Plans of given bytes, of a given number of calls
 */

static void test_given(void)
{
	static const size_t sizes[] = { 20, 100 }, offset = 3;
	const struct lab_subject s = lab_public(LAB_SUM);
	uint8_t data[103];
	struct lab_plan plan = { .subjects = &s,
				 .nsubjects = 1,
				 .sizes = sizes,
				 .nsizes = 2,
				 .offsets = &offset,
				 .noffsets = 1,
				 .data = data,
				 .calls = 7,
				 .seconds = 0.01 };
	struct lab_run run;

	testing_random_fill(data, sizeof(data));
	tap_ok(lab_run(&run, &plan) == LAB_OK, "a plan of given bytes");
	for (size_t i = 0; i < run.nrows; i++) {
		const struct lab_row *row = &run.rows[i];

		tap_ok(row->want == model_csum(data + 3, row->size, 0) &&
			       host(csum_to16(row->one)) == row->want,
		       "... whose sum of %zu is that of the bytes", row->size);
		tap_ok(row->timed.n == 7, "... called as often as was said");
	}
	lab_run_free(&run);
}

/* ------------------------------------------------------------------------
 * The best of many
 */

/* Rounds 0, 2, 4... choose, 1, 3, 5... judge. */
static void test_pick(void)
{
	enum { ROUNDS = 100 };
	double base[ROUNDS], lucky[ROUNDS], good[ROUNDS], bad[ROUNDS];
	const double *ns[] = { bad, good, lucky };
	struct lab_pick pick;

	for (int i = 0; i < ROUNDS; i++) {
		base[i] = 10 + i;
		bad[i] = 3 * base[i];
		good[i] = 0.5 * base[i];
		lucky[i] = i % 2 ? 2 * base[i] : 0.25 * base[i];
	}
	tap_ok(lab_pick(&pick, ns, 2, base, ROUNDS) && pick.best == 1,
	       "the best of two");
	tap_ok(pick.ratio.low <= 0.5 && pick.ratio.high >= 0.5 &&
		       lab_noise(pick.ratio) < 1e-9,
	       "... takes half the time");
	tap_ok(lab_pick(&pick, ns, 3, base, ROUNDS) && pick.best == 2,
	       "one that is best in the rounds that choose");
	tap_ok(pick.ratio.low >= 2 && pick.ratio.high <= 2,
	       "... is judged by the others");
	tap_ok(lab_pick(&pick, ns, 1, base, 2) && pick.best == 0 &&
		       pick.ratio.median >= 3 && pick.ratio.median <= 3,
	       "two rounds are enough");
	tap_ok(lab_pick(&pick, ns, 1, base, 3) && pick.ratio.median >= 3 &&
		       pick.ratio.median <= 3,
	       "three too");
}

/* ------------------------------------------------------------------------
 * Blocks
 */

static csum_wsum wrong_at_21(const void *buf, size_t len, csum_wsum sum)
{
	return csum_partial(buf, len, sum) + (len == 21);
}

static int calls;

static csum_wsum wrong_at_times(const void *buf, size_t len, csum_wsum sum)
{
	return csum_partial(buf, len, sum) + (++calls % 10000 == 0);
}

static enum lab_status run_blocks(csum_sum_fn sum, struct lab_blocks *b,
				  struct lab_blocks_row rows[2])
{
	static struct lab_subject s;

	s = subject("subject", sum);
	memset(rows, 0, 2 * sizeof(*rows));
	rows[0].subject = rows[1].subject = &s;
	rows[0].size = 20;
	rows[1].size = 21;
	rows[1].offset = 1;
	*b = (struct lab_blocks){
		.rows = rows, .nrows = 2, .seconds = 0.1, .seed = 1
	};
	return lab_blocks_run(b);
}

static void test_blocks(void)
{
	struct lab_blocks_row rows[2];
	struct lab_blocks b;
	bool timed = true;

	tap_ok(run_blocks(csum_partial, &b, rows) == LAB_OK, "ten blocks");
	tap_ok(b.time.n >= 5 && b.time.n <= LAB_BLOCKS_ROUNDS,
	       "... in some rounds");
	for (size_t i = 0; i < b.time.n; i++)
		for (size_t r = 0; r < 2; r++) {
			const struct lab_blocks_row *row = &rows[r];

			timed = timed && row->ticks[i] > 0 &&
				row->first[i] > 0 && row->last[i] > 0 &&
				/* less than a visit: it is of one block */
				row->timed.ns[i] > 0 &&
				row->timed.ns[i] < b.visit_ns / LAB_BLOCKS &&
				b.rate[i] > 0;
		}
	tap_ok(timed, "... each timed, from beginning to end, in each");
	lab_blocks_free(&b);
	tap_ok(run_blocks(wrong_at_21, &b, rows) == LAB_WRONG,
	       "a routine that is wrong for one size is found");
	lab_blocks_free(&b);
	tap_ok(run_blocks(wrong_at_times, &b, rows) == LAB_WRONG,
	       "one that is wrong now and then is found");
	lab_blocks_free(&b);
}

static void test_ticks(void)
{
	const uint64_t start = lab_now(), ticks = lab_ticks();

	while (lab_now() - start < 1000000)
		;
	tap_ok(lab_ticks() > ticks, "the timer %s ticks", lab_ticks_name);
}

int main(int argc, char **argv)
{
	testing_init(argc, argv);
	test_given();
	test_pick();
	test_ticks();
	test_blocks();
	return tap_done();
}
