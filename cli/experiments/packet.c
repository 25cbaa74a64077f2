/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * packet.c - `csum bench packet`: what the operations of csum_packet.h take
 * over the sums that they cannot do without.
 *
 * Eight packets by turns, because a store into a packet whose bytes are summed
 * at once would be what is measured.
 */
#include "experiment.h"

#include <stdio.h>
#include <string.h>

#include "bench_json.h"
#include "cli.h"
#include "csum_packet.h"
#include "elect.h"

enum {
	PACKETS = 8,
	LONG = 1500,
	SHORT = 64,
	HEADERS = 40, /* IPv4 and TCP */
	LARGE = HEADERS + 64000,
	SEGMENT = 1448,
	FIELD = 20 + CSUM_FIELD_TCP,
};

struct memory {
	unsigned char packets[PACKETS][LONG], shorts[PACKETS][SHORT];
	unsigned char large[LARGE], out[HEADERS + SEGMENT], all[LARGE];
};

/* IPv4 and TCP, with right checksums. */
static void make(unsigned char *p, size_t len, unsigned fill)
{
	memset(p, (int)fill, len);
	memcpy(p, "\x45\0\0\0\0\0\0\0\x40\x06", 10);
	p[2] = (unsigned char)(len >> 8);
	p[3] = (unsigned char)len;
	p[20 + 12] = 0x50;
	csum_packet_finish(p, len, CSUM_LINK_IP, 0, NULL);
}

/* The packet of turn @i; the one of four turns later loses its checksums. */
static unsigned char *next_unfinished(struct memory *m, size_t i)
{
	unsigned char *later = m->packets[(i + PACKETS / 2) % PACKETS];

	memset(later + CSUM_FIELD_IPV4, 0, 2);
	memset(later + FIELD, 0, 2);
	return m->packets[i % PACKETS];
}

static uint64_t run_sum(void *what, size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += csum_partial(next_unfinished(what, i), LONG, 0);
	return all;
}

static uint64_t run_finish(void *what, size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += csum_packet_finish(next_unfinished(what, i), LONG,
					  CSUM_LINK_IP, 0, NULL);
	return all;
}

static uint64_t run_check(void *what, size_t n)
{
	struct memory *m = what;
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += csum_packet_check(m->shorts[i % PACKETS], SHORT,
					 CSUM_LINK_IP, 0, NULL);
	return all;
}

static struct csum_nat_rule rule_of(size_t i)
{
	struct csum_nat_rule nat = { .change = CSUM_NAT_SOURCE_ADDRESS |
					       CSUM_NAT_SOURCE_PORT };
	const uint32_t address = (uint32_t)i;

	memcpy(nat.source_address, &address, 4);
	nat.source_port = (csum_be16)i;
	return nat;
}

static uint64_t run_nat(void *what, size_t n)
{
	struct memory *m = what;
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++) {
		const struct csum_nat_rule nat = rule_of(i);

		all += !csum_nat(m->packets[i % PACKETS], LONG, &nat);
	}
	return all;
}

/* The same by hand, and all checksums computed. */
static uint64_t run_anew(void *what, size_t n)
{
	struct memory *m = what;
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++) {
		const struct csum_nat_rule nat = rule_of(i);
		unsigned char *p = m->packets[i % PACKETS];

		memcpy(p + 12, nat.source_address, 4);
		memcpy(p + 20, &nat.source_port, 2);
		all += csum_packet_finish(p, LONG, CSUM_LINK_IP, 0, NULL);
	}
	return all;
}

/* What cutting up cannot do without: the payload once, headers for each. */
static uint64_t run_pieces(void *what, size_t n)
{
	struct memory *m = what;
	uint64_t all = 0;

	while (n--) {
		all += csum_copy(m->all, m->large + HEADERS, LARGE - HEADERS,
				 0);
		for (size_t at = HEADERS; at < LARGE; at += SEGMENT) {
			memcpy(m->out, m->large, HEADERS);
			__asm__ volatile("" : : "r"(m->out) : "memory");
		}
	}
	return all;
}

static uint64_t run_segment(void *what, size_t n)
{
	struct memory *m = what;
	uint64_t all = 0;

	while (n--) {
		struct csum_segmenter s;
		size_t len, at = 0;

		if (csum_segment(&s, m->large, LARGE, SEGMENT))
			return 0;
		while ((len = csum_segment_next(&s, m->out, sizeof(m->out))))
			at += len;
		all += at;
	}
	return all;
}

enum { SUM, FINISH, CHECK, NAT, ANEW, PIECES, CUT, ITEMS };

