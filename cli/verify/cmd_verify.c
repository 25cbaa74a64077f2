/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_verify.c - `csum verify`: the bad checksums in captures; its options. */
#include <argp.h>
#include <pcap/pcap.h>
#include <stdlib.h>

#include "verify.h"
#include "words.h"

enum {
	OPTION_JSON = 0x100,
	OPTION_CSV,
	OPTION_PROTOCOL,
	OPTION_VERDICT,
	OPTION_STRICT,
};

static void parse_list(struct argp_state *state, char *text,
		       const char *(*word)(int), bool *flags)
{
	const char *wrong = parse_words(text, word, flags);

	if (wrong)
		argp_error(state, "'%s' is none of its words", wrong);
}

static void show(struct verify_options *o, bool yes)
{
	for (int v = 0; v < VERDICT_COUNT; v++)
		o->lines[v] = yes;
	o->quoted = yes;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct verify_options *o = state->input;
	uint64_t n;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->rules;
		return 0;
	case OPTION_STRICT:
		o->strict = true;
		return 0;
	case 'a':
		show(o, true);
		return 0;
	case 's':
		show(o, false);
		return 0;
	case 'w':
		o->why = true;
		return 0;
	case OPTION_JSON:
	case OPTION_CSV:
		o->format = key == OPTION_JSON ? FORMAT_JSON : FORMAT_CSV;
		return 0;
	case OPTION_PROTOCOL:
		parse_list(state, arg, protocol_word, o->protocols);
		return 0;
	case OPTION_VERDICT:
		parse_list(state, arg, verdict_word, o->lines);
		return 0;
	case 'f':
		o->expression = arg;
		return 0;
	case 'i':
		o->interface = arg;
		return 0;
	case 'c':
		if (!parse_size(arg, &o->count))
			argp_error(state, "'%s' is not a number", arg);
		return 0;
	case 'j':
		if (!parse_size(arg, &n) || n > 1024)
			argp_error(state, "'%s' is not a number of threads",
				   arg);
		o->threads = (unsigned)n;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{ "all", 'a', NULL, 0, "A line for every checksum, not only for bad",
	  0 },
	{ "summary", 's', NULL, 0, "Only the summary", 0 },
	{ "why", 'w', NULL, 0,
	  "The cause of each that is bad or partial, where arithmetic can tell",
	  0 },
	{ "verdict", OPTION_VERDICT, "WORD,...", 0,
	  "A line for each checksum with one of these verdicts", 0 },
	{ "protocol", OPTION_PROTOCOL, "NAME,...", 0,
	  "Only these: ipv4, tcp, udp...", 0 },
	{ "filter", 'f', "EXPRESSION", 0,
	  "Only packets that this matches, as in tcpdump(1)", 0 },
	{ "interface", 'i', "NAME", 0,
	  "Packets as they come in, instead of files", 1 },
	{ "count", 'c', "N", 0, "With -i: stop after N packets", 1 },
	{ "threads", 'j', "N", 0, "Threads; as many as processors", 1 },
	{ "strict", OPTION_STRICT, NULL, 0,
	  "Exit status 2 if there are packets in which nothing could be "
	  "checked",
	  0 },
	{ "json", OPTION_JSON, NULL, 0, "JSON, one object in each line", 2 },
	{ "csv", OPTION_CSV, NULL, 0, "Comma-separated values", 2 },
	{ 0 },
};

static const struct argp_child children[] = { { &decode_argp, 0, NULL, 3 },
					      { 0 } };

static const struct argp argp = {
	options,
	parse,
	"[FILE|DIRECTORY|-]...",
	"Verify every checksum in each capture FILE (pcap or pcapng, also "
	"packed by gzip, zstd or lz4), in all of a DIRECTORY, or in that on "
	"standard input."
	"\vPrints a line for each bad checksum: frame, protocol, the value "
	"found and the value that should be there; and a summary of each FILE "
	"by protocol and verdict:\n\n"
	"  good          it is right\n"
	"  bad           it is wrong\n"
	"  partial       left unfinished for the network card to complete\n"
	"  absent        the sender says that there is none\n"
	"  unverifiable  cut short, fragments missing, encrypted, malformed\n\n"
	"Packets quoted in ICMP errors and sFlow samples are counted apart, "
	"and never bad for the exit status.\n\n"
	"Exit status: 0 no bad checksum, 1 some, 2 a FILE is not readable or "
	"not whole, or --strict and not all was checked.\n\n"
	"Examples:\n"
	"  tcpdump -w - | csum verify -\n"
	"  csum verify -f 'tcp port 443' --protocol tcp *.pcap.gz\n"
	"  csum verify --json --verdict bad,partial captures/",
	children,
	NULL,
	NULL,
};

int cmd_verify(int argc, char **argv)
{
	struct verify_options o = { .lines[VERDICT_BAD] = true };
	char why[PCAP_ERRBUF_SIZE];
	uint32_t linktype;
	int first, status;

	for (int i = 0; i < PROTO_COUNT; i++)
		o.protocols[i] = true;
	argp_parse(&argp, argc, argv, 0, &first, &o);
	o.files = argv + first;
	o.nfiles = argc - first;
	o.conclude = o.format != FORMAT_CSV;
	if (o.interface && o.nfiles)
		return trouble("an interface and files do not go together");
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
