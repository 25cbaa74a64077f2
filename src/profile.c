/* SPDX-License-Identifier: BSD-2-Clause */
/* profile.c - csum_use_profile(): a choice of routines from a file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "csum.h"
#include "dispatch.h"

/* What a profile says; NULL where it says nothing. */
struct profile {
	const struct csum_routine *sum, *copy;
};

/* One line, cut at its comment.  Returns 0, EINVAL or ENOTSUP. */
static int take_line(struct profile *p, const char *line)
{
	char what[8], name[32], more[2];
	int words = sscanf(line, " %7s %31s %1s", what, name, more);
	const struct csum_routine **choice;

	if (words <= 0)
		return 0;
	if (words != 2)
		return EINVAL;
	if (strcmp(what, "sum") == 0)
		choice = &p->sum;
	else if (strcmp(what, "copy") == 0)
		choice = &p->copy;
	else
		return EINVAL;
	*choice = csum_find(name);
	return *choice ? 0 : ENOTSUP;
}

static int read_profile(struct profile *p, FILE *f)
{
	char line[256];
	int error = 0;

	if (!fgets(line, sizeof(line), f))
		return ferror(f) ? EIO : EINVAL;
	if (strcmp(line, "csum-profile 1\n") != 0)
		return EINVAL;
	while (!error && fgets(line, sizeof(line), f)) {
		/* a longer line than the buffer is none of ours */
		if (!strchr(line, '\n') && !feof(f))
			return EINVAL;
		line[strcspn(line, "#\n")] = '\0';
		error = take_line(p, line);
	}
	return error ? error : ferror(f) ? EIO : 0;
}

int csum_use_profile(const char *path)
{
	const char *pinned = getenv("CSUM_ROUTINE");
	struct profile p = { NULL, NULL };
	FILE *f = fopen(path, "r");
	int error;

	if (!f)
		return errno;
	error = read_profile(&p, f);
	fclose(f);
	if (error || (pinned && csum_find(pinned)))
		return error;
	if (p.sum)
		atomic_store_explicit(&csum_active_sum, p.sum->sum,
				      memory_order_relaxed);
	if (p.copy)
		atomic_store_explicit(&csum_active_copy, p.copy->copy,
				      memory_order_relaxed);
	return 0;
}
