/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_explain.c - `csum explain`: a checksum, so that one can follow by hand.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "decode_options.h"
#include "filter.h"
#include "frames.h"
#include "others.h"
#include "pass.h"
#include "reader.h"
#include "words.h"

enum { ROW = 16, WORDS_WIDTH = ROW / 2 * 5 + 1, PART_TEXT = 16 };

/* --- bytes and sums ----------------------------------------------------------
 */

static unsigned host(csum_wsum sum)
{
	return ntohs(csum_to16(sum));
}

/* Up to ROW bytes as words, in a column of its own; without an end of line. */
static void print_words(const uint8_t *p, uint32_t n, const uint8_t *skipped)
{
	int width = 0;

	for (uint32_t i = 0; i < n; i += 2) {
		if (skipped && skipped[i])
			width += printf(" ....");
		else if (i + 1 < n)
			width += printf(" %02x%02x", p[i], p[i + 1]);
		else
			width += printf(" %02x  ", p[i]);
	}
	printf("%*s", WORDS_WIDTH - width, "");
}

/* What no checksum covers. */
static void print_plain(const char *what, const uint8_t *frame, uint32_t from,
			uint32_t to)
{
	if (from >= to)
		return;
	printf("\n%s: %" PRIu32 " bytes from %" PRIu32 "\n", what, to - from,
	       from);
	for (uint32_t at = from; at < to; at += ROW) {
		uint32_t n = to - at < ROW ? to - at : ROW;

		printf("  %11" PRIu32, at);
		print_words(frame + at, n, NULL);
		putchar('\n');
	}
}

static bool is_skipped(const struct site *s, uint32_t at)
{
	return (at >= s->field && at < s->field + site_width(s)) ||
	       (at >= s->hole && at - s->hole < s->hole_len);
}

/* Rows of what a site covers, with the sum after each if it is one. */
static void print_covered(const struct site *s, const uint8_t *frame,
			  csum_wsum sum)
{
	const uint32_t end = s->start + s->len;

	for (uint32_t at = s->start; at < end; at += ROW) {
		const uint32_t n = end - at < ROW ? end - at : ROW;
		uint8_t bytes[ROW], skipped[ROW];

		for (uint32_t i = 0; i < n; i++) {
			skipped[i] = is_skipped(s, at + i);
			bytes[i] = skipped[i] ? 0 : frame[at + i];
		}
		printf("  %11" PRIu32, at);
		print_words(bytes, n, skipped);
		sum = csum_partial(bytes, n, sum);
		if (rule_is_sum(s->rule))
			printf("  %04x", host(sum));
		putchar('\n');
	}
	if (s->len % 2 && rule_is_sum(s->rule))
		puts("              the last byte is the high one of its word");
}

/* --- the pseudo-header
 * --------------------------------------------------------- */

static csum_wsum print_part(const char *name, const void *bytes, uint32_t n,
			    csum_wsum sum, const char *text)
{
	sum = csum_partial(bytes, n, sum);
	printf("  %11s", name);
	print_words(bytes, n, NULL);
	/* a long address has a line of its own, so that none is too wide */
	if (strlen(text) > PART_TEXT)
		printf("  %04x\n%15s%s\n", host(sum), "", text);
	else
		printf("  %04x  %s\n", host(sum), text);
	return sum;
}

static csum_wsum print_address(const char *name, const uint8_t *address,
			       bool ipv6, csum_wsum sum)
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(ipv6 ? AF_INET6 : AF_INET, address, text, sizeof(text));
	return print_part(name, address, ipv6 ? 16 : 4, sum, text);
}

static csum_wsum print_pseudo(const struct pseudo *p)
{
	const csum_be32 len = csum_be32_from_host(p->len);
	const csum_be16 protocol = csum_be16_from_host(p->protocol);
	csum_wsum sum;
	char text[16];

	puts("  pseudo-header");
	sum = print_address("source", p->src, p->ipv6, 0);
	sum = print_address("destination", p->dst, p->ipv6, sum);
	snprintf(text, sizeof(text), "%u", p->protocol);
	sum = print_part("protocol", &protocol, 2, sum, text);
	snprintf(text, sizeof(text), "%" PRIu32, p->len);
	return print_part("length", &len, 4, sum, text);
}

