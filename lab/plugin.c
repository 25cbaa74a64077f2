/* SPDX-License-Identifier: BSD-2-Clause */
/* plugin.c - routines from a shared object. */
#include "plugin.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csum-plugin.h"
#include "subject.h"

static char cause[512];

static const char *fail(const char *why, const char *what)
{
	snprintf(cause, sizeof(cause), why, what);
	return cause;
}

/* It is to be a row of a table, and an argument of --routine. */
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

const char *lab_plugin_load(struct lab_plugin *plugin, const char *file)
{
	const struct csum_plugin_routine *table;
	const char *why;

	*plugin = (struct lab_plugin){ 0 };
	plugin->handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!plugin->handle)
		return dlerror();
	table = dlsym(plugin->handle, "csum_plugin_1");
	if (!table)
		return "it has no csum_plugin_1; see csum-plugin.h";
	why = check_table(table);
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
