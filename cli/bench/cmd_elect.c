/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_elect.c - `csum elect`: the contest that one is tempted to run at every
 * start of a program, run once, by whoever wants to know.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench_common.h"
#include "cli.h"
#include "csum.h"
#include "dispatch.h"
#include "elect.h"
#include "machine.h"
#include "output.h"
#include "timer.h"

enum { MOST = 32, COLD = 256 << 20 };

struct elect_options {
	size_t sizes[MOST];
	size_t nsizes;
	size_t span; /* BYTES the calls are shuffled over; 0: hot */
	double seconds;
	uint32_t seed;
	const char *output;
	bool no_prefetch;
};

/* One op: who stands by default, and who is elected. */
struct contest {
	enum lab_op op;
	const char *what;
	struct lab_subject list[MOST];
	size_t n, standing, elected;
};

/* ------------------------------------------------------------------------
 * Options
 */

static bool take_size(const struct option_use *use)
{
	struct elect_options *opt = use->options;
	size_t *size = &opt->sizes[opt->nsizes];

	if (opt->nsizes == MOST)
		return option_wrong(use, "more than %d sizes", MOST);
	if (!bench_bytes(use, size))
		return false;
	if (!*size)
		return option_wrong(use,
				    "'%s' is not a number of bytes to "
				    "measure",
				    use->arg);
	opt->nsizes++;
	return true;
}

static bool take_cold(const struct option_use *use)
{
	((struct elect_options *)use->options)->span = COLD;
	return true;
}

#define AT(field) OPTION_AT(elect_options, field)

static const struct option_row rows[] = {
	{ .name = "size",
	  .letter = 's',
	  .arg = "N",
	  .take = take_size,
	  .help = "Over N bytes; may be repeated (default: eight from 20 to "
		  "65536)" },
	{ .name = "cold",
	  .letter = 'c',
	  .take = take_cold,
	  .help = "With data out of cache: calls shuffled over 256 MiB" },
	{ .name = "time",
	  .letter = 't',
	  .arg = "SECONDS",
	  .take = option_seconds,
	  .target = AT(seconds),
	  .help = "Measure each contest no longer than that (default: 10)" },
	{ .name = "no-prefetch",
	  .letter = 'n',
	  .take = option_flag,
	  .target = AT(no_prefetch),
	  .help = "Leave the prefetch distance out" },
	{ .name = "output",
	  .letter = 'o',
	  .arg = "FILE",
	  .files = true,
	  .take = option_text,
	  .target = AT(output),
	  .help = "Write the outcome as a profile: a program takes it with "
		  "csum_use_profile(), this tool with CSUM_PROFILE=FILE" },
	{ .name = "seed",
	  .letter = 'S',
	  .arg = "N",
	  .take = option_count,
	  .target = AT(seed),
	  .help = "Seed of the data and of the order" },
	{ 0 },
};

const struct command_line elect_line = {
	.what = "Measure the routines of the library against each other, until "
		"the winner is clear or the time is up, for sums and for "
		"copies; then find the best prefetch distance.",
	.rows = rows,
	.more = "The library never does this by itself: its choice is the "
		"first usable routine of a fixed list, and so the same at "
		"every start.  This says where the machine at hand disagrees "
		"with the list, how surely, and what to set.\n\n"
		"Example: csum elect --size 1500 --cold -o profile",
};

static const size_t default_sizes[] = {
	20, 64, 128, 256, 576, 1500, 9000, 65536
};

/* ------------------------------------------------------------------------
 * Routines
 */

static void enter_all(struct contest *c)
{
	struct csum_routine_info info;

	for (size_t i = 0; csum_routine_get(i, &info) && c->n < MOST; i++)
		if (info.usable)
			c->list[c->n++] = lab_routine(&csum_routines[i],
						      LAB_ROUTINE, c->op);
	/* without CSUM_ROUTINE: what a program gets that sets nothing */
	c->standing = 0;
	while (strcmp(c->list[c->standing].name,
		      csum_choose(csum_cpu_features(), NULL)->name) != 0)
		c->standing++;
}

static const char *in_words(enum lab_verdict v)
{
	static const char *const words[] = {
		[LAB_FASTER] = "faster",
		[LAB_SLOWER] = "clear",
		[LAB_TIE] = "a tie within 1%",
		[LAB_UNDECIDED] = "not shown",
	};

	return words[v];
}

