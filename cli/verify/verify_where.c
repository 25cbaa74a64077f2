/* SPDX-License-Identifier: BSD-2-Clause */
/* verify_where.c - when, where and between whom a checksum was seen. */
#include <inttypes.h>
#include <time.h>

#include "endpoints.h"
#include "terminal.h"
#include "verify.h"

enum { TIME_TEXT = 40, NS = 1000000000 };

void finding_ends(const struct finding *f, struct endpoints *e)
{
	if (f->walk)
		site_endpoints(f->packet, f->walk,
			       (unsigned)(f->site - f->walk->sites), e);
	else
		pseudo_endpoints(&f->site->pseudo_header, e);
}

/* IP headers around the one of the site. */
static unsigned tunnels(const struct site *s)
{
	const bool network =
		s->protocol == PROTO_IPV4 || s->protocol == PROTO_IPV6;

	return !network && s->depth ? s->depth - 1u : s->depth;
}

void time_text(uint64_t ns, char between, char *buf, size_t size)
{
	const time_t seconds = (time_t)(ns / NS);
	char format[] = "%Y-%m-%d %H:%M:%S";
	struct tm tm;

	format[8] = between;
	*buf = 0;
	if (gmtime_r(&seconds, &tm))
		strftime(buf, size, format, &tm);
}

/* Addresses of what is not in IP are those of the link. */
struct ends_text {
	char src[64], dst[64];
	bool ports;
	uint16_t src_port, dst_port;
};

static void ends_of(const struct finding *f, struct ends_text *t)
{
	struct endpoints e;
	struct link_ends l;

	*t = (struct ends_text){ .ports = false };
	finding_ends(f, &e);
	if (e.version) {
		address_text(e.version, e.src, t->src, sizeof(t->src));
		address_text(e.version, e.dst, t->dst, sizeof(t->dst));
		t->ports = e.has_ports;
		t->src_port = e.src_port;
		t->dst_port = e.dst_port;
		return;
	}
	packet_link_ends(f->packet, &l);
	if (l.has_src)
		link_text(l.src, t->src, sizeof(t->src));
	if (l.has_dst)
		link_text(l.dst, t->dst, sizeof(t->dst));
}

/* --- text ------------------------------------------------------------------
 */

static void text_time(const struct packet *p, char *buf, size_t size)
{
	char seconds[TIME_TEXT];

	time_text(p->time, ' ', seconds, sizeof(seconds));
	if (p->time)
		snprintf(buf, size, "%s.%06" PRIu64 ", ", seconds,
			 p->time % NS / 1000);
	else
		*buf = 0;
}

static void text_ends(const struct finding *f, char *buf, size_t size)
{
	struct endpoints e;
	struct ends_text t;
	char text[2 * sizeof(t.src)];

	finding_ends(f, &e);
	if (e.version) {
		ends_text(&e, text, sizeof(text));
		snprintf(buf, size, "%s, ", text);
		return;
	}
	ends_of(f, &t);
	*buf = 0;
	if (*t.src || *t.dst)
		snprintf(buf, size, "%s > %s, ", *t.src ? t.src : "?",
			 *t.dst ? t.dst : "?");
}

void text_where(FILE *to, int width, const struct finding *f)
{
	char when[TIME_TEXT + sizeof(".000000, ")], ends[160];
	char vlans[32] = "", depth[24] = "";
	char line[300];
	int n = 0;

	text_time(f->packet, when, sizeof(when));
	text_ends(f, ends, sizeof(ends));
	for (unsigned i = 0; i < f->vlans->count; i++)
		n += snprintf(vlans + n, sizeof(vlans) - (size_t)n, "%s %u",
			      i ? "" : ", vlan", f->vlans->ids[i]);
	if (tunnels(f->site))
		snprintf(depth, sizeof(depth), ", tunnel %u", tunnels(f->site));
	snprintf(line, sizeof(line), "%s%sif %" PRIu32 "%s%s", when, ends,
		 f->packet->interface, vlans, depth);
	fprintf(to, "%*s", CONTINUED, "");
	put_words(to, line, width, CONTINUED, CONTINUED);
}

/* --- JSON and CSV ----------------------------------------------------------
 */

void put_time(FILE *to, uint64_t ns)
{
	char seconds[TIME_TEXT];

	time_text(ns, 'T', seconds, sizeof(seconds));
	fprintf(to, "%s.%09" PRIu64 "Z", seconds, ns % NS);
}

static void json_end(FILE *to, const char *name, const char *address,
		     bool ports, uint16_t port)
{
	if (*address)
		fprintf(to, ",\"%s\":\"%s\"", name, address);
	if (ports)
		fprintf(to, ",\"%s_port\":%u", name, port);
}

void json_where(FILE *to, const struct finding *f)
{
	struct ends_text t;

	if (f->packet->time) {
		fputs(",\"time\":\"", to);
		put_time(to, f->packet->time);
		putc('"', to);
	}
	fprintf(to, ",\"interface\":%" PRIu32, f->packet->interface);
	for (unsigned i = 0; i < f->vlans->count; i++)
		fprintf(to, "%s%u", i ? "," : ",\"vlans\":[", f->vlans->ids[i]);
	if (f->vlans->count)
		putc(']', to);
	ends_of(f, &t);
	json_end(to, "source", t.src, t.ports, t.src_port);
	json_end(to, "destination", t.dst, t.ports, t.dst_port);
}

static void csv_end(FILE *to, const char *address, bool ports, uint16_t port)
{
	fprintf(to, ",%s,", address);
	if (ports)
		fprintf(to, "%u", port);
}

void csv_where(FILE *to, const struct finding *f)
{
	struct ends_text t;

	putc(',', to);
	if (f->packet->time)
		put_time(to, f->packet->time);
	fprintf(to, ",%" PRIu32 ",", f->packet->interface);
	for (unsigned i = 0; i < f->vlans->count; i++)
		fprintf(to, "%s%u", i ? " " : "", f->vlans->ids[i]);
	ends_of(f, &t);
	csv_end(to, t.src, t.ports, t.src_port);
	csv_end(to, t.dst, t.ports, t.dst_port);
}
