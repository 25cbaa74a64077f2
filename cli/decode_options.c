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

bool take_decode_as(const struct option_use *use)
{
	const char *wrong;

	if (strcmp(use->arg, "list") == 0) {
		print_list();
		exit(EXIT_CLEAN);
	}
	wrong = walk_rules_add(use->target, use->arg);
	return !wrong || option_wrong(use, "'%s' %s", use->arg, wrong);
}

bool take_link_type(const struct option_use *use)
{
	struct walk_rules *r = use->target;
	uint64_t n;

	if (!parse_size(use->arg, &n) || n > UINT16_MAX)
		return option_wrong(use, "'%s' is not a link type", use->arg);
	r->has_linktype = true;
	r->linktype = (uint32_t)n;
	return true;
}

bool take_esp_null(const struct option_use *use)
{
	((struct walk_rules *)use->target)->esp_null = true;
	return true;
}

struct input_form form_of(unsigned form, const struct walk_rules *r)
{
	return (struct input_form){ .form = form,
				    .has_linktype = r->has_linktype,
				    .linktype = r->linktype };
}

const struct walk_rules *rules_or_none(const struct walk_rules *r)
{
	return r->count || r->has_linktype || r->esp_null ? r : NULL;
}
