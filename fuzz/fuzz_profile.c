/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz_profile.c - any bytes as a profile: an answer, and right sums. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "csum.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t rfc1071[] = { 0x00, 0x01, 0xf2, 0x03,
					   0xf4, 0xf5, 0xf6, 0xf7 };
	uint8_t to[sizeof(rfc1071)];
	int fd = memory_file(data, size), error;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	error = csum_use_profile(path);
	REQUIRE(error == 0 || error == EINVAL || error == ENOTSUP);
	REQUIRE(error == EINVAL ||
		(size >= 14 && memcmp(data, "csum-profile 1", 14) == 0));
	REQUIRE(csum_fold(csum_partial(rfc1071, sizeof(rfc1071), 0)) ==
		csum_be16_from_host(0x220d));
	REQUIRE(csum_fold(csum_copy(to, rfc1071, sizeof(to), 0)) ==
		csum_be16_from_host(0x220d));
	REQUIRE(csum_routine_active());
	close(fd);
	return 0;
}
