/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * progress.h - one line on standard error that says how far a command is.
 *
 * There is one such line in a process, and only if standard error is a
 * terminal.  trouble() makes way for its message.  Not for several threads at
 * once.
 */
#ifndef CSUM_PROGRESS_H
#define CSUM_PROGRESS_H

#include <stdbool.h>

/* @what: in front of the line, or "". */
void progress_begin(const char *what);

/* Whether the line would be drawn now: at most ten times a second. */
bool progress_due(void);

/*
 * Draws the line if it is due.  @share: of the work that is done, from 0 to 1;
 * or negative, if nobody knows where the end is.  @note: what else there is to
 * say, or "".  The time left is said of what takes more than two seconds.
 */
void progress_show(double share, const char *note);

/* Takes the line away; the next progress_show() draws it again at once. */
void progress_wipe(void);

/* The same before something is written to standard output, if they meet. */
void progress_before_output(void);

/* Takes it away for good. */
void progress_end(void);

#endif
