/* SPDX-License-Identifier: BSD-2-Clause */
/* decode_options.c - what is in a packet, as a user says it. */
#include "decode_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* --- --decode-as list ------------------------------------------------------
 */

static void print_rows(enum decode_table t)
{
	size_t n;
	const struct decode_row *rows = decode_rows(t, &n);

	for (size_t i = 0; i < n; i++) {
		const bool port = t == DECODE_UDP || t == DECODE_TCP;
		char number[24];
		int len = snprintf(number, sizeof(number),
				   port ? "%u" : "0x%04x", rows[i].first);

		if (rows[i].last != rows[i].first)
			snprintf(number + len, sizeof(number) - (size_t)len,
				 port ? "-%u" : "-0x%04x", rows[i].last);
		printf("%s==%s,%s%s\n", decode_table_name(t), number,
		       rows[i].as->name,
		       rows[i].answers ? " (also from that port)" : "");
	}
}

static void print_decoders(void)
{
	const struct decoder *d;

	puts("\nWhat a number can be taken for:");
	for (size_t i = 0; (d = decoder_at(i)); i++)
		printf("  %-12s %s%s\n", d->name, d->what,
		       d->walk ? "" : " (behind an ethertype only)");
}

static void print_list(void)
{
	puts("Known without being told:");
	for (int t = 0; t < DECODE_TABLES; t++)
		print_rows((enum decode_table)t);
	print_decoders();
}

/* --- the options -----------------------------------------------------------
 */

enum { OPTION_DECODE_AS = 0x300, OPTION_LINK_TYPE, OPTION_ESP_NULL };

static const struct argp_option options[] = {
	{ "decode-as", OPTION_DECODE_AS, "TABLE==NUMBER,NAME", 0,
	  "Take what stands behind this number for NAME, as in "
	  "udp.port==10001,vxlan; can be given several times.  \"list\" prints "
	  "all tables, numbers and names",
	  3 },
	{ "link-type", OPTION_LINK_TYPE, "N", 0,
	  "The link type of every packet, whatever the file says; a number of "
	  "tcpdump.org",
	  3 },
	{ "esp-null", OPTION_ESP_NULL, NULL, 0,
	  "ESP is not encrypted (RFC 2410): look into it", 3 },
	{ 0 },
};

static void decode_as(struct argp_state *state, struct walk_rules *r,
		      const char *arg)
{
	const char *wrong;

	if (strcmp(arg, "list") == 0) {
		print_list();
		exit(EXIT_CLEAN);
	}
	wrong = walk_rules_add(r, arg);
	if (wrong)
		argp_error(state, "--decode-as: '%s' %s", arg, wrong);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct walk_rules *r = state->input;
	uint64_t n;

	switch (key) {
	case OPTION_DECODE_AS:
		decode_as(state, r, arg);
		return 0;
	case OPTION_LINK_TYPE:
		if (!parse_size(arg, &n) || n > UINT16_MAX)
			argp_error(state, "'%s' is not a link type", arg);
		r->has_linktype = true;
		r->linktype = (uint32_t)n;
		return 0;
	case OPTION_ESP_NULL:
		r->esp_null = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp decode_argp = {
	options, parse, NULL, NULL, NULL, NULL, NULL
};

const struct walk_rules *rules_or_none(const struct walk_rules *r)
{
	return r->count || r->has_linktype || r->esp_null ? r : NULL;
}
