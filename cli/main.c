/* SPDX-License-Identifier: BSD-2-Clause */
/* main.c - the csum command: finds the command in the table and runs it. */
#define _GNU_SOURCE /* secure_getenv */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "csum.h"
#include "generate.h"

/*
 * A standard descriptor that the caller closed would be the number of the next
 * file that is opened, and a report for standard output would go into that
 * file.  So each gets /dev/null, opened the wrong way around: reading or
 * writing fails, as with the closed descriptor.
 */
static bool standard_descriptors(void)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", modes[fd]) != fd)
			return false;
	return true;
}

/*
 * jansson makes no document out of what there was no memory for, or one without
 * a part, and only some of its functions can say so.
 */
static void *json_memory(size_t n)
{
	void *p = malloc(n);

	if (!p)
		exit(trouble("out of memory"));
	return p;
}

/* The library ignores a name it cannot honour; a tool must not. */
static bool pinned_as_asked(void)
{
	const char *asked = secure_getenv("CSUM_ROUTINE");
	struct csum_routine_info info;
	bool known = false;

	if (!asked || !*asked || strcmp(asked, csum_routine_active()) == 0)
		return true;
	for (size_t i = 0; csum_routine_get(i, &info); i++)
		known = known || strcmp(asked, info.name) == 0;
	trouble("CSUM_ROUTINE=%s: %s; see `csum routines`", asked,
		known ? "this machine cannot run it" : "no such routine");
	return false;
}

static bool profile_taken(void)
{
	const char *path = secure_getenv("CSUM_PROFILE");
	int error = path && *path ? csum_use_profile(path) : 0;

	if (error == EINVAL)
		trouble("%s: not a csum profile", path);
	else if (error == ENOTSUP)
		trouble("%s: names a routine that cannot run here", path);
	else if (error)
		trouble("%s: %s", path, strerror(error));
	return error == 0;
}

/* A network file system may report a full disk only when a file is closed. */
static bool output_is_written(void)
{
	bool failed = fflush(stdout) != 0 || ferror(stdout);

	return close(STDOUT_FILENO) == 0 && !failed;
}

static int run(const struct command *c, int argc, char **argv)
{
	char name[32];
	int status;

	/* so that messages say "csum NAME" */
	snprintf(name, sizeof(name), "csum %s", c->name);
	argv[0] = name;
	status = c->run(argc, argv);
	if (!output_is_written())
		return trouble("cannot write the output");
	return status;
}

/* `csum help NAME` is `csum NAME --help`. */
static int help(char *name)
{
	char *argv[] = { name, "--help", NULL };
	const struct command *c;

	if (!name) {
		commands_usage(stdout);
		return EXIT_CLEAN;
	}
	c = command_find(name);
	return c ? run(c, 2, argv) : EXIT_TROUBLE;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : NULL;
	const struct command *c;

	if (!standard_descriptors())
		return EXIT_TROUBLE;
	json_set_alloc_funcs(json_memory, free);
	if (!name) {
		commands_usage(stderr);
		return EXIT_TROUBLE;
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
	    strcmp(name, "help") == 0)
		return help(argv[2]);
	if (strcmp(name, "--version") == 0) {
		printf("csum %s\n", csum_version());
		return EXIT_CLEAN;
	}
	if (strcmp(name, "--generate") == 0)
		return generate(argv + 2);
	c = command_find(name);
	if (!c || !profile_taken() || !pinned_as_asked())
		return EXIT_TROUBLE;
	return run(c, argc - 1, argv + 1);
}
