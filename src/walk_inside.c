/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk_inside.c - the part of packet/ that finds, judges and repairs the sums
 * of one packet, for csum_check.c.
 *
 * All of it in one file: one line of cc over src/ is to build the library, and
 * packet/ by itself has names that a program may have, too.  The sources follow
 * one another here, so what is static in them has to differ.
 */
#include "walk_inside.h"

#include "../packet/check.c"
#include "../packet/decode.c"
#include "../packet/judge.c"
#include "../packet/repair.c"
#include "../packet/site.c"
#include "../packet/walk.c"
#include "../packet/walk_device.c"
#include "../packet/walk_guess.c"
#include "../packet/walk_icmp.c"
#include "../packet/walk_ip.c"
#include "../packet/walk_ipfix.c"
#include "../packet/walk_link.c"
#include "../packet/walk_lowpan.c"
#include "../packet/walk_over_udp.c"
#include "../packet/walk_ppp.c"
#include "../packet/walk_sflow.c"
#include "../packet/walk_tunnel.c"
#include "../packet/walk_upper.c"
#include "../packet/walk_wlan.c"
