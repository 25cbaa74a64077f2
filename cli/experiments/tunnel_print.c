/* SPDX-License-Identifier: BSD-2-Clause */
/* tunnel_print.c - the tables and the JSON of `csum bench tunnel`. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench_json.h"
#include "cli.h"
#include "elect.h"
#include "tunnel_run.h"

static const char *const offload_names[] = { "no offload", "offload" };

void tunnel_scene_name(const struct tunnel_scene *s, char name[48])
{
	snprintf(name, 48, "%s over IPv%d, %s", s->udp ? "UDP" : "TCP",
		 s->ipv6 ? 6 : 4, offload_names[s->offload]);
}

static double median(const struct tunnel_run *run, const struct tunnel_scene *s,
		     size_t subject, enum tunnel_figure figure)
{
	double room[TUNNEL_ROUNDS];

	return lab_quantile(s->samples[subject][figure], run->rounds, 0.5,
			    room);
}

/* ------------------------------------------------------------------------
 * What it costs
 */

static void print_subject(const struct tunnel_run *run,
			  const struct tunnel_scene *s, size_t subject)
{
	printf("  %-16.16s", run->subjects[subject].name);
	for (int figure = 0; figure < TUNNEL_RATE; figure++)
		printf(" %10.3f",
		       median(run, s, subject, (enum tunnel_figure)figure) /
			       1000);
	printf(" %10.0f\n", median(run, s, subject, TUNNEL_RATE));
}

static void print_verdicts(const struct tunnel_run *run,
			   const struct tunnel_scene *s,
			   enum tunnel_figure figure, const char *of)
{
	printf("  %s, against %s\n", of, run->subjects[run->rival].name);
	for (size_t i = 0; i < run->nsubjects; i++) {
		struct bench_verdict v =
			experiment_verdict(tunnel_ratio(run, s, figure, i));
		char text[BENCH_VERDICT];

		if (i == run->rival)
			continue;
		bench_verdict_text(&v, text);
		printf("    %-12.12s %s\n", run->subjects[i].name, text);
	}
}

static void print_scene(const struct tunnel_run *run,
			const struct tunnel_scene *s)
{
	char name[48];

	tunnel_scene_name(s, name);
	printf("\n%s\n  %-16s %10s %10s %10s %10s %10s\n", name, "CPU us/KB",
	       "sender", "forwarder", "receiver", "all", "Mbit/s");
	for (size_t i = 0; i < run->nsubjects; i++)
		print_subject(run, s, i);
	if (run->nsubjects < 2)
		return;
	print_verdicts(run, s, TUNNEL_ALL, "all");
	print_verdicts(run, s, TUNNEL_FORWARDER, "the forwarder alone");
}

/* ------------------------------------------------------------------------
 * Whether it is right
 */

static void print_counts(const char *name, const struct lab_forward_counts *f,
			 const struct lab_netns_counts *k)
{
	printf("  %-26s %9" PRIu64 " %6" PRIu64 " %9" PRIu64 " %9" PRIu64
	       " %6" PRIu64 "\n",
	       name, f->verified, f->wrong, k->queue + k->overflow + f->refused,
	       k->tcp + k->udp, k->tcp_wrong + k->udp4_wrong + k->udp6_wrong);
}

static void print_judges(const struct tunnel_run *run)
{
	const struct lab_forward_counts f = tunnel_forwarded(run);
	const struct lab_netns_counts k = tunnel_taken_in(run);
	char name[48];

	printf("\n  %-26s %16s %9s %16s\n  %-26s %9s %6s %9s %9s %6s\n",
	       "packets", "forwarder", "", "kernels", "", "verified", "wrong",
	       "dropped", "taken in", "wrong");
	for (size_t i = 0; i < run->nscenes; i++) {
		const struct tunnel_scene *s = &run->scenes[i];

		tunnel_scene_name(s, name);
		print_counts(name, &s->forward, &s->kernel);
	}
	print_counts("all", &f, &k);
	printf("\n%" PRIu64 " checksums were left unfinished by a kernel, and "
	       "completed; %" PRIu64 " packets\nwere left to be segmented, ",
	       f.unfinished, f.large);
	printf("and %s.\nNot looked into: %" PRIu64 " packets.\n",
	       run->segment ? "were" : "those of TCP handed on whole",
	       f.unchecked);
	if (run->corrupt)
		printf("Corrupted were %" PRIu64 " packets, one in %" PRIu64
		       "; the kernels found %" PRIu64 " of TCP,\n%" PRIu64
		       " of UDP over IPv4, %" PRIu64 " over IPv6.\n",
		       f.corrupted, run->corrupt, k.tcp_wrong, k.udp4_wrong,
		       k.udp6_wrong);
}

/* ------------------------------------------------------------------------
 * Text
 */

static void print_head(const struct tunnel_run *run)
{
	experiment_header(run->opt, "iperf3 through a forwarder");
	printf("rounds  %zu in %.0f s, by turns; %s messages\n"
	       "nat     %s\n",
	       run->rounds, run->took,
	       run->length ? "equal" : "in each round other",
	       run->nat ? "addresses and a port of every packet" : "none");
	puts("\nTwo network namespaces, a TUN device each; between them a "
	     "forwarder that\nverifies each packet.  offload: the sender "
	     "leaves "
	     "checksums and segments to the\nforwarder, which completes them.  "
	     "The receiving kernel verifies again.  CPU: the\ntime that each "
	     "had a CPU for 1024 bytes received; medians.  What a kernel does\n"
	     "to take a packet in counts as the forwarder's, who hands the "
	     "packet over.");
}

