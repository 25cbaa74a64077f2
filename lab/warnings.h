/* SPDX-License-Identifier: BSD-2-Clause */
/* warnings.h - what makes the figures of a run doubtful, in words. */
#ifndef CSUM_LAB_WARNINGS_H
#define CSUM_LAB_WARNINGS_H

#include <stddef.h>

#include "machine.h"
#include "run.h"

struct lab_warning {
	char text[160];
};

enum { LAB_WARNINGS = 24 };

/* Returns how many warnings there are. */
size_t lab_warnings(const struct lab_run *run, const struct lab_machine *m,
		    const struct lab_usage *before,
		    const struct lab_usage *after,
		    struct lab_warning warnings[LAB_WARNINGS]);

#endif
