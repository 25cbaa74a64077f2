/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_compare.c - what got worse since an old run. */
#include "bench_compare.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "run.h"
#include "stats.h"

int bench_old_load(struct bench_old *old, const char *file)
{
	FILE *f = fopen(file, "r");
	json_error_t error;
	const char *schema;

	if (!f)
		return trouble("--compare=%s: %s", file, strerror(errno));
	old->file = file;
	old->doc = json_loadf(f, 0, &error);
	fclose(f);
	if (!old->doc)
		return trouble("--compare=%s: line %d, column %d: %s", file,
			       error.line, error.column, error.text);
	schema = json_string_value(json_object_get(old->doc, "schema"));
	if (!schema || strcmp(schema, "csum-bench/3") != 0)
		return trouble("--compare=%s: it is not csum-bench/3 but %s",
			       file, schema ? schema : "something else");
	return EXIT_CLEAN;
}

void bench_old_free(struct bench_old *old)
{
	json_decref(old->doc);
}

static bool same_text(const json_t *o, const char *key, const char *text)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s && strcmp(s, text) == 0;
}

static bool same_number(const json_t *o, const char *key, size_t n)
{
	const json_t *v = json_object_get(o, key);

	return json_is_integer(v) && json_integer_value(v) == (json_int_t)n;
}

/* A file from before there were periods has mixes in an order of its own. */
static bool same_period(const json_t *settings, const struct lab_plan *plan)
{
	const json_t *period = json_object_get(settings, "period");

	if (!plan->mix)
		return true;
	return plan->periods && plan->periods[0]
		       ? same_number(settings, "period", plan->periods[0])
		       : period && json_is_null(period);
}

static bool same_settings(const json_t *run, const struct lab_plan *plan)
{
	const json_t *s = json_object_get(run, "settings");
	const char *order =
		plan->span ? bench_order_names[plan->order] : "same";

	return same_number(s, "span", plan->span) &&
	       same_number(s, "jitter", plan->jitter) &&
	       same_text(s, "order", order) && same_period(s, plan) &&
	       (plan->mix ? same_text(s, "mix", plan->mix->name)
			  : json_is_null(json_object_get(s, "mix")));
}

static const json_t *find_in(const json_t *run, const struct lab_row *row)
{
	const struct lab_subject *s = row->subject;
	size_t i;
	json_t *j;

	json_array_foreach(
		json_object_get(run, "rows"), i,
		j) if (same_text(j, "subject", s->name) &&
		       same_text(j, "op", bench_op_names[s->op]) &&
		       same_text(j, "mode", bench_mode_names[s->mode]) &&
		       same_number(j, "size", row->size) &&
		       same_number(j, "offset", row->offset)) return j;
	return NULL;
}

/* The same row of before, timed in the same way; or NULL. */
static const json_t *find_row(const struct bench_old *old,
			      const struct lab_plan *plan,
			      const struct lab_row *row)
{
	const json_t *found = NULL;
	size_t i;
	json_t *run;

	json_array_foreach(json_object_get(old->doc, "runs"), i,
			   run) if (!found && same_settings(run, plan)) found =
		find_in(run, row);
	return found;
}

static double number(const json_t *row, const char *key)
{
	return json_number_value(json_object_get(row, key));
}

static double noise(double median, double mad, double low, double high)
{
	return fmax(mad, (high - low) / 2) / median;
}

static double noise_before(const json_t *row)
{
	return noise(number(row, "median_ns"), number(row, "mad_ns"),
		     number(row, "median_low_ns"),
		     number(row, "median_high_ns"));
}

/* 1: worse, -1: better, 0: neither beyond the noise. */
static int compare_row(const struct report *r, const struct lab_row *row,
		       const json_t *before)
{
	struct lab_stats now =
		lab_stats(row->timed.ns, r->run.time.n, r->run.time.room);
	double was = number(before, "median_ns");
	double all = noise(now.median, now.mad, now.low, now.high) +
		     noise_before(before);
	double change = now.median / was - 1;
	int verdict = change > all ? 1 : change < -all ? -1 : 0;

	if (verdict)
		fprintf(stderr,
			"%-6s %-12s %7zu bytes at offset %zu: %.2f ns, was "
			"%.2f, %+.1f%% (noise %.1f%%)\n",
			verdict > 0 ? "worse" : "better", row->subject->name,
			row->size, row->offset, now.median, was, 100 * change,
			100 * all);
	return verdict;
}

static const char *verdict_of(size_t worse, size_t better, size_t same)
{
	if (worse && better)
		return "Some got worse, some better";
	if (worse)
		return "Slower than before";
	if (better)
		return "Faster than before";
	return same ? "No difference beyond the noise"
		    : "Nothing to compare: no row was in both runs";
}

int bench_old_compare(const struct bench_old *old, const struct report *r,
		      FILE *verdict)
{
	size_t worse = 0, better = 0, same = 0, unknown = 0;

	for (size_t i = 0; i < r->run.nrows; i++) {
		const struct lab_row *row = &r->run.rows[i];
		const json_t *before = find_row(old, r->plan, row);
		int change;

		if (row->left_out)
			continue;
		if (!before || !(number(before, "median_ns") > 0)) {
			unknown++;
			continue;
		}
		change = compare_row(r, row, before);
		worse += change > 0;
		better += change < 0;
		same += change == 0;
	}
	fprintf(verdict,
		"\n%s.\ncompared with %s: %zu worse, %zu better, %zu the "
		"same, %zu not in it\n",
		verdict_of(worse, better, same), shown_name(old->file), worse,
		better, same, unknown);
	return worse ? EXIT_BAD_SUMS : EXIT_CLEAN;
}
