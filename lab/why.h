/* SPDX-License-Identifier: BSD-2-Clause */
/* why.h - room for the one sentence that says why something is not to be had.
 */
#ifndef CSUM_LAB_WHY_H
#define CSUM_LAB_WHY_H

enum { LAB_WHY = 160 };

#endif
