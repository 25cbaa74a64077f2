/* SPDX-License-Identifier: BSD-2-Clause */
/* peer_files.h - where the routines of other projects are, as plugins. */
#ifndef CSUM_PEER_FILES_H
#define CSUM_PEER_FILES_H

#include <glob.h>

#include "bench_options.h"

/* Owns the names of files that were found.  Starts as { 0 }. */
struct peer_files {
	glob_t found;
};

/*
 * Fills in opt->files: with the words of the experiment; or, if there are none,
 * with what scripts/peers has built beside this program, which may be nothing.
 * False after saying that there are more than BENCH_MOST.
 */
bool peer_files_find(struct peer_files *p, struct bench_options *opt);
void peer_files_free(struct peer_files *p);

#endif
