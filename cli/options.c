/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - the command line by the rows of its command; see options.h. */
#include "options.h"

#include <assert.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "guess.h"

/* --- what is wrong ---------------------------------------------------------
 */

static void complain(const char *command, const char *about, const char *fmt,
		     va_list ap)
{
	char text[1024];

	vsnprintf(text, sizeof(text), fmt, ap);
	trouble_of(command, "%s%s%s", about, *about ? ": " : "", text);
	fprintf(stderr, "Try `%s --help`.\n", command);
}

int options_wrong(char **argv, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	complain(argv[0], "", fmt, ap);
	va_end(ap);
	return EXIT_TROUBLE;
}

bool option_wrong(const struct option_use *use, const char *fmt, ...)
{
	char about[48] = "";
	va_list ap;

	if (use->row)
		snprintf(about, sizeof(about), "--%s", use->row->name);
	va_start(ap, fmt);
	complain(use->command, about, fmt, ap);
	va_end(ap);
	return false;
}

/* --- what an argument may become -------------------------------------------
 */

bool option_flag(const struct option_use *use)
{
	*(bool *)use->target = true;
	return true;
}

bool option_set(const struct option_use *use)
{
	*(unsigned *)use->target = (unsigned)use->row->value;
	return true;
}

bool option_text(const struct option_use *use)
{
	*(const char **)use->target = use->arg;
	return true;
}

static bool take_number(const struct option_use *use, uint64_t *n)
{
	const uint64_t most = use->row->value;

	if (!parse_size(use->arg, n))
		return option_wrong(use, "'%s' is not a number", use->arg);
	if (most && *n > most)
		return option_wrong(use, "'%s' is more than %llu", use->arg,
				    (unsigned long long)most);
	return true;
}

bool option_number(const struct option_use *use)
{
	return take_number(use, use->target);
}

bool option_count(const struct option_use *use)
{
	uint64_t n;

	if (!take_number(use, &n))
		return false;
	if (n > UINT32_MAX)
		return option_wrong(use, "'%s' is not below 2^32", use->arg);
	*(unsigned *)use->target = (unsigned)n;
	return true;
}

bool option_seconds(const struct option_use *use)
{
	char *end;
	double v = strtod(use->arg, &end);

	if (*end || !(v > 0 && v <= 86400))
		return option_wrong(use, "'%s' is not a time in seconds",
				    use->arg);
	*(double *)use->target = v;
	return true;
}

bool option_share(const struct option_use *use)
{
	char *end;
	double v = strtod(use->arg, &end);

	if (end != use->arg && *end == '%')
		end++;
	if (end == use->arg || *end || !(v >= 0 && v <= 100))
		return option_wrong(use, "'%s' is not a percentage", use->arg);
	*(double *)use->target = v / 100;
	return true;
}

int option_find_word(const struct option_use *use, const char *word)
{
	word_list *words = use->row->words;
	struct guess guess = { .typed = word };
	char all[512], meant[64];

	for (int i = 0; words(i); i++)
		if (strcmp(words(i), word) == 0)
			return i;
	for (int i = 0; words(i); i++)
		guess_consider(&guess, words(i));
	words_text(words, ", ", all, sizeof(all));
	guess_text(&guess, "", meant, sizeof(meant));
	option_wrong(use, "'%s' is none of %s%s", word, all, meant);
	return -1;
}

bool option_word(const struct option_use *use)
{
	int i = option_find_word(use, use->arg);

	if (i >= 0)
		*(unsigned *)use->target = (unsigned)i;
	return i >= 0;
}

bool option_words(const struct option_use *use)
{
	const char *rest = use->arg;
	bool *flags = use->target;
	char word[64];

	for (int i = 0; use->row->words(i); i++)
		flags[i] = false;
	do {
		size_t n = strcspn(rest, ",");
		int i;

		snprintf(word, sizeof(word), "%.*s", (int)n, rest);
		i = option_find_word(use, word);
		if (i < 0)
			return false;
		flags[i] = true;
		rest += n;
	} while (*rest++ == ',');
	return true;
}

/* --- the command line --------------------------------------------------------
 */

enum { KEY_ROW = 256, KEY_HELP = 128, KEY_USAGE, ROWS_MOST = 64 };

/* The rows in getopt's words. */
struct getopt_rows {
	struct option longs[ROWS_MOST];
	char letters[3 * ROWS_MOST];
};

static void add_long(struct getopt_rows *g, int *n, const char *name, int key,
		     const char *arg)
{
	g->longs[(*n)++] = (struct option){
		.name = name,
		.has_arg = !arg		 ? no_argument
			   : *arg == '[' ? optional_argument
					 : required_argument,
		.val = key,
	};
}

