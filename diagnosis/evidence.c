/* SPDX-License-Identifier: BSD-2-Clause */
/* evidence.c - observations in the order of the file, added up. */
#include "evidence.h"

#include <stdlib.h>
#include <string.h>

/* --- what becomes of wrong TCP segments ------------------------------------
 *
 * A ring of those that are awaited; the newest takes the place of the oldest.
 * Lists by a hash of the flow, the same for both directions, lead to them.
 */

enum { BUCKETS = 1024, NOBODY = 0 };

struct wait {
	struct symptom *symptom; /* stays where it is: lists have fixed sizes */
	uint16_t next; /* in the bucket: place + 1; NOBODY: the last */
	uint16_t bucket;
	bool used;
	bool followed; /* a later segment shows where this one ended */
};

struct awaited {
	struct wait waits[EVIDENCE_AWAITED];
	uint16_t heads[BUCKETS]; /* place + 1 */
	unsigned turn, n;
};

static void forget(struct awaited *a, struct wait *w)
{
	uint16_t *link = &a->heads[w->bucket];
	const uint16_t self = (uint16_t)(w - a->waits + 1);

	while (*link != self)
		link = &a->waits[*link - 1].next;
	*link = w->next;
	w->used = false;
	a->n--;
}

static void await(struct awaited *a, struct symptom *f)
{
	struct wait *w = &a->waits[a->turn++ % EVIDENCE_AWAITED];

	if (w->used)
		forget(a, w);
	*w = (struct wait){
		.symptom = f,
		.used = true,
		.bucket = (uint16_t)(f->seen.flow % BUCKETS),
	};
	w->next = a->heads[w->bucket];
	a->heads[w->bucket] = (uint16_t)(w - a->waits + 1);
	a->n++;
}

/* Sequence numbers wrap (RFC 9293, section 3.4). */
static bool at_or_behind(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) >= 0;
}

/* A later segment of the same direction. */
static void same_direction(struct wait *w, const struct tcp_segment *t,
			   bool good)
{
	const struct tcp_segment *bad = &w->symptom->seen.tcp;

	if (at_or_behind(bad->seq, t->seq) &&
	    at_or_behind(t->next, bad->next) && t->next != t->seq) {
		if (good)
			w->symptom->fate = FATE_RESENT;
		else if (w->symptom->fate == FATE_UNKNOWN)
			w->symptom->fate = FATE_REPEATED;
		return;
	}
	if (w->followed || !at_or_behind(t->seq, bad->next))
		return;
	w->followed = true;
	w->symptom->gap = t->seq != bad->next;
}

/* An acknowledgement from the other side. */
static void other_direction(struct wait *w, const struct tcp_segment *t)
{
	const struct symptom *f = w->symptom;

	if (t->ack && !t->rst && at_or_behind(t->acked, f->seen.tcp.next) &&
	    f->fate != FATE_RESENT)
		w->symptom->fate = FATE_ACKED;
}

static void follow_flow(struct awaited *a, const struct glance *g)
{
	const bool good = g->good & 1u << OBSERVED_TCP && !g->bad;
	uint16_t next = a->heads[g->flow % BUCKETS];

	while (next != NOBODY) {
		struct wait *w = &a->waits[next - 1];
		const struct observation *o = &w->symptom->seen;

		next = w->next;
		if (o->flow != g->flow)
			continue;
		if (o->reverse == g->reverse)
			same_direction(w, &g->tcp, good);
		else
			other_direction(w, &g->tcp);
	}
}

/* --- adding up -------------------------------------------------------------
 */

static bool symptoms_init(struct symptoms *f)
{
	*f = (struct symptoms){ .size = EVIDENCE_SYMPTOMS };
	f->list = malloc(f->size * sizeof(*f->list));
	return f->list;
}

bool evidence_init(struct evidence *e)
{
	*e = (struct evidence){ 0 };
	e->awaited = calloc(1, sizeof(*e->awaited));
	e->right_flows = calloc(EVIDENCE_FLOW_BITS / 8, 1);
	return e->awaited && e->right_flows && senders_init(&e->senders) &&
	       symptoms_init(&e->wrong) && symptoms_init(&e->partial);
}

void evidence_free(struct evidence *e)
{
	free(e->wrong.list);
	free(e->partial.list);
	free(e->awaited);
	free(e->right_flows);
	senders_free(&e->senders);
	*e = (struct evidence){ 0 };
}

