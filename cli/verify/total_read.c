/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * total_read.c - totals out of the JSON that verify_total.c has written.
 *
 * Names become numbers again, so that what is printed after adding up comes
 * from the same code.  A name that this csum does not know is refused: nothing
 * is left out unsaid.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "verify.h"
#include "words.h"

/* A place in a file, for messages. */
struct place {
	const char *file;
	uint64_t line;
};

static bool wrong(const struct place *at, const char *what, const char *name)
{
	char line[40] = "";

	if (at->line)
		snprintf(line, sizeof(line), "line %" PRIu64 ": ", at->line);
	trouble("%s: %s%s%s%s", at->file, line, what, name ? " " : "",
		name ? name : "");
	return false;
}

/* --- numbers and names ------------------------------------------------------
 */

/* Adds member @key of @o, which has to be there unless @optional. */
static bool add_count(const struct place *at, const json_t *o, const char *key,
		      bool optional, uint64_t *sum)
{
	const json_t *v = json_object_get(o, key);

	if (!v && optional)
		return true;
	if (!json_is_integer(v) || json_integer_value(v) < 0 ||
	    __builtin_add_overflow(*sum, (uint64_t)json_integer_value(v), sum))
		return wrong(at, "no count", key);
	return true;
}

/* Which of @n names it is, or -1. */
static int find_name(const char *(*name)(int), int n, const char *word)
{
	for (int i = 0; word && i < n; i++)
		if (strcmp(name(i), word) == 0)
			return i;
	return -1;
}

static const char *verdict_of(int i)
{
	return verdict_name((enum verdict)i);
}
static const char *protocol_of(int i)
{
	return protocol_name((enum protocol)i);
}
static const char *note_of(int i)
{
	return note_text((enum note)i);
}
static const char *reason_of(int i)
{
	return reason_text((enum reason)i);
}
static const char *cause_of(int i)
{
	return cause_name((enum cause)i);
}
static const char *kind_of(int i)
{
	return conclusion_name((enum conclusion_kind)i);
}

/* Adds the counts of @o, whose keys are among @n names, to @sums. */
static bool add_counts(const struct place *at, const json_t *o,
		       const char *(*name)(int), int n, uint64_t *sums)
{
	const char *key;
	json_t *v;

	if (!json_is_object(o))
		return wrong(at, "no object of counts", NULL);
	json_object_foreach((json_t *)o, key, v)
	{
		const int i = find_name(name, n, key);

		if (i < 0)
			return wrong(at, "not known to this csum:", key);
		if (!add_count(at, o, key, false, &sums[i]))
			return false;
	}
	return true;
}

/* --- the tally --------------------------------------------------------------
 */

static bool add_sites(const struct place *at, const json_t *total,
		      const char *member, struct tally *t, int class)
{
	const json_t *sites = json_object_get(total, member);
	const char *key;
	json_t *v;

	if (!json_is_object(sites))
		return wrong(at, "no object", member);
	json_object_foreach((json_t *)sites, key, v)
	{
		const int p = find_name(protocol_of, PROTO_COUNT, key);

		if (p < 0)
			return wrong(at, "not known to this csum:", key);
		if (!add_counts(at, v, verdict_of, VERDICT_COUNT,
				t->sites.verdicts[class][p]))
			return false;
	}
	return true;
}

static bool add_notes(const struct place *at, const json_t *total,
		      struct tally *t)
{
	const json_t *notes = json_object_get(total, "notes_by_verdict");
	const char *key;
	json_t *v;

	if (!json_is_object(notes))
		return wrong(at, "no object", "notes_by_verdict");
	json_object_foreach((json_t *)notes, key, v)
	{
		const int i = find_name(verdict_of, VERDICT_COUNT, key);

		if (i < 0)
			return wrong(at, "not known to this csum:", key);
		if (!add_counts(at, v, note_of, NOTE_COUNT, t->sites.notes[i]))
			return false;
	}
	return true;
}

static bool add_edges(const struct place *at, const json_t *total,
		      struct tally *t)
{
	const json_t *edges = json_object_get(total, "not_looked_into");
	const char *key;
	json_t *v;

	if (!json_is_object(edges))
		return wrong(at, "no object", "not_looked_into");
	json_object_foreach((json_t *)edges, key, v)
	{
		uint64_t packets = 0;
		unsigned number;
		enum edge edge;

		if (!edge_from_text(key, &edge, &number))
			return wrong(at, "not known to this csum:", key);
		if (!add_count(at, edges, key, false, &packets))
			return false;
		if (packets)
			tally_edges(t, edge, number, packets);
	}
	return true;
}

