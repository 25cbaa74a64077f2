/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_options.c - the command line of `csum bench`. */
#include "bench_options.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_common.h"
#include "bench_mix.h"
#include "bench_report.h"
#include "cli.h"
#include "counters.h"
#include "experiments/experiment.h"
#include "guess.h"
#include "machine.h"
#include "timer.h"

/* ------------------------------------------------------------------------
 * The words that some arguments may be
 */

static const char *policy_word(int i)
{
	return i < LAB_POLICIES ? lab_policy_names[i] : NULL;
}

static const char *order_word(int i)
{
	return i < LAB_ORDERS ? bench_order_names[i] : NULL;
}

static const char *pair_word(int i)
{
	return i < LAB_PAIRS ? lab_pair_names[i] : NULL;
}

static const char *event_word(int i)
{
	return i < LAB_EVENTS ? lab_event_names[i] : NULL;
}

static const char *pages_word(int i)
{
	static const char *const kinds[] = {
		[LAB_ORDINARY_PAGES] = "ordinary", [LAB_HUGE_PAGES] = "huge"
	};

	return i < 2 ? kinds[i] : NULL;
}

static const char *span_word(int i)
{
	static const char *const states[] = { "hot", "L2", "L3", "memory" };

	return i < 4 ? states[i] : NULL;
}

static const char *background_word(int i)
{
	static const char *const kinds[] = { "stream", "copy" };

	return i < 2 ? kinds[i] : NULL;
}

static const char *experiment_word(int i)
{
	const struct experiment *e = experiment_at((size_t)i);

	return e ? e->name : NULL;
}

/* ------------------------------------------------------------------------
 * Arguments
 */

static bool add_bytes(const struct option_use *use, size_t *list, size_t *n)
{
	if (*n == BENCH_MOST)
		return option_wrong(use, "more than %d numbers of bytes",
				    BENCH_MOST);
	return bench_bytes(use, &list[(*n)++]);
}

static bool add_text(const struct option_use *use, const char **list, size_t *n)
{
	if (*n == BENCH_MOST)
		return option_wrong(use, "more than %d times", BENCH_MOST);
	list[(*n)++] = use->arg;
	return true;
}

static bool take_size(const struct option_use *use)
{
	struct bench_options *opt = use->options;

	return add_bytes(use, opt->sizes, &opt->nsizes);
}

static bool take_offset(const struct option_use *use)
{
	struct bench_options *opt = use->options;

	return add_bytes(use, opt->offsets, &opt->noffsets);
}

static bool take_routine(const struct option_use *use)
{
	struct bench_options *opt = use->options;

	return add_text(use, opt->routines, &opt->nroutines);
}

static bool take_load(const struct option_use *use)
{
	struct bench_options *opt = use->options;

	return add_text(use, opt->files, &opt->nfiles);
}

/* What stands behind the policy: [:LINES[:BYTES]][:nta] */
static bool parse_distance(const char *rest, struct lab_prefetch *p)
{
	size_t *numbers[] = { &p->distance.lines, &p->distance.above };
	char word[16];
	uint64_t v;

	for (size_t i = 0; *rest == ':'; i++) {
		int n = (int)strcspn(++rest, ":");

		snprintf(word, sizeof(word), "%.*s", n, rest);
		rest += n;
		if (strcmp(word, "nta") == 0 && !*rest)
			p->hint = LAB_HINT_NTA;
		else if (i < 2 && parse_size(word, &v) && v <= BENCH_MAX_BYTES)
			*numbers[i] = (size_t)v;
		else
			return false;
	}
	return true;
}

static bool take_prefetch(const struct option_use *use)
{
	struct bench_options *opt = use->options;
	/* five lines, as in 2013; from where a packet is not a header */
	struct lab_prefetch p = { .distance = { .lines = 5, .above = 512 } };
	int n = (int)strcspn(use->arg, ":"), policy;
	char word[16];

	if (opt->nprefetches == BENCH_MOST)
		return option_wrong(use, "more than %d prefetches", BENCH_MOST);
	snprintf(word, sizeof(word), "%.*s", n, use->arg);
	policy = option_find_word(use, word);
	if (policy < 0)
		return false;
	p.policy = (enum lab_policy)policy;
	if (!parse_distance(use->arg + n, &p))
		return option_wrong(use, "'%s' is not %s", use->arg,
				    use->row->arg);
	opt->prefetches[opt->nprefetches++] = p;
	return true;
}

/* A whole number of bytes, or the cache that they should come from. */
static bool take_span(const struct option_use *use)
{
	size_t *span = use->target;
	int i = 0;

	if (use->arg[0] >= '0' && use->arg[0] <= '9')
		return bench_bytes(use, span);
	i = option_find_word(use, use->arg);
	*span = i > 0 ? lab_span(use->arg) : 0;
	if (i > 0 && !*span)
		return option_wrong(use, "the size of %s is not known here",
				    use->arg);
	return i >= 0;
}

