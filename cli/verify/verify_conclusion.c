/* SPDX-License-Identifier: BSD-2-Clause */
/* verify_conclusion.c - conclusions, printed. */
#include <inttypes.h>
#include <string.h>

#include "verify.h"

enum { WIDTH = 78, INDENT = 2 };

/* One paragraph, broken between words. */
static void put_paragraph(const char *text)
{
	while (*text) {
		size_t n = strlen(text);

		if (n > WIDTH - INDENT) {
			n = WIDTH - INDENT;
			while (n && text[n] != ' ')
				n--;
		}
		if (!n)
			n = strcspn(text, " ");
		printf("%*s%.*s\n", INDENT, "", (int)n, text);
		text += n;
		text += strspn(text, " ");
	}
}

static void text_conclusion(const struct conclusion *c, bool whole)
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

static void json_part(FILE *to, const struct conclusion_part *p)
{
	fprintf(to, "{\"kind\":\"%s\",\"subject\":", conclusion_name(p->kind));
	json_subject(to, &p->subject);
	fprintf(to,
		",\"checksums\":%" PRIu64 ",\"first_frame\":%" PRIu64
		",\"last_frame\":%" PRIu64 ",\"wire\":%s}",
		p->checksums, p->first, p->last, wire_word(p->wire));
}

static void json_conclusion(FILE *to, const struct conclusion *c)
{
	char text[CONCLUSION_TEXT];

	fprintf(to, "\"conclusion\":{\"kind\":\"%s\",\"subject\":",
		conclusion_name(c->kind));
	json_subject(to, &c->parts[0].subject);
	fprintf(to, ",\"wire\":%s,\"parts\":[", wire_word(c->wire));
	for (unsigned i = 0; i < c->nparts; i++) {
		fputs(i ? "," : "", to);
		json_part(to, &c->parts[i]);
	}
	conclusion_text(c, text, sizeof(text));
	fprintf(to, "],\"text\":\"%s\"", text);
	conclusion_advice(c, text, sizeof(text));
	fprintf(to, ",\"advice\":\"%s\"}", text);
}

void json_conclusions(FILE *to, const struct conclusions *all)
{
	const char *comma = "";
	uint64_t files = 0;

	for (int k = 0; k < CONCLUDE_KINDS; k++)
		files += all->files[k];
	fputs(",\"conclusions\":{", to);
	for (int k = 0; k < CONCLUDE_KINDS; k++) {
		if (!all->files[k])
			continue;
		fprintf(to, "%s\"%s\":%" PRIu64, comma, conclusion_name(k),
			all->files[k]);
		comma = ",";
	}
	fputs("}", to);
	if (files == 1) {
		fputs(",", to);
		json_conclusion(to, &all->last);
	}
}

/* --- a file ----------------------------------------------------------------
 */

bool sink_conclude(struct sink *sink, bool whole, struct conclusions *all)
{
	bool ok = !sink->lost;

	if (!sink->o->conclude)
		return ok;
	ok = conclude(&sink->evidence, &all->last) && ok;
	all->files[all->last.kind]++;
	if (ok && sink->o->format == FORMAT_TEXT)
		text_conclusion(&all->last, whole);
	if (ok && sink->o->format == FORMAT_JSON) {
		fputs("{\"type\":\"conclusion\",\"file\":", stdout);
		put_json_string(stdout, sink->file);
		fputs(",", stdout);
		json_conclusion(stdout, &all->last);
		puts("}");
	}
	evidence_clear(&sink->evidence);
	sink->lost = false;
	return ok;
}
