/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * filter.h - filter expressions of libpcap over packets of any link type.
 *
 * An expression means another program for each link type; each is compiled
 * when its first packet comes.  All functions may be called by any thread.
 */
#ifndef CAPTURE_FILTER_H
#define CAPTURE_FILTER_H

#include <stdbool.h>

#include "reader.h"

struct filter;

/* NULL after writing to @why what is wrong with @expression. */
struct filter *filter_new(const char *expression, char *why, size_t size);
void filter_free(struct filter *f);

/* A packet of a link type that the expression does not suit never matches. */
bool filter_matches(struct filter *f, const struct packet *packet);

/* What libpcap said of such a link type, and which; NULL if there was none. */
const char *filter_complaint(struct filter *f, uint32_t *linktype);

#endif