static bool take_jitter(const struct option_use *use)
{
	return bench_bytes(use, use->target);
}

static bool take_period(const struct option_use *use)
{
	uint64_t v;

	if (!parse_size(use->arg, &v) || !v || v > LAB_MAX_PERIOD)
		return option_wrong(use,
				    "'%s' is not a number of lengths up to 1M",
				    use->arg);
	*(size_t *)use->target = (size_t)v;
	return true;
}

static bool take_percent(const struct option_use *use)
{
	double *share = use->target;

	if (!option_share(use))
		return false;
	return (*share > 0 && *share < 1) ||
	       option_wrong(use, "'%s' is not between 0 and 100", use->arg);
}

static bool take_planted(const struct option_use *use)
{
	struct bench_options *opt = use->options;
	struct option_use share_use = *use;
	double share;

	share_use.target = &share;
	if (!take_percent(&share_use))
		return false;
	opt->planted = (unsigned)(1000 * share + 0.5);
	return true;
}

static bool take_cpu(const struct option_use *use)
{
	uint64_t v;

	if (!parse_size(use->arg, &v) || v > INT_MAX)
		return option_wrong(use, "'%s' is not the number of a CPU",
				    use->arg);
	*(int *)use->target = (int)v;
	return true;
}

/* Names with commas between; all if there is none. */
static bool take_events(const struct option_use *use)
{
	struct bench_options *opt = use->options;
	bool chosen[LAB_EVENTS];
	struct option_use words_use = *use;

	opt->events = LAB_ALL_EVENTS;
	if (!use->arg)
		return true;
	words_use.target = chosen;
	if (!option_words(&words_use))
		return false;
	opt->events = 0;
	for (int e = 0; e < LAB_EVENTS; e++)
		opt->events |= (unsigned)chosen[e] << e;
	return true;
}

/* An experiment, or what belongs to the words before. */
static bool take_word(const struct option_use *use)
{
	struct bench_options *opt = use->options;
	struct guess guess = { .typed = use->arg };
	char meant[64];

	/* so that --load can be followed by what a shell expands */
	if (opt->nfiles)
		return add_text(use, opt->files, &opt->nfiles);
	if (opt->experiment)
		return add_text(use, opt->words, &opt->nwords);
	opt->experiment = experiment_find(use->arg);
	for (int i = 0; experiment_word(i); i++)
		guess_consider(&guess, experiment_word(i));
	guess_text(&guess, "", meant, sizeof(meant));
	return opt->experiment ||
	       option_wrong(use, "'%s' is no experiment; --list names them%s",
			    use->arg, meant);
}

/* ------------------------------------------------------------------------
 * Rows
 */

#define AT(field) OPTION_AT(bench_options, field)

