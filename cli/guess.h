/* SPDX-License-Identifier: BSD-2-Clause */
/* guess.h - what a mistyped word was meant to be. */
#ifndef CSUM_GUESS_H
#define CSUM_GUESS_H

#include <stddef.h>

struct guess {
	const char *typed;
	const char *best; /* NULL: nothing is like @typed */
	size_t distance;  /* private: of @best */
};

/* Whether @name is more like @g->typed than those before. */
void guess_consider(struct guess *g, const char *name);

/* "; did you mean 'BEST'?" with @dashes in front of BEST, or "". */
void guess_text(const struct guess *g, const char *dashes, char *buf,
		size_t size);

#endif
