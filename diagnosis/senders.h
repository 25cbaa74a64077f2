/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * senders.h - how many right checksums came from whom, in bounded memory.
 *
 * A sender is known by a hash of 64 bits only: of an address on an interface.
 * The table does not grow; packets of senders for which it has no room are
 * counted as dropped.
 */
#ifndef DIAGNOSIS_SENDERS_H
#define DIAGNOSIS_SENDERS_H

#include "observation.h"

enum { SENDERS = 1 << 14 };

struct sender {
	uint64_t hash; /* 0: the place is free */
	uint32_t packets;
	uint32_t good[OBSERVED_KINDS]; /* packets with a good checksum */
};

struct senders {
	struct sender *places; /* SENDERS */
	uint64_t dropped;      /* packets */
};

/* False if there is no memory. */
bool senders_init(struct senders *s);
void senders_free(struct senders *s);

/* @good: bit K for a good checksum of kind K. */
void senders_count(struct senders *s, uint64_t hash, unsigned good);

/* NULL if nothing is known. */
const struct sender *senders_find(const struct senders *s, uint64_t hash);

#endif
