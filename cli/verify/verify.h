/* SPDX-License-Identifier: BSD-2-Clause */
/* verify.h - what the parts of `csum verify` hand to each other. */
#ifndef CSUM_VERIFY_H
#define CSUM_VERIFY_H

#include <stdio.h>

#include "agreement.h"
#include "check.h"
#include "cli.h"
#include "conclusion.h"
#include "decode_options.h"
#include "filter.h"
#include "merged.h"
#include "pass.h"
#include "ranking.h"

enum { SCHEMA_VERSION = 1 }; /* of docs/VERIFY-JSON.md */

enum verify_format {
	FORMAT_TEXT,
	FORMAT_JSON,
	FORMAT_CSV,
	FORMAT_PER_FILE, /* one line for each file */
	FORMAT_QUIET	 /* errors, and the exit status */
};

struct verify_options {
	enum verify_format format;
	int width;		   /* COLUMNS of a line of text */
	bool lines[VERDICT_COUNT]; /* which sites are printed */
	bool quoted;		   /* those of quoted packets, too */
	bool by[BY_COUNT];	   /* which rankings are printed */
	bool ranked;		   /* any of them */
	bool why;	 /* the cause of each that is bad or partial */
	bool conclude;	 /* say who breaks checksums; not in CSV */
	bool offload_ok; /* what is left to a network card is no failure */
	bool strict; /* a packet in which nothing could be checked is trouble */
	bool found;  /* the files were found, as in a directory */
	bool merging; /* a total stands alone: there are no files */
	struct walk_rules rules;
	unsigned form; /* enum form, of all files */
	bool protocols[PROTO_COUNT];
	const char *interface;	/* live, instead of files */
	const char *expression; /* of libpcap, or NULL */
	struct filter *filter;
	uint64_t count;	  /* live: stop after so many packets; 0: never */
	unsigned threads; /* 0: as many as there are processors */
	char **files;
	int nfiles;
};

/* --- verify_where.c: when, where and between whom ----------------------- */

enum { CONTINUED = 4 }; /* COLUMNS in front of what continues a line of text */

/* Of the IP packet that the site is in. */
void finding_ends(const struct finding *f, struct endpoints *e);

/* "2026-12-01 08:30:00" in UTC, @between in the middle. */
void time_text(uint64_t ns, char between, char *buf, size_t size);

/* The same as RFC 3339 has it, with 9 digits behind the second. */
void put_time(FILE *to, uint64_t ns);

/* A line of its own; members of an object and columns, a comma in front. */
void text_where(FILE *to, int width, const struct finding *f);
void json_where(FILE *to, const struct finding *f);
void csv_where(FILE *to, const struct finding *f);

/* --- verify_by.c: rankings ---------------------------------------------- */

/* What is ranked: what one thread has seen, until its turn comes. */
struct sightings {
	struct sighting *list;
	size_t n, size;
	const uint8_t *header; /* of the last one: its IP header, and frame */
	uint64_t frame;
};

struct rankings {
	unsigned n;
	struct ranking by[BY_COUNT];
};

/* A word_list, see options.h. */
const char *by_word(int i);

/* Both return false if there is no memory. */
bool rankings_init(struct rankings *r, const struct verify_options *o);
void rankings_free(struct rankings *r);
bool sightings_add(struct sightings *l, const struct finding *f);

/* Ranks what @l has, and empties it. */
void rankings_take(struct rankings *r, struct sightings *l);
void rankings_print(struct rankings *r, const struct verify_options *o);

/* --- verify_print.c: lines and summaries in each format ----------------- */

void print_start(const struct verify_options *o);

void print_site(FILE *to, const struct verify_options *o, const char *file,
		const struct finding *f);

/* @format: one word; @what: the same for people, see reader_describe(). */
void print_summary(const struct verify_options *o, const char *file,
		   const char *format, const char *what, bool whole,
		   struct tally *t);

/* A line for a file, with --per-file. */
void print_per_file(const struct verify_options *o, const char *file,
		    bool whole, const struct tally *t,
		    enum conclusion_kind kind);

/* The members of a summary that are counts, with a comma in front. */
void json_counts(const struct tally *t);

