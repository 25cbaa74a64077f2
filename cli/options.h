/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options.h - the command line of a command, as a table of rows.
 *
 * Parsing, --help, the OPTIONS of the man pages and the completions of shells
 * are all made from the rows.
 */
#ifndef CSUM_OPTIONS_H
#define CSUM_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The word for each number from 0 on, and NULL behind the last. */
typedef const char *word_list(int i);

struct option_use;

struct option_row {
	const char *name; /* without the "--"; NULL: a heading, or the end */
	int letter;	  /* 0: none */
	/* the argument's name, or NULL; "[NAME]" can be left out */
	const char *arg;
	/* whole sentences, "{}" where the words belong; or the heading */
	const char *help;
	/* stores the argument; false after option_wrong() has said why not */
	bool (*take)(const struct option_use *use);
	size_t target;	  /* where in the command's structure, see OPTION_AT */
	word_list *words; /* those that the argument may be, or NULL */
	uint64_t value; /* for option_set(); the most for a number, if not 0 */
	bool files;	/* the argument may be the name of a file */
	bool hidden;	/* from all but the parser */
};

struct command_line {
	/* the forms, one in each line, behind options; NULL: takes no words */
	const char *usage;
	const char *what;	       /* what the command does */
	const struct option_row *rows; /* the last is all 0 */
	const char *more;	       /* behind the options; or NULL */
	/* takes each word that is no option as it comes; NULL: see below */
	bool (*take_word)(const struct option_use *use);
	word_list *words; /* what the first word may be besides a file */
};

/* An option, or a word, on its way into the command's structure. */
struct option_use {
	const char *command;	      /* "csum verify" */
	const struct option_row *row; /* NULL: a word */
	char *arg;		      /* NULL: left out */
	void *options;		      /* the command's structure */
	void *target;		      /* the place in it for this row */
};

#define OPTION_AT(type, field) offsetof(struct type, field)

enum { OPTIONS_TAKEN = -1 };

/*
 * Reads @argv into @options by the rows of @line.  Returns OPTIONS_TAKEN, and
 * in @first the index of the first word (words are moved behind the options);
 * or the exit status that the command has to end with: after --help, or after
 * saying what is wrong.
 */
int options_parse(const struct command_line *line, int argc, char **argv,
		  void *options, int *first);

/*
 * Says what is wrong with the command line as a whole, behind the name of the
 * command in @argv[0]; returns EXIT_TROUBLE.
 */
int options_wrong(char **argv, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The same for one option, which is named; returns false. */
bool option_wrong(const struct option_use *use, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* --- what an argument may become, for option_row.take --------------------- */

bool option_flag(const struct option_use *use);	   /* bool: true */
bool option_set(const struct option_use *use);	   /* unsigned: row->value */
bool option_text(const struct option_use *use);	   /* const char * */
bool option_number(const struct option_use *use);  /* uint64_t */
bool option_count(const struct option_use *use);   /* unsigned */
bool option_seconds(const struct option_use *use); /* double, up to a day */
bool option_word(const struct option_use *use);	   /* unsigned: which one */
bool option_words(const struct option_use *use);   /* bool[]: which of them */

/* "10" or "10%" as 0.1; from 0 to 1, both included. */
bool option_share(const struct option_use *use);

/* Which of row->words @word is, or -1 after saying that it is none of them. */
int option_find_word(const struct option_use *use, const char *word);

/* --- option_text.c: the rows as text ---------------------------------------
 */

/* A row's help with its words in it. */
void option_help(const struct option_row *row, char *buf, size_t size);

/* "a, b or c" of @words; @last: between the last two. */
void words_text(word_list *words, const char *last, char *buf, size_t size);

/* What `csum NAME --help` prints, and --usage; @name: "csum NAME". */
void options_help(const struct command_line *line, const char *name);
void options_usage(const struct command_line *line, const char *name);

#endif
