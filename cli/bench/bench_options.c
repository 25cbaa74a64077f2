/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_options.c - the command line of `csum bench`. */
#include "bench_options.h"

#include <argp.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_common.h"
#include "bench_report.h"
#include "cli.h"
#include "counters.h"
#include "experiments/experiment.h"
#include "machine.h"
#include "timer.h"

/* ------------------------------------------------------------------------
 * Options
 */

static void add_bytes(const char *arg, size_t *list, size_t *n,
		      struct argp_state *state)
{
	if (*n == BENCH_MOST)
		argp_error(state, "more than %d numbers of bytes", BENCH_MOST);
	list[(*n)++] = bench_bytes(arg, state);
}

static void add_text(const char *arg, const char **list, size_t *n,
		     struct argp_state *state)
{
	if (*n == BENCH_MOST)
		argp_error(state, "more than %d times the same option",
			   BENCH_MOST);
	list[(*n)++] = arg;
}

/* The policy that @arg begins with, up to a colon; moves @arg behind it. */
static enum lab_policy parse_policy(const char **arg)
{
	size_t n = strcspn(*arg, ":");

	for (int p = 0; p < LAB_POLICIES; p++)
		if (strlen(lab_policy_names[p]) == n &&
		    strncmp(*arg, lab_policy_names[p], n) == 0) {
			*arg += n;
			return (enum lab_policy)p;
		}
	return LAB_POLICIES;
}

/* POLICY[:LINES[:BYTES]][:nta] */
static struct lab_prefetch parse_prefetch(const char *arg,
					  struct argp_state *state)
{
	/* five lines, as in 2013; from where a packet is not a header */
	struct lab_prefetch p = { .distance = { .lines = 5, .above = 512 } };
	size_t *numbers[] = { &p.distance.lines, &p.distance.above };
	const char *rest = arg;
	uint64_t v;
	char word[16];

	p.policy = parse_policy(&rest);
	for (size_t i = 0; *rest == ':' && p.policy != LAB_POLICIES; i++) {
		int n = (int)strcspn(++rest, ":");

		snprintf(word, sizeof(word), "%.*s", n, rest);
		rest += n;
		if (strcmp(word, "nta") == 0 && !*rest)
			p.hint = LAB_HINT_NTA;
		else if (i < 2 && parse_size(word, &v) && v <= BENCH_MAX_BYTES)
			*numbers[i] = (size_t)v;
		else
			p.policy = LAB_POLICIES;
	}
	if (p.policy == LAB_POLICIES || *rest)
		argp_error(state,
			   "'%s' is not POLICY[:LINES[:BYTES]][:nta], with one "
			   "of none, ahead, bounded, lead, above",
			   arg);
	return p;
}

/* The index of @arg in a list of names, or @n. */
static size_t one_of(const char *arg, const char *const *names, size_t n)
{
	size_t i = 0;

	while (i < n && strcmp(arg, names[i]) != 0)
		i++;
	return i;
}

static enum lab_order parse_order(const char *arg, struct argp_state *state)
{
	size_t i = one_of(arg, bench_order_names, LAB_ORDERS);

	if (i == LAB_ORDERS)
		argp_error(state,
			   "'%s' is none of shuffled, random, random-even, "
			   "random, random-even",
			   arg);
	return (enum lab_order)i;
}

/* A whole number of bytes, or the cache that they should come from. */
static size_t parse_span(const char *arg, struct argp_state *state)
{
	static const char *const states[] = { "hot", "L2", "L3", "memory" };
	size_t span;

	if (one_of(arg, states, 4) == 4)
		return bench_bytes(arg, state);
	if (strcmp(arg, "hot") == 0)
		return 0;
	span = lab_span(arg);
	if (!span)
		argp_error(state, "the size of %s is not known here", arg);
	return span;
}

static double parse_percent(const char *arg, struct argp_state *state)
{
	char *end;
	double v = strtod(arg, &end);

	if (*end == '%')
		end++;
	if (*end || !(v > 0 && v < 100))
		argp_error(state, "'%s' is not a percentage", arg);
	return v / 100;
}

static size_t parse_period(const char *arg, struct argp_state *state)
{
	uint64_t v;

	if (!parse_size(arg, &v) || !v || v > LAB_MAX_PERIOD)
		argp_error(state, "'%s' is not a number of lengths up to 1M",
			   arg);
	return (size_t)v;
}

