/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * generate.h - `csum --generate`: what scripts/generate makes of the tables of
 * options.  Not for users, so no help names it.
 */
#ifndef CSUM_GENERATE_H
#define CSUM_GENERATE_H

/*
 * "man NAME": the OPTIONS of the man page of a command; "bash", "zsh": the
 * completion of all commands.  @words end with NULL.  Returns an exit status.
 */
int generate(char *const *words);

#endif
