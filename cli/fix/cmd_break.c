/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_break.c - `csum break`: wrong checksums, on purpose. */
#include <argp.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "copy.h"
#include "judge.h"
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

static const char *how_word(int how)
{
	switch (how) {
	case HOW_FLIP:
		return "flip";
	case HOW_RANDOM:
		return "random";
	case HOW_COUNT:
		return NULL;
	default:
		return cause_name(how);
	}
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
	const unsigned bits = 8 * protocol_width(s->protocol);
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

static bool choose(struct break_run *run, const struct packet *packet,
		   const struct walk *walk, unsigned site, uint8_t *frame,
		   struct choice *choice)
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
	return walk->sites[i].class != SITE_REAL ||
	       walk->sites[i].in_fragments || !is_canonical(&was[i]);
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
		    !choose(run, packet, &walk, i, frame, &choice))
			continue;
		c = check_site(s, frame);
		site_store(s, frame, choice.value);
		fprintf(run->report,
			"%s: frame %" PRIu64 ": %s at offset %" PRIu64
			": 0x%0*x, now 0x%0*x (%s)\n",
			run->name, packet->frame, protocol_name(s->protocol),
			packet->offset + s->field,
			2 * (int)protocol_width(s->protocol), c.found,
			2 * (int)protocol_width(s->protocol), choice.value,
			how_word((int)choice.how));
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
		.name = input_name(file),
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
	const char *format;
	enum copied copied = copy_capture(&copy, &format);

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

static double parse_share(const char *text, struct argp_state *state)
{
	char *end;
	double share = strtod(text, &end);

	if (*end == '%')
		end++;
	if (end == text || *end || !(share >= 0 && share <= 100))
		argp_error(state, "'%s' is not a share such as 10%%", text);
	return share / 100;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct break_options *opt = state->input;
	const char *wrong = NULL;

	switch (key) {
	case 'o':
		opt->output = arg;
		return 0;
	case 'i':
		opt->in_place = true;
		return 0;
	case 's':
		opt->share = parse_share(arg, state);
		return 0;
	case 'S':
		if (!parse_size(arg, &opt->seed))
			argp_error(state, "'%s' is not a number", arg);
		return 0;
	case 'w':
		wrong = parse_words(arg, how_word, opt->how);
		break;
	case 'p':
		wrong = parse_words(arg, protocol_word, opt->protocols);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	if (wrong)
		argp_error(state, "'%s' is none of its words", wrong);
	return 0;
}

static const struct argp_option options[] = {
	{ "output", 'o', "OUT", 0, "Write to OUT; - is standard output", 0 },
	{ "in-place", 'i', NULL, 0, "Replace each FILE", 0 },
	{ "share", 's', "PERCENT", 0,
	  "How many of those that are right (default: 10%)", 0 },
	{ "seed", 'S', "N", 0, "Other ones for every N (default: 1)", 0 },
	{ "how", 'w', "WAY,...", 0, "In which ways (default: all)", 0 },
	{ "protocol", 'p', "NAME,...", 0,
	  "Only these: ipv4, tcp, udp... (default: all)", 0 },
	{ 0 },
};

static const struct argp argp = {
	options,
	parse,
	"FILE -o OUT\n--in-place FILE...",
	"Make a share of the right checksums in the capture FILE (- is "
	"standard "
	"input) wrong, to test what is said to find or repair them."
	"\vOnly what is right is broken, and nothing but checksums is changed: "
	"`csum fix` gives the original back, byte for byte, if all of it was "
	"right.  A checksum around a broken one stays right.  The same FILE, "
	"options and seed give the same output.  Each change has a line with "
	"its offset in FILE, the old value and the new one.\n\n"
	"The ways are what `csum explain` can recognise (offload, large-send, "
	"zeros, zero, swap, complement, no-pseudo, pseudo, pseudo-twice, "
	"length, protocol, destination, source, odd-side, odd-byte, trailer, "
	"options, carry), one flipped bit (flip), and any value (random).\n\n"
	"Exit status: 0, or 2 if a FILE is not readable or not whole.\n\n"
	"Example: csum break good.pcap -o bad.pcap --share 50% --how swap",
	NULL,
	NULL,
	NULL,
};

int cmd_break(int argc, char **argv)
{
	struct break_options opt = { .share = 0.1, .seed = 1 };
	int first;

	memset(opt.protocols, true, sizeof(opt.protocols));
	memset(opt.how, true, sizeof(opt.how));
	argp_parse(&argp, argc, argv, 0, &first, &opt);
	if (opt.in_place == (opt.output != NULL))
		return trouble("break: say where to write: -o OUT or "
			       "--in-place");
	if (opt.output && argc - first > 1)
		return trouble("break: one FILE for one OUT");
	if (opt.in_place && first == argc)
		return trouble("break: --in-place needs a FILE");
	return each_file(first, argc, argv, break_file, &opt);
}
