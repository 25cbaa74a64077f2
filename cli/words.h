/* SPDX-License-Identifier: BSD-2-Clause */
/* words.h - what capture/ counts, in the words of a user. */
#ifndef CSUM_WORDS_H
#define CSUM_WORDS_H

#include <stdio.h>

#include "check.h"
#include "tally.h"
#include "walk.h"

/* Behind "packet": "of ethertype 0x0806"; @edge is not EDGE_NONE. */
void edge_text(enum edge edge, unsigned number, char *buf, size_t size);

/* A line for each number that ended a walk; @t is sorted. */
void print_edges(FILE *to, const struct tally *t);

/* The word for each number from 0 on, and NULL behind the last. */
const char *protocol_word(int i);
const char *verdict_word(int i);

/*
 * "tcp,udp" into flags; those that it does not name are cleared.  Returns NULL,
 * or what is none of the words; @list is cut up.
 */
const char *parse_words(char *list, const char *(*word)(int), bool *flags);

#endif
