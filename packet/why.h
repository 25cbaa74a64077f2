/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * why.h - the mistakes that explain a wrong value in a checksum field.
 *
 * Each known mistake is made once more, on the packet as it is.  If the value
 * that a mistake leaves is the value found, that mistake is a cause.  By chance
 * one of some 25 mistakes fits a random value in 1 packet of 2600; struct why
 * has how likely that was.  Other packets of the flow that are wrong in the
 * same way say more, see diagnosis/agreement.h.  A header field that changed
 * after the sum was made is named only where few values of that field are
 * possible, and is less sure.  A flipped bit, or two words that changed places,
 * leaves no trace in a sum, and is not guessed.
 */
#ifndef PACKET_WHY_H
#define PACKET_WHY_H

#include <stddef.h>

#include "check.h"
#include "walk.h"

/* The order is that of likelihood, where several fit. */
enum cause {
	CAUSE_NONE,	  /* cannot be told */
	CAUSE_OFFLOAD,	  /* the pseudo-header, for a card to finish */
	CAUSE_LARGE_SEND, /* the same without its length */
	CAUSE_FLAGGED,	  /* the capture says that it is unfinished */
	CAUSE_ZEROS,	  /* 0 stored where 0xffff was meant */
	CAUSE_LEFT_ZERO,  /* as by full offload */
	CAUSE_NO_SUM,	  /* 0 where there must be a checksum */
	CAUSE_FILLED,	  /* 0xffff where 0 was meant, which stands for none */
	CAUSE_SWAPPED,	  /* the two bytes */
	CAUSE_COMPLEMENT, /* left out */
	CAUSE_NO_PSEUDO,  /* the pseudo-header left out */
	CAUSE_PSEUDO,	  /* one that does not belong */
	CAUSE_PSEUDO_TWICE, /* once by the field, which was not cleared */
	CAUSE_LENGTH,	    /* in the pseudo-header: @detail */
	CAUSE_PROTOCOL,	    /* in the pseudo-header: @detail */
	CAUSE_DESTINATION,  /* of the IP header instead of the final one */
	CAUSE_SOURCE,	    /* of the IP header instead of the home address */
	CAUSE_ODD_SIDE,	    /* the last byte on the wrong side of its word */
	CAUSE_ODD_LEFT_OUT, /* the last byte */
	CAUSE_TRAILER,	    /* @detail BYTES behind the message included */
	CAUSE_OPTIONS,	    /* of the IPv4 header left out */
	CAUSE_CARRY,	    /* lost */
	CAUSE_ADDRESS, /* changed: that of the IP header is wrong by the same */
	CAUSE_CHANGED, /* @field, which was @detail */
	CAUSE_VALID,   /* changed: the capture says that it was right */
	/* Told by other packets, never by why_site(): */
	CAUSE_UPDATED, /* 0 stood for none, and was updated like a sum */
	CAUSE_CHANCE,  /* one fits, and nothing else speaks for it */
	CAUSE_COUNT
};

struct why {
	const char *field; /* CAUSE_CHANGED: its name... */
	uint32_t now;	   /* ...and what it holds */
	enum cause cause;
	uint32_t value; /* of the checksum field */
	uint32_t detail;
	/*
	 * How many of the 65536 values of the field would have had a cause of
	 * this kind, which is how likely a random value has one; 0: it is no
	 * matter of chance.
	 */
	uint32_t chance;
};

enum { WHY_MAX = 40 };

/*
 * Every mistake that is possible here with the value that it leaves, if that is
 * not the right one.  @s: with a verdict other than unverifiable.  Returns how
 * many.
 */
unsigned why_mistakes(const struct packet *packet, const struct site *s,
		      struct why *out);

/*
 * The causes of what is found in @s, which is bad or partial, the likeliest
 * first; none if it cannot be told.
 *
 * @walk: all sites of the packet, in which @s is one; NULL: they are not known.
 */
unsigned why_site(const struct packet *packet, const struct site *s,
		  const struct check *c, const struct walk *walk,
		  struct why *out);

/*
 * The header fields of 16 bits of which any could have changed, each with the
 * value that would explain what is found (@detail).  They prove nothing: there
 * always is one.
 */
unsigned why_guesses(const struct site *s, const struct check *c,
		     const uint8_t *frame, struct why *out);

/* One word, as `csum break` and a summary have it. */
const char *cause_name(enum cause c);

/* The same in half a sentence. */
const char *cause_text(enum cause c);

/* ", may be chance: 1 in 2340", or "". */
void why_chance(const struct why *w, char *buf, size_t size);

/* Half a sentence about @w, with its details. */
void why_text(const struct why *w, char *buf, size_t size);

/*
 * The short form of @n causes for a line of output: the text of the likeliest,
 * with its chance, or that it cannot be told.
 */
void why_short(const struct why *list, unsigned n, char *buf, size_t size);

#endif
