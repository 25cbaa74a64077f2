/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz_explain.c - `csum explain` of a frame in any file. */
#include "command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	char frame[8];
	const char *argv[] = { "csum", "explain", "-", frame, NULL };
	int status;

	snprintf(frame, sizeof(frame), "%u", 1 + (unsigned)take(&in, 1) % 8);
	status = command(argv, in.p, in.n);
	REQUIRE(status >= 0 && status <= 2);
	return 0;
}
