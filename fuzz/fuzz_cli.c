/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_cli.c - any command line of the commands that read files: its words are
 * the first line of the input, the rest is a file "f" and standard input.
 */
#include <string.h>

#include "command.h"

enum { WORDS = 12, LINE = 256 };

/* These take no time and ask for nothing else. */
static bool is_allowed(const char *command)
{
	static const char *const names[] = { "verify",	 "explain", "fix",
					     "break",	 "sum",	    "routines",
					     "report",	 "help",    "--help",
					     "--version" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(command, names[i]) == 0)
			return true;
	return false;
}

/* Nothing outside of the folder, no interface, no hundred threads. */
static bool is_tame(const char *word)
{
	const bool letters = word[0] == '-' && word[1] != '-';

	return !strchr(word, '/') && !strstr(word, "..") &&
	       !(letters && strpbrk(word, "ij")) && !strstr(word, "-int") &&
	       !strstr(word, "-th");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = memchr(data, '\n', size);
	const size_t len = end ? (size_t)(end - data) : size;
	const char *argv[WORDS + 1] = { "csum" };
	char line[LINE], *save = NULL;
	int n = 1, status;

	if (len >= sizeof(line))
		return 0;
	memcpy(line, data, len);
	line[len] = '\0';
	for (char *w = strtok_r(line, " ", &save); w && n < WORDS;
	     w = strtok_r(NULL, " ", &save)) {
		if (!is_tame(w))
			return 0;
		argv[n++] = w;
	}
	if (n < 2 || !is_allowed(argv[1]))
		return 0;
	size -= end ? len + 1 : len;
	put_file("f", end ? end + 1 : data, size);
	status = command(argv, end ? end + 1 : data, size);
	REQUIRE(status >= 0 && status <= 2);
	remove_all_files();
	return 0;
}