static void to_getopt(const struct command_line *line, struct getopt_rows *g)
{
	int n = 0;
	char *letter = g->letters;

	memset(g, 0, sizeof(*g));
	/* '-': words as they come; ':': a missing argument is told apart */
	if (line->take_word)
		*letter++ = '-';
	*letter++ = ':';
	*letter++ = 'h';
	add_long(g, &n, "help", KEY_HELP, NULL);
	add_long(g, &n, "usage", KEY_USAGE, NULL);
	for (int i = 0; line->rows[i].help && n < ROWS_MOST - 1; i++) {
		const struct option_row *row = &line->rows[i];

		if (!row->name)
			continue;
		add_long(g, &n, row->name, KEY_ROW + i, row->arg);
		if (!row->letter)
			continue;
		*letter++ = (char)row->letter;
		if (row->arg)
			*letter++ = ':';
	}
}

static const struct option_row *row_of(const struct command_line *line, int key)
{
	const struct option_row *row = line->rows;

	if (key >= KEY_ROW)
		return &line->rows[key - KEY_ROW];
	while (row->help && (!row->name || row->letter != key))
		row++;
	return row->help ? row : NULL;
}

/* No such option, or several that begin so. */
static int unknown_long(const struct command_line *line, char **argv,
			const char *typed)
{
	size_t n = strcspn(typed, "=");
	char name[64], begin[256] = "", meant[64];
	struct guess guess = { .typed = name };

	snprintf(name, sizeof(name), "%.*s", (int)n, typed);
	guess_consider(&guess, "help");
	for (const struct option_row *row = line->rows; row->help; row++) {
		size_t used = strlen(begin);

		if (!row->name || row->hidden)
			continue;
		guess_consider(&guess, row->name);
		if (n && strncmp(row->name, name, n) == 0)
			snprintf(begin + used, sizeof(begin) - used, "%s--%s",
				 used ? ", " : "", row->name);
	}
	if (*begin)
		return options_wrong(argv, "option '--%s' can be %s", name,
				     begin);
	guess_text(&guess, "--", meant, sizeof(meant));
	return options_wrong(argv, "no option '--%s'%s", name, meant);
}

static int unknown(const struct command_line *line, char **argv)
{
	const struct option_row *row = optopt ? row_of(line, optopt) : NULL;

	if (row)
		return options_wrong(argv, "option '--%s' takes no argument",
				     row->name);
	if (optopt == KEY_HELP || optopt == KEY_USAGE)
		return options_wrong(argv, "--help takes no argument");
	if (optopt)
		return options_wrong(argv, "no option '-%c'", optopt);
	return unknown_long(line, argv, argv[optind - 1] + 2);
}

static int missing(const struct command_line *line, char **argv)
{
	const struct option_row *row = row_of(line, optopt);
	char words[512] = "";

	assert(row); /* getopt_long() knows no others */
	if (row->words && !row->files) {
		snprintf(words, sizeof(words), ": ");
		words_text(row->words, ", ", words + 2, sizeof(words) - 2);
	}
	return options_wrong(argv, "option '--%s' needs an argument, %s%s",
			     row->name, row->arg, words);
}

static int take(const struct command_line *line, int key, char **argv,
		void *options)
{
	struct option_use use = {
		.command = argv[0],
		.arg = optarg,
		.options = options,
	};
	bool taken;

	if (key == 1) {
		taken = line->take_word(&use);
	} else {
		use.row = row_of(line, key);
		assert(use.row); /* getopt_long() knows no others */
		use.target = (char *)options + use.row->target;
		taken = use.row->take(&use);
	}
	return taken ? OPTIONS_TAKEN : EXIT_TROUBLE;
}

static int take_next(const struct command_line *line, int key, char **argv,
		     void *options)
{
	switch (key) {
	case 'h':
	case KEY_HELP:
		options_help(line, argv[0]);
		return EXIT_CLEAN;
	case KEY_USAGE:
		options_usage(line, argv[0]);
		return EXIT_CLEAN;
	case '?':
		/* a question mark as a letter is what argp(3) had */
		if (optopt == '?') {
			options_help(line, argv[0]);
			return EXIT_CLEAN;
		}
		return unknown(line, argv);
	case ':':
		return missing(line, argv);
	default:
		return take(line, key, argv, options);
	}
}

int options_parse(const struct command_line *line, int argc, char **argv,
		  void *options, int *first)
{
	struct getopt_rows g;
	int key, status = OPTIONS_TAKEN;

	to_getopt(line, &g);
	opterr = 0;
	optind = 0; /* glibc and musl: anew, also behind an error in a word */
	while (status == OPTIONS_TAKEN &&
	       (key = getopt_long(argc, argv, g.letters, g.longs, NULL)) != -1)
		status = take_next(line, key, argv, options);
	/* behind "--" */
	while (status == OPTIONS_TAKEN && line->take_word && optind < argc) {
		optarg = argv[optind++];
		status = take(line, 1, argv, options);
	}
	if (status == OPTIONS_TAKEN && !line->usage && optind < argc)
		return options_wrong(argv, "takes no words, such as '%s'",
				     argv[optind]);
	if (first)
		*first = optind;
	return status;
}
