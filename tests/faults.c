/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * faults.c - calls of the C library that fail on demand, for LD_PRELOAD.
 *
 * FAULT_CALL   the kind of call: alloc, read, write, seek, sync, rename, close,
 *              unlink, open, stat, owner, mode, thread, process, map, list,
 *              live
 * FAULT_AT     the call of that kind that fails, counted from 1; 0: none
 * FAULT_ERRNO  the errno it fails with; 0: it is cut short instead, which reads
 *              and writes may be at any time
 * FAULT_STAY   1: all later calls of that kind fail, too
 * FAULT_WAIT   a name: the first call of that kind waits until the FIFO
 *              NAME.here was opened, and then NAME.go
 * FAULT_COUNT  a file that gets the number of calls when the process exits
 *
 * Functions inside the C library call each other directly, and what stdio reads
 * and writes would not be seen here.  So standard output, and what fopen() and
 * fdopen() open, are streams that call the functions of this file.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <hwloc.h>
#include <pcap/pcap.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The allocator itself, which dlsym() needs before it can find anything. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t each);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);

static const char *kind;
static unsigned long at;
static int error;
static bool stay, ready;
static atomic_ulong calls;
static _Thread_local bool spared; /* its allocations do not fail */

static FILE *stream(int fd, const char *mode);

__attribute__((constructor)) static void start(void)
{
	const char *text = getenv("FAULT_AT");

	kind = getenv("FAULT_CALL");
	at = text ? strtoul(text, NULL, 10) : 0;
	text = getenv("FAULT_ERRNO");
	error = text ? atoi(text) : EIO;
	stay = getenv("FAULT_STAY") && *getenv("FAULT_STAY") == '1';
	if (fcntl(STDOUT_FILENO, F_GETFD) >= 0)
		stdout = stream(STDOUT_FILENO, "w");
	ready = kind;
}

__attribute__((destructor)) static void end(void)
{
	const char *file = getenv("FAULT_COUNT");
	char text[32];
	int fd, n;

	ready = false;
	if (!file)
		return;
	n = snprintf(text, sizeof(text), "%lu\n", atomic_load(&calls));
	fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd >= 0 && write(fd, text, (size_t)n) != n)
		abort();
	close(fd);
}

/* Something else is done meanwhile, by whoever opens the two for writing. */
static void wait_for_others(void)
{
	static const char *const ends[] = { "here", "go" };
	const char *name = getenv("FAULT_WAIT");
	char path[4096];

	ready = false;
	for (int i = 0; name && i < 2; i++) {
		snprintf(path, sizeof(path), "%s.%s", name, ends[i]);
		close(open(path, O_RDONLY));
	}
	ready = true;
}

/* Whether this call is the one. */
static bool due(const char *call)
{
	unsigned long n;

	if (!ready || strcmp(kind, call) != 0 ||
	    (spared && strcmp(call, "alloc") == 0))
		return false;
	n = atomic_fetch_add(&calls, 1) + 1;
	if (n == 1)
		wait_for_others();
	return at && (n == at || (stay && n > at));
}

static bool fails(const char *call)
{
	if (!due(call))
		return false;
	errno = error;
	return true;
}

/* Of a read or write of @n BYTES: -1, or what is left of them. */
static ssize_t cut(const char *call, size_t n)
{
	if (!due(call))
		return (ssize_t)n;
	errno = error;
	return error ? -1 : n > 1 ? (ssize_t)(n / 2) : (ssize_t)n;
}

/* POSIX allows the conversion that ISO C does not. */
#define NEXT(name) __extension__((__typeof__(&name))dlsym(RTLD_NEXT, #name))

void *malloc(size_t n)
{
	return fails("alloc") ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t each)
{
	return fails("alloc") ? NULL : __libc_calloc(n, each);
}

void *realloc(void *p, size_t n)
{
	return fails("alloc") ? NULL : __libc_realloc(p, n);
}

void *aligned_alloc(size_t align, size_t n)
{
	return fails("alloc") ? NULL : __libc_memalign(align, n);
}

int posix_memalign(void **p, size_t align, size_t n)
{
	*p = fails("alloc") ? NULL : __libc_memalign(align, n);
	return *p ? 0 : ENOMEM;
}

ssize_t read(int fd, void *p, size_t n)
{
	ssize_t left = cut("read", n);

	return left < 0 ? -1 : NEXT(read)(fd, p, (size_t)left);
}

ssize_t pread(int fd, void *p, size_t n, off_t offset)
{
	ssize_t left = cut("read", n);

	return left < 0 ? -1 : NEXT(pread)(fd, p, (size_t)left, offset);
}

