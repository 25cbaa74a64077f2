/* SPDX-License-Identifier: BSD-2-Clause */
/* option_text.c - the rows of a command line as text: --help and --usage. */
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "terminal.h"

enum { HELP_COLUMN = 29 };

void words_text(word_list *words, const char *last, char *buf, size_t size)
{
	size_t n = 0;

	*buf = 0;
	for (int i = 0; words(i) && n < size; i++)
		n += (size_t)snprintf(buf + n, size - n, "%s%s",
				      !i	     ? ""
				      : words(i + 1) ? ", "
						     : last,
				      words(i));
}

void option_help(const struct option_row *row, char *buf, size_t size)
{
	const char *at = row->words ? strstr(row->help, "{}") : NULL;
	char words[512];

	if (!at) {
		snprintf(buf, size, "%s", row->help);
		return;
	}
	words_text(row->words, " or ", words, sizeof(words));
	snprintf(buf, size, "%.*s%s%s", (int)(at - row->help), row->help, words,
		 at + 2);
}

/* --- rows --------------------------------------------------------------------
 */

/* "  -c, --count=N", "      --counters[=NAME]" */
static int put_name(const struct option_row *row)
{
	const char *arg = row->arg ? row->arg : "";
	bool optional = *arg == '[';
	int column = row->letter ? printf("  -%c, ", row->letter)
				 : printf("%6s", "");

	return column + printf("--%s%s%s", row->name,
			       !row->arg  ? ""
			       : optional ? "[="
					  : "=",
			       arg + optional);
}

static void put_row(const struct option_row *row)
{
	char help[1024];
	int column;

	option_help(row, help, sizeof(help));
	if (!row->name) {
		printf("\n%s:\n", help);
		return;
	}
	column = put_name(row);
	if (column >= HELP_COLUMN - 1) {
		putchar('\n');
		column = 0;
	}
	printf("%*s", HELP_COLUMN - column, "");
	put_filled(help, HELP_COLUMN, HELP_COLUMN);
}

void options_usage(const struct command_line *line, const char *name)
{
	const char *form = line->usage ? line->usage : "";
	const char *lead = "Usage:";

	do {
		const char *end = form + strcspn(form, "\n");

		printf("%s %s [OPTION...]%s%.*s\n", lead, name,
		       end > form ? " " : "", (int)(end - form), form);
		lead = "   or:";
		form = *end ? end + 1 : end;
	} while (*form);
}

void options_help(const struct command_line *line, const char *name)
{
	static const struct option_row help = { .name = "help",
						.letter = 'h',
						.help = "Print this text" };

	options_usage(line, name);
	put_filled(line->what, 0, 0);
	if (!line->rows->help || line->rows->name)
		putchar('\n');
	for (const struct option_row *row = line->rows; row->help; row++)
		if (!row->hidden)
			put_row(row);
	put_row(&help);
	if (line->more) {
		putchar('\n');
		put_filled(line->more, 0, 0);
	}
}
