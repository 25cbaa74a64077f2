/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csum-plugin.h - a routine of your own, measured by `csum bench --load FILE`.
 *
 * This header is all that is needed.  Make a shared object that holds the table
 * and load it:
 *
 *   #include <csum-plugin.h>
 *
 *   static uint32_t my_sum(const void *buf, size_t len, uint32_t sum) { ... }
 *
 *   CSUM_PLUGIN = {
 *           { .name = "mine", .idea = "what is new about it", .sum = my_sum },
 *           { .name = NULL },
 *   };
 *
 *   cc -O2 -shared -fPIC mine.c -o mine.so && csum bench --load ./mine.so
 *
 * Before it is timed it is held to the model at many lengths, alignments and
 * data, with unreadable pages around the bytes, which it cannot write.  If it
 * is wrong anywhere, or a call takes more than five seconds, nothing is timed.
 */
#ifndef CSUM_PLUGIN_H
#define CSUM_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct csum_plugin_routine {
	const char *name; /* letters, digits and '_'; NULL ends the table */
	const char *idea; /* one line */

	/*
	 * Reads exactly [buf, buf+len), at any alignment, and returns a 32-bit
	 * sum that is congruent, mod 0xffff, to @sum plus all 16-bit words as
	 * they lie in memory, an odd last byte counting as [b,0].  It is 0 only
	 * if @sum and all bytes are.  Or NULL.
	 */
	uint32_t (*sum)(const void *buf, size_t len, uint32_t sum);

	/*
	 * The same, and writes the bytes to exactly [dst, dst+len), which do
	 * not overlap the source.  Or NULL.
	 */
	uint32_t (*copy)(void *dst, const void *src, size_t len, uint32_t sum);

	/*
	 * BYTES up to which it is right, 0 for any number.  It is neither tried
	 * nor timed beyond; the table then says so.
	 */
	size_t max;
};

/* The name changes if the struct does, so that no old object is misread. */
#define CSUM_PLUGIN                                                            \
	__attribute__((visibility("default")))                                 \
	const struct csum_plugin_routine csum_plugin_1[]

extern CSUM_PLUGIN;

#ifdef __cplusplus
}
#endif

#endif
