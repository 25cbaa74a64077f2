/* SPDX-License-Identifier: BSD-2-Clause */
/* rules_path.c - what happens on the way: boxes that rewrite, and damage. */
#include "inquiry.h"

#include <stdlib.h>

static size_t count_syn(const struct inquiry *q)
{
	size_t n = 0;

	for (size_t i = 0; i < q->nopen; i++)
		n += q->open[i]->kind == OBSERVED_TCP &&
		     q->open[i]->seen.tcp.syn;
	return n;
}

static size_t count_one_bit(const struct inquiry *q)
{
	size_t n = 0;

	for (size_t i = 0; i < q->nopen; i++)
		n += symptom_is_one_bit(q->open[i]);
	return n;
}

/*
 * The difference that more than half have, in @n how many; by a vote in which
 * two that differ cancel each other out (Boyer and Moore).  @n is smaller if
 * there is no such difference.
 */
static uint32_t common_difference(const struct inquiry *q, size_t *n)
{
	uint32_t elected = 0;
	size_t votes = 0;

	for (size_t i = 0; i < q->nopen; i++) {
		const uint32_t d = symptom_difference(q->open[i]);

		if (!votes)
			elected = d;
		votes += d == elected ? 1 : (size_t)-1;
	}
	*n = 0;
	for (size_t i = 0; i < q->nopen; i++)
		*n += symptom_difference(q->open[i]) == elected;
	return elected;
}

static void take_difference(struct inquiry *q, uint32_t difference)
{
	q->ntaken = 0;
	for (size_t i = 0; i < q->nopen; i++)
		if (symptom_difference(q->open[i]) == difference)
			take(q, q->open[i]);
}

static void take_if_flow_is_bad(struct inquiry *q,
				const struct symptom *const *list, size_t n,
				void *context)
{
	(void)context;
	if (!flow_all_bad(q, list[0]))
		return;
	for (size_t i = 0; i < n; i++)
		take(q, list[i]);
}

/* Those of flows of which nothing is right, and all differ by the same. */
static void take_constant_flows(struct inquiry *q)
{
	q->ntaken = 0;
	each_constant_group(q, take_if_flow_is_bad, NULL);
	qsort(q->taken, q->ntaken, sizeof(*q->taken), by_frame);
}

static bool all_headers(const struct inquiry *q)
{
	for (size_t i = 0; i < q->ntaken; i++)
		if (q->taken[i]->kind != OBSERVED_NETWORK)
			return false;
	return true;
}

static bool all_of_bad_flows(const struct inquiry *q)
{
	for (size_t i = 0; i < q->ntaken; i++)
		if (!flow_all_bad(q, q->taken[i]))
			return false;
	return true;
}

/*
 * One difference in more than half: in three, or in both of two.  Damage to
 * headers alone is as rare as they are short; elsewhere a bit that flips again
 * and again spares most of a flow.
 */
static bool take_common_difference(struct inquiry *q)
{
	size_t n;
	const uint32_t difference = common_difference(q, &n);

	if (n < 2 || 2 * n <= q->nopen || (n == 2 && q->nopen > 2))
		return false;
	take_difference(q, difference);
	if (n >= 3 && (all_headers(q) || !symptom_is_one_bit(q->taken[0])))
		return true;
	return all_of_bad_flows(q);
}

static bool take_rewritten(struct inquiry *q)
{
	if (take_common_difference(q))
		return true;
	take_constant_flows(q);
	if (q->ntaken >= 3 && q->ntaken * 2 >= q->nopen)
		return true;
	if (count_syn(q) < q->nopen || q->nopen < 3)
		return false;
	take_all(q);
	return true;
}

void rule_rewrite(struct inquiry *q)
{
	struct conclusion_part *p;

	while (q->nopen && q->c->nparts < CONCLUSION_PARTS &&
	       take_rewritten(q)) {
		p = add_part(q, CONCLUDE_REWRITE);
		if (all_same(q->taken, q->ntaken, same_flow))
			about_flow(p, q->taken[0]);
		else
			about_path(q, p);
	}
}

/* Right packets of all senders that are open; those in a row count once. */
static uint64_t right_of_senders(const struct inquiry *q)
{
	const struct symptom *last = NULL;
	uint64_t right = 0;

	for (size_t i = 0; i < q->nopen; i++) {
		struct sender s;

		if (last && same_src(last, q->open[i]))
			continue;
		last = q->open[i];
		s = evidence_sender(q->e, last);
		right += good_sums(&s) + s.good[OBSERVED_OTHER];
	}
	return right;
}

void rule_corruption(struct inquiry *q)
{
	const size_t bits = count_one_bit(q);
	struct conclusion_part *p;

	if (2 * bits < q->nopen && !count_fate(q, FATE_RESENT) &&
	    (q->nopen < 3 || right_of_senders(q) < 2 * q->nopen))
		return;
	take_all(q);
	p = add_part(q, CONCLUDE_CORRUPTION);
	about_path(q, p);
}

void rule_always(struct inquiry *q)
{
	struct conclusion_part *p;
	size_t right = 0;
	bool near = true;

	for (size_t i = 0; i < q->nopen; i++) {
		right += !flow_all_bad(q, q->open[i]);
		near = near && initial_ttl(q->open[i]->seen.ttl);
	}
	/* a random value is right now and then, and speaks for its flow */
	if (q->nopen < 5 || right * 5 > q->nopen)
		return;
	take_all(q);
	near = near && one_sender(q->taken, q->ntaken);
	p = add_part(q, near ? CONCLUDE_STACK : CONCLUDE_REWRITE);
	if (near && understood_all(q))
		p->kind = CONCLUDE_OFFLOAD;
	about_path(q, p);
}
