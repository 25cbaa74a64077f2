/* SPDX-License-Identifier: BSD-2-Clause */
/* testing.h - what the C tests share: guard pages, random numbers, options. */
#ifndef CSUM_TESTING_H
#define CSUM_TESTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tap.h"

/*
 * Reads [--seed N] [--slow] and CSUM_TEST_SEED, CSUM_TEST_SLOW; prints the
 * seed, so that a failure can be repeated.
 */
void testing_init(int argc, char **argv);

bool testing_slow(void);

/*
 * CSUM_TEST_QUICK, for emulated machines, unless slow: fewer random rounds, and
 * fewer of the lengths that are there for completeness.  No dimension is left
 * out.
 */
bool testing_quick(void);

/* @n random rounds, or a tenth. */
int testing_rounds(int n);

/* The length to test after @len: each, or from 320 on each seventh, so that
 * all residues still meet all alignments. */
size_t testing_next_length(size_t len);

/* A random number, from the seed. */
uint64_t testing_random(void);
void testing_random_fill(uint8_t *p, size_t len);

/* A word in memory order, read as a big-endian number (ntohs). */
static inline uint16_t host(uint16_t word)
{
	uint8_t b[2];

	memcpy(b, &word, 2);
	return (uint16_t)(b[0] << 8 | b[1]);
}

/* Memory of @len bytes, rounded up to pages, with an unreadable page on each
 * side.  *@end is the first byte behind it.  Aborts if there is none. */
uint8_t *testing_guarded(size_t len, uint8_t **end);

/*
 * Runs @fn and returns true, or false if it touched memory that it must not, or
 * used an instruction that this CPU does not have.
 */
bool testing_survives(void (*fn)(void *arg), void *arg);

#endif