static const struct option_row rows[] = {
	{ .help = "What is measured" },
	{ .name = "copy",
	  .take = option_set,
	  .target = AT(op),
	  .value = LAB_COPY,
	  .help = "Copies that sum, beside memcpy" },
	{ .name = "small",
	  .take = option_flag,
	  .target = AT(small),
	  .help = "Small operations and alternatives to them: an update "
		  "after two bytes changed, a header; both in throughput "
		  "and latency" },
	{ .name = "study",
	  .take = option_flag,
	  .target = AT(study),
	  .help = "The routines kept for study as well, see `csum "
		  "routines`" },
	{ .name = "load",
	  .arg = "FILE",
	  .files = true,
	  .take = take_load,
	  .help = "The routines of a shared object as well, see "
		  "csum-plugin.h; more files may follow" },
	{ .name = "routine",
	  .letter = 'r',
	  .arg = "NAME",
	  .take = take_routine,
	  .help = "This one, of whatever kind, or all that a pattern like "
		  "'avx*' matches; may be repeated (default: "
		  "csum_partial and all routines of the library that can "
		  "run here)" },
	{ .name = "prefetch",
	  .arg = "POLICY[:LINES[:BYTES]][:nta]",
	  .take = take_prefetch,
	  .words = policy_word,
	  .help = "Every chosen routine that takes it once more, "
		  "prefetching by a policy: {}; LINES ahead (default 5), "
		  "above from BYTES on (default 512); may be repeated" },
	{ .help = "On which bytes" },
	{ .name = "size",
	  .letter = 's',
	  .arg = "N",
	  .take = take_size,
	  .help = "N bytes; may be repeated (default: 20 to 65536 in "
		  "twelve steps)" },
	{ .name = "offset",
	  .letter = 'o',
	  .arg = "N",
	  .take = take_offset,
	  .help = "Start N bytes after a page boundary; may be repeated "
		  "(default: 0 and 1)" },
	{ .name = "mix",
	  .arg = "MIX|FILE",
	  .files = true,
	  .take = option_text,
	  .target = AT(mix),
	  .words = bench_mix_word,
	  .help = "Lengths in an order that is new in each sample: imix, 40, "
		  "576 and 1500 bytes as 7 to 4 to 1; ack, mostly "
		  "acknowledgements; jumbo, mostly 9000; uniform:LOW-HIGH, "
		  "all from LOW to HIGH; or those of the packets of a "
		  "capture" },
	{ .name = "period",
	  .arg = "N",
	  .take = take_period,
	  .target = AT(period),
	  .help = "Let the lengths of the mix repeat after N, so that the "
		  "branch predictor can learn them" },
	{ .name = "span",
	  .arg = "BYTES|LEVEL",
	  .take = take_span,
	  .target = AT(span),
	  .words = span_word,
	  .help = "Let the calls go over so many bytes, or over enough to "
		  "come from there: {}; 256M is beyond any cache "
		  "(default: all calls see the same bytes)" },
	{ .name = "order",
	  .arg = "ORDER",
	  .take = option_word,
	  .target = AT(order),
	  .words = order_word,
	  .help = "How they go over the span: {} (default: shuffled)" },
	{ .name = "jitter",
	  .arg = "N",
	  .take = take_jitter,
	  .target = AT(jitter),
	  .help = "Move each end up to N bytes inwards, at random" },
	{ .name = "flush",
	  .take = option_flag,
	  .target = AT(flush),
	  .help = "Throw all of the span (default then: 4M) out of all "
		  "caches before each sample, and go over it once" },
	{ .name = "pages",
	  .arg = "KIND",
	  .take = option_word,
	  .target = AT(pages),
	  .words = pages_word,
	  .help = "Which pages the bytes are on: {}; says what was "
		  "obtained" },
	{ .help = "How" },
	{ .name = "cpu",
	  .arg = "N",
	  .take = take_cpu,
	  .target = AT(cpu),
	  .help = "Stay on this CPU" },
	{ .name = "background",
	  .arg = "stream|copy|COMMAND",
	  .take = option_text,
	  .target = AT(background),
	  .words = background_word,
	  .help = "Meanwhile let another CPU read through memory "
		  "(stream), copy through it (copy), or run a command of "
		  "the shell" },
	{ .name = "pair",
	  .arg = "PAIR",
	  .take = option_word,
	  .target = AT(pair),
	  .words = pair_word,
	  .help = "Where that CPU is: {} (default: the first that there "
		  "is of shared-cache, other-cache, sibling, same)" },
	{ .name = "counters",
	  .arg = "[NAME,...]",
	  .take = take_events,
	  .words = event_word,
	  .help = "Count events of the CPU too, after the timing "
		  "(default: all): {}" },
	{ .name = "latency",
	  .letter = 'l',
	  .take = option_set,
	  .target = AT(mode),
	  .value = LAB_LATENCY,
	  .help = "Make each call wait for the result of the last one" },
	{ .name = "time",
	  .letter = 't',
	  .arg = "SECONDS",
	  .take = option_seconds,
	  .target = AT(seconds),
	  .help = "Measure so long (default: about 15 s)" },
	{ .name = "quick",
	  .letter = 'q',
	  .take = option_flag,
	  .target = AT(quick),
	  .help = "A rough look: about 3 s" },
	{ .name = "seed",
	  .letter = 'S',
	  .arg = "N",
	  .take = option_count,
	  .target = AT(seed),
	  .help = "Seed of the data and of the order" },
	{ .help = "What comes of it" },
	{ .name = "against",
	  .arg = "NAME",
	  .take = option_text,
	  .target = AT(against),
	  .help = "Compare the others with this one: faster, slower, or "
		  "no difference that shows.  With no other, with itself" },
	{ .name = "narrow",
	  .arg = "PERCENT",
	  .take = take_percent,
	  .target = AT(narrow),
	  .help = "Measure until each comparison is that sure, or the "
		  "time (60 s by default) is up" },
	{ .name = "compare",
	  .arg = "OLD.json",
	  .files = true,
	  .take = option_text,
	  .target = AT(compare),
	  .help = "Mark what got worse since that run, beyond the noise "
		  "of both; exit status 1 if anything did" },
	{ .name = "json",
	  .letter = 'j',
	  .take = option_flag,
	  .target = AT(json),
	  .help = "Print JSON, with every sample" },
	{ .name = "csv",
	  .take = option_flag,
	  .target = AT(csv),
	  .help = "Print a line of figures for each row" },
	{ .name = "markdown",
	  .take = option_flag,
	  .target = AT(markdown),
	  .help = "Print tables of Markdown, for an issue or a wiki" },
	{ .name = "list",
	  .take = option_flag,
	  .target = AT(list),
	  .help = "Name the experiments" },
	{ .name = "planted",
	  .arg = "PERCENT",
	  .hidden = true,
	  .take = take_planted,
	  .help = "Slow the second copy down by so much, with --against "
		  "alone" },
	{ 0 },
};

