/* SPDX-License-Identifier: BSD-2-Clause */
/* judge.c - the sites of a packet, to a verdict each. */
#include "judge.h"

void judge_packet(const struct walk *walk, const uint8_t *frame,
		  struct check *checks)
{
	for (unsigned i = 0; i < walk->count; i++)
		checks[i] = check_site(&walk->sites[i], frame);
}
