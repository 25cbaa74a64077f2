/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_verify.c - `csum verify`: the bad checksums in captures; its options. */
#include <pcap/pcap.h>
#include <stdlib.h>

#include "terminal.h"
#include "verify.h"
#include "words.h"

static void show(struct verify_options *o, bool yes)
{
	for (int v = 0; v < VERDICT_COUNT; v++)
		o->lines[v] = yes;
	o->quoted = yes;
}

static bool take_all(const struct option_use *use)
{
	show(use->options, true);
	return true;
}

static bool take_summary(const struct option_use *use)
{
	show(use->options, false);
	return true;
}

static const char *offload_word(int i)
{
	return i ? NULL : "ok";
}

static bool take_offload(const struct option_use *use)
{
	struct verify_options *o = use->options;

	o->offload_ok = option_find_word(use, use->arg) >= 0;
	return o->offload_ok;
}

#define AT(field) OPTION_AT(verify_options, field)

static const struct option_row rows[] = {
	{ .name = "all",
	  .letter = 'a',
	  .take = take_all,
	  .help = "A line for every checksum, not only for bad ones" },
	{ .name = "summary",
	  .letter = 's',
	  .take = take_summary,
	  .help = "Only the summary" },
	{ .name = "why",
	  .letter = 'w',
	  .take = option_flag,
	  .target = AT(why),
	  .help = "The cause of each that is bad or partial, where arithmetic "
		  "can tell, and a count of the causes; see `csum explain`" },
	{ .name = "by",
	  .arg = "WORD,...",
	  .take = option_words,
	  .target = AT(by),
	  .words = by_word,
	  .help = "Rank those with most bad checksums: by {}; each with how "
		  "many are bad or partial of all, its share, and when the "
		  "first and the last was seen" },
	{ .name = "verdict",
	  .arg = "WORD,...",
	  .take = option_words,
	  .target = AT(lines),
	  .words = verdict_word,
	  .help = "A line for each checksum with one of these verdicts: {}" },
	{ .name = "protocol",
	  .arg = "NAME,...",
	  .take = option_words,
	  .target = AT(protocols),
	  .words = protocol_word,
	  .help = "Only these: {}" },
	{ .name = "filter",
	  .letter = 'f',
	  .arg = "EXPRESSION",
	  .take = option_text,
	  .target = AT(expression),
	  .help = "Only packets that this matches, as in tcpdump(1); see "
		  "pcap-filter(7)" },
	{ .name = "strict",
	  .take = option_flag,
	  .target = AT(strict),
	  .help = "Exit status 2 if there are packets in which nothing could "
		  "be checked" },
	{ .name = "found",
	  .take = option_flag,
	  .target = AT(found),
	  .help = "Take each FILE as if it had been found in a DIRECTORY: "
		  "what is no capture, a symbolic link or a special file is "
		  "counted and passed over" },
	FORM_ROWS(AT(form)),
	DECODE_ROWS(AT(rules)),
	{ .name = "offload",
	  .arg = "WORD",
	  .take = take_offload,
	  .words = offload_word,
	  .help = "With {}: a file in which all that is wrong was left to a "
		  "network card does not count for the exit status" },
	{ .help = "Live, and speed" },
	{ .name = "interface",
	  .letter = 'i',
	  .arg = "NAME",
	  .take = option_text,
	  .target = AT(interface),
	  .help = "Packets as they come in, instead of files" },
	{ .name = "count",
	  .letter = 'c',
	  .arg = "N",
	  .take = option_number,
	  .target = AT(count),
	  .help = "With -i: stop after N packets" },
	{ .name = "threads",
	  .letter = 'j',
	  .arg = "N",
	  .take = option_count,
	  .target = AT(threads),
	  .value = 1024,
	  .help = "Threads (default: as many as there are processors)" },
	{ .help = "Form of the output" },
	{ .name = "json",
	  .take = option_set,
	  .target = AT(format),
	  .value = FORMAT_JSON,
	  .help = "JSON, one object in each line" },
	{ .name = "per-file",
	  .take = option_set,
	  .target = AT(format),
	  .value = FORMAT_PER_FILE,
	  .help = "One line for each file: how many are bad, in how many "
		  "packets, and the kind of its conclusion" },
	{ .name = "quiet",
	  .letter = 'q',
	  .take = option_set,
	  .target = AT(format),
	  .value = FORMAT_QUIET,
	  .help = "Only the exit status, and errors" },
	{ .name = "csv",
	  .take = option_set,
	  .target = AT(format),
	  .value = FORMAT_CSV,
	  .help = "Comma-separated values, a row for each checksum" },
	{ 0 },
};

