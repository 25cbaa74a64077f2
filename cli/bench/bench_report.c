/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_report.c - the figures of `csum bench`, as text. */
#include "bench_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "counters.h"
#include "elect.h"
#include "limit.h"
#include "machine.h"

const char *const bench_op_names[LAB_OPS] = {
	[LAB_SUM] = "sum",
	[LAB_COPY] = "copy",
	[LAB_REPLACE] = "replace",
	[LAB_HEADER] = "header",
	[LAB_WRITTEN] = "written",
	[LAB_CHANGE] = "change",
	[LAB_CHANGE_WRITTEN] = "change-written",
};

const char *const bench_mode_names[LAB_MODES] = {
	[LAB_THROUGHPUT] = "throughput",
	[LAB_LATENCY] = "latency",
};

const char *const bench_order_names[LAB_ORDERS] = {
	[LAB_SHUFFLED] = "shuffled",	   [LAB_RANDOM] = "random",
	[LAB_RANDOM_EVEN] = "random-even", [LAB_SEQUENTIAL] = "sequential",
	[LAB_STRIDED] = "strided",
};

/* ------------------------------------------------------------------------
 * Figures
 */

static struct lab_stats stats_of(const struct report *r,
				 const struct lab_row *row)
{
	return lab_stats(row->timed.ns, r->run.time.n, r->run.time.room);
}

double bench_times_base(const struct report *r, const struct lab_row *row)
{
	const struct lab_row *base = lab_row_base(&r->run, row);

	return base ? lab_ratio(row->timed.ns, base->timed.ns, r->run.time.n,
				r->run.time.room)
		    : 0;
}

static double median(const struct report *r, const double *x)
{
	return lab_quantile(x, r->run.time.n, 0.5, r->run.time.room);
}

double bench_bytes_per_ns(const struct report *r, const struct lab_row *row)
{
	return (double)row->size / stats_of(r, row).median;
}

double bench_cycles_per_byte(const struct report *r, const struct lab_row *row)
{
	return stats_of(r, row).median * median(r, r->run.time.ghz) /
	       (double)row->size;
}

/* ------------------------------------------------------------------------
 * Verdicts
 */

bool bench_verdict_at(const struct report *r, size_t index,
		      struct bench_verdict *v)
{
	for (size_t i = 0; i < r->run.nrows; i++) {
		const struct lab_row *a = &r->run.rows[i];
		const struct lab_row *b = lab_row_rival(&r->run, a);

		if (!b || index--)
			continue;
		v->a = a;
		v->b = b;
		v->ratio = lab_against(&r->run, a, v->b);
		v->verdict = lab_verdict(v->ratio);
		return true;
	}
	return false;
}

/* Of a time, as a share of it: how much less, or more. */
static double percent(double ratio)
{
	return 100 * (ratio < 1 ? 1 - ratio : ratio - 1);
}

void bench_verdict_text(const struct bench_verdict *v, char text[BENCH_VERDICT])
{
	double a = percent(v->ratio.low), b = percent(v->ratio.high);

	if (lab_too_noisy(v->ratio))
		snprintf(text, BENCH_VERDICT, "too noisy to say");
	else if (v->verdict == LAB_TIE || v->verdict == LAB_UNDECIDED)
		snprintf(text, BENCH_VERDICT,
			 "no difference that this measurement can show (noise "
			 "%.1f%%)",
			 100 * lab_noise(v->ratio));
	else
		snprintf(text, BENCH_VERDICT, "%s by %.1f%% (%.1f to %.1f%%)",
			 v->verdict == LAB_FASTER ? "faster" : "slower",
			 percent(v->ratio.median), a < b ? a : b,
			 a < b ? b : a);
}

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

static const char *or_unknown(const char *s)
{
	return s[0] ? s : "unknown";
}

