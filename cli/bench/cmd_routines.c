/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_routines.c - `csum routines`: both registries, as text and JSON. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "csum.h"
#include "routines/study.h"
#include "terminal.h"

struct routines_options {
	bool json;
};

static const struct option_row rows[] = {
	{ .name = "json",
	  .letter = 'j',
	  .take = option_flag,
	  .target = OPTION_AT(routines_options, json),
	  .help = "Print JSON" },
	{ 0 },
};

const struct command_line routines_line = {
	.what = "List the routines of the library in order of selection: the "
		"first one that can run here and should is active, unless "
		"CSUM_ROUTINE names another.  Those kept for study are never "
		"chosen; `csum bench` measures them.",
	.rows = rows,
	.more = "Where it says \"pre\", `csum bench --prefetch` can make it "
		"prefetch.",
};

static bool is_active(const struct lab_entry *e)
{
	return !e->study &&
	       strcmp(e->routine->name, csum_routine_active()) == 0;
}

static bool prefetches(const struct lab_entry *e)
{
	return e->study && (e->study->sums || e->study->copies);
}

static const char *home(const struct lab_entry *e)
{
	return e->study ? "study" : "library";
}

static json_t *entry_json(const struct lab_entry *e)
{
	const struct csum_routine *r = e->routine;

	return json_pack("{ss ss ss ss so sb sb sb sb sb}", "name", r->name,
			 "home", home(e), "isa", r->isa, "idea", r->idea,
			 "origin",
			 e->study ? json_string(e->study->origin) : json_null(),
			 "usable", csum_can_run(r, csum_cpu_features()),
			 "active", is_active(e), "sum", r->sum != NULL, "copy",
			 r->copy != NULL, "prefetch", prefetches(e));
}

static int print_json(void)
{
	json_t *list = json_array();
	struct lab_entry e;
	int failed;

	for (size_t i = 0; lab_entry_at(i, &e); i++)
		json_array_append_new(list, entry_json(&e));
	list = json_pack("{ss so}", "version", csum_version(), "routines",
			 list);
	failed = json_dumpf(list, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(list);
	return failed ? trouble("cannot write the output") : EXIT_CLEAN;
}

static void print_entry(const struct lab_entry *e)
{
	const struct csum_routine *r = e->routine;
	const char *here = csum_can_run(r, csum_cpu_features()) ? "yes" : "no";
	char does[16];
	int column;

	snprintf(does, sizeof(does), "%s%s%s", r->sum ? "sum " : "",
		 r->copy ? "copy " : "", prefetches(e) ? "pre" : "");
	column = printf("%-12s %-7s %-8s %-6s %-9s ", r->name, home(e), r->isa,
			is_active(e) ? "active" : here, does);
	/* a line each for what reads them, in the width of a terminal */
	if (isatty(STDOUT_FILENO))
		put_filled(r->idea, column, column);
	else
		puts(r->idea);
}

int cmd_routines(int argc, char **argv)
{
	struct routines_options opt = { 0 };
	struct lab_entry e;
	int status = options_parse(&routines_line, argc, argv, &opt, NULL);

	if (status != OPTIONS_TAKEN)
		return status;
	if (opt.json)
		return print_json();
	printf("%-12s %-7s %-8s %-6s %-9s %s\n", "name", "home", "isa", "here",
	       "does", "idea");
	for (size_t i = 0; lab_entry_at(i, &e); i++)
		print_entry(&e);
	return EXIT_CLEAN;
}
