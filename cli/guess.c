/* SPDX-License-Identifier: BSD-2-Clause */
/* guess.c - the distance between words, and the nearest one. */
#include "guess.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 31 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * How many letters have to be inserted, left out, replaced, or swapped with
 * their neighbour.  Words longer than LONGEST are not alike.
 */
static size_t distance(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);
	size_t d[LONGEST + 1][LONGEST + 1];

	if (na > LONGEST || nb > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= nb; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= na; i++) {
		d[i][0] = i;
		for (size_t j = 1; j <= nb; j++) {
			d[i][j] =
				least(least(d[i - 1][j], d[i][j - 1]) + 1,
				      d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[na][nb];
}

void guess_consider(struct guess *g, const char *name)
{
	/* one letter in four may be wrong, and one in any word of two */
	size_t n = distance(g->typed, name), most = (strlen(name) + 2) / 4;

	if (n > most || (g->best && n >= g->distance))
		return;
	g->best = name;
	g->distance = n;
}

void guess_text(const struct guess *g, const char *dashes, char *buf,
		size_t size)
{
	*buf = 0;
	if (g->best)
		snprintf(buf, size, "; did you mean '%s%s'?", dashes, g->best);
}
