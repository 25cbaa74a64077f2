/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decode.h - which number stands for which protocol, and what can be said
 * otherwise: one table for the walk, for the user who lists it, and for the
 * user who adds to it.
 */
#ifndef PACKET_DECODE_H
#define PACKET_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet.h"

struct layer;

/* Where the number stands. */
enum decode_table {
	DECODE_ETHERTYPE,
	DECODE_GRE, /* what is not in there is an ethertype */
	DECODE_UDP, /* a port */
	DECODE_TCP, /* a port; nothing is known by default */
	DECODE_TABLES
};

/* How the bytes behind such a number are read. */
struct decoder {
	const char *name; /* that of tshark -d, where tshark has one */
	const char *what;
	/* From the first byte behind the number on; NULL: it is a tag. */
	void (*walk)(struct layer *l);
	/* BYTES of a tag, the next ethertype at its end; 0: not such a tag. */
	uint32_t (*tag)(const struct layer *l);
	/* It counts as a layer of its own behind an ethertype. */
	bool enter;
	bool vlan; /* a tag of a VLAN: it begins with its identifier */
	/* UDP checksum 0 is allowed over IPv6: RFC 6935, section 5. */
	bool zero_udp;
};

/* A number that is always read in the same way. */
struct decode_row {
	uint16_t first, last; /* numbers, both included */
	/* A server answers from this port to that of a client. */
	bool answers;
	const struct decoder *as;
};

/* What a user says in addition; it goes before the table. */
enum { WALK_RULES = 32 };

struct walk_rules {
	struct {
		enum decode_table table;
		uint16_t number;
		const struct decoder *as;
	} rules[WALK_RULES];
	unsigned count;
	bool esp_null;	   /* ESP is taken to be readable, RFC 2410 */
	bool has_linktype; /* of every packet, whatever the file says */
	uint32_t linktype;
};

/*
 * Adds "TABLE==NUMBER,NAME", such as "udp.port==10001,vxlan".  NULL, or what is
 * wrong with @text.
 */
const char *walk_rules_add(struct walk_rules *r, const char *text);

/* @packet as the user says it is; @r may be NULL. */
static inline void walk_rules_apply(const struct walk_rules *r,
				    struct packet *packet)
{
	packet->rules = r;
	if (r && r->has_linktype)
		packet->linktype = r->linktype;
}

/* "udp.port" */
const char *decode_table_name(enum decode_table t);

/* The rows of a table in the order of their numbers. */
const struct decode_row *decode_rows(enum decode_table t, size_t *n);

/* No row is for what goes from one UDP port to the other: it is data. */
bool udp_ports_carry_data(uint16_t from, uint16_t to);

/* All that a number can be taken for; NULL behind the last one. */
const struct decoder *decoder_at(size_t i);

/* True if @d can stand behind a number of @t. */
bool decoder_fits(const struct decoder *d, enum decode_table t);

#endif
