/* SPDX-License-Identifier: BSD-2-Clause */
/* pages.h - memory to measure on: of which pages, and out of the caches. */
#ifndef CSUM_LAB_PAGES_H
#define CSUM_LAB_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* ------------------------------------------------------------------------
 * pages.c
 */

enum lab_page_kind {
	LAB_ORDINARY_PAGES, /* of the smallest size */
	LAB_HUGE_PAGES,
};

struct lab_pages {
	void *p;      /* starts a page, a huge one if these were asked for */
	double huge;  /* share of the memory that has huge pages, 0 to 1 */
	char got[64]; /* what was had, in words */
	void *map;    /* what is to be given back */
	size_t map_len;
};

/*
 * Gets @size >= 1 bytes, all zero and all of them really there.  Huge pages are
 * a wish; look at what was had.  Returns false if there is no memory.
 */
bool lab_pages_alloc(struct lab_pages *pages, size_t size,
		     enum lab_page_kind kind);

/* All zero is all right. */
void lab_pages_free(struct lab_pages *pages);

/* ------------------------------------------------------------------------
 * flush.c
 */

/*
 * Throws these bytes, and what shares their cache lines, out of all caches, and
 * waits until that is done.  Returns false where a program cannot do it.
 */
bool lab_flush(const void *p, size_t len);

#endif
