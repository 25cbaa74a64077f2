/* SPDX-License-Identifier: BSD-2-Clause */
/* decode_options.h - how a user says what is in a packet, in three commands. */
#ifndef CSUM_DECODE_OPTIONS_H
#define CSUM_DECODE_OPTIONS_H

#include <argp.h>

#include "decode.h"

/* --decode-as, --link-type and --esp-null; the input is struct walk_rules. */
extern const struct argp decode_argp;

/* @r, or NULL if nothing was said: then the walk looks for no rules. */
const struct walk_rules *rules_or_none(const struct walk_rules *r);

#endif
