/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_inquiry.c - more explanations than a conclusion has room for: those that
 * explain most stay, and no checksum is lost from the counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inquiry.h"
#include "testing.h"

enum { SENDERS_HERE = 7, SYMPTOMS = 28 };

/* Sender K, from 1 on, has sizes[K - 1] symptoms, one after the other. */
static const unsigned sizes[SENDERS_HERE] = { 3, 6, 2, 5, 1, 7, 4 };

static void make_symptoms(struct symptom *list)
{
	size_t n = 0;

	memset(list, 0, SYMPTOMS * sizeof(*list));
	for (unsigned k = 0; k < SENDERS_HERE; k++)
		for (unsigned i = 0; i < sizes[k]; i++, n++) {
			list[n].seen.frame = n + 1;
			list[n].seen.ends.version = 4;
			list[n].seen.ends.src[3] = (uint8_t)(k + 1);
			list[n].protocol = PROTO_TCP;
		}
}

static uint64_t sum_of(const struct conclusion *c)
{
	uint64_t sum = c->more_checksums;

	for (unsigned i = 0; i < c->nparts; i++)
		sum += c->parts[i].checksums;
	return sum;
}

static bool has_part(const struct conclusion *c, uint64_t checksums)
{
	for (unsigned i = 0; i < c->nparts; i++)
		if (c->parts[i].checksums == checksums)
			return true;
	return false;
}

int main(void)
{
	const struct symptom *open[SYMPTOMS], *taken[SYMPTOMS];
	struct symptom list[SYMPTOMS];
	struct conclusion c = { 0 };
	struct inquiry q = { .open = open, .taken = taken, .c = &c };

	make_symptoms(list);
	for (size_t i = 0; i < SYMPTOMS; i++)
		open[q.nopen++] = &list[i];
	for (unsigned k = 0; k < SENDERS_HERE; k++) {
		struct conclusion_part *p;

		take_related(&q, q.open[0], same_src);
		/* the fifth, of one checksum, is of another kind */
		p = add_part(&q, k == 4 ? CONCLUDE_CORRUPTION : CONCLUDE_STACK);
		p->subject.kind = SUBJECT_HOST;
	}
	tap_ok(q.nopen == 0, "%zu symptoms are not explained", q.nopen);
	tap_ok(c.nparts == CONCLUSION_PARTS, "%u parts", c.nparts);
	tap_ok(has_part(&c, 7) && has_part(&c, 6) && has_part(&c, 5) &&
		       has_part(&c, 4),
	       "the parts that explain most stay");
	tap_ok(c.more_parts == 3, "%u left out", (unsigned)c.more_parts);
	tap_ok(c.more_checksums == 3 + 2 + 1, "%u checksums of those left out",
	       (unsigned)c.more_checksums);
	tap_ok(sum_of(&c) == SYMPTOMS, "%u checksums of %u",
	       (unsigned)sum_of(&c), (unsigned)SYMPTOMS);
	tap_ok(q.left_out_kinds ==
		       (1u << CONCLUDE_STACK | 1u << CONCLUDE_CORRUPTION),
	       "kinds left out: 0x%x", q.left_out_kinds);
	return tap_done();
}
