/* SPDX-License-Identifier: BSD-2-Clause */
/* observation.c - judged packets to observations. */
#include "observation.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "why.h"

static enum observed observed_kind(enum protocol p)
{
	static const uint8_t kinds[PROTO_COUNT] = {
		[PROTO_IPV4] = OBSERVED_NETWORK + 1,
		[PROTO_TCP] = OBSERVED_TCP + 1,
		[PROTO_UDP] = OBSERVED_UDP + 1,
	};

	return kinds[p] ? kinds[p] - 1u : OBSERVED_OTHER;
}

/* --- lists that grow -------------------------------------------------------
 */

static bool room(void **list, size_t *size, size_t n, size_t each)
{
	size_t more = 2 * *size + 64;
	void *p;

	if (n < *size)
		return true;
	p = realloc(*list, more * each);
	if (!p)
		return false;
	*list = p;
	*size = more;
	return true;
}

static struct glance *add_glance(struct observations *l)
{
	if (l->nglances == l->glances_size &&
	    !room((void **)&l->glances, &l->glances_size, l->nglances,
		  sizeof(*l->glances)))
		return NULL;
	return &l->glances[l->nglances++];
}

static struct observation *add_observation(struct observations *l)
{
	if (!room((void **)&l->seen, &l->seen_size, l->nseen, sizeof(*l->seen)))
		return NULL;
	return &l->seen[l->nseen++];
}

static struct symptom *add_symptom(struct observations *l)
{
	if (!room((void **)&l->symptoms, &l->symptoms_size, l->nsymptoms,
		  sizeof(*l->symptoms)))
		return NULL;
	return &l->symptoms[l->nsymptoms++];
}

void observations_clear(struct observations *list)
{
	list->nglances = list->nseen = list->nsymptoms = 0;
}

void observations_free(struct observations *list)
{
	free(list->glances);
	free(list->seen);
	free(list->symptoms);
	*list = (struct observations){ .protocols = list->protocols };
}

/* --- hashes ----------------------------------------------------------------
 *
 * Every packet has three, so they are made of as few multiplications as tell
 * addresses apart: one for IPv4, one more for IPv6.
 */

/* The multiplier of SplitMix64; the high half is mixed down. */
static uint64_t mix(uint64_t h)
{
	h *= UINT64_C(0xbf58476d1ce4e5b9);
	return h ^ h >> 32;
}

/* An address in 64 bits, of which IPv4 leaves the upper 31 zero. */
static uint64_t address_word(uint8_t version, const uint8_t *address)
{
	uint64_t a, b;

	if (version == 4)
		return be32(address) | UINT64_C(1) << 32;
	memcpy(&a, address, 8);
	memcpy(&b, address + 8, 8);
	return mix(a) + b;
}

/* Never 0, which stands for nobody. */
static uint64_t at_interface(uint64_t address, uint32_t interface)
{
	return mix(address ^ (uint64_t)interface << 33) | 1;
}

static uint64_t at_port(uint64_t address, uint16_t port)
{
	return mix(address ^ (uint64_t)port << 40);
}

uint64_t sender_hash(uint8_t version, const uint8_t *address,
		     uint32_t interface)
{
	return at_interface(address_word(version, address), interface);
}

/* --- a glance --------------------------------------------------------------
 */

static void take_tcp(const struct packet *packet, const struct site *s,
		     struct tcp_segment *t, uint32_t *payload)
{
	const uint8_t *p = packet->data + s->start;
	uint32_t header;

	if ((uint64_t)s->start + 20 > packet->caplen)
		return;
	header = 4u * (p[12] >> 4);
	*payload = s->len > header ? s->len - header : 0;
	*t = (struct tcp_segment){
		.present = true,
		.syn = p[13] & 2,
		.rst = p[13] & 4,
		.ack = p[13] & 16,
		.seq = be32(p + 4),
		.acked = be32(p + 8),
	};
	t->next = t->seq + *payload + t->syn + (p[13] & 1);
}

static bool has_ports(const struct packet *packet, const struct site *s)
{
	return (s->protocol == PROTO_TCP || s->protocol == PROTO_UDP) &&
	       (uint64_t)s->start + 4 <= packet->caplen;
}