static bool add_tally(const struct place *at, const json_t *o, struct tally *t)
{
	return add_count(at, o, "packets", false, &t->sites.packets) &&
	       add_count(at, o, "unchecked", false, &t->sites.unchecked) &&
	       add_sites(at, o, "sites", t, SITE_REAL) &&
	       add_sites(at, o, "quoted", t, SITE_QUOTED) &&
	       add_notes(at, o, t) &&
	       add_counts(at, json_object_get(o, "causes"), cause_of,
			  CAUSE_COUNT, t->sites.causes) &&
	       add_counts(at, json_object_get(o, "unverifiable"), reason_of,
			  REASON_COUNT, t->sites.reasons) &&
	       add_edges(at, o, t);
}

/* --- the conclusion ---------------------------------------------------------
 */

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));

	return text ? text : "";
}

/* The version of the IP address in @text, or 0. */
static uint8_t read_address(const char *text, uint8_t address[16])
{
	if (inet_pton(AF_INET, text, address) == 1)
		return 4;
	return inet_pton(AF_INET6, text, address) == 1 ? 6 : 0;
}

static bool read_host(const char *text, struct conclusion_subject *s)
{
	unsigned a[6];
	char end;

	s->version = read_address(text, s->address);
	s->kind = s->version ? SUBJECT_HOST : SUBJECT_LINK;
	if (s->version)
		return true;
	if (sscanf(text, "%2x:%2x:%2x:%2x:%2x:%2x%c", &a[0], &a[1], &a[2],
		   &a[3], &a[4], &a[5], &end) != 6)
		return false;
	for (int i = 0; i < 6; i++)
		s->address[i] = (uint8_t)a[i];
	return true;
}

/* True if @o has a number up to @most under @key. */
static bool read_number(const json_t *o, const char *key, json_int_t most,
			json_int_t *n)
{
	const json_t *v = json_object_get(o, key);

	*n = json_integer_value(v);
	return json_is_integer(v) && *n >= 0 && *n <= most;
}

static bool read_flow(const json_t *o, struct conclusion_subject *s)
{
	json_int_t protocol, from = 0, to = 0;
	struct endpoints *e = &s->flow;

	s->kind = SUBJECT_FLOW;
	e->version = read_address(text_of(o, "source"), e->src);
	e->has_ports = json_object_get(o, "source_port") != NULL;
	if (!e->version ||
	    read_address(text_of(o, "destination"), e->dst) != e->version ||
	    !read_number(o, "protocol", 255, &protocol) ||
	    (e->has_ports && (!read_number(o, "source_port", 65535, &from) ||
			      !read_number(o, "destination_port", 65535, &to))))
		return false;
	e->protocol = (uint8_t)protocol;
	e->src_port = (uint16_t)from;
	e->dst_port = (uint16_t)to;
	return true;
}

static bool read_subject(const json_t *o, struct conclusion_subject *s)
{
	json_int_t interface;

	if (json_is_null(o))
		return true;
	if (json_object_get(o, "host"))
		return read_host(text_of(o, "host"), s);
	if (json_object_get(o, "flow"))
		return read_flow(json_object_get(o, "flow"), s);
	s->kind = SUBJECT_INTERFACE;
	if (!read_number(o, "interface", UINT32_MAX, &interface))
		return false;
	s->interface = (uint32_t)interface;
	return true;
}

static enum wire read_wire(const json_t *o)
{
	const json_t *wire = json_object_get(o, "wire");

	return json_is_true(wire)    ? WIRE_WRONG
	       : json_is_false(wire) ? WIRE_RIGHT
				     : WIRE_UNKNOWN;
}

static bool read_words(const json_t *o, struct conclusion_part *p)
{
	const char *cause = json_string_value(json_object_get(o, "cause"));
	const int kind = find_name(kind_of, CONCLUDE_KINDS, text_of(o, "kind"));
	const int mistake = cause ? find_name(cause_of, CAUSE_COUNT, cause) : 0;

	if (kind < 0 || mistake < 0)
		return false;
	p->kind = (enum conclusion_kind)kind;
	p->cause = (enum cause)mistake;
	p->wire = read_wire(o);
	p->receiver = json_is_true(json_object_get(o, "receiver"));
	p->merged = json_is_true(json_object_get(o, "merged"));
	p->constant = json_object_get(o, "difference") != NULL;
	if (p->constant)
		p->difference =
			(uint32_t)strtoul(text_of(o, "difference"), NULL, 16);
	return true;
}