void evidence_clear(struct evidence *e)
{
	const struct evidence was = *e;

	*e = (struct evidence){
		.senders = { .places = was.senders.places },
		.wrong = { .list = was.wrong.list, .size = was.wrong.size },
		.partial = { .list = was.partial.list,
			     .size = was.partial.size },
		.right_flows = was.right_flows,
		.awaited = was.awaited,
	};
	memset(e->senders.places, 0, SENDERS * sizeof(*e->senders.places));
	memset(e->right_flows, 0, EVIDENCE_FLOW_BITS / 8);
	memset(e->awaited, 0, sizeof(*e->awaited));
}

/* The directions of a flow have bits beside each other. */
static uint32_t flow_bit(uint64_t flow, bool reverse)
{
	return (uint32_t)(flow % (EVIDENCE_FLOW_BITS / 2)) * 2 + reverse;
}

bool evidence_flow_right(const struct evidence *e, const struct symptom *s)
{
	const uint32_t bit = flow_bit(s->seen.flow, s->seen.reverse);

	return e->right_flows[bit / 8] >> bit % 8 & 1;
}

struct sender evidence_sender_at(const struct evidence *e,
				 const struct symptom *s, uint32_t interface)
{
	const struct endpoints *ends = &s->seen.ends;
	const struct sender *p = senders_find(
		&e->senders, sender_hash(ends->version, ends->src, interface));

	return p ? *p : (struct sender){ 0 };
}

struct sender evidence_sender(const struct evidence *e, const struct symptom *s)
{
	struct sender sum = { 0 };

	for (uint32_t i = 0; i < e->ninterfaces; i++) {
		const struct sender one = evidence_sender_at(e, s, i);

		sum.packets += one.packets;
		for (int k = 0; k < OBSERVED_KINDS; k++)
			sum.good[k] += one.good[k];
	}
	return sum;
}

static void take_good(struct evidence *e, const struct glance *g)
{
	const uint32_t bit = flow_bit(g->flow, g->reverse);

	e->right_flows[bit / 8] |= (uint8_t)(1 << bit % 8);
	e->good_payloads += g->payload;
	if (g->length > e->longest_good)
		e->longest_good = g->length;
}

static void take_glance(struct evidence *e, const struct glance *g)
{
	const unsigned transport = 1u << OBSERVED_TCP | 1u << OBSERVED_UDP;

	e->good[g->good]++;
	e->bad[g->bad]++;
	if (g->sender)
		senders_count(&e->senders, g->sender, g->good);
	if (g->good & transport)
		take_good(e, g);
	if (g->tcp.present && e->awaited->heads[g->flow % BUCKETS] != NOBODY)
		follow_flow(e->awaited, g);
}

/* How many packets have the bit of a kind in their set. */
static uint64_t with_kind(const uint64_t sets[EVIDENCE_SETS], enum observed k)
{
	uint64_t n = 0;

	for (unsigned set = 0; set < EVIDENCE_SETS; set++)
		n += set >> k & 1 ? sets[set] : 0;
	return n;
}

uint64_t evidence_good(const struct evidence *e, enum observed k)
{
	return with_kind(e->good, k);
}

uint64_t evidence_bad(const struct evidence *e, enum observed k)
{
	return with_kind(e->bad, k);
}

static struct symptom *keep(struct symptoms *list, const struct symptom *s)
{
	if (list->n == list->size) {
		list->more++;
		return NULL;
	}
	list->list[list->n] = *s;
	return &list->list[list->n++];
}

static void take_symptom(struct evidence *e, const struct symptom *s)
{
	struct symptom *kept =
		keep(s->verdict == VERDICT_BAD ? &e->wrong : &e->partial, s);

	if (kept && s->kind <= OBSERVED_TCP && s->seen.tcp.present &&
	    s->seen.tcp.next != s->seen.tcp.seq)
		await(e->awaited, kept);
}

void evidence_take(struct evidence *e, struct observations *list)
{
	const struct symptom *symptom = list->symptoms;
	size_t next = 0;

	for (size_t i = 0; i < list->nglances; i++) {
		take_glance(e, &list->glances[i]);
		if (next == list->nseen || list->seen[next].glance != i)
			continue;
		for (unsigned k = list->seen[next++].nsymptoms; k > 0; k--)
			take_symptom(e, symptom++);
	}
	if (list->ninterfaces > e->ninterfaces)
		e->ninterfaces = list->ninterfaces < EVIDENCE_INTERFACES
					 ? list->ninterfaces
					 : EVIDENCE_INTERFACES;
	observations_clear(list);
}
