/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * why.c - mistakes, made once more.
 *
 * All of them but a lost carry are sums from which something is taken out, or
 * to which something is added, so none needs a second look at the message.
 */
#include "why.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bytes.h"

struct list {
	struct why *out;
	unsigned n;
	uint32_t right;	   /* a mistake that comes to this is none */
	bool zero_is_none; /* 0 stands for no checksum, which must not be */
	bool udp;	   /* a sum of 0 is sent as 0xffff */
};

static void add_detail(struct list *l, enum cause cause, uint32_t value,
		       uint32_t detail)
{
	if (value == l->right || l->n == WHY_MAX)
		return;
	/* the other zero is right as well, but not the other way round */
	if (value == 0xffff && l->right == 0)
		return;
	/* several lengths or protocols can leave the same: one is enough */
	if (l->n && l->out[l->n - 1].cause == cause &&
	    l->out[l->n - 1].value == value)
		return;
	l->out[l->n++] = (struct why){
		.cause = cause,
		.value = value,
		.detail = detail,
	};
}

static void add(struct list *l, enum cause cause, uint32_t value)
{
	add_detail(l, cause, value, 0);
}

/* A folded sum that is not complemented, as a host integer. */
static uint32_t plain(csum_wsum sum)
{
	uint16_t folded = csum_to16(sum);

	return be16((const uint8_t *)&folded);
}

static uint32_t swap16(uint32_t v)
{
	return (v << 8 | v >> 8) & 0xffff;
}

static uint32_t swap32(uint32_t v)
{
	return swap16(v & 0xffff) << 16 | swap16(v >> 16);
}

/* --- the pseudo-header ---------------------------------------------------- */

static void wrong_length(struct list *l, const struct site *s, csum_wsum sum,
			 uint32_t len)
{
	const csum_wsum more =
		csum_sub(csum_be32_from_host(len),
			 csum_be32_from_host(s->pseudo_header.len));

	add_detail(l, CAUSE_LENGTH, site_value(s, csum_add(sum, more)), len);
}

static void wrong_lengths(struct list *l, const struct site *s,
			  const struct packet *packet, csum_wsum sum)
{
	const uint32_t len = s->pseudo_header.len;
	const uint8_t *ip = s->ip;

	wrong_length(l, s, sum, 0);
	wrong_length(l, s, sum, swap16(len));
	if (ip && ip[0] >> 4 == 4)
		wrong_length(l, s, sum, be16(ip + 2));
	if (ip && ip[0] >> 4 == 6) {
		wrong_length(l, s, sum, be16(ip + 4)); /* with extensions */
		wrong_length(l, s, sum, be16(ip + 4) + 40u);
	}
	/* without the header of its own */
	if (s->protocol == PROTO_TCP)
		wrong_length(l, s, sum,
			     len - 4u * (packet->data[s->start + 12] >> 4));
	if (s->protocol == PROTO_UDP)
		wrong_length(l, s, sum, len - 8);
	/* the header alone */
	wrong_length(l, s, sum, s->protocol == PROTO_TCP ? 20 : 8);
	wrong_length(l, s, sum, packet->wirelen - s->start);
}

static void wrong_protocol(struct list *l, const struct site *s, csum_wsum sum,
			   uint16_t number)
{
	const csum_wsum more =
		csum_sub(csum_be16_from_host(number),
			 csum_be16_from_host(s->pseudo_header.protocol));

	add_detail(l, CAUSE_PROTOCOL, site_value(s, csum_add(sum, more)),
		   number);
}

static void wrong_protocols(struct list *l, const struct site *s, csum_wsum sum)
{
	/* ICMP, TCP, UDP, ICMPv6 */
	static const uint8_t others[] = { 0, 1, 6, 17, 58 };
	const uint8_t *ip = s->ip;

	/* the first of the extension headers instead of what is behind them */
	if (ip)
		wrong_protocol(l, s, sum, ip[0] >> 4 == 6 ? ip[6] : ip[9]);
	/* in the high byte of its word */
	wrong_protocol(l, s, sum, (uint16_t)(s->pseudo_header.protocol << 8));
	for (size_t i = 0; i < sizeof(others); i++)
		wrong_protocol(l, s, sum, others[i]);
}

