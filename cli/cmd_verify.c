/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_verify.c - `csum verify`: the bad checksums in capture files. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "cli.h"
#include "reader.h"
#include "walk.h"

enum show { SHOW_BAD, SHOW_ALL, SHOW_NONE };

enum { EDGE_NUMBERS = 1 << 16 };

/* What has been seen in a file, or in all of them. */
struct tally {
	uint64_t packets;
	uint64_t verdicts[PROTO_COUNT][VERDICT_COUNT];
	uint64_t reasons[REASON_COUNT];
	/* a counter for each number, so that no input makes it slow */
	uint64_t edges[EDGE_COUNT][EDGE_NUMBERS];
};

static uint64_t total_of(const struct tally *t, enum verdict v)
{
	uint64_t n = 0;

	for (int p = 0; p < PROTO_COUNT; p++)
		n += t->verdicts[p][v];
	return n;
}

static void tally_add(struct tally *sum, const struct tally *t)
{
	sum->packets += t->packets;
	for (int p = 0; p < PROTO_COUNT; p++)
		for (int v = 0; v < VERDICT_COUNT; v++)
			sum->verdicts[p][v] += t->verdicts[p][v];
	for (int r = 0; r < REASON_COUNT; r++)
		sum->reasons[r] += t->reasons[r];
	for (int e = 0; e < EDGE_COUNT; e++)
		for (int i = 0; i < EDGE_NUMBERS; i++)
			sum->edges[e][i] += t->edges[e][i];
}

static void print_site(const char *file, uint64_t frame, const struct site *s,
		       const struct check *c)
{
	int digits = 2 * (int)protocol_width(s->protocol);

	printf("%s: frame %" PRIu64 ": %s%s %s", file, frame,
	       s->class == SITE_QUOTED ? "quoted " : "",
	       protocol_name(s->protocol), verdict_name(c->verdict));
	switch (c->verdict) {
	case VERDICT_GOOD:
		printf(": 0x%0*x", digits, c->found);
		break;
	case VERDICT_BAD:
	case VERDICT_PARTIAL:
		printf(": found 0x%0*x, should be 0x%0*x", digits, c->found,
		       digits, c->expected);
		break;
	case VERDICT_UNVERIFIABLE:
		printf(": %s", reason_text(s->reason));
		break;
	default:
		break;
	}
	if (c->note)
		printf(" (%s)", note_text(c->note));
	putchar('\n');
}

static void verify_packet(const char *file, enum show show,
			  const struct packet *packet, struct tally *t)
{
	struct walk walk;

	walk_packet(packet, &walk);
	t->packets++;
	t->edges[walk.edge][walk.edge_number]++;
	for (unsigned i = 0; i < walk.count; i++) {
		const struct site *s = &walk.sites[i];
		struct check c = check_site(s, packet->data);

		t->verdicts[s->protocol][c.verdict]++;
		if (c.verdict == VERDICT_UNVERIFIABLE)
			t->reasons[s->reason]++;
		if (show == SHOW_ALL ||
		    (show == SHOW_BAD && c.verdict == VERDICT_BAD))
			print_site(file, packet->frame, s, &c);
	}
}

static void print_edge(enum edge edge, uint16_t number, uint64_t packets)
{
	static const char *const kinds[EDGE_COUNT] = {
		[EDGE_LINKTYPE] = "link type %u",
		[EDGE_ETHERTYPE] = "ethertype 0x%04x",
		[EDGE_LLC] = "LLC SAP 0x%02x",
		[EDGE_FAMILY] = "address family %u",
		[EDGE_PROTOCOL] = "IP protocol %u",
		[EDGE_PPP] = "PPP protocol 0x%04x",
		[EDGE_NLPID] = "NLPID 0x%02x",
		[EDGE_WLAN] = "802.11 frame control 0x%04x",
		[EDGE_DEPTH] = "more than %u headers inside of each other",
		[EDGE_SITES] = "more than %u checksums",
	};
	const char *name = edge == EDGE_LINKTYPE ? linktype_name(number) : NULL;

	printf("  not looked into: %" PRIu64 " packet%s of ", packets,
	       packets == 1 ? "" : "s");
	printf(kinds[edge], number);
	if (name)
		printf(" (%s)", name);
	putchar('\n');
}

