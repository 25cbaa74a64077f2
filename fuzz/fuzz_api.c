/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_api.c - changes of a message, one after the other, its checksum brought
 * up to date by the functions of csum.h; the model computes it anew.
 */
#include <arpa/inet.h>
#include <string.h>
#include <sys/uio.h>

#include "csum.h"
#include "fuzz.h"
#include "model.h"

enum { MESSAGE = 1 << 10, PIECES = 8 };

/* Both zeros are one value. */
static bool same(uint16_t a, uint16_t b)
{
	return a % 0xffff == b % 0xffff;
}

static uint16_t model_sum(const uint8_t *p, size_t n)
{
	return htons(model_csum(p, n, 0));
}

/* @n BYTES at @at become others; returns the checksum after that. */
static csum_sum16 change(struct input *in, uint8_t *m, size_t len,
			 csum_sum16 check)
{
	uint8_t was[16], now[16];
	size_t n =
		(size_t[]){ 2, 4, 16, 1 + take(in, 1) % 16 }[take(in, 1) % 4];
	size_t at = take(in, 2) % (len - sizeof(was));
	unsigned how = take(in, 1) % 2;

	for (size_t i = 0; i < sizeof(now); i++)
		now[i] = (uint8_t)take(in, 1);
	memcpy(was, m + at, sizeof(was));
	memcpy(m + at, now, n);
	if (at % 2 || how)
		return csum_replace_bytes(check, was, n, now, n, at);
	switch (n) {
	case 2:
		return csum_replace2(check, csum_load16(was), csum_load16(now));
	case 4:
		return csum_replace4(check, csum_load32(was), csum_load32(now));
	case 16:
		return csum_replace16(check, was, now);
	default:
		return csum_replace_by_diff(check,
					    csum_diff(was, n, now, n, at, 0));
	}
}

/* The same sum in pieces, in any order, and scattered. */
static void in_pieces(struct input *in, const uint8_t *m, size_t len)
{
	const size_t skip = take(in, 2) % (len + 1);
	const size_t most = take(in, 2) % (len + 1);
	const size_t n = most < len - skip ? most : len - skip;
	struct iovec iov[PIECES];
	csum_wsum forward = 0, backward = 0, whole;
	uint8_t *copy = exact(m, len);
	size_t at = 0;

	for (unsigned i = 0; i < PIECES; i++) {
		size_t left = len - at;
		size_t step = i + 1 == PIECES ? left : take(in, 2) % (left + 1);

		iov[i] = (struct iovec){ exact(m + at, step), step };
		at += step;
	}
	at = 0;
	for (unsigned i = 0; i < PIECES; i++) {
		forward = csum_combine(
			forward,
			csum_partial(iov[i].iov_base, iov[i].iov_len, 0), at);
		at += iov[i].iov_len;
	}
	for (unsigned i = PIECES; i-- > 0;) {
		at -= iov[i].iov_len;
		backward = csum_combine(backward,
					csum_copy(copy + at, iov[i].iov_base,
						  iov[i].iov_len, 0),
					at);
	}
	whole = csum_partial(m, len, 0);
	REQUIRE(csum_to16(forward) == model_sum(m, len));
	REQUIRE(csum_to16(backward) == model_sum(m, len));
	REQUIRE(memcmp(copy, m, len) == 0);
	REQUIRE(csum_to16(csum_iov(iov, PIECES, skip, most, 0)) ==
		model_sum(m + skip, n));
	REQUIRE(same(
		csum_to16(csum_uncombine(whole, csum_partial(m, skip, 0), 0)),
		csum_to16(csum_shift(csum_partial(m + skip, len - skip, 0),
				     skip))));
	for (unsigned i = 0; i < PIECES; i++)
		free(iov[i].iov_base);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	const size_t len = 17 + take(&in, 2) % (MESSAGE - 17);
	uint8_t *m = calloc(1, len);
	csum_sum16 check;

	REQUIRE(m);
	for (size_t i = 0; i < len && in.n > 64; i++)
		m[i] = (uint8_t)take(&in, 1);
	check = csum_fold(csum_partial(m, len, 0));
	for (unsigned i = 0; i < 32 && in.n; i++) {
		check = change(&in, m, len, check);
		REQUIRE(same((uint16_t)~check, model_sum(m, len)));
	}
	in_pieces(&in, m, len);
	free(m);
	return 0;
}