static void wrong_address(struct list *l, const struct site *s, csum_wsum sum,
			  enum cause cause, const uint8_t *right,
			  const uint8_t *wrong)
{
	const size_t len = s->pseudo_header.ipv6 ? 16 : 4;
	csum_wsum more = csum_sub(csum_partial(wrong, len, 0),
				  csum_partial(right, len, 0));

	add(l, cause, site_value(s, csum_add(sum, more)));
}

static void wrong_pseudo(struct list *l, const struct site *s,
			 const struct packet *packet, csum_wsum sum)
{
	const struct pseudo *p = &s->pseudo_header;

	add(l, CAUSE_NO_PSEUDO, site_value(s, csum_sub(sum, s->pseudo)));
	add(l, CAUSE_PSEUDO_TWICE, site_value(s, csum_add(sum, s->pseudo)));
	wrong_lengths(l, s, packet, sum);
	wrong_protocols(l, s, sum);
	if (!s->ip)
		return;
	wrong_address(l, s, sum, CAUSE_DESTINATION, p->dst,
		      s->ip + (p->ipv6 ? 24 : 16));
	wrong_address(l, s, sum, CAUSE_SOURCE, p->src,
		      s->ip + (p->ipv6 ? 8 : 12));
}

/* ICMP and IGMP have none, and are the only ones that get one by mistake. */
static void needless_pseudo(struct list *l, const struct site *s, csum_wsum sum)
{
	const uint8_t *ip = s->ip;

	if (!ip || ip[0] >> 4 != 4 || s->protocol == PROTO_IPV4 ||
	    s->rule == RULE_PSEUDO_OPTIONAL)
		return;
	sum = csum_pseudo_ipv4(csum_load32(ip + 12), csum_load32(ip + 16),
			       s->len, ip[9], sum);
	add(l, CAUSE_PSEUDO, site_value(s, sum));
}

/* --- the message ------------------------------------------------------------
 */

static void odd_byte(struct list *l, const struct site *s, const uint8_t *frame,
		     csum_wsum sum)
{
	const csum_wsum last =
		csum_partial(frame + s->start + s->len - 1, 1, 0);
	const csum_wsum without = csum_sub(sum, last);

	if (s->len % 2 == 0 || s->rule == RULE_LAST_BYTE_LOW)
		return;
	add(l, CAUSE_ODD_SIDE, site_value(s, csum_combine(without, last, 1)));
	add(l, CAUSE_ODD_LEFT_OUT, site_value(s, without));
}

/* What lies behind the message in the frame, perhaps without its FCS. */
static void trailer(struct list *l, const struct site *s,
		    const struct packet *packet, csum_wsum sum)
{
	const uint32_t end = s->start + s->len, have = packet->caplen - end;

	if (s->rule == RULE_ALL_ALLOWED)
		return;
	for (uint32_t fcs = 0; fcs <= 4; fcs += 4) {
		uint32_t n = have > fcs ? have - fcs : 0;
		csum_wsum more = csum_partial(packet->data + end, n, 0);
		csum_wsum all = csum_combine(sum, more, s->len);

		if (!n)
			continue;
		add_detail(l, CAUSE_TRAILER, site_value(s, all), n);
		if (s->pseudo)
			add_detail(
				l, CAUSE_TRAILER,
				site_value(s, csum_add(all,
						       csum_be32_from_host(n))),
				n);
	}
}

static void only_20_bytes(struct list *l, const struct site *s,
			  const uint8_t *frame)
{
	if (s->protocol == PROTO_IPV4 && s->len > 20)
		add(l, CAUSE_OPTIONS,
		    site_value(s, csum_without(frame + s->start, 20,
					       CSUM_FIELD_IPV4)));
}

/* Words of 16 bits, added without any carry coming back. */
struct raw {
	uint64_t big, little;
};

static void raw_add(struct raw *r, const uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i += 2) {
		const uint8_t word[2] = { p[i], i + 1 < len ? p[i + 1] : 0 };

		r->big += be16(word);
		r->little += le16(word);
	}
}

