/* SPDX-License-Identifier: BSD-2-Clause */
/* common.c - memory and files for the fuzz targets. */
#define _GNU_SOURCE /* memfd_create */
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

uint8_t *exact(const uint8_t *p, size_t n)
{
	uint8_t *copy = malloc(n ? n : 1);

	REQUIRE(copy);
	if (n)
		memcpy(copy, p, n);
	return copy;
}

int memory_file(const uint8_t *p, size_t n)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	REQUIRE(fd >= 0 && pwrite(fd, p, n, 0) == (ssize_t)n);
	return fd;
}

uint8_t *file_bytes(int fd, size_t *n)
{
	struct stat st;
	uint8_t *p;

	REQUIRE(fstat(fd, &st) == 0);
	*n = (size_t)st.st_size;
	p = malloc(*n ? *n : 1);
	REQUIRE(p && pread(fd, p, *n, 0) == st.st_size);
	return p;
}
