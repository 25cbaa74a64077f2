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

/* The inverse; false if @text is none of these. */
bool edge_from_text(const char *text, enum edge *edge, unsigned *number);

/* A line for each number that ended a walk; @t is sorted. */
void print_edges(FILE *to, const struct tally *t);

/* Each a word_list, see options.h. */
const char *protocol_word(int i);
const char *verdict_word(int i);

#endif
