/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz.h - what the fuzz targets share.
 *
 * A target is one file with LLVMFuzzerTestOneInput(), which libFuzzer calls;
 * main.c calls the same function for files, for AFL++ and for tests.  A target
 * ends by a crash if something is not as it should be.
 */
#ifndef CSUM_FUZZ_H
#define CSUM_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                     \
	do {                                                                   \
		if (!(condition)) {                                            \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__,       \
				__LINE__, #condition);                         \
			abort();                                               \
		}                                                              \
	} while (0)

/* The input, taken from the front; 0 where there is none left. */
struct input {
	const uint8_t *p;
	size_t n;
};

static inline uint64_t take(struct input *in, unsigned bytes)
{
	uint64_t v = 0;

	for (; bytes && in->n; bytes--, in->n--)
		v = v << 8 | *in->p++;
	return v;
}

/* The same bytes in memory of just that size, so that ASan sees its ends. */
uint8_t *exact(const uint8_t *p, size_t n);

/* A file in memory with these bytes, open at its start. */
int memory_file(const uint8_t *p, size_t n);

/* All bytes of a file; the caller frees them. */
uint8_t *file_bytes(int fd, size_t *n);

#endif