static const struct {
	const char *name, *what;
	uint64_t (*run)(void *what, size_t n);
	size_t group, size;
} items[ITEMS] = {
	[SUM] = { "sum", "csum_partial()", run_sum, 0, LONG },
	[FINISH] = { "finish", "csum_packet_finish()", run_finish, 0, LONG },
	[CHECK] = { "check", "csum_packet_check()", run_check, 1, SHORT },
	[NAT] = { "nat", "csum_nat(): address and port", run_nat, 2, LONG },
	[ANEW] = { "anew", "the same, and csum_packet_finish()", run_anew, 2,
		   LONG },
	[PIECES] = { "pieces", "csum_copy(), and headers", run_pieces, 3,
		     LARGE },
	[CUT] = { "segment", "csum_segment(), pieces of 1448", run_segment, 3,
		  LARGE },
};

static double median(const struct lab_rounds *r, const struct lab_timed *t)
{
	return lab_quantile(t->ns, r->n, 0.5, r->room);
}

static void print_ns_goal(const struct lab_rounds *r,
			  const struct lab_timed *timed, int i, double goal)
{
	const double ns = median(r, &timed[i]);

	printf("  %-8s at most %5.2f ns          %6.2f  %s\n", items[i].name,
	       goal, ns, ns <= goal ? "met" : "not met");
}

static void print_ratio_goal(const struct lab_rounds *r,
			     const struct lab_timed *timed, int a, int b,
			     double goal)
{
	const struct lab_interval ratio =
		lab_ratio_interval(timed[a].ns, timed[b].ns, r->n, r->room);

	printf("  %-8s at most %5.2f x %-8s    ", items[a].name, goal,
	       items[b].name);
	experiment_print_ratio(ratio);
	printf("  %s\n", lab_too_noisy(ratio) ? "too noisy to say"
			 : ratio.high <= goal ? "met"
			 : ratio.low > goal   ? "not met"
					      : "not shown");
}

static void print(const struct bench_options *opt, const struct lab_rounds *r,
		  const struct lab_timed *timed)
{
	experiment_header(opt, "operations on packets in memory");
	printf("TCP over IPv4; the median of %zu rounds.\n\n", r->n);
	for (int i = 0; i < ITEMS; i++)
		printf("  %-8s %5zu bytes %10.2f ns  %s\n", items[i].name,
		       items[i].size, median(r, &timed[i]), items[i].what);
	puts("\ngoals");
	print_ratio_goal(r, timed, FINISH, SUM, 1.2);
	print_ns_goal(r, timed, CHECK, 20);
	print_ns_goal(r, timed, NAT, 15);
	print_ratio_goal(r, timed, NAT, ANEW, 0.1);
	print_ratio_goal(r, timed, CUT, PIECES, 1.3);
}

static int print_json(const struct bench_options *opt,
		      const struct lab_rounds *r, const struct lab_timed *timed)
{
	json_t *doc = bench_json_new(opt), *rows = json_array();

	for (int i = 0; i < ITEMS; i++) {
		const struct bench_named named = { .subject = items[i].name,
						   .kind = LAB_STUDY,
						   .op = LAB_SUM,
						   .size = items[i].size,
						   .timed = &timed[i] };
		json_t *row = bench_json_named(&named, r);

		json_object_set_new(row, "op", json_string("packet"));
		json_array_append_new(rows, row);
	}
	bench_json_add_named(doc, "packets in memory", r, opt->seed, rows);
	return bench_json_print(doc);
}

int experiment_packet(const struct bench_options *opt)
{
	static struct memory memory;
	struct lab_timed timed[ITEMS] = { 0 }, *list[ITEMS];
	struct lab_rounds r = { .items = list,
				.nitems = ITEMS,
				.seconds = experiment_seconds(opt, 5),
				.random = opt->seed };
	int status = experiment_no_words(opt);

	if (status != EXIT_CLEAN)
		return status;
	for (unsigned i = 0; i < PACKETS; i++) {
		make(memory.packets[i], LONG, i + 1);
		make(memory.shorts[i], SHORT, i + 1);
	}
	make(memory.large, LARGE, 7);
	for (int i = 0; i < ITEMS; i++) {
		timed[i].run = items[i].run;
		timed[i].what = &memory;
		timed[i].group = items[i].group;
		list[i] = &timed[i];
	}
	status = experiment_rounds(&r);
	if (status == EXIT_CLEAN)
		status = opt->json ? print_json(opt, &r, timed)
				   : (print(opt, &r, timed), EXIT_CLEAN);
	lab_rounds_free(&r);
	return status;
}
