/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_break.c - `csum break`: wrong checksums, on purpose. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "copy.h"
#include "judge.h"
#include "progress.h"
#include "splitmix.h"
#include "why.h"
#include "words.h"

/* Besides the mistakes of why.h: one bit, or any other value. */
enum how { HOW_FLIP = CAUSE_COUNT, HOW_RANDOM, HOW_COUNT };

struct break_options {
	bool protocols[PROTO_COUNT];
	bool how[HOW_COUNT];
	double share;
	uint64_t seed;
	const char *output;
	bool in_place;
};

/* One file on its way. */
struct break_run {
	const struct break_options *opt;
	const char *name;
	FILE *report; /* not where the capture goes */
	uint64_t random;
	uint64_t packets, right, broken;
};

/* The mistakes that can be made, not only recognised; and the two others. */
static const unsigned ways[] = {
	CAUSE_OFFLOAD,	 CAUSE_LARGE_SEND,   CAUSE_ZEROS,
	CAUSE_LEFT_ZERO, CAUSE_NO_SUM,	     CAUSE_FILLED,
	CAUSE_SWAPPED,	 CAUSE_COMPLEMENT,   CAUSE_NO_PSEUDO,
	CAUSE_PSEUDO,	 CAUSE_PSEUDO_TWICE, CAUSE_LENGTH,
	CAUSE_PROTOCOL,	 CAUSE_DESTINATION,  CAUSE_SOURCE,
	CAUSE_ODD_SIDE,	 CAUSE_ODD_LEFT_OUT, CAUSE_TRAILER,
	CAUSE_OPTIONS,	 CAUSE_CARRY,	     HOW_FLIP,
	HOW_RANDOM,
};

enum { WAYS = sizeof(ways) / sizeof(*ways) };

static const char *how_name(unsigned how)
{
	if (how == HOW_FLIP)
		return "flip";
	return how == HOW_RANDOM ? "random" : cause_name(how);
}

static const char *way_word(int i)
{
	return i < WAYS ? how_name(ways[i]) : NULL;
}

/* --- chance ------------------------------------------------------------------
 */

static bool chosen(struct break_run *run)
{
	return (double)(splitmix64(&run->random) >> 11) <
	       ldexp(run->opt->share, 53);
}

/* --- what to write -----------------------------------------------------------
 */

struct choice {
	unsigned how;
	uint32_t value;
};

/*
 * Whether @value is what `csum fix` will put right again.  It leaves a 0 that
 * means absent, and cannot see an ICMP extension that is only known by its
 * right checksum (RFC 4884, section 5.5).
 */
static bool is_wrong(const struct packet *packet, const struct walk *walk,
		     unsigned i, uint8_t *frame, uint32_t value)
{
	const struct site *s = &walk->sites[i];
	const uint32_t was = check_site(s, frame).found;
	struct check c = { .verdict = VERDICT_GOOD };
	struct walk again;

	site_store(s, frame, value);
	walk_packet(packet, &again);
	if (again.count == walk->count && again.sites[i].field == s->field)
		c = check_site(&again.sites[i], frame);
	site_store(s, frame, was);
	return (c.verdict == VERDICT_BAD || c.verdict == VERDICT_PARTIAL) &&
	       c.note != NOTE_ZERO_ILLEGAL;
}

static unsigned list_choices(struct break_run *run, const struct packet *packet,
			     const struct site *s, struct choice *list)
{
	const unsigned bits = 8 * site_width(s);
	const uint32_t right = check_site(s, packet->data).expected;
	struct why mistakes[WHY_MAX];
	unsigned n = why_mistakes(packet, s, mistakes), used = 0;

	for (unsigned i = 0; i < n; i++)
		list[used++] =
			(struct choice){ mistakes[i].cause, mistakes[i].value };
	list[used++] = (struct choice){
		HOW_FLIP, right ^ (uint32_t)1 << splitmix64(&run->random) % bits
	};
	list[used++] = (struct choice){
		HOW_RANDOM, (uint32_t)(splitmix64(&run->random) >> (64 - bits))
	};
	return used;
}

static bool choose_mistake(struct break_run *run, const struct packet *packet,
			   const struct walk *walk, unsigned site,
			   uint8_t *frame, struct choice *choice)
{
	struct choice list[WHY_MAX + HOW_COUNT - CAUSE_COUNT];
	unsigned n = list_choices(run, packet, &walk->sites[site], list);
	unsigned left = 0;

	for (unsigned i = 0; i < n; i++)
		if (run->opt->how[list[i].how] &&
		    is_wrong(packet, walk, site, frame, list[i].value))
			list[left++] = list[i];
	if (left)
		*choice = list[splitmix64(&run->random) % left];
	return left > 0;
}

/* --- packets -----------------------------------------------------------------
 */

/*
 * Right in the one way that a sender would have written, so that a repair comes
 * back to it: 0xffff can be good where 0 would be sent.
 */
static bool is_canonical(const struct check *c)
{
	return c->verdict == VERDICT_GOOD && c->found == c->expected &&
	       !right_by_other_rule(c);
}

/* A change inside @o makes it follow; it would not come back to what it was. */
static bool is_pinned(const struct walk *walk, const struct check *was,
		      unsigned i)
{
	for (unsigned o = 0; o < i; o++)
		if (was[o].verdict == VERDICT_GOOD && !is_canonical(&was[o]))
			return true;
	return walk->sites[i].class != SITE_REAL || !is_canonical(&was[i]);
}

