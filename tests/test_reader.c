/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_reader.c - compressed files, and packets in batches.
 *
 * Every prefix of a compressed file, and every change of one byte in it: no
 * crash, no endless loop, a clear fault; what came before it is what it was.
 */
#define _GNU_SOURCE /* memfd_create */
#include <inttypes.h>
#include <lz4frame.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "reader.h"
#include "testing.h"
#include "walk.h"

struct bytes {
	uint8_t *p;
	size_t len, size;
};

static void put(struct bytes *b, const void *p, size_t n)
{
	if (!n)
		return;
	while (b->len + n > b->size) {
		b->size = 2 * b->size + 4096;
		b->p = realloc(b->p, b->size);
		if (!b->p)
			abort();
	}
	memcpy(b->p + b->len, p, n);
	b->len += n;
}

static void put32(struct bytes *b, uint32_t v)
{
	const uint8_t p[4] = { (uint8_t)v, (uint8_t)(v >> 8),
			       (uint8_t)(v >> 16), (uint8_t)(v >> 24) };

	put(b, p, 4);
}

/* A pcap file of @n packets, each of up to @max bytes. */
static struct bytes write_pcap(unsigned n, uint32_t max)
{
	struct bytes b = { 0 };

	put32(&b, 0xa1b2c3d4);
	put32(&b, 0x00040002);
	put32(&b, 0);
	put32(&b, 0);
	put32(&b, 65535);
	put32(&b, 101);
	for (unsigned i = 0; i < n; i++) {
		uint32_t len = (uint32_t)(testing_random() % (max + 1));

		put32(&b, i);
		put32(&b, 0);
		put32(&b, len);
		put32(&b, len);
		for (uint32_t k = 0; k < len; k++)
			put(&b, &(uint8_t){ (uint8_t)(i + k * k / 7) }, 1);
	}
	return b;
}

/* --- compressed --------------------------------------------------------------
 */

static struct bytes gzip(const uint8_t *p, size_t n)
{
	struct bytes b = { .size = 2 * n + 1000 };
	z_stream z = { .next_in = (uint8_t *)p, .avail_in = (uInt)n };

	b.p = malloc(b.size);
	deflateInit2(&z, 9, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY);
	z.next_out = b.p;
	z.avail_out = (uInt)b.size;
	deflate(&z, Z_FINISH);
	b.len = b.size - z.avail_out;
	deflateEnd(&z);
	return b;
}

static struct bytes zstd(const uint8_t *p, size_t n)
{
	struct bytes b = { .size = ZSTD_compressBound(n) };
	ZSTD_CCtx *c = ZSTD_createCCtx();

	b.p = malloc(b.size);
	/* a checksum, so that any change can be noticed */
	ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
	b.len = ZSTD_compress2(c, b.p, b.size, p, n);
	ZSTD_freeCCtx(c);
	return b;
}

static struct bytes lz4(const uint8_t *p, size_t n)
{
	const LZ4F_preferences_t with_checksum = {
		.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled,
	};
	struct bytes b = { .size = LZ4F_compressFrameBound(n, &with_checksum) };

	b.p = malloc(b.size);
	b.len = LZ4F_compressFrame(b.p, b.size, p, n, &with_checksum);
	return b;
}

static const struct {
	const char *name;
	struct bytes (*pack)(const uint8_t *p, size_t n);
} packers[] = { { "gzip", gzip }, { "zstd", zstd }, { "lz4", lz4 } };

/* Reads all; false if a packet is not what @plain has at its place. */
static bool same_packets(struct reader *r, const struct bytes *plain,
			 unsigned *count, enum reader_status *status)
{
	struct packet p;
	struct walk w;

	*count = 0;
	while ((*status = reader_next(r, &p)) == READER_PACKET) {
		if (p.offset + p.caplen > plain->len ||
		    memcmp(plain->p + p.offset, p.data, p.caplen) != 0)
			return false;
		walk_packet(&p, &w);
		++*count;
	}
	return reader_next(r, &p) == *status;
}

static bool fault_is_clear(const struct reader *r)
{
	return reader_fault(r)->cause[0];
}

