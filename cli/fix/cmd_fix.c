/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_fix.c - `csum fix`: the right checksums into a capture file. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "copy.h"
#include "fragments.h"
#include "repair.h"
#include "words.h"

enum { EDGE_NUMBERS = 1 << 16 };

struct fix_options {
	struct repair_rules rules;
	const char *output;
	bool in_place, dry_run, report, lengths;
};

/* What was done in one file. */
struct fixed {
	uint64_t packets, lengths;
	uint64_t sites[PROTO_COUNT][REPAIR_COUNT];
	uint64_t reasons[REASON_COUNT];
	uint64_t edges[EDGE_COUNT][EDGE_NUMBERS];
};

/* One file on its way. */
struct job {
	const struct fix_options *opt;
	const char *name, *format;
	FILE *report; /* not where the capture goes */
	struct fixed *fixed;
	struct fragments *fragments;
	struct rewrite *copy; /* once there is a packet */
	bool changed;	      /* by it */
};

static uint64_t total_of(const struct fixed *f, enum repair what)
{
	uint64_t n = 0;

	for (int p = 0; p < PROTO_COUNT; p++)
		n += f->sites[p][what];
	return n;
}

/* --- the report -------------------------------------------------------- */

static void report_site(const struct job *j, uint64_t frame,
			const struct site *s, const struct repaired *r)
{
	const int digits = 2 * (int)protocol_width(s->protocol);

	if (r->what == REPAIR_RIGHT || r->what == REPAIR_QUOTED)
		return;
	fprintf(j->report, "%s: frame %" PRIu64 ": %s ", j->name,
		s->in_fragments ? s->whole.frame : frame,
		protocol_name(s->protocol));
	switch (r->what) {
	case REPAIR_DONE:
		fprintf(j->report, "%s: 0x%0*x, now 0x%0*x\n",
			verdict_name(r->was.verdict), digits, r->was.found,
			digits, r->now);
		break;
	case REPAIR_FOLLOWED:
		fprintf(j->report,
			"follows a change inside: 0x%0*x, now "
			"0x%0*x\n",
			digits, r->was.found, digits, r->now);
		break;
	case REPAIR_LEFT:
		fprintf(j->report, "%s: left 0x%0*x\n",
			verdict_name(r->was.verdict), digits, r->was.found);
		break;
	case REPAIR_UNKNOWN:
		fprintf(j->report, "cannot be known: %s\n",
			reason_text(s->reason));
		break;
	default:
		fprintf(j->report, "not repaired: out of reach\n");
		break;
	}
}

static void print_edge(FILE *f, enum edge edge, unsigned number,
		       uint64_t packets)
{
	char text[80];

	edge_text(edge, number, text, sizeof(text));
	fprintf(f, "  not looked into: %" PRIu64 " packet%s %s\n", packets,
		packets == 1 ? "" : "s", text);
}

static void print_table(FILE *f, const struct fixed *fixed)
{
	static const struct {
		enum repair what;
		const char *head;
	} columns[] = {
		{ REPAIR_RIGHT, "right" },	 { REPAIR_DONE, "repaired" },
		{ REPAIR_FOLLOWED, "followed" }, { REPAIR_LEFT, "left" },
		{ REPAIR_UNKNOWN, "unknown" },	 { REPAIR_PASSED, "passed" },
	};
	enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

	fprintf(f, "%10s", "");
	for (int c = 0; c < COLUMNS; c++)
		fprintf(f, " %10s", columns[c].head);
	fputc('\n', f);
	for (int p = 0; p < PROTO_COUNT; p++) {
		uint64_t any = 0;

		for (int c = 0; c < COLUMNS; c++)
			any += fixed->sites[p][columns[c].what];
		if (!any)
			continue;
		fprintf(f, "  %-8s", protocol_name(p));
		for (int c = 0; c < COLUMNS; c++)
			fprintf(f, " %10" PRIu64,
				fixed->sites[p][columns[c].what]);
		fputc('\n', f);
	}
}