/* All that @s covers; its field and its hole begin at even places. */
static struct raw raw_sum(const struct site *s, const uint8_t *frame)
{
	const struct pseudo *p = &s->pseudo_header;
	const uint32_t end = s->start + s->len;
	struct raw r = { 0, 0 };
	uint32_t at = s->start;

	if (s->pseudo) {
		const uint8_t len[4] = { (uint8_t)(p->len >> 24),
					 (uint8_t)(p->len >> 16),
					 (uint8_t)(p->len >> 8),
					 (uint8_t)p->len };
		const uint8_t protocol[2] = { 0, p->protocol };

		raw_add(&r, p->src, p->ipv6 ? 16 : 4);
		raw_add(&r, p->dst, p->ipv6 ? 16 : 4);
		raw_add(&r, len, sizeof(len));
		raw_add(&r, protocol, sizeof(protocol));
	}
	while (at < end) {
		uint32_t n = end - at < 2 ? 1 : 2;

		if (at == s->field ||
		    (at >= s->hole && at - s->hole < s->hole_len)) {
			at += 2;
			continue;
		}
		raw_add(&r, frame + at, n);
		at += n;
	}
	return r;
}

/* Carries dropped, or added back once where that makes another one. */
static void lost_carry(struct list *l, const struct site *s,
		       const uint8_t *frame)
{
	const struct raw r = raw_sum(s, frame);
	const uint64_t big = (r.big & 0xffff) + (r.big >> 16);
	const uint64_t little = (r.little & 0xffff) + (r.little >> 16);

	if (s->rule == RULE_LAST_BYTE_LOW)
		return;
	add(l, CAUSE_CARRY, ~big & 0xffff);
	add(l, CAUSE_CARRY, ~r.big & 0xffff);
	add(l, CAUSE_CARRY, swap16(~little & 0xffff));
	add(l, CAUSE_CARRY, swap16(~r.little & 0xffff));
}

/* --- all of them ---------------------------------------------------------- */

/* Of CRCs, and of Fletcher's sum, which has two bytes. */
static void mistakes_of_digest(struct list *l, unsigned width)
{
	add(l, CAUSE_LEFT_ZERO, 0);
	add(l, CAUSE_SWAPPED, width == 4 ? swap32(l->right) : swap16(l->right));
	add(l, CAUSE_COMPLEMENT, width == 4 ? ~l->right : l->right ^ 0xffff);
}

static bool is_udp(const struct site *s)
{
	return s->rule == RULE_UDP || s->rule == RULE_UDP_REQUIRED;
}

/* UDP alone says with 0 that there is no checksum. */
static enum cause zero_cause(const struct list *l)
{
	if (l->udp && l->right == 0xffff)
		return CAUSE_ZEROS;
	return l->zero_is_none ? CAUSE_NO_SUM : CAUSE_LEFT_ZERO;
}

static void mistakes_of_sum(struct list *l, const struct packet *packet,
			    const struct site *s)
{
	const uint8_t *frame = packet->data;
	const csum_wsum sum = site_sum(s, frame);
	const csum_be32 len = csum_be32_from_host(s->pseudo_header.len);

	if (s->pseudo) {
		add(l, CAUSE_OFFLOAD, plain(s->pseudo));
		add(l, CAUSE_LARGE_SEND, plain(csum_sub(s->pseudo, len)));
	}
	add(l, zero_cause(l), 0);
	add(l, CAUSE_SWAPPED, swap16(l->right));
	add(l, CAUSE_COMPLEMENT, plain(sum));
	if (s->pseudo)
		wrong_pseudo(l, s, packet, sum);
	else
		needless_pseudo(l, s, sum);
	odd_byte(l, s, frame, sum);
	trailer(l, s, packet, sum);
	only_20_bytes(l, s, frame);
	lost_carry(l, s, frame);
	if (is_udp(s))
		add(l, CAUSE_FILLED, 0xffff);
}

unsigned why_mistakes(const struct packet *packet, const struct site *s,
		      struct why *out)
{
	struct site required = *s;
	struct list l = { .out = out,
			  .zero_is_none = s->rule == RULE_UDP_REQUIRED,
			  .udp = is_udp(s) };

