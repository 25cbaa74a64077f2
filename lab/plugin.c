/* SPDX-License-Identifier: BSD-2-Clause */
/* plugin.c - routines from a shared object. */
#define _GNU_SOURCE /* strsignal() */
#include "plugin.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "csum-plugin.h"
#include "subject.h"

static char cause[512];

static const char *fail(const char *why, const char *what)
{
	snprintf(cause, sizeof(cause), why, what);
	return cause;
}

/* A name is to be a row of a table, and an argument of --routine. */
static bool is_name(const char *name)
{
	size_t n = 0;

	while (isalnum((unsigned char)name[n]) || name[n] == '_')
		n++;
	return n > 0 && name[n] == '\0' && n < LAB_NAME;
}

static const char *check_table(const struct csum_plugin_routine *table)
{
	if (!table[0].name)
		return "its table is empty";
	for (const struct csum_plugin_routine *t = table; t->name; t++) {
		if (!is_name(t->name))
			return fail("'%s' is not a name of letters, digits "
				    "and '_'",
				    t->name);
		if (!t->sum && !t->copy)
			return fail("'%s' neither sums nor copies", t->name);
	}
	return NULL;
}

/* NULL and its table, or the cause; @handle is open in both cases or NULL. */
static const char *open_object(const char *file, void **handle,
			       const struct csum_plugin_routine **table)
{
	*handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!*handle)
		return dlerror();
	*table = dlsym(*handle, "csum_plugin_1");
	if (!*table)
		return "it has no csum_plugin_1; see csum-plugin.h";
	return check_table(*table);
}

/* ------------------------------------------------------------------------
 * A shared object may crash, end this process or never return as soon as it is
 * loaded: a file that was cut off is enough.  So a child process loads it
 * first.
 */

enum { PATIENCE_MS = 5000 };

/* The child's word on the object. */
struct answer {
	bool given, good;
	char cause[sizeof(cause)];
};

static void load_in_child(const char *file, int out)
{
	const struct csum_plugin_routine *table;
	struct answer answer = { .given = true };
	const char *why;
	void *handle;

	why = open_object(file, &handle, &table);
	answer.good = !why;
	snprintf(answer.cause, sizeof(answer.cause), "%s", why ? why : "");
	/* an answer that is not read is none */
	_exit(write(out, &answer, sizeof(answer)) != sizeof(answer));
}

/* The answer that comes in time, and whether there was time for one. */
static bool wait_for_answer(int in, struct answer *answer)
{
	struct pollfd fd = { .fd = in, .events = POLLIN };
	int ready;

	do
		ready = poll(&fd, 1, PATIENCE_MS);
	while (ready < 0 && errno == EINTR);
	if (ready > 0 && read(in, answer, sizeof(*answer)) != sizeof(*answer))
		*answer = (struct answer){ .given = false };
	return ready > 0;
}

static const char *judge_answer(bool in_time, int status,
				const struct answer *answer)
{
	if (!in_time)
		return "loading it does not end";
	if (answer->given)
		return answer->good ? NULL : fail("%s", answer->cause);
	if (WIFSIGNALED(status))
		return fail("loading it crashes: %s",
			    strsignal(WTERMSIG(status)));
	return "loading it ends the program";
}

/* NULL if a child process could load the object, or the cause. */
static const char *try_loading(const char *file)
{
	struct answer answer = { .given = false };
	int ends[2], status = 0;
	bool in_time;
	pid_t pid;

	if (pipe(ends) != 0)
		return fail("it cannot be tried: %s", strerror(errno));
	pid = fork();
	if (pid == 0)
		load_in_child(file, ends[1]);
	close(ends[1]);
	in_time = pid > 0 && wait_for_answer(ends[0], &answer);
	close(ends[0]);
	if (pid < 0)
		return "it cannot be tried: no process";
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return judge_answer(in_time, status, &answer);
}

const char *lab_plugin_load(struct lab_plugin *plugin, const char *file)
{
	const struct csum_plugin_routine *table;
	const char *why;

	*plugin = (struct lab_plugin){ 0 };
	why = try_loading(file);
	if (why)
		return why;
	why = open_object(file, &plugin->handle, &table);
	if (why)
		return why;
	while (table[plugin->n].name)
		plugin->n++;
	plugin->routines = calloc(plugin->n, sizeof(*plugin->routines));
	plugin->max = calloc(plugin->n, sizeof(*plugin->max));
	if (!plugin->routines || !plugin->max)
		return "out of memory";
	for (size_t i = 0; i < plugin->n; i++) {
		plugin->routines[i] = (struct csum_routine){
			.name = table[i].name,
			.isa = "plugin",
			.idea = table[i].idea ? table[i].idea : "",
			.sum = table[i].sum,
			.copy = table[i].copy,
		};
		plugin->max[i] = table[i].max;
	}
	return NULL;
}

void lab_plugin_free(struct lab_plugin *plugin)
{
	free(plugin->max);
	free(plugin->routines);
	if (plugin->handle)
		dlclose(plugin->handle);
	*plugin = (struct lab_plugin){ 0 };
}
