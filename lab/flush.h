/* SPDX-License-Identifier: BSD-2-Clause */
/* flush.h - throws bytes out of all caches. */
#ifndef CSUM_LAB_FLUSH_H
#define CSUM_LAB_FLUSH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Throws these bytes, and all others of the same cache lines, out of all
 * caches, and waits until that is done.  Returns false where a program cannot
 * do it.
 */
bool lab_flush(const void *p, size_t len);

#endif
