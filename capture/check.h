/* SPDX-License-Identifier: BSD-2-Clause */
/* check.h - the verdict on one checksum site. */
#ifndef CAPTURE_CHECK_H
#define CAPTURE_CHECK_H

#include "site.h"

enum verdict {
	VERDICT_GOOD,
	VERDICT_BAD,
	VERDICT_PARTIAL,      /* left for the network card to finish */
	VERDICT_ABSENT,	      /* the sender says that there is none */
	VERDICT_UNVERIFIABLE, /* site.reason says why */
	VERDICT_COUNT
};

struct check {
	enum verdict verdict;
	csum_sum16 found;    /* if site.has_field */
	csum_sum16 expected; /* unless absent or unverifiable */
};

/* @frame: the packet that the site was found in. */
struct check check_site(const struct site *s, const uint8_t *frame);

const char *verdict_name(enum verdict v);

#endif
