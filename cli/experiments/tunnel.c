/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tunnel.c - `csum bench tunnel [WORD...]`: does it matter, between two hosts,
 * which routine sums?  And do the kernels of both agree with this library?
 *
 * A routine that is twice as fast was worth half a per cent to a few, where it
 * was measured between hosts.  So here a forwarder that completes and verifies
 * every packet is a part of the whole, and what counts is the time on a CPU
 * that all of it takes for what arrives: the service demand.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_common.h"
#include "cli.h"
#include "elect.h"
#include "timer.h"
#include "tunnel_run.h"
#include "tunnel_traffic.h"

enum {
	WARM_UP_BYTES = 1 << 20,
	TRIES = 3, /* of a transfer */
	STREAMS = 4,
	CORRUPT = 10000,
	MBITS = 400,
	PACKETS_MOST = 1000000000,
};

/* What iperf3 does besides, for each transfer. */
static const double overhead = 0.08;

/* ------------------------------------------------------------------------
 * Words
 */

struct word {
	const char *name;
	uint64_t most;	  /* of the number behind it; 0: there is none */
	uint64_t without; /* the number where none is given; 0: one must be */
};

enum word_index {
	IPV4,
	IPV6,
	TCP,
	UDP,
	OFFLOAD,
	NO_OFFLOAD,
	NAT,
	SEGMENT,
	CORRUPTED,
	PACKETS,
	NSTREAMS,
	LENGTH,
	RATE,
	WORDS,
};

static const struct word words[WORDS] = {
	[IPV4] = { "ipv4", 0, 0 },
	[IPV6] = { "ipv6", 0, 0 },
	[TCP] = { "tcp", 0, 0 },
	[UDP] = { "udp", 0, 0 },
	[OFFLOAD] = { "offload", 0, 0 },
	[NO_OFFLOAD] = { "no-offload", 0, 0 },
	[NAT] = { "nat", 0, 0 },
	[SEGMENT] = { "segment", 0, 0 },
	[CORRUPTED] = { "corrupt", PACKETS_MOST, CORRUPT },
	[PACKETS] = { "packets", PACKETS_MOST, 0 },
	[NSTREAMS] = { "streams", 64, 0 },
	[LENGTH] = { "length", 1 << 20, 0 },
	[RATE] = { "rate", 100000, 0 },
};

/* False after saying what is wrong. */
static bool number_of(const struct word *w, const char *text, uint64_t *v)
{
	if (*text == '=' && w->most && parse_size(text + 1, v) && *v &&
	    *v <= w->most)
		return true;
	if (!*text && (!w->most || w->without)) {
		*v = w->most ? w->without : 1;
		return true;
	}
	if (w->most)
		trouble("tunnel: '%s%s' is not %s=N, 1 to %zu", w->name, text,
			w->name, (size_t)w->most);
	else
		trouble("tunnel: %s takes no '%s'", w->name, text);
	return false;
}

static bool take_word(const char *text, uint64_t values[WORDS])
{
	const size_t n = strcspn(text, "=");

	for (size_t i = 0; i < WORDS; i++)
		if (strlen(words[i].name) == n &&
		    strncmp(words[i].name, text, n) == 0)
			return number_of(&words[i], text + n, &values[i]);
	trouble("tunnel: '%s' is none of ipv4, ipv6, tcp, udp, offload, "
		"no-offload, nat, segment, corrupt[=N], packets=N, streams=N, "
		"length=N, rate=N",
		text);
	return false;
}

/* Of two that exclude each other, neither means both. */
static bool wanted(const uint64_t values[WORDS], enum word_index this,
		   enum word_index other)
{
	return values[this] || !values[other];
}

static void add_scenes(struct tunnel_run *run, const uint64_t values[WORDS])
{
	for (int i = 0; i < TUNNEL_SCENES; i++) {
		const bool plain = i & 1, ipv6 = i & 2, udp = i & 4;

		if (wanted(values, plain ? NO_OFFLOAD : OFFLOAD,
			   plain ? OFFLOAD : NO_OFFLOAD) &&
		    wanted(values, ipv6 ? IPV6 : IPV4, ipv6 ? IPV4 : IPV6) &&
		    wanted(values, udp ? UDP : TCP, udp ? TCP : UDP))
			run->scenes[run->nscenes++] = (struct tunnel_scene){
				.ipv6 = ipv6, .udp = udp, .offload = !plain
			};
	}
}

