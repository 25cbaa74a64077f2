/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * large.c - large blocks of memory for the fuzz targets, taken again and again.
 *
 * A run of the command asks for some of 11 MB and touches a little of each.
 * AddressSanitizer marks all of a block when it is taken and when it is given
 * back, which takes a hundred times as long as the run.  So the linker sends
 * each malloc(), calloc() and free() of the command here (--wrap), and a large
 * block has a page behind it that cannot be touched, as the block itself cannot
 * once it is given back.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "fuzz.h"

/* PAGE: of all machines that run this; another one has no smaller pages */
enum { LARGE = 256 << 10, BLOCKS = 64, PAGE = 64 << 10, ALIGN = 16 };

struct block {
	uint8_t *pages, *p; /* NULL: not taken */
	size_t size;	    /* BYTES of the pages before the last */
};

static struct block blocks[BLOCKS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What the linker makes of them. */
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t each);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t each);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);

/* One that has this size and is not taken, or a new one. */
static struct block *free_block(size_t size)
{
	struct block *b = blocks;

	while (b->pages && (b->p || b->size != size)) {
		b++;
		REQUIRE(b < blocks + BLOCKS);
	}
	if (b->pages)
		return b;
	b->pages = mmap(NULL, size + PAGE, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	REQUIRE(b->pages != MAP_FAILED);
	b->size = size;
	return b;
}

/* All bytes are 0; the end is at the end of a page, as far as alignment goes.
 */
static void *take_block(size_t n)
{
	const size_t used = (n + ALIGN - 1) / ALIGN * ALIGN;
	struct block *b;
	void *p;

	pthread_mutex_lock(&lock);
	b = free_block((used + PAGE - 1) / PAGE * PAGE);
	REQUIRE(mprotect(b->pages, b->size, PROT_READ | PROT_WRITE) == 0);
	p = b->p = b->pages + b->size - used;
	pthread_mutex_unlock(&lock);
	return p;
}

/* With @lock; NULL: @p is not of these. */
static struct block *block_of(const uint8_t *p)
{
	for (struct block *b = blocks; p && b < blocks + BLOCKS; b++)
		if (b->p == p)
			return b;
	return NULL;
}

static bool give_back(const uint8_t *p)
{
	struct block *b;

	pthread_mutex_lock(&lock);
	b = block_of(p);
	if (b) {
		REQUIRE(madvise(b->pages, b->size, MADV_DONTNEED) == 0);
		REQUIRE(mprotect(b->pages, b->size, PROT_NONE) == 0);
		b->p = NULL;
	}
	pthread_mutex_unlock(&lock);
	return b;
}

/* How many bytes it has; 0: it is not of these. */
static size_t room(const uint8_t *p)
{
	const struct block *b;
	size_t n;

	pthread_mutex_lock(&lock);
	b = block_of(p);
	n = b ? (size_t)(b->pages + b->size - b->p) : 0;
	pthread_mutex_unlock(&lock);
	return n;
}

void *__wrap_malloc(size_t n)
{
	return n < LARGE ? __real_malloc(n) : take_block(n);
}

void *__wrap_calloc(size_t n, size_t each)
{
	if (each == 0 || n < LARGE / each || n > SIZE_MAX / 2 / each)
		return __real_calloc(n, each);
	return take_block(n * each);
}

void *__wrap_realloc(void *p, size_t n)
{
	const size_t had = room(p);
	void *more;

	if (!had)
		return __real_realloc(p, n);
	more = __wrap_malloc(n);
	if (!more)
		return NULL;
	memcpy(more, p, n < had ? n : had);
	give_back(p);
	return more;
}

void __wrap_free(void *p)
{
	if (!give_back(p))
		__real_free(p);
}