static void print_table(const struct tally *t)
{
	bool head = false;

	for (int p = 0; p < PROTO_COUNT; p++) {
		uint64_t any = 0;

		for (int v = 0; v < VERDICT_COUNT; v++)
			any += t->verdicts[p][v];
		if (!any)
			continue;
		if (!head) {
			printf("%10s", "");
			for (int v = 0; v < VERDICT_COUNT; v++)
				printf(" %12s", verdict_name(v));
			putchar('\n');
			head = true;
		}
		printf("  %-8s", protocol_name(p));
		for (int v = 0; v < VERDICT_COUNT; v++)
			printf(" %12" PRIu64, t->verdicts[p][v]);
		putchar('\n');
	}
}

static void print_summary(const char *name, const char *what, bool whole,
			  const struct tally *t)
{
	printf("%s: %s, %" PRIu64 " packet%s%s, %" PRIu64 " bad\n", name, what,
	       t->packets, t->packets == 1 ? "" : "s",
	       whole ? "" : " before the fault", total_of(t, VERDICT_BAD));
	print_table(t);
	for (int r = 0; r < REASON_COUNT; r++)
		if (t->reasons[r])
			printf("  unverifiable: %" PRIu64 " %s\n",
			       t->reasons[r], reason_text(r));
	for (int e = EDGE_NONE + 1; e < EDGE_COUNT; e++)
		for (int i = 0; i < EDGE_NUMBERS; i++)
			if (t->edges[e][i])
				print_edge(e, (uint16_t)i, t->edges[e][i]);
}

static int verify_reader(const char *name, enum show show, struct reader *r,
			 struct tally *t)
{
	enum reader_status status;
	struct packet packet;

	/* a reader of our output that has gone is noticed by main() */
	while ((status = reader_next(r, &packet)) == READER_PACKET &&
	       !ferror(stdout))
		verify_packet(name, show, &packet, t);
	if (reader_format(r))
		print_summary(name, reader_format(r), status != READER_FAULT,
			      t);
	if (status == READER_FAULT)
		return trouble("%s: offset %" PRIu64 ": %s", name,
			       reader_fault(r)->offset, reader_fault(r)->cause);
	return total_of(t, VERDICT_BAD) ? EXIT_BAD_SUMS : EXIT_CLEAN;
}

static int verify_file(const char *file, enum show show, struct tally *sum)
{
	int fd = input_open(file), status;
	struct tally *t;
	struct reader *r;

	if (fd < 0)
		return EXIT_TROUBLE;
	t = calloc(1, sizeof(*t));
	r = reader_open(fd);
	if (t && r) {
		status = verify_reader(input_name(file), show, r, t);
		tally_add(sum, t);
	} else {
		status = trouble("out of memory");
	}
	reader_close(r);
	free(t);
	if (fd != STDIN_FILENO)
		close(fd);
	return status;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	enum show *show = state->input;

	(void)arg;
	switch (key) {
	case 'a':
		*show = SHOW_ALL;
		return 0;
	case 's':
		*show = SHOW_NONE;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{ "all", 'a', NULL, 0, "A line for every checksum, not only for bad",
	  0 },
	{ "summary", 's', NULL, 0, "Only the summary", 0 },
	{ 0 },
};

static const struct argp argp = {
	options,
	parse,
	"[FILE|-]...",
	"Verify every checksum in each capture FILE (pcap or pcapng), or in "
	"that on standard input: IPv4, TCP, UDP, ICMP, ICMPv6."
	"\vPrints a line for each bad checksum: frame, protocol, the value "
	"found and the value that should be there; and a summary of each FILE "
	"by protocol and verdict:\n\n"
	"  good          it is right\n"
	"  bad           it is wrong\n"
	"  partial       left unfinished for the network card to complete\n"
	"  absent        the sender says that there is none\n"
	"  unverifiable  cut short, a fragment, encrypted or malformed\n\n"
	"Exit status: 0 no bad checksum, 1 some, 2 a FILE is not readable or "
	"not whole.\n\n"
	"Example: tcpdump -w - | csum verify -",
	NULL,
	NULL,
	NULL,
};

int cmd_verify(int argc, char **argv)
{
	enum show show = SHOW_BAD;
	int first, status = EXIT_CLEAN;
	struct tally *sum;

	argp_parse(&argp, argc, argv, 0, &first, &show);
	sum = calloc(1, sizeof(*sum));
	if (!sum)
		return trouble("out of memory");
	if (first == argc)
		status = verify_file("-", show, sum);
	for (int i = first; i < argc && !ferror(stdout); i++) {
		int s = verify_file(argv[i], show, sum);

		if (s > status)
			status = s;
	}
	if (argc - first > 1) {
		char files[32];

		snprintf(files, sizeof(files), "%d files", argc - first);
		print_summary("total", files, true, sum);
	}
	free(sum);
	return status;
}
