/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * verify_print.c - sites and summaries as text, JSON and CSV.
 * docs/VERIFY-JSON.md is the schema; a change of meaning needs a new version.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "terminal.h"
#include "verify.h"
#include "words.h"

static const char *class_word(const struct site *s)
{
	return s->class == SITE_QUOTED ? "quoted" : "real";
}

/* --- strings as the formats want them ------------------------------------ */

/* RFC 8259, section 7.  Bytes that are not UTF-8 become a question mark. */
void put_json_string(FILE *to, const char *text)
{
	putc('"', to);
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p == '"' || *p == '\\')
			fprintf(to, "\\%c", *p);
		else if (*p < 0x20)
			fprintf(to, "\\u%04x", *p);
		else if (*p < 0x80)
			putc(*p, to);
		else
			putc('?', to);
	}
	putc('"', to);
}

/* RFC 4180, section 2 */
static void csv_string(FILE *to, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, to);
		return;
	}
	putc('"', to);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', to);
		putc(*text, to);
	}
	putc('"', to);
}

/* --- one site ------------------------------------------------------------- */

static bool has_found(const struct site *s, const struct check *c)
{
	return site_width(s) && s->has_field &&
	       !(s->rule == RULE_NONE && c->verdict == VERDICT_ABSENT);
}

static bool has_expected(const struct check *c)
{
	return c->verdict != VERDICT_ABSENT &&
	       c->verdict != VERDICT_UNVERIFIABLE;
}

static void text_values(const struct finding *f, char *buf, size_t size)
{
	const struct check *c = &f->check;
	const int digits = 2 * (int)site_width(f->site);

	*buf = 0;
	switch (c->verdict) {
	case VERDICT_GOOD:
		snprintf(buf, size, ": 0x%0*" PRIx32, digits, c->found);
		break;
	case VERDICT_BAD:
	case VERDICT_PARTIAL:
		snprintf(buf, size,
			 ": found 0x%0*" PRIx32 ", should be 0x%0*" PRIx32,
			 digits, c->found, digits, c->expected);
		break;
	case VERDICT_UNVERIFIABLE:
		snprintf(buf, size, ": %s", reason_text(c->reason));
		break;
	default:
		break;
	}
}

/* What is known at once is part of why. */
static void text_cause(const struct check *c, const char *why, char *buf,
		       size_t size)
{
	*buf = 0;
	if (*why)
		snprintf(buf, size, ": %s", why);
	else if (c->note)
		snprintf(buf, size, " (%s)", note_text(c->note));
}

/*
 * "FILE: @text"; what is too wide is broken behind the name, so that the text
 * stays in one piece, or between words.
 */
static void put_named(FILE *to, int width, const char *file, const char *text)
{
	char name[4 * PATH_MAX];
	const int len = (int)strlen(safe_text(file, name, sizeof(name)));
	const int n = (int)strlen(text);

	fprintf(to, "%s:", name);
	if (len + 2 + n >= width && CONTINUED + n < width)
		fprintf(to, "\n%*s%s\n", CONTINUED, "", text);
	else {
		putc(' ', to);
		put_words(to, text, width, len + 2, CONTINUED);
	}
}

static void text_site(FILE *to, int width, const char *file,
		      const struct finding *f, const char *why)
{
	const struct site *s = f->site;
	char values[64 + 40], cause[240], text[400];

	text_values(f, values, sizeof(values));
	text_cause(&f->check, why, cause, sizeof(cause));
	snprintf(text, sizeof(text), "frame %" PRIu64 ": %s%s %s%s%s",
		 f->packet->frame, s->class == SITE_QUOTED ? "quoted " : "",
		 protocol_name(s->protocol), verdict_name(f->check.verdict),
		 values, cause);
	put_named(to, width, file, text);
	text_where(to, width, f);
}

static void json_site(FILE *to, const char *file, const struct finding *f,
		      const char *why)
{
	const struct site *s = f->site;
	const struct check *c = &f->check;
	int digits = 2 * (int)site_width(s);

	fputs("{\"type\":\"site\",\"file\":", to);
	put_json_string(to, file);
	fprintf(to,
		",\"frame\":%" PRIu64 ",\"protocol\":\"%s\",\"class\":\"%s\","
		"\"depth\":%u,\"verdict\":\"%s\"",
		f->packet->frame, protocol_name(s->protocol), class_word(s),
		s->depth, verdict_name(c->verdict));
	if (has_found(s, c))
		fprintf(to,
			",\"offset\":%" PRIu64 ",\"found\":\"0x%0*" PRIx32 "\"",
			f->offset, digits, c->found);
	if (has_expected(c))
		fprintf(to, ",\"expected\":\"0x%0*" PRIx32 "\"", digits,
			c->expected);
	if (f->field_frame)
		fprintf(to, ",\"field_frame\":%" PRIu64, f->field_frame);
	if (c->verdict == VERDICT_UNVERIFIABLE)
		fprintf(to, ",\"reason\":\"%s\"", reason_text(c->reason));
	if (c->note)
		fprintf(to, ",\"note\":\"%s\"", note_text(c->note));
	if (*why)
		fprintf(to, ",\"why\":\"%s\"", why);
	json_where(to, f);
	fputs("}\n", to);
}

