/* SPDX-License-Identifier: BSD-2-Clause */
/* calls.h - the loops that call a subject. */
#ifndef CSUM_LAB_CALLS_H
#define CSUM_LAB_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "places.h"
#include "subject.h"

/*
 * Makes @calls calls from v->at on, which moves.  Returns the sum of the
 * results of all calls.
 */
uint64_t lab_calls(const struct lab_subject *s, struct lab_visits *v,
		   size_t calls);

#endif
