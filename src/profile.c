/* SPDX-License-Identifier: BSD-2-Clause */
/* profile.c - csum_use_profile(): a choice of routines from a file. */
#define _POSIX_C_SOURCE 200809L /* fdopen, O_CLOEXEC */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csum.h"
#include "dispatch.h"
#include "environment.h"

enum { PROFILE_MAX = 64 << 10 }; /* BYTES: not every file ends */

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
	if (strcmp(line, "csum-profile 1\n") != 0 &&
	    (strcmp(line, "csum-profile 1") != 0 || !feof(f)))
		return EINVAL;
	while (!error && fgets(line, sizeof(line), f)) {
		/* a longer line than the buffer is none of ours */
		if ((!strchr(line, '\n') && !feof(f)) || ftell(f) > PROFILE_MAX)
			return EINVAL;
		line[strcspn(line, "#\n")] = '\0';
		error = take_line(p, line);
	}
	return error ? error : ferror(f) ? EIO : 0;
}

/*
 * A caller waits for the answer, so the file must not be a pipe, which may have
 * no writer, nor a device.
 */
static int check_file(int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	return S_ISREG(st.st_mode) ? 0 : EINVAL;
}

static int open_profile(const char *path, FILE **f)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int error = fd < 0 ? errno : check_file(fd);

	*f = error ? NULL : fdopen(fd, "r");
	if (!error && !*f)
		error = errno;
	if (error && fd >= 0)
		close(fd);
	return error;
}

int csum_use_profile(const char *path)
{
	const char *pinned = csum_getenv("CSUM_ROUTINE");
	struct profile p = { NULL, NULL };
	FILE *f;
	int error = open_profile(path, &f);

	if (error)
		return error;
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
