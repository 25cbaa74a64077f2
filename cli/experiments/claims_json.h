/* SPDX-License-Identifier: BSD-2-Clause */
/* claims_json.h - claims as JSON. */
#ifndef CSUM_CLAIMS_JSON_H
#define CSUM_CLAIMS_JSON_H

#include <jansson.h>

#include "claims_measure.h"

/* Adds the runs of a claim to @doc, and its outcome to the claims of @doc. */
void claim_add_json(json_t *doc, const struct judge *j);

#endif
