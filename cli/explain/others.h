/* SPDX-License-Identifier: BSD-2-Clause */
/* others.h - what the other packets of a file say of one wrong checksum. */
#ifndef CSUM_OTHERS_H
#define CSUM_OTHERS_H

#include "agreement.h"
#include "decode.h"
#include "reader.h"

/*
 * Reads all of FILE once more, up to damage if there is any.  False if it
 * cannot be read twice, as a pipe, or knows nothing of the checksum @s of
 * @packet.
 */
bool others_agree(const char *file, const struct input_form *form,
		  const struct walk_rules *rules, const struct packet *packet,
		  const struct site *s, const struct check *c,
		  struct agreement *out);

#endif
