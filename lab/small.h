/* SPDX-License-Identifier: BSD-2-Clause */
/* small.h - small operations: the library's own and alternatives to them. */
#ifndef CSUM_LAB_SMALL_H
#define CSUM_LAB_SMALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csum.h"
#include "op.h"

/* A small operation is inlined where it is used, so its loops come with it. */
struct lab_small {
	const char *name;
	const char *idea;
	const char *origin; /* NULL: the operation is the library's */
	enum lab_op op;
	/* the operation may answer 0xffff, the other zero, where 0 is right */
	bool either_zero;
	csum_sum16 (*replace)(csum_sum16 check, csum_be16 was, csum_be16 now);
	csum_sum16 (*header)(const void *hdr);
	/* makes bytes 2 and 3 @now, 10 and 11 the checksum, and returns that */
	csum_sum16 (*change)(uint8_t *hdr, csum_be16 now);
	/*
	 * Makes @calls calls and returns the sum of their results.  @p: the 20
	 * bytes, or check, was and now.
	 */
	uint64_t (*loop[LAB_MODES])(void *p, size_t calls);
};

/* In the order of their ops, the library's first; ended by a NULL name. */
extern const struct lab_small lab_smalls[];

#endif
