/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decode_options.h - how a user says what is in a file and in its packets, in
 * three commands.
 */
#ifndef CSUM_DECODE_OPTIONS_H
#define CSUM_DECODE_OPTIONS_H

#include "decode.h"
#include "options.h"
#include "reader.h"

bool take_decode_as(const struct option_use *use);
bool take_link_type(const struct option_use *use);
bool take_esp_null(const struct option_use *use);

/* Rows for a command; @at: where its unsigned for enum form is. */
#define FORM_ROWS(at)                                                          \
	{ .name = "hex",                                                       \
	  .letter = 'x',                                                       \
	  .take = option_set,                                                  \
	  .target = (at),                                                      \
	  .value = FORM_HEX,                                                   \
	  .help = "FILE is a hex dump, even if it is not recognised as one" }, \
	{                                                                      \
		.name = "raw", .take = option_set, .target = (at),             \
		.value = FORM_RAW,                                             \
		.help = "FILE has the bytes of one packet and nothing else"    \
	}

/* Rows for a command; @at: where its struct walk_rules is, see OPTION_AT. */
#define DECODE_ROWS(at)                                                        \
	{ .help = "What is in a packet" },                                     \
		{ .name = "decode-as",                                         \
		  .arg = "TABLE==NUMBER,NAME",                                 \
		  .take = take_decode_as,                                      \
		  .target = (at),                                              \
		  .help = "Take what stands behind this number for NAME, as "  \
			  "in udp.port==10001,vxlan; can be given several "    \
			  "times.  \"list\" prints all tables, numbers and "   \
			  "names" },                                           \
		{ .name = "link-type",                                         \
		  .arg = "N",                                                  \
		  .take = take_link_type,                                      \
		  .target = (at),                                              \
		  .help = "The link type of every packet, whatever the file "  \
			  "says; a number of tcpdump.org" },                   \
	{                                                                      \
		.name = "esp-null", .take = take_esp_null, .target = (at),     \
		.help = "ESP is not encrypted (RFC 2410): look into it"        \
	}

/* What they and --link-type say of a file. */
struct input_form form_of(unsigned form, const struct walk_rules *r);

/* @r, or NULL if nothing was said: then the walk looks for no rules. */
const struct walk_rules *rules_or_none(const struct walk_rules *r);

#endif
