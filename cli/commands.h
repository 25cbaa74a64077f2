/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * commands.h - one row for each command, in the order of `csum --help`:
 * COMMAND(NAME, WHAT).  cmd_NAME() and NAME_line, its command line, are in the
 * folder of the command.
 *
 * To be included where COMMAND is defined; no guard, since commands.c and cli.h
 * make different things of the rows.
 */
COMMAND(verify, "find the bad checksums in capture files")
COMMAND(merge, "add up what verify said of parts of an archive")
COMMAND(explain, "show how the checksums of a packet come about")
COMMAND(fix, "write the right checksums into a capture file")
COMMAND(break, "make checksums wrong, to test other tools")
COMMAND(sum, "checksum of any bytes")
COMMAND(bench, "measure the routines on this machine")
COMMAND(report, "make a page of what bench or verify said")
COMMAND(elect, "find the best routine for this machine")
COMMAND(routines, "list the routines and which one is active")