/* --- one checksum
 * -------------------------------------------------------------- */

/* What is looked for, and what has been found. */
struct search {
	const char *file; /* as the user has it */
	const struct input_form *form;
	const struct frames *frames; /* NULL: all that @filter matches */
	struct filter *filter;	     /* or NULL */
	uint64_t explained;	     /* how many */
	bool bad;
	/* Frames that were explained and whose messages are not complete yet;
	 * for more than these, nobody waits. */
	unsigned nopen;
	uint64_t open[FRAME_RANGES];
	struct pass pass;
};

static void print_agreement(const struct agreement *a)
{
	printf("           as for %zu of the %zu that are wrong of this %s\n",
	       a->agree, a->wrong, a->host ? "host" : "flow");
}

/* The cause that others agree with comes first, and is no chance then. */
static unsigned put_first(struct why *list, unsigned n, enum cause cause)
{
	struct why agreed = { .cause = cause };
	unsigned k = 0;

	while (k < n && list[k].cause != cause)
		k++;
	if (k == n && n == WHY_MAX)
		k = n - 1;
	else if (k == n)
		n++;
	else
		agreed = list[k];
	agreed.chance = 0;
	memmove(list + 1, list, k * sizeof(*list));
	list[0] = agreed;
	return n;
}

static void print_causes(const struct why *list, unsigned n,
			 const struct agreement *a)
{
	char text[160], chance[40];

	for (unsigned k = 0; k < n; k++) {
		why_text(&list[k], text, sizeof(text));
		why_chance(&list[k], chance, sizeof(chance));
		printf("  %-8s %s%s\n", k ? "or" : "why:", text, chance);
		if (!k && a->cause)
			print_agreement(a);
	}
}

static void print_why(const struct search *q, const struct packet *packet,
		      const struct site *s, const struct check *c,
		      const struct walk *walk)
{
	struct agreement agreement = { .cause = CAUSE_NONE };
	struct why list[WHY_MAX];
	unsigned n = why_site(packet, s, c, walk, list);

	if (c->verdict == VERDICT_BAD && s->class == SITE_REAL &&
	    (!n || list[0].chance))
		others_agree(q->file, q->form, q->pass.rules, packet, s, c,
			     &agreement);
	if (agreement.cause)
		n = put_first(list, n, agreement.cause);
	print_causes(list, n, &agreement);
	if (n && list[0].cause != CAUSE_ADDRESS)
		return;
	if (!n)
		puts("  why:     cannot be told from the arithmetic");
	n = why_guesses(s, c, packet->data, list);
	if (n)
		puts("           it would be right if one of these had changed "
		     "afterwards,\n           or any other word by as much:");
	for (unsigned k = 0; k < n; k++)
		printf("    %-32s was 0x%04x (%" PRIu32 "), is 0x%04x "
		       "(%" PRIu32 ")\n",
		       list[k].field, list[k].detail, list[k].detail,
		       list[k].now, list[k].now);
}

/* What is no sum. */
static const char *digest_name(enum site_rule rule)
{
	switch (rule) {
	case RULE_CRC32:
		return "CRC-32";
	case RULE_CRC16:
	case RULE_CRC16_WPAN:
	case RULE_CRC16_OR_SIGNAL:
		return "CRC-16";
	case RULE_INVARIANT_CRC:
		return "CRC-32, what routers change being ones:";
	case RULE_FLETCHER:
		return "Fletcher's sum";
	default:
		return "CRC-32c";
	}
}

static void print_result(const struct site *s, const struct check *c)
{
	const int digits = 2 * (int)site_width(s);

	if (!rule_is_sum(s->rule))
		printf("  %s  %0*x, as it stands in the packet\n",
		       digest_name(s->rule), digits, c->expected);
	else if (c->verdict == VERDICT_ABSENT)
		puts("  so the checksum says that there is none");
	else
		printf("  complement of the sum: %0*x%s\n", digits, c->expected,
		       c->expected == 0xffff ? "; 0 is sent as ffff" : "");
	printf("  found:   %0*x: %s", digits, c->found,
	       verdict_name(c->verdict));
	if (c->note)
		printf(" (%s)", note_text(c->note));
	putchar('\n');
}

