/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_report.c - the figures of `csum bench`, as text and JSON. */
#include "bench_report.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

static const char *const op_names[LAB_OPS] = {
	[LAB_SUM] = "sum",	   [LAB_COPY] = "copy",
	[LAB_REPLACE] = "replace", [LAB_HEADER] = "header",
	[LAB_WRITTEN] = "written",
};

static const char *const mode_names[LAB_MODES] = {
	[LAB_THROUGHPUT] = "throughput",
	[LAB_LATENCY] = "latency",
};

/* ------------------------------------------------------------------------
 * Text
 */

/* Three or four digits that mean something: how many after the point. */
static int digits(double v)
{
	return v < 100 ? 2 : v < 1000 ? 1 : 0;
}

static void print_or_dash(int width, int precision, double v)
{
	if (isfinite(v) && v > 0)
		printf(" %*.*f", width, precision, v);
	else
		printf(" %*s", width, "-");
}

static struct lab_stats stats_of(const struct report *r,
				 const struct lab_row *row)
{
	return lab_stats(row->timed.ns, r->run.time.n, r->run.time.room);
}

static double times_base(const struct report *r, const struct lab_row *row)
{
	const struct lab_row *base = lab_row_base(&r->run, row);

	return lab_ratio(row->timed.ns, base->timed.ns, r->run.time.n, r->run.time.room);
}

static double median(const struct report *r, const double *x)
{
	return lab_quantile(x, r->run.time.n, 0.5, r->run.time.room);
}

static double cycles_per_byte(const struct report *r, const struct lab_row *row)
{
	return stats_of(r, row).median * median(r, r->run.time.ghz) /
	       (double)row->size;
}

static void print_header(const struct report *r)
{
	const struct lab_machine *m = &r->machine;
	struct lab_stats empty = stats_of(r, &r->run.empty);
	double ghz = median(r, r->run.time.ghz);

	printf("csum    %s%s%s, %s, %s\n", csum_version(),
	       m->commit[0] ? ", commit " : "", m->commit, m->compiler,
	       m->flags[0] ? m->flags : "no flags");
	printf("cpu     %s, %ld online\n", m->cpu[0] ? m->cpu : "unknown",
	       m->cpus);
	printf("caches ");
	for (size_t i = 0; i < m->ncaches; i++)
		printf("%s %s %s", i ? "," : "", m->caches[i].name,
		       m->caches[i].size);
	puts(m->ncaches ? "" : " unknown");
	if (ghz > 0)
		printf("core    about %.2f GHz, %.1f additions per cycle\n",
		       ghz, median(r, r->run.time.width));
	printf("system  %s %s, hypervisor %s, governor %s\n", m->kernel,
	       m->arch, m->hypervisor[0] ? m->hypervisor : "unknown",
	       m->governor[0] ? m->governor : "unknown");
	printf("active  %s, in csum_partial; the read loop is %s\n",
	       csum_routine_active(), lab_read_isa());
	printf("run     %s, %zu rounds in %.1f s, --seed=%" PRIu32 "\n",
	       r->small ? "small operations"
			: mode_names[r->plan->subjects[0].mode],
	       r->run.time.n, r->run.time.took, r->plan->seed);
	if (r->plan->span)
		printf("span    calls scattered over %zu bytes\n",
		       r->plan->span);
	printf("cost    empty call %.2f ns +- %.2f, reading the clock %.0f "
	       "ns\n",
	       empty.median, empty.mad, r->run.time.clock_ns);
	for (size_t i = 0; i < r->nwarnings; i++)
		printf("warning: %s\n", r->warnings[i].text);
}

/* --- sums and copies, by size and offset --- */

enum { NAME_WIDTH = 12 };

/* Two offsets fit beside each other only if no name is long. */
static int name_width(const struct report *r)
{
	int width = NAME_WIDTH;

	for (size_t i = 0; i < r->plan->nsubjects; i++) {
		int n = (int)strlen(r->plan->subjects[i].name);

		width = n > width ? n : width;
	}
	return width;
}

static void print_second(const struct report *r, const struct lab_row *row)
{
	struct lab_stats s = stats_of(r, row);
	int d = digits(s.median);

	printf(" %8.*f %6.*f", d, s.median, d, s.mad);
	print_or_dash(6, 2, times_base(r, row));
}

static void print_first(const struct report *r, const struct lab_row *row)
{
	struct lab_stats s = stats_of(r, row);
	double rate = (double)row->size / s.median;
	int d = digits(s.median);

	printf(" %8.*f %6.*f %7.*f", d, s.median, d, s.mad, d, s.min);
	print_or_dash(6, rate < 100 ? 1 : 0, rate);
	print_or_dash(6, 3, cycles_per_byte(r, row));
	print_or_dash(6, 2, times_base(r, row));
}

