/* SPDX-License-Identifier: BSD-2-Clause */
/* registry.c - study_list.h as a table, and the walk over both registries. */
#include "study.h"

struct lab_distance lab_distance;

#define FUNCTIONS_SUM(name)	      csum_sum_##name, NULL
#define FUNCTIONS_COPY(name)	      NULL, csum_copy_##name
#define FUNCTIONS_SUM_PREFETCH(name)  FUNCTIONS_SUM(name)
#define FUNCTIONS_COPY_PREFETCH(name) FUNCTIONS_COPY(name)
#define TABLES_SUM(name)	      NULL, NULL
#define TABLES_COPY(name)	      NULL, NULL
#define TABLES_SUM_PREFETCH(name)     lab_sums_##name, NULL
#define TABLES_COPY_PREFETCH(name)    NULL, lab_copies_##name

#define STUDY(name, what, isa, needs, idea, origin)                            \
	{ { #name, isa, idea, needs, 0, FUNCTIONS_##what(name) },              \
	  origin,                                                              \
	  TABLES_##what(name) },

const struct lab_study lab_studies[] = {
#include "study_list.h"
	{ { NULL, NULL, NULL, 0, 0, NULL, NULL }, NULL, NULL, NULL },
};

bool lab_entry_at(size_t index, struct lab_entry *entry)
{
	enum { STUDIES = sizeof(lab_studies) / sizeof(lab_studies[0]) - 1 };
	const size_t library = csum_routine_count();

	if (index < library) {
		*entry = (struct lab_entry){ &csum_routines[index], NULL };
	} else if (index < library + STUDIES) {
		const struct lab_study *s = &lab_studies[index - library];

		*entry = (struct lab_entry){ &s->routine, s };
	} else {
		return false;
	}
	return true;
}