static void print_summary(const struct job *j, bool whole)
{
	const struct fixed *f = j->fixed;

	fprintf(j->report,
		"%s: %s, %" PRIu64 " packet%s%s, %" PRIu64 " checksum%s %s\n",
		j->name, j->format, f->packets, f->packets == 1 ? "" : "s",
		whole ? "" : " before the fault", total_of(f, REPAIR_DONE),
		total_of(f, REPAIR_DONE) == 1 ? "" : "s",
		j->opt->dry_run ? "to repair" : "repaired");
	print_table(j->report, f);
	if (f->lengths)
		fprintf(j->report,
			"  lengths: filled in %" PRIu64 " packet%s\n",
			f->lengths, f->lengths == 1 ? "" : "s");
	for (int r = 0; r < REASON_COUNT; r++)
		if (f->reasons[r])
			fprintf(j->report, "  unknown: %" PRIu64 " %s\n",
				f->reasons[r], reason_text(r));
	for (int e = EDGE_NONE + 1; e < EDGE_COUNT; e++)
		for (int i = 0; i < EDGE_NUMBERS; i++)
			if (f->edges[e][i])
				print_edge(j->report, e, (unsigned)i,
					   f->edges[e][i]);
}

/* --- the work ------------------------------------------------------------ */

static void count(struct job *j, uint64_t frame, const struct site *s,
		  const struct repaired *r)
{
	j->fixed->sites[s->protocol][r->what]++;
	if (r->what == REPAIR_UNKNOWN)
		j->fixed->reasons[s->reason]++;
	if (j->opt->report)
		report_site(j, frame, s, r);
}

/*
 * The field, and those around it, from the front on: if one is out of reach, it
 * is the first, and nothing is changed.
 */
static bool patch_message(struct job *j, struct site *s, uint32_t now)
{
	const unsigned width = protocol_width(s->protocol);
	uint8_t bytes[4];

	j->changed = true;
	if (width == 2)
		repair_around(&s->whole, now);
	for (unsigned i = 0; i < s->whole.naround; i++) {
		const struct around *a = &s->whole.around[i];

		memcpy(bytes, &a->value, 2);
		if (!rewrite_patch(j->copy, a->field, bytes, 2))
			return false;
	}
	for (unsigned i = 0; i < width; i++)
		bytes[i] = (uint8_t)(now >> (8 * (width - 1 - i)));
	return rewrite_patch(j->copy, s->whole.offset, bytes, width);
}

/* A message in fragments, whose field is in a packet that has gone by. */
static void fix_message(void *ctx, uint64_t frame, struct site *s)
{
	struct job *j = ctx;
	struct repaired r;

	repair_message(&j->opt->rules, s, &r);
	if (repair_writes(&r) && !patch_message(j, s, r.now))
		r.what = REPAIR_PASSED;
	count(j, frame, s, &r);
	if (repair_writes(&r))
		s->whole.found = r.now;
}

static bool fix_packet(void *ctx, struct rewrite *w,
		       const struct packet *packet)
{
	struct job *j = ctx;
	uint8_t *frame = rewrite_packet(w, packet);
	struct repaired repaired[WALK_SITES];
	struct fragment_sums sums;
	struct walk walk;

	j->copy = w;
	j->changed = false;
	walk_packet(packet, &walk);
	if (walk.has_fragment)
		fragment_take(packet, &walk, &sums);
	if (j->opt->lengths && repair_lengths(packet, &walk, frame)) {
		j->fixed->lengths++;
		j->changed = true;
		walk_packet(packet, &walk);
	}
	repair_packet(&j->opt->rules, &walk, frame, repaired);
	j->fixed->packets++;
	j->fixed->edges[walk.edge][walk.edge_number]++;
	for (unsigned i = 0; i < walk.count; i++) {
		const struct site *s = &walk.sites[i];

		/* an open one counts when its message is complete, or is not */
		if (s->open)
			continue;
		j->changed |= repaired[i].what == REPAIR_DONE;
		count(j, packet->frame, s, &repaired[i]);
	}
	if (walk.has_fragment) {
		fragment_repaired(packet, &walk, &sums);
		fragments_add(j->fragments, &sums);
	}
	return j->changed;
}

static uint64_t fix_waiting(const void *ctx)
{
	const struct job *j = ctx;

	return fragments_waiting(j->fragments);
}

/*
 * Whether everything that was asked for has been done.  What is encrypted or
 * compressed has no checksum to ask for.
 */
static bool all_done(const struct fixed *f)
{
	uint64_t unknown = total_of(f, REPAIR_UNKNOWN) -
			   f->reasons[REASON_ENCRYPTED] -
			   f->reasons[REASON_COMPRESSED];

	for (int i = 0; i < EDGE_NUMBERS; i++)
		unknown += f->edges[EDGE_LINKTYPE][i];
	return !unknown && !total_of(f, REPAIR_PASSED);
}