/* Of one size, at one offset or at two next to each other. */
static void print_group(const struct report *r, size_t size, size_t offset,
			int width, bool second)
{
	const size_t *at = &r->plan->offsets[offset];
	const char *ratio =
		r->plan->subjects[0].op == LAB_COPY ? "x copy" : "x read";

	printf("\n%7zu bytes%*sat offset %zu", r->plan->sizes[size],
	       width - NAME_WIDTH + 3, "", at[0]);
	if (second)
		printf("%*s%zu", 37 - snprintf(NULL, 0, "%zu", at[0]),
		       "at offset ", at[1]);
	printf("\n%-*s %8s %6s %7s %6s %6s %6s", width, "", "ns", "+-", "min",
	       "B/ns", "cyc/B", ratio);
	if (second)
		printf(" %8s %6s %6s", "ns", "+-", ratio);
	putchar('\n');
	for (size_t i = 0; i < r->plan->nsubjects; i++) {
		const struct lab_row *row =
			lab_row_at(&r->run, size, offset, i);

		printf("%-*s", width, row->subject->name);
		if (row->left_out)
			printf(" right to %zu bytes only", row->subject->max);
		else
			print_first(r, row);
		if (second && !row->left_out)
			print_second(r,
				     lab_row_at(&r->run, size, offset + 1, i));
		putchar('\n');
	}
}

static void print_by_size(const struct report *r)
{
	const int width = name_width(r);
	const size_t side_by_side = width == NAME_WIDTH ? 2 : 1;

	printf("\nns: median per call; +-: median distance from it; cyc/B: "
	       "cycles per byte;\n%s\n",
	       r->plan->subjects[0].op == LAB_COPY
		       ? "x copy: times memcpy, which sums nothing"
		       : "x read: times the read loop");
	for (size_t size = 0; size < r->plan->nsizes; size++)
		for (size_t o = 0; o < r->plan->noffsets; o += side_by_side)
			print_group(r, size, o, width,
				    side_by_side == 2 &&
					    o + 1 < r->plan->noffsets);
}

/* --- small operations: each subject once for each mode, one after the other */

static void print_small(const struct report *r)
{
	static const char *const titles[LAB_OPS] = {
		[LAB_REPLACE] = "two bytes changed",
		[LAB_HEADER] = "header of 20 bytes",
		[LAB_WRITTEN] = "same, just written",
	};
	enum lab_op op = LAB_OPS;

	puts("\nns: median per operation, inlined; +-: median distance from "
	     "it;\nx lib: times the library's");
	for (size_t i = 0; i < r->run.nrows; i += LAB_MODES) {
		const struct lab_subject *s = r->run.rows[i].subject;

		if (s->op != op)
			printf("\n%-18s %26s %28s\n%-18s %8s %6s %7s %6s %8s "
			       "%6s %7s %6s\n",
			       titles[s->op], mode_names[LAB_THROUGHPUT],
			       mode_names[LAB_LATENCY], "", "ns", "+-", "min",
			       "x lib", "ns", "+-", "min", "x lib");
		op = s->op;
		printf("%-18s", s->name);
		for (size_t m = 0; m < LAB_MODES; m++) {
			const struct lab_row *row = &r->run.rows[i + m];
			struct lab_stats stats = stats_of(r, row);

			printf(" %8.2f %6.2f %7.2f", stats.median, stats.mad,
			       stats.min);
			print_or_dash(6, 2, times_base(r, row));
		}
		putchar('\n');
	}
}

int bench_print_text(const struct report *r)
{
	print_header(r);
	if (r->small)
		print_small(r);
	else
		print_by_size(r);
	return EXIT_CLEAN;
}

/* ------------------------------------------------------------------------
 * JSON: docs/METHOD.md describes every field
 */

static json_t *string_or_null(const char *s)
{
	return s[0] ? json_string(s) : json_null();
}

static json_t *number_or_null(double v)
{
	return isfinite(v) && v > 0 ? json_real(v) : json_null();
}

static json_t *reals(const double *x, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_real(x[i]));
	return list;
}

static json_t *integers(const size_t *x, size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_integer((json_int_t)x[i]));
	return list;
}

static json_t *machine_json(const struct lab_machine *m)
{
	json_t *caches = json_object();

	for (size_t i = 0; i < m->ncaches; i++)
		json_object_set_new(caches, m->caches[i].name,
				    json_string(m->caches[i].size));
	return json_pack("{so so si so so so so so ss ss sb sb}", "cpu",
			 string_or_null(m->cpu), "arch",
			 string_or_null(m->arch), "cpus", (int)m->cpus,
			 "caches", caches, "kernel", string_or_null(m->kernel),
			 "hypervisor", string_or_null(m->hypervisor),
			 "governor", string_or_null(m->governor), "load",
			 m->load < 0 ? json_null() : json_real(m->load),
			 "compiler", m->compiler, "flags", m->flags,
			 "optimised", m->optimised, "sanitised", m->sanitised);
}

static json_t *settings_json(const struct report *r)
{
	const struct lab_plan *plan = r->plan;

	return json_pack("{sf sf si sI so so sI}", "seconds", plan->seconds,
			 "sample_ns", r->run.time.sample_ns, "rounds",
			 (int)r->run.time.n, "seed", (json_int_t)plan->seed,
			 "sizes", integers(plan->sizes, plan->nsizes),
			 "offsets", integers(plan->offsets, plan->noffsets),
			 "span", (json_int_t)plan->span);
}