static void csv_site(FILE *to, const char *file, const struct finding *f,
		     const char *why)
{
	const struct site *s = f->site;
	const struct check *c = &f->check;
	int digits = 2 * (int)site_width(s);

	csv_string(to, file);
	fprintf(to, ",%" PRIu64 ",%s,%s,%u,%s,", f->packet->frame,
		protocol_name(s->protocol), class_word(s), s->depth,
		verdict_name(c->verdict));
	if (has_found(s, c))
		fprintf(to, "%" PRIu64 ",0x%0*" PRIx32 ",", f->offset, digits,
			c->found);
	else
		fputs(",,", to);
	if (has_expected(c))
		fprintf(to, "0x%0*" PRIx32, digits, c->expected);
	putc(',', to);
	if (c->verdict == VERDICT_UNVERIFIABLE)
		csv_string(to, reason_text(c->reason));
	putc(',', to);
	csv_string(to, note_text(c->note));
	putc(',', to);
	csv_string(to, why);
	csv_where(to, f);
	putc('\n', to);
}

void print_site(FILE *to, const struct verify_options *o, const char *file,
		const struct finding *f)
{
	char why[200] = "";

	if (f->asked_why)
		why_short(f->causes, f->ncauses, why, sizeof(why));
	if (o->format == FORMAT_JSON)
		json_site(to, file, f, why);
	else if (o->format == FORMAT_CSV)
		csv_site(to, file, f, why);
	else
		text_site(to, o->width, file, f, why);
}

void print_start(const struct verify_options *o)
{
	if (o->format == FORMAT_JSON)
		printf("{\"type\":\"schema\",\"name\":\"csum-verify\","
		       "\"version\":%d}\n",
		       SCHEMA_VERSION);
	if (o->format == FORMAT_CSV)
		puts("file,frame,protocol,class,depth,verdict,offset,found,"
		     "expected,reason,note,why,time,interface,vlans,source,"
		     "source_port,destination,destination_port");
}

/* --- the summary ---------------------------------------------------------- */

static bool has_rows(const struct tally *t, int class, int protocol)
{
	for (int v = 0; v < VERDICT_COUNT; v++)
		if (t->sites.verdicts[class][protocol][v])
			return true;
	return false;
}

static void text_table(const struct tally *t, int class)
{
	bool head = false;

	for (int p = 0; p < PROTO_COUNT; p++) {
		if (!has_rows(t, class, p))
			continue;
		if (!head) {
			printf("%10s", class == SITE_QUOTED ? "  quoted:" : "");
			for (int v = 0; v < VERDICT_COUNT; v++)
				printf(" %12s", verdict_name(v));
			putchar('\n');
			head = true;
		}
		printf("  %-8s", protocol_name(p));
		for (int v = 0; v < VERDICT_COUNT; v++)
			printf(" %12" PRIu64, t->sites.verdicts[class][p][v]);
		putchar('\n');
	}
}

static void text_unchecked(const struct tally *t)
{
	const uint64_t n = t->sites.unchecked, all = t->sites.packets;

	if (n && n == all)
		puts("  NOTHING could be checked in any packet");
	else if (n)
		printf("  nothing could be checked in %" PRIu64 " packet%s\n",
		       n, n == 1 ? "" : "s");
}

void text_summary(const char *file, const char *what, bool whole,
		  const struct tally *t)
{
	char text[160];

	snprintf(text, sizeof(text),
		 "%s, %" PRIu64 " packet%s%s, %" PRIu64 " bad", what,
		 t->sites.packets, t->sites.packets == 1 ? "" : "s",
		 whole ? "" : " before the fault", tally_bad(t));
	put_named(stdout, terminal_width(stdout), file, text);
	text_unchecked(t);
	text_table(t, SITE_REAL);
	text_table(t, SITE_QUOTED);
	for (int v = 0; v < VERDICT_COUNT; v++)
		for (int n = 0; n < NOTE_COUNT; n++)
			if (t->sites.notes[v][n])
				printf("  %s: %" PRIu64 " %s\n",
				       verdict_name(v), t->sites.notes[v][n],
				       note_text(n));
	for (int c = 0; c < CAUSE_COUNT; c++)
		if (t->sites.causes[c])
			printf("  why: %" PRIu64 " %s\n", t->sites.causes[c],
			       cause_text(c));
	for (int r = 0; r < REASON_COUNT; r++)
		if (t->sites.reasons[r])
			printf("  unverifiable: %" PRIu64 " %s\n",
			       t->sites.reasons[r], reason_text(r));
	print_edges(stdout, t);
}

