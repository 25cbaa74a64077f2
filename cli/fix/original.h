/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * original.h - the capture that `csum fix --like` holds another one against,
 * read frame by frame beside it.
 */
#ifndef CSUM_ORIGINAL_H
#define CSUM_ORIGINAL_H

#include "pass.h"
#include "reader.h"

struct original;

/* NULL after saying why. */
struct original *original_open(const char *file,
			       const struct walk_rules *rules);
void original_close(struct original *o);

/* Reads the next frame.  False after saying that there is none, or why. */
bool original_next(struct original *o, const char *file, uint64_t frame);

/* For struct pass; @context: struct original. */
const struct likeness *original_like(struct original *o, bool message);

/* False after saying that it has more frames than @file, or that it is
 * damaged. */
bool original_ended(struct original *o, const char *file, uint64_t frames);

#endif
