/* SPDX-License-Identifier: BSD-2-Clause */
/* oracle.c - asks the model, and judges single calls. */
#include "oracle.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

enum { HEADER = 20, MEMO = 1 << 16 };

/* Of a header as small.c changes it: bytes 2 and 3 become what 4 and 5 are. */
static uint16_t wanted_of_change(const uint8_t *p)
{
	uint8_t header[HEADER];

	memcpy(header, p, HEADER);
	header[0] = 0x45;
	memcpy(header + 2, header + 4, 2);
	memset(header + 10, 0, 2);
	return (uint16_t)~model_csum(header, HEADER, 0);
}

uint16_t lab_wanted(enum lab_op op, const uint8_t *p, size_t len)
{
	uint8_t terms[6];
	uint16_t check;

	switch (op) {
	case LAB_REPLACE:
		/* ~HC + ~m + m'; in the library's convention never 0xffff */
		for (int i = 0; i < 6; i++)
			terms[i] = i < 4 ? (uint8_t)~p[i] : p[i];
		check = (uint16_t)~model_csum(terms, sizeof(terms), 0);
		return check == 0xffff ? 0 : check;
	case LAB_HEADER:
	case LAB_WRITTEN:
		return (uint16_t)~model_csum(p, HEADER, 0);
	case LAB_CHANGE:
	case LAB_CHANGE_WRITTEN:
		return wanted_of_change(p);
	default:
		return model_csum(p, len, 0);
	}
}

/* ------------------------------------------------------------------------
 * Calls
 */

static bool result_is_right(const struct lab_subject *s, csum_wsum sum,
			    uint16_t want, uint16_t *got)
{
	*got = ntohs(csum_to16(sum));
	/* memcpy() gives none */
	if (s->kind == LAB_LIMIT && s->op == LAB_COPY)
		return true;
	/* a sum is 0 only if all bytes are, so the model judges this too */
	if (s->kind == LAB_LIMIT)
		return !sum == !want;
	if (s->small && s->small->either_zero && want == 0 && *got == 0xffff)
		return true;
	return *got == want;
}

/* Both factors are odd: neighbours differ, and so do seeds. */
static uint8_t canary_at(const uint8_t *p, uint8_t seed)
{
	return (uint8_t)((uintptr_t)p * 167 + (uintptr_t)p / 256 + seed * 59U);
}

void lab_canary(uint8_t *p, const uint8_t *end, uint8_t seed)
{
	for (; p < end; p++)
		*p = canary_at(p, seed);
}

static bool untouched(const uint8_t *p, const uint8_t *end, uint8_t seed)
{
	while (p < end && *p == canary_at(p, seed))
		p++;
	return p == end;
}

enum lab_fault lab_fault_of(const struct lab_subject *s,
			    const struct lab_call *call, struct lab_wrong *w)
{
	const uint8_t *end = call->dst + call->len;

	if (!result_is_right(s, call->sum, w->want, &w->got))
		return LAB_WRONG_RESULT;
	if (s->op != LAB_COPY)
		return LAB_NO_FAULT;
	if (memcmp(call->dst, call->src, call->len) != 0)
		return LAB_WRONG_BYTES;
	return untouched(call->before, call->dst, call->canary) &&
			       untouched(end, call->behind, call->canary)
		       ? LAB_NO_FAULT
		       : LAB_WRITES_BEYOND;
}

/* ------------------------------------------------------------------------
 * Results so far
 */

/* By where a place is in its line, and by its length. */
struct lab_memo {
	uint32_t phase, len; /* BYTES; len 0: empty, for that needs no model */
	uint16_t want;
};

struct lab_memo *lab_memo_new(void)
{
	return calloc(MEMO, sizeof(struct lab_memo));
}

void lab_memo_forget(struct lab_memo *memo)
{
	memset(memo, 0, MEMO * sizeof(*memo));
}

static uint16_t remembered(struct lab_memo *memo, const struct lab_places *p,
			   size_t at, size_t len)
{
	uint32_t phase = (uint32_t)(at % LAB_LINE);
	struct lab_memo *m = &memo[(len * LAB_LINE + phase) % MEMO];

	if (m->len != len || m->phase != phase)
		*m = (struct lab_memo){ .phase = phase,
					.len = (uint32_t)len,
					.want = model_csum(p->src + at, len,
							   0) };
	return len ? m->want : 0;
}

void lab_memo_answer(struct lab_memo *memo, struct lab_places *p, size_t offset)
{
	for (size_t i = 0; i < p->n; i++) {
		struct lab_place *place = &p->table[i];

		place->want =
			remembered(memo, p, offset + place->at, place->len);
	}
}