/* What every row has, the one of the empty call too. */
static json_t *timing_json(const struct report *r, const struct lab_row *row)
{
	struct lab_stats s = stats_of(r, row);

	return json_pack("{sI sf sf sf so}", "calls", (json_int_t)row->timed.n,
			 "median_ns", s.median, "mad_ns", s.mad, "min_ns",
			 s.min, "samples_ns", reals(row->timed.ns, r->run.time.n));
}

/* What a row is about, timed or not. */
static json_t *subject_json(const struct lab_row *row)
{
	static const char *const kinds[] = { [LAB_ROUTINE] = "routine",
					     [LAB_STUDY] = "study",
					     [LAB_PLUGIN] = "plugin",
					     [LAB_PUBLIC] = "public",
					     [LAB_LIMIT] = "limit" };
	const struct lab_subject *s = row->subject;

	return json_pack("{ss ss ss ss sI sI sb}", "subject", s->name, "kind",
			 kinds[s->kind], "op", op_names[s->op], "mode",
			 mode_names[s->mode], "size", (json_int_t)row->size,
			 "offset", (json_int_t)row->offset, "left_out",
			 row->left_out);
}

static json_t *row_json(const struct report *r, const struct lab_row *row)
{
	json_t *j = subject_json(row);
	char want[8];

	if (row->left_out)
		return j;
	snprintf(want, sizeof(want), "0x%04x", row->want);
	json_object_update_new(j, timing_json(r, row));
	json_object_update_new(
		j, json_pack("{ss so so ss so}", "result", want, "bytes_per_ns",
			     number_or_null((double)row->size /
					    stats_of(r, row).median),
			     "cycles_per_byte",
			     number_or_null(cycles_per_byte(r, row)), "base",
			     lab_row_base(&r->run, row)->subject->name,
			     "x_base", number_or_null(times_base(r, row))));
	return j;
}

int bench_print_json(const struct report *r)
{
	json_t *rows = json_array(), *warnings = json_array(), *j;
	char consumed[24];
	int failed;

	for (size_t i = 0; i < r->run.nrows; i++)
		json_array_append_new(rows, row_json(r, &r->run.rows[i]));
	for (size_t i = 0; i < r->nwarnings; i++)
		json_array_append_new(warnings,
				      json_string(r->warnings[i].text));
	snprintf(consumed, sizeof(consumed), "0x%016" PRIx64, r->run.consumed);
	j = json_pack("{ss ss so so so ss ss sf sf s{so so so so} so so ss so}",
		      "schema", "csum-bench/2", "version", csum_version(),
		      "commit", string_or_null(r->machine.commit), "machine",
		      machine_json(&r->machine), "settings", settings_json(r),
		      "active", csum_routine_active(), "read_loop",
		      lab_read_isa(), "seconds", r->run.time.took, "clock_ns",
		      r->run.time.clock_ns, "core", "ghz",
		      number_or_null(median(r, r->run.time.ghz)), "width",
		      number_or_null(median(r, r->run.time.width)), "samples_ghz",
		      reals(r->run.time.ghz, r->run.time.n), "samples_width",
		      reals(r->run.time.width, r->run.time.n), "empty_call",
		      timing_json(r, &r->run.empty), "rows", rows, "consumed",
		      consumed, "warnings", warnings);
	if (!j)
		return trouble("out of memory");
	failed = json_dumpf(j, stdout, JSON_REAL_PRECISION(6));
	putchar('\n');
	json_decref(j);
	return failed ? trouble("cannot write the output") : EXIT_CLEAN;
}

/* ------------------------------------------------------------------------
 * Faults
 */

int bench_print_wrong(const struct lab_wrong *wrong, size_t n)
{
	static const char *const faults[] = {
		[LAB_WRONG_RESULT] = "wrong",
		[LAB_WRONG_BYTES] = "the copy is not what was copied",
		[LAB_WRITES_BEYOND] = "writes outside the destination",
		[LAB_UNSTEADY] = "changed its answer while it was timed",
		[LAB_CRASHES] = "crashes, or reads beyond the end",
		[LAB_NO_TRIAL] = "cannot be tried: no memory, or no process",
	};

	for (size_t i = 0; i < n; i++) {
		const struct lab_wrong *w = &wrong[i];
		const struct lab_subject *s = w->subject;
		char values[64] = "";

		if (w->fault == LAB_WRONG_RESULT && s->kind != LAB_LIMIT)
			snprintf(values, sizeof(values),
				 ": 0x%04x, the model says 0x%04x", w->got,
				 w->want);
		if (w->fault == LAB_NO_TRIAL)
			trouble("%s: %s", s->name, faults[w->fault]);
		else
			trouble("%s: %s: %s of %zu bytes at offset %zu, %s%s",
				s->name, faults[w->fault], op_names[s->op],
				w->size, w->offset, w->data, values);
	}
	return trouble("a routine is wrong, so nothing is reported");
}
