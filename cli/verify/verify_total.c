/* SPDX-License-Identifier: BSD-2-Clause */
/* verify_total.c - what all files come to, printed. */
#include <inttypes.h>

#include "verify.h"

static void text_count(uint64_t n, const char *what, const char *one)
{
	if (n)
		printf("%s: %" PRIu64 " %s%s\n", what, n, one,
		       n == 1 ? "" : "s");
}

static void text_total(const struct verify_options *o, const struct total *t,
		       const struct conclusion *c)
{
	char what[32];

	snprintf(what, sizeof(what), "%" PRIu64 " file%s", t->files,
		 t->files == 1 ? "" : "s");
	text_summary("total", what, true, t->tally);
	if (o->conclude && t->files)
		text_conclusion(c, true);
	text_count(t->unreadable, "not readable", "file");
	text_count(t->not_whole, "not whole", "file");
}

static void json_total(const struct total *t, const struct conclusion *c)
{
	const char *comma = "";

	printf("{\"type\":\"total\",\"files\":%" PRIu64
	       ",\"unreadable\":%" PRIu64 ",\"not_whole\":%" PRIu64
	       ",\"passed_over\":{\"not_captures\":%" PRIu64
	       ",\"symbolic_links\":%" PRIu64 ",\"special_files\":%" PRIu64 "}",
	       t->files, t->unreadable, t->not_whole, t->passed.foreign,
	       t->passed.links, t->passed.special);
	json_counts(t->tally);
	printf(",\"nothing_verified\":%" PRIu64 ",\"unweighed\":%" PRIu64
	       ",\"conclusions\":{",
	       t->merged.nothing_verified, t->merged.unweighed);
	for (int k = 0; k < CONCLUDE_KINDS; k++) {
		if (!t->merged.files[k])
			continue;
		printf("%s\"%s\":%" PRIu64, comma,
		       conclusion_name((enum conclusion_kind)k),
		       t->merged.files[k]);
		comma = ",";
	}
	fputs("},", stdout);
	json_conclusion(c, t->merged.parts, t->merged.nparts);
	puts("}");
}

/* CSV has one kind of row, so it has no total. */
void print_total(const struct verify_options *o, struct total *t)
{
	struct conclusion c;

	tally_sort(t->tally);
	merged_sort(&t->merged);
	merged_conclude(&t->merged, &c);
	if (o->format == FORMAT_JSON)
		json_total(t, &c);
	if (o->format != FORMAT_TEXT)
		return;
	if (t->files != 1 || o->merging)
		text_total(o, t, &c);
	text_count(t->passed.foreign, "not a capture", "file");
	text_count(t->passed.links, "not followed", "symbolic link");
	text_count(t->passed.special, "not read", "special file");
}
