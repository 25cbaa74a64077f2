/* SPDX-License-Identifier: BSD-2-Clause */
/* frames.h - which frames of a file are meant: numbers, ranges, a flow. */
#ifndef CSUM_FRAMES_H
#define CSUM_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAME_RANGES = 64 };

/* Ranges, both ends included, in the order in which they were named. */
struct frames {
	unsigned count;
	struct frame_range {
		uint64_t first, last;
	} ranges[FRAME_RANGES];
};

/* Adds "3", "7-9" or "3,7-9"; false if @text is none, or there are too many. */
bool frames_add(struct frames *f, const char *text);

bool frames_have(const struct frames *f, uint64_t frame);

/* The greatest number that is named. */
uint64_t frames_last(const struct frames *f);

/*
 * "192.0.2.1:80-198.51.100.1:4000" as an expression of libpcap for both
 * directions; IPv6 addresses in brackets, and ports may be left out.  False if
 * @text is no flow, or @buf too small.
 */
bool flow_expression(const char *text, char *buf, size_t size);

#endif
