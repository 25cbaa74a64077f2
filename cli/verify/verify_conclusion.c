/* SPDX-License-Identifier: BSD-2-Clause */
/* verify_conclusion.c - conclusions, printed. */
#include <inttypes.h>
#include <string.h>

#include "terminal.h"
#include "verify.h"

enum { INDENT = 2, WIDEST = 80 }; /* a wider paragraph is hard to read */

static void put_paragraph(const char *text)
{
	const int width = terminal_width(stdout);

	if (!*text)
		return;
	printf("%*s", INDENT, "");
	put_words(stdout, text, width < WIDEST ? width : WIDEST, INDENT,
		  INDENT);
}

void text_conclusion(const struct conclusion *c, bool whole)
{
	char text[CONCLUSION_TEXT];

	if (!whole)
		put_paragraph("Only a part of the file was read; in that:");
	conclusion_text(c, text, sizeof(text));
	put_paragraph(text);
	conclusion_advice(c, text, sizeof(text));
	put_paragraph(text);
}

/* --- JSON ------------------------------------------------------------------
 */

static void json_flow(FILE *to, const struct endpoints *e)
{
	char address[64];

	address_text(e->version, e->src, address, sizeof(address));
	fprintf(to, "{\"flow\":{\"protocol\":%u,\"source\":\"%s\"", e->protocol,
		address);
	if (e->has_ports)
		fprintf(to, ",\"source_port\":%u", e->src_port);
	address_text(e->version, e->dst, address, sizeof(address));
	fprintf(to, ",\"destination\":\"%s\"", address);
	if (e->has_ports)
		fprintf(to, ",\"destination_port\":%u", e->dst_port);
	fputs("}}", to);
}

static void json_subject(FILE *to, const struct conclusion_subject *s)
{
	char text[64];

	switch (s->kind) {
	case SUBJECT_HOST:
	case SUBJECT_LINK:
		subject_text(s, text, sizeof(text));
		fprintf(to, "{\"host\":\"%s\"}", text);
		break;
	case SUBJECT_FLOW:
		json_flow(to, &s->flow);
		break;
	case SUBJECT_INTERFACE:
		fprintf(to, "{\"interface\":%" PRIu32 "}", s->interface);
		break;
	default:
		fputs("null", to);
		break;
	}
}

static const char *wire_word(enum wire wire)
{
	return wire == WIRE_UNKNOWN ? "null"
	       : wire == WIRE_WRONG ? "true"
				    : "false";
}

/* What is known of all files together, and needs no frame. */
static void json_evidence(const struct conclusion_part *p)
{
	if (p->subject.file) {
		fputs(",\"file\":", stdout);
		put_json_string(stdout, p->subject.file);
	}
	if (p->of)
		printf(",\"packets\":%" PRIu64, p->of);
	if (p->receiver)
		printf(",\"receiver\":true");
	if (p->cause)
		printf(",\"cause\":\"%s\"", cause_name(p->cause));
	if (p->merged)
		printf(",\"merged\":true");
	if (p->constant)
		printf(",\"difference\":\"0x%04" PRIx32 "\"", p->difference);
	if (p->one_bit)
		printf(",\"one_bit\":%" PRIu64, p->one_bit);
	if (p->fates[FATE_RESENT])
		printf(",\"resent\":%" PRIu64, p->fates[FATE_RESENT]);
}

static void json_part(const struct conclusion_part *p)
{
	printf("{\"kind\":\"%s\",\"subject\":", conclusion_name(p->kind));
	json_subject(stdout, &p->subject);
	printf(",\"checksums\":%" PRIu64 ",\"files\":%" PRIu64, p->checksums,
	       p->files);
	if (p->files == 1)
		printf(",\"first_frame\":%" PRIu64 ",\"last_frame\":%" PRIu64,
		       p->first, p->last);
	json_evidence(p);
	printf(",\"wire\":%s}", wire_word(p->wire));
}

void json_conclusion(const struct conclusion *c,
		     const struct conclusion_part *parts, size_t n)
{
	char text[CONCLUSION_TEXT];

	printf("\"conclusion\":{\"kind\":\"%s\",\"subject\":",
	       conclusion_name(c->kind));
	json_subject(stdout, &c->parts[0].subject);
	printf(",\"wire\":%s,\"parts\":[", wire_word(c->wire));
	for (size_t i = 0; i < n; i++) {
		fputs(i ? "," : "", stdout);
		json_part(&parts[i]);
	}
	fputs("],\"text\":", stdout);
	conclusion_text(c, text, sizeof(text));
	put_json_string(stdout, text);
	fputs(",\"advice\":", stdout);
	conclusion_advice(c, text, sizeof(text));
	put_json_string(stdout, text);
	fputs("}", stdout);
}

/* --- a file ----------------------------------------------------------------
 */

bool sink_conclude(struct sink *sink, bool whole, struct merged *all)
{
	struct conclusion c;
	bool ok = !sink->lost;

	if (!sink->o->conclude)
		return ok;
	ok = conclude(&sink->evidence, &c) && ok &&
	     merged_add(all, &c, sink->file);
	if (ok && sink->o->format == FORMAT_TEXT)
		text_conclusion(&c, whole);
	if (ok && sink->o->format == FORMAT_JSON) {
		fputs("{\"type\":\"conclusion\",\"file\":", stdout);
		put_json_string(stdout, sink->file);
		fputs(",", stdout);
		json_conclusion(&c, c.parts, c.nparts);
		puts("}");
	}
	sink->kind = c.kind;
	evidence_clear(&sink->evidence);
	sink->lost = false;
	return ok;
}

int sink_status(const struct sink *sink, const struct tally *t)
{
	const bool excused =
		sink->o->offload_ok && sink->kind == CONCLUDE_OFFLOAD;

	return tally_bad(t) && !excused ? EXIT_BAD_SUMS : EXIT_CLEAN;
}