static enum lab_page_kind parse_pages(const char *arg, struct argp_state *state)
{
	static const char *const kinds[] = {
		[LAB_ORDINARY_PAGES] = "ordinary", [LAB_HUGE_PAGES] = "huge"
	};
	size_t i = one_of(arg, kinds, 2);

	if (i == 2)
		argp_error(state, "'%s' is neither ordinary nor huge", arg);
	return (enum lab_page_kind)i;
}

static int parse_cpu(const char *arg, struct argp_state *state)
{
	uint64_t v;

	if (!parse_size(arg, &v) || v > INT_MAX)
		argp_error(state, "'%s' is not the number of a CPU", arg);
	return (int)v;
}

static enum lab_pair parse_pair(const char *arg, struct argp_state *state)
{
	size_t i = one_of(arg, lab_pair_names, LAB_PAIRS);

	if (i == LAB_PAIRS)
		argp_error(state,
			   "'%s' is none of same, sibling, shared-cache, "
			   "other-cache",
			   arg);
	return (enum lab_pair)i;
}

/* Names with commas between. */
static unsigned parse_events(const char *arg, struct argp_state *state)
{
	unsigned events = 0;
	char word[32];

	while (*arg) {
		int n = (int)strcspn(arg, ",");
		size_t i;

		snprintf(word, sizeof(word), "%.*s", n, arg);
		i = one_of(word, lab_event_names, LAB_EVENTS);
		if (i == LAB_EVENTS)
			argp_error(state,
				   "'%s' is no event that can be counted",
				   word);
		events |= 1U << i;
		arg += n + (arg[n] == ',');
	}
	return events;
}

enum {
	KEY_COPY = 256,
	KEY_STUDY,
	KEY_SMALL,
	KEY_LOAD,
	KEY_PREFETCH,
	KEY_SPAN,
	KEY_ORDER,
	KEY_JITTER,
	KEY_MIX,
	KEY_PERIOD,
	KEY_FLUSH,
	KEY_PAGES,
	KEY_CPU,
	KEY_BACKGROUND,
	KEY_PAIR,
	KEY_COUNTERS,
	KEY_AGAINST,
	KEY_NARROW,
	KEY_COMPARE,
	KEY_CSV,
	KEY_LIST,
	KEY_PLANTED,
};

static void check_options(const struct bench_options *opt,
			  struct argp_state *state)
{
	if ((opt->order != LAB_SHUFFLED || opt->jitter) && !opt->span &&
	    !opt->flush)
		argp_error(state, "--order and --jitter need a --span");
	if (opt->mix && opt->nsizes)
		argp_error(state, "lengths come from --mix or from --size");
	if (opt->period && !opt->mix)
		argp_error(state, "--period is that of a --mix");
	if (opt->pair != LAB_PAIRS && !opt->background && !opt->experiment)
		argp_error(state, "--pair needs a --background");
	if (opt->narrow > 0 && !opt->against)
		argp_error(state, "--narrow needs --against, what to compare "
				  "with");
	if (opt->small && (opt->op == LAB_COPY || opt->study || opt->nfiles ||
			   opt->span || opt->nprefetches || opt->nsizes ||
			   opt->mix || opt->flush || opt->mode == LAB_LATENCY))
		argp_error(state,
			   "--small goes with --routine, --offset, --time, "
			   "--quick, --seed, --against and the forms of "
			   "output only");
}