ssize_t pread64(int fd, void *p, size_t n, off64_t offset)
{
	ssize_t left = cut("read", n);

	return left < 0 ? -1 : NEXT(pread64)(fd, p, (size_t)left, offset);
}

ssize_t write(int fd, const void *p, size_t n)
{
	ssize_t left = cut("write", n);

	return left < 0 ? -1 : NEXT(write)(fd, p, (size_t)left);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t offset)
{
	ssize_t left = cut("write", n);

	return left < 0 ? -1 : NEXT(pwrite)(fd, p, (size_t)left, offset);
}

ssize_t pwrite64(int fd, const void *p, size_t n, off64_t offset)
{
	ssize_t left = cut("write", n);

	return left < 0 ? -1 : NEXT(pwrite64)(fd, p, (size_t)left, offset);
}

off_t lseek(int fd, off_t offset, int whence)
{
	return fails("seek") ? -1 : NEXT(lseek)(fd, offset, whence);
}

off64_t lseek64(int fd, off64_t offset, int whence)
{
	return fails("seek") ? -1 : NEXT(lseek64)(fd, offset, whence);
}

int fsync(int fd)
{
	return fails("sync") ? -1 : NEXT(fsync)(fd);
}

int rename(const char *from, const char *to)
{
	return fails("rename") ? -1 : NEXT(rename)(from, to);
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to,
	      unsigned flags)
{
	return fails("rename")
		       ? -1
		       : NEXT(renameat2)(from_dir, from, to_dir, to, flags);
}

int unlink(const char *path)
{
	return fails("unlink") ? -1 : NEXT(unlink)(path);
}

/* As on Linux, the descriptor is closed all the same. */
int close(int fd)
{
	bool failed = fails("close");
	int was = errno, status = NEXT(close)(fd);

	if (failed)
		errno = was;
	return failed ? -1 : status;
}

