/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz_routines.c - every routine that runs here against the model. */
#include <arpa/inet.h>
#include <string.h>

#include "cpu.h"
#include "csum.h"
#include "dispatch.h"
#include "fuzz.h"
#include "model.h"

static void check(const struct csum_routine *r, const uint8_t *p, size_t n,
		  csum_wsum start, uint16_t want)
{
	uint8_t *to = exact(p, n);

	REQUIRE(csum_to16(r->sum(p, n, start)) == want);
	memset(to, 0xa5, n);
	REQUIRE(csum_to16(r->copy(to, p, n, start)) == want);
	REQUIRE(memcmp(to, p, n) == 0);
	free(to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	const csum_wsum start = (csum_wsum)take(&in, 4);
	const size_t skip = take(&in, 1) % 64;
	const size_t repeat = 1 + take(&in, 1) % 64; /* long inputs are rare */
	const size_t n = in.n * repeat;
	uint8_t *block = malloc(skip + n + 1);
	uint16_t want;

	REQUIRE(block);
	/* at any alignment, and with the end of the memory behind the data */
	block = realloc(block, skip + n ? skip + n : 1);
	for (size_t i = 0; i < n; i++)
		block[skip + i] = in.p[i % in.n];
	want = htons(model_csum(block + skip, n, ntohs(csum_to16(start))));
	for (const struct csum_routine *r = csum_routines; r->name; r++)
		if (r->sum && r->copy && csum_can_run(r, csum_cpu_features()))
			check(r, block + skip, n, start, want);
	free(block);
	return 0;
}