static void test_packed(unsigned i)
{
	struct bytes plain = write_pcap(12, 90);
	struct bytes packed = packers[i].pack(plain.p, plain.len);
	unsigned count = 0;
	enum reader_status status;
	struct reader *r = reader_open_memory(packed.p, packed.len);
	bool ok = same_packets(r, &plain, &count, &status);

	tap_ok(ok && count == 12 && status == READER_END &&
		       strcmp(reader_packed(r), packers[i].name) == 0 &&
		       reader_consumed(r) == packed.len,
	       "%s: %u packets", packers[i].name, count);
	reader_close(r);

	ok = true;
	for (size_t n = 0; n < packed.len && ok; n++) {
		uint8_t *part = malloc(n ? n : 1);

		memcpy(part, packed.p, n);
		r = reader_open_memory(part, n);
		ok = same_packets(r, &plain, &count, &status) &&
		     status == READER_FAULT && fault_is_clear(r);
		reader_close(r);
		free(part);
	}
	tap_ok(ok, "%s: every prefix is a fault", packers[i].name);

	ok = true;
	for (size_t n = 0; n < packed.len && ok; n++)
		for (int bit = 0; bit < 8; bit++) {
			packed.p[n] ^= (uint8_t)(1 << bit);
			r = reader_open_memory(packed.p, packed.len);
			/* other bytes may come out until the sum is seen */
			(void)same_packets(r, &plain, &count, &status);
			ok = ok && count <= plain.len / 16 &&
			     (status != READER_FAULT || fault_is_clear(r));
			reader_close(r);
			packed.p[n] ^= (uint8_t)(1 << bit);
		}
	tap_ok(ok, "%s: every change of a bit is survived", packers[i].name);
	free(packed.p);
	free(plain.p);
}

/* Streams in a row, and rubbish behind them. */
static void test_rows(unsigned i)
{
	struct bytes plain = write_pcap(40, 3000), all = { 0 };
	enum reader_status status;
	unsigned count;
	struct reader *r;

	for (size_t at = 0; at < plain.len;) {
		size_t n = 1 + testing_random() % 9000;
		struct bytes b;

		if (n > plain.len - at)
			n = plain.len - at;
		b = packers[i].pack(plain.p + at, n);
		put(&all, b.p, b.len);
		free(b.p);
		at += n;
	}
	r = reader_open_memory(all.p, all.len);
	tap_ok(same_packets(r, &plain, &count, &status) && count == 40 &&
		       status == READER_END,
	       "%s: streams in a row", packers[i].name);
	reader_close(r);
	put(&all, "\xff\xff\xff\xff", 4);
	r = reader_open_memory(all.p, all.len);
	tap_ok(same_packets(r, &plain, &count, &status) && count == 40 &&
		       status == READER_FAULT && fault_is_clear(r),
	       "%s: rubbish behind them: %s", packers[i].name,
	       reader_fault(r)->cause);
	reader_close(r);
	free(all.p);
	free(plain.p);
}

/* --- batches
 * -------------------------------------------------------------------- */

static int in_a_file(const struct bytes *b)
{
	int fd = memfd_create("test_reader", 0);

	if (write(fd, b->p, b->len) != (ssize_t)b->len ||
	    lseek(fd, 0, SEEK_SET) != 0)
		tap_note("memfd: no");
	return fd;
}

/*
 * What is read ahead for some batches: nothing, what follows, anything, or what
 * follows in another file.
 */
enum ahead { AHEAD_NONE, AHEAD_NEXT, AHEAD_RANDOM, AHEAD_OTHER };

enum { HELD = 3 };

static void read_ahead(const struct reader *r, struct batch b[HELD],
		       const struct reader *of, int fd, size_t size,
		       enum ahead ahead)
{
	uint64_t at = reader_position(r);

	for (unsigned i = 0; i < HELD && at != UINT64_MAX && ahead; i++) {
		if (ahead == AHEAD_RANDOM)
			at = testing_random() % (size + 1);
		batch_ahead(&b[i], of, fd, at);
		at += AHEAD_BYTES;
	}
}

/*
 * Several batches are held at once, each as if by another thread, and looked at
 * only when all of them have been filled.
 */
