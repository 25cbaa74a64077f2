/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * generate.c - the tables of options as parts of man pages, and as completions
 * for bash and zsh.
 */
#include "generate.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "options.h"

/* A row that a user sees, from @row on; NULL behind the last. */
static const struct option_row *next_row(const struct option_row *row)
{
	while (row->help && (!row->name || row->hidden))
		row++;
	return row->help ? row : NULL;
}

/* --- man pages ---------------------------------------------------------------
 */

enum { MAN_WIDTH = 80 };

/*
 * A word of roff.  `what is typed` is bold; a hyphen is what one types, and not
 * a place to break a line.
 */
static void man_word(const char *p, size_t n, bool *bold)
{
	if (*p == '.' || *p == '\'')
		fputs("\\&", stdout);
	for (; n--; p++) {
		if (*p == '`') {
			*bold = !*bold;
			fputs(*bold ? "\\fB" : "\\fR", stdout);
		} else if (*p == '-') {
			fputs("\\-", stdout);
		} else if (*p == '\\') {
			fputs("\\e", stdout);
		} else {
			putchar(*p);
		}
	}
}

/* Filled, so that a change of a word is a small one in the page. */
static void man_text(const char *text)
{
	bool bold = false;
	size_t column = 0;

	while (*text) {
		size_t n = strcspn(text, " ");

		if (column && column + 1 + n >= MAN_WIDTH) {
			putchar('\n');
			column = 0;
		} else if (column) {
			putchar(' ');
			column++;
		}
		man_word(text, n, &bold);
		column += n;
		text += n + (text[n] == ' ');
	}
	puts(".");
}

static void man_name(const char *name)
{
	bool bold = false;

	man_word(name, strlen(name), &bold);
}

static void man_row(const struct option_row *row)
{
	char help[1024];

	option_help(row, help, sizeof(help));
	if (!row->name) {
		printf(".SS %s\n", help);
		return;
	}
	printf(".TP\n%s ", row->letter || row->arg ? ".BR" : ".B");
	if (row->letter)
		printf("\\-%c \", \" ", row->letter);
	fputs("\\-\\-", stdout);
	man_name(row->name);
	if (row->arg && *row->arg == '[')
		printf(" [=\\fI%.*s\\fR]", (int)strlen(row->arg) - 2,
		       row->arg + 1);
	else if (row->arg)
		printf(" =\\fI%s\\fR", row->arg);
	putchar('\n');
	man_text(help);
}

static int generate_man(const char *name)
{
	const struct command *c = command_find(name);

	if (!c)
		return EXIT_TROUBLE;
	puts(".SH OPTIONS");
	for (const struct option_row *row = c->line->rows; row->help; row++)
		if (!row->hidden)
			man_row(row);
	return EXIT_CLEAN;
}

/* --- bash --------------------------------------------------------------------
 */

static void put_words(word_list *words)
{
	for (int i = 0; words(i); i++)
		printf("%s%s", i ? " " : "", words(i));
}

static void bash_names(const struct command *c)
{
	const struct option_row *row = c->line->rows;

	printf("\t%s) echo --help", c->name);
	for (; (row = next_row(row)); row++)
		printf(" --%s", row->name);
	puts(" ;;");
}

/* As a pattern of both forms. */
static void bash_pattern(const struct command *c, const struct option_row *row)
{
	printf("\t\"%s --%s\"", c->name, row->name);
	if (row->letter)
		printf(" | \"%s -%c\"", c->name, row->letter);
	fputs(") ", stdout);
}

static void bash_words(const struct command *c)
{
	const struct option_row *row = c->line->rows;

	if (c->line->words) {
		printf("\t\"%s \") echo ", c->name);
		put_words(c->line->words);
		puts(" ;;");
	}
	for (; (row = next_row(row)); row++) {
		if (!row->words)
			continue;
		bash_pattern(c, row);
		fputs("echo ", stdout);
		put_words(row->words);
		puts(" ;;");
	}
}

/* What an option with an argument takes: files, or nothing to be offered. */
static void bash_kinds(const struct command *c)
{
	const struct option_row *row = c->line->rows;

	for (; (row = next_row(row)); row++) {
		if (!row->arg || *row->arg == '[')
			continue;
		bash_pattern(c, row);
		printf("echo %s ;;\n", row->files ? "files" : "words");
	}
	if (!c->line->usage)
		printf("\t\"%s \") echo words ;;\n", c->name);
}

static void bash_case(const char *what, const char *comment, const char *of,
		      void (*put)(const struct command *c))
{
	const struct command *c;

	printf("\n# %s\n_csum_%s() {\n\tcase \"%s\" in\n", comment, what, of);
	for (int i = 0; (c = command_at(i)); i++)
		put(c);
	puts("\tesac\n}");
}

