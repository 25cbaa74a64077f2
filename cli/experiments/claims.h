/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * claims.h - what was once asserted about checksums, and what would show it.
 *
 * A claim is some tests, each a ratio of two times and the bounds that it has
 * to keep.  claims.c measures and judges, claims_list.c is the list.
 */
#ifndef CSUM_CLAIMS_H
#define CSUM_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>

/* The measurement of a test, which names its sides @a and @b. */
enum scene {
	HOT,	    /* routines, always on the same bytes */
	COLD,	    /* shuffled over memory beyond the caches */
	SEQUENTIAL, /* upwards through it */
	FRESH,	    /* sums of 8 to 64 bytes: @a over lengths that are new in
		       each sample, @b over 64 lengths that repeat */
	INLINED,    /* inlined.h: "inlined" and "called" */
	ONE_CPU,    /* pktbuf.h, by scope: "init", "pair", "work" */
	ACROSS,	    /* as ONE_CPU, across two CPUs */
	SCENES,
};

enum kind {
	NO_TEST, /* past the last */
	SHOWN,	 /* nothing depends on it */
	BELOW,	 /* the ratio is below @holds, or above @fails */
	ABOVE,	 /* the other way round */
	NEAR, /* the ratio is as near to 1 as @holds, or farther than @fails */
	/* These look at the test before as well: */
	REMAINS, /* this gain is at most that share of the one before */
	EXCEEDS, /* this ratio to the one before is ABOVE */
	TURNS,	 /* the one before is below @holds, and this above @fails */
};

struct test {
	enum kind kind;
	/*
	 * ROUTINE, ROUTINE+POLICYLINES, "read", or SMALL@OPERATION; the time of
	 * @a is divided by that of @b.
	 */
	const char *a, *b;
	enum scene scene;
	size_t size; /* BYTES, where there are several */
	double holds, fails;
};

enum { MOST_TESTS = 16, CLAIMS = 21 };

struct claim {
	const char *text; /* with what was published */
	bool any;	  /* one test that holds is enough */
	/* why it is not tried here, or NULL */
	const char *elsewhere;
	struct test tests[MOST_TESTS];
};

/* The first is number 1. */
extern const struct claim claims[CLAIMS];

#endif
