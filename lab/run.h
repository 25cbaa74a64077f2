/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.h - measuring routines.  docs/METHOD.md says why it is done this way.
 *
 * A plan that is run gives rows, one for each subject, size and offset, with
 * one sample per round.  Nothing here prints or exits.
 */
#ifndef CSUM_LAB_RUN_H
#define CSUM_LAB_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counters.h"
#include "oracle.h"
#include "plan.h"
#include "rounds.h"
#include "whynot.h"

struct lab_row {
	const struct lab_subject *subject;
	size_t size, offset;
	size_t period; /* of the mix, see struct lab_plan */
	bool left_out; /* size is beyond the subject's max: no more is set */
	/* the right result for the bytes of the last trial, by the model */
	uint16_t want;
	csum_wsum one; /* the result of one call on the same bytes */
	struct lab_timed timed;
	/* of one call; live is 0 where nothing was counted */
	struct lab_count counts[LAB_EVENTS];
	struct lab_running *running; /* private to run.c */
};

struct lab_run {
	const struct lab_plan *plan;
	/* subjects within offsets within sizes, in the order of the plan */
	struct lab_row *rows;
	size_t nrows;
	struct lab_row empty;
	struct lab_rounds time;
	char pages[64];		 /* the memory that was had, in words */
	char no_counts[LAB_WHY]; /* why nothing was counted, or "" */
	size_t passes;		 /* in which the events were counted */
	uint64_t consumed;	 /* made of all results */
	struct lab_wrong *wrong;
	size_t nwrong;
};

/* Whatever it returns, end with lab_run_free(). */
enum lab_status lab_run(struct lab_run *run, const struct lab_plan *plan);
void lab_run_free(struct lab_run *run);

/* The row of a subject; all three count from 0 in the order of the plan. */
const struct lab_row *lab_row_at(const struct lab_run *run, size_t size,
				 size_t offset, size_t subject);

/* The base of @row, over the same bytes; NULL if the plan has none. */
const struct lab_row *lab_row_base(const struct lab_run *run,
				   const struct lab_row *row);

#endif
