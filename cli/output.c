/* SPDX-License-Identifier: BSD-2-Clause */
/* output.c - a temporary file, and when it gets its name. */
/* mkostemp, asprintf, canonicalize_file_name, renameat2, F_SETLEASE */
#define _GNU_SOURCE
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
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

/*
 * All whose default is to end the process, and that come from outside or by a
 * limit.  One that is ignored, as under nohup, stays so.
 */
static const int signals[] = { SIGHUP,	SIGINT,	   SIGQUIT, SIGPIPE,
			       SIGALRM, SIGTERM,   SIGUSR1, SIGUSR2,
			       SIGXCPU, SIGVTALRM, SIGXFSZ, SIGPROF };

enum { NSIGNALS = sizeof(signals) / sizeof(*signals) };

static void guard(char *temp)
{
	struct sigaction action = { .sa_handler = remove_doomed,
				    .sa_flags = (int)SA_RESETHAND };
	struct sigaction was;

	doomed = temp;
	for (int i = 0; i < NSIGNALS; i++)
		if (sigaction(signals[i], NULL, &was) == 0 &&
		    was.sa_handler == SIG_DFL)
			sigaction(signals[i], &action, NULL);
}

static void hold_signals(sigset_t *before)
{
	sigset_t some;

	sigemptyset(&some);
	for (int i = 0; i < NSIGNALS; i++)
		sigaddset(&some, signals[i]);
	pthread_sigmask(SIG_BLOCK, &some, before);
}

