/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_fix.c - `csum fix` of any file: as long as before; fixed twice, as fixed
 * once; broken by `csum break` and fixed, as before that; nothing is left over.
 */
#include <string.h>

#include "command.h"
#include "dump.h"

static int run(const char *name, const char *from, const char *to,
	       const char *option)
{
	const char *argv[] = { "csum", name, from, "-o", to, option, NULL };

	return command(argv, NULL, 0);
}

static bool same_files(const char *a, const char *b)
{
	size_t n, k;
	uint8_t *p = get_file(a, &n), *q = get_file(b, &k);
	bool same = n == k && memcmp(p, q, n) == 0;

	free(p);
	free(q);
	return same;
}

static void check(size_t size, bool packed)
{
	const int status = run("fix", "in", "once", NULL);
	const int broken =
		status == 2 ? 2 : run("break", "once", "bad", "-s100");
	size_t n;

	if (!has_file("once"))
		return;
	free(get_file("once", &n));
	REQUIRE(n == size || packed);
	REQUIRE(run("fix", "once", "twice", NULL) == status);
	REQUIRE(same_files("once", "twice"));
	if (broken != 0)
		return;
	run("fix", "bad", "back", NULL);
	/* what could not be made right may be another value afterwards */
	REQUIRE(status != 0 || same_files("once", "back"));
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
	static const char *const files[] = { "in", "once", "twice", "bad",
					     "back" };

	put_file("in", data, size);
	check(size, is_packed(data, size));
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		remove_file(files[i]);
	REQUIRE(count_files() == 0);
	return 0;
}