/* The sum of a hash for either end is the same in both directions. */
static void take_ends(struct glance *g, const struct packet *packet,
		      const struct site *s, const uint8_t *src,
		      const uint8_t *dst, uint8_t version)
{
	const bool ports = has_ports(packet, s);
	const uint8_t *p = packet->data + s->start;
	uint64_t from = address_word(version, src);
	uint64_t to = address_word(version, dst);

	g->sender = at_interface(from, packet->interface);
	from = at_port(from, ports ? be16(p) : 0);
	to = at_port(to, ports ? be16(p + 2) : 0);
	g->flow = from + to;
	g->reverse = from > to;
}

/* The last site behind an IP header tells the ports. */
static void take_header(struct glance *g, const struct packet *packet,
			const struct site *last, const uint8_t *ip)
{
	const size_t left = packet->caplen - (size_t)(ip - packet->data);

	if (left >= 20 && ip[0] >> 4 == 4)
		take_ends(g, packet, last, ip + 12, ip + 16, 4);
	else if (left >= 40 && ip[0] >> 4 == 6)
		take_ends(g, packet, last, ip + 8, ip + 24, 6);
}

static bool is_symptom(const struct check *c)
{
	return c->verdict == VERDICT_BAD || c->verdict == VERDICT_PARTIAL;
}

static void take_verdict(struct glance *g, const struct site *s,
			 const struct check *c)
{
	const unsigned bit = 1u << observed_kind(s->protocol);

	if (c->verdict == VERDICT_GOOD)
		g->good |= (uint8_t)bit;
	else
		g->bad |= (uint8_t)bit;
}

/* --- symptoms --------------------------------------------------------------
 */

static void start(struct observation *o, const struct packet *packet,
		  const struct glance *g, size_t glance, uint8_t depth)
{
	*o = (struct observation){
		.glance = glance,
		.frame = packet->frame,
		.time = packet->time,
		.interface = packet->interface,
		.length = packet->wirelen,
		.depth = depth,
		.flow = g->flow,
		.reverse = g->reverse,
		.tcp = g->tcp,
	};
	packet_link_ends(packet, &o->link);
}

/* Payload of 8 BYTES and more that is one byte repeated. */
static bool is_blank(const struct packet *packet, const struct site *s,
		     uint32_t payload)
{
	const uint8_t *p = packet->data + s->start + s->len - payload;

	if (payload < 8 || payload > s->len ||
	    (uint64_t)s->start + s->len > packet->caplen)
		return false;
	return memcmp(p, p + 1, payload - 1) == 0;
}

static void find_causes(struct symptom *f, const struct packet *packet,
			const struct site *s, const struct check *c,
			const struct walk *walk)
{
	struct why list[WHY_MAX];
	const unsigned n = why_site(packet, s, c, walk, list);

	for (unsigned i = 0; i < n; i++)
		f->causes |= UINT64_C(1) << list[i].cause;
	f->cause = n ? list[0].cause : CAUSE_NONE;
	f->chance = n && list[0].chance;
}

/* @walk: NULL for a message. */
static bool add_site(struct observations *l, const struct packet *packet,
		     const struct walk *walk, const struct site *s,
		     const struct check *c, uint32_t payload)
{
	struct symptom *f = add_symptom(l);

	if (!f)
		return false;
	*f = (struct symptom){
		.kind = observed_kind(s->protocol),
		.protocol = s->protocol,
		.verdict = c->verdict,
		.note = c->note,
		.found = c->found,
		.expected = c->expected,
		.blank = is_blank(packet, s, payload),
	};
	find_causes(f, packet, s, c, walk);
	return true;
}

/* The symptoms of the observation that is complete now get a copy of it. */
static void finish(struct observations *l, const struct observation *o)
{
	for (unsigned i = 0; i < o->nsymptoms; i++)
		l->symptoms[l->nsymptoms - o->nsymptoms + i].seen = *o;
}

static bool of_interest(const struct observations *l, const struct site *s,
			const struct check *c)
{
	return (c->verdict == VERDICT_GOOD || is_symptom(c)) &&
	       s->class == SITE_REAL && !s->open &&
	       (!l->protocols || l->protocols[s->protocol]);
}

