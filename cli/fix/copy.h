/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * copy.h - what the commands that write captures share: an input, an output
 * that appears whole or not at all, and something to do with each packet on the
 * way.
 */
#ifndef CSUM_COPY_H
#define CSUM_COPY_H

#include <stdbool.h>

#include "rewrite.h"

struct copy {
	const char *input;
	struct input_form form; /* what the user says of it */
	const char *output;	/* NULL: nothing is written */
	bool in_place;		/* the input is the output */
	/* Returns true if it has changed anything. */
	bool (*packet)(void *ctx, struct rewrite *w,
		       const struct packet *packet);
	/* Or NULL: see rewrite.h. */
	uint64_t (*waiting)(const void *ctx);
	/* Or NULL: true if there is no use in going on. */
	bool (*stop)(const void *ctx);
	/* Or NULL: after the last packet, or that which it stopped at.  False,
	 * after saying why, if there must be no output.  @whole: all packets of
	 * the input were seen. */
	bool (*end)(void *ctx, bool whole);
	void *ctx;
};

enum copied {
	COPY_FAILED,  /* there is no output; why has been said */
	COPY_DAMAGED, /* all bytes are there, but not all were understood: same
		       */
	COPY_WHOLE,
};

/*
 * @what: the input in words, see reader_describe(), unless it failed.
 *
 * Damage in the input ends what can be done to it, but what lies behind it is
 * copied as it is.  A file that nothing has changed is not replaced.
 */
enum copied copy_capture(const struct copy *c, char *what, size_t size);

#endif
