/* SPDX-License-Identifier: BSD-2-Clause */
/* oracle.h - the right results, by the model, and what is wrong with others. */
#ifndef CSUM_LAB_ORACLE_H
#define CSUM_LAB_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "places.h"
#include "subject.h"

enum lab_fault {
	LAB_NO_FAULT,
	LAB_WRONG_RESULT,
	LAB_WRONG_BYTES,   /* the copy is not what was copied */
	LAB_WRITES_BEYOND, /* outside the destination */
	LAB_UNSTEADY, /* the subject was right once, and not in later calls */
	LAB_READS_BEFORE, /* in front of the source */
	LAB_READS_BEHIND,
	LAB_WRITES_SOURCE,
	LAB_TOO_FAST, /* faster than the same bytes can be read */
	LAB_CRASHES,
	LAB_HANGS,
	LAB_NO_TRIAL, /* no memory or process to try the subject in */
};

/* The first fault of a subject. */
struct lab_wrong {
	const struct lab_subject *subject;
	enum lab_fault fault;
	size_t size, offset;
	const char *data; /* contents of the buffer, in words */
	uint16_t want, got;
};

/*
 * Fills [@p, @end) around a destination before a copy.  The bytes differ by
 * address and by @seed, so a copy that writes there cannot know them.
 */
void lab_canary(uint8_t *p, const uint8_t *end, uint8_t seed);

/* One call that was made, and the bytes around its destination. */
struct lab_call {
	csum_wsum sum;
	const uint8_t *src, *dst;
	size_t len;
	const uint8_t *before; /* lab_canary() from here to dst... */
	const uint8_t *behind; /* ...and from dst + len to here */
	uint8_t canary;	       /* its seed */
};

/* The right result of an op over these bytes, as a big-endian reading. */
uint16_t lab_wanted(enum lab_op op, const uint8_t *p, size_t len);

/*
 * The fault of one call, if w->want is the right result; w->got becomes the
 * result that the call gave.
 */
enum lab_fault lab_fault_of(const struct lab_subject *s,
			    const struct lab_call *call, struct lab_wrong *w);

/*
 * Right results so far.  With a table of places memory repeats after each line,
 * so a few results do for all places.
 */
struct lab_memo;

/* NULL without memory.  To be freed by free(). */
struct lab_memo *lab_memo_new(void);

/* To be called whenever there are new contents. */
void lab_memo_forget(struct lab_memo *memo);

/* Writes the right results into the table, for rows at this offset. */
void lab_memo_answer(struct lab_memo *memo, struct lab_places *p,
		     size_t offset);

#endif
