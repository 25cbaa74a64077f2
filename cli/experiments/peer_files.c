/* SPDX-License-Identifier: BSD-2-Clause */
/* peer_files.c - named by the user, or built by scripts/peers. */
#include "peer_files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "experiment.h"

/* Of build/release/cli/csum this is build/peers; false if nobody knows. */
static bool beside_build(char *out, size_t size)
{
	enum { UP = 3 };
	ssize_t n = readlink("/proc/self/exe", out, size - 1);

	if (n < 0)
		return false;
	out[n] = '\0';
	for (int i = 0; i < UP; i++) {
		char *slash = strrchr(out, '/');

		if (!slash)
			return false;
		*slash = '\0';
	}
	n = (ssize_t)strlen(out);
	return (size_t)snprintf(out + n, size - (size_t)n, "/peers/*.so") <
	       size - (size_t)n;
}

static bool add_files(struct bench_options *opt, const char *const *files,
		      size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (opt->nfiles == BENCH_MOST) {
			trouble("%s: more than %d files", opt->experiment->name,
				BENCH_MOST);
			return false;
		}
		opt->files[opt->nfiles++] = files[i];
	}
	return true;
}

bool peer_files_find(struct peer_files *p, struct bench_options *opt)
{
	char pattern[4096];

	if (opt->nwords)
		return add_files(opt, opt->words, opt->nwords);
	if (opt->nfiles || !beside_build(pattern, sizeof(pattern)) ||
	    glob(pattern, 0, NULL, &p->found) != 0)
		return true;
	return add_files(opt, (const char *const *)p->found.gl_pathv,
			 p->found.gl_pathc);
}

void peer_files_free(struct peer_files *p)
{
	globfree(&p->found);
}
