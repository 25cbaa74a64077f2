/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main.c - a fuzz target without libFuzzer: once for each file that is named,
 * or each file of a folder, or for standard input (AFL++).
 */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

enum { MOST = 1 << 20 };

static void run_fd(int fd)
{
	static uint8_t buf[MOST];
	size_t n = 0;
	ssize_t got;

	while (n < MOST && (got = read(fd, buf + n, MOST - n)) > 0)
		n += (size_t)got;
	LLVMFuzzerTestOneInput(buf, n);
}

static unsigned run_file(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);

	REQUIRE(fd >= 0);
	run_fd(fd);
	close(fd);
	return 1;
}

static unsigned run_folder(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;
	unsigned n = 0;

	REQUIRE(d);
	while ((e = readdir(d)))
		if (e->d_name[0] != '.')
			n += run_file(dirfd(d), e->d_name);
	closedir(d);
	return n;
}

int main(int argc, char **argv)
{
	struct stat st;
	unsigned n = 0;

	if (argc < 2)
		run_fd(STDIN_FILENO);
	for (int i = 1; i < argc; i++)
		if (stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode))
			n += run_folder(argv[i]);
		else
			n += run_file(AT_FDCWD, argv[i]);
	fprintf(stderr, "%u inputs\n", n);
	return 0;
}
