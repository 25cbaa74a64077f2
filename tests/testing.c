/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* MAP_ANONYMOUS, sigsetjmp */
#include "testing.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "splitmix.h"

/* A build for which everything is slow says so itself. */
#ifndef TESTING_QUICK
#define TESTING_QUICK 0
#endif

static bool slow, quick;
static uint64_t state;

static void seed_from(const char *text)
{
	char *end;

	state = strtoull(text, &end, 0);
	if (*end || end == text) {
		fprintf(stderr, "'%s' is not a seed\n", text);
		exit(2);
	}
}

void testing_init(int argc, char **argv)
{
	const char *env = getenv("CSUM_TEST_SEED");

	state = (uint64_t)time(NULL) ^ (uint64_t)getpid() << 32;
	if (env)
		seed_from(env);
	slow = getenv("CSUM_TEST_SLOW") != NULL;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--slow") == 0) {
			slow = true;
		} else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
			seed_from(argv[++i]);
		} else {
			fprintf(stderr, "usage: %s [--seed N] [--slow]\n",
				argv[0]);
			exit(2);
		}
	}
	quick = !slow && (TESTING_QUICK || getenv("CSUM_TEST_QUICK"));
	tap_note("seed %#llx", (unsigned long long)state);
}

bool testing_slow(void)
{
	return slow;
}

bool testing_quick(void)
{
	return quick;
}

int testing_rounds(int n)
{
	return quick ? n / 10 : n;
}

size_t testing_next_length(size_t len)
{
	return len + (quick && len >= 320 ? 7 : 1);
}

uint64_t testing_random(void)
{
	return splitmix64(&state);
}

void testing_random_fill(uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		p[i] = (uint8_t)testing_random();
}

uint8_t *testing_guarded(size_t len, uint8_t **end)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t inside = (len + page - 1) / page * page;
	uint8_t *p = mmap(NULL, inside + 2 * page, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED ||
	    mprotect(p + page, inside, PROT_READ | PROT_WRITE) != 0) {
		perror("guarded memory");
		abort();
	}
	*end = p + page + inside;
	return p + page;
}

static sigjmp_buf survive;

static void caught(int sig)
{
	siglongjmp(survive, sig);
}

bool testing_survives(void (*fn)(void *arg), void *arg)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGILL };
	struct sigaction old[3], sa = { .sa_handler = caught };
	volatile bool ok = false;

	for (int i = 0; i < 3; i++)
		sigaction(signals[i], &sa, &old[i]);
	if (sigsetjmp(survive, 1) == 0) {
		fn(arg);
		ok = true;
	}
	for (int i = 0; i < 3; i++)
		sigaction(signals[i], &old[i], NULL);
	return ok;
}