static int take_words(struct tunnel_run *run)
{
	uint64_t values[WORDS] = { 0 };

	for (size_t i = 0; i < run->opt->nwords; i++)
		if (!take_word(run->opt->words[i], values))
			return EXIT_TROUBLE;
	add_scenes(run, values);
	run->nat = values[NAT];
	run->segment = values[SEGMENT];
	run->corrupt = values[CORRUPTED];
	run->packets = values[PACKETS];
	run->streams = values[NSTREAMS];
	run->length = values[LENGTH];
	run->mbits = values[RATE] ? values[RATE] : MBITS;
	return EXIT_CLEAN;
}

/* ------------------------------------------------------------------------
 * Subjects
 */

static int add_subject(struct tunnel_run *run, const char *name)
{
	struct tunnel_subject *t = &run->subjects[run->nsubjects];
	struct lab_subject s;

	if (run->nsubjects == TUNNEL_SUBJECTS)
		return trouble("tunnel: more than %d routines",
			       TUNNEL_SUBJECTS);
	if (experiment_subject(&s, name, LAB_SUM, NULL) != EXIT_CLEAN)
		return EXIT_TROUBLE;
	*t = (struct tunnel_subject){ .name = name, .kind = s.kind };
	if (s.kind == LAB_PUBLIC)
		run->rival = run->nsubjects;
	else
		t->sum = s.sum;
	if (t->sum && experiment_has(name, LAB_COPY) &&
	    experiment_subject(&s, name, LAB_COPY, NULL) == EXIT_CLEAN)
		t->copy = s.copy;
	run->nsubjects++;
	return EXIT_CLEAN;
}

/* Plain C, one carry chain as a kernel has it, and the best of the library. */
static int add_subjects(struct tunnel_run *run)
{
	static const char *const usual[] = { "portable", "adc_64",
					     "csum_partial" };
	int status = EXIT_CLEAN;

	for (size_t i = 0; i < run->opt->nroutines && !status; i++)
		status = add_subject(run, run->opt->routines[i]);
	for (size_t i = 0; i < 3 && !run->opt->nroutines && !status; i++)
		if (experiment_has(usual[i], LAB_SUM))
			status = add_subject(run, usual[i]);
	return status;
}

/* ------------------------------------------------------------------------
 * A sample
 */

static struct lab_tunnel *tunnel_of(struct tunnel_run *run,
				    const struct tunnel_scene *s)
{
	return &run->tunnels[!s->offload];
}

/* What came from @before to @after, on top of @a. */
static void add_counts(struct lab_netns_counts *a,
		       const struct lab_netns_counts *after,
		       const struct lab_netns_counts *before)
{
	a->tcp += after->tcp - before->tcp;
	a->udp += after->udp - before->udp;
	a->tcp_wrong += after->tcp_wrong - before->tcp_wrong;
	a->udp4_wrong += after->udp4_wrong - before->udp4_wrong;
	a->udp6_wrong += after->udp6_wrong - before->udp6_wrong;
	a->overflow += after->overflow - before->overflow;
	a->queue += after->queue - before->queue;
}

/* Odd ones among them; a round has the same for all. */
static struct tunnel_traffic traffic_of(const struct tunnel_run *run,
					const struct tunnel_scene *s)
{
	static const size_t tcp[] = { 131071, 8191, 32768, 1447 };
	static const size_t udp[] = { 1427, 1021, 1400, 733 };
	const size_t r = run->rounds;
	const size_t length = s->udp ? udp[r / 2 % 4] : tcp[r / 2 % 4];

	return (struct tunnel_traffic){
		.ipv6 = s->ipv6,
		.udp = s->udp,
		.streams = run->streams ? (unsigned)run->streams
			   : r % 2	? STREAMS
					: 1,
		.length = run->length ? (size_t)run->length : length,
		.bytes = s->bytes,
		.mbits = run->mbits,
	};
}

/*
 * What sets up a transfer may be corrupted, too; and on a busy machine all of a
 * few datagrams may be lost.
 */
static int transfer(const struct tunnel_run *run, const struct lab_tunnel *t,
		    const struct tunnel_scene *s,
		    struct tunnel_transfer *result, char why[LAB_WHY])
{
	const struct tunnel_traffic traffic = traffic_of(run, s);
	int status = EXIT_TROUBLE;

	for (int i = 0; i < TRIES && status; i++)
		status = tunnel_traffic_send(t, &traffic, result, why);
	return status;
}

