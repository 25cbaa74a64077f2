/* SPDX-License-Identifier: BSD-2-Clause */
/* check.c - a site and its packet, to a verdict. */
#include "check.h"

/*
 * A sender that leaves the sum to its network card stores the sum of the
 * pseudo-header, not complemented; for a large send it may leave the length out
 * of it, since each segment will have another one.
 */
static bool holds_pseudo_header(const struct site *s, csum_sum16 found)
{
	csum_wsum no_length = csum_sub(s->pseudo, csum_be32_from_host(s->len));

	return s->pseudo &&
	       (found == csum_to16(s->pseudo) || found == csum_to16(no_length));
}

static enum verdict judge(const struct site *s, csum_sum16 found, csum_wsum sum)
{
	bool illegal = s->rule == RULE_UDP_REQUIRED && csum_udp_absent(found);

	if (csum_ok(csum_add(sum, csum_from16(found))) && !illegal)
		return VERDICT_GOOD;
	if (s->unfinished || holds_pseudo_header(s, found))
		return VERDICT_PARTIAL;
	return VERDICT_BAD;
}

struct check check_site(const struct site *s, const uint8_t *frame)
{
	struct check c = { .verdict = VERDICT_UNVERIFIABLE };
	csum_wsum sum;

	if (s->has_field)
		c.found = csum_load16(frame + s->field);
	if (s->has_field && s->rule == RULE_UDP && csum_udp_absent(c.found)) {
		/* true even of a fragment or a malformed datagram */
		c.verdict = VERDICT_ABSENT;
		return c;
	}
	if (s->reason)
		return c;
	sum = csum_add(s->pseudo, csum_without(frame + s->start, s->len,
					       s->field - s->start));
	c.expected =
		s->rule == RULE_PLAIN ? csum_fold(sum) : csum_fold_udp(sum);
	c.verdict = judge(s, c.found, sum);
	return c;
}

const char *verdict_name(enum verdict v)
{
	static const char *const names[VERDICT_COUNT] = {
		[VERDICT_GOOD] = "good",
		[VERDICT_BAD] = "bad",
		[VERDICT_PARTIAL] = "partial",
		[VERDICT_ABSENT] = "absent",
		[VERDICT_UNVERIFIABLE] = "unverifiable",
	};

	return names[v];
}