/* @field_frame: of a message in fragments; otherwise 0. */
static void explain_site(const struct search *q, const struct packet *packet,
			 const struct site *s, const struct check *c,
			 const struct walk *walk, uint64_t field_frame)
{
	csum_wsum sum = 0;

	printf("\n%s%s: ", protocol_name(s->protocol),
	       s->class == SITE_QUOTED ? ", quoted" : "");
	if (c->verdict == VERDICT_UNVERIFIABLE) {
		printf("unverifiable: %s\n", reason_text(c->reason));
		return;
	}
	if (c->verdict == VERDICT_ABSENT) {
		printf("checksum at %" PRIu32 "\n  found:   %0*x: absent\n",
		       s->field, 2 * (int)site_width(s), c->found);
		return;
	}
	if (field_frame)
		printf("%" PRIu32 " bytes in fragments, checksum in frame "
		       "%" PRIu64 "\n",
		       s->len, field_frame);
	else
		printf("%" PRIu32 " bytes from %" PRIu32 ", checksum at "
		       "%" PRIu32 "\n",
		       s->len - s->hole_len, s->start, s->field);
	if (s->pseudo)
		sum = print_pseudo(&s->pseudo_header);
	/* ports and length, where only hints of them are in the packet */
	if (host(sum) != host(s->pseudo)) {
		sum = s->pseudo;
		printf("  and a header that is compressed in the packet%10s"
		       "  %04x\n",
		       "", host(sum));
	}
	if (field_frame)
		printf("  and the sum of all fragments%25s  %04x\n", "",
		       host(site_sum(s, packet->data)));
	else
		print_covered(s, packet->data, sum);
	print_result(s, c);
	if (c->verdict == VERDICT_BAD || c->verdict == VERDICT_PARTIAL)
		print_why(q, packet, s, c, walk);
}

/* --- one packet
 * --------------------------------------------------------------- */

/* Its own part of a message: summed apart, and joined when all are there. */
static void print_fragment(const struct packet *packet,
			   const struct fragment *p, const struct site *s)
{
	uint32_t end = p->at + p->len;
	struct site own = *s;
	uint32_t skip = s->start - p->at;

	if (s->len && s->len < end - s->start)
		end = s->start + s->len;
	if (end > packet->caplen)
		end = packet->caplen;
	own.len = end - own.start;
	if (!own.has_field)
		own.field = end;
	printf("\n%s: a fragment, %" PRIu32 " bytes from %" PRIu32
	       ", byte %" PRIu32 " of the message\n",
	       protocol_name(own.protocol), own.len, own.start,
	       p->offset ? p->offset - skip : 0);
	print_covered(&own, packet->data, 0);
}

/* The packet that the pass saw last. */
static void explain_packet(struct search *q)
{
	const struct packet *packet = &q->pass.packet;
	const struct walk *walk = &q->pass.walk;
	const char *link = linktype_name(packet->linktype);
	uint32_t at = 0;
	char text[80];

	printf("%s: frame %" PRIu64 ": %" PRIu32 " bytes", input_name(q->file),
	       packet->frame, packet->caplen);
	if (packet->caplen < packet->wirelen)
		printf(" of %" PRIu32 " on the wire", packet->wirelen);
	printf(", link type %" PRIu32 " (%s)\n", packet->linktype,
	       link ? link : "unknown");
	if (walk->count)
		print_plain("in front", packet->data, 0, walk->sites[0].start);
	for (unsigned i = 0; i < walk->count; i++) {
		const struct site *s = &walk->sites[i];
		const struct check *c = &q->pass.checks[i];

		if (s->open) {
			print_fragment(packet, &walk->fragment, s);
			at = walk->fragment.at + walk->fragment.len;
			continue;
		}
		explain_site(q, packet, s, c, walk, 0);
		q->bad |= c->verdict == VERDICT_BAD && s->class == SITE_REAL;
		if (!s->reason && s->start + s->len > at)
			at = s->start + s->len;
	}
	if (walk->edge) {
		edge_text(walk->edge, walk->edge_number, text, sizeof(text));
		printf("\nnot looked into: a packet %s\n", text);
	}
	print_plain("not covered", packet->data, at, packet->caplen);
}

