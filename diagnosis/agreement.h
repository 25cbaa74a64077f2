/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agreement.h - causes that other packets speak for.
 *
 * Among thousands of wrong sums some fit a mistake by chance, each another one.
 * A mistake of a sender, or of a box in the path, explains more than half of
 * what is wrong in the same way: in the sums of one kind of one direction of
 * a flow, or of all that one host sends.
 */
#ifndef DIAGNOSIS_AGREEMENT_H
#define DIAGNOSIS_AGREEMENT_H

#include "evidence.h"

/* Of one checksum that is bad. */
struct agreement {
	enum cause cause; /* what most others agree with; CAUSE_NONE: nothing */
	size_t wrong;	  /* bad sums of the flow, or of the host, with it */
	size_t agree;	  /* those of them that this cause explains */
	bool host;	  /* it is the host whose sums were counted */
};

typedef void agreement_visitor(void *context, const struct symptom *s,
			       const struct agreement *a);

/*
 * Calls @visit for each bad checksum of @e, in no order.  False if there is no
 * memory.
 */
bool agreement_each(const struct evidence *e, agreement_visitor *visit,
		    void *context);

/*
 * Of @causes, which are counts by the first cause of each bad checksum: moves
 * those that others speak against, or nothing speaks for, to where they belong.
 * False if there is no memory.
 */
bool agreement_count(const struct evidence *e, uint64_t causes[CAUSE_COUNT]);

#endif
