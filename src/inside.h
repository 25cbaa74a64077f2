/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inside.h - the public headers for the library's own files that call what
 * csum.c has: by names that no program can put its own functions under.
 */
#ifndef CSUM_INSIDE_H
#define CSUM_INSIDE_H

/* tests/emulate includes csum.h in front of each file: public names do there */
#ifndef CSUM_H
#define CSUM_API __attribute__((visibility("hidden")))
#define CSUM_LINK(name)                                                        \
	__asm__(CSUM_LINK_PREFIX(__USER_LABEL_PREFIX__) "csum_inside_" name)
#endif

#include "csum_packet.h"

/* csum_packet_check(), by a name that no program can put its own under. */
__attribute__((visibility("hidden"))) unsigned csum_inside_packet_check(
	const void *packet, size_t len, unsigned link, unsigned flags,
	struct csum_packet_detail *detail);

#endif
