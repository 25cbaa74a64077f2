/* SPDX-License-Identifier: BSD-2-Clause */
/* whynot.h - room for the one sentence that says why a thing cannot be had. */
#ifndef CSUM_LAB_WHYNOT_H
#define CSUM_LAB_WHYNOT_H

enum { LAB_WHY = 160 };

#endif
