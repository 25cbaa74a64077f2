/* SPDX-License-Identifier: BSD-2-Clause */
/* verify.h - what the parts of `csum verify` hand to each other. */
#ifndef CSUM_VERIFY_H
#define CSUM_VERIFY_H

#include <stdio.h>

#include "check.h"
#include "cli.h"
#include "filter.h"
#include "fragments.h"
#include "walk.h"
#include "why.h"

enum verify_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

struct verify_options {
	enum verify_format format;
	bool lines[VERDICT_COUNT]; /* which sites are printed */
	bool quoted;		   /* those of quoted packets, too */
	bool why; /* the cause of each that is bad or partial */
	bool protocols[PROTO_COUNT];
	const char *interface;	/* live, instead of files */
	const char *expression; /* of libpcap, or NULL */
	struct filter *filter;
	uint64_t count;	  /* live: stop after so many packets; 0: never */
	unsigned threads; /* 0: as many as there are processors */
	char **files;
	int nfiles;
};

/* --- verify_tally.c: what has been seen in a file, or in all of them --- */

struct sites_tally {
	uint64_t packets;
	uint64_t verdicts[SITE_CLASSES][PROTO_COUNT][VERDICT_COUNT];
	uint64_t reasons[REASON_COUNT];
	uint64_t notes[VERDICT_COUNT][NOTE_COUNT];
	uint64_t causes[CAUSE_COUNT];
};

enum { EDGE_NUMBERS = 1 << 16 };

struct tally {
	struct sites_tally sites;
	/*
	 * A counter for each number, so that no input makes it slow, and a list
	 * of those that are not 0.
	 */
	uint64_t edges[EDGE_COUNT * EDGE_NUMBERS];
	uint32_t seen[EDGE_COUNT * EDGE_NUMBERS];
	uint32_t nseen;
};

void tally_site(struct sites_tally *t, const struct site *s,
		const struct check *c);
void tally_edge(struct tally *t, uint32_t edge, uint64_t packets);

static inline uint32_t edge_index(const struct walk *w)
{
	return (uint32_t)w->edge * EDGE_NUMBERS + w->edge_number;
}

/* @from is 0 again. */
void sites_move(struct sites_tally *to, struct sites_tally *from);
void tally_move(struct tally *to, struct tally *from);

uint64_t tally_bad(const struct tally *t);

/* --- verify_print.c: lines and summaries in each format ----------------- */

void print_start(const struct verify_options *o);

/* @offset: of the field in the file.  @why: half a sentence, or "". */
void print_site(FILE *to, const struct verify_options *o, const char *file,
		uint64_t frame, uint64_t offset, const struct site *s,
		const struct check *c, const char *why);

void print_summary(const struct verify_options *o, const char *file,
		   const char *format, bool whole, struct tally *t);
void print_total(const struct verify_options *o, unsigned files,
		 struct tally *t);

/* --- verify_job.c: packets to lines and counts, in any thread ------------ */

/*
 * Messages in fragments are put together in the order of the file, so what
 * depends on them waits until job_emit(); the text up to there is noted.
 */
struct job_fragment {
	size_t text_at;
	struct fragment_sums fragment;
};

struct job {
	const struct verify_options *o;
	const char *file; /* its name */
	struct sites_tally tally;
	uint32_t *edges; /* edge_index() of each packet that has one */
	size_t nedges, edges_size;
	struct job_fragment *fragments;
	size_t nfragments, fragments_size;
	char *text;
	size_t text_len;
	FILE *to; /* @text */
};

/* False if there is no memory. */
bool job_init(struct job *job, const struct verify_options *o);
void job_free(struct job *job);

/* False if there is no memory. */
bool job_packet(struct job *job, const struct packet *packet);

/* Where the jobs of one file end up, one after the other. */
struct sink {
	const struct verify_options *o;
	const char *file;
	struct tally *tally;
	struct fragments *fragments;
};

bool sink_init(struct sink *sink, const struct verify_options *o,
	       struct tally *tally);
void sink_free(struct sink *sink);

/* Prints what @job has to say, counts it, and empties it. */
void job_emit(struct job *job, struct sink *sink);

/* At the end of a file: what is still incomplete. */
void sink_flush(struct sink *sink);

/* --- verify_files.c, verify_live.c: return an exit status ---------------- */

int verify_files(const struct verify_options *o);
int verify_live(const struct verify_options *o);

#endif
