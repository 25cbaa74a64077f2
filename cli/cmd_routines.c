/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_routines.c - `csum routines`: the registry, as text and JSON. */
#include <argp.h>
#include <jansson.h>
#include <stdio.h>

#include "cli.h"
#include "csum.h"

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
	"that can run here is active, unless CSUM_ROUTINE names another.",
	NULL,
	NULL,
	NULL,
};

static int print_json(void)
{
	json_t *list = json_array();
	struct csum_routine_info r;
	int failed;

	for (size_t i = 0; csum_routine_get(i, &r); i++)
		json_array_append_new(
			list, json_pack("{ss ss ss sb sb}", "name", r.name,
					"isa", r.isa, "idea", r.idea, "usable",
					r.usable, "active", r.active));
	list = json_pack("{ss so}", "version", csum_version(), "routines",
			 list);
	failed = json_dumpf(list, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(list);
	return failed ? trouble("cannot write the output") : EXIT_CLEAN;
}

int cmd_routines(int argc, char **argv)
{
	struct csum_routine_info r;

	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	if (json_out)
		return print_json();
	printf("%-10s %-8s %-7s %s\n", "name", "isa", "here", "idea");
	for (size_t i = 0; csum_routine_get(i, &r); i++)
		printf("%-10s %-8s %-7s %s\n", r.name, r.isa,
		       r.active	  ? "active"
		       : r.usable ? "yes"
				  : "no",
		       r.idea);
	return EXIT_CLEAN;
}
