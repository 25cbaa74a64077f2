/* SPDX-License-Identifier: BSD-2-Clause */
/* verify_by.c - `csum verify --by`: what is counted, and the rankings printed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "terminal.h"
#include "verify.h"

enum { TOP = 20, TIMES = 60 };

static const char *const names[BY_COUNT] = {
	[BY_HOST] = "host", [BY_FLOW] = "flow",	  [BY_INTERFACE] = "interface",
	[BY_PORT] = "port", [BY_CAUSE] = "cause", [BY_TIME] = "time",
};

const char *by_word(int i)
{
	return i < BY_COUNT ? names[i] : NULL;
}

/* --- in any thread: what a pass tells --------------------------------------
 */

/* CAUSE_COUNT: nobody has looked for one. */
static unsigned cause_of(const struct finding *f)
{
	if (!f->asked_why)
		return CAUSE_COUNT;
	return f->ncauses ? f->causes[0].cause : CAUSE_NONE;
}

/* The IP header of a finding, or NULL. */
static const uint8_t *header_of(const struct finding *f)
{
	if (!f->walk)
		return NULL;
	return site_ip_header(f->packet, f->walk,
			      (unsigned)(f->site - f->walk->sites));
}

static struct sighting *next_sighting(struct sightings *l)
{
	const size_t more = 2 * l->size + 64;
	struct sighting *list = l->list;

	if (l->n == l->size) {
		list = realloc(list, more * sizeof(*list));
		if (!list)
			return NULL;
		l->list = list;
		l->size = more;
	}
	return &l->list[l->n++];
}

static struct sighting *begin_sighting(struct sightings *l,
				       const struct finding *f)
{
	struct sighting *s = next_sighting(l);

	if (!s)
		return NULL;
	s->time = f->packet->time;
	s->interface = f->packet->interface;
	s->cause = cause_of(f);
	s->counts = (struct rank_counts){ 0 };
	finding_ends(f, &s->ends);
	return s;
}

bool sightings_add(struct sightings *l, const struct finding *f)
{
	const enum verdict v = f->check.verdict;
	const uint8_t *header;
	struct sighting *s;

	if (f->site->class != SITE_REAL || v > VERDICT_PARTIAL)
		return true;
	header = header_of(f);
	s = l->n ? &l->list[l->n - 1] : NULL;
	/* all that is behind one header is one sighting */
	if (!s || !header || header != l->header ||
	    f->packet->frame != l->frame || s->cause != cause_of(f))
		s = begin_sighting(l, f);
	if (!s)
		return false;
	l->header = header;
	l->frame = f->packet->frame;
	s->counts.bad += v == VERDICT_BAD;
	s->counts.partial += v == VERDICT_PARTIAL;
	s->counts.all++;
	return true;
}

/* --- in the order of the files ---------------------------------------------
 */

bool rankings_init(struct rankings *r, const struct verify_options *o)
{
	bool ok = true;

	for (int i = 0; i < BY_COUNT; i++)
		if (o->by[i])
			ok = ranking_init(&r->by[r->n++], (enum rank_by)i) &&
			     ok;
	return ok;
}

void rankings_free(struct rankings *r)
{
	for (unsigned i = 0; i < r->n; i++)
		ranking_free(&r->by[i]);
}

void rankings_take(struct rankings *r, struct sightings *l)
{
	for (unsigned i = 0; i < r->n; i++)
		for (size_t k = 0; k < l->n; k++)
			ranking_add(&r->by[i], &l->list[k]);
	l->n = 0;
}

/* --- text ------------------------------------------------------------------
 */

static void row_text(const struct ranking *r, const struct rank_row *row,
		     char *buf, size_t size)
{
	const struct endpoints *e = &row->key.ends;
	char ends[160];

	switch (r->by) {
	case BY_HOST:
		if (e->version)
			address_text(e->version, e->src, buf, size);
		else
			snprintf(buf, size, "not in IP");
		break;
	case BY_FLOW:
		ends_text(e, ends, sizeof(ends));
		snprintf(buf, size, "%s %s", ip_protocol_word(e->protocol),
			 e->version ? ends : "not in IP");
		break;
	case BY_PORT:
		if (e->has_ports)
			snprintf(buf, size, "%s port %u",
				 ip_protocol_word(e->protocol), e->src_port);
		else
			snprintf(buf, size, "without ports");
		break;
	case BY_CAUSE:
		snprintf(buf, size, "%s",
			 cause_text((enum cause)row->key.number));
		break;
	case BY_TIME:
		time_text(row->key.number * rank_width(r), ' ', ends,
			  sizeof(ends));
		snprintf(buf, size, "%s.%03" PRIu64 " and %g s on", ends,
			 row->key.number * rank_width(r) / 1000000 % 1000,
			 (double)rank_width(r) / 1e9);
		break;
	default:
		snprintf(buf, size, "interface %" PRIu64, row->key.number);
		break;
	}
}

static bool is_wrong(const struct rank_row *row)
{
	return row->counts.bad || row->counts.partial;
}

/* Of all that is bad; or, where nothing is, of what is partial. */
static double share_of(const struct ranking *r, const struct rank_row *row)
{
	if (r->total.bad)
		return (double)row->counts.bad / (double)r->total.bad;
	if (r->total.partial)
		return (double)row->counts.partial / (double)r->total.partial;
	return 0;
}

static void text_times(const struct rank_row *row)
{
	char first[40], last[40];

	if (!row->first) {
		putchar('\n');
		return;
	}
	time_text(row->first, ' ', first, sizeof(first));
	time_text(row->last, ' ', last, sizeof(last));
	printf("  %s  %s\n", first, last);
}

