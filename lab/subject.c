/* SPDX-License-Identifier: BSD-2-Clause */
/* subject.c - what can be measured, by name. */
#include "subject.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "limit.h"

const char *const lab_policy_names[LAB_POLICIES] = {
	[LAB_PREFETCH_NONE] = "none",	    [LAB_PREFETCH_AHEAD] = "ahead",
	[LAB_PREFETCH_BOUNDED] = "bounded", [LAB_PREFETCH_LEAD] = "lead",
	[LAB_PREFETCH_ABOVE] = "above",
};

struct lab_subject lab_routine(const struct csum_routine *r, enum lab_kind kind,
			       enum lab_op op)
{
	struct lab_subject s = {
		.kind = kind, .op = op, .sum = r->sum, .copy = r->copy
	};

	assert(op == LAB_SUM ? r->sum != NULL : r->copy != NULL);
	snprintf(s.name, sizeof(s.name), "%s", r->name);
	return s;
}

struct lab_subject lab_public(enum lab_op op)
{
	const struct csum_routine r = {
		.name = op == LAB_SUM ? "csum_partial" : "csum_copy",
		.sum = csum_partial,
		.copy = csum_copy,
	};

	return lab_routine(&r, LAB_PUBLIC, op);
}

static csum_wsum copy_only(void *dst, const void *src, size_t len,
			   csum_wsum sum)
{
	memcpy(dst, src, len);
	return sum;
}

struct lab_subject lab_limit(enum lab_op op)
{
	const struct csum_routine r = {
		.name = op == LAB_SUM ? "read" : "memcpy",
		.sum = lab_read_variant(0),
		.copy = copy_only,
	};
	struct lab_subject s = lab_routine(&r, LAB_LIMIT, op);

	s.base = true;
	return s;
}

struct lab_subject lab_small(const struct lab_small *small, enum lab_mode mode)
{
	struct lab_subject s = {
		.kind = small->origin ? LAB_STUDY : LAB_PUBLIC,
		.op = small->op,
		.mode = mode,
		.base = !small->origin,
		.small = small,
	};

	snprintf(s.name, sizeof(s.name), "%s", small->name);
	return s;
}

int lab_entry_in_line(const struct lab_subject *s)
{
	enum { LINE = 64 };

	if (s->small)
		return -1;
	return (int)((s->op == LAB_COPY ? (uintptr_t)s->copy
					: (uintptr_t)s->sum) %
		     LINE);
}

/* NAME+POLICY, then what it is made with: adc_64+ahead5nta, +above5from1500. */
static void name_prefetch(char name[LAB_NAME], const struct lab_prefetch *p)
{
	size_t n = strlen(name);

	n += (size_t)snprintf(name + n, LAB_NAME - n, "+%s%zu%s",
			      lab_policy_names[p->policy], p->distance.lines,
			      p->hint == LAB_HINT_NTA ? "nta" : "");
	if (p->policy == LAB_PREFETCH_ABOVE)
		snprintf(name + n, LAB_NAME - n, "from%zu", p->distance.above);
}

bool lab_add_prefetch(struct lab_subject *s, const struct lab_study *study,
		      const struct lab_prefetch *prefetch)
{
	if (s->op == LAB_SUM ? !study->sums : !study->copies)
		return false;
	if (s->op == LAB_SUM)
		s->sum = study->sums[prefetch->policy][prefetch->hint];
	else
		s->copy = study->copies[prefetch->policy][prefetch->hint];
	s->prefetch = *prefetch;
	s->takes_prefetch = true;
	if (prefetch->policy != LAB_PREFETCH_NONE)
		name_prefetch(s->name, prefetch);
	return true;
}
