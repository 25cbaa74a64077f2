/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_mix.h - lengths as they come up in traffic. */
#ifndef CSUM_BENCH_MIX_H
#define CSUM_BENCH_MIX_H

#include "plan.h"

/* Starts as { 0 }. */
struct bench_mix {
	struct lab_mix mix;
	size_t mean;	   /* BYTES, rounded */
	uint32_t *lengths; /* owned */
};

/* The named mixes, as a word_list of options.h. */
const char *bench_mix_word(int i);

/*
 * @name: imix, ack, jumbo, uniform:LOW-HIGH, or a capture whose packets have
 * these lengths, those on the wire.  False after saying why.
 */
bool bench_mix_load(struct bench_mix *m, const char *name);
void bench_mix_free(struct bench_mix *m);

#endif
