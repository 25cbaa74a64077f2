/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * peers.c - `csum bench peers [FILE.so...]`: the checksums of other projects,
 * built by scripts/peers from their own packages, against csum_partial().
 */
#include "experiment.h"

#include <stdio.h>
#include <string.h>

#include "bench_json.h"
#include "bench_subjects.h"
#include "cli.h"
#include "elect.h"
#include "peer_files.h"

static const size_t sizes[] = { 20,  40,   64,	 100,  256,
				576, 1500, 4096, 9000, 16384 };

enum { SIZES = sizeof(sizes) / sizeof(*sizes) };

/* ------------------------------------------------------------------------
 * Text
 */

static const char *idea_of(const struct bench_subjects *s, const char *name)
{
	for (size_t i = 0; i < s->nplugins; i++)
		for (size_t r = 0; r < s->plugins[i].n; r++)
			if (strcmp(s->plugins[i].routines[r].name, name) == 0)
				return s->plugins[i].routines[r].idea;
	return "";
}

static double median(const struct lab_run *run, const struct lab_row *row)
{
	return lab_quantile(row->timed.ns, run->time.n, 0.5, run->time.room);
}

/* Returns the verdict on a peer at one size. */
static enum lab_verdict print_size(const struct lab_run *run,
				   const struct lab_row *row)
{
	static const char *const words[] = {
		[LAB_FASTER] = "faster than ours",
		[LAB_SLOWER] = "slower",
		[LAB_TIE] = "the same",
		[LAB_UNDECIDED] = "undecided",
	};
	const struct lab_row *ours = lab_row_rival(run, row);
	struct lab_interval ratio = lab_against(run, row, ours);
	enum lab_verdict verdict = lab_verdict(ratio);

	printf("  %5zu %10.2f %10.2f     ", row->size, median(run, ours),
	       median(run, row));
	experiment_print_ratio(ratio);
	printf(" %s\n", words[verdict]);
	return verdict;
}

static void print_peer(const struct report *r, const struct bench_subjects *s,
		       size_t peer)
{
	const struct lab_run *run = &r->run;
	const char *name = s->list[peer].name;
	size_t faster = 0, slower = 0, tried = 0;

	printf("\n%s: %s\n  %5s %10s %10s %8s (99%% interval)\n", name,
	       idea_of(s, name), "bytes", "ours, ns", "theirs", "times");
	for (size_t i = 0; i < run->plan->nsizes; i++) {
		const struct lab_row *row = lab_row_at(run, i, 0, peer);
		enum lab_verdict v;

		if (row->left_out) {
			printf("  %5zu right to %zu bytes only\n", row->size,
			       row->subject->max);
			continue;
		}
		v = print_size(run, row);
		tried++;
		faster += v == LAB_FASTER;
		slower += v == LAB_SLOWER;
	}
	printf("  Slower than csum_partial at %zu of %zu sizes, faster at "
	       "%zu.\n",
	       slower, tried, faster);
}

static void print_text(const struct bench_options *opt, const struct report *r,
		       const struct bench_subjects *s)
{
	experiment_header(opt, "against csum_partial, data in the cache");
	experiment_where(r);
	printf("Medians of %zu rounds in which all take turns; each was first "
	       "tried against the\nmodel.  They are built as their projects "
	       "build them.\n",
	       r->run.time.n);
	/* ours and the limit around them */
	for (size_t i = 1; i + 1 < s->n; i++)
		print_peer(r, s, i);
}

/* ------------------------------------------------------------------------
 * Running
 */

static int measure_peers(const struct bench_options *opt,
			 const struct bench_subjects *s)
{
	static const size_t offset = 0;
	struct lab_plan plan = {
		.subjects = s->list,
		.nsubjects = s->n,
		.sizes = sizes,
		.nsizes = SIZES,
		.offsets = &offset,
		.noffsets = 1,
		.rival = 1,
		.seconds = experiment_seconds(opt, 15),
	};
	struct report r;
	int status = experiment_plan(opt, &r, &plan);

	if (status != EXIT_CLEAN)
		return status;
	if (opt->json) {
		json_t *doc = bench_json_new(opt);

		bench_json_add(doc, &r, "in cache");
		status = bench_json_print(doc);
	} else {
		print_text(opt, &r, s);
	}
	lab_run_free(&r.run);
	return status;
}

/* Ours first, the limit last. */
static int choose_peers(struct bench_subjects *s,
			const struct bench_options *opt)
{
	if (!bench_subjects_add(s, lab_public(LAB_SUM)) ||
	    !bench_subjects_load(s, opt) || !bench_subjects_add_loaded(s, opt))
		return EXIT_TROUBLE;
	if (s->n == 1)
		return trouble("peers: none of these sums");
	return bench_subjects_add(s, lab_limit(LAB_SUM)) ? EXIT_CLEAN
							 : EXIT_TROUBLE;
}

int experiment_peers(const struct bench_options *opt)
{
	struct bench_options here = *opt;
	struct bench_subjects s = { 0 };
	struct peer_files files = { 0 };
	int status;

	if (!peer_files_find(&files, &here))
		status = EXIT_TROUBLE;
	else
		status =
			here.nfiles
				? choose_peers(&s, &here)
				: trouble("peers: there are none beside this "
					  "build; scripts/peers makes them, or "
					  "name the files: "
					  "csum bench peers FILE.so...");
	if (status == EXIT_CLEAN)
		status = measure_peers(&here, &s);
	peer_files_free(&files);
	bench_subjects_free(&s);
	return status;
}