static void print_places(const struct lab_plan *plan)
{
	char repeats[64] = "new lengths in each sample";

	if (plan->mix && plan->periods && plan->periods[0])
		snprintf(repeats, sizeof(repeats),
			 "which repeat after %zu lengths", plan->periods[0]);
	if (plan->span)
		printf("span    calls %s over %zu bytes\n",
		       bench_order_names[plan->order], plan->span);
	if (plan->flush)
		puts("flushed from all caches before each sample");
	if (plan->jitter)
		printf("ends    each up to %zu bytes inwards\n", plan->jitter);
	if (plan->mix)
		printf("mix     %s: %zu bytes on average, %s\n",
		       plan->mix->name, plan->sizes[0], repeats);
}

/* Where code begins in its cache line, which is chance, and tells in a row. */
static void print_entries(const struct lab_plan *plan)
{
	enum { WIDTH = 80 };
	int at = printf("entries at byte of their cache line:");

	for (size_t i = 0; i < plan->nsubjects; i++) {
		const struct lab_subject *s = &plan->subjects[i];
		int n = snprintf(NULL, 0, " %s %d,", s->name,
				 lab_entry_in_line(s));

		if (at + n > WIDTH)
			at = printf("\n       ") - 1;
		at += printf(" %s %d%s", s->name, lab_entry_in_line(s),
			     i + 1 < plan->nsubjects ? "," : "");
	}
	putchar('\n');
}

static void print_header(const struct report *r)
{
	const struct lab_machine *m = &r->machine;
	struct lab_stats empty = stats_of(r, &r->run.empty);
	double ghz = median(r, r->run.time.ghz);

	printf("csum    %s%s%s, %s, %s\n", csum_version(),
	       m->commit[0] ? ", commit " : "", m->commit, m->compiler,
	       m->flags[0] ? m->flags : "no flags");
	printf("cpu     %.60s, %ld online\n", m->cpu[0] ? m->cpu : "unknown",
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
	       m->arch, or_unknown(m->hypervisor), or_unknown(m->governor));
	printf("        %s\n        microcode %s, turbo %s, SMT %s\n",
	       m->topology[0] ? m->topology : "topology unknown",
	       or_unknown(m->microcode), or_unknown(m->turbo),
	       or_unknown(m->smt));
	printf("active  %s, in csum_partial; the read loop is %s\n",
	       csum_routine_active(), lab_read_isa());
	printf("run     %s, %zu rounds in %.1f s, --seed=%" PRIu32 "\n",
	       r->small ? "small operations"
			: bench_mode_names[r->plan->subjects[0].mode],
	       r->run.time.n, r->run.time.took, r->plan->seed);
	print_places(r->plan);
	if (r->run.time.dropped)
		printf("dropped %zu samples during which others took the CPU\n",
		       r->run.time.dropped);
	if (!r->small)
		print_entries(r->plan);
	printf("pages   %s\n", r->run.pages);
	if (r->where[0])
		printf("pinned  to %s\n", r->where);
	if (r->background[0])
		printf("beside  %s\n", r->background);
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
	print_or_dash(6, 2, bench_times_base(r, row));
}

static void print_first(const struct report *r, const struct lab_row *row)
{
	struct lab_stats s = stats_of(r, row);
	double rate = (double)row->size / s.median;
	int d = digits(s.median);

	printf(" %8.*f %6.*f %7.*f", d, s.median, d, s.mad, d, s.min);
	print_or_dash(6, rate < 100 ? 1 : 0, rate);
	print_or_dash(6, 3, bench_cycles_per_byte(r, row));
	print_or_dash(6, 2, bench_times_base(r, row));
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
		[LAB_CHANGE] = "changed in header",
		[LAB_CHANGE_WRITTEN] = "same, just written",
	};
	enum lab_op op = LAB_OPS;

	puts("\nns: median per operation, inlined; +-: median distance from "
	     "it;\nx lib: times the library's");
	for (size_t i = 0; i < r->run.nrows; i += LAB_MODES) {
		const struct lab_subject *s = r->run.rows[i].subject;

		if (s->op != op)
			printf("\n%-18s %26s %28s\n%-18s %8s %6s %7s %6s %8s "
			       "%6s %7s %6s\n",
			       titles[s->op], bench_mode_names[LAB_THROUGHPUT],
			       bench_mode_names[LAB_LATENCY], "", "ns", "+-",
			       "min", "x lib", "ns", "+-", "min", "x lib");
		op = s->op;
		printf("%-18s", s->name);
		for (size_t m = 0; m < LAB_MODES; m++) {
			const struct lab_row *row = &r->run.rows[i + m];
			struct lab_stats stats = stats_of(r, row);

			printf(" %8.2f %6.2f %7.2f", stats.median, stats.mad,
			       stats.min);
			print_or_dash(6, 2, bench_times_base(r, row));
		}
		putchar('\n');
	}
}