static void keep_counts(struct tunnel_scene *s, struct lab_tunnel *t,
			const struct lab_netns_counts *before)
{
	struct lab_netns_counts after;

	for (int end = 0; end < LAB_TUNNEL_ENDS; end++) {
		lab_forward_add(&s->forward, &t->forward[end].counts);
		t->forward[end].counts = (struct lab_forward_counts){ 0 };
	}
	if (lab_tunnel_count(t, &after))
		add_counts(&s->kernel, &after, before);
}

static int send_once(struct tunnel_run *run, struct tunnel_scene *s,
		     const struct tunnel_subject *subject,
		     struct tunnel_transfer *result, double *forwarder_ns)
{
	struct lab_tunnel *t = tunnel_of(run, s);
	struct lab_netns_counts before;
	char why[LAB_WHY];
	int status;

	if (!lab_tunnel_count(t, &before))
		return trouble("tunnel: the kernel does not say what it has "
			       "counted");
	lab_tunnel_use(subject->sum, subject->copy);
	if (!lab_tunnel_start(t))
		return trouble("tunnel: a thread cannot be started");
	status = transfer(run, t, s, result, why);
	*forwarder_ns = lab_tunnel_stop(t);
	lab_tunnel_use(NULL, NULL);
	keep_counts(s, t, &before);
	return status == EXIT_CLEAN ? status : trouble("tunnel: %s", why);
}

static int sample(struct tunnel_run *run, struct tunnel_scene *s, size_t which)
{
	double(*x)[TUNNEL_ROUNDS] = s->samples[which];
	const size_t r = run->rounds;
	struct tunnel_transfer result;
	double forwarder_ns, kib;
	int status = send_once(run, s, &run->subjects[which], &result,
			       &forwarder_ns);

	if (status != EXIT_CLEAN)
		return status;
	kib = result.bytes / 1024;
	x[TUNNEL_SENDER][r] = result.sender_ns / kib;
	x[TUNNEL_FORWARDER][r] = forwarder_ns / kib;
	x[TUNNEL_RECEIVER][r] = result.receiver_ns / kib;
	x[TUNNEL_ALL][r] = x[TUNNEL_SENDER][r] + x[TUNNEL_FORWARDER][r] +
			   x[TUNNEL_RECEIVER][r];
	x[TUNNEL_RATE][r] = 8e-6 * result.bytes / result.seconds;
	return EXIT_CLEAN;
}

/* ------------------------------------------------------------------------
 * Rounds
 */

/* The time that a sample has. */
static double sample_seconds(const struct tunnel_run *run)
{
	const double samples = (double)(run->nscenes * run->nsubjects) *
			       (TUNNEL_LEAST_ROUNDS + 1);
	const double least = 0.02, most = 1;
	const double seconds = run->seconds / samples - overhead;

	return seconds < least ? least : seconds > most ? most : seconds;
}

/* How much goes through in that time; of TCP that is to be seen. */
static int warm_up(struct tunnel_run *run, struct tunnel_scene *s)
{
	struct tunnel_transfer result;
	double ns;

	s->bytes = WARM_UP_BYTES;
	if (s->udp)
		s->bytes = (uint64_t)(sample_seconds(run) * (double)run->mbits *
				      1e6 / 8);
	return send_once(run, s, &run->subjects[run->rival], &result, &ns);
}

/* A short transfer is mostly the start of iperf3. */
static void send_more(const struct tunnel_run *run, struct tunnel_scene *s)
{
	enum { MORE = 8 };
	const size_t last = run->rounds - 1;
	double bytes = 0;

	for (size_t i = 0; i < run->nsubjects; i++)
		bytes = fmax(bytes, s->samples[i][TUNNEL_RATE][last]);
	bytes *= sample_seconds(run) * 1e6 / 8;
	if (!s->udp && bytes > (double)s->bytes)
		s->bytes = (uint64_t)fmin(bytes, MORE * (double)s->bytes);
}

static int one_round(struct tunnel_run *run)
{
	size_t order[TUNNEL_SUBJECTS];
	int status = EXIT_CLEAN;

	for (size_t i = 0; i < run->nsubjects; i++)
		order[i] = i;
	for (size_t i = 0; i < run->nscenes; i++) {
		lab_shuffle(order, run->nsubjects, &run->random);
		for (size_t j = 0; j < run->nsubjects && !status; j++)
			status = sample(run, &run->scenes[i], order[j]);
	}
	run->rounds += status == EXIT_CLEAN;
	for (size_t i = 0; i < run->nscenes && !status; i++)
		send_more(run, &run->scenes[i]);
	return status;
}