/* The one that comes closest to the fastest. */
static size_t second(const struct lab_run *run, size_t size, size_t best)
{
	size_t next = best;
	double least = 0;

	for (size_t i = 0; i < run->plan->nsubjects; i++) {
		const struct lab_row *row = lab_row_at(run, size, 0, i);
		double ns = lab_quantile(row->timed.ns, run->time.n, 0.5,
					 run->time.room);

		if (i != best && (next == best || ns < least)) {
			least = ns;
			next = i;
		}
	}
	return next;
}

static void print_sizes(const struct lab_run *run)
{
	printf("%7s  %-11s %8s  %-11s %s\n", "bytes", "fastest", "ns", "next",
	       "takes so many times as long (95%)");
	for (size_t s = 0; s < run->plan->nsizes; s++) {
		size_t best = lab_fastest(run, s), next = second(run, s, best);
		const struct lab_row *row = lab_row_at(run, s, 0, best);
		struct lab_interval r =
			lab_against(run, lab_row_at(run, s, 0, next), row);

		printf("%7zu  %-11s %8.2f", row->size, row->subject->name,
		       lab_quantile(row->timed.ns, run->time.n, 0.5,
				    run->time.room));
		if (next != best)
			printf("  %-11s %.3f (%.3f to %.3f) %s",
			       run->plan->subjects[next].name, r.median, r.low,
			       r.high, in_words(lab_verdict(r)));
		putchar('\n');
	}
}

/* Where the default is beaten, and what is elected. */
static void print_outcome(const struct contest *c, const struct lab_run *run)
{
	const char *standing = c->list[c->standing].name;
	bool beaten = false;

	printf("the default is %s", standing);
	for (size_t s = 0; s < run->plan->nsizes; s++) {
		size_t best = lab_fastest(run, s);
		struct lab_interval r =
			lab_against(run, lab_row_at(run, s, 0, c->standing),
				    lab_row_at(run, s, 0, best));

		if (best == c->standing || lab_verdict(r) != LAB_SLOWER)
			continue;
		printf("%s %zu bytes %s by %.1f%%",
		       beaten ? ";" : ", and slower than the fastest: at",
		       run->plan->sizes[s], c->list[best].name,
		       100 * (r.median - 1));
		beaten = true;
	}
	puts(beaten ? "" : ", and nothing is shown to be faster anywhere");
	if (c->elected == c->standing)
		printf("elected: %s, the default; nothing has to be set\n",
		       standing);
	else
		printf("elected: %s, over all sizes; to pin it: "
		       "CSUM_ROUTINE=%s\n",
		       c->list[c->elected].name, c->list[c->elected].name);
}

static bool hold(struct contest *c, const struct elect_options *opt)
{
	const size_t offset = 0;
	struct lab_plan plan = {
		.subjects = c->list,
		.sizes = opt->sizes,
		.nsizes = opt->nsizes,
		.offsets = &offset,
		.noffsets = 1,
		.span = opt->span,
		.seconds = opt->seconds,
		.seed = opt->seed,
		.enough = lab_decided_now,
	};
	struct lab_run run;

	enter_all(c);
	plan.nsubjects = c->n;
	if (bench_measure(&run, &plan) != EXIT_CLEAN)
		return false;
	c->elected = lab_elected(&run, c->standing);
	printf("%s, %s: %zu routines, %zu rounds in %.1f s, %s\n", c->what,
	       opt->span ? "out of cache" : "in cache", c->n, run.time.n,
	       run.time.took,
	       lab_decided(&run) ? "decided" : "the time was up");
	print_sizes(&run);
	print_outcome(c, &run);
	putchar('\n');
	lab_run_free(&run);
	return true;
}

/* ------------------------------------------------------------------------
 * Prefetch distance
 */

static const size_t distances[] = { 1, 2, 3, 4, 5, 6, 8, 12, 16 };

enum { NDISTANCES = sizeof(distances) / sizeof(*distances) };

/* A loop that waits for memory as soon as it is not in cache. */
static const struct lab_study *prefetcher(void)
{
	const struct lab_study *found = NULL;

	for (const struct lab_study *s = lab_studies; s->routine.name; s++)
		if (s->sums && csum_can_run(&s->routine, csum_cpu_features()))
			found = s;
	return found;
}

