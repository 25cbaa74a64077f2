/* SPDX-License-Identifier: BSD-2-Clause */
/* pages.h - memory to measure on, of pages of a chosen size. */
#ifndef CSUM_LAB_PAGES_H
#define CSUM_LAB_PAGES_H

#include <stdbool.h>
#include <stddef.h>

enum lab_page_kind {
	LAB_ORDINARY_PAGES, /* of the smallest size */
	LAB_HUGE_PAGES,
};

struct lab_pages {
	void *p;     /* starts a page, a huge one if huge ones were asked for */
	double huge; /* share of the memory that has huge pages, 0 to 1 */
	char got[64]; /* the pages that were had, in words */
	void *map;    /* the mapping to be given back */
	size_t map_len;
};

/*
 * Gets @size >= 1 bytes, all zero and all of them really there.  Huge pages are
 * a wish; pages->got says which pages were had.  Returns false if there is no
 * memory.
 */
bool lab_pages_alloc(struct lab_pages *pages, size_t size,
		     enum lab_page_kind kind);

/* A struct of zeros is all right. */
void lab_pages_free(struct lab_pages *pages);

#endif