/* --- events, by row --- */

static void print_counts_of(const struct lab_row *row)
{
	printf("%-*s %7zu %4zu", NAME_WIDTH, row->subject->name, row->size,
	       row->offset);
	for (int e = 0; e < LAB_EVENTS; e++)
		if (row->counts[e].live > 0)
			printf(" %8.2f", row->counts[e].count);
	putchar('\n');
}

static double least_live(const struct lab_run *run)
{
	double least = 1;

	for (size_t i = 0; i < run->nrows; i++)
		for (int e = 0; e < LAB_EVENTS; e++) {
			double live = run->rows[i].counts[e].live;

			if (live > 0 && live < least)
				least = live;
		}
	return least;
}

static void print_counts(const struct report *r)
{
	const struct lab_run *run = &r->run;

	if (run->no_counts[0])
		printf("\ncounters: %s\n", run->no_counts);
	if (!run->passes)
		return;
	printf("\nevents per call, in %zu passes; each was counted for %.0f%% "
	       "of the time at least\n%-*s %7s %4s",
	       run->passes, 100 * least_live(run), NAME_WIDTH, "", "bytes",
	       "at");
	for (int e = 0; e < LAB_EVENTS; e++)
		if (run->rows[0].counts[e].live > 0)
			printf(" %8.8s", lab_event_names[e]);
	putchar('\n');
	for (size_t i = 0; i < run->nrows; i++)
		if (!run->rows[i].left_out)
			print_counts_of(&run->rows[i]);
}

static void print_verdicts(const struct report *r)
{
	size_t size = 0, offset = SIZE_MAX;
	struct bench_verdict v;
	char text[BENCH_VERDICT];

	for (size_t i = 0; bench_verdict_at(r, i, &v); i++) {
		if (i == 0)
			printf("\nagainst %s, with 99%% intervals%s\n",
			       v.b->subject->name,
			       r->small ? ""
					: ", at this placement of the code");
		if (v.a->size != size || v.a->offset != offset)
			printf("%7zu bytes at offset %zu\n", v.a->size,
			       v.a->offset);
		size = v.a->size;
		offset = v.a->offset;
		bench_verdict_text(&v, text);
		printf("%-*s %s\n", NAME_WIDTH, v.a->subject->name, text);
	}
}

void bench_print_text(const struct report *r)
{
	print_header(r);
	if (r->small)
		print_small(r);
	else
		print_by_size(r);
	print_verdicts(r);
	print_counts(r);
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
		[LAB_READS_BEFORE] = "reads in front of the source",
		[LAB_READS_BEHIND] = "reads beyond the end",
		[LAB_WRITES_SOURCE] = "writes the source",
		[LAB_TOO_FAST] = "faster than the loop that only reads, so the "
				 "routine remembers its input or did not read",
		[LAB_CRASHES] = "crashes",
		[LAB_HANGS] = "does not return",
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
				s->name, faults[w->fault],
				bench_op_names[s->op], w->size, w->offset,
				w->data, values);
	}
	return trouble("a routine is wrong, so nothing is reported");
}
