/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_mix.c - named mixes of lengths, and those of a capture. */
#include "bench_mix.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "reader.h"

enum { MOST_LENGTHS = 1 << 20, MOST_PARTS = 4 };

/* IP packets: @times of @length BYTES. */
static const struct {
	const char *name;
	struct {
		unsigned times;
		uint32_t length;
	} parts[MOST_PARTS];
} named[] = {
	/* the simple mix of the Internet that routers are tested with */
	{ "imix", { { 7, 40 }, { 4, 576 }, { 1, 1500 } } },
	/* what a server sees that sends: acknowledgements with options */
	{ "ack", { { 14, 52 }, { 3, 64 }, { 2, 300 }, { 1, 1500 } } },
	{ "jumbo", { { 6, 9000 }, { 1, 1500 }, { 3, 52 } } },
};

const char *bench_mix_word(int i)
{
	return i < (int)(sizeof(named) / sizeof(*named)) ? named[i].name : NULL;
}

static bool add(struct bench_mix *m, uint32_t length)
{
	size_t n = m->mix.n;

	/* doubled at each power of two */
	if ((n & (n - 1)) == 0) {
		uint32_t *more =
			realloc(m->lengths, (n ? 2 * n : 1) * sizeof(*more));

		if (!more)
			return false;
		m->lengths = more;
	}
	m->lengths[m->mix.n++] = length;
	return true;
}

static bool add_named(struct bench_mix *m, size_t which)
{
	for (size_t i = 0; i < MOST_PARTS; i++)
		for (unsigned k = 0; k < named[which].parts[i].times; k++)
			if (!add(m, named[which].parts[i].length))
				return false;
	return true;
}

static bool add_packets(struct bench_mix *m, struct reader *r, const char *file)
{
	enum reader_status status;
	struct packet p;

	while ((status = reader_next(r, &p)) == READER_PACKET)
		if (m->mix.n < MOST_LENGTHS && !add(m, p.wirelen)) {
			trouble("out of memory");
			return false;
		}
	if (status == READER_FAULT)
		trouble("%s: offset %" PRIu64 ": %s", input_name(file),
			reader_fault(r)->offset, reader_fault(r)->cause);
	else if (!m->mix.n)
		trouble("%s: there is no packet in it", input_name(file));
	return status == READER_END && m->mix.n;
}

static bool add_capture(struct bench_mix *m, const char *file)
{
	int fd = input_open(file);
	struct reader *r;
	bool ok;

	if (fd < 0)
		return false;
	r = reader_open(fd);
	ok = r && add_packets(m, r, file);
	if (!r)
		trouble("out of memory");
	reader_close(r);
	if (fd > STDIN_FILENO)
		close(fd);
	return ok;
}

/* Every length of "uniform:LOW-HIGH"; false after saying why not. */
static bool add_uniform(struct bench_mix *m, const char *range)
{
	char low_word[16];
	const char *dash = strchr(range, '-');
	uint64_t low, high;

	snprintf(low_word, sizeof(low_word), "%.*s",
		 dash ? (int)(dash - range) : 0, range);
	if (!dash || !parse_size(low_word, &low) ||
	    !parse_size(dash + 1, &high) || low > high ||
	    high >= MOST_LENGTHS) {
		trouble("--mix=uniform:%s: not LOW-HIGH, two lengths below 1M",
			range);
		return false;
	}
	for (uint64_t length = low; length <= high; length++)
		if (!add(m, (uint32_t)length)) {
			trouble("out of memory");
			return false;
		}
	return true;
}

static size_t mean_of(const struct bench_mix *m)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < m->mix.n; i++)
		sum += m->lengths[i];
	return (size_t)((sum + m->mix.n / 2) / m->mix.n);
}

bool bench_mix_load(struct bench_mix *m, const char *name)
{
	static const char uniform[] = "uniform:";
	size_t i = 0, n = sizeof(named) / sizeof(*named);
	bool ok;

	while (i < n && strcmp(name, named[i].name) != 0)
		i++;
	if (strncmp(name, uniform, strlen(uniform)) == 0)
		ok = add_uniform(m, name + strlen(uniform));
	else
		ok = i < n ? add_named(m, i) : add_capture(m, name);
	if (!ok)
		return false;
	m->mix.name = name;
	m->mix.lengths = m->lengths;
	m->mean = mean_of(m);
	return true;
}

void bench_mix_free(struct bench_mix *m)
{
	free(m->lengths);
}
