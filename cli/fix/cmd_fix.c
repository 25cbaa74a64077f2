/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_fix.c - `csum fix`: the right checksums into a capture file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "copy.h"
#include "decode_options.h"
#include "original.h"
#include "pass.h"
#include "progress.h"
#include "words.h"

struct fix_options {
	struct walk_rules walk;
	struct repair_rules rules;
	const char *output;
	const char *like; /* the original, or NULL */
	bool in_place, dry_run, report, lengths;
	unsigned form; /* enum form */
};

/* One file on its way. */
struct fix_run {
	const struct fix_options *opt;
	const char *name;
	char format[80]; /* see reader_describe() */
	FILE *report;	 /* not where the capture goes */
	struct pass pass;
	struct rewrite *copy;	   /* once there is a packet */
	bool changed;		   /* by the packet that is being repaired */
	struct original *original; /* or NULL */
	bool unlike; /* the original ended before, or is damaged */
};

/* --- the report -------------------------------------------------------- */

static void report_site(const struct fix_run *run, const struct finding *f)
{
	const struct site *s = f->site;
	const struct repaired *r = f->repaired;
	const int digits = 2 * (int)site_width(s);

	if (r->what == REPAIR_RIGHT || r->what == REPAIR_QUOTED)
		return;
	progress_before_output();
	fprintf(run->report, "%s: frame %" PRIu64 ": %s ", run->name,
		f->field_frame ? f->field_frame : f->packet->frame,
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
	case REPAIR_REFUSED:
		fprintf(run->report, "%s: left 0x%0*x\n",
			verdict_name(r->was.verdict), digits, r->was.found);
		break;
	case REPAIR_KEPT:
		fprintf(run->report, "to be as it was: 0x%0*x, now 0x%0*x\n",
			digits, r->was.found, digits, r->now);
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

/* In the column of what is left stands what is refused, too. */
static uint64_t cell(const struct sites_tally *t, int p, enum repair what)
{
	return t->repairs[p][what] +
	       (what == REPAIR_LEFT ? t->repairs[p][REPAIR_REFUSED] : 0);
}

/* @like: with what is kept as it was in an original. */
static void print_table(FILE *f, const struct sites_tally *t, bool like)
{
	static const struct {
		enum repair what;
		const char *head;
	} columns[] = {
		{ REPAIR_RIGHT, "right" },	 { REPAIR_DONE, "repaired" },
		{ REPAIR_FOLLOWED, "followed" }, { REPAIR_LEFT, "left" },
		{ REPAIR_UNKNOWN, "unknown" },	 { REPAIR_PASSED, "passed" },
		{ REPAIR_KEPT, "kept" },
	};
	const int COLUMNS = (int)(sizeof(columns) / sizeof(*columns)) - !like;

	fprintf(f, "%10s", "");
	for (int c = 0; c < COLUMNS; c++)
		fprintf(f, " %10s", columns[c].head);
	fputc('\n', f);
	for (int p = 0; p < PROTO_COUNT; p++) {
		uint64_t any = 0;

		for (int c = 0; c < COLUMNS; c++)
			any += cell(t, p, columns[c].what);
		if (!any)
			continue;
		fprintf(f, "  %-8s", protocol_name(p));
		for (int c = 0; c < COLUMNS; c++)
			fprintf(f, " %10" PRIu64, cell(t, p, columns[c].what));
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
	print_table(run->report, sites, run->opt->like);
	if (sites->lengths)
		fprintf(run->report,
			"  lengths: filled in %" PRIu64 " packet%s\n",
			sites->lengths, sites->lengths == 1 ? "" : "s");
	if (sites->snapped)
		fprintf(run->report,
			"  snapped: %" PRIu64 " checksum%s, as if what was cut "
			"off were zeros\n",
			sites->snapped, sites->snapped == 1 ? "" : "s");
	if (tally_repairs(t, REPAIR_REFUSED))
		fprintf(run->report,
			"  left bad: %" PRIu64 " UDP over IPv6 without a "
			"checksum; --verdict=bad,absent fills them in\n",
			tally_repairs(t, REPAIR_REFUSED));
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

	run->copy = w;
	run->changed = false;
	if (run->original &&
	    !original_next(run->original, run->name, packet->frame)) {
		run->unlike = true;
		return false;
	}
	pass_fragment(pass,
		      pass_packet(pass, packet, rewrite_packet(w, packet)));
	return run->changed || pass->tally->sites.lengths != lengths;
}

static uint64_t fix_waiting(const void *ctx)
{
	const struct fix_run *run = ctx;

	return fragments_waiting(run->pass.fragments);
}

static const struct likeness *fix_like(void *ctx, bool message)
{
	const struct fix_run *run = ctx;

	return original_like(run->original, message);
}

static bool fix_stop(const void *ctx)
{
	const struct fix_run *run = ctx;

	return run->unlike || run->pass.unlike[0];
}

static bool fix_end(void *ctx, bool whole)
{
	struct fix_run *run = ctx;

	if (run->pass.out_of_memory)
		trouble("%s: out of memory", run->name);
	else if (run->pass.unlike[0])
		trouble("%s: frame %" PRIu64 " is not that of %s: %s",
			run->name, run->pass.packet.frame, run->opt->like,
			run->pass.unlike);
	else if (!run->unlike)
		return !run->original || !whole ||
		       original_ended(run->original, run->name,
				      run->pass.tally->sites.packets);
	return false;
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
	       !tally_unknown_links(t) && !tally_repairs(t, REPAIR_PASSED) &&
	       !tally_repairs(t, REPAIR_REFUSED);
}

static int fix_copy(struct fix_run *run, const struct copy *copy)
{
	enum copied copied =
		copy_capture(copy, run->format, sizeof(run->format));

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
		.name = shown_name(file),
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
		.form = form_of(opt->form, &opt->walk),
		.output = opt->dry_run ? NULL : opt->output,
		.in_place = opt->in_place && !opt->dry_run,
		.packet = fix_packet,
		.waiting = fix_waiting,
		.stop = fix_stop,
		.end = fix_end,
		.ctx = &run,
	};
	int status;

	if (opt->like) {
		run.original = original_open(opt->like, run.pass.rules);
		run.pass.like = fix_like;
	}
	if (copy.output && strcmp(copy.output, "-") == 0)
		run.report = stderr;
	if (opt->like && !run.original)
		status = EXIT_TROUBLE;
	else
		status = run.pass.tally && pass_gather(&run.pass)
				 ? fix_copy(&run, &copy)
				 : trouble("out of memory");
	original_close(run.original);
	pass_end(&run.pass);
	free(run.pass.tally);
	return status;
}

/* --- the command line ------------------------------------------------------
 */

/* The verdicts that a repair can put right. */
static const char *repair_word(int i)
{
	const int first = VERDICT_BAD, last = VERDICT_ABSENT;

	return first + i <= last ? verdict_name(first + i) : NULL;
}

#define AT(field) OPTION_AT(fix_options, field)

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
	  .help = "Replace each FILE by its repaired copy, at once when that "
		  "is whole and on the disk" },
	{ .name = "dry-run",
	  .letter = 'n',
	  .take = option_flag,
	  .target = AT(dry_run),
	  .help = "Write nothing, say what would be done" },
	{ .name = "lengths",
	  .letter = 'l',
	  .take = option_flag,
	  .target = AT(lengths),
	  .help = "Fill in IP and UDP lengths of 0, as large sends have "
		  "them" },
	{ .name = "quoted",
	  .letter = 'q',
	  .take = option_flag,
	  .target = AT(rules.quoted),
	  .help = "Repair packets that ICMP errors and samples quote, too" },
	{ .name = "like",
	  .arg = "ORIGINAL",
	  .files = true,
	  .take = option_text,
	  .target = AT(like),
	  .help = "FILE is the capture ORIGINAL after addresses, ports or "
		  "contents were rewritten: make right what was right there, "
		  "and keep wrong, unfinished or absent what was so" },
	{ .name = "snapped-as-zeros",
	  .letter = 'z',
	  .take = option_flag,
	  .target = AT(rules.snapped),
	  .help = "Repair TCP, UDP and others of which the capture has only "
		  "the front: right if all bytes that were cut off are zeros, "
		  "as they are once a tool has padded the packets" },
	{ .name = "report",
	  .letter = 'r',
	  .take = option_flag,
	  .target = AT(report),
	  .help = "A line for every checksum that was not right" },
	{ .name = "protocol",
	  .letter = 'p',
	  .arg = "NAME,...",
	  .take = option_words,
	  .target = AT(rules.protocols),
	  .words = protocol_word,
	  .help = "Only these (default: all): {}" },
	{ .name = "verdict",
	  .letter = 'v',
	  .arg = "WORD,...",
	  .take = option_words,
	  .target = AT(rules.verdicts[VERDICT_BAD]),
	  .words = repair_word,
	  .help = "Which verdicts to repair: {} (default: bad,partial)" },
	FORM_ROWS(AT(form)),
	DECODE_ROWS(AT(walk)),
	{ 0 },
};

