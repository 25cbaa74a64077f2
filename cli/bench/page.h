/* SPDX-License-Identifier: BSD-2-Clause */
/* page.h - the page of `csum report`, as scripts/page built it. */
#ifndef CSUM_PAGE_H
#define CSUM_PAGE_H

#include <stddef.h>
#include <stdint.h>

/*
 * HTML that ends inside a script element of JSON, so that what is appended is
 * its data.  csum_page_len is 0 in a build that had no page.
 */
extern const uint8_t csum_page[];
extern const size_t csum_page_len;

#endif
