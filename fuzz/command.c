/* SPDX-License-Identifier: BSD-2-Clause */
/* command.c - main() of csum, called again and again: see command.h. */
#define _GNU_SOURCE /* memfd_create */
#include "command.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 32 };

int csum_main(int argc, char **argv);
_Noreturn void csum_exit(int status);

static jmp_buf out;
static int folder = -1;

_Noreturn void csum_exit(int status)
{
	longjmp(out, status + 1);
}

void remove_all_files(void)
{
	DIR *d = opendir(".");
	struct dirent *e;

	REQUIRE(d);
	while ((e = readdir(d)))
		unlinkat(dirfd(d), e->d_name, 0);
	closedir(d);
}

static void remove_folder(void)
{
	char path[64];
	ssize_t n = readlink("/proc/self/cwd", path, sizeof(path) - 1);

	remove_all_files();
	if (n > 0) {
		path[n] = '\0';
		rmdir(path);
	}
}

static void enter_folder(void)
{
	char path[] = "/tmp/csum-fuzz-XXXXXX";

	if (folder >= 0)
		return;
	REQUIRE(mkdtemp(path) && chdir(path) == 0);
	folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	REQUIRE(folder > STDERR_FILENO);
	atexit(remove_folder);
}

/* A descriptor under a standard number, as the command will find it. */
static void as_standard(int fd, int number)
{
	REQUIRE(fd >= 0 && dup2(fd, number) == number);
	if (fd != number)
		close(fd);
}

int command(const char *const *argv, const uint8_t *in, size_t n)
{
	/* the command puts its arguments into another order */
	char *own[MOST_ARGUMENTS + 1] = { 0 }, *copy[MOST_ARGUMENTS + 1];
	int argc = 0, status;

	enter_folder();
	while (argc < MOST_ARGUMENTS && argv[argc]) {
		own[argc] = strdup(argv[argc]);
		argc++;
	}
	memcpy(copy, own, sizeof(copy));
	as_standard(memory_file(in, n), STDIN_FILENO);
	as_standard(open("/dev/null", O_WRONLY), STDOUT_FILENO);
	clearerr(stdin);
	clearerr(stdout);
	status = setjmp(out);
	if (status)
		status--;
	else
		status = csum_main(argc, copy);
	fflush(stdout);
	for (int i = 0; i < argc; i++)
		free(own[i]);
	return status;
}

void put_file(const char *name, const uint8_t *p, size_t n)
{
	int fd;

	enter_folder();
	fd = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		    0666);
	REQUIRE(fd >= 0 && write(fd, p, n) == (ssize_t)n);
	close(fd);
}

bool has_file(const char *name)
{
	return faccessat(folder, name, F_OK, 0) == 0;
}

uint8_t *get_file(const char *name, size_t *n)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	uint8_t *p;

	REQUIRE(fd >= 0);
	p = file_bytes(fd, n);
	close(fd);
	return p;
}

void remove_file(const char *name)
{
	unlinkat(folder, name, 0);
}

unsigned count_files(void)
{
	DIR *d = opendir(".");
	struct dirent *e;
	unsigned n = 0;

	REQUIRE(d);
	while ((e = readdir(d)))
		n += e->d_name[0] != '.';
	closedir(d);
	return n;
}
