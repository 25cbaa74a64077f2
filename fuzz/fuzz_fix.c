/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_fix.c - `csum fix` of any file: as long as before; no other bytes
 * changed than those of checksums, or with --lengths those of lengths that were
 * 0; fixed twice, as fixed once; nothing bad left if fix says so; broken by
 * `csum break` and fixed, as before that; like
 * itself, and again after it was broken; nothing is left over.
 */
#include <string.h>

#include "command.h"
#include "crc.h"
#include "dump.h"
#include "pass.h"
#include "reader.h"

static int run(const char *name, const char *from, const char *to,
	       const char *option)
{
	const char *argv[] = { "csum", name, from, "-o", to, option, NULL };

	return command(argv, NULL, 0);
}

static int verify(const char *file)
{
	const char *argv[] = { "csum", "verify", "-j1", file, NULL };

	return command(argv, NULL, 0);
}

/* --- which bytes may change ---------------------------------------------- */

struct fields {
	uint8_t *
		of; /* for each byte of the file, whether it is of a checksum */
	size_t n;
	unsigned messages; /* sites in messages of fragments */
};

static void mark(void *context, const struct finding *found)
{
	struct fields *f = context;
	const struct site *s = found->site;

	if (!s->has_field || s->class == SITE_QUOTED)
		return;
	f->messages += found->field_frame != 0;
	for (unsigned i = 0; i < protocol_width(s->protocol); i++)
		if (found->offset + i < f->n)
			f->of[found->offset + i] = 1;
}

/* All checksums in a file, found by a pass that changes nothing. */
static struct fields checksums_in(const uint8_t *file, size_t n)
{
	struct fields f = { .of = calloc(n ? n : 1, 1), .n = n };
	struct pass pass = {
		.crc = &crc_by_libraries,
		.site = mark,
		.context = &f,
		.tally = tally_new(),
	};
	struct reader *r = reader_open_memory(file, n);
	struct packet packet;

	REQUIRE(f.of && r && pass.tally && pass_gather(&pass));
	while (reader_next(r, &packet) == READER_PACKET)
		pass_fragment(&pass, pass_packet(&pass, &packet, NULL));
	pass_flush(&pass);
	pass_end(&pass);
	reader_close(r);
	free(pass.tally);
	return f;
}

/* @zeros: bytes may also change that were 0. */
static void only_checksums_differ(const char *before, const char *after,
				  bool zeros)
{
	size_t n, k;
	uint8_t *p = get_file(before, &n), *q = get_file(after, &k);
	struct fields f = checksums_in(q, k);
	unsigned others = 0;

	REQUIRE(n == k);
	for (size_t i = 0; i < n; i++)
		others += p[i] != q[i] && !f.of[i] && !(zeros && p[i] == 0);
	/* of a field that fragments cut in two, the first part is told */
	REQUIRE(others <= 3 * f.messages);
	free(f.of);
	free(p);
	free(q);
}

/* --- what must hold --------------------------------------------------------
 */

static bool same_files(const char *a, const char *b)
{
	size_t n, k;
	uint8_t *p = get_file(a, &n), *q = get_file(b, &k);
	bool same = n == k && memcmp(p, q, n) == 0;

	free(p);
	free(q);
	return same;
}

static void check_like(void)
{
	REQUIRE(run("fix", "in", "self", "--like=in") == 2 ||
		same_files("in", "self"));
	if (run("break", "in", "spoilt", "-s60") == 0 &&
	    run("fix", "spoilt", "self", "--like=in") != 2)
		REQUIRE(same_files("in", "self"));
}

static void fixed(bool packed)
{
	const int status = run("fix", "in", "once", NULL);

	if (!has_file("once"))
		return;
	if (!packed) {
		only_checksums_differ("in", "once", false);
		check_like();
	}
	REQUIRE(run("fix", "once", "twice", NULL) == status);
	REQUIRE(same_files("once", "twice"));
	if (status == 2)
		return;
	REQUIRE(status != 0 || verify("once") == 0);
	if (run("break", "once", "bad", "-s100") != 0)
		return;
	only_checksums_differ("once", "bad", false);
	run("fix", "bad", "back", NULL);
	/* what could not be made right may be another value afterwards */
	REQUIRE(status != 0 || same_files("once", "back"));
}

static void fixed_with_lengths(bool packed)
{
	const int status = run("fix", "in", "filled", "--lengths");

	if (!has_file("filled"))
		return;
	if (!packed)
		only_checksums_differ("in", "filled", true);
	REQUIRE(run("fix", "filled", "again", "--lengths") == status);
	REQUIRE(same_files("filled", "again"));
}

/* gzip, zstd, lz4, a hex dump: what comes out is unpacked. */
static bool is_packed(const uint8_t *p, size_t n)
{
	return n >= 4 && (memcmp(p, "\x1f\x8b\x08", 3) == 0 ||
			  memcmp(p, "\x28\xb5\x2f\xfd", 4) == 0 ||
			  memcmp(p, "\x04\x22\x4d\x18", 4) == 0 ||
			  dump_probe(p, n, true) == DUMP_YES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const files[] = { "in",    "once",	"twice",
					     "bad",   "back",	"filled",
					     "again", "spoilt", "self" };
	const bool packed = is_packed(data, size);

	put_file("in", data, size);
	fixed(packed);
	fixed_with_lengths(packed);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		remove_file(files[i]);
	REQUIRE(count_files() == 0);
	return 0;
}
