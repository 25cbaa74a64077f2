/* SPDX-License-Identifier: BSD-2-Clause */
/* claims_judge.h - whether a claim holds, from what was measured. */
#ifndef CSUM_CLAIMS_JUDGE_H
#define CSUM_CLAIMS_JUDGE_H

#include "claims_measure.h"

extern const char *const outcome_names[OUTCOMES];

/* Sets the outcome of each test of a claim, and that of the claim. */
void claim_judge(struct judge *j);

#endif
