/* SPDX-License-Identifier: BSD-2-Clause */
/* model.h - the Internet checksum as specification: see model.c. */
#ifndef CSUM_MODEL_H
#define CSUM_MODEL_H

#include <stddef.h>
#include <stdint.h>

/*
 * Folded sum, not complemented, as a HOST integer: the big-endian reading of
 * the two bytes.  @start is a sum of the same kind.
 */
uint16_t model_csum(const uint8_t *p, size_t len, uint16_t start);

#endif
