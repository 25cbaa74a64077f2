/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_json.c - csum-bench/3; docs/BENCH-JSON.md describes every field. */
#include "bench_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "counters.h"
#include "csum.h"
#include "elect.h"
#include "experiments/experiment.h"
#include "limit.h"
#include "machine.h"

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
	return json_pack("{so so si so so so so so ss ss sb sb so so so si so}",
			 "cpu", string_or_null(m->cpu), "arch",
			 string_or_null(m->arch), "cpus", (int)m->cpus,
			 "caches", caches, "kernel", string_or_null(m->kernel),
			 "hypervisor", string_or_null(m->hypervisor),
			 "governor", string_or_null(m->governor), "load",
			 m->load < 0 ? json_null() : json_real(m->load),
			 "compiler", m->compiler, "flags", m->flags,
			 "optimised", m->optimised, "sanitised", m->sanitised,
			 "microcode", string_or_null(m->microcode), "turbo",
			 string_or_null(m->turbo), "smt",
			 string_or_null(m->smt), "page_size", (int)m->page_size,
			 "topology", string_or_null(m->topology));
}

static json_t *period_json(const struct lab_plan *plan)
{
	return plan->mix && plan->periods && plan->periods[0]
		       ? json_integer((json_int_t)plan->periods[0])
		       : json_null();
}

static json_t *settings_json(const struct report *r)
{
	const struct lab_plan *plan = r->plan;

	return json_pack(
		"{sf sf si sI so so sI ss sI so so sb ss so ss sf}", "seconds",
		plan->seconds, "sample_ns", r->run.time.sample_ns, "rounds",
		(int)r->run.time.n, "seed", (json_int_t)plan->seed, "sizes",
		integers(plan->sizes, plan->nsizes), "offsets",
		integers(plan->offsets, plan->noffsets), "span",
		(json_int_t)plan->span, "order",
		plan->span ? bench_order_names[plan->order] : "same", "jitter",
		(json_int_t)plan->jitter, "mix",
		plan->mix ? json_string(plan->mix->name) : json_null(),
		"period", period_json(plan), "flush", plan->flush, "pages",
		r->run.pages, "cpu",
		r->cpu < 0 ? json_null() : json_integer(r->cpu), "background",
		r->background[0] ? r->background : "none", "narrow",
		plan->narrow);
}

static json_t *counters_json(const struct lab_row *row)
{
	json_t *j = json_object();

	for (int e = 0; e < LAB_EVENTS; e++) {
		const struct lab_count *c = &row->counts[e];

		json_object_set_new(
			j, lab_event_names[e],
			c->live > 0 ? json_pack("{sf sf}", "per_call", c->count,
						"live", c->live)
				    : json_null());
	}
	return j;
}

/* What every row has, the one of the empty call too. */
static json_t *timing_json(const struct lab_rounds *time,
			   const struct lab_timed *timed)
{
	struct lab_stats s = lab_stats(timed->ns, time->n, time->room);

	return json_pack(
		"{sI sf sf sf sf sf sf sf so}", "calls", (json_int_t)timed->n,
		"median_ns", s.median, "median_low_ns", s.low, "median_high_ns",
		s.high, "mad_ns", s.mad, "min_ns", s.min, "mean_ns", s.mean,
		"sd_ns", s.sd, "samples_ns", reals(timed->ns, time->n));
}

static json_t *prefetch_json(const struct lab_prefetch *p)
{
	return json_pack("{ss sI sI ss}", "policy", lab_policy_names[p->policy],
			 "lines", (json_int_t)p->distance.lines, "above",
			 (json_int_t)p->distance.above, "hint",
			 p->hint == LAB_HINT_NTA ? "nta" : "all");
}

static const char *const kinds[] = {
	[LAB_ROUTINE] = "routine", [LAB_STUDY] = "study",
	[LAB_PLUGIN] = "plugin",   [LAB_PUBLIC] = "public",
	[LAB_LIMIT] = "limit",
};

/* What a row is about, timed or not. */
static json_t *subject_json(const struct lab_row *row)
{
	const struct lab_subject *s = row->subject;

	const int entry = lab_entry_in_line(s);

	return json_pack(
		"{ss ss ss ss so sI sI sb so}", "subject", s->name, "kind",
		kinds[s->kind], "op", bench_op_names[s->op], "mode",
		bench_mode_names[s->mode], "prefetch",
		s->takes_prefetch ? prefetch_json(&s->prefetch) : json_null(),
		"size", (json_int_t)row->size, "offset",
		(json_int_t)row->offset, "left_out", row->left_out, "entry",
		entry < 0 ? json_null() : json_integer(entry));
}

static json_t *row_json(const struct report *r, const struct lab_row *row)
{
	const struct lab_row *base = lab_row_base(&r->run, row);
	json_t *j = subject_json(row);
	char want[8];

	if (row->left_out)
		return j;
	snprintf(want, sizeof(want), "0x%04x", row->want);
	json_object_update_new(j, timing_json(&r->run.time, &row->timed));
	json_object_update_new(
		j,
		json_pack("{ss so so so so so}", "result", want, "bytes_per_ns",
			  number_or_null(bench_bytes_per_ns(r, row)),
			  "cycles_per_byte",
			  number_or_null(bench_cycles_per_byte(r, row)), "base",
			  base ? json_string(base->subject->name) : json_null(),
			  "x_base", number_or_null(bench_times_base(r, row)),
			  "counters",
			  r->run.passes ? counters_json(row) : json_null()));
	return j;
}

