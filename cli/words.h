/* SPDX-License-Identifier: BSD-2-Clause */
/* words.h - what capture/ counts, in the words of a user. */
#ifndef CSUM_WORDS_H
#define CSUM_WORDS_H

#include "walk.h"

/* Such as "ethertype 0x0806"; @edge is not EDGE_NONE. */
void edge_text(enum edge edge, uint16_t number, char *buf, size_t size);

/*
 * "ipv4,tcp" to one flag for each protocol.  Returns NULL, or the word that is
 * none; @list is cut up.
 */
const char *parse_protocols(char *list, bool *set);

#endif
