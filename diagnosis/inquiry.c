/* SPDX-License-Identifier: BSD-2-Clause */
/* inquiry.c - what rules need: sets of symptoms, and whom they are about. */
#include "inquiry.h"

#include <stdlib.h>
#include <string.h>

/* --- sets of symptoms ------------------------------------------------------
 */

static bool link_local(const struct endpoints *e)
{
	return e->version == 6 && e->src[0] == 0xfe &&
	       (e->src[1] & 0xc0) == 0x80;
}

static size_t src_len(const struct symptom *f)
{
	return f->seen.ends.version == 4 ? 4 : 16;
}

bool same_src(const struct symptom *a, const struct symptom *b)
{
	return a->seen.ends.version == b->seen.ends.version &&
	       memcmp(a->seen.ends.src, b->seen.ends.src, src_len(a)) == 0;
}

bool same_dst(const struct symptom *a, const struct symptom *b)
{
	return a->seen.ends.version == b->seen.ends.version &&
	       memcmp(a->seen.ends.dst, b->seen.ends.dst, src_len(a)) == 0;
}

bool same_link(const struct symptom *a, const struct symptom *b)
{
	return a->seen.link.has_src && b->seen.link.has_src &&
	       memcmp(a->seen.link.src, b->seen.link.src, 6) == 0;
}

static bool same_link_dst(const struct symptom *a, const struct symptom *b)
{
	return a->seen.link.has_dst && b->seen.link.has_dst &&
	       memcmp(a->seen.link.dst, b->seen.link.dst, 6) == 0;
}

bool same_flow(const struct symptom *a, const struct symptom *b)
{
	return a->seen.flow == b->seen.flow &&
	       a->seen.reverse == b->seen.reverse;
}

static bool same_interface(const struct symptom *a, const struct symptom *b)
{
	return a->seen.interface == b->seen.interface;
}

bool same_difference(const struct symptom *a, const struct symptom *b)
{
	return symptom_difference(a) == symptom_difference(b);
}

bool all_same(const struct symptom *const *list, size_t n, relation *r)
{
	for (size_t i = 1; i < n; i++)
		if (!r(list[0], list[i]))
			return false;
	return n > 0;
}

bool one_sender(const struct symptom *const *list, size_t n)
{
	const struct symptom *first[2] = { NULL, NULL };

	for (size_t i = 0; i < n; i++) {
		const struct symptom **f =
			&first[list[i]->seen.ends.version == 6];

		if (link_local(&list[i]->seen.ends))
			continue;
		if (*f && !same_src(*f, list[i]))
			return false;
		*f = list[i];
	}
	return !first[0] || !first[1] || same_link(first[0], first[1]) ||
	       !first[0]->seen.link.has_src;
}

/* --- parts -----------------------------------------------------------------
 */

void take(struct inquiry *q, const struct symptom *f)
{
	q->taken[q->ntaken++] = f;
}

void take_related(struct inquiry *q, const struct symptom *f, relation *r)
{
	q->ntaken = 0;
	for (size_t i = 0; i < q->nopen; i++)
		if (r(f, q->open[i]))
			take(q, q->open[i]);
}

/* What is taken is no longer open.  Both lists are in the order of the file. */
static void close_taken(struct inquiry *q)
{
	size_t n = 0, t = 0;

	for (size_t i = 0; i < q->nopen; i++) {
		if (t < q->ntaken && q->open[i] == q->taken[t])
			t++;
		else
			q->open[n++] = q->open[i];
	}
	q->nopen = n;
}

static struct conclusion_part *least_part(struct conclusion *c)
{
	struct conclusion_part *least = c->parts;

	for (unsigned i = 1; i < c->nparts; i++)
		if (c->parts[i].checksums <= least->checksums)
			least = &c->parts[i];
	return least;
}

static void leave_out(struct inquiry *q, enum conclusion_kind kind,
		      uint64_t checksums)
{
	q->c->more_parts++;
	q->c->more_checksums += checksums;
	q->left_out_kinds |= 1u << kind;
}

/* Room for a part of what is taken. */
static struct conclusion_part *new_part(struct inquiry *q,
					enum conclusion_kind kind)
{
	struct conclusion_part *least;

	if (q->c->nparts < CONCLUSION_PARTS)
		return &q->c->parts[q->c->nparts++];
	least = least_part(q->c);
	if (q->ntaken <= least->checksums) {
		leave_out(q, kind, q->ntaken);
		return &q->left_out;
	}
	leave_out(q, least->kind, least->checksums);
	return least;
}

static void describe_taken(const struct inquiry *q, struct conclusion_part *p)
{
	const struct symptom *const *list = q->taken;
	const size_t n = q->ntaken;

	p->checksums = n;
	p->first = list[0]->seen.frame;
	p->last = list[n - 1]->seen.frame;
	p->constant = all_same(list, n, same_difference);
	p->difference = symptom_difference(list[0]);
	for (size_t i = 0; i < n; i++) {
		p->one_bit += symptom_is_one_bit(list[i]);
		p->fates[list[i]->fate]++;
	}
}

struct conclusion_part *add_part(struct inquiry *q, enum conclusion_kind kind)
{
	struct conclusion_part *p = new_part(q, kind);

	*p = (struct conclusion_part){ .kind = kind, .files = 1 };
	describe_taken(q, p);
	close_taken(q);
	return p;
}

/* --- whom it is about ------------------------------------------------------
 */

uint64_t good_sums(const struct sender *s)
{
	return (uint64_t)s->good[OBSERVED_TCP] + s->good[OBSERVED_UDP];
}

