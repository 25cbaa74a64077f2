/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * evidence.h - what a whole capture shows: who sent what is right, a list of
 * what is wrong, and what became of it.
 *
 * Not for several threads at once.
 */
#ifndef DIAGNOSIS_EVIDENCE_H
#define DIAGNOSIS_EVIDENCE_H

#include "senders.h"

/*
 * Bounds: of either list of symptoms, of TCP segments whose fate is awaited, of
 * interfaces told apart; bits for flows.  Symptoms that do not fit are counted.
 */
enum {
	EVIDENCE_SYMPTOMS = 1 << 15,
	EVIDENCE_AWAITED = 1 << 12,
	EVIDENCE_INTERFACES = 64,
	EVIDENCE_FLOW_BITS = 1 << 19,
	EVIDENCE_SETS = 1 << OBSERVED_KINDS,
};

/* Symptoms of one kind: partial sums, or bad ones. */
struct symptoms {
	struct symptom *list;
	size_t n, size;
	uint64_t more; /* that came when the list was full */
};

struct awaited; /* private to evidence.c */

struct evidence {
	/* Packets by the set of kinds that are good, or not, in them. */
	uint64_t good[EVIDENCE_SETS], bad[EVIDENCE_SETS];
	struct senders senders;
	unsigned ninterfaces; /* 1 + the highest number seen */
	struct symptoms wrong, partial;
	/* The longest good TCP or UDP packet, BYTES of its frame. */
	uint32_t longest_good;
	/* TCP and UDP packets with a payload and a right checksum. */
	uint64_t good_payloads;
	uint8_t *right_flows; /* see evidence_flow_right() */
	struct awaited *awaited;
};

/* False if there is no memory; end with evidence_free() in any case. */
bool evidence_init(struct evidence *e);
void evidence_free(struct evidence *e);

/* Begins anew, for another file. */
void evidence_clear(struct evidence *e);

/* Takes all of a list, in the order of the file, and empties it. */
void evidence_take(struct evidence *e, struct observations *list);

/*
 * True if a TCP or UDP packet of this direction of a flow was right.  A bit for
 * each hash says so: among 100,000 flows one in five answers for another.
 */
bool evidence_flow_right(const struct evidence *e, const struct symptom *s);

/* Packets with a good checksum of a kind; with a bad or partial one. */
uint64_t evidence_good(const struct evidence *e, enum observed k);
uint64_t evidence_bad(const struct evidence *e, enum observed k);

/* What the sender of @s has sent by all interfaces. */
struct sender evidence_sender(const struct evidence *e,
			      const struct symptom *s);

/* The same by one of them. */
struct sender evidence_sender_at(const struct evidence *e,
				 const struct symptom *s, uint32_t interface);

#endif
