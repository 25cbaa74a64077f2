/* SPDX-License-Identifier: BSD-2-Clause */
/* claims_judge.c - does a claim hold? */
#include "claims_judge.h"

#include <math.h>
#include <stdio.h>

const char *const outcome_names[OUTCOMES] = {
	[HOLDS] = "holds",
	[FAILS] = "does not hold",
	[BETWEEN] = "lies between what would hold and what would not",
	[NOT_SHOWN] = "cannot be shown within the noise",
	[NOT_TRIED] = "cannot be tried here",
};

static enum outcome below(struct lab_interval i, double holds, double fails)
{
	if (i.high < holds)
		return HOLDS;
	if (i.low > fails)
		return FAILS;
	return i.low >= holds && i.high <= fails ? BETWEEN : NOT_SHOWN;
}

static struct lab_interval inverse(struct lab_interval i)
{
	return (struct lab_interval){ 1 / i.high, 1 / i.median, 1 / i.low };
}

/* The distance of a ratio from 1, whichever way. */
static struct lab_interval distance(struct lab_interval i)
{
	double low = fabs(i.low - 1), high = fabs(i.high - 1);
	bool around = i.low < 1 && i.high > 1;

	return (struct lab_interval){ around ? 0 : fmin(low, high),
				      fabs(i.median - 1), fmax(low, high) };
}

/* The share of the gain in the ratio @before that @now has still. */
static struct lab_interval share_left(struct lab_interval before,
				      struct lab_interval now)
{
	double gain = 1 - before.median;

	return (struct lab_interval){ (1 - now.high) / gain,
				      (1 - now.median) / gain,
				      (1 - now.low) / gain };
}

static struct lab_interval quotient(struct lab_interval a,
				    struct lab_interval b)
{
	return (struct lab_interval){ a.low / b.high, a.median / b.median,
				      a.high / b.low };
}

static enum outcome turns(const struct test *t, struct lab_interval before,
			  struct lab_interval now)
{
	if (before.high < t->holds && now.low > t->fails)
		return HOLDS;
	return before.low > t->holds || now.high < t->fails ? FAILS : NOT_SHOWN;
}

static void judge_test(struct judge *j, size_t index)
{
	const struct test *t = &j->claim->tests[index];
	struct result *r = &j->results[index];

	if (!j->sides[t->scene].measured)
		r->tried = false;
	r->outcome = NOT_TRIED;
	if (!r->tried)
		return;
	r->value = r->ratio = claim_ratio(j, t);
	switch (t->kind) {
	case BELOW:
		r->outcome = below(r->value, t->holds, t->fails);
		break;
	case EXCEEDS:
		r->value = quotient(r->ratio, r[-1].ratio);
		/* fall through */
	case ABOVE:
		r->outcome =
			below(inverse(r->value), 1 / t->holds, 1 / t->fails);
		break;
	case NEAR:
		r->outcome = below(distance(r->value), t->holds, t->fails);
		break;
	case REMAINS:
		r->value = share_left(r[-1].ratio, r->ratio);
		r->outcome = r[-1].ratio.high < 1
				     ? below(r->value, t->holds, t->fails)
				     : NOT_SHOWN;
		break;
	case TURNS:
		r->outcome = turns(t, r[-1].ratio, r->ratio);
		break;
	default:
		break;
	}
}

/* The outcome of all tests.  The worse outcomes are asked for first. */
void claim_judge(struct judge *j)
{
	static const enum outcome all[] = { FAILS, NOT_TRIED, NOT_SHOWN,
					    BETWEEN, HOLDS };
	static const enum outcome any[] = { HOLDS, NOT_SHOWN, BETWEEN, FAILS,
					    NOT_TRIED };
	const enum outcome *asked = j->claim->any ? any : all;
	bool there[OUTCOMES] = { false };
	size_t i = 0;

	for (; i < MOST_TESTS && j->claim->tests[i].kind; i++) {
		judge_test(j, i);
		if (j->claim->tests[i].kind != SHOWN)
			there[j->results[i].outcome] = true;
	}
	there[NOT_TRIED] = there[NOT_TRIED] || j->claim->elsewhere;
	if (j->claim->elsewhere)
		snprintf(j->why, sizeof(j->why), "%s", j->claim->elsewhere);
	for (i = 0; !there[asked[i]];)
		i++;
	j->outcome = asked[i];
}
