/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model.c - the specification, not an implementation.
 *
 * RFC 1071 one word at a time, big endian, the carry folded at every step.
 * Other word order, other width and other folding than src/, and none of its
 * code: it can share no fault with a routine.
 */
#include "model.h"

uint16_t model_csum(const uint8_t *p, size_t len, uint16_t start)
{
	uint32_t sum = start;

	for (size_t i = 0; i < len; i += 2) {
		sum += (uint32_t)p[i] << 8;
		if (len - i > 1)
			sum += p[i + 1];
		sum = (sum & 0xffff) + (sum >> 16);
	}
	return (uint16_t)sum;
}
