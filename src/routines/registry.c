/* SPDX-License-Identifier: BSD-2-Clause */
/* registry.c - list.h as a table, for library, lab, tools and tests. */
#include "routine.h"

#define ROUTINE(name, isa, needs, wants, idea)                                 \
	{ #name, isa, idea, needs, wants, csum_sum_##name, csum_copy_##name },

const struct csum_routine csum_routines[] = {
#include "list.h"
	{ NULL, NULL, NULL, 0, 0, NULL, NULL },
};