/* Closes the open frames that @f is the message of; false: of none. */
static bool close_message(struct search *q, const struct finding *f)
{
	unsigned kept = 0;
	bool closed;

	for (unsigned i = 0; i < q->nopen; i++)
		if (q->open[i] != f->packet->frame &&
		    q->open[i] != f->first_frame &&
		    q->open[i] != f->field_frame)
			q->open[kept++] = q->open[i];
	closed = kept < q->nopen;
	q->nopen = kept;
	return closed;
}

/* A message whose first fragment or last to come is one that was explained. */
static void explain_message(void *context, const struct finding *f)
{
	struct search *q = context;

	/* what is in one packet is explained with it */
	if ((f->walk && !f->first_frame) || !close_message(q, f))
		return;
	if (q->explained > 1)
		printf("\nthe message of frame %" PRIu64 ":\n",
		       f->packet->frame);
	explain_site(q, f->packet, f->site, &f->check, f->walk, f->field_frame);
	q->bad |= f->check.verdict == VERDICT_BAD;
}

static bool is_wanted(struct search *q, const struct packet *packet)
{
	struct packet told = *packet;

	if (q->frames && !frames_have(q->frames, packet->frame))
		return false;
	walk_rules_apply(q->pass.rules, &told);
	return !q->filter || filter_matches(q->filter, &told);
}

static void explain_next(struct search *q, const struct packet *packet)
{
	const bool wanted = is_wanted(q, packet);
	struct fragment_copy *fragment = pass_packet(&q->pass, packet, NULL);

	if (wanted) {
		if (q->explained++)
			putchar('\n');
		if (fragment && q->nopen < FRAME_RANGES)
			q->open[q->nopen++] = packet->frame;
		explain_packet(q);
	}
	pass_fragment(&q->pass, fragment);
}

/* Whether frames behind @frame may have something to say. */
static bool goes_on(const struct search *q, uint64_t frame)
{
	return q->nopen || !q->frames || frame < frames_last(q->frames);
}

static enum reader_status search(struct search *q, struct reader *r,
				 uint64_t *last)
{
	enum reader_status status = READER_PACKET;
	struct packet packet;

	while (goes_on(q, *last) &&
	       (status = reader_next(r, &packet)) == READER_PACKET) {
		*last = packet.frame;
		explain_next(q, &packet);
	}
	return status;
}

/* EXIT_TROUBLE after saying which of the frames that are named is missing. */
static int check_found(const struct search *q, uint64_t last)
{
	if (!q->frames && !q->explained)
		return trouble("%s: no packet of %" PRIu64 " matches",
			       input_name(q->file), last);
	if (q->frames && last < frames_last(q->frames))
		return trouble("%s: has no packet in frame %" PRIu64
			       "; the last is %" PRIu64,
			       input_name(q->file), frames_last(q->frames),
			       last);
	return q->bad ? EXIT_BAD_SUMS : EXIT_CLEAN;
}

static int explain_reader(struct search *q, struct reader *r)
{
	uint64_t last = 0;
	enum reader_status status = search(q, r, &last);

	if (q->nopen)
		pass_flush(&q->pass);
	if (q->nopen)
		puts("\nthe message: see its first fragment, or the last to "
		     "come");
	if (q->pass.out_of_memory)
		return trouble("%s: out of memory for fragments",
			       input_name(q->file));
	if (status == READER_FAULT)
		return trouble("%s: offset %" PRIu64 ": %s",
			       input_name(q->file), reader_fault(r)->offset,
			       reader_fault(r)->cause);
	return check_found(q, last);
}

struct explain_options {
	struct walk_rules rules;
	unsigned form;
	const char *flow, *expression; /* or NULL */
	struct frames frames;
	struct filter *filter; /* or NULL */
};

static int explain_fd(const char *file, const struct explain_options *opt,
		      int fd)
{
	const struct input_form form = form_of(opt->form, &opt->rules);
	struct reader *r = reader_open(fd);
	struct search q = {
		.file = file,
		.form = &form,
		.frames = opt->frames.count ? &opt->frames : NULL,
		.filter = opt->filter,
		.pass = {
			.crc = &crc_by_libraries,
			.rules = rules_or_none(&opt->rules),
			.site = explain_message,
			.context = &q,
			.tally = tally_new(),
		},
	};
	int status;

	if (r)
		reader_says(r, &form);
	if (r && q.pass.tally && pass_gather(&q.pass))
		status = explain_reader(&q, r);
	else
		status = trouble("out of memory");
	pass_end(&q.pass);
	free(q.pass.tally);
	reader_close(r);
	return status;
}