	if (s->rule == RULE_UDP)
		required.rule = RULE_UDP_REQUIRED;
	l.right = check_site(&required, packet->data).expected;
	if (!rule_is_sum(s->rule))
		mistakes_of_digest(&l, site_width(s));
	else
		mistakes_of_sum(&l, packet, &required);
	return l.n;
}

/* --- what has changed since -------------------------------------------------
 */

/*
 * With F in the field and E expected, the words once came to ~F and come to ~E
 * now: one that changed was greater by ~F - ~E = E - F (mod 0xffff).
 */
static uint32_t difference(const struct check *c)
{
	return (c->expected + 0xffff - c->found) % 0xffff;
}

static uint32_t word_before(const uint8_t *p, uint32_t diff)
{
	return (be16(p) + diff) % 0xffff;
}

static void changed(struct list *l, const char *field, uint32_t was,
		    uint32_t now)
{
	if (was == now || l->n == WHY_MAX)
		return;
	l->out[l->n++] = (struct why){
		.cause = CAUSE_CHANGED,
		.detail = was,
		.field = field,
		.now = now,
	};
}

/* Only the high or only the low byte of a word may differ. */
static void changed_byte(struct list *l, const char *field, const uint8_t *word,
			 bool high, uint32_t diff)
{
	const uint32_t was = word_before(word, diff), now = be16(word);

	if (high && (was & 0xff) == (now & 0xff))
		changed(l, field, was >> 8, now >> 8);
	else if (!high && was >> 8 == now >> 8)
		changed(l, field, was & 0xff, now & 0xff);
}

/*
 * Total lengths that other fields speak for: none, as in a large send; all of
 * the frame on the wire, as before it was cut; up to the end of its UDP
 * datagram.
 */
static void changed_total(struct list *l, const struct packet *packet,
			  const struct site *s, uint32_t diff)
{
	const uint8_t *ip = packet->data + s->start;
	const uint32_t was = word_before(ip + 2, diff);
	uint32_t udp = 0;

	if (ip[9] == 17 && packet->caplen - s->start >= s->len + 8)
		udp = s->len + be16(ip + s->len + 4);
	if (was == 0 || was == packet->wirelen - s->start || was == udp)
		changed(l, "total length", was, be16(ip + 2));
}

static void changed_ipv4(struct list *l, const struct packet *packet,
			 const struct site *s, uint32_t diff)
{
	const uint8_t *ip = packet->data + s->start;

	/* the rarer value first: another field speaks for it, or one bit */
	changed_total(l, packet, s, diff);
	/* "don't fragment", which stands alone in its word */
	if ((word_before(ip + 6, diff) ^ be16(ip + 6)) == 0x4000)
		changed(l, "flags", word_before(ip + 6, diff) >> 13,
			ip[6] >> 5);
	changed_byte(l, "TTL", ip + 8, true, diff);
	/* that of the protocol would look the same, but nobody changes it */
	changed_byte(l, "type of service", ip, false, diff);
}

/* Where the IP packet ends that @s is in, by its header. */
static uint32_t ip_end(const struct packet *packet, const struct site *s)
{
	const uint8_t *ip = s->ip;

	if (!ip)
		return 0;
	return (uint32_t)(ip - packet->data) +
	       (ip[0] >> 4 == 4 ? be16(ip + 2) : 40u + be16(ip + 4));
}

/*
 * A UDP length that once went to the end of its IP packet, or of the frame on
 * the wire, and then was made smaller, together with what it counts: it is in
 * the header and in the pseudo-header.  What was cut off is taken as it stands
 * there, or as zeros.
 */
static void changed_udp(struct list *l, const struct packet *packet,
			const struct site *s, uint32_t diff)
{
	const uint32_t end = s->start + s->len;
	const uint32_t ends[] = { ip_end(packet, s), packet->wirelen };

	for (int i = 0; i < 2; i++) {
		uint32_t n = ends[i] > end ? ends[i] - end : 0;
		uint32_t have =
			packet->caplen - end < n ? packet->caplen - end : n;
		csum_wsum more = csum_combine(
			csum_be32_from_host(2 * n),
			csum_partial(packet->data + end, have, 0), s->len);

		if (n && s->len + n <= UINT16_MAX &&
		    plain(more) % 0xffff == diff)
			changed(l, "length", s->len + n, s->len);
	}
}