const struct command_line bench_line = {
	.usage = "\nEXPERIMENT [WORD...]",
	.what = "Measure routines on this machine, with data in the cache.  "
		"Each is first checked against the model; if one is wrong, "
		"nothing is measured and the exit status is 2.  With an "
		"experiment: that instead, see --list.",
	.rows = rows,
	.more = "The row \"read\" is a loop that only reads the same bytes: no "
		"routine can be faster.  docs/METHOD.md explains the method, "
		"docs/BENCH-JSON.md the JSON.\n\n"
		"Examples:\n"
		"  csum bench --quick --size 1500\n"
		"  csum bench --copy --study --span memory --size 1500\n"
		"  csum bench --against avx2 --narrow 1 --mix imix\n"
		"  csum bench --load ./mine.so\n"
		"  csum bench module",
	.take_word = take_word,
	.words = experiment_word,
};

/* What is wrong with the options together, or NULL. */
static const char *contradiction(const struct bench_options *opt)
{
	if ((opt->order != LAB_SHUFFLED || opt->jitter) && !opt->span &&
	    !opt->flush)
		return "--order and --jitter need a --span";
	if (opt->mix && opt->nsizes)
		return "lengths come from --mix or from --size";
	if (opt->period && !opt->mix)
		return "--period is that of a --mix";
	if (opt->pair != LAB_PAIRS && !opt->background && !opt->experiment)
		return "--pair needs a --background";
	if (opt->json + opt->csv + opt->markdown > 1)
		return "one form of output: --json, --csv or --markdown";
	if (opt->markdown && opt->experiment)
		return "--markdown is for rows, not for an experiment";
	if (opt->narrow > 0 && !opt->against)
		return "--narrow needs --against, what to compare with";
	if (opt->small && (opt->op == LAB_COPY || opt->study || opt->nfiles ||
			   opt->span || opt->nprefetches || opt->nsizes ||
			   opt->mix || opt->flush || opt->mode == LAB_LATENCY))
		return "--small goes with --routine, --offset, --time, "
		       "--quick, --seed, --against and the forms of output "
		       "only";
	return NULL;
}

static const size_t default_sizes[] = { 20,  21,   40,	 64,   100,  101,
					576, 1500, 1501, 4096, 9000, 65536 };
static const size_t default_offsets[] = { 0, 1 };

static void set_defaults(struct bench_options *opt)
{
	if (opt->mix && !opt->noffsets)
		opt->noffsets = 1;
	if (opt->flush && !opt->span)
		opt->span = 4 << 20;
	if (opt->small) {
		opt->sizes[0] = 20;
		opt->nsizes = 1;
	}
	if (!opt->nsizes) {
		memcpy(opt->sizes, default_sizes, sizeof(default_sizes));
		opt->nsizes = sizeof(default_sizes) / sizeof(*default_sizes);
	}
	if (!opt->noffsets) {
		memcpy(opt->offsets, default_offsets, sizeof(default_offsets));
		/* a header is at an even place */
		opt->noffsets = opt->small ? 1
					   : sizeof(default_offsets) /
						     sizeof(*default_offsets);
	}
}

/* A word as a shell takes it. */
static void add_to_command(struct bench_options *opt, const char *word)
{
	const char *plain =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY"
		"Z0123456789_./:=,+-%@";
	size_t n = strlen(opt->command);
	bool quote = !*word || word[strspn(word, plain)];

	/* within quotes only another one has to be written in some other way */
	if (quote && strchr(word, '\''))
		word = "...";
	snprintf(opt->command + n, sizeof(opt->command) - n,
		 quote ? " '%s'" : " %s", word);
}

static void note_command(struct bench_options *opt, int argc, char **argv)
{
	char seed[32];

	snprintf(opt->command, sizeof(opt->command), "csum bench");
	for (int i = 1; i < argc; i++)
		add_to_command(opt, argv[i]);
	snprintf(seed, sizeof(seed), "--seed=%" PRIu32, opt->seed);
	add_to_command(opt, seed);
}

int bench_options_parse(struct bench_options *opt, int argc, char **argv)
{
	const char *wrong;
	int status;

	*opt = (struct bench_options){ .seed = (uint32_t)lab_now(),
				       .cpu = -1,
				       .pair = LAB_PAIRS };
	status = options_parse(&bench_line, argc, argv, opt, NULL);
	if (status != OPTIONS_TAKEN)
		return status;
	wrong = contradiction(opt);
	if (wrong)
		return options_wrong(argv, "%s", wrong);
	set_defaults(opt);
	note_command(opt, argc, argv);
	return OPTIONS_TAKEN;
}