static int explain_file(const char *file, const struct explain_options *opt)
{
	int fd = input_open(file), status;

	if (fd < 0)
		return EXIT_TROUBLE;
	status = explain_fd(file, opt, fd);
	if (fd != STDIN_FILENO)
		close(fd);
	return status;
}

/* --- the command line
 * -------------------------------------------------------------- */

#define AT(field) OPTION_AT(explain_options, field)

static const struct option_row rows[] = {
	{ .name = "flow",
	  .arg = "A:PORT-B:PORT",
	  .take = option_text,
	  .target = AT(flow),
	  .help = "All packets between these two ends, in both directions; "
		  "[A]:PORT for IPv6, and ports may be left out" },
	{ .name = "filter",
	  .letter = 'f',
	  .arg = "EXPRESSION",
	  .take = option_text,
	  .target = AT(expression),
	  .help = "All packets that this matches, as in tcpdump(1); see "
		  "pcap-filter(7)" },
	FORM_ROWS(AT(form)),
	DECODE_ROWS(AT(rules)),
	{ 0 }
};

const struct command_line explain_line = {
	.usage = "FILE [FRAMES...]",
	.what = "Show how each checksum of the packets in FRAMES (3 or 7-9 or "
		"3,7-9; frame 1 if nothing is said) in FILE (- is standard "
		"input) comes about, be FILE "
		"a capture or a hex dump: the bytes that it covers, "
		"the pseudo-header, the sum after each row, the result; and "
		"why it is wrong, where arithmetic can tell.",
	.rows = rows,
	.more = "Words are big endian and sums folded to 16 bits (carries out "
		"of the top are added at the bottom), as one does it by hand; "
		".... is the checksum itself, or what is not covered, and "
		"counts as 0.\n\n"
		"Exit status: 0 no checksum of these packets is bad, 1 one is, "
		"2 there is no such packet.\n\n"
		"Examples:\n"
		"  csum explain trace.pcap 49\n"
		"  csum explain trace.pcap 3,7-9 49\n"
		"  csum explain --flow 192.0.2.1:59609-198.51.100.1 "
		"trace.pcap\n"
		"  echo 45000020123440004011... | csum explain -",
};

/* False after saying what is wrong with the expression, or the flow. */
static bool make_filter(struct explain_options *opt, char **argv)
{
	const char *expression = opt->expression;
	char flow[700], why[PCAP_ERRBUF_SIZE];

	if (opt->flow && !flow_expression(opt->flow, flow, sizeof(flow))) {
		options_wrong(argv, "--flow: '%s' is not A:PORT-B:PORT",
			      opt->flow);
		return false;
	}
	if (opt->flow)
		expression = flow;
	if (!expression)
		return true;
	opt->filter = filter_new(expression, why, sizeof(why));
	if (!opt->filter)
		trouble("filter: %s", why);
	return opt->filter;
}

int cmd_explain(int argc, char **argv)
{
	struct explain_options opt = { .form = FORM_ANY };
	int first, status;

	status = options_parse(&explain_line, argc, argv, &opt, &first);
	if (status != OPTIONS_TAKEN)
		return status;
	if (argc == first)
		return options_wrong(argv, "needs a FILE, and the number of a "
					   "FRAME");
	if (opt.flow && opt.expression)
		return options_wrong(argv, "--flow or --filter, not both");
	for (int i = first + 1; i < argc; i++)
		if (!frames_add(&opt.frames, argv[i]))
			return options_wrong(argv,
					     "'%s' is not the number of a "
					     "frame",
					     argv[i]);
	if (!opt.frames.count && !opt.flow && !opt.expression)
		frames_add(&opt.frames, "1");
	if (!make_filter(&opt, argv))
		return EXIT_TROUBLE;
	status = explain_file(argv[first], &opt);
	filter_free(opt.filter);
	return status;
}
