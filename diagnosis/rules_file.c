/* SPDX-License-Identifier: BSD-2-Clause */
/* rules_file.c - what was changed in the file, after the capture. */
#include "inquiry.h"

#include <stdlib.h>

static size_t count_blank(const struct inquiry *q)
{
	size_t n = 0;

	for (size_t i = 0; i < q->nopen; i++)
		n += q->open[i]->blank;
	return n;
}

/* Symptoms in groups with one difference; of these, with both directions. */
struct constant {
	size_t n, both_ways;
};

static void count_group(struct inquiry *q, const struct symptom *const *list,
			size_t n, void *context)
{
	struct constant *c = context;

	(void)q;
	c->n += n;
	if (!all_same(list, n, same_flow))
		c->both_ways += n;
}

/* Each flow is wrong by the same both ways. */
static bool addresses_replaced(struct inquiry *q)
{
	struct constant c = { 0, 0 };

	each_constant_group(q, count_group, &c);
	return c.both_ways > 0 && c.n * 10 >= q->nopen * 8;
}

static bool payloads_blanked(const struct inquiry *q)
{
	return q->nopen >= 3 && count_blank(q) * 10 >= q->nopen * 8 &&
	       q->e->good_payloads * 5 <= q->nopen;
}

/* The other side has acknowledged what several hosts sent. */
static bool was_understood(const struct inquiry *q)
{
	const size_t acked = count_fate(q, FATE_ACKED);
	const size_t lost =
		count_fate(q, FATE_RESENT) + count_fate(q, FATE_REPEATED);

	return q->nopen >= 6 && acked >= 3 && acked > 10 * lost &&
	       !all_same(q->open, q->nopen, same_src);
}

void rule_anonymised(struct inquiry *q)
{
	const bool nearly_all = percent_bad(q) >= 80;

	if (!(nearly_all && addresses_replaced(q)) && !payloads_blanked(q) &&
	    !(nearly_all && was_understood(q)))
		return;
	take_all(q);
	add_part(q, CONCLUDE_ANONYMISED);
}

/* The same value as in the segment before it: cut in two after the sum. */
static bool continues(const struct symptom *a, const struct symptom *b)
{
	return a->found == b->found && same_flow(a, b) && b->seen.tcp.present &&
	       a->seen.tcp.next == b->seen.tcp.seq;
}

void rule_truncation(struct inquiry *q)
{
	size_t longest = 0, gaps = 0, split = 0, transport = 0;
	uint32_t length = 0;

	for (size_t i = 0; i < q->nopen; i++)
		if (q->open[i]->seen.length > length)
			length = q->open[i]->seen.length;
	for (size_t i = 0; i < q->nopen; i++) {
		const struct symptom *f = q->open[i];

		transport += f->kind != OBSERVED_NETWORK;
		longest += f->seen.length == length;
		gaps += f->gap && f->fate == FATE_ACKED;
		split += i && continues(q->open[i - 1], f);
	}
	if (transport < 3 || transport * 10 < q->nopen * 9)
		return;
	if ((longest * 10 < q->nopen * 9 || q->e->longest_good >= length) &&
	    gaps * 10 < q->nopen * 7 && split * 10 < q->nopen * 4)
		return;
	take_all(q);
	add_part(q, CONCLUDE_TRUNCATION);
}