/* Sites [@from, @to) of a walk are behind the same IP header. */
struct behind {
	const struct packet *packet;
	const struct walk *walk;
	const struct check *checks;
	unsigned from, to;
	const uint8_t *ip; /* NULL: none */
	uint32_t payload;  /* BYTES */
};

static bool observe_symptoms(struct observations *l, const struct behind *b)
{
	struct observation *o = add_observation(l);

	if (!o)
		return false;
	start(o, b->packet, &l->glances[l->nglances - 1], l->nglances - 1,
	      b->walk->sites[b->from].depth);
	o->payload = b->payload;
	site_endpoints(b->packet, b->walk, b->from, &o->ends);
	if (b->ip && o->ends.version)
		o->ttl = b->ip[o->ends.version == 4 ? 8 : 7];
	for (unsigned i = b->from; i < b->to; i++) {
		const struct site *s = &b->walk->sites[i];

		if (!is_symptom(&b->checks[i]) ||
		    !of_interest(l, s, &b->checks[i]))
			continue;
		if (!add_site(l, b->packet, b->walk, s, &b->checks[i],
			      b->payload))
			return false;
		o->nsymptoms++;
	}
	finish(l, o);
	return true;
}

static bool observe_ip(struct observations *l, struct behind *b)
{
	struct glance *g = add_glance(l);

	if (!g)
		return false;
	*g = (struct glance){ .length = b->packet->wirelen };
	for (unsigned i = b->from; i < b->to; i++) {
		const struct site *s = &b->walk->sites[i];

		if (!of_interest(l, s, &b->checks[i]))
			continue;
		take_verdict(g, s, &b->checks[i]);
		if (s->protocol == PROTO_TCP)
			take_tcp(b->packet, s, &g->tcp, &b->payload);
		else if (s->protocol == PROTO_UDP && s->len > 8)
			b->payload = s->len - 8;
	}
	g->payload = b->payload > 0;
	if (b->ip)
		take_header(g, b->packet, &b->walk->sites[b->to - 1], b->ip);
	return !g->bad || observe_symptoms(l, b);
}

bool observe_packet(struct observations *list, const struct packet *packet,
		    const struct walk *walk, const struct check *checks)
{
	struct behind b = { packet, walk, checks, 0, 0, NULL, 0 };

	if (packet->interface >= list->ninterfaces)
		list->ninterfaces = packet->interface + 1;
	while (b.to < walk->count) {
		b.from = b.to;
		b.payload = 0;
		b.ip = site_ip_header(packet, walk, b.from);
		do
			b.to++;
		while (b.to < walk->count &&
		       site_ip_header(packet, walk, b.to) == b.ip);
		if (!observe_ip(list, &b))
			return false;
	}
	return true;
}

bool observe_message(struct observations *list, const struct packet *packet,
		     const struct site *s, const struct check *c)
{
	const struct pseudo *p = &s->pseudo_header;
	struct observation *o;
	struct glance *g;

	if (!of_interest(list, s, c))
		return true;
	g = add_glance(list);
	if (!g)
		return false;
	*g = (struct glance){ .length = packet->wirelen };
	take_verdict(g, s, c);
	if (p->src)
		take_ends(g, packet, s, p->src, p->dst, p->ipv6 ? 6 : 4);
	if (!g->bad)
		return true;
	o = add_observation(list);
	if (!o || !add_site(list, packet, NULL, s, c, 0))
		return false;
	start(o, packet, g, list->nglances - 1, s->depth);
	pseudo_endpoints(p, &o->ends);
	o->nsymptoms = 1;
	finish(list, o);
	return true;
}

/* --- differences -----------------------------------------------------------
 */

uint32_t symptom_difference(const struct symptom *f)
{
	if (protocol_width(f->protocol) != 2)
		return 0;
	return (f->found + 0xffff - f->expected % 0xffff) % 0xffff;
}

static bool is_power_of_two(uint32_t v)
{
	return v && !(v & (v - 1));
}

bool symptom_is_one_bit(const struct symptom *f)
{
	const uint32_t diff = symptom_difference(f);

	return is_power_of_two(diff) || is_power_of_two(0xffff - diff);
}