static bool break_sites(struct break_run *run, const struct packet *packet,
			uint8_t *frame)
{
	struct check was[WALK_SITES];
	bool changed = false;
	struct walk walk;

	walk_packet(packet, &walk);
	run->packets++;
	judge_packet(&walk, frame, was);
	for (unsigned i = walk.count; i-- > 0;) {
		const struct site *s = &walk.sites[i];
		struct choice choice;
		struct check c;

		if (is_pinned(&walk, was, i))
			continue;
		/* what has been broken inside it does not make it wrong */
		if (changed)
			site_store(s, frame, check_site(s, frame).expected);
		if (!run->opt->protocols[s->protocol])
			continue;
		run->right++;
		if (!chosen(run) ||
		    !choose_mistake(run, packet, &walk, i, frame, &choice))
			continue;
		c = check_site(s, frame);
		site_store(s, frame, choice.value);
		progress_before_output();
		fprintf(run->report,
			"%s: frame %" PRIu64 ": %s at offset %" PRIu64
			": 0x%0*x, now 0x%0*x (%s)\n",
			run->name, packet->frame, protocol_name(s->protocol),
			packet->offset + s->field, 2 * (int)site_width(s),
			c.found, 2 * (int)site_width(s), choice.value,
			how_name(choice.how));
		run->broken++;
		changed = true;
	}
	return changed;
}

static bool break_packet(void *ctx, struct rewrite *w,
			 const struct packet *packet)
{
	struct packet here = *packet;

	here.crc = &crc_by_libraries;
	return break_sites(ctx, &here, rewrite_packet(w, packet));
}

static int break_file(const void *options, const char *file)
{
	const struct break_options *opt = options;
	const bool to_stdout = opt->output && strcmp(opt->output, "-") == 0;
	struct break_run run = {
		.opt = opt,
		.name = shown_name(file),
		.report = to_stdout ? stderr : stdout,
		.random = opt->seed,
	};
	const struct copy copy = {
		.input = file,
		.output = opt->output,
		.in_place = opt->in_place,
		.packet = break_packet,
		.ctx = &run,
	};
	char format[80];
	enum copied copied = copy_capture(&copy, format, sizeof(format));

	if (copied == COPY_FAILED)
		return EXIT_TROUBLE;
	fprintf(run.report,
		"%s: %s, %" PRIu64 " packets, %" PRIu64 " of %" PRIu64
		" right checksums broken, seed %" PRIu64 "\n",
		run.name, format, run.packets, run.broken, run.right,
		opt->seed);
	return copied == COPY_WHOLE ? EXIT_CLEAN : EXIT_TROUBLE;
}

/* --- the command line --------------------------------------------------------
 */

static bool take_how(const struct option_use *use)
{
	struct break_options *opt = use->options;
	struct option_use words_use = *use;
	bool chosen[WAYS];

	words_use.target = chosen;
	if (!option_words(&words_use))
		return false;
	for (int i = 0; i < WAYS; i++)
		opt->how[ways[i]] = chosen[i];
	return true;
}

#define AT(field) OPTION_AT(break_options, field)

static const struct option_row rows[] = {
	{ .name = "output",
	  .letter = 'o',
	  .arg = "OUT",
	  .files = true,
	  .take = option_text,
	  .target = AT(output),
	  .help = "Write to OUT; - is standard output" },
	{ .name = "in-place",
	  .letter = 'i',
	  .take = option_flag,
	  .target = AT(in_place),
	  .help = "Replace each FILE" },
	{ .name = "share",
	  .letter = 's',
	  .arg = "PERCENT",
	  .take = option_share,
	  .target = AT(share),
	  .help = "How many of those that are right (default: 10%)" },
	{ .name = "seed",
	  .letter = 'S',
	  .arg = "N",
	  .take = option_number,
	  .target = AT(seed),
	  .help = "Other ones for every N (default: 1)" },
	{ .name = "how",
	  .letter = 'w',
	  .arg = "WAY,...",
	  .take = take_how,
	  .words = way_word,
	  .help = "In which ways (default: all), such as `csum explain` can "
		  "recognise, one flipped bit, or any value: {}" },
	{ .name = "protocol",
	  .letter = 'p',
	  .arg = "NAME,...",
	  .take = option_words,
	  .target = AT(protocols),
	  .words = protocol_word,
	  .help = "Only these (default: all): {}" },
	{ 0 },
};

const struct command_line break_line = {
	.usage = "FILE -o OUT\n--in-place FILE...",
	.what = "Make a share of the right checksums in the capture FILE (- is "
		"standard input) wrong, to test what is said to find or "
		"repair them.",
	.rows = rows,
	.more = "Only what is right is broken, and nothing but checksums is "
		"changed: `csum fix` gives the original back, byte for byte, "
		"if all of it was right.  A checksum around a broken one "
		"stays right.  The same FILE, options and seed give the same "
		"output.  Each change has a line with its offset in FILE, the "
		"old value and the new one.\n\n"
		"Exit status: 0, or 2 if a FILE is not readable or not "
		"whole.\n\n"
		"Example: csum break good.pcap -o bad.pcap --share 50% --how "
		"swap",
};

int cmd_break(int argc, char **argv)
{
	struct break_options opt = { .share = 0.1, .seed = 1 };
	int first, status;

	memset(opt.protocols, true, sizeof(opt.protocols));
	memset(opt.how, true, sizeof(opt.how));
	status = options_parse(&break_line, argc, argv, &opt, &first);
	if (status != OPTIONS_TAKEN)
		return status;
	if (opt.in_place == (opt.output != NULL))
		return options_wrong(argv, "say where to write: -o OUT or "
					   "--in-place");
	if (opt.output && argc - first > 1)
		return options_wrong(argv, "one FILE for one OUT");
	if (opt.in_place && first == argc)
		return options_wrong(argv, "--in-place needs a FILE");
	return each_file(first, argc, argv, break_file, &opt);
}
