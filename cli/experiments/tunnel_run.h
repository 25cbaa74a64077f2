/* SPDX-License-Identifier: BSD-2-Clause */
/* tunnel_run.h - what `csum bench tunnel` was asked for, and what it found. */
#ifndef CSUM_TUNNEL_RUN_H
#define CSUM_TUNNEL_RUN_H

#include "experiment.h"
#include "tunnel.h"

enum {
	TUNNEL_SUBJECTS = 8,
	TUNNEL_SCENES = 8,
	TUNNEL_ROUNDS = 256,
	TUNNEL_LEAST_ROUNDS = 8, /* 99% need so many */
};

/* What is kept of a sample: ns on a CPU for each 1024 bytes, and the rate. */
enum tunnel_figure {
	TUNNEL_SENDER,
	TUNNEL_FORWARDER,
	TUNNEL_RECEIVER,
	TUNNEL_ALL,  /* of those three: the service demand */
	TUNNEL_RATE, /* 10^6 bit/s */
	TUNNEL_FIGURES,
};

/* A way to sum, for the forwarder. */
struct tunnel_subject {
	const char *name;
	enum lab_kind kind;
	csum_sum_fn sum; /* NULL: the usual one */
	csum_copy_fn copy;
};

struct tunnel_scene {
	bool ipv6, udp, offload;
	uint64_t bytes; /* to send in a sample */
	double samples[TUNNEL_SUBJECTS][TUNNEL_FIGURES][TUNNEL_ROUNDS];
	struct lab_forward_counts forward;
	struct lab_netns_counts kernel; /* of both */
};

struct tunnel_run {
	const struct bench_options *opt;
	/* 0: not said */
	uint64_t corrupt, packets, streams, length, mbits;
	bool nat, segment;
	struct tunnel_subject subjects[TUNNEL_SUBJECTS];
	size_t nsubjects, rival; /* the one to compare with */
	struct tunnel_scene scenes[TUNNEL_SCENES];
	size_t nscenes, rounds;
	struct lab_tunnel tunnels[2]; /* offload, or not */
	double seconds, took;
	uint64_t random;
};

/* "TCP over IPv4, offload" */
void tunnel_scene_name(const struct tunnel_scene *s, char name[48]);

/* The time of a subject to that of the rival, sample by sample. */
struct lab_interval tunnel_ratio(const struct tunnel_run *run,
				 const struct tunnel_scene *s,
				 enum tunnel_figure figure, size_t subject);

/* The sum over all scenes. */
struct lab_forward_counts tunnel_forwarded(const struct tunnel_run *run);
struct lab_netns_counts tunnel_taken_in(const struct tunnel_run *run);

/* What is wrong with what was found, or NULL. */
const char *tunnel_fault(const struct tunnel_run *run);

/* tunnel_print.c */
void tunnel_print(const struct tunnel_run *run);
int tunnel_print_json(const struct tunnel_run *run);

#endif
