/* SPDX-License-Identifier: BSD-2-Clause */
/* cli.h - what the commands share: the table, exit status, errors, input. */
#ifndef CSUM_CLI_H
#define CSUM_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "options.h"

/* Like diff(1). */
enum exit_status { EXIT_CLEAN = 0, EXIT_BAD_SUMS = 1, EXIT_TROUBLE = 2 };

/* One command: argv[0] is "csum NAME"; returns an exit status. */
struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what; /* one line for csum --help */
	const struct command_line *line;
};

#define COMMAND(name, what)                                                    \
	int cmd_##name(int argc, char **argv);                                 \
	extern const struct command_line name##_line;
#include "commands.h"
#undef COMMAND

/* --- commands.c: the table of commands ------------------------------------ */

/* NULL behind the last. */
const struct command *command_at(int i);

/* NULL after saying that there is none of that name. */
const struct command *command_find(const char *name);

/* What `csum --help` prints. */
void commands_usage(FILE *f);

/* --- errors and input -------------------------------------------------------
 */

/*
 * Prints "csum: " and the message on stderr; returns EXIT_TROUBLE, so that a
 * command can end with it.
 */
int trouble(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same with "csum NAME" as @who, instead of "csum". */
int trouble_of(const char *who, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Opens FILE for reading, "-" being standard input; refuses a directory.
 * Returns a descriptor, or -1 after saying why.
 */
int input_open(const char *file);

/* The same, but returns -errno instead of saying why. */
int input_try(const char *file);

/*
 * Gives each name from argv[first] on to @one with @opt; none means "-".
 * Returns the worst status.
 */
int each_file(int first, int argc, char **argv,
	      int (*one)(const void *opt, const char *file), const void *opt);

/* The name to use in messages: "-" becomes "standard input". */
const char *input_name(const char *file);

/*
 * The same for a report: control characters as put_safe() shows them.  Valid
 * until the next call; for one thread.
 */
const char *shown_name(const char *file);

/*
 * Reads until @buf is full or the input ends.  Returns the BYTES read, or -1
 * after saying why, with @at, the offset in the file where @buf belongs.
 */
ssize_t input_fill(int fd, const char *file, uint64_t at, void *buf,
		   size_t len);

/*
 * A number as people write it: decimal, 0x hex, with an optional suffix k, M
 * or G (powers of 1024).  Returns false if @text is anything else.
 */
bool parse_size(const char *text, uint64_t *value);

#endif
