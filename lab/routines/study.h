/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * study.h - routines kept for study: superseded, or experiments that lost.
 *
 * They obey the contract of src/routines/routine.h and get the tests and the
 * bench of the library's own, but never enter the library.  One may sum only,
 * or copy only.  Its name is its file, its symbols csum_sum_NAME or
 * csum_copy_NAME, its line in study_list.h and its rows.
 *
 * Prefetching is a dimension of the lab, not a copy of a routine: what takes it
 * is written once, see prefetch.h.
 */
#ifndef CSUM_LAB_STUDY_H
#define CSUM_LAB_STUDY_H

#include "routines/routine.h"

/* ------------------------------------------------------------------------
 * Prefetching
 */

enum lab_policy {
	LAB_PREFETCH_NONE,
	LAB_PREFETCH_AHEAD,   /* at every line the one N ahead, past the end */
	LAB_PREFETCH_BOUNDED, /* N up front, then N ahead, never past the end */
	LAB_PREFETCH_LEAD,    /* once, N ahead of the first */
	LAB_PREFETCH_ABOVE,   /* as AHEAD, if there are at least @above BYTES */
	LAB_POLICIES,
};

enum lab_hint {
	LAB_HINT_ALL, /* to all levels of cache */
	LAB_HINT_NTA, /* non-temporal: as little of the cache as possible */
	LAB_HINTS,
};

/* What a compiler need not know; a routine reads it when it is called. */
struct lab_distance {
	size_t lines; /* N */
	size_t above; /* BYTES */
};

/* Set by whoever calls next: see struct lab_subject. */
extern struct lab_distance lab_distance;

/* The same routine once for each policy and hint; NULL if it takes none. */
typedef const csum_sum_fn (*lab_sum_table)[LAB_HINTS];
typedef const csum_copy_fn (*lab_copy_table)[LAB_HINTS];

/* ------------------------------------------------------------------------
 * The registry
 */

struct lab_study {
	struct csum_routine routine; /* sum or copy is NULL */
	const char *origin;	     /* who proposed it, where */
	lab_sum_table sums;
	lab_copy_table copies;
};

/* The routines of study_list.h, ended by a NULL name. */
extern const struct lab_study lab_studies[];

/* One routine of either home. */
struct lab_entry {
	const struct csum_routine *routine;
	const struct lab_study *study; /* NULL: it is the library's */
};

/*
 * All routines, the library's first, each home in the order of its list.
 * Returns false, with *@entry untouched, past the end.
 */
bool lab_entry_at(size_t index, struct lab_entry *entry);

#define DECLARE_SUM(name)                                                      \
	csum_wsum csum_sum_##name(const void *buf, size_t len, csum_wsum sum);
#define DECLARE_COPY(name)                                                     \
	csum_wsum csum_copy_##name(void *dst, const void *src, size_t len,     \
				   csum_wsum sum);
#define DECLARE_SUM_PREFETCH(name)                                             \
	DECLARE_SUM(name)                                                      \
	extern const csum_sum_fn lab_sums_##name[LAB_POLICIES][LAB_HINTS];
#define DECLARE_COPY_PREFETCH(name)                                            \
	DECLARE_COPY(name)                                                     \
	extern const csum_copy_fn lab_copies_##name[LAB_POLICIES][LAB_HINTS];

#define STUDY(name, what, isa, needs, idea, origin) DECLARE_##what(name)
#include "study_list.h"
#undef STUDY

/* ------------------------------------------------------------------------
 * What several of them need
 */

/*
 * How many BYTES to sum before accumulators are emptied: whole steps, no more
 * than @most, which is some of them.
 */
static inline size_t whole_steps(size_t len, size_t step, size_t most)
{
	return len < most ? len / step * step : most;
}

/* What is left of a copy after whole steps: see csum_sum_tail(). */
static inline uint64_t copy_tail(uint8_t *d, const uint8_t *s, size_t len)
{
	uint64_t sum = csum_sum_tail(s, len);

	if (len)
		memcpy(d, s, len);
	return sum;
}

/* 64 bytes as an operand of an asm statement. */
struct line {
	uint8_t byte[64];
};

#define LINE_AT(p) (*(const struct line *)(const void *)(p))

#endif