static void json_table(const struct tally *t, int class)
{
	const char *comma = "";

	for (int p = 0; p < PROTO_COUNT; p++) {
		if (!has_rows(t, class, p))
			continue;
		printf("%s\"%s\":{", comma, protocol_name(p));
		for (int v = 0; v < VERDICT_COUNT; v++)
			printf("%s\"%s\":%" PRIu64, v ? "," : "",
			       verdict_name(v), t->sites.verdicts[class][p][v]);
		putchar('}');
		comma = ",";
	}
}

static void json_notes(const struct tally *t)
{
	const char *comma = "";

	for (int n = 1; n < NOTE_COUNT; n++) {
		uint64_t sum = 0;

		for (int v = 0; v < VERDICT_COUNT; v++)
			sum += t->sites.notes[v][n];
		if (!sum)
			continue;
		printf("%s\"%s\":%" PRIu64, comma, note_text(n), sum);
		comma = ",";
	}
}

static void json_notes_by_verdict(const struct tally *t)
{
	bool any = false;

	for (int v = 0; v < VERDICT_COUNT; v++) {
		const char *comma = "";

		for (int n = 1; n < NOTE_COUNT; n++) {
			if (!t->sites.notes[v][n])
				continue;
			if (!*comma)
				printf("%s\"%s\":{", any ? "," : "",
				       verdict_name(v));
			printf("%s\"%s\":%" PRIu64, comma, note_text(n),
			       t->sites.notes[v][n]);
			comma = ",";
		}
		if (*comma)
			putchar('}');
		any = any || *comma;
	}
}

void json_counts(const struct tally *t)
{
	const char *comma = "";

	printf(",\"packets\":%" PRIu64 ",\"unchecked\":%" PRIu64
	       ",\"bad\":%" PRIu64 ",\"sites\":{",
	       t->sites.packets, t->sites.unchecked, tally_bad(t));
	json_table(t, SITE_REAL);
	fputs("},\"quoted\":{", stdout);
	json_table(t, SITE_QUOTED);
	fputs("},\"notes\":{", stdout);
	json_notes(t);
	fputs("},\"notes_by_verdict\":{", stdout);
	json_notes_by_verdict(t);
	fputs("},\"causes\":{", stdout);
	for (int c = 0; c < CAUSE_COUNT; c++) {
		if (!t->sites.causes[c])
			continue;
		printf("%s\"%s\":%" PRIu64, comma, cause_name(c),
		       t->sites.causes[c]);
		comma = ",";
	}
	fputs("},\"unverifiable\":{", stdout);
	comma = "";
	for (int r = 0; r < REASON_COUNT; r++) {
		if (!t->sites.reasons[r])
			continue;
		printf("%s\"%s\":%" PRIu64, comma, reason_text(r),
		       t->sites.reasons[r]);
		comma = ",";
	}
	fputs("},\"not_looked_into\":{", stdout);
	comma = "";
	for (uint32_t i = 0; i < t->nseen; i++) {
		char text[80];

		edge_text(tally_edge_kind(t, i), tally_edge_number(t, i), text,
			  sizeof(text));
		printf("%s\"%s\":%" PRIu64, comma, text, t->edges[t->seen[i]]);
		comma = ",";
	}
	putchar('}');
}

/* CSV has one kind of row, so it has no summary. */
void print_summary(const struct verify_options *o, const char *file,
		   const char *format, const char *what, bool whole,
		   struct tally *t)
{
	tally_sort(t);
	if (o->format == FORMAT_TEXT)
		text_summary(file, what, whole, t);
	if (o->format != FORMAT_JSON)
		return;
	fputs("{\"type\":\"summary\",\"file\":", stdout);
	put_json_string(stdout, file);
	printf(",\"format\":\"%s\",\"whole\":%s", format,
	       whole ? "true" : "false");
	json_counts(t);
	puts("}");
}

int check_strict(const struct verify_options *o, const char *file,
		 const struct tally *t)
{
	if (!o->strict || !t->sites.unchecked)
		return EXIT_CLEAN;
	return trouble("%s: nothing could be checked in %" PRIu64 " of %" PRIu64
		       " packets",
		       file, t->sites.unchecked, t->sites.packets);
}

void print_per_file(const struct verify_options *o, const char *file,
		    bool whole, const struct tally *t,
		    enum conclusion_kind kind)
{
	if (o->format != FORMAT_PER_FILE)
		return;
	put_safe(stdout, file);
	printf(": %" PRIu64 " bad in %" PRIu64 " packet%s: %s%s\n",
	       tally_bad(t), t->sites.packets, t->sites.packets == 1 ? "" : "s",
	       conclusion_name(kind), whole ? "" : ", not whole");
}