const struct command_line verify_line = {
	.usage = "[FILE|DIRECTORY|-]...",
	.what = "Verify every checksum in each capture FILE (pcap, pcapng, "
		"snoop or ERF, also packed by gzip, zstd or lz4; or a hex "
		"dump), in all of a DIRECTORY, or in that on standard input.",
	.rows = rows,
	.more = "Prints a line for each bad checksum: frame, protocol, the "
		"value found and the value that should be there; below, time "
		"(UTC), source and destination, interface (if), VLAN, and how "
		"many tunnels that packet is in; and a summary of each FILE by "
		"protocol and verdict:\n\n"
		"  good          it is right\n"
		"  bad           it is wrong\n"
		"  partial       left unfinished for the network card to "
		"complete\n"
		"  absent        the sender says that there is none\n"
		"  unverifiable  cut short, fragments missing, encrypted, "
		"malformed\n\n"
		"Packets quoted in ICMP errors and sFlow samples are counted "
		"apart, and never bad for the exit status.\n\n"
		"Exit status: 0 no bad checksum (or, with --offload=ok, all "
		"that is bad was left to a network card), 1 some, 2 a FILE is "
		"not readable or not whole, or --strict and not all was "
		"checked."
		"\n\n"
		"Examples:\n"
		"  tcpdump -w - | csum verify -\n"
		"  csum verify -f 'tcp port 443' --protocol tcp *.pcap.gz\n"
		"  tcpdump -xx -r trace.pcap | csum verify -\n"
		"  csum verify --json --verdict bad,partial captures/",
};

int cmd_verify(int argc, char **argv)
{
	struct verify_options o = { .lines[VERDICT_BAD] = true };
	char why[PCAP_ERRBUF_SIZE];
	uint32_t linktype;
	int first, status;

	for (int i = 0; i < PROTO_COUNT; i++)
		o.protocols[i] = true;
	status = options_parse(&verify_line, argc, argv, &o, &first);
	if (status != OPTIONS_TAKEN)
		return status;
	o.files = argv + first;
	o.nfiles = argc - first;
	for (int i = 0; i < BY_COUNT; i++)
		o.ranked |= o.by[i];
	o.why |= o.by[BY_CAUSE];
	o.width = terminal_width(stdout);
	if (o.format == FORMAT_PER_FILE || o.format == FORMAT_QUIET)
		show(&o, false);
	o.conclude = o.offload_ok ||
		     (o.format != FORMAT_CSV && o.format != FORMAT_QUIET);
	if (o.interface && o.nfiles)
		return options_wrong(argv, "an interface and files do not go "
					   "together");
	if (o.interface && o.form)
		return options_wrong(argv, "--hex and --raw are for files, not "
					   "for an interface");
	if (o.expression) {
		o.filter = filter_new(o.expression, why, sizeof(why));
		if (!o.filter)
			return trouble("filter: %s", why);
	}
	status = o.interface ? verify_live(&o) : verify_files(&o);
	if (o.filter && filter_complaint(o.filter, &linktype))
		status = trouble("filter: link type %u: %s", linktype,
				 filter_complaint(o.filter, &linktype));
	filter_free(o.filter);
	return status;
}
