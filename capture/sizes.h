/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sizes.h - how much is read, written and handed over at once.
 *
 * With CAPTURE_SMALL, as in the fuzz targets, so little that a file of some
 * hundred bytes crosses every border.
 */
#ifndef CAPTURE_SIZES_H
#define CAPTURE_SIZES_H

#ifndef CAPTURE_SMALL

enum {
	/*
	 * BYTES of the window at first.  Many packets for each time that one
	 * thread hands the reading over to another: with 256 KiB, two threads
	 * were no faster than one.  Not much more than a L2 cache holds.
	 */
	WINDOW_SIZE = 1 << 20,
	/* BYTES left in front of what is read ahead, for a packet that begins
	 * before. */
	WINDOW_HEADROOM = 1 << 16,
	AHEAD_BYTES = 1 << 20,
	BATCH_PACKETS = 4096,
	UNPACK_BYTES = 128 << 10, /* read at once from a compressed file */
	/*
	 * What a pipe gets is final, so the end of it may be held back: as long
	 * as it takes to see all fragments of a message, but not for messages
	 * that are never complete.
	 */
	HOLD_BYTES = 1 << 20,
	WRITE_BYTES = 256 << 10,
};

#else

enum {
	WINDOW_SIZE = 64,
	WINDOW_HEADROOM = 32,
	AHEAD_BYTES = 48,
	BATCH_PACKETS = 3,
	UNPACK_BYTES = 16,
	HOLD_BYTES = 64,
	WRITE_BYTES = 24,
};

#endif

#endif
