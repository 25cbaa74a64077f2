/* SPDX-License-Identifier: BSD-2-Clause */
/* output.c - a temporary file, and when it gets its name. */
#define _GNU_SOURCE /* mkostemp, asprintf, canonicalize_file_name */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

/* What a signal that ends us must remove. */
static char *volatile doomed;

static void remove_doomed(int sig)
{
	if (doomed)
		unlink(doomed);
	raise(sig); /* SA_RESETHAND: this time it ends us */
}

static void guard(char *temp)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGPIPE, SIGTERM };
	struct sigaction action = { .sa_handler = remove_doomed,
				    .sa_flags = (int)SA_RESETHAND };
	struct sigaction was;

	doomed = temp;
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		/* one that is ignored, as under nohup, stays so */
		if (sigaction(signals[i], NULL, &was) == 0 &&
		    was.sa_handler == SIG_DFL)
			sigaction(signals[i], &action, NULL);
}

static void forget(struct output *o)
{
	doomed = NULL;
	if (o->fd > STDOUT_FILENO)
		close(o->fd);
	free(o->name);
	free(o->temp);
	*o = (struct output){ .fd = -1 };
}

static bool fail(struct output *o, const char *file)
{
	trouble("%s: %s", file, strerror(errno));
	output_discard(o);
	return false;
}

/* A new file next to o->name, with mode and owner of @like. */
static bool open_temp(struct output *o, const struct stat *like)
{
	if (asprintf(&o->temp, "%s.XXXXXX", o->name) < 0) {
		o->temp = NULL;
		return fail(o, o->name);
	}
	o->fd = mkostemp(o->temp, O_CLOEXEC);
	if (o->fd < 0) {
		free(o->temp);
		o->temp = NULL;
		return fail(o, o->name);
	}
	guard(o->temp);
	/* the owner first, since a change of it can clear bits of the mode */
	if (like->st_uid != geteuid() || like->st_gid != getegid())
		(void)!fchown(o->fd, like->st_uid, like->st_gid);
	if (fchmod(o->fd, like->st_mode & 07777) != 0)
		return fail(o, o->temp);
	return true;
}

bool output_open(struct output *o, const char *file, int in)
{
	struct stat st, st_in;
	bool exists;

	*o = (struct output){ .fd = STDOUT_FILENO };
	if (strcmp(file, "-") == 0)
		exists = fstat(STDOUT_FILENO, &st) == 0;
	else
		exists = stat(file, &st) == 0;
	if (exists && S_ISREG(st.st_mode) && fstat(in, &st_in) == 0 &&
	    st.st_dev == st_in.st_dev && st.st_ino == st_in.st_ino) {
		trouble("%s: is the input; see --in-place",
			strcmp(file, "-") == 0 ? "standard output" : file);
		return false;
	}
	if (strcmp(file, "-") == 0)
		return true;
	if (exists && !S_ISREG(st.st_mode)) {
		o->fd = open(file, O_WRONLY | O_CLOEXEC);
		return o->fd >= 0 || fail(o, file);
	}
	if (!exists) {
		mode_t mask = umask(0);

		umask(mask);
		st = (struct stat){ .st_mode = 0666 & ~mask,
				    .st_uid = geteuid(),
				    .st_gid = getegid() };
	}
	o->name = exists ? canonicalize_file_name(file) : strdup(file);
	if (!o->name)
		return fail(o, file);
	return open_temp(o, &st);
}

bool output_open_in_place(struct output *o, const char *file, int in)
{
	struct stat st;

	*o = (struct output){ .fd = -1, .sync = true };
	if (fstat(in, &st) != 0)
		return fail(o, file);
	if (!S_ISREG(st.st_mode)) {
		trouble("%s: not a file that could be replaced", file);
		return false;
	}
	if (st.st_nlink > 1) {
		trouble("%s: has another name (hard link) that would keep the "
			"old file: use -o",
			file);
		return false;
	}
	o->name = canonicalize_file_name(file); /* not the link, its target */
	if (!o->name)
		return fail(o, file);
	return open_temp(o, &st);
}

/* So that the new name is on the disk, too. */
static bool sync_directory(const char *name)
{
	char *copy = strdup(name);
	int fd = copy ? open(dirname(copy), O_RDONLY | O_CLOEXEC) : -1;
	bool ok = fd >= 0 && fsync(fd) == 0;

	if (fd >= 0)
		close(fd);
	free(copy);
	return ok;
}

bool output_commit(struct output *o)
{
	if (!o->temp) {
		if (o->fd > STDOUT_FILENO && close(o->fd) != 0) {
			o->fd = -1;
			return fail(o, "output");
		}
		o->fd = -1;
		forget(o);
		return true;
	}
	if (o->sync && fsync(o->fd) != 0)
		return fail(o, o->temp);
	/* a network file system may report a full disk only now */
	if (close(o->fd) != 0) {
		o->fd = -1;
		return fail(o, o->temp);
	}
	o->fd = -1;
	if (rename(o->temp, o->name) != 0)
		return fail(o, o->name);
	doomed = NULL;
	free(o->temp);
	o->temp = NULL;
	if (o->sync && !sync_directory(o->name))
		return fail(o, o->name);
	forget(o);
	return true;
}

void output_discard(struct output *o)
{
	if (o->temp)
		unlink(o->temp);
	forget(o);
}
