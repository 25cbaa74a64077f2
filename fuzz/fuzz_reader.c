/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_reader.c - a file in memory, through a window, and in batches with
 * blocks that were read ahead: each way the same packets and the same fault.
 *
 * Window, blocks and batches are small here (capture/sizes.h), so that a short
 * file crosses the end of each many times.
 */
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "reader.h"

enum { MOST = 512, HELD = 3 };

/* What was read: of each packet its struct, and a sum of its bytes. */
struct seen {
	struct packet packets[MOST];
	uint32_t sums[MOST];
	unsigned n;
	enum reader_status status;
	struct fault fault;
	const char *format;
	bool foreign, packed;
};

static void add(struct seen *s, const struct packet *p)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < p->caplen; i++)
		sum = sum * 31 + p->data[i];
	if (s->n < MOST) {
		s->packets[s->n] = *p;
		s->packets[s->n].data = NULL;
		s->sums[s->n] = sum;
	}
	s->n++;
}

static void finish(struct seen *s, struct reader *r)
{
	s->format = reader_format(r);
	s->packed = reader_packed(r);
	s->foreign = reader_is_foreign(r);
	if (s->status == READER_FAULT)
		s->fault = *reader_fault(r);
	reader_close(r);
}

static void read_packets(struct seen *s, struct reader *r)
{
	struct packet p;

	REQUIRE(r);
	while ((s->status = reader_next(r, &p)) == READER_PACKET)
		add(s, &p);
	finish(s, r);
}

static void read_batches(struct seen *s, int fd, struct input *plan)
{
	struct reader *r = reader_open(fd);
	struct batch held[HELD] = { 0 };

	REQUIRE(r);
	s->status = READER_PACKET;
	while (s->status == READER_PACKET) {
		unsigned n = 0;

		for (unsigned i = 0; i < HELD; i++) {
			uint64_t at = reader_position(r);

			if (at != UINT64_MAX && take(plan, 1) % 4)
				batch_ahead(&held[i], r, fd,
					    at + take(plan, 1) % 64);
		}
		while (n < HELD && s->status == READER_PACKET)
			s->status = reader_batch(r, &held[n++]);
		for (unsigned i = 0; i < n; i++)
			for (unsigned k = 0; k < held[i].count; k++)
				add(s, &held[i].packets[k]);
	}
	for (unsigned i = 0; i < HELD; i++)
		batch_free(&held[i]);
	finish(s, r);
}

static bool same_packet(const struct packet *a, const struct packet *b)
{
	return a->frame == b->frame && a->offset == b->offset &&
	       a->time == b->time && a->caplen == b->caplen &&
	       a->wirelen == b->wirelen && a->linktype == b->linktype &&
	       a->interface == b->interface && a->flags == b->flags;
}

static void require_same(const struct seen *a, const struct seen *b)
{
	unsigned n = a->n < MOST ? a->n : MOST;

	/* how much comes out in front of damage depends on the pieces read */
	if (a->packed && a->status == READER_FAULT) {
		REQUIRE(b->status == READER_FAULT);
		return;
	}
	REQUIRE(a->n == b->n);
	REQUIRE(a->status == b->status && a->format == b->format &&
		a->foreign == b->foreign);
	for (unsigned i = 0; i < n; i++)
		REQUIRE(same_packet(&a->packets[i], &b->packets[i]));
	REQUIRE(memcmp(a->sums, b->sums, n * sizeof(a->sums[0])) == 0);
	REQUIRE(a->fault.offset == b->fault.offset &&
		strcmp(a->fault.cause, b->fault.cause) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct seen memory, window, batches;
	struct input plan = { data, size };
	int fd = memory_file(data, size);
	uint8_t *copy = exact(data, size);

	memset(&memory, 0, sizeof(memory));
	memset(&window, 0, sizeof(window));
	memset(&batches, 0, sizeof(batches));
	read_packets(&memory, reader_open_memory(copy, size));
	read_packets(&window, reader_open(fd));
	REQUIRE(lseek(fd, 0, SEEK_SET) == 0);
	read_batches(&batches, fd, &plan);
	require_same(&memory, &window);
	require_same(&memory, &batches);
	REQUIRE(memory.status != READER_FAULT || memory.fault.cause[0]);
	close(fd);
	free(copy);
	return 0;
}