const struct symptom *main_sender(const struct inquiry *q)
{
	const struct symptom *best = q->taken[0];
	size_t most = 0;

	/* the list may be long: 64 candidates show who it is */
	for (size_t k = 0; k < 64; k++) {
		const struct symptom *f = q->taken[k * q->ntaken / 64];
		size_t n = 0;

		for (size_t i = 0; i < q->ntaken; i++)
			n += same_src(f, q->taken[i]);
		if (link_local(&f->seen.ends))
			n = 1;
		if (n > most) {
			most = n;
			best = f;
		}
	}
	return best;
}

/* What a machine has sent over either version of IP, as far as it is taken. */
static uint64_t sent_by(const struct inquiry *q)
{
	const struct symptom *seen[2] = { NULL, NULL };
	uint64_t packets = 0;

	for (size_t i = 0; i < q->ntaken; i++) {
		const struct symptom *f = q->taken[i];

		if (!link_local(&f->seen.ends))
			seen[f->seen.ends.version == 6] = f;
	}
	for (int i = 0; i < 2; i++)
		if (seen[i])
			packets += evidence_sender(q->e, seen[i]).packets;
	return packets;
}

void about_sender(const struct inquiry *q, struct conclusion_part *p,
		  const struct symptom *f)
{
	p->subject.kind = SUBJECT_HOST;
	p->subject.version = f->seen.ends.version;
	memcpy(p->subject.address, f->seen.ends.src, src_len(f));
	p->of = one_sender(q->taken, q->ntaken)
			? sent_by(q)
			: evidence_sender(q->e, f).packets;
}

void about_receiver(struct conclusion_part *p, const struct symptom *f)
{
	p->subject.kind = SUBJECT_HOST;
	p->subject.version = f->seen.ends.version;
	memcpy(p->subject.address, f->seen.ends.dst, src_len(f));
	p->receiver = true;
}

static void about_link(struct conclusion_part *p, const uint8_t address[6],
		       bool receiver)
{
	p->subject.kind = SUBJECT_LINK;
	memcpy(p->subject.address, address, 6);
	p->receiver = receiver;
}

void about_flow(struct conclusion_part *p, const struct symptom *f)
{
	p->subject.kind = SUBJECT_FLOW;
	p->subject.flow = f->seen.ends;
}

void about_path(const struct inquiry *q, struct conclusion_part *p)
{
	const struct symptom *const *list = q->taken;
	const size_t n = q->ntaken;

	if (one_sender(list, n)) {
		about_sender(q, p, main_sender(q));
	} else if (all_same(list, n, same_link)) {
		about_link(p, list[0]->seen.link.src, false);
	} else if (all_same(list, n, same_dst)) {
		about_receiver(p, list[0]);
	} else if (all_same(list, n, same_link_dst)) {
		about_link(p, list[0]->seen.link.dst, true);
	}
}

bool other_interface_right(const struct inquiry *q)
{
	const struct symptom *f = q->taken[0];

	if (!all_same(q->taken, q->ntaken, same_interface))
		return false;
	for (uint32_t i = 0; i < q->e->ninterfaces; i++) {
		const struct sender s = evidence_sender_at(q->e, f, i);

		if (i != f->seen.interface && good_sums(&s) > 0)
			return true;
	}
	return false;
}

/* --- groups by flow --------------------------------------------------------
 */

static int by_group(const void *a, const void *b)
{
	const struct symptom *const *x = a, *const *y = b;

	if ((*x)->seen.flow != (*y)->seen.flow)
		return (*x)->seen.flow < (*y)->seen.flow ? -1 : 1;
	if ((*x)->kind != (*y)->kind)
		return (*x)->kind < (*y)->kind ? -1 : 1;
	return (*x)->seen.frame < (*y)->seen.frame ? -1 : 1;
}

int by_frame(const void *a, const void *b)
{
	const struct symptom *const *x = a, *const *y = b;

	if ((*x)->seen.frame != (*y)->seen.frame)
		return (*x)->seen.frame < (*y)->seen.frame ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

static bool same_group(const struct symptom *a, const struct symptom *b)
{
	return a->seen.flow == b->seen.flow && a->kind == b->kind;
}

bool flow_all_bad(const struct inquiry *q, const struct symptom *f)
{
	if (f->kind == OBSERVED_TCP || f->kind == OBSERVED_UDP)
		return !evidence_flow_right(q->e, f);
	return evidence_sender(q->e, f).good[f->kind] == 0;
}

void each_constant_group(struct inquiry *q, group_visitor *visit, void *context)
{
	size_t from = 0;

	qsort(q->open, q->nopen, sizeof(*q->open), by_group);
	for (size_t i = 1; i <= q->nopen; i++) {
		const size_t n = i - from;

		if (i < q->nopen && same_group(q->open[from], q->open[i]))
			continue;
		if (n > 1 && all_same(q->open + from, n, same_difference))
			visit(q, q->open + from, n, context);
		from = i;
	}
	qsort(q->open, q->nopen, sizeof(*q->open), by_frame);
}

void take_all(struct inquiry *q)
{
	memcpy(q->taken, q->open, q->nopen * sizeof(*q->open));
	q->ntaken = q->nopen;
}

unsigned percent_bad(const struct inquiry *q)
{
	const struct evidence *e = q->e;
	const uint64_t bad = evidence_bad(e, OBSERVED_TCP) +
			     evidence_bad(e, OBSERVED_UDP) - e->partial.n -
			     e->partial.more;
	const uint64_t all = bad + evidence_good(e, OBSERVED_TCP) +
			     evidence_good(e, OBSERVED_UDP);

	return all ? (unsigned)(100 * bad / all) : 0;
}

size_t count_fate(const struct inquiry *q, enum fate fate)
{
	size_t n = 0;

	for (size_t i = 0; i < q->nopen; i++)
		n += q->open[i]->fate == fate;
	return n;
}
