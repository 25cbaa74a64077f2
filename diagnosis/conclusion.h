/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * conclusion.h - who breaks checksums, how, and whether anything was wrong on
 * the wire: by rules over the evidence of a whole capture.
 *
 * docs/CAPTURES.md has the rules in words, and the captures that test each.
 */
#ifndef DIAGNOSIS_CONCLUSION_H
#define DIAGNOSIS_CONCLUSION_H

#include "evidence.h"
#include "why.h"

enum conclusion_kind {
	CONCLUDE_NONE,	     /* nothing is wrong, and something is right */
	CONCLUDE_OFFLOAD,    /* a network card finishes the sums later */
	CONCLUDE_CORRUPTION, /* bytes were damaged on the way */
	CONCLUDE_REWRITE,    /* a box changed packets and not their sums */
	CONCLUDE_STACK,	     /* a sender computes them wrongly */
	CONCLUDE_TRUNCATION, /* cut or split after the sum was made */
	CONCLUDE_ANONYMISED, /* changed in the file, after the capture */
	CONCLUDE_UNKNOWN,    /* too little to tell */
	CONCLUDE_MIXED,	     /* two of these */
	CONCLUDE_KINDS
};

enum subject_kind {
	SUBJECT_NONE,
	SUBJECT_HOST,
	SUBJECT_LINK,
	SUBJECT_FLOW,
	SUBJECT_INTERFACE
};

/* Whom a conclusion is about. */
struct conclusion_subject {
	enum subject_kind kind;
	uint8_t version;     /* SUBJECT_HOST: of @address */
	uint8_t address[16]; /* SUBJECT_HOST: IP; SUBJECT_LINK: 6 BYTES */
	struct endpoints flow;
	uint32_t interface;
	const char *file; /* whose interface it is; NULL: of the file at hand */
};

enum wire { WIRE_UNKNOWN, WIRE_RIGHT, WIRE_WRONG };

/* One explanation, and what it explains. */
struct conclusion_part {
	enum conclusion_kind kind;
	struct conclusion_subject subject;
	enum wire wire;
	uint64_t files;	      /* in which it was found */
	uint64_t checksums;   /* that the part explains */
	uint64_t first, last; /* frames of these; of several files nothing */
	uint64_t of;	      /* packets that the subject sent; 0: unknown */
	/* SUBJECT_HOST and SUBJECT_LINK: not the sender, but the receiver */
	bool receiver;
	enum cause cause;    /* CONCLUDE_STACK: the mistake */
	bool constant;	     /* the difference is the same in all */
	uint32_t difference; /* then: see symptom_difference() */
	uint64_t one_bit;    /* symptoms that differ by one flipped bit */
	bool merged; /* CONCLUDE_OFFLOAD: of segments merged on arrival */
	/* TCP segments by what became of them. */
	uint64_t fates[FATES];
};

enum { CONCLUSION_PARTS = 4 };

struct conclusion {
	enum conclusion_kind kind;
	enum wire wire;
	unsigned nparts; /* those that explain most first */
	struct conclusion_part parts[CONCLUSION_PARTS];
	uint64_t unweighed; /* symptoms beyond the bounds of evidence.h */
	/* Of several files, see merged.h: */
	uint64_t files;			     /* judged; 0: it is about one */
	uint64_t nothing_verified;	     /* files that tell nothing */
	uint64_t more_parts, more_checksums; /* for which there is no room */
};

/* False if there is no memory. */
bool conclude(const struct evidence *e, struct conclusion *c);

/* "offload", as in JSON. */
const char *conclusion_name(enum conclusion_kind k);

enum { CONCLUSION_TEXT = 1600 };

/* What it means, in sentences. */
void conclusion_text(const struct conclusion *c, char *buf, size_t size);

/* What to do about it, in one sentence. */
void conclusion_advice(const struct conclusion *c, char *buf, size_t size);

/* "192.0.2.1", "tcp 192.0.2.1:80 > 198.51.100.1:4000"... */
void subject_text(const struct conclusion_subject *s, char *buf, size_t size);
void address_text(uint8_t version, const uint8_t *address, char *buf,
		  size_t size);
const char *ip_protocol_word(uint8_t number); /* "tcp", or "ip" */
void link_text(const uint8_t address[6], char *buf, size_t size);

/* "192.0.2.1:80 > 198.51.100.1:4000"; @e is in IP. */
void ends_text(const struct endpoints *e, char *buf, size_t size);

#endif
