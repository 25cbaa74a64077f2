/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cases.h - reading $CSUM_SHARED/cases/cases.json, whose README says what the
 * fields mean.
 */
#ifndef CSUM_TEST_CASES_H
#define CSUM_TEST_CASES_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* Gives each case to @one.  Returns NULL, or why there are none. */
const char *cases_each(void (*one)(const json_t *c));

/* An integer, or a string of hex digits; 0 if absent. */
uint64_t number(const json_t *obj, const char *key);

/* Empty if absent. */
const char *text(const json_t *obj, const char *key);

/* The caller's to free. */
struct bytes {
	uint8_t *p;
	size_t len;
};

struct bytes from_hex(const char *hex);

/* A list of {"hex":..,"repeat":n} or {"inc":n}. */
struct bytes from_pieces(const json_t *list);

#endif
