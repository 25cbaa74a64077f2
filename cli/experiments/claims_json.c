/* SPDX-License-Identifier: BSD-2-Clause */
/* claims_json.c - claims as JSON. */
#include "claims_json.h"

#include <stdio.h>

#include "bench_json.h"
#include "claims_judge.h"
#include "claims_print.h"

static json_t *test_json(const struct test *t, const struct result *r)
{
	char label[CLAIM_LABEL], bound[CLAIM_BOUND];

	claim_test_label(t, label);
	claim_test_bound(t, bound);
	return json_pack("{ss ss sf sf sf ss}", "what", label, "holds_if",
			 bound, "low", r->value.low, "ratio", r->value.median,
			 "high", r->value.high, "verdict",
			 t->kind == SHOWN ? "shown only"
					  : outcome_names[r->outcome]);
}

void claim_add_json(json_t *doc, const struct judge *j)
{
	static const char *const titles[] = { "hot", "cold", "in order",
					      "new lengths" };
	int number = (int)(j->claim - claims) + 1;
	json_t *tests = json_array();
	char title[40];

	for (int s = HOT; s <= FRESH; s++) {
		snprintf(title, sizeof(title), "claim %d, %s", number,
			 titles[s]);
		if (j->sides[s].measured)
			bench_json_add(doc, &j->sides[s].report, title);
	}
	for (size_t i = 0; i < MOST_TESTS && j->claim->tests[i].kind; i++)
		if (j->results[i].tried)
			json_array_append_new(
				tests,
				test_json(&j->claim->tests[i], &j->results[i]));
	json_array_append_new(json_object_get(doc, "claims"),
			      json_pack("{si ss ss so so}", "number", number,
					"claim", j->claim->text, "verdict",
					outcome_names[j->outcome], "why",
					j->outcome == NOT_TRIED
						? json_string(j->why)
						: json_null(),
					"tests", tests));
}
