/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_fix.c - `csum fix`: the right checksums into a capture file. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "copy.h"
#include "decode_options.h"
#include "pass.h"
#include "words.h"

struct fix_options {
	struct walk_rules walk;
	struct repair_rules rules;
	const char *output;
	bool in_place, dry_run, report, lengths;
};

/* One file on its way. */
struct fix_run {
	const struct fix_options *opt;
	const char *name, *format;
	FILE *report; /* not where the capture goes */
	struct pass pass;
	struct rewrite *copy; /* once there is a packet */
	bool changed;	      /* by the packet that is being repaired */
};

/* --- the report -------------------------------------------------------- */

static void report_site(const struct fix_run *run, const struct finding *f)
{
	const struct site *s = f->site;
	const struct repaired *r = f->repaired;
	const int digits = 2 * (int)protocol_width(s->protocol);

	if (r->what == REPAIR_RIGHT || r->what == REPAIR_QUOTED)
		return;
	fprintf(run->report, "%s: frame %" PRIu64 ": %s ", run->name,
		s->in_fragments ? s->whole.frame : f->packet->frame,
		protocol_name(s->protocol));
	switch (r->what) {
	case REPAIR_DONE:
		fprintf(run->report, "%s: 0x%0*x, now 0x%0*x\n",
			verdict_name(r->was.verdict), digits, r->was.found,
			digits, r->now);
		break;
	case REPAIR_FOLLOWED:
		fprintf(run->report,
			"follows a change inside: 0x%0*x, now "
			"0x%0*x\n",
			digits, r->was.found, digits, r->now);
		break;
	case REPAIR_LEFT:
		fprintf(run->report, "%s: left 0x%0*x\n",
			verdict_name(r->was.verdict), digits, r->was.found);
		break;
	case REPAIR_UNKNOWN:
		fprintf(run->report, "cannot be known: %s\n",
			reason_text(r->was.reason));
		break;
	default:
		fprintf(run->report, "not repaired: out of reach\n");
		break;
	}
}

static void print_table(FILE *f, const struct sites_tally *t)
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
			any += t->repairs[p][columns[c].what];
		if (!any)
			continue;
		fprintf(f, "  %-8s", protocol_name(p));
		for (int c = 0; c < COLUMNS; c++)
			fprintf(f, " %10" PRIu64,
				t->repairs[p][columns[c].what]);
		fputc('\n', f);
	}
}

static void print_summary(const struct fix_run *run, bool whole)
{
	struct tally *t = run->pass.tally;
	const struct sites_tally *sites = &t->sites;
	const uint64_t repaired = tally_repairs(t, REPAIR_DONE);

	fprintf(run->report,
		"%s: %s, %" PRIu64 " packet%s%s, %" PRIu64 " checksum%s %s\n",
		run->name, run->format, sites->packets,
		sites->packets == 1 ? "" : "s",
		whole ? "" : " before the fault", repaired,
		repaired == 1 ? "" : "s",
		run->opt->dry_run ? "to repair" : "repaired");
	print_table(run->report, sites);
	if (sites->lengths)
		fprintf(run->report,
			"  lengths: filled in %" PRIu64 " packet%s\n",
			sites->lengths, sites->lengths == 1 ? "" : "s");
	for (int r = 0; r < REASON_COUNT; r++)
		if (sites->reasons[r])
			fprintf(run->report, "  unknown: %" PRIu64 " %s\n",
				sites->reasons[r], reason_text(r));
	tally_sort(t);
	print_edges(run->report, t);
}

/* --- the work ------------------------------------------------------------ */

static void report_finding(void *ctx, const struct finding *f)
{
	struct fix_run *run = ctx;

	run->changed |= repair_writes(f->repaired);
	if (run->opt->report)
		report_site(run, f);
}

static bool patch(void *ctx, uint64_t offset, const uint8_t *bytes, unsigned n)
{
	struct fix_run *run = ctx;

	run->changed = true;
	return rewrite_patch(run->copy, offset, bytes, n);
}

static bool fix_packet(void *ctx, struct rewrite *w,
		       const struct packet *packet)
{
	struct fix_run *run = ctx;
	struct pass *pass = &run->pass;
	const uint64_t lengths = pass->tally->sites.lengths;
	struct fragment_sums sums;

	run->copy = w;
	run->changed = false;
	if (pass_packet(pass, packet, rewrite_packet(w, packet), &sums))
		pass_fragment(pass, &sums);
	return run->changed || pass->tally->sites.lengths != lengths;
}

static uint64_t fix_waiting(const void *ctx)
{
	const struct fix_run *run = ctx;

	return fragments_waiting(run->pass.fragments);
}

/*
 * Whether everything that was asked for has been done.  What is encrypted or
 * compressed has no checksum to ask for.
 */
static bool all_done(const struct tally *t)
{
	return tally_repairs(t, REPAIR_UNKNOWN) ==
		       t->sites.reasons[REASON_ENCRYPTED] +
			       t->sites.reasons[REASON_COMPRESSED] &&
	       !tally_unknown_links(t) && !tally_repairs(t, REPAIR_PASSED);
}

static int fix_copy(struct fix_run *run, const struct copy *copy)
{
	enum copied copied = copy_capture(copy, &run->format);

	if (copied == COPY_FAILED)
		return EXIT_TROUBLE;
	pass_flush(&run->pass);
	print_summary(run, copied == COPY_WHOLE);
	if (copied == COPY_DAMAGED)
		return EXIT_TROUBLE;
	return all_done(run->pass.tally) ? EXIT_CLEAN : EXIT_BAD_SUMS;
}

static int fix_file(const void *options, const char *file)
{
	const struct fix_options *opt = options;
	struct fix_run run = {
		.opt = opt,
		.name = input_name(file),
		.report = stdout,
		.pass = {
			.crc = &crc_by_libraries,
			.rules = rules_or_none(&opt->walk),
			.repair = &opt->rules,
			.lengths = opt->lengths,
			.site = report_finding,
			.patch = patch,
			.context = &run,
			.tally = tally_new(),
		},
	};
	const struct copy copy = {
		.input = file,
		.output = opt->dry_run ? NULL : opt->output,
		.in_place = opt->in_place && !opt->dry_run,
		.packet = fix_packet,
		.waiting = fix_waiting,
		.ctx = &run,
	};
	int status;

	if (copy.output && strcmp(copy.output, "-") == 0)
		run.report = stderr;
	status = run.pass.tally && pass_gather(&run.pass)
			 ? fix_copy(&run, &copy)
			 : trouble("out of memory");
	pass_end(&run.pass);
	free(run.pass.tally);
	return status;
}

/* --- the command line ------------------------------------------------------
 */

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct fix_options *opt = state->input;
	const char *wrong = NULL;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &opt->walk;
		return 0;
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

static const struct argp_child children[] = { { &decode_argp, 0, NULL, 3 },
					      { 0 } };

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
	children,
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