static int fix_copy(struct job *j, const struct copy *copy)
{
	enum copied copied = copy_capture(copy, &j->format);

	if (copied == COPY_FAILED)
		return EXIT_TROUBLE;
	fragments_flush(j->fragments);
	print_summary(j, copied == COPY_WHOLE);
	if (copied == COPY_DAMAGED)
		return EXIT_TROUBLE;
	return all_done(j->fixed) ? EXIT_CLEAN : EXIT_BAD_SUMS;
}

static int fix_file(const void *options, const char *file)
{
	const struct fix_options *opt = options;
	struct job job = {
		.opt = opt,
		.name = input_name(file),
		.report = stdout,
		.fixed = calloc(1, sizeof(*job.fixed)),
	};
	const struct copy copy = {
		.input = file,
		.output = opt->dry_run ? NULL : opt->output,
		.in_place = opt->in_place && !opt->dry_run,
		.packet = fix_packet,
		.waiting = fix_waiting,
		.ctx = &job,
	};
	int status;

	job.fragments = fragments_new(fix_message, &job);
	if (copy.output && strcmp(copy.output, "-") == 0)
		job.report = stderr;
	status = job.fixed && job.fragments ? fix_copy(&job, &copy)
					    : trouble("out of memory");
	fragments_free(job.fragments);
	free(job.fixed);
	return status;
}

/* --- the command line ------------------------------------------------------
 */

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct fix_options *opt = state->input;
	const char *wrong = NULL;

	switch (key) {
	case 'o':
		opt->output = arg;
		return 0;
	case 'i':
		opt->in_place = true;
		return 0;
	case 'n':
		opt->dry_run = true;
		return 0;
	case 'l':
		opt->lengths = true;
		return 0;
	case 'r':
		opt->report = true;
		return 0;
	case 'p':
		wrong = parse_words(arg, protocol_word, opt->rules.protocols);
		break;
	case 'v':
		wrong = parse_words(arg, verdict_word, opt->rules.verdicts);
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
	{ "in-place", 'i', NULL, 0,
	  "Replace each FILE by its repaired copy, at once when that is whole "
	  "and on the disk",
	  0 },
	{ "dry-run", 'n', NULL, 0, "Write nothing, say what would be done", 0 },
	{ "lengths", 'l', NULL, 0,
	  "Fill in IP and UDP lengths of 0, as large sends have them", 0 },
	{ "report", 'r', NULL, 0,
	  "A line for every checksum that was not right", 0 },
	{ "protocol", 'p', "NAME,...", 0,
	  "Only these: ipv4, tcp, udp... (default: all)", 0 },
	{ "verdict", 'v', "WORD,...", 0,
	  "What to repair: bad, partial, absent (default: bad,partial)", 0 },
	{ 0 },
};

static const struct argp argp = {
	options,
	parse,
	"FILE -o OUT\n--in-place FILE...",
	"Write the right value into every checksum that is bad, or was left "
	"for the network card to finish (partial), in the capture FILE (pcap "
	"or pcapng; - is standard input).  All other bytes stay as they are."
	"\vAn absent checksum stays absent, a UDP checksum of 0 over IPv6 as "
	"well; --verdict=bad,partial,absent fills them in.  Packets quoted in "
	"ICMP errors and sFlow samples are not touched.  What lies behind "
	"damage in FILE is "
	"copied as it is.\n\n"
	"Exit status: 0 all that was asked for is right now, 1 something could "
	"not be known or repaired, 2 a FILE is not readable or not whole.\n\n"
	"Example: tcpdump -w - | csum fix - -o - | tshark -r -",
	NULL,
	NULL,
	NULL,
};

int cmd_fix(int argc, char **argv)
{
	struct fix_options opt = { .rules.verdicts = {
					   [VERDICT_BAD] = true,
					   [VERDICT_PARTIAL] = true,
				   } };
	int first;

	memset(opt.rules.protocols, true, sizeof(opt.rules.protocols));
	argp_parse(&argp, argc, argv, 0, &first, &opt);
	if (opt.in_place && opt.output)
		return trouble("fix: --in-place or -o, not both");
	if (!opt.in_place && !opt.output && !opt.dry_run)
		return trouble("fix: say where to write: -o OUT, --in-place "
			       "or --dry-run");
	if (opt.output && argc - first > 1)
		return trouble("fix: one FILE for one OUT");
	if (opt.in_place && first == argc)
		return trouble("fix: --in-place needs a FILE");
	return each_file(first, argc, argv, fix_file, &opt);
}
