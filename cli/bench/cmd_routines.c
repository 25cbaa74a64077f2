/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_routines.c - `csum routines`: both registries, as text and JSON. */
#include <argp.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "csum.h"
#include "routines/study.h"

static int json_out;

static error_t parse(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	switch (key) {
	case 'j':
		json_out = 1;
		return 0;
	case ARGP_KEY_ARG:
		argp_usage(state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ 0 },
};

static const struct argp argp = {
	options,
	parse,
	NULL,
	"List the routines of the library in order of selection: the first one "
	"that can run here and should is active, unless CSUM_ROUTINE names "
	"another.  Those kept for study are never chosen; `csum bench` "
	"measures "
	"them."
	"\vWhere it says \"pre\", `csum bench --prefetch` can make it "
	"prefetch.",
	NULL,
	NULL,
	NULL,
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

	snprintf(does, sizeof(does), "%s%s%s", r->sum ? "sum " : "",
		 r->copy ? "copy " : "", prefetches(e) ? "pre" : "");
	printf("%-12s %-7s %-8s %-6s %-9s %s\n", r->name, home(e), r->isa,
	       is_active(e) ? "active" : here, does, r->idea);
}

int cmd_routines(int argc, char **argv)
{
	struct lab_entry e;

	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	if (json_out)
		return print_json();
	printf("%-12s %-7s %-8s %-6s %-9s %s\n", "name", "home", "isa", "here",
	       "does", "idea");
	for (size_t i = 0; lab_entry_at(i, &e); i++)
		print_entry(&e);
	return EXIT_CLEAN;
}