/* Maximum segment size (RFC 9293, section 3.2), as routers lower it. */
static void changed_mss(struct list *l, const uint8_t *tcp, uint32_t diff)
{
	/* a MTU of 1500, 1492, 9000 and 65536 without IPv4 or IPv6 and TCP */
	static const uint16_t usual[] = { 1460, 1440,  1452,  1432,  8960,
					  8940, 65496, 65476, 65495, 65483 };
	const uint32_t header = 4u * (tcp[12] >> 4);
	uint32_t was;

	/* nearly all senders put it first */
	if (!(tcp[13] & 2) || header < 24 || tcp[20] != 2 || tcp[21] != 4)
		return;
	was = word_before(tcp + 22, diff);
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		if (was == usual[i])
			changed(l, "maximum segment size", was, be16(tcp + 22));
}

/*
 * Which fields can have changed so that only a few values were possible before:
 * a header of 20 bytes and a random difference give such a one in less than
 * 1 of 100 cases.
 */
static void changed_fields(struct list *l, const struct packet *packet,
			   const struct site *s, uint32_t diff)
{
	const uint8_t *msg = packet->data + s->start;

	switch (s->protocol) {
	case PROTO_IPV4:
		changed_ipv4(l, packet, s, diff);
		break;
	case PROTO_TCP:
		changed_mss(l, msg, diff);
		break;
	case PROTO_UDP:
		changed_udp(l, packet, s, diff);
		break;
	case PROTO_ICMP:
	case PROTO_ICMPV6:
		changed_byte(l, "type", msg, true, diff);
		break;
	default:
		break;
	}
}

/*
 * The site that shares its addresses with @s, a neighbour in @walk: the IPv4
 * header and what it carries.  NULL: there is none.
 */
static const struct site *shares_addresses(const struct packet *packet,
					   const struct site *s,
					   const struct walk *walk)
{
	const unsigned i = (unsigned)(s - walk->sites);
	const bool is_header = s->protocol == PROTO_IPV4;
	const struct site *header, *message;

	if (is_header ? i + 1 == walk->count : i == 0)
		return NULL;
	header = is_header ? s : s - 1;
	message = header + 1;
	if (header->protocol != PROTO_IPV4 || !message->pseudo ||
	    message->ip != packet->data + header->start)
		return NULL;
	return is_header ? message : header;
}

/*
 * The IPv4 header and what it carries are wrong by the same difference: what
 * has changed is in both sums, and that is an address.
 */
static bool changed_address(const struct packet *packet, const struct site *s,
			    const struct walk *walk, uint32_t diff)
{
	const struct site *other =
		walk ? shares_addresses(packet, s, walk) : NULL;
	struct check c;

	if (!other)
		return false;
	c = check_site(other, packet->data);
	return c.verdict == VERDICT_BAD && difference(&c) == diff;
}

/* How many different values @n mistakes leave. */
static uint32_t count_values(const struct why *list, unsigned n)
{
	uint32_t values = 0;

	for (unsigned i = 0; i < n; i++) {
		unsigned k = 0;

		while (list[k].value != list[i].value)
			k++;
		values += k == i;
	}
	return values;
}

/*
 * How many differences changed_fields() accepts, at most: all other values of
 * each byte, each usual segment size, and so on.
 */
static uint32_t count_changes(const struct site *s)
{
	enum { BYTE = 255, TOTALS = 3, FLAG = 2, SIZES = 10, LENGTHS = 2 };

	switch (s->protocol) {
	case PROTO_IPV4:
		return 2 * BYTE + TOTALS + FLAG;
	case PROTO_TCP:
		return SIZES;
	case PROTO_UDP:
		return LENGTHS;
	default:
		return BYTE;
	}
}

/*
 * A sum that the capture or its own value declares to be none is no matter of
 * chance; nor is a difference that two sums share.
 */
static bool is_certain(const struct why *w, const struct check *c)
{
	return c->verdict != VERDICT_BAD || !c->found ||
	       w->cause == CAUSE_FLAGGED || w->cause == CAUSE_ADDRESS ||
	       w->cause == CAUSE_VALID;
}