const struct command_line fix_line = {
	.usage = "FILE -o OUT\n--in-place FILE...\n--like ORIGINAL FILE -o OUT",
	.what = "Write the right value into every checksum that is bad, or was "
		"left for the network card to finish (partial), in the "
		"capture FILE (pcap, pcapng, snoop or ERF; - is standard "
		"input).  All other bytes stay as they are.  A hex dump "
		"becomes a pcap file.",
	.rows = rows,
	.more = "An absent checksum stays absent.  So does a UDP checksum of 0 "
		"over IPv6, which is bad and named; "
		"--verdict=bad,partial,absent fills them in.  Packets quoted "
		"in ICMP errors and sFlow samples are not touched without "
		"--quoted.  What lies behind damage in FILE is copied as it "
		"is.\n\n"
		"Exit status: 0 all that was asked for is right now, 1 "
		"something could not be known or repaired, 2 a FILE is not "
		"readable or not whole.\n\n"
		"Examples:\n"
		"  tcpdump -w - | csum fix - -o - | tshark -r -\n"
		"  csum fix --like before.pcap rewritten.pcap -o after.pcap",
};

static bool check_like(const struct fix_options *opt, int argc, char **argv,
		       int first)
{
	const bool *v = opt->rules.verdicts;

	if (argc - first > 1)
		options_wrong(argv, "one FILE for one ORIGINAL");
	else if (opt->lengths || opt->rules.snapped || !v[VERDICT_BAD] ||
		 !v[VERDICT_PARTIAL] || v[VERDICT_ABSENT])
		options_wrong(argv, "--like says what to repair: --verdict, "
				    "--lengths and --snapped-as-zeros do not "
				    "go with it");
	else if (strcmp(opt->like, "-") == 0 &&
		 (first == argc || strcmp(argv[first], "-") == 0))
		options_wrong(argv, "FILE and ORIGINAL cannot both be standard "
				    "input");
	else
		return true;
	return false;
}

int cmd_fix(int argc, char **argv)
{
	struct fix_options opt = { .rules.verdicts = {
					   [VERDICT_BAD] = true,
					   [VERDICT_PARTIAL] = true,
				   } };
	int first, status;

	memset(opt.rules.protocols, true, sizeof(opt.rules.protocols));
	status = options_parse(&fix_line, argc, argv, &opt, &first);
	if (status != OPTIONS_TAKEN)
		return status;
	if (opt.in_place && opt.output)
		return options_wrong(argv, "--in-place or -o, not both");
	if (!opt.in_place && !opt.output && !opt.dry_run)
		return options_wrong(argv,
				     "say where to write: -o OUT, --in-place "
				     "or --dry-run");
	if (opt.output && argc - first > 1)
		return options_wrong(argv, "one FILE for one OUT");
	if (opt.in_place && first == argc)
		return options_wrong(argv, "--in-place needs a FILE");
	if (opt.like && !check_like(&opt, argc, argv, first))
		return EXIT_TROUBLE;
	return each_file(first, argc, argv, fix_file, &opt);
}