/* The same as text: a line about @file and tables. */
void text_summary(const char *file, const char *what, bool whole,
		  const struct tally *t);

/* As a string of JSON (RFC 8259, section 7), quotes included. */
void put_json_string(FILE *to, const char *text);

/* EXIT_TROUBLE, after saying so, if --strict finds something unchecked. */
int check_strict(const struct verify_options *o, const char *file,
		 const struct tally *t);

/* --- verify_lines.c: packets to lines and counts, in any thread ---------- */

/*
 * Messages in fragments are put together in the order of the file, so the lines
 * of what they carry wait for lines_emit(): the length of the text in front of
 * them is noted.
 */
struct batch_fragment {
	size_t text_at;
	struct fragment_copy *copy;
};

/* What one thread makes of some packets of a file. */
struct batch_lines {
	const struct verify_options *o;
	const char *file; /* its name */
	struct pass pass;
	struct observations seen; /* none in CSV, which has no summary */
	struct sightings sightings;
	struct batch_fragment *fragments;
	size_t nfragments, fragments_size;
	char *text;
	size_t text_len, text_size;
	FILE *to; /* @text, as far as the stream is flushed */
};

/* False if there is no memory. */
bool lines_init(struct batch_lines *b, const struct verify_options *o);
void lines_free(struct batch_lines *b);

/* False if there is no memory. */
bool lines_packet(struct batch_lines *b, const struct packet *packet);

/* Where the lines of one file end up, one batch after the other. */
struct sink {
	const struct verify_options *o;
	const char *file;
	struct pass pass; /* for messages in fragments; counts into its tally */
	struct evidence evidence;   /* of the file, if o->conclude */
	struct observations seen;   /* of messages in fragments */
	struct sightings sightings; /* the same */
	struct rankings rankings;   /* of all files */
	bool lost;		    /* there was no memory for some of it */
	enum conclusion_kind kind;  /* of the file that was concluded last */
};

bool sink_init(struct sink *sink, const struct verify_options *o,
	       struct tally *tally);
void sink_free(struct sink *sink);

/*
 * Prints what @b has to say, counts it, and empties it.  False if there was no
 * memory for all lines.
 */
bool lines_emit(struct batch_lines *b, struct sink *sink);

/* At the end of a file: what is still incomplete; and which causes of wrong
 * sums others speak for. */
void sink_flush(struct sink *sink);

/* --- verify_conclusion.c: who breaks checksums --------------------------- */

/*
 * Concludes from the evidence of @sink, prints the conclusion, adds it to @all,
 * and begins anew.  @whole: all of the file was read.  False if there is no
 * memory.
 */
bool sink_conclude(struct sink *sink, bool whole, struct merged *all);

/* Of the file that was concluded last, whose counts are @t. */
int sink_status(const struct sink *sink, const struct tally *t);

/* A conclusion as paragraphs. */
void text_conclusion(const struct conclusion *c, bool whole);

/* A member of a JSON object; @parts: all @n of them. */
void json_conclusion(const struct conclusion *c,
		     const struct conclusion_part *parts, size_t n);

/* --- verify_total.c, total_read.c: what all files come to ---------------- */

/* What was found in directories and not read. */
struct passed_over {
	uint64_t foreign; /* files that are no captures */
	uint64_t links;	  /* symbolic; what they stand for may be elsewhere */
	uint64_t special; /* pipes, devices, sockets */
};

/* Totals add up in any order.  Starts with @tally, all else 0. */
struct total {
	uint64_t files;
	uint64_t unreadable; /* of these: could not be opened */
	uint64_t not_whole;  /* of these: what came before a fault is counted */
	struct passed_over passed;
	struct tally *tally;
	struct merged merged;
};

/* Sorts what @t has, and prints it. */
void print_total(const struct verify_options *o, struct total *t);

/*
 * Adds each total in @file, which `csum verify --json` or `csum merge --json`
 * wrote.  False after saying what is wrong with it.
 */
bool total_read(struct total *t, const char *file);

/* --- verify_files.c, verify_live.c: return an exit status ---------------- */

int verify_files(const struct verify_options *o);
int verify_live(const struct verify_options *o);

#endif