static json_t *verdict_json(const struct bench_verdict *v)
{
	static const char *const words[] = { [LAB_FASTER] = "faster",
					     [LAB_SLOWER] = "slower",
					     [LAB_TIE] = "no difference",
					     [LAB_UNDECIDED] =
						     "no difference" };
	char text[BENCH_VERDICT];

	bench_verdict_text(v, text);
	return json_pack("{ss ss ss sI sI sf sf sf sf ss ss}", "a",
			 v->a->subject->name, "b", v->b->subject->name, "op",
			 bench_op_names[v->a->subject->op], "size",
			 (json_int_t)v->a->size, "offset",
			 (json_int_t)v->a->offset, "ratio", v->ratio.median,
			 "low", v->ratio.low, "high", v->ratio.high, "noise",
			 lab_noise(v->ratio), "verdict", words[v->verdict],
			 "text", text);
}

static json_t *verdicts_json(const struct report *r)
{
	json_t *list = json_array();
	struct bench_verdict v;

	for (size_t i = 0; bench_verdict_at(r, i, &v); i++)
		json_array_append_new(list, verdict_json(&v));
	return list;
}

static json_t *core_json(const struct lab_rounds *time)
{
	return json_pack("{so so so so}", "ghz",
			 number_or_null(lab_quantile(time->ghz, time->n, 0.5,
						     time->room)),
			 "width",
			 number_or_null(lab_quantile(time->width, time->n, 0.5,
						     time->room)),
			 "samples_ghz", reals(time->ghz, time->n),
			 "samples_width", reals(time->width, time->n));
}

json_t *bench_json_new(const struct bench_options *opt)
{
	struct lab_machine m;

	lab_machine_get(&m);
	return json_pack(
		"{ss ss so ss ss so ss ss s[]}", "schema", "csum-bench/3",
		"version", csum_version(), "commit", string_or_null(m.commit),
		"experiment", opt->experiment ? opt->experiment->name : "rows",
		"command", opt->command, "machine", machine_json(&m), "active",
		csum_routine_active(), "read_loop", lab_read_isa(), "runs");
}

void bench_json_add(json_t *doc, const struct report *r, const char *title)
{
	json_t *rows = json_array(), *warnings = json_array();
	char consumed[24];

	for (size_t i = 0; i < r->run.nrows; i++)
		json_array_append_new(rows, row_json(r, &r->run.rows[i]));
	for (size_t i = 0; i < r->nwarnings; i++)
		json_array_append_new(warnings,
				      json_string(r->warnings[i].text));
	snprintf(consumed, sizeof(consumed), "0x%016" PRIx64, r->run.consumed);
	json_array_append_new(
		json_object_get(doc, "runs"),
		json_pack("{ss so sf sf sI sI so so so so so ss}", "title",
			  title, "settings", settings_json(r), "seconds",
			  r->run.time.took, "clock_ns", r->run.time.clock_ns,
			  "dropped", (json_int_t)r->run.time.dropped,
			  "interrupted", (json_int_t)r->run.time.interrupted,
			  "core", core_json(&r->run.time), "empty_call",
			  timing_json(&r->run.time, &r->run.empty.timed),
			  "rows", rows, "verdicts", verdicts_json(r),
			  "warnings", warnings, "consumed", consumed));
}

json_t *bench_json_named(const struct bench_named *named,
			 const struct lab_rounds *time)
{
	json_t *j = json_pack("{ss ss ss ss sI sI sb}", "subject",
			      named->subject, "kind", kinds[named->kind], "op",
			      bench_op_names[named->op], "mode",
			      bench_mode_names[LAB_THROUGHPUT], "size",
			      (json_int_t)named->size, "offset",
			      (json_int_t)named->offset, "left_out", 0);

	json_object_update_new(j, timing_json(time, named->timed));
	return j;
}

void bench_json_add_named(json_t *doc, const char *title,
			  const struct lab_rounds *time, uint32_t seed,
			  json_t *rows)
{
	json_array_append_new(
		json_object_get(doc, "runs"),
		json_pack("{ss s{sf sf si sI} sf sf so so s[] s[]}", "title",
			  title, "settings", "seconds", time->seconds,
			  "sample_ns", time->sample_ns, "rounds", (int)time->n,
			  "seed", (json_int_t)seed, "seconds", time->took,
			  "clock_ns", time->clock_ns, "core", core_json(time),
			  "rows", rows, "verdicts", "warnings"));
}

int bench_json_print(json_t *doc)
{
	int failed;

	if (!doc)
		return trouble("out of memory");
	failed = json_dumpf(doc, stdout, JSON_REAL_PRECISION(6));
	putchar('\n');
	json_decref(doc);
	return failed ? trouble("cannot write the output") : EXIT_CLEAN;
}
