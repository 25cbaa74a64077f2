/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk_ipfix.c - packets in an IPFIX message (RFC 7011): sections of frames and
 * of packets (RFC 7133; numbers of IANA), which are quotes as in sFlow.
 *
 * A data set is read by a template in the same message: the walk keeps nothing
 * between packets, so what was described in another one stays closed.
 */
#include <stddef.h>

#include "layer.h"

enum { MESSAGE_HEADER = 16, SET_HEADER = 4, TEMPLATE_HEADER = 4 };
enum { SET_TEMPLATE = 2, SET_OPTIONS = 3, SET_DATA_MIN = 256 };
enum { IP_SECTION = 313, FRAME_SECTION = 315 };
enum { VARIABLE = 0xffff, ENTERPRISE = 0x8000 };

/*
 * What a message may cost: a template with many empty fields, or many sets of
 * one record, would have each be read again for every other.
 */
enum { STEPS = 20000 };

/* Fields in front of the first record of a data set. */
struct template
{
	struct layer fields;
	uint16_t count;
};

/* The next field: its number (0 for those of enterprises) and its length. */
static bool next_field(struct layer *l, uint16_t *number, uint16_t *len)
{
	const uint8_t *p = layer_peek(l, 4);

	if (!p)
		return false;
	*number = be16(p);
	*len = be16(p + 2);
	layer_skip(l, 4);
	if (!(*number & ENTERPRISE))
		return true;
	*number = 0;
	if (!layer_peek(l, 4))
		return false;
	layer_skip(l, 4);
	return true;
}

/* The set at the front, as a layer of its own behind its header. */
static bool next_set(struct layer *l, uint16_t *id, struct layer *set)
{
	const uint8_t *p = layer_peek(l, SET_HEADER);
	uint32_t len = p ? be16(p + 2) : 0;

	if (len < SET_HEADER || !layer_peek(l, len))
		return false;
	*id = be16(p);
	*set = *l;
	set->end = (uint64_t)set->at + len;
	layer_skip(set, SET_HEADER);
	layer_skip(l, len);
	return true;
}

/* Template @id in the set @l; options have a count of scopes in addition. */
static bool find_in_set(struct layer *l, uint16_t set_id, uint16_t id,
			struct template *t, int *steps)
{
	const uint8_t *p;

	while ((p = layer_peek(l, TEMPLATE_HEADER))) {
		uint16_t number, len, count = be16(p + 2);

		layer_skip(l, TEMPLATE_HEADER);
		if (set_id == SET_OPTIONS) {
			if (!layer_peek(l, 2))
				return false;
			layer_skip(l, 2);
		}
		if (be16(p) == id) {
			*t = (struct template){ *l, count };
			return true;
		}
		while (count--)
			if (--*steps < 0 || !next_field(l, &number, &len))
				return false;
	}
	return false;
}

static bool find_template(struct layer all, uint16_t id, struct template *t,
			  int *steps)
{
	struct layer set;
	uint16_t set_id;

	while (--*steps >= 0 && next_set(&all, &set_id, &set))
		if ((set_id == SET_TEMPLATE || set_id == SET_OPTIONS) &&
		    find_in_set(&set, set_id, id, t, steps))
			return true;
	return false;
}

static void walk_section(const struct layer *l, uint16_t number, uint32_t len)
{
	struct layer quote = *l;

	quote.class = SITE_QUOTED;
	quote.end = (uint64_t)quote.at + len;
	if (!len || !layer_enter(&quote))
		return;
	if (number == FRAME_SECTION)
		walk_ethernet(&quote);
	else if (fit_ip(&quote, 0))
		walk_either_ip(&quote);
}

/* RFC 7011, section 7: a length in one byte, or behind 255 in two more. */
static bool variable_length(struct layer *l, uint32_t *len)
{
	const uint8_t *p = layer_peek(l, 1);

	if (!p)
		return false;
	layer_skip(l, 1);
	*len = p[0];
	if (*len < 255)
		return true;
	p = layer_peek(l, 2);
	if (!p)
		return false;
	layer_skip(l, 2);
	*len = be16(p);
	return true;
}

/* One record; false if there is none. */
static bool walk_data_record(struct layer *l, const struct template *t,
			     int *steps)
{
	struct layer fields = t->fields;
	const uint32_t from = l->at;

	for (uint16_t i = 0; i < t->count; i++) {
		uint16_t number, fixed;
		uint32_t len;

		if (--*steps < 0 || !next_field(&fields, &number, &fixed))
			return false;
		len = fixed;
		if (fixed == VARIABLE && !variable_length(l, &len))
			return false;
		if (!layer_peek(l, len))
			return false;
		if (number == FRAME_SECTION || number == IP_SECTION)
			walk_section(l, number, len);
		layer_skip(l, len);
	}
	return l->at > from;
}

void walk_ipfix(struct layer *l)
{
	enum { VERSION = 10 };
	const uint8_t *p = layer_peek(l, MESSAGE_HEADER);
	struct layer sets, set;
	bool closed = false;
	int steps = STEPS;
	uint16_t id;

	if (!p || be16(p) != VERSION || be16(p + 2) < MESSAGE_HEADER ||
	    be16(p + 2) > l->end - l->at)
		return;
	l->end = (uint64_t)l->at + be16(p + 2);
	layer_skip(l, MESSAGE_HEADER);
	sets = *l;
	while (--steps >= 0 && next_set(l, &id, &set)) {
		struct template t;

		if (id < SET_DATA_MIN)
			continue;
		if (!find_template(sets, id, &t, &steps))
			closed = true;
		else
			while (walk_data_record(&set, &t, &steps))
				;
	}
	if (!closed && steps >= 0)
		walk_nothing(l);
}
