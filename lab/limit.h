/* SPDX-License-Identifier: BSD-2-Clause */
/* limit.h - loops that only read: no routine can do with less. */
#ifndef CSUM_LAB_LIMIT_H
#define CSUM_LAB_LIMIT_H

#include <stddef.h>

#include "csum.h"
#include "routines/routine.h"

/* The registers of the read-only loop here: "avx512", "word"... */
const char *lab_read_isa(void);

/*
 * Every read-only loop that can run here, the best first; NULL past the end.
 * A loop returns 0 only if all bytes are 0.
 */
csum_sum_fn lab_read_variant(size_t index);

/* The loop that reads by registers of that name; NULL if it cannot run. */
csum_sum_fn lab_read_by(const char *isa);

/* Does nothing: its time is the cost of a call and of counting calls. */
csum_wsum lab_empty(const void *buf, size_t len, csum_wsum sum);

#endif