static void print_conclusion(const struct tunnel_run *run)
{
	int slower = 0, faster = 0, all = 0;

	for (size_t i = 0; i < run->nscenes; i++)
		for (size_t j = 0; j < run->nsubjects; j++) {
			enum lab_verdict v = lab_verdict(tunnel_ratio(
				run, &run->scenes[i], TUNNEL_ALL, j));

			all += j != run->rival;
			slower += j != run->rival && v == LAB_SLOWER;
			faster += j != run->rival && v == LAB_FASTER;
		}
	if (all)
		printf("\nDoes the routine matter at this scope?  Of %d "
		       "comparisons with %s,\n%d show one that costs more, %d "
		       "one that costs less, and %d nothing.\n",
		       all, run->subjects[run->rival].name, slower, faster,
		       all - slower - faster);
}

void tunnel_print(const struct tunnel_run *run)
{
	print_head(run);
	for (size_t i = 0; i < run->nscenes; i++)
		print_scene(run, &run->scenes[i]);
	print_judges(run);
	print_conclusion(run);
}

/* ------------------------------------------------------------------------
 * JSON
 */

/* Of a row: what bench_json_named() does not know. */
static json_t *figures_json(const struct tunnel_run *run,
			    const struct tunnel_scene *s, size_t subject)
{
	struct lab_interval r = tunnel_ratio(run, s, TUNNEL_ALL, subject);
	struct bench_verdict v = experiment_verdict(r);
	char text[BENCH_VERDICT];

	bench_verdict_text(&v, text);
	return json_pack(
		"{ss sf sf sf sf ss sf sf sf ss}", "op", "tunnel", "sender_ns",
		median(run, s, subject, TUNNEL_SENDER), "forwarder_ns",
		median(run, s, subject, TUNNEL_FORWARDER), "receiver_ns",
		median(run, s, subject, TUNNEL_RECEIVER), "mbit_per_s",
		median(run, s, subject, TUNNEL_RATE), "against",
		run->subjects[run->rival].name, "ratio", r.median, "low", r.low,
		"high", r.high, "verdict", subject == run->rival ? "" : text);
}

static json_t *packets_json(const struct lab_forward_counts *f)
{
	return json_pack(
		"{sI sI sI sI sI sI sI sI sI}", "came", (json_int_t)f->packets,
		"unfinished", (json_int_t)f->unfinished, "large",
		(json_int_t)f->large, "verified", (json_int_t)f->verified,
		"wrong", (json_int_t)f->wrong, "unchecked",
		(json_int_t)f->unchecked, "corrupted", (json_int_t)f->corrupted,
		"refused", (json_int_t)f->refused, "delivered",
		(json_int_t)f->delivered);
}

static json_t *kernel_json(const struct lab_netns_counts *k)
{
	return json_pack(
		"{sI sI sI sI sI sI sI}", "tcp", (json_int_t)k->tcp, "udp",
		(json_int_t)k->udp, "tcp_wrong", (json_int_t)k->tcp_wrong,
		"udp4_wrong", (json_int_t)k->udp4_wrong, "udp6_wrong",
		(json_int_t)k->udp6_wrong, "overflow", (json_int_t)k->overflow,
		"queue", (json_int_t)k->queue);
}

static json_t *row_json(const struct tunnel_run *run,
			const struct tunnel_scene *s, size_t subject,
			const struct lab_rounds *time)
{
	double samples[TUNNEL_ROUNDS];
	const struct lab_timed timed = { .n = 1, .ns = samples };
	const struct bench_named named = {
		.subject = run->subjects[subject].name,
		.kind = run->subjects[subject].kind,
		.op = LAB_SUM,
		.size = 1024,
		.timed = &timed,
	};
	json_t *row;

	memcpy(samples, s->samples[subject][TUNNEL_ALL], sizeof(samples));
	row = bench_json_named(&named, time);
	json_object_update_new(row, figures_json(run, s, subject));
	return row;
}

static void add_scene(json_t *doc, const struct tunnel_run *run,
		      const struct tunnel_scene *s)
{
	/* nobody looked at the speed of the core: other processes work, too */
	double none[TUNNEL_ROUNDS] = { 0 }, room[TUNNEL_ROUNDS];
	const struct lab_rounds time = { .seconds = run->seconds,
					 .n = run->rounds,
					 .ghz = none,
					 .width = none,
					 .room = room,
					 .took = run->took };
	json_t *rows = json_array(), *runs = json_object_get(doc, "runs");
	json_t *last;
	char name[48];

	tunnel_scene_name(s, name);
	for (size_t i = 0; i < run->nsubjects; i++)
		json_array_append_new(rows, row_json(run, s, i, &time));
	bench_json_add_named(doc, name, &time, run->opt->seed, rows);
	last = json_array_get(runs, json_array_size(runs) - 1);
	json_object_set_new(last, "packets", packets_json(&s->forward));
	json_object_set_new(last, "kernels", kernel_json(&s->kernel));
}

int tunnel_print_json(const struct tunnel_run *run)
{
	json_t *doc = bench_json_new(run->opt);

	for (size_t i = 0; i < run->nscenes; i++)
		add_scene(doc, run, &run->scenes[i]);
	return bench_json_print(doc);
}