/* An experiment, or what belongs to the words before. */
static void take_word(const char *arg, struct bench_options *opt,
		      struct argp_state *state)
{
	/* so that --load can be followed by what a shell expands */
	if (opt->nfiles) {
		add_text(arg, opt->files, &opt->nfiles, state);
	} else if (opt->experiment) {
		add_text(arg, opt->words, &opt->nwords, state);
	} else {
		opt->experiment = experiment_find(arg);
		if (!opt->experiment)
			argp_error(state,
				   "'%s' is no experiment; --list names them",
				   arg);
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct bench_options *opt = state->input;

	switch (key) {
	case 'r':
		add_text(arg, opt->routines, &opt->nroutines, state);
		return 0;
	case 's':
		add_bytes(arg, opt->sizes, &opt->nsizes, state);
		return 0;
	case 'o':
		add_bytes(arg, opt->offsets, &opt->noffsets, state);
		return 0;
	case 't':
		opt->seconds = bench_seconds(arg, state);
		return 0;
	case 'q':
		opt->quick = true;
		return 0;
	case 'l':
		opt->mode = LAB_LATENCY;
		return 0;
	case 'S':
		opt->seed = bench_seed(arg, state);
		return 0;
	case 'j':
		opt->json = true;
		return 0;
	case KEY_COPY:
		opt->op = LAB_COPY;
		return 0;
	case KEY_STUDY:
		opt->study = true;
		return 0;
	case KEY_SMALL:
		opt->small = true;
		return 0;
	case KEY_LOAD:
		add_text(arg, opt->files, &opt->nfiles, state);
		return 0;
	case KEY_PREFETCH:
		if (opt->nprefetches == BENCH_MOST)
			argp_error(state, "more than %d prefetches",
				   BENCH_MOST);
		opt->prefetches[opt->nprefetches++] =
			parse_prefetch(arg, state);
		return 0;
	case KEY_SPAN:
		opt->span = parse_span(arg, state);
		return 0;
	case KEY_ORDER:
		opt->order = parse_order(arg, state);
		return 0;
	case KEY_JITTER:
		opt->jitter = bench_bytes(arg, state);
		return 0;
	case KEY_MIX:
		opt->mix = arg;
		return 0;
	case KEY_PERIOD:
		opt->period = parse_period(arg, state);
		return 0;
	case KEY_FLUSH:
		opt->flush = true;
		return 0;
	case KEY_PAGES:
		opt->pages = parse_pages(arg, state);
		return 0;
	case KEY_CPU:
		opt->cpu = parse_cpu(arg, state);
		return 0;
	case KEY_BACKGROUND:
		opt->background = arg;
		return 0;
	case KEY_PAIR:
		opt->pair = parse_pair(arg, state);
		return 0;
	case KEY_COUNTERS:
		opt->events = arg ? parse_events(arg, state) : LAB_ALL_EVENTS;
		return 0;
	case KEY_AGAINST:
		opt->against = arg;
		return 0;
	case KEY_NARROW:
		opt->narrow = parse_percent(arg, state);
		return 0;
	case KEY_PLANTED:
		opt->planted =
			(unsigned)(1000 * parse_percent(arg, state) + 0.5);
		return 0;
	case KEY_COMPARE:
		opt->compare = arg;
		return 0;
	case KEY_CSV:
		opt->csv = true;
		return 0;
	case KEY_LIST:
		opt->list = true;
		return 0;
	case ARGP_KEY_ARG:
		take_word(arg, opt, state);
		return 0;
	case ARGP_KEY_SUCCESS:
		check_options(opt, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "What is measured:", 1 },
	{ "copy", KEY_COPY, NULL, 0, "Copies that sum, beside memcpy", 1 },
	{ "small", KEY_SMALL, NULL, 0,
	  "Small operations and alternatives to them: an update after two "
	  "bytes changed, a header; both in throughput and latency",
	  1 },
	{ "study", KEY_STUDY, NULL, 0,
	  "The routines kept for study as well, see `csum routines`", 1 },
	{ "load", KEY_LOAD, "FILE", 0,
	  "The routines of a shared object as well, see csum-plugin.h; more "
	  "files may follow",
	  1 },
	{ "routine", 'r', "NAME", 0,
	  "This one, of whatever kind; may be repeated (default: csum_partial "
	  "and all routines of the library that can run here)",
	  1 },
	{ "prefetch", KEY_PREFETCH, "POLICY[:LINES[:BYTES]][:nta]", 0,
	  "Every chosen routine that takes it once more, prefetching: ahead, "
	  "bounded, lead (LINES ahead, default 5), or above (ahead from BYTES "
	  "on, default 512); may be repeated",
	  1 },
	{ NULL, 0, NULL, 0, "On which bytes:", 2 },
	{ "size", 's', "N", 0,
	  "N bytes; may be repeated (default: 20 to 65536 in twelve steps)",
	  2 },
	{ "offset", 'o', "N", 0,
	  "Start N bytes after a page boundary; may be repeated (default: 0 "
	  "and 1)",
	  2 },
	{ "mix", KEY_MIX, "MIX|FILE", 0,
	  "Lengths in an order that is new in each sample: imix, 40, 576 and "
	  "1500 bytes as 7 to 4 to 1; ack, mostly acknowledgements; jumbo, "
	  "mostly 9000; uniform:LOW-HIGH, all from LOW to HIGH; or those of "
	  "the packets of a capture",
	  2 },
	{ "period", KEY_PERIOD, "N", 0,
	  "Let the lengths of the mix repeat after N, so that the branch "
	  "predictor can learn them",
	  2 },
	{ "span", KEY_SPAN, "BYTES|L2|L3|memory", 0,
	  "Let the calls go over so many bytes: 256M is beyond any cache "
	  "(default: all calls see the same bytes)",
	  2 },
	{ "order", KEY_ORDER, "ORDER", 0,
	  "How they go over the span: shuffled (default), random, "
	  "shuffled, random or random-even",
	  2 },
	{ "jitter", KEY_JITTER, "N", 0,
	  "Move each end up to N bytes inwards, at random", 2 },
	{ "flush", KEY_FLUSH, NULL, 0,
	  "Throw all of the span (default then: 4M) out of all caches before "
	  "each sample, and go over it once",
	  2 },
	{ "pages", KEY_PAGES, "ordinary|huge", 0,
	  "Which pages the bytes are on; says what was obtained", 2 },
	{ NULL, 0, NULL, 0, "How:", 3 },
	{ "cpu", KEY_CPU, "N", 0, "Stay on this CPU", 3 },
	{ "background", KEY_BACKGROUND, "stream|copy|COMMAND", 0,
	  "Meanwhile let another CPU read through memory, copy through it, or "
	  "run a command of the shell",
	  3 },
	{ "pair", KEY_PAIR, "PAIR", 0,
	  "Where that CPU is: same, sibling, shared-cache or other-cache "
	  "(default: the first that there is of shared-cache, other-cache, "
	  "sibling, same)",
	  3 },
	{ "counters", KEY_COUNTERS, "NAME,...", OPTION_ARG_OPTIONAL,
	  "Count events of the CPU too, after the timing (default: all): "
	  "cycles, instructions, branches...",
	  3 },
	{ "latency", 'l', NULL, 0,
	  "Make each call wait for the result of the last one", 3 },
	{ "time", 't', "SECONDS", 0, "Measure so long (default: about 15 s)",
	  3 },
	{ "quick", 'q', NULL, 0, "A rough look: about 3 s", 3 },
	{ "seed", 'S', "N", 0, "Seed of the data and of the order", 3 },
	{ NULL, 0, NULL, 0, "What comes of it:", 4 },
	{ "against", KEY_AGAINST, "NAME", 0,
	  "Compare the others with this one: faster, slower, or no difference "
	  "that shows.  With no other, with itself",
	  4 },
	{ "narrow", KEY_NARROW, "PERCENT", 0,
	  "Measure until each comparison is that sure, or the time is up", 4 },
	{ "compare", KEY_COMPARE, "OLD.json", 0,
	  "Mark what got worse since that run, beyond the noise of both; exit "
	  "status 1 if anything did",
	  4 },
	{ "json", 'j', NULL, 0, "Print JSON, with every sample", 4 },
	{ "csv", KEY_CSV, NULL, 0, "Print a line of figures for each row", 4 },
	{ "list", KEY_LIST, NULL, 0, "Name the experiments", 4 },
	{ "planted", KEY_PLANTED, "PERCENT", OPTION_HIDDEN,
	  "Slow the second copy down by so much, with --against alone", 4 },
	{ 0 },
};

static const struct argp argp = {
	options,
	parse,
	"\nEXPERIMENT [WORD...]",
	"Measure routines on this machine, with data in the cache.  Each is "
	"first checked against the model; if one is wrong, nothing is "
	"measured and the exit status is 2.  With an experiment: that instead, "
	"see --list."
	"\vThe row \"read\" is a loop that only reads the same bytes: no "
	"routine can be faster.  docs/METHOD.md explains the method, "
	"docs/BENCH-JSON.md the JSON.\n\nExamples: csum bench --quick --size "
	"1500\n"
	"          csum bench --copy --study --span memory --size 1500\n"
	"          csum bench --against avx2 --narrow 1 --mix imix\n"
	"          csum bench --load ./mine.so\n"
	"          csum bench module",
	NULL,
	NULL,
	NULL,
};

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

void bench_options_parse(struct bench_options *opt, int argc, char **argv)
{
	*opt = (struct bench_options){ .seed = (uint32_t)lab_now(),
				       .cpu = -1,
				       .pair = LAB_PAIRS };
	argp_parse(&argp, argc, argv, 0, NULL, opt);
	set_defaults(opt);
	note_command(opt, argc, argv);
}
