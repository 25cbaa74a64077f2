/* SPDX-License-Identifier: BSD-2-Clause */
/* claims_print.h - claims as text. */
#ifndef CSUM_CLAIMS_PRINT_H
#define CSUM_CLAIMS_PRINT_H

#include "claims_measure.h"

enum { CLAIM_LABEL = 160, CLAIM_BOUND = 16 };

/* "adc2_halves / adc_64, 4096 hot" */
void claim_test_label(const struct test *t, char label[CLAIM_LABEL]);

/* The bound within which the test holds: "<0.60" */
void claim_test_bound(const struct test *t, char bound[CLAIM_BOUND]);

void claim_print(const struct judge *j);

/* Before the first claim, and after the last. */
void claims_print_head(const struct bench_options *opt);
void claims_print_summary(const enum outcome outcomes[CLAIMS],
			  const bool asked[CLAIMS]);

#endif