/* Makes the file and guards it, with no signal in between; -1 and errno. */
static int make_temp(char *temp)
{
	sigset_t before;
	int fd, error;

	hold_signals(&before);
	fd = mkostemp(temp, O_CLOEXEC);
	error = errno;
	if (fd >= 0)
		guard(temp);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return fd;
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

static bool fail_with(struct output *o, const char *file, const char *why)
{
	trouble("%s: %s", file, why);
	output_discard(o);
	return false;
}

static bool fail(struct output *o, const char *file)
{
	return fail_with(o, file, strerror(errno));
}

/* The name that becomes @name later; a shorter one if that is too long. */
static char *temp_name(const char *name, bool shorter)
{
	const char *slash = strrchr(name, '/');
	int folder = slash ? (int)(slash + 1 - name) : 0;
	char *temp;
	int n = shorter ? asprintf(&temp, "%.*s.XXXXXX", folder, name)
			: asprintf(&temp, "%s.XXXXXX", name);

	return n < 0 ? NULL : temp;
}

static bool create_temp(struct output *o, bool shorter)
{
	o->temp = temp_name(o->name, shorter);
	o->fd = o->temp ? make_temp(o->temp) : -1;
	if (o->fd >= 0)
		return true;
	free(o->temp);
	o->temp = NULL;
	return false;
}

enum { NO_OWNER = -1 }; /* as fchown() takes it: whatever it is */

static bool set_owner(int fd, const struct stat *like)
{
	struct stat st;

	if (like->st_uid == (uid_t)NO_OWNER)
		return true;
	return fstat(fd, &st) == 0 &&
	       ((st.st_uid == like->st_uid && st.st_gid == like->st_gid) ||
		fchown(fd, like->st_uid, like->st_gid) == 0);
}

/* A new file next to o->name, with mode and owner of @like. */
static bool open_temp(struct output *o, const struct stat *like)
{
	if (!create_temp(o, false) &&
	    (errno != ENAMETOOLONG || !create_temp(o, true)))
		return fail(o, o->name);
	/* the owner first, since a change of it can clear bits of the mode */
	if (!set_owner(o->fd, like))
		return fail_with(o, o->name, "its owner cannot be kept");
	if (fchmod(o->fd, like->st_mode & 07777) != 0)
		return fail(o, o->temp);
	return true;
}

/* A name without a file, which rename() may take. */
static bool is_free(struct output *o, const char *file, int error)
{
	char target[2];

	if (error != ENOENT)
		return fail_with(o, file, strerror(error));
	/* the link would be replaced, and what it stands for never be written
	 */
	if (readlink(file, target, sizeof(target)) >= 0)
		return fail_with(o, file, "is a symbolic link to nothing");
	return true;
}

/*
 * What is written is not compressed, and a name that says so would mislead
 * every program that goes by it.
 */
static bool suits(struct output *o, const char *file)
{
	static const char *const packed[] = { ".gz", ".zst", ".lz4", ".xz",
					      ".bz2" };
	size_t n = strlen(file);

	for (size_t i = 0; i < sizeof(packed) / sizeof(*packed); i++) {
		size_t k = strlen(packed[i]);

		if (n > k && strcasecmp(file + n - k, packed[i]) == 0)
			return fail_with(o, file,
					 "the output is not compressed, so "
					 "its name must not say so");
	}
	return true;
}

bool output_open(struct output *o, const char *file, int in)
{
	struct stat st, st_in;
	bool exists;
	int error;

	*o = (struct output){ .fd = STDOUT_FILENO };
	if (strcmp(file, "-") == 0)
		exists = fstat(STDOUT_FILENO, &st) == 0;
	else
		exists = stat(file, &st) == 0;
	error = errno;
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
	if (!suits(o, file) || (!exists && !is_free(o, file, error)))
		return false;
	if (!exists) {
		mode_t mask = umask(0);

		umask(mask);
		st = (struct stat){ .st_mode = 0666 & ~mask,
				    .st_uid = (uid_t)NO_OWNER };
	}
	o->name = exists ? canonicalize_file_name(file) : strdup(file);
	if (!o->name)
		return fail(o, file);
	return open_temp(o, &st);
}

bool output_open_in_place(struct output *o, const char *file, int in)
{
	struct stat st;

	*o = (struct output){ .fd = -1, .in = in, .in_place = true };
	/* see open_for_writing(): SIGIO, the default, would end the process */
	fcntl(in, F_SETSIG, SIGURG);
	if (fstat(in, &st) != 0)
		return fail(o, file);
	o->old = st;
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

static bool same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/*
 * The kernel grants a lease for reading if nobody has the file open for
 * writing.  Where it grants none at all, as on a network file system, nobody
 * knows.
 */
static bool open_for_writing(int fd)
{
	if (fcntl(fd, F_SETLEASE, F_RDLCK) != 0)
		return errno == EAGAIN;
	fcntl(fd, F_SETLEASE, F_UNLCK);
	return false;
}

static const char was_changed[] = "was changed or replaced while it was read; "
				  "it is left as it is";

/* Why the file at @path must stay: it is not what was read.  NULL: it is. */
static const char *differs(const struct output *o, const char *path,
			   struct stat *st)
{
	const struct stat *old = &o->old;

	if (lstat(path, st) != 0 || !same_file(st, old))
		return was_changed;
	if (open_for_writing(o->in))
		return "another program has it open for writing; it is left "
		       "as it is";
	/* a last write may have come before the look at who writes */
	if (fstat(o->in, st) != 0 || st->st_size != old->st_size ||
	    !same_time(st->st_mtim, old->st_mtim))
		return was_changed;
	return NULL;
}

/*
 * The time of the last change of the inode says more than that of the data, a
 * second name or another owner; but a rename changes that time, too.
 */
static const char *differs_before(const struct output *o)
{
	struct stat st;
	const char *why = differs(o, o->name, &st);

	return why || same_time(st.st_ctim, o->old.st_ctim) ? why : was_changed;
}

static bool exchange(const struct output *o)
{
	return renameat2(AT_FDCWD, o->temp, AT_FDCWD, o->name,
			 RENAME_EXCHANGE) == 0;
}

/* What took the name meanwhile gets the name again, or at least is kept. */
static bool give_back(struct output *o, const char *why)
{
	struct stat st;

	if (exchange(o) && lstat(o->temp, &st) == 0 && same_file(&st, &o->new))
		return fail_with(o, o->name, why);
	trouble("%s: the file that took this name meanwhile is now %s", o->name,
		o->temp);
	forget(o);
	return false;
}

/*
 * Between a look at a name and rename() another file could take the name, and
 * would be lost.  So the two change places, and then it is known what was
 * there.
 */
static bool take_place(struct output *o)
{
	const char *why = differs_before(o);
	struct stat st;

	if (why)
		return fail_with(o, o->name, why);
	if (!exchange(o)) {
		/* not all file systems can */
		if ((errno != EINVAL && errno != ENOSYS) ||
		    rename(o->temp, o->name) != 0)
			return fail(o, o->name);
		return true;
	}
	why = differs(o, o->temp, &st);
	if (why)
		return give_back(o, why);
	if (unlink(o->temp) == 0)
		return true;
	trouble("%s: is replaced, but the old file stays as %s: %s", o->name,
		o->temp, strerror(errno));
	forget(o);
	return false;
}

/* A signal that comes meanwhile would remove what may be an old file. */
static bool take_name(struct output *o)
{
	sigset_t before;
	bool ok;

	hold_signals(&before);
	if (o->in_place)
		ok = take_place(o);
	else
		ok = rename(o->temp, o->name) == 0 || fail(o, o->name);
	doomed = NULL;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
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
	if (o->in_place && (fsync(o->fd) != 0 || fstat(o->fd, &o->new) != 0))
		return fail(o, o->temp);
	/* a network file system may report a full disk only now */
	if (close(o->fd) != 0) {
		o->fd = -1;
		return fail(o, o->temp);
	}
	o->fd = -1;
	if (!take_name(o))
		return false;
	free(o->temp);
	o->temp = NULL;
	if (o->in_place && !sync_directory(o->name))
		return fail_with(o, o->name,
				 "is replaced, but its folder cannot be "
				 "written to the disk");
	forget(o);
	return true;
}

void output_discard(struct output *o)
{
	if (o->temp)
		unlink(o->temp);
	forget(o);
}