static bool add_part(const struct place *at, const json_t *o, struct merged *m)
{
	struct conclusion_part p = { 0 };

	if (!read_words(o, &p) ||
	    !read_subject(json_object_get(o, "subject"), &p.subject))
		return wrong(at,
			     "a part of the conclusion that is not known "
			     "to this csum",
			     NULL);
	if (!add_count(at, o, "checksums", false, &p.checksums) ||
	    !add_count(at, o, "files", false, &p.files) ||
	    !add_count(at, o, "first_frame", p.files != 1, &p.first) ||
	    !add_count(at, o, "last_frame", p.files != 1, &p.last) ||
	    !add_count(at, o, "packets", true, &p.of) ||
	    !add_count(at, o, "one_bit", true, &p.one_bit) ||
	    !add_count(at, o, "resent", true, &p.fates[FATE_RESENT]))
		return false;
	if (!merged_add_part(m, &p, text_of(o, "file")))
		return wrong(at, "out of memory", NULL);
	return true;
}

static bool add_conclusions(const struct place *at, const json_t *o,
			    struct merged *m)
{
	const json_t *conclusion = json_object_get(o, "conclusion");
	const json_t *parts = json_object_get(conclusion, "parts");
	size_t i;
	json_t *part;

	if (!json_is_array(parts))
		return wrong(at, "no conclusion with parts", NULL);
	json_array_foreach(parts, i,
			   part) if (!add_part(at, part, m)) return false;
	return add_counts(at, json_object_get(o, "conclusions"), kind_of,
			  CONCLUDE_KINDS, m->files) &&
	       add_count(at, o, "nothing_verified", false,
			 &m->nothing_verified) &&
	       add_count(at, o, "unweighed", false, &m->unweighed);
}

/* --- the total --------------------------------------------------------------
 */

static bool add_passed(const struct place *at, const json_t *o,
		       struct passed_over *p)
{
	return add_count(at, o, "not_captures", false, &p->foreign) &&
	       add_count(at, o, "symbolic_links", false, &p->links) &&
	       add_count(at, o, "special_files", false, &p->special);
}

static bool add_total(const struct place *at, const json_t *o, struct total *t)
{
	return add_count(at, o, "files", false, &t->files) &&
	       add_count(at, o, "unreadable", false, &t->unreadable) &&
	       add_count(at, o, "not_whole", false, &t->not_whole) &&
	       add_passed(at, json_object_get(o, "passed_over"), &t->passed) &&
	       add_tally(at, o, t->tally) && add_conclusions(at, o, &t->merged);
}

static bool is_schema(const struct place *at, const json_t *o)
{
	json_int_t version;

	if (strcmp(text_of(o, "type"), "schema") != 0 ||
	    strcmp(text_of(o, "name"), "csum-verify") != 0)
		return wrong(at,
			     "no beginning of what `csum verify --json` "
			     "writes",
			     NULL);
	if (!read_number(o, "version", SCHEMA_VERSION, &version))
		return wrong(at, "is of a later csum", NULL);
	return true;
}

/* @open: a run has begun, and there was no total yet. */
static bool take_object(const struct place *at, const json_t *o, bool *open,
			struct total *t)
{
	if (!*open) {
		*open = true;
		return is_schema(at, o);
	}
	if (strcmp(text_of(o, "type"), "schema") == 0)
		return wrong(at,
			     "a run begins, and the one before it had no "
			     "end",
			     NULL);
	if (strcmp(text_of(o, "type"), "total") != 0)
		return true;
	*open = false;
	return add_total(at, o, t);
}

static bool read_lines(FILE *f, struct place *at, struct total *t)
{
	bool open = false, ok = true;
	char *line = NULL;
	size_t size = 0;
	ssize_t n;

	while (ok && (n = getline(&line, &size, f)) > 0) {
		json_error_t e;
		json_t *o = json_loadb(line, (size_t)n, 0, &e);

		at->line++;
		ok = o ? take_object(at, o, &open, t)
		       : wrong(at, "not JSON:", e.text);
		json_decref(o);
	}
	free(line);
	if (ok && ferror(f))
		return wrong(at, strerror(errno), NULL);
	if (ok && at->line == 0)
		return wrong(at, "is empty", NULL);
	if (ok && open)
		return wrong(at,
			     "the run did not come to its end: no total "
			     "follows",
			     NULL);
	return ok;
}

bool total_read(struct total *t, const char *file)
{
	struct place at = { .file = input_name(file) };
	int fd = input_open(file);
	FILE *f;
	bool ok;

	if (fd < 0)
		return false;
	f = fdopen(fd, "r");
	if (!f)
		return wrong(&at, strerror(errno), NULL);
	ok = read_lines(f, &at, t);
	fclose(f);
	return ok;
}
