/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_header.cpp - csum.h is C++ too, first in the file and included twice;
 * and csum.hpp.
 */
#include "csum.h"
#include "csum.hpp"

#include <cstring>

#include "tap.h"

int main()
{
	const unsigned char d[8] = { 0, 1, 0xf2, 3, 0xf4, 0xf5, 0xf6, 0xf7 };
	unsigned char hdr[20] = { 0x45 }, copy[8];

	hdr[8] = 2;
	csum_store16(hdr + CSUM_FIELD_IPV4, csum_ipv4_header(hdr, 5));
	tap_ok(csum_fold(csum_partial(d, 8, 0)) == csum_be16_from_host(0x220d),
	       "the example of RFC 1071 from C++");
	tap_ok(csum_ipv4_dec_ttl(hdr) == 1 && csum_ipv4_header(hdr, 5) == 0,
	       "inline functions from C++");
	tap_ok(csum_copy(copy, d, 8, 0) == csum_partial(d, 8, 0) &&
		       std::memcmp(copy, d, 8) == 0,
	       "library functions from C++");
	const csum::sum16 check = csum::fold(
		csum::add(csum::partial(d, 4), csum::partial(d + 4, 4)));
	tap_ok(check.value() == csum_fold(csum_partial(d, 8, 0)) &&
		       csum::ok(csum::partial(
			       &check, 2,
			       csum::combine(csum::partial(d, 3),
					     csum::partial(d + 3, 5), 3))),
	       "csum.hpp computes what csum.h does");
	tap_ok(csum::replace2(check, csum::load16(d),
			      csum::be16_from_host(uint16_t(0x1234))) ==
			       csum::sum16(csum_replace2(check.value(),
							 csum_load16(d),
							 CSUM_BE16(0x1234))) &&
		       csum::udp_keep(csum::sum16(), check) == csum::sum16(),
	       "and updates as csum.h does");
	return tap_done();
}