static bool batches(struct reader *r, const struct bytes *plain,
		    const struct reader *of, int fd, enum ahead ahead,
		    unsigned *count)
{
	struct batch b[HELD] = { 0 };
	enum reader_status status = READER_PACKET;
	bool ok = true;

	*count = 0;
	while (status == READER_PACKET) {
		unsigned n = 0;

		read_ahead(r, b, of, fd, plain->len, ahead);
		while (n < HELD && status == READER_PACKET)
			status = reader_batch(r, &b[n++]);
		for (unsigned i = 0; i < n; i++)
			for (unsigned k = 0; k < b[i].count; k++) {
				const struct packet *p = &b[i].packets[k];

				ok = ok && p->frame == ++*count &&
				     memcmp(plain->p + p->offset, p->data,
					    p->caplen) == 0;
			}
	}
	for (unsigned i = 0; i < HELD; i++)
		batch_free(&b[i]);
	return ok && status == READER_END;
}

static void test_batches(unsigned n, uint32_t max)
{
	struct bytes plain = write_pcap(n, max), packed;
	unsigned count;
	int fd = in_a_file(&plain);
	struct bytes other = write_pcap(n, max);
	int other_fd = in_a_file(&other);
	struct reader *other_r = reader_open(other_fd);
	struct reader *r;
	bool ok;

	for (enum ahead a = AHEAD_NONE; a <= AHEAD_OTHER; a++) {
		static const char *const names[] = { "", ", read ahead",
						     ", at random",
						     ", of another file" };

		lseek(fd, 0, SEEK_SET);
		r = reader_open(fd);
		if (a == AHEAD_OTHER)
			ok = batches(r, &plain, other_r, other_fd, a, &count);
		else
			ok = batches(r, &plain, r, fd, a, &count);
		tap_ok(ok && count == n,
		       "batches: %u packets of up to %" PRIu32 "%s", n, max,
		       names[a]);
		reader_close(r);
	}
	close(fd);
	reader_close(other_r);
	close(other_fd);
	free(other.p);
	r = reader_open_memory(plain.p, plain.len);
	ok = batches(r, &plain, r, -1, AHEAD_NEXT, &count);
	tap_ok(ok && count == n, "... from memory");
	reader_close(r);
	packed = lz4(plain.p, plain.len);
	fd = in_a_file(&packed);
	r = reader_open(fd);
	ok = batches(r, &plain, r, fd, AHEAD_NEXT, &count);
	tap_ok(ok && count == n, "... unpacked");
	reader_close(r);
	close(fd);
	free(packed.p);
	free(plain.p);
}

/* --- memory ------------------------------------------------------------------
 */

/* A section of nothing but interfaces: each takes memory, so there is an end.
 */
static void test_interfaces(uint32_t n, bool believed)
{
	static const uint32_t section[] = { 0x0a0d0d0a, 28,	    0x1a2b3c4d,
					    1,		UINT32_MAX, UINT32_MAX,
					    28 };
	static const uint32_t interface[] = { 1, 20, 1, 0, 20 };
	enum reader_status status;
	struct bytes b = { 0 };
	struct packet p;
	struct reader *r;

	for (unsigned i = 0; i < 7; i++)
		put32(&b, section[i]);
	for (uint32_t k = 0; k < n; k++)
		for (unsigned i = 0; i < 5; i++)
			put32(&b, interface[i]);
	r = reader_open_memory(b.p, b.len);
	status = reader_next(r, &p);
	tap_ok(believed
		       ? status == READER_END
		       : status == READER_FAULT &&
				 strstr(reader_fault(r)->cause, "not believed"),
	       "%" PRIu32 " interfaces: %s", n, reader_fault(r)->cause);
	reader_close(r);
	free(b.p);
}

int main(int argc, char **argv)
{
	testing_init(argc, argv);
	for (unsigned i = 0; i < sizeof(packers) / sizeof(*packers); i++) {
		test_packed(i);
		test_rows(i);
	}
	test_interfaces(1 << 18, true);
	test_interfaces((1 << 18) + 1, false);
	test_batches(0, 0);
	test_batches(1, 10);
	test_batches(30000, 4);
	test_batches(16000, 1500); /* several blocks for each batch */
	test_batches(20, 600000);
	return tap_done();
}
