/* SPDX-License-Identifier: BSD-2-Clause */
/* input.c - opening and reading what the user named, and what to say if not. */
#define _GNU_SOURCE /* vasprintf */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "progress.h"
#include "terminal.h"

static void say(const char *who, const char *fmt, va_list ap)
{
	char *text = NULL;

	/* keep the order of a report and its error when both go to one place */
	progress_wipe();
	fflush(stdout);
	fprintf(stderr, "%s: ", who);
	if (vasprintf(&text, fmt, ap) >= 0)
		put_safe(stderr, text);
	else
		fputs("out of memory", stderr);
	fputc('\n', stderr);
	free(text);
}

int trouble(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("csum", fmt, ap);
	va_end(ap);
	return EXIT_TROUBLE;
}

int trouble_of(const char *who, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(who, fmt, ap);
	va_end(ap);
	return EXIT_TROUBLE;
}

const char *input_name(const char *file)
{
	return strcmp(file, "-") == 0 ? "standard input" : file;
}

const char *shown_name(const char *file)
{
	static char name[4 * PATH_MAX];

	return safe_text(input_name(file), name, sizeof(name));
}

int input_try(const char *file)
{
	struct stat st;
	int fd = STDIN_FILENO, error = 0;

	if (strcmp(file, "-") != 0)
		fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0)
		error = errno;
	else if (S_ISDIR(st.st_mode))
		error = EISDIR;
	if (!error)
		return fd;
	if (fd > STDIN_FILENO)
		close(fd);
	return -error;
}

int input_open(const char *file)
{
	int fd = input_try(file);

	if (fd >= 0)
		return fd;
	trouble("%s: %s", input_name(file), strerror(-fd));
	return -1;
}

int each_file(int first, int argc, char **argv,
	      int (*one)(const void *opt, const char *file), const void *opt)
{
	int status = EXIT_CLEAN;

	if (first == argc)
		return one(opt, "-");
	for (int i = first; i < argc; i++) {
		int s = one(opt, argv[i]);

		if (s > status)
			status = s;
	}
	return status;
}

ssize_t input_fill(int fd, const char *file, uint64_t at, void *buf, size_t len)
{
	size_t have = 0;

	while (have < len) {
		ssize_t n = read(fd, (char *)buf + have, len - have);

		if (n == 0)
			break;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			trouble("%s: offset %" PRIu64 ": %s", input_name(file),
				at + have, strerror(errno));
			return -1;
		}
		have += (size_t)n;
	}
	return (ssize_t)have;
}

bool parse_size(const char *text, uint64_t *value)
{
	char *end;
	unsigned long long v;
	unsigned shift = 0;

	if (text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	v = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
	if (errno)
		return false;
	switch (*end) {
	case 'G':
		shift = 30;
		break;
	case 'M':
		shift = 20;
		break;
	case 'k':
	case 'K':
		shift = 10;
		break;
	default:
		break;
	}
	if (shift)
		end++;
	if (*end || v > UINT64_MAX >> shift)
		return false;
	*value = v << shift;
	return true;
}
