/* SPDX-License-Identifier: BSD-2-Clause */
/* writer.c - a ring of chunks between two threads. */
#include "writer.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sizes.h"

enum { CHUNKS = 4 };

struct writer {
	int fd;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* under the lock; chunks from @head to @tail are to be written */
	unsigned head, tail;
	bool stop;
	int error;
	/* each belongs to the one side or to the other */
	size_t len[CHUNKS];
	uint8_t chunks[CHUNKS][WRITE_BYTES];
};

int write_all(int fd, const uint8_t *p, size_t n)
{
	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return errno;
		p += done;
		n -= (size_t)done;
	}
	return 0;
}

static void *run(void *arg)
{
	struct writer *w = arg;

	pthread_mutex_lock(&w->lock);
	for (;;) {
		unsigned i = w->head % CHUNKS;
		int error;

		if (w->stop || w->error)
			break;
		if (w->head == w->tail) {
			pthread_cond_wait(&w->changed, &w->lock);
			continue;
		}
		pthread_mutex_unlock(&w->lock);
		error = write_all(w->fd, w->chunks[i], w->len[i]);
		pthread_mutex_lock(&w->lock);
		w->error = error;
		w->head++;
		pthread_cond_signal(&w->changed);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

struct writer *writer_start(int fd)
{
	struct writer *w = malloc(sizeof(*w));

	if (!w)
		return NULL;
	w->fd = fd;
	w->head = w->tail = 0;
	w->stop = false;
	w->error = 0;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->changed, NULL);
	if (pthread_create(&w->thread, NULL, run, w) == 0)
		return w;
	free(w);
	return NULL;
}

/* Until there is room for a chunk, or all is written; false after an error. */
static bool wait_for(struct writer *w, unsigned left)
{
	bool ok;

	pthread_mutex_lock(&w->lock);
	while (!w->error && w->tail - w->head > left)
		pthread_cond_wait(&w->changed, &w->lock);
	ok = !w->error;
	pthread_mutex_unlock(&w->lock);
	return ok;
}

bool writer_put(struct writer *w, const uint8_t *p, size_t n)
{
	while (n) {
		const size_t step = n < WRITE_BYTES ? n : WRITE_BYTES;

		if (!wait_for(w, CHUNKS - 1))
			return false;
		memcpy(w->chunks[w->tail % CHUNKS], p, step);
		w->len[w->tail % CHUNKS] = step;
		pthread_mutex_lock(&w->lock);
		w->tail++;
		pthread_cond_signal(&w->changed);
		pthread_mutex_unlock(&w->lock);
		p += step;
		n -= step;
	}
	return true;
}

int writer_settle(struct writer *w)
{
	wait_for(w, 0);
	return w->error;
}

void writer_end(struct writer *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	pthread_cond_signal(&w->changed);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
	free(w);
}
