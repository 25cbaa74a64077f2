/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_sentence.h - what a run came to, in a sentence. */
#ifndef CSUM_BENCH_SENTENCE_H
#define CSUM_BENCH_SENTENCE_H

#include "bench_report.h"

/*
 * Prints who is fastest at the size nearest to a full packet, and how sure that
 * is: by the 95% intervals of the medians.
 */
void bench_print_sentence(const struct report *r);

#endif