static void set_chance(struct why *list, unsigned n, const struct check *c,
		       uint32_t chance)
{
	for (unsigned i = 0; i < n; i++)
		list[i].chance = is_certain(&list[i], c) ? 0 : chance;
}

unsigned why_site(const struct packet *packet, const struct site *s,
		  const struct check *c, const struct walk *walk,
		  struct why *out)
{
	struct list l = { .out = out };
	unsigned n = why_mistakes(packet, s, out);
	const uint32_t values = count_values(out, n);

	for (unsigned k = 0; k < n; k++)
		if (out[k].value == c->found)
			out[l.n++] = out[k];
	if (rule_is_sum(s->rule))
		set_chance(out, l.n, c, values);
	if (!l.n && c->note == NOTE_FLAGGED)
		add(&l, CAUSE_FLAGGED, c->found);
	if (l.n || c->verdict != VERDICT_BAD || !rule_is_sum(s->rule))
		return l.n;
	if (changed_address(packet, s, walk, difference(c)))
		add(&l, CAUSE_ADDRESS, c->found);
	else
		changed_fields(&l, packet, s, difference(c));
	if (!l.n && c->note == NOTE_SAID_VALID)
		add(&l, CAUSE_VALID, c->found);
	set_chance(out, l.n, c, values + count_changes(s));
	return l.n;
}

/* Names for the words of a header, from its start on. */
static const struct guess {
	enum protocol protocol;
	uint8_t at;
	const char *name;
} guesses[] = {
	{ PROTO_IPV4, 2, "total length" },
	{ PROTO_IPV4, 4, "identification" },
	{ PROTO_TCP, 0, "source port" },
	{ PROTO_TCP, 2, "destination port" },
	{ PROTO_TCP, 14, "window" },
	{ PROTO_UDP, 0, "source port" },
	{ PROTO_UDP, 2, "destination port" },
	{ PROTO_UDPLITE, 0, "source port" },
	{ PROTO_UDPLITE, 2, "destination port" },
	{ PROTO_DCCP, 0, "source port" },
	{ PROTO_DCCP, 2, "destination port" },
	{ PROTO_ICMP, 4, "identifier" },
	{ PROTO_ICMP, 6, "sequence number" },
	{ PROTO_ICMPV6, 4, "identifier" },
	{ PROTO_ICMPV6, 6, "sequence number" },
};

static void guess_address(struct list *l, const char *const names[2],
			  const uint8_t *address, uint32_t diff)
{
	for (int half = 0; half < 2; half++)
		changed(l, names[half], word_before(address + 2 * half, diff),
			be16(address + 2 * half));
}

unsigned why_guesses(const struct site *s, const struct check *c,
		     const uint8_t *frame, struct why *out)
{
	static const char *const src[2] = { "source address, first half",
					    "source address, second half" };
	static const char *const dst[2] = {
		"destination address, first half",
		"destination address, second half"
	};
	const uint32_t diff = difference(c);
	struct list l = { .out = out };

	if (!rule_is_sum(s->rule))
		return 0;
	for (size_t i = 0; i < sizeof(guesses) / sizeof(*guesses); i++) {
		const uint8_t *p = frame + s->start + guesses[i].at;

		if (guesses[i].protocol == s->protocol &&
		    guesses[i].at + 2u <= s->len)
			changed(&l, guesses[i].name, word_before(p, diff),
				be16(p));
	}
	if (s->protocol == PROTO_IPV4) {
		guess_address(&l, src, frame + s->start + 12, diff);
		guess_address(&l, dst, frame + s->start + 16, diff);
	} else if (s->pseudo && !s->pseudo_header.ipv6) {
		guess_address(&l, src, s->pseudo_header.src, diff);
		guess_address(&l, dst, s->pseudo_header.dst, diff);
	}
	return l.n;
}

/* --- in words ---------------------------------------------------------------
 */