static bool print_prefetch(const struct elect_options *opt)
{
	static const size_t sizes[] = { 1500, 65536 };
	const struct lab_study *study = prefetcher();
	const size_t offset = 0;
	struct lab_subject list[1 + NDISTANCES];
	struct lab_plan plan = {
		.subjects = list,
		.nsubjects = 1 + NDISTANCES,
		.sizes = sizes,
		.nsizes = 2,
		.offsets = &offset,
		.noffsets = 1,
		.span = COLD,
		.seconds = opt->seconds,
		.seed = opt->seed,
		.enough = lab_decided_now,
	};
	struct lab_run run;

	if (!study)
		return true;
	list[0] = lab_routine(&study->routine, LAB_STUDY, LAB_SUM);
	for (size_t i = 0; i < NDISTANCES; i++) {
		const struct lab_prefetch p = {
			.policy = LAB_PREFETCH_BOUNDED,
			.distance = { .lines = distances[i] },
		};

		list[1 + i] = list[0];
		if (!lab_add_prefetch(&list[1 + i], study, &p))
			return true;
	}
	if (bench_measure(&run, &plan) != EXIT_CLEAN)
		return false;
	printf("prefetching, out of cache, %s, bounded, 1 to 16 lines ahead:\n",
	       study->routine.name);
	for (size_t s = 0; s < 2; s++) {
		const struct lab_row *none = lab_row_at(&run, s, 0, 0);
		size_t best = lab_fastest(&run, s);
		struct lab_interval r =
			lab_against(&run, lab_row_at(&run, s, 0, best), none);

		if (best == 0 || lab_verdict(r) != LAB_FASTER)
			printf("%7zu bytes: no distance is shown to help\n",
			       sizes[s]);
		else
			printf("%7zu bytes: %zu lines, %.3f times the time "
			       "without (%.3f to %.3f)\n",
			       sizes[s], distances[best - 1], r.median, r.low,
			       r.high);
	}
	putchar('\n');
	lab_run_free(&run);
	return true;
}

/* ------------------------------------------------------------------------
 * The command
 */

static int write_profile(const struct contest *sum, const struct contest *copy,
			 const char *file)
{
	struct output out;

	/* what was printed goes first where both go to one place */
	fflush(stdout);
	if (!output_open(&out, file, -1))
		return EXIT_TROUBLE;
	if (dprintf(out.fd,
		    "csum-profile 1\n# by csum elect\nsum %s\ncopy %s\n",
		    sum->list[sum->elected].name,
		    copy->list[copy->elected].name) < 0) {
		output_discard(&out);
		return trouble("%s: %s", file, strerror(errno));
	}
	if (!output_commit(&out))
		return EXIT_TROUBLE;
	if (strcmp(file, "-") != 0)
		printf("%s written: a program takes it with "
		       "csum_use_profile(\"%s\"), only the csum command with "
		       "CSUM_PROFILE=%s\n",
		       file, file, file);
	return EXIT_CLEAN;
}

int cmd_elect(int argc, char **argv)
{
	struct elect_options opt = {
		.seconds = 10,
		.seed = (uint32_t)lab_now(),
	};
	struct contest sum = { .op = LAB_SUM, .what = "sums" };
	struct contest copy = { .op = LAB_COPY, .what = "copies" };
	struct lab_machine m;
	int status = options_parse(&elect_line, argc, argv, &opt, NULL);

	if (status != OPTIONS_TAKEN)
		return status;
	if (!opt.nsizes) {
		memcpy(opt.sizes, default_sizes, sizeof(default_sizes));
		opt.nsizes = sizeof(default_sizes) / sizeof(*default_sizes);
	}
	lab_machine_get(&m);
	printf("cpu     %.40s, %s, hypervisor %s\nseed    --seed=%u\n\n", m.cpu,
	       m.kernel, m.hypervisor[0] ? m.hypervisor : "unknown", opt.seed);
	if (!hold(&sum, &opt) || !hold(&copy, &opt) ||
	    (!opt.no_prefetch && !print_prefetch(&opt)))
		return EXIT_TROUBLE;
	return opt.output ? write_profile(&sum, &copy, opt.output) : EXIT_CLEAN;
}
