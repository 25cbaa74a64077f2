/* SPDX-License-Identifier: BSD-2-Clause */
/* unpack.c - three libraries and a parser behind one read function. */
#include "unpack.h"

#include <assert.h>
#include <errno.h>
#include <lz4frame.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "bytes.h"
#include "dump.h"
#include "sizes.h"

enum step {
	STEP_MORE, /* in the middle of a stream */
	STEP_DONE, /* behind the end of one */
	STEP_FAULT
};

struct unpack {
	const struct packer *packer;
	union {
		z_stream gzip;
		ZSTD_DStream *zstd;
		LZ4F_dctx *lz4;
		struct dump *dump;
	} state;
	int fd;
	bool between; /* not in the middle of a stream */
	bool ended;   /* the packer knows that there is no more input */
	bool full;    /* there may be more to come out without input */
	const char *cause;
	uint64_t offset; /* of @at in the file */
	const uint8_t *at;
	size_t have;
	uint8_t *buf;
};

/*
 * One kind.  A step takes from @u->at and writes to @to; both counts are moved
 * on by what was taken and written.
 */
struct packer {
	const char *name;
	uint32_t magic, mask;
	bool (*open)(struct unpack *u);
	void (*close)(struct unpack *u);
	enum step (*step)(struct unpack *u, uint8_t *to, size_t *n);
	/* NULL, if the end of the input is none that it has to know of. */
	void (*end)(struct unpack *u);
};

static enum step fault(struct unpack *u, const char *cause)
{
	u->cause = cause ? cause : "damaged";
	return STEP_FAULT;
}

static void take(struct unpack *u, size_t n)
{
	u->at += n;
	u->have -= n;
	u->offset += n;
}

/* --- gzip */

static bool gzip_open(struct unpack *u)
{
	/* 16: gzip, not zlib; 15: the largest window */
	return inflateInit2(&u->state.gzip, 16 + 15) == Z_OK;
}

static void gzip_close(struct unpack *u)
{
	inflateEnd(&u->state.gzip);
}

static enum step gzip_step(struct unpack *u, uint8_t *to, size_t *n)
{
	z_stream *z = &u->state.gzip;
	int status;

	z->next_in = (uint8_t *)u->at;
	z->avail_in = (uInt)u->have;
	z->next_out = to;
	z->avail_out = (uInt)*n;
	status = inflate(z, Z_NO_FLUSH);
	take(u, u->have - z->avail_in);
	*n -= z->avail_out;
	if (status == Z_STREAM_END)
		return inflateReset(z) == Z_OK ? STEP_DONE : fault(u, z->msg);
	if (status != Z_OK && status != Z_BUF_ERROR)
		return fault(u, z->msg);
	return STEP_MORE;
}

/* --- zstd */

static bool zstd_open(struct unpack *u)
{
	u->state.zstd = ZSTD_createDStream();
	return u->state.zstd;
}

static void zstd_close(struct unpack *u)
{
	ZSTD_freeDStream(u->state.zstd);
}

static enum step zstd_step(struct unpack *u, uint8_t *to, size_t *n)
{
	ZSTD_inBuffer in = { u->at, u->have, 0 };
	ZSTD_outBuffer out = { to, *n, 0 };
	size_t left = ZSTD_decompressStream(u->state.zstd, &out, &in);

	take(u, in.pos);
	*n = out.pos;
	if (ZSTD_isError(left))
		return fault(u, ZSTD_getErrorName(left));
	return left ? STEP_MORE : STEP_DONE;
}

/* --- lz4 */

static bool lz4_open(struct unpack *u)
{
	return !LZ4F_isError(
		LZ4F_createDecompressionContext(&u->state.lz4, LZ4F_VERSION));
}

static void lz4_close(struct unpack *u)
{
	LZ4F_freeDecompressionContext(u->state.lz4);
}

static enum step lz4_step(struct unpack *u, uint8_t *to, size_t *n)
{
	size_t taken = u->have;
	size_t left = LZ4F_decompress(u->state.lz4, to, n, u->at, &taken, NULL);

	if (LZ4F_isError(left)) {
		*n = 0;
		return fault(u, LZ4F_getErrorName(left));
	}
	take(u, taken);
	return left ? STEP_MORE : STEP_DONE;
}

/* --- dumps */

static void hex_close(struct unpack *u)
{
	dump_close(u->state.dump);
}

static enum step hex_step(struct unpack *u, uint8_t *to, size_t *n)
{
	struct dump *d = u->state.dump;
	const size_t room = *n;
	uint64_t offset;

