/* SPDX-License-Identifier: BSD-2-Clause */
/* trial.h - is a routine from outside right? */
#ifndef CSUM_LAB_TRIAL_H
#define CSUM_LAB_TRIAL_H

#include <stdbool.h>

#include "oracle.h"

/*
 * Tries a subject that sums or copies against the model: lengths, alignments,
 * hostile data, each with an unreadable page behind it; in a process of its
 * own, since the subject may crash.  Returns true if the subject is right, as
 * far as its max.
 */
bool lab_trial(const struct lab_subject *s, struct lab_wrong *wrong);

#endif