static const struct {
	const char *name, *text;
} causes[CAUSE_COUNT] = {
	[CAUSE_NONE] = { "unknown", "cannot be told from the arithmetic" },
	[CAUSE_OFFLOAD] = { "offload", "unfinished offload: the sum of the "
				       "pseudo-header" },
	[CAUSE_LARGE_SEND] = { "large-send",
			       "unfinished offload of a large send: the sum of "
			       "the pseudo-header without its length" },
	[CAUSE_FLAGGED] = { "flagged",
			    "unfinished offload: the capture says so" },
	[CAUSE_ZEROS] = { "zeros", "0 stored where 0xffff stands for it" },
	[CAUSE_LEFT_ZERO] = { "zero", "left 0, as by full offload" },
	[CAUSE_NO_SUM] = { "none", "no checksum was computed: 0 stands for "
				   "none" },
	[CAUSE_FILLED] = { "filled", "0xffff where 0 was meant, which stands "
				     "for no checksum" },
	[CAUSE_SWAPPED] = { "swap", "its bytes are swapped" },
	[CAUSE_COMPLEMENT] = { "complement", "not complemented" },
	[CAUSE_NO_PSEUDO] = { "no-pseudo", "pseudo-header left out" },
	[CAUSE_PSEUDO] = { "pseudo", "a pseudo-header where there is none" },
	[CAUSE_PSEUDO_TWICE] = { "pseudo-twice",
				 "pseudo-header summed twice: the field was "
				 "not 0 before" },
	[CAUSE_LENGTH] = { "length", "pseudo-header with the length" },
	[CAUSE_PROTOCOL] = { "protocol", "pseudo-header with the protocol" },
	[CAUSE_DESTINATION] = { "destination",
				"pseudo-header with the destination of the IP "
				"header, not the final one" },
	[CAUSE_SOURCE] = { "source",
			   "pseudo-header with the source of the IP header, "
			   "not the home address" },
	[CAUSE_ODD_SIDE] = { "odd-side", "the odd last byte on the wrong side "
					 "of its word" },
	[CAUSE_ODD_LEFT_OUT] = { "odd-byte", "the odd last byte left out" },
	[CAUSE_TRAILER] = { "trailer", "bytes behind the message included" },
	[CAUSE_OPTIONS] = { "options", "the options left out" },
	[CAUSE_CARRY] = { "carry", "a carry lost" },
	[CAUSE_ADDRESS] = { "address",
			    "an address, or the length, was changed "
			    "afterwards: IPv4 header and message are wrong by "
			    "the same difference" },
	[CAUSE_CHANGED] = { "changed", "changed afterwards" },
	[CAUSE_VALID] = { "valid", "changed afterwards: the capture says that "
				   "it was valid" },
	[CAUSE_UPDATED] = { "updated", "0 stood for no checksum, and was "
				       "updated as if it were one" },
	[CAUSE_CHANCE] = { "chance", "fit a mistake, which may be chance" },
};

const char *cause_name(enum cause c)
{
	return causes[c].name;
}

const char *cause_text(enum cause c)
{
	return causes[c].text;
}

void why_text(const struct why *w, char *buf, size_t size)
{
	const char *text = causes[w->cause].text;

	switch (w->cause) {
	case CAUSE_CHANGED:
		snprintf(buf, size, "%s %s: %" PRIu32 ", now %" PRIu32,
			 w->field, text, w->detail, w->now);
		break;
	case CAUSE_LENGTH:
	case CAUSE_PROTOCOL:
		snprintf(buf, size, "%s %" PRIu32, text, w->detail);
		break;
	case CAUSE_TRAILER:
		snprintf(buf, size, "%" PRIu32 " %s", w->detail, text);
		break;
	default:
		snprintf(buf, size, "%s", text);
		break;
	}
}

void why_chance(const struct why *w, char *buf, size_t size)
{
	*buf = 0;
	if (w->chance)
		snprintf(buf, size, ", may be chance: 1 in %u",
			 65536 / w->chance);
}

void why_short(const struct why *list, unsigned n, char *buf, size_t size)
{
	const struct why none = { .cause = CAUSE_NONE };
	size_t len;

	why_text(n ? &list[0] : &none, buf, size);
	len = strlen(buf);
	if (n > 1)
		snprintf(buf + len, size - len, " (or %u other cause%s)", n - 1,
			 n == 2 ? "" : "s");
	len = strlen(buf);
	if (n)
		why_chance(&list[0], buf + len, size - len);
}
