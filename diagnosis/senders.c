/* SPDX-License-Identifier: BSD-2-Clause */
/* senders.c - a hash table of a fixed size. */
#include "senders.h"

#include <stdlib.h>

enum { PROBES = 8 };

bool senders_init(struct senders *s)
{
	*s = (struct senders){ .places = calloc(SENDERS, sizeof(*s->places)) };
	return s->places;
}

void senders_free(struct senders *s)
{
	free(s->places);
	*s = (struct senders){ 0 };
}

/* The place of @hash, or a free one for it; NULL if there is neither. */
static struct sender *place(const struct senders *s, uint64_t hash)
{
	for (unsigned i = 0; i < PROBES; i++) {
		struct sender *p = &s->places[(hash + i) % SENDERS];

		if (p->hash == hash || !p->hash)
			return p;
	}
	return NULL;
}

void senders_count(struct senders *s, uint64_t hash, unsigned good)
{
	struct sender *p = place(s, hash);

	if (!p) {
		s->dropped++;
		return;
	}
	p->hash = hash;
	p->packets++;
	for (unsigned k = 0; k < OBSERVED_KINDS; k++)
		p->good[k] += good >> k & 1;
}

const struct sender *senders_find(const struct senders *s, uint64_t hash)
{
	const struct sender *p = place(s, hash);

	return p && p->hash ? p : NULL;
}
