/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * claims.c - `csum bench claims [NUMBER...]`: what was once asserted, tried on
 * this machine.
 *
 * Each claim has a measurement of its own: its sides take turns, so their ratio
 * is known better than either of them.
 */
#include "claims.h"

#include <math.h>
#include <stdlib.h>

#include "bench_json.h"
#include "claims_json.h"
#include "claims_judge.h"
#include "claims_measure.h"
#include "claims_print.h"
#include "cli.h"
#include "experiment.h"

/* Bytes far from the caches, or from this CPU, need longer to be sure of. */
static double seconds_of(const struct claim *c)
{
	double seconds = 0;

	for (size_t i = 0; i < MOST_TESTS && c->tests[i].kind; i++)
		seconds = fmax(seconds, c->tests[i].scene == HOT ? 8 : 24);
	return seconds;
}

static int try_claim(const struct bench_options *opt, int index, double seconds,
		     json_t *doc, enum outcome *outcome)
{
	struct judge *j = calloc(1, sizeof(*j));
	int status;

	if (!j)
		return trouble("out of memory");
	j->opt = opt;
	j->claim = &claims[index];
	for (size_t i = 0; i < MOST_TESTS && j->claim->tests[i].kind; i++)
		claim_add_test(j, i);
	status = claim_measure(j, seconds);
	if (status == EXIT_CLEAN) {
		claim_judge(j);
		*outcome = j->outcome;
		if (doc)
			claim_add_json(doc, j);
		else
			claim_print(j);
	}
	claim_clean_up(j);
	free(j);
	return status;
}

/* Sets the claims asked for: all, or those whose numbers are given. */
static int choose_claims(const struct bench_options *opt, bool asked[CLAIMS])
{
	for (size_t i = 0; i < CLAIMS; i++)
		asked[i] = !opt->nwords;
	for (size_t i = 0; i < opt->nwords; i++) {
		uint64_t number;

		if (!parse_size(opt->words[i], &number) || !number ||
		    number > CLAIMS)
			return trouble("claims: '%s' is not the number of one, "
				       "1 to %d",
				       opt->words[i], CLAIMS);
		asked[number - 1] = true;
	}
	return EXIT_CLEAN;
}

int experiment_claims(const struct bench_options *opt)
{
	enum outcome outcomes[CLAIMS] = { HOLDS };
	bool asked[CLAIMS];
	int status = choose_claims(opt, asked);
	double normal = 0, factor;
	json_t *doc = NULL;

	if (status != EXIT_CLEAN)
		return status;
	for (int i = 0; i < CLAIMS; i++)
		normal += asked[i] ? seconds_of(&claims[i]) : 0;
	factor = normal > 0 ? experiment_seconds(opt, normal) / normal : 1;
	if (opt->json) {
		doc = bench_json_new(opt);
		json_object_set_new(doc, "claims", json_array());
	} else {
		claims_print_head(opt);
	}
	for (int i = 0; i < CLAIMS && status == EXIT_CLEAN; i++)
		if (asked[i])
			status = try_claim(opt, i,
					   factor * seconds_of(&claims[i]), doc,
					   &outcomes[i]);
	if (status == EXIT_CLEAN && opt->json)
		return bench_json_print(doc);
	json_decref(doc);
	if (status == EXIT_CLEAN)
		claims_print_summary(outcomes, asked);
	return status;
}
