/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_verify.c - `csum verify` of any file, in one thread, in two, and as `fix
 * --dry-run` has it: the same exit status where both look at the same.
 */
#include "command.h"

static int verify(const char *threads, const char *format, const uint8_t *p,
		  size_t n)
{
	const char *argv[] = { "csum",	"verify", "-a", "-w",
			       threads, format,	  "-",	NULL };

	return command(argv, p, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int status = verify("-j1", "--json", data, size);

	REQUIRE(status >= 0 && status <= 2);
	REQUIRE(verify("-j2", "--csv", data, size) == status);
	return 0;
}
