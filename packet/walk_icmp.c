/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk_icmp.c - what ICMP and ICMPv6 messages carry: the start of the packet
 * that an error is about, and extensions (RFC 4884).
 */
#include <stddef.h>

#include "layer.h"

enum { ICMP_HEADER = 8 };

/* One kind of message, and where it counts the bytes of its quote, if so. */
struct icmp_kind {
	uint8_t type;
	bool quotes;
	uint8_t length_at, unit; /* 0: it does not count them */
};

static const struct icmp_kind icmp_kinds[] = {
	{ 3, true, 5, 4 },   /* destination unreachable */
	{ 4, true, 0, 0 },   /* source quench */
	{ 5, true, 0, 0 },   /* redirect */
	{ 11, true, 5, 4 },  /* time exceeded */
	{ 12, true, 5, 4 },  /* parameter problem */
	{ 42, false, 0, 0 }, /* extended echo request, RFC 8335 */
};

static const struct icmp_kind icmpv6_kinds[] = {
	{ 1, true, 4, 8 },    /* destination unreachable */
	{ 2, true, 0, 0 },    /* packet too big */
	{ 3, true, 4, 8 },    /* time exceeded */
	{ 4, true, 0, 0 },    /* parameter problem */
	{ 160, false, 0, 0 }, /* extended echo request, RFC 8335 */
};

static const struct icmp_kind *find_kind(uint8_t type, bool ipv6)
{
	const struct icmp_kind *kinds = ipv6 ? icmpv6_kinds : icmp_kinds;
	size_t n = ipv6 ? sizeof(icmpv6_kinds) / sizeof(*kinds)
			: sizeof(icmp_kinds) / sizeof(*kinds);

	for (size_t i = 0; i < n; i++)
		if (kinds[i].type == type)
			return &kinds[i];
	return NULL;
}

/* RFC 4884, section 7: version 2, and a sum over all that is left. */
static void walk_extension(struct layer *l)
{
	enum { EXTENSION_HEADER = 4, EXTENSION_VERSION = 2, FIELD = 2 };
	const uint8_t *h = layer_peek(l, EXTENSION_HEADER);
	struct site *s = walk_add(l, PROTO_ICMP_EXT);

	s->rule = RULE_OPTIONAL;
	s->has_field = h;
	s->field = l->at + FIELD;
	s->len = (uint32_t)(l->end - l->at);
	s->reason = h ? layer_lack(l, s->len) : layer_lack(l, EXTENSION_HEADER);
	if (h && h[0] >> 4 != EXTENSION_VERSION)
		s->reason = REASON_VERSION;
}

/*
 * Where the quote ends, BYTES from its start.  In front of an extension it is
 * padded with zeros to 128 bytes and counted; RFC 4884, section 5.5, tells of
 * senders that do not count it, and how to know those.  0: there is none.
 */
static uint32_t quote_length(const struct layer *l, const struct icmp_kind *k,
			     const uint8_t *h)
{
	enum { UNCOUNTED = 128, EXTENSION_MIN = 8 };
	uint32_t len = k->unit ? (uint32_t)h[k->length_at] * k->unit : 0;
	uint32_t at = ICMP_HEADER + UNCOUNTED;
	uint32_t total = (uint32_t)(l->end - l->at);

	/* older senders put other things where the length is now */
	if (len > total - ICMP_HEADER)
		len = 0;
	if (len || !k->unit || total < at + EXTENSION_MIN ||
	    !layer_peek(l, total))
		return len;
	/* version 2, reserved bits 0, a sum that is there and right */
	if (be16(h + at) != 0x2000 || be16(h + at + 2) == 0 ||
	    !csum_ok(csum_partial(h + at, total - at, 0)))
		return 0;
	return UNCOUNTED;
}

/*
 * The quoted packet in what is left of @l, @len of it if that is not 0.  What
 * is padding in front of an extension and what is data cannot be told.
 */
static void walk_quote(const struct layer *l, bool ipv6, uint32_t len)
{
	struct layer quote = *l;

	quote.class = SITE_QUOTED;
	if (len && len < quote.end - quote.at) {
		quote.end = quote.at + len;
		while (quote.end > quote.at && quote.end <= l->packet->caplen &&
		       l->packet->data[quote.end - 1] == 0)
			quote.end--;
	}
	if (!layer_enter(&quote))
		return;
	if (ipv6)
		walk_ipv6(&quote);
	else
		walk_ipv4(&quote);
}

/*
 * RFC 4861, sections 4.5 and 4.6.3: behind two addresses are options of a type
 * and a length in 8 bytes; that of type 4 has the packet behind 8 bytes.
 */
static void walk_redirect(struct layer *l)
{
	enum { ADDRESSES = 32, REDIRECTED = 4, OPTION_HEADER = 8 };
	const uint8_t *p;

	if (!layer_peek(l, ICMP_HEADER + ADDRESSES) || !layer_enter(l))
		return;
	layer_skip(l, ICMP_HEADER + ADDRESSES);
	while ((p = layer_peek(l, 2)) && p[1]) {
		struct layer option = *l;
		const uint32_t len = 8u * p[1];

		option.end = (uint64_t)l->at + len;
		if (p[0] == REDIRECTED && len > OPTION_HEADER &&
		    layer_peek(&option, OPTION_HEADER)) {
			layer_skip(&option, OPTION_HEADER);
			walk_quote(&option, true, 0);
		}
		if (!layer_peek(l, len))
			return;
		layer_skip(l, len);
	}
}

void walk_icmp_payload(struct layer *l, bool ipv6)
{
	enum { REDIRECT = 137 };
	const uint8_t *h = layer_peek(l, ICMP_HEADER);
	const struct icmp_kind *k = h ? find_kind(h[0], ipv6) : NULL;
	uint32_t len;

	if (h && ipv6 && h[0] == REDIRECT && l->class != SITE_QUOTED) {
		walk_redirect(l);
		return;
	}
	if (!k || l->class == SITE_QUOTED || !layer_enter(l))
		return;
	len = quote_length(l, k, h);
	layer_skip(l, ICMP_HEADER);
	if (k->quotes && l->at < l->end)
		walk_quote(l, ipv6, len);
	if (k->quotes && (!len || len >= layer_captured(l)))
		return;
	layer_skip(l, len);
	if (l->at < l->end)
		walk_extension(l);
}
