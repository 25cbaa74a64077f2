/* SPDX-License-Identifier: BSD-2-Clause */
/* check.h - the verdict on one checksum site. */
#ifndef PACKET_CHECK_H
#define PACKET_CHECK_H

#include "site.h"

enum verdict {
	VERDICT_GOOD,
	VERDICT_BAD,
	VERDICT_PARTIAL,      /* left for the network card to finish */
	VERDICT_ABSENT,	      /* the sender says that there is none */
	VERDICT_UNVERIFIABLE, /* check.reason says why */
	VERDICT_COUNT
};

/* What else is known at once; the causes that take a search are not here. */
enum note {
	NOTE_NONE,
	NOTE_LEFT_ZERO,	   /* bad: as full offload leaves it */
	NOTE_ZERO_ILLEGAL, /* bad: 0 is no checksum, and one is required */
	NOTE_LARGE_SEND,   /* partial: the pseudo-header without its length */
	NOTE_FLAGGED,	   /* partial: because the capture file says so */
	NOTE_ADLER32,	   /* good: by RFC 2960, replaced by RFC 3309 */
	NOTE_ZERO_CRC,	   /* absent: RFC 9653 */
	NOTE_PSEUDO,	   /* good: with a pseudo-header, RFC 5798 */
	NOTE_ALL_COVERED,  /* good: RFC 7761, section 4.9 */
	NOTE_SAID_VALID,   /* bad, and the capture file says otherwise */
	NOTE_LAST_SEGMENT, /* good: RFC 9800, section 6.5 */
	NOTE_FINISHED,	/* good: for the packet with what is inside finished */
	NOTE_DAMAGED,	/* bad, and the receiver found the frame damaged */
	NOTE_NO_LENGTH, /* any: the record tells where the packet ends */
	NOTE_COUNT
};

/* Values are host integers of the bytes as they stand, the first one high. */
struct check {
	enum verdict verdict;
	enum note note;
	uint32_t found;	    /* if site.has_field */
	uint32_t expected;  /* unless absent or unverifiable */
	enum reason reason; /* if unverifiable */
};

/* @frame: the packet that the site was found in. */
struct check check_site(const struct site *s, const uint8_t *frame);

/*
 * The sum of all that the site covers, pseudo-header included, its field left
 * out; for a rule that is a sum.
 */
csum_wsum site_sum(const struct site *s, const uint8_t *frame);

/* What the field has to hold if that is the sum. */
uint32_t site_value(const struct site *s, csum_wsum sum);

/*
 * What the field has to hold in @frame as it is, by the newest document; for a
 * site that can be verified.
 */
uint32_t site_right(const struct site *s, const uint8_t *frame);

/* Writes a value as struct check has it into the field. */
void site_store(const struct site *s, uint8_t *frame, uint32_t value);

const char *verdict_name(enum verdict v);

/* Good, but not by what a sender would write today. */
static inline bool right_by_other_rule(const struct check *c)
{
	return c->note == NOTE_ADLER32 || c->note == NOTE_PSEUDO ||
	       c->note == NOTE_ALL_COVERED || c->note == NOTE_LAST_SEGMENT;
}

/* Half a sentence; "" for NOTE_NONE. */
const char *note_text(enum note n);

#endif