static void text_row(const struct ranking *r, const struct rank_row *row)
{
	char text[200];

	row_text(r, row, text, sizeof(text));
	printf("  %s\n%9" PRIu64 "%9" PRIu64 "%10" PRIu64 "%s%6.1f%%", text,
	       row->counts.bad, row->counts.partial, row->counts.all,
	       row->late ? "+" : " ", 100 * share_of(r, row));
	text_times(row);
}

/* How many rows are shown: all that have something wrong, or intervals. */
static size_t shown_rows(const struct ranking *r, size_t n)
{
	size_t shown = 0;

	if (r->by == BY_TIME)
		return n;
	while (shown < n && is_wrong(&r->rows[shown]))
		shown++;
	return shown;
}

static void text_dropped(const struct ranking *r)
{
	char text[300];

	if (!r->dropped.all)
		return;
	snprintf(text, sizeof(text),
		 "not in this ranking: %" PRIu64 " checksums, %" PRIu64
		 " bad and %" PRIu64 " partial of them, %s",
		 r->dropped.all, r->dropped.bad, r->dropped.partial,
		 r->by == BY_TIME ? "without a time"
				  : "for which there was no room; where it "
				    "says +, some of them may belong");
	printf("  ");
	put_words(stdout, text, terminal_width(stdout), 2, 4);
}

static void text_ranking(const struct ranking *r, size_t n)
{
	const size_t wrong = shown_rows(r, n);
	const size_t shown = r->by != BY_TIME && wrong > TOP ? TOP : wrong;

	if (r->by == BY_TIME)
		printf("by time: %zu intervals\n", n);
	else
		printf("by %s: %zu with something bad or partial, of %zu\n",
		       names[r->by], wrong, n);
	if (shown)
		printf("%9s%9s%10s%7s   %-19s  %s\n", "bad", "partial",
		       "of all", "share", "first", "last");
	for (size_t i = 0; i < shown; i++)
		text_row(r, &r->rows[i]);
	if (shown < wrong)
		printf("  and %zu more\n", wrong - shown);
	text_dropped(r);
}

/* --- JSON ------------------------------------------------------------------
 */

static void json_address(const char *name, const struct endpoints *e,
			 const uint8_t *address)
{
	char text[64];

	if (!e->version) {
		printf("\"%s\":null", name);
		return;
	}
	address_text(e->version, address, text, sizeof(text));
	printf("\"%s\":\"%s\"", name, text);
}

static void json_flow_key(const struct endpoints *e)
{
	json_address("source", e, e->src);
	if (e->has_ports)
		printf(",\"source_port\":%u", e->src_port);
	putchar(',');
	json_address("destination", e, e->dst);
	if (e->has_ports)
		printf(",\"destination_port\":%u", e->dst_port);
	printf(",\"protocol\":%u", e->protocol);
}

static void json_key(const struct ranking *r, const struct rank_row *row)
{
	const struct endpoints *e = &row->key.ends;

	switch (r->by) {
	case BY_HOST:
		json_address("host", e, e->src);
		break;
	case BY_FLOW:
		json_flow_key(e);
		break;
	case BY_PORT:
		if (e->has_ports)
			printf("\"port\":%u,\"protocol\":%u", e->src_port,
			       e->protocol);
		else
			fputs("\"port\":null", stdout);
		break;
	case BY_CAUSE:
		printf("\"cause\":\"%s\"",
		       cause_name((enum cause)row->key.number));
		break;
	case BY_TIME:
		fputs("\"from\":\"", stdout);
		put_time(stdout, row->key.number * rank_width(r));
		putchar('"');
		break;
	default:
		printf("\"interface\":%" PRIu64, row->key.number);
		break;
	}
}

static void json_rank_counts(const struct rank_counts *c)
{
	printf("\"bad\":%" PRIu64 ",\"partial\":%" PRIu64 ",\"all\":%" PRIu64,
	       c->bad, c->partial, c->all);
}

static void json_row(const struct ranking *r, const struct rank_row *row)
{
	putchar('{');
	json_key(r, row);
	putchar(',');
	json_rank_counts(&row->counts);
	printf(",\"share\":%.6f", share_of(r, row));
	if (row->first) {
		fputs(",\"first\":\"", stdout);
		put_time(stdout, row->first);
		fputs("\",\"last\":\"", stdout);
		put_time(stdout, row->last);
		putchar('"');
	}
	printf(",\"at_least\":%s}", row->late ? "true" : "false");
}

static void json_ranking(const struct ranking *r, size_t n)
{
	const size_t wrong = shown_rows(r, n);
	const size_t shown = r->by != BY_TIME && wrong > TOP ? TOP : wrong;

	printf("{\"type\":\"ranking\",\"by\":\"%s\",", names[r->by]);
	json_rank_counts(&r->total);
	if (r->by == BY_TIME)
		printf(",\"seconds\":%g", (double)rank_width(r) / 1e9);
	fputs(",\"rows\":[", stdout);
	for (size_t i = 0; i < shown; i++) {
		fputs(i ? "," : "", stdout);
		json_row(r, &r->rows[i]);
	}
	printf("],\"more_rows\":%zu,\"dropped\":{", wrong - shown);
	json_rank_counts(&r->dropped);
	puts("}}");
}

void rankings_print(struct rankings *r, const struct verify_options *o)
{
	for (unsigned i = 0; i < r->n; i++) {
		const size_t n = ranking_sort(&r->by[i], TIMES);

		if (o->format == FORMAT_TEXT)
			text_ranking(&r->by[i], n);
		if (o->format == FORMAT_JSON)
			json_ranking(&r->by[i], n);
	}
}
