/* SPDX-License-Identifier: BSD-2-Clause */
/* agreement.c - bad checksums in groups, and what explains most of a group. */
#include "agreement.h"

#include <stdlib.h>

/* A bad checksum, and what its group says. */
struct member {
	const struct symptom *s;
	uint64_t group;
	struct agreement a;
};

static uint64_t mix(uint64_t group, uint64_t more)
{
	return (group ^ more) * UINT64_C(0x9e3779b97f4a7c15);
}

/* The direction of a flow, or the host that sends; and the kind of sum. */
static uint64_t group_of(const struct symptom *s, bool host)
{
	const struct observation *o = &s->seen;
	const uint64_t who = host ? sender_hash(o->ends.version, o->ends.src, 0)
				  : o->flow * 2 + o->reverse;

	return mix(mix(who, o->depth), s->protocol);
}

static int by_group(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return (x->s > y->s) - (x->s < y->s);
}

/*
 * UDP alone has a 0 that stands for none.  What is added to it by a box that
 * takes it for a sum is the same for all of a flow, whatever the packets hold.
 */
static bool is_updated(const struct member *list, size_t n)
{
	bool other_contents = false;

	for (size_t i = 0; i < n; i++) {
		if (list[i].s->protocol != PROTO_UDP || !list[i].s->found ||
		    list[i].s->found != list[0].s->found)
			return false;
		other_contents |= list[i].s->expected != list[0].s->expected;
	}
	return n > 1 && other_contents && list[0].s->found != 0xffff;
}

/* The cause that explains most of a group, and how many. */
static struct agreement best_of(const struct member *list, size_t n)
{
	struct agreement best = { .wrong = n };

	for (int c = CAUSE_NONE + 1; c < CAUSE_COUNT; c++) {
		size_t agree = 0;

		for (size_t i = 0; i < n; i++)
			agree += list[i].s->causes >> c & 1;
		if (agree > best.agree) {
			best.agree = agree;
			best.cause = (enum cause)c;
		}
	}
	return best;
}

static void settle(struct member *list, size_t n, bool host)
{
	struct agreement best = best_of(list, n);

	best.host = host;
	if (!host && is_updated(list, n)) {
		best.cause = CAUSE_UPDATED;
		best.agree = n;
	}
	if (best.agree < 2 || 2 * best.agree <= n)
		return;
	for (size_t i = 0; i < n; i++)
		if (!list[i].a.cause && (best.cause == CAUSE_UPDATED ||
					 list[i].s->causes >> best.cause & 1))
			list[i].a = best;
}

static void settle_all(struct member *list, size_t n, bool host)
{
	for (size_t i = 0; i < n; i++)
		list[i].group = group_of(list[i].s, host);
	qsort(list, n, sizeof(*list), by_group);
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i; next < n && list[next].group == list[i].group;)
			next++;
		settle(list + i, next - i, host);
	}
}

bool agreement_each(const struct evidence *e, agreement_visitor *visit,
		    void *context)
{
	const size_t n = e->wrong.n;
	struct member *list = calloc(n ? n : 1, sizeof(*list));

	if (!list)
		return false;
	for (size_t i = 0; i < n; i++)
		list[i].s = &e->wrong.list[i];
	settle_all(list, n, false);
	settle_all(list, n, true);
	for (size_t i = 0; i < n; i++)
		visit(context, list[i].s, &list[i].a);
	free(list);
	return true;
}

static void count_one(void *context, const struct symptom *s,
		      const struct agreement *a)
{
	uint64_t *causes = context;
	enum cause cause = a->cause;

	if (!cause && s->chance)
		cause = CAUSE_CHANCE;
	if (!cause || cause == s->cause || !causes[s->cause])
		return;
	causes[s->cause]--;
	causes[cause]++;
}

bool agreement_count(const struct evidence *e, uint64_t causes[CAUSE_COUNT])
{
	return agreement_each(e, count_one, causes);
}