static double share_done(const struct tunnel_run *run, double passed)
{
	const struct lab_netns_counts k = tunnel_taken_in(run);

	if (run->packets)
		return (double)(k.tcp + k.udp) / (double)run->packets;
	return passed / run->seconds;
}

static int all_rounds(struct tunnel_run *run)
{
	const uint64_t start = lab_now();
	void (*progress)(double) = bench_progress();
	int status = EXIT_CLEAN;
	double share = 0;

	for (size_t i = 0; i < run->nscenes && !status; i++)
		status = warm_up(run, &run->scenes[i]);
	while (!status && run->rounds < TUNNEL_ROUNDS &&
	       (share < 1 || run->rounds < TUNNEL_LEAST_ROUNDS)) {
		status = one_round(run);
		run->took = (double)(lab_now() - start) / 1e9;
		share = share_done(run, run->took);
		progress(share < 1 ? share : 1);
	}
	bench_progress_end();
	return status;
}

/* ------------------------------------------------------------------------
 * What was found
 */

struct lab_interval tunnel_ratio(const struct tunnel_run *run,
				 const struct tunnel_scene *s,
				 enum tunnel_figure figure, size_t subject)
{
	double room[TUNNEL_ROUNDS];

	return lab_ratio_interval(s->samples[subject][figure],
				  s->samples[run->rival][figure], run->rounds,
				  room);
}

struct lab_forward_counts tunnel_forwarded(const struct tunnel_run *run)
{
	struct lab_forward_counts all = { 0 };

	for (size_t i = 0; i < run->nscenes; i++)
		lab_forward_add(&all, &run->scenes[i].forward);
	return all;
}

struct lab_netns_counts tunnel_taken_in(const struct tunnel_run *run)
{
	struct lab_netns_counts all = { 0 }, none = { 0 };

	for (size_t i = 0; i < run->nscenes; i++)
		add_counts(&all, &run->scenes[i].kernel, &none);
	return all;
}

const char *tunnel_fault(const struct tunnel_run *run)
{
	const struct lab_netns_counts k = tunnel_taken_in(run);
	const struct lab_forward_counts f = tunnel_forwarded(run);
	const uint64_t wrong = k.tcp_wrong + k.udp4_wrong + k.udp6_wrong;

	if (f.wrong)
		return "the forwarder has found wrong checksums";
	if (wrong > f.corrupted)
		return "a kernel has found wrong checksums";
	if (f.corrupted && !wrong)
		return "no kernel has found what was corrupted: nobody looked";
	return NULL;
}

/* ------------------------------------------------------------------------
 * The experiment
 */

static int open_tunnels(struct tunnel_run *run)
{
	struct lab_tunnel_plan plan = { .nat = run->nat,
					.segment = run->segment,
					.corrupt = run->corrupt };
	char why[LAB_WHY];

	if (!lab_netns_allowed(why))
		return trouble("tunnel: network namespaces: %s", why);
	for (int plain = 0; plain < 2; plain++) {
		plan.offload = !plain;
		if (lab_tunnel_open(&run->tunnels[plain], &plan, why))
			continue;
		if (plain)
			lab_tunnel_close(&run->tunnels[0]);
		return trouble("tunnel: %s", why);
	}
	return EXIT_CLEAN;
}

static int report(const struct tunnel_run *run)
{
	const char *fault = tunnel_fault(run);
	int status = EXIT_CLEAN;

	if (run->opt->json)
		status = tunnel_print_json(run);
	else
		tunnel_print(run);
	return fault ? trouble("tunnel: %s", fault) : status;
}

static int measure(struct tunnel_run *run)
{
	int status = take_words(run);

	if (status == EXIT_CLEAN)
		status = add_subjects(run);
	if (status == EXIT_CLEAN)
		status = tunnel_traffic_ready();
	if (status == EXIT_CLEAN)
		status = open_tunnels(run);
	if (status != EXIT_CLEAN)
		return status;
	status = all_rounds(run);
	for (int i = 0; i < 2; i++)
		lab_tunnel_close(&run->tunnels[i]);
	if (status != EXIT_CLEAN && tunnel_fault(run))
		trouble("tunnel: %s", tunnel_fault(run));
	return status == EXIT_CLEAN ? report(run) : status;
}

int experiment_tunnel(const struct bench_options *opt)
{
	struct tunnel_run *run = calloc(1, sizeof(*run));
	int status;

	if (!run)
		return trouble("out of memory");
	run->opt = opt;
	run->seconds = experiment_seconds(opt, 40);
	run->random = opt->seed;
	status = measure(run);
	free(run);
	return status;
}
