/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inquiry.h - symptoms on their way through the rules, and what rules share.
 *
 * A rule looks at the symptoms that no rule before it has explained (open),
 * takes those that it explains, and makes a part of the conclusion of them.
 */
#ifndef DIAGNOSIS_INQUIRY_H
#define DIAGNOSIS_INQUIRY_H

#include "conclusion.h"

/* Symptoms on their way through the rules. */
struct inquiry {
	const struct evidence *e;
	const struct symptom **open; /* not explained yet */
	size_t nopen;
	const struct symptom **taken; /* by the rule that is at work */
	size_t ntaken;
	struct conclusion *c;
	/* For a part that explains less than all for which there is room. */
	struct conclusion_part left_out;
	unsigned left_out_kinds; /* bit K: kind K is among those left out */
};

typedef bool relation(const struct symptom *a, const struct symptom *b);

bool same_src(const struct symptom *a, const struct symptom *b);

bool same_dst(const struct symptom *a, const struct symptom *b);

bool same_link(const struct symptom *a, const struct symptom *b);

bool same_flow(const struct symptom *a, const struct symptom *b);

bool same_difference(const struct symptom *a, const struct symptom *b);

/* True if all @n are the same as the first. */
bool all_same(const struct symptom *const *list, size_t n, relation *r);

/*
 * A sender: one link address with at most one address of either version
 * (link-local ones aside), or one address alone.  A router is none.
 */
bool one_sender(const struct symptom *const *list, size_t n);

/*
 * The kind and the wire that @n parts come to, which are sorted: those that
 * explain most first.  @any_good: a checksum was right.
 */
void sum_up(const struct conclusion_part *parts, size_t n, bool any_good,
	    struct conclusion *c);

void take(struct inquiry *q, const struct symptom *f);

/* Takes what @r relates to @f. */
void take_related(struct inquiry *q, const struct symptom *f, relation *r);

/*
 * A part of what is taken; the caller says whom it is about.  Where there is no
 * room for one more, the part that explains least is left out and counted.
 */
struct conclusion_part *add_part(struct inquiry *q, enum conclusion_kind kind);

uint64_t good_sums(const struct sender *s);

/* The most frequent source among what is taken, not link-local if possible. */
const struct symptom *main_sender(const struct inquiry *q);

void about_sender(const struct inquiry *q, struct conclusion_part *p,
		  const struct symptom *f);

void about_receiver(struct conclusion_part *p, const struct symptom *f);

void about_flow(struct conclusion_part *p, const struct symptom *f);

/* Nobody, if several senders by several ways to several receivers are hit. */
void about_path(const struct inquiry *q, struct conclusion_part *p);

/*
 * The sender has right sums on another interface: the one where all of them are
 * unfinished is to blame, or rather its network card.
 */
bool other_interface_right(const struct inquiry *q);

/* For qsort(): the order of the file. */
int by_frame(const void *a, const void *b);

/* No TCP or UDP packet of this direction was right, nor this kind of sum. */
bool flow_all_bad(const struct inquiry *q, const struct symptom *f);

void take_all(struct inquiry *q);

/* The share of TCP and UDP checksums of the file that are bad, in percent. */
unsigned percent_bad(const struct inquiry *q);

size_t count_fate(const struct inquiry *q, enum fate fate);

/* @list: the @n symptoms of a group, in the order of the file. */
typedef void group_visitor(struct inquiry *q, const struct symptom *const *list,
			   size_t n, void *context);

/*
 * Groups of two open symptoms and more that all have the same difference.  Both
 * directions of a flow belong to one group, for each kind of sum.
 */
void each_constant_group(struct inquiry *q, group_visitor *visit,
			 void *context);

/* --- rules_sender.c, rules_file.c, rules_path.c: each may add parts --------
 */

/*
 * A sender after the other, for each that has left sums unfinished; from the
 * third on all of them together, so that thousands take no time.
 */
void rule_unfinished(struct inquiry *q);

/*
 * Segments merged on arrival: all wrong TCP segments are longer than any packet
 * that is right, and than Ethernet allows; what was acknowledged had arrived.
 */
void rule_merged(struct inquiry *q);

/* A sender after the other; 64 with mistakes of their own tell enough. */
void rule_stack(struct inquiry *q);

bool initial_ttl(uint8_t ttl);

/*
 * All that was taken was acknowledged: what the other side has seen was right,
 * so something has finished these sums behind the place of capture.
 */
bool understood_all(const struct inquiry *q);

/*
 * Changed in the file: the difference of each flow is the same both ways, in
 * nearly all packets - no box on the way could do that, since each direction is
 * summed by another host; or nearly every payload is one byte repeated; or
 * nearly all is wrong, and the hosts have understood each other all the same.
 */
void rule_anonymised(struct inquiry *q);

/*
 * Cut short after the sum was made: each of them is as long as the longest
 * there is, all right ones are shorter; or TCP goes on farther behind them than
 * they reach, and the other side has had it all.  Or split.
 */
void rule_truncation(struct inquiry *q);

/*
 * A box on the way changed a field and left the sum alone: many differ by the
 * same, or those of each flow do and none of the flow is right; or only SYN
 * packets are wrong, of which boxes lower the segment size.
 */
void rule_rewrite(struct inquiry *q);

/*
 * Damage: single bits, or TCP segments that came again and were right then, or
 * a few of many that have nothing in common.
 */
void rule_corruption(struct inquiry *q);

/*
 * Always wrong, and by no mistake that is known: of one sender, whose packets
 * come without a router in between, or through a box.
 */
void rule_always(struct inquiry *q);

#endif