	*n = dump_take(d, to, room);
	if (*n)
		return STEP_MORE;
	dump_feed(d, u->at, u->have);
	take(u, u->have);
	*n = dump_take(d, to, room);
	/* what came before a fault is told first */
	if (*n)
		return STEP_MORE;
	if (!dump_cause(d, &offset))
		return STEP_DONE;
	u->offset = offset;
	return fault(u, dump_cause(d, &offset));
}

static void hex_end(struct unpack *u)
{
	dump_end(u->state.dump);
	u->full = true;
}

static const struct packer hex = {
	.name = "hex", .close = hex_close, .step = hex_step, .end = hex_end
};
static const struct packer raw = {
	.name = "raw", .close = hex_close, .step = hex_step, .end = hex_end
};

/* --- all of them */

/* Magic as the first four bytes say it; gzip has three of them, RFC 1952. */
static const struct packer packers[] = {
	{ "gzip", 0x1f8b0800, 0xffffff00, gzip_open, gzip_close, gzip_step,
	  NULL },
	{ "zstd", 0x28b52ffd, 0xffffffff, zstd_open, zstd_close, zstd_step,
	  NULL },
	{ "lz4", 0x04224d18, 0xffffffff, lz4_open, lz4_close, lz4_step, NULL },
};

static const struct packer *find_packer(const uint8_t magic[UNPACK_MAGIC])
{
	for (size_t i = 0; i < sizeof(packers) / sizeof(*packers); i++)
		if ((be32(magic) & packers[i].mask) == packers[i].magic)
			return &packers[i];
	return NULL;
}

const char *unpack_kind(const uint8_t magic[UNPACK_MAGIC])
{
	const struct packer *p = find_packer(magic);

	return p ? p->name : NULL;
}

static bool open_state(struct unpack *u, const struct input_form *dump)
{
	if (!dump)
		return u->packer->open(u);
	u->state.dump = dump_open(dump);
	return u->state.dump;
}

struct unpack *unpack_open(const uint8_t *head, size_t n, int fd,
			   const struct input_form *dump)
{
	struct unpack *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	if (!dump)
		u->packer = find_packer(head);
	else
		u->packer = dump->form == FORM_RAW ? &raw : &hex;
	assert(u->packer); /* the caller has asked unpack_kind() */
	u->fd = fd;
	u->at = head;
	u->have = n;
	u->between = true;
	/* what a descriptor delivers needs a place of its own */
	if (fd >= 0) {
		u->buf = malloc(n > UNPACK_BYTES ? n : UNPACK_BYTES);
		if (u->buf)
			u->at = n ? memcpy(u->buf, head, n) : u->buf;
	}
	if ((fd < 0 || u->buf) && open_state(u, dump))
		return u;
	free(u->buf);
	free(u);
	return NULL;
}

void unpack_close(struct unpack *u)
{
	if (!u)
		return;
	u->packer->close(u);
	free(u->buf);
	free(u);
}

/* True if there is something to take in. */
static bool refill(struct unpack *u)
{
	ssize_t n;

	if (u->have)
		return true;
	if (u->fd < 0)
		return false;
	do
		n = read(u->fd, u->buf, UNPACK_BYTES);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		u->cause = strerror(errno);
	if (n <= 0) {
		u->fd = -1;
		return false;
	}
	u->at = u->buf;
	u->have = (size_t)n;
	return true;
}

ssize_t unpack_read(struct unpack *u, uint8_t *to, size_t n)
{
	while (!u->cause) {
		size_t got = n, before;
		enum step step;

		if (!u->full && !refill(u)) {
			if (!u->cause && u->packer->end && !u->ended) {
				u->ended = true;
				u->packer->end(u);
				continue;
			}
			if (!u->cause && u->between)
				return 0;
			if (!u->cause)
				u->cause = "it ends in the middle";
			break;
		}
		before = u->have;
		step = u->packer->step(u, to, &got);
		u->between = step == STEP_DONE;
		u->full = step == STEP_MORE && (got == n || u->packer->end);
		if (step == STEP_MORE && !got && before && u->have == before)
			fault(u, NULL);
		if (got)
			return (ssize_t)got;
	}
	return -1;
}

const char *unpack_name(const struct unpack *u)
{
	return u->packer->name;
}

bool unpack_is_dump(const struct unpack *u)
{
	return u->packer->end;
}

bool unpack_guessed(const struct unpack *u)
{
	return unpack_is_dump(u) && dump_guessed(u->state.dump);
}

const char *unpack_cause(const struct unpack *u)
{
	return u->cause;
}

uint64_t unpack_offset(const struct unpack *u)
{
	return u->offset;
}