static void generate_bash(void)
{
	const struct command *c;

	puts("# SPDX-License-Identifier: BSD-2-Clause\n"
	     "# shellcheck shell=bash\n"
	     "# csum.bash - completion for bash, by scripts/generate from the "
	     "tables of options.");
	bash_case("names", "_csum_names COMMAND - its options", "$1",
		  bash_names);
	bash_case("list",
		  "_csum_list COMMAND OPTION - the words that may follow",
		  "$1 $2", bash_words);
	bash_case("kind",
		  "_csum_kind COMMAND OPTION - words or files; nothing: it "
		  "stands alone",
		  "$1 $2", bash_kinds);
	fputs("\n_csum() {\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} "
	      "command=${COMP_WORDS[1]}\n"
	      "\tlocal at=$((COMP_CWORD - 1)) before kind front=\n"
	      "\tCOMPREPLY=()\n"
	      "\tif ((COMP_CWORD == 1)) || "
	      "{ ((COMP_CWORD == 2)) && [ \"$command\" = help ]; }; then\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -W '",
	      stdout);
	for (int i = 0; (c = command_at(i)); i++)
		printf("%s ", c->name);
	fputs("help --help --version' -- \"$cur\")\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\t# readline takes --option=word apart\n"
	      "\t[ \"$cur\" = = ] && cur='' at=$COMP_CWORD\n"
	      "\t[ \"${COMP_WORDS[at]}\" = = ] && at=$((at - 1))\n"
	      "\tbefore=${COMP_WORDS[at]}\n"
	      "\tkind=$(_csum_kind \"$command\" \"$before\")\n"
	      "\tif [ -z \"$kind\" ] && [ \"${cur:0:1}\" = - ]; then\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -W "
	      "\"$(_csum_names \"$command\")\" -- \"$cur\")\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\t[ -n \"$kind\" ] || { before='' "
	      "kind=$(_csum_kind \"$command\" ''); }\n"
	      "\t# the last of words with commas\n"
	      "\t[ \"${cur/,/}\" = \"$cur\" ] || front=${cur%,*},\n"
	      "\tmapfile -t COMPREPLY < <(compgen -P \"$front\" -W "
	      "\"$(_csum_list \"$command\" \"$before\")\" -- "
	      "\"${cur##*,}\")\n"
	      "\t[ \"$kind\" = words ] || mapfile -t -O ${#COMPREPLY[@]} "
	      "COMPREPLY < <(compgen -f -- \"$cur\")\n"
	      "}\n"
	      "complete -o filenames -F _csum csum\n",
	      stdout);
}

/* --- zsh ---------------------------------------------------------------------
 */

/* Within single quotes, and what ends a part of a description in zsh. */
static void zsh_text(const char *text, bool in_brackets)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", stdout);
		else if (strchr(in_brackets ? "[]\\" : ":\\", *text))
			printf("\\%c", *text);
		else
			putchar(*text);
	}
}

static void zsh_argument(const struct option_row *row)
{
	const bool list = row->take == option_words;

	if (*row->arg == '[')
		putchar(':');
	putchar(':');
	zsh_text(row->name, false);
	putchar(':');
	if (list) {
		printf(" _values -s , %s ", row->name);
		put_words(row->words);
	} else if (row->words && row->files) {
		printf(" _alternative \"files\\:file\\:_files\" "
		       "\"words\\:%s\\:(",
		       row->name);
		put_words(row->words);
		fputs(")\"", stdout);
	} else if (row->words) {
		putchar('(');
		put_words(row->words);
		putchar(')');
	} else if (row->files) {
		fputs("_files", stdout);
	}
}

static void zsh_row(const struct option_row *row)
{
	char help[1024], names[2][40];

	option_help(row, help, sizeof(help));
	snprintf(names[0], sizeof(names[0]), "-%c%s", row->letter,
		 !row->arg || *row->arg == '[' ? "" : "+");
	snprintf(names[1], sizeof(names[1]), "--%s%s", row->name,
		 !row->arg	    ? ""
		 : *row->arg == '[' ? "=-"
				    : "=");
	for (int i = !row->letter; i < 2; i++) {
		printf(" \\\n\t\t\t'*%s[", names[i]);
		zsh_text(help, true);
		putchar(']');
		if (row->arg)
			zsh_argument(row);
		putchar('\'');
	}
}

static void zsh_command(const struct command *c)
{
	printf("\t%s)\n\t\t_arguments -s -S \\\n\t\t\t'--help[Print help]'",
	       c->name);
	for (const struct option_row *row = c->line->rows;
	     (row = next_row(row)); row++)
		zsh_row(row);
	if (c->line->words) {
		fputs(" \\\n\t\t\t'1::word:(", stdout);
		put_words(c->line->words);
		fputs(")'", stdout);
	}
	if (c->line->usage)
		fputs(" \\\n\t\t\t'*:file:_files'", stdout);
	puts("\n\t\t;;");
}

static void generate_zsh(void)
{
	const struct command *c;

	puts("#compdef csum\n"
	     "# SPDX-License-Identifier: BSD-2-Clause\n"
	     "# _csum - completion for zsh, by scripts/generate from the "
	     "tables of options.\n\n"
	     "_csum() {\n"
	     "\tlocal -a commands\n"
	     "\tcommands=(");
	for (int i = 0; (c = command_at(i)); i++) {
		printf("\t\t'%s:", c->name);
		zsh_text(c->what, false);
		puts("'");
	}
	puts("\t\t'help:say more of a command'\n"
	     "\t)\n"
	     "\tif ((CURRENT == 2)) || "
	     "{ ((CURRENT == 3)) && [[ $words[2] == help ]]; }; then\n"
	     "\t\t_describe command commands\n"
	     "\t\treturn\n"
	     "\tfi\n"
	     "\tshift words\n"
	     "\t((CURRENT--))\n"
	     "\tcase $words[1] in");
	for (int i = 0; (c = command_at(i)); i++)
		zsh_command(c);
	puts("\tesac\n"
	     "}\n\n"
	     "_csum \"$@\"");
}

int generate(char *const *words)
{
	const char *what = words[0] ? words[0] : "";

	if (strcmp(what, "man") == 0 && words[1])
		return generate_man(words[1]);
	if (strcmp(what, "bash") == 0)
		generate_bash();
	else if (strcmp(what, "zsh") == 0)
		generate_zsh();
	else
		return trouble("--generate: man NAME, bash or zsh");
	return EXIT_CLEAN;
}
