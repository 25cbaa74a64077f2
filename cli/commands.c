/* SPDX-License-Identifier: BSD-2-Clause */
/* commands.c - the table of commands: `csum --help`, and finding one. */
#include <string.h>

#include "cli.h"
#include "guess.h"

static const struct command commands[] = {
#define COMMAND(name, what) { #name, cmd_##name, what, &name##_line },
#include "commands.h"
#undef COMMAND
};

enum { NCOMMANDS = sizeof(commands) / sizeof(commands[0]) };

const struct command *command_at(int i)
{
	return i < NCOMMANDS ? &commands[i] : NULL;
}

const struct command *command_find(const char *name)
{
	struct guess guess = { .typed = name };
	char meant[64];

	for (int i = 0; i < NCOMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	for (int i = 0; i < NCOMMANDS; i++)
		guess_consider(&guess, commands[i].name);
	guess_text(&guess, "", meant, sizeof(meant));
	trouble("no command '%s'%s", name, meant);
	fputs("Try `csum --help`.\n", stderr);
	return NULL;
}

void commands_usage(FILE *f)
{
	fputs("Usage: csum COMMAND [OPTION...] [FILE...]\n"
	      "The Internet checksum (RFC 1071): verify, repair, measure, "
	      "compute.\n\n",
	      f);
	for (int i = 0; i < NCOMMANDS; i++)
		fprintf(f, "  %-10s %s\n", commands[i].name, commands[i].what);
	fputs("\n`csum COMMAND --help` or `csum help COMMAND` says more.\n"
	      "CSUM_ROUTINE=NAME in the environment pins a routine, "
	      "CSUM_PROFILE=FILE takes\nthose that a file names.\n"
	      "Exit status: 0 clean, 1 bad checksums found, 2 trouble.\n",
	      f);
}
