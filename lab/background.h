/* SPDX-License-Identifier: BSD-2-Clause */
/* background.h - a load on another CPU while the lab measures. */
#ifndef CSUM_LAB_BACKGROUND_H
#define CSUM_LAB_BACKGROUND_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "whynot.h"

enum lab_load {
	LAB_NO_LOAD,
	LAB_STREAM,  /* reads through memory */
	LAB_COPYING, /* copies through memory */
	LAB_COMMAND, /* the user's own */
};

/* Must stay where it is while it runs. */
struct lab_background {
	enum lab_load load;
	const char *what;
	int cpu;
	uint64_t began, ended; /* lab_now(); not ended: 0 */
	/* a thread: */
	size_t size; /* BYTES that the thread goes through */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t answered;
	bool answer, ready; /* under the lock */
	char why[LAB_WHY];  /* under the lock */
	atomic_bool stop;
	atomic_size_t blocks; /* moved so far */
	/* a command: */
	pid_t pid, watchdog;
	int alive; /* of a pipe that ends when this process does */
};

/*
 * Starts the load @what: "none", "stream", "copy" or else a command for
 * /bin/sh, which must run until it is killed, in the foreground.  @what is
 * kept, not copied.  The load stays on @cpu, or goes anywhere with -1.  @cache:
 * BYTES of the last cache, several times of which are gone through; 0 if
 * unknown. Returns when the load has begun, or false with the cause; then there
 * is nothing to stop.
 */
bool lab_background_start(struct lab_background *b, const char *what, int cpu,
			  size_t cache, char why[LAB_WHY]);

/* BYTES read or copied since the load began; 0 of a command. */
uint64_t lab_background_bytes(const struct lab_background *b);

/* Returns false and says why if the load has ended, or never came to run. */
bool lab_background_runs(const struct lab_background *b, char why[LAB_WHY]);

/* "none", "stream, 9.8 GB/s" or the command; may be asked after the end. */
void lab_background_text(const struct lab_background *b, char *out,
			 size_t size);

/*
 * Ends the load, with all processes of its group.  Returns what
 * lab_background_runs() would have returned just before.
 */
bool lab_background_stop(struct lab_background *b, char why[LAB_WHY]);

#endif
