/* SPDX-License-Identifier: BSD-2-Clause */
/* judge.h - the verdicts on all checksum sites of one packet. */
#ifndef PACKET_JUDGE_H
#define PACKET_JUDGE_H

#include "check.h"
#include "walk.h"

/*
 * The one function that decides, for those who report and for those who repair.
 *
 * @frame: the packet of @walk.
 * @checks: as many as the walk has sites.  An open site is of a message in
 * fragments, which has a verdict when it is complete; here it has none yet and
 * is unverifiable.
 */
void judge_packet(const struct walk *walk, const uint8_t *frame,
		  struct check *checks);

#endif
