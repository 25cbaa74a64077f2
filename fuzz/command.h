/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command.h - the csum command as a function, in a folder of its own.
 *
 * Its files are compiled once more, with other names for main() and exit().
 */
#ifndef CSUM_FUZZ_COMMAND_H
#define CSUM_FUZZ_COMMAND_H

#include "fuzz.h"

/*
 * Runs csum with these arguments, the last of which is followed by NULL, and
 * with @in as standard input.  Returns the exit status; what it prints is gone.
 */
int command(const char *const *argv, const uint8_t *in, size_t n);

/* A file in that folder, written and read back; the name has no slash. */
void put_file(const char *name, const uint8_t *p, size_t n);
bool has_file(const char *name);
uint8_t *get_file(const char *name, size_t *n);
void remove_file(const char *name);

/* How many files are there. */
unsigned count_files(void);
void remove_all_files(void);

#endif