int open(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	return fails("open") ? -1 : NEXT(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	return fails("open") ? -1 : NEXT(open64)(path, flags, mode);
}

int mkostemp(char *path, int flags)
{
	return fails("open") ? -1 : NEXT(mkostemp)(path, flags);
}

int mkostemp64(char *path, int flags)
{
	return fails("open") ? -1 : NEXT(mkostemp64)(path, flags);
}

int stat(const char *path, struct stat *st)
{
	return fails("stat") ? -1 : NEXT(stat)(path, st);
}

int lstat(const char *path, struct stat *st)
{
	return fails("stat") ? -1 : NEXT(lstat)(path, st);
}

int fstat(int fd, struct stat *st)
{
	return fails("stat") ? -1 : NEXT(fstat)(fd, st);
}

int stat64(const char *path, struct stat64 *st)
{
	return fails("stat") ? -1 : NEXT(stat64)(path, st);
}

int lstat64(const char *path, struct stat64 *st)
{
	return fails("stat") ? -1 : NEXT(lstat64)(path, st);
}

int fstat64(int fd, struct stat64 *st)
{
	return fails("stat") ? -1 : NEXT(fstat64)(fd, st);
}

int fchown(int fd, uid_t user, gid_t group)
{
	return fails("owner") ? -1 : NEXT(fchown)(fd, user, group);
}

int fchmod(int fd, mode_t mode)
{
	return fails("mode") ? -1 : NEXT(fchmod)(fd, mode);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
		   void *(*run)(void *), void *arg)
{
	return fails("thread") ? error
			       : NEXT(pthread_create)(thread, attr, run, arg);
}

void *mmap(void *p, size_t n, int prot, int flags, int fd, off_t offset)
{
	return fails("map") ? MAP_FAILED
			    : NEXT(mmap)(p, n, prot, flags, fd, offset);
}

void *mmap64(void *p, size_t n, int prot, int flags, int fd, off64_t offset)
{
	return fails("map") ? MAP_FAILED
			    : NEXT(mmap64)(p, n, prot, flags, fd, offset);
}

pid_t fork(void)
{
	return fails("process") ? -1 : NEXT(fork)();
}

int pipe(int ends[2])
{
	return fails("process") ? -1 : NEXT(pipe)(ends);
}

FTS64 *fts64_open(char *const *paths, int options,
		  int (*order)(const FTSENT64 **, const FTSENT64 **))
{
	return fails("list") ? NULL : NEXT(fts64_open)(paths, options, order);
}

FTSENT64 *fts64_read(FTS64 *fts)
{
	return fails("list") ? NULL : NEXT(fts64_read)(fts);
}

/* --- hwloc --------------------------------------------------------------- */

/*
 * Without memory, hwloc itself ends by an assertion or uses a NULL pointer.  So
 * each of these calls counts as one allocation, and fails as a whole.
 */
#define SPARED(call, fail, type)                                               \
	do {                                                                   \
		const bool was = spared; /* hwloc calls itself */              \
		type v;                                                        \
                                                                               \
		if (fails("alloc"))                                            \
			return fail;                                           \
		spared = true;                                                 \
		v = call;                                                      \
		spared = was;                                                  \
		return v;                                                      \
	} while (0)

int hwloc_topology_init(hwloc_topology_t *t)
{
	SPARED(NEXT(hwloc_topology_init)(t), -1, int);
}

int hwloc_topology_load(hwloc_topology_t t)
{
	SPARED(NEXT(hwloc_topology_load)(t), -1, int);
}

hwloc_bitmap_t hwloc_bitmap_alloc(void)
{
	SPARED(NEXT(hwloc_bitmap_alloc)(), NULL, hwloc_bitmap_t);
}

hwloc_bitmap_t hwloc_bitmap_dup(hwloc_const_bitmap_t set)
{
	SPARED(NEXT(hwloc_bitmap_dup)(set), NULL, hwloc_bitmap_t);
}

/* --- stdio -----------------------------------------------------------------
 */

/*
 * As stdio does, which goes on after a short write but takes EINTR for an
 * error.  No handler of a signal returns in this program, so there is no EINTR.
 */
static ssize_t stream_read(void *cookie, char *p, size_t n)
{
	const int fd = (int)(intptr_t)cookie;

	return error == EINTR ? NEXT(read)(fd, p, n) : read(fd, p, n);
}

static ssize_t stream_write(void *cookie, const char *p, size_t n)
{
	const int fd = (int)(intptr_t)cookie;
	size_t done = 0;

	while (done < n) {
		ssize_t k = error == EINTR ? NEXT(write)(fd, p + done, n - done)
					   : write(fd, p + done, n - done);

		if (k < 0)
			break;
		done += (size_t)k;
	}
	return (ssize_t)done;
}

static int stream_seek(void *cookie, off64_t *offset, int whence)
{
	*offset = lseek64((int)(intptr_t)cookie, *offset, whence);
	return *offset < 0 ? -1 : 0;
}

static int stream_close(void *cookie)
{
	return close((int)(intptr_t)cookie);
}

static FILE *stream(int fd, const char *mode)
{
	const cookie_io_functions_t functions = { stream_read, stream_write,
						  stream_seek, stream_close };
	FILE *f = fopencookie((void *)(intptr_t)fd, mode, functions);

	if (f)
		f->_fileno = fd;
	return f;
}

int fileno(FILE *f)
{
	return f->_fileno;
}

FILE *fdopen(int fd, const char *mode)
{
	return stream(fd, mode);
}

/* All that is read by stdio here is opened for reading alone. */
FILE *fopen(const char *path, const char *mode)
{
	int fd = *mode == 'r' ? open(path, O_RDONLY | O_CLOEXEC)
			      : (errno = ENOTSUP, -1);
	FILE *f = fd < 0 ? NULL : stream(fd, mode);
	int was = errno;

	if (fd >= 0 && !f)
		close(fd);
	errno = was;
	return f;
}

FILE *fopen64(const char *path, const char *mode)
{
	return fopen(path, mode);
}

int vdprintf(int fd, const char *format, va_list ap)
{
	char *text;
	int n = vasprintf(&text, format, ap);

	if (n < 0)
		return -1;
	if (stream_write((void *)(intptr_t)fd, text, (size_t)n) != n)
		n = -1;
	free(text);
	return n;
}

int dprintf(int fd, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vdprintf(fd, format, ap);
	va_end(ap);
	return n;
}

/*
 * FAULT_LIVE=FILE: a network interface that delivers the packets of that
 * capture, so that neither rights nor traffic are needed.
 */
pcap_t *pcap_create(const char *device, char *why)
{
	const char *file = getenv("FAULT_LIVE");

	return file ? pcap_open_offline(file, why)
		    : NEXT(pcap_create)(device, why);
}

int pcap_activate(pcap_t *p)
{
	return getenv("FAULT_LIVE") ? 0 : NEXT(pcap_activate)(p);
}

/* An interface has no end; here, it ends as if a signal had come. */
int pcap_next_ex(pcap_t *p, struct pcap_pkthdr **header, const u_char **data)
{
	return fails("live") ? PCAP_ERROR : NEXT(pcap_next_ex)(p, header, data);
}

/* FAULT_LOST: the packets for which there was no room. */
int pcap_stats(pcap_t *p, struct pcap_stat *stat)
{
	const char *lost = getenv("FAULT_LOST");

	if (!getenv("FAULT_LIVE"))
		return NEXT(pcap_stats)(p, stat);
	*stat = (struct pcap_stat){ .ps_drop = lost ? (u_int)atoi(lost) : 0 };
	return 0;
}
