/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_merge.c - `csum merge`: the totals of many runs become one. */
#include <inttypes.h>
#include <stdlib.h>

#include "verify.h"

struct merge_options {
	unsigned format;
};

static const struct option_row rows[] = {
	{ .name = "json",
	  .take = option_set,
	  .target = OPTION_AT(merge_options, format),
	  .value = FORMAT_JSON,
	  .help = "JSON, which this command takes again" },
	{ 0 },
};

const struct command_line merge_line = {
	.usage = "[RUN.json|-]...",
	.what = "Add up what `csum verify --json` said of parts of an archive, "
		"in each RUN.json or on standard input: one summary and one "
		"conclusion of all, as if one machine had read every file.",
	.rows = rows,
	.more = "Order and grouping change nothing: the same bytes come out. "
		"--summary is enough for RUN.json, and several runs may stand "
		"in one file, one behind the other.  A run that did not come "
		"to its end is refused, and then nothing is printed.\n\n"
		"Each capture is judged alone, as `csum verify` does: what one "
		"file could tell of another is not known here.  A file that "
		"is in two runs is counted twice.\n\n"
		"Exit status: 0 no bad checksum, 1 some, 2 a RUN is refused, "
		"or had files that were not readable or not whole.\n\n"
		"Example:\n"
		"  csum verify --json --summary january/ >1.json\n"
		"  csum verify --json --summary february/ >2.json\n"
		"  csum merge 1.json 2.json",
};

static bool read_all(struct total *t, char **files, int n)
{
	bool ok = true;

	/* all that are wrong are named */
	for (int i = 0; i < n; i++)
		ok = total_read(t, files[i]) && ok;
	return ok;
}

static int print_merged(const struct merge_options *opt, struct total *t)
{
	const struct verify_options o = {
		.format = opt->format,
		.conclude = true,
		.merging = true,
	};

	print_start(&o);
	print_total(&o, t);
	if (t->unreadable || t->not_whole)
		return trouble("%" PRIu64 " of %" PRIu64 " files were not "
			       "readable or not whole",
			       t->unreadable + t->not_whole, t->files);
	return tally_bad(t->tally) ? EXIT_BAD_SUMS : EXIT_CLEAN;
}

int cmd_merge(int argc, char **argv)
{
	struct merge_options opt = { .format = FORMAT_TEXT };
	struct total t = { 0 };
	char *input = "-";
	int first, status;

	status = options_parse(&merge_line, argc, argv, &opt, &first);
	if (status != OPTIONS_TAKEN)
		return status;
	t.tally = tally_new();
	if (!t.tally)
		return trouble("out of memory");
	status = EXIT_TROUBLE;
	if (first == argc ? read_all(&t, &input, 1)
			  : read_all(&t, argv + first, argc - first))
		status = print_merged(&opt, &t);
	merged_free(&t.merged);
	free(t.tally);
	return status;
}
