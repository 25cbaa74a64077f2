/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csum_check.c - csum_packet_check() and csum_packet_finish(): the walk of
 * packet/ over one packet, and in front of it a short way for the packets that
 * are most of all.
 *
 * The short way knows whole TCP and UDP packets in IPv4 without options and
 * IPv6 without extension headers, and says only what the walk would say;
 * whatever else it meets, it leaves to the walk.
 */
#include "walk_inside.h"

/* --- the walk ---------------------------------------------------------------
 */

_Static_assert((int)CSUM_VERDICT_GOOD == (int)VERDICT_GOOD &&
		       (int)CSUM_VERDICT_BAD == (int)VERDICT_BAD &&
		       (int)CSUM_VERDICT_PARTIAL == (int)VERDICT_PARTIAL &&
		       (int)CSUM_VERDICT_ABSENT == (int)VERDICT_ABSENT &&
		       (int)CSUM_VERDICT_UNVERIFIABLE ==
			       (int)VERDICT_UNVERIFIABLE,
	       "the same verdicts");

/* A packet on its way through the walk. */
struct job {
	struct packet packet;
	struct crc_functions crc;
	unsigned flags;
	struct csum_packet_detail *detail;
	struct walk walk;
	struct check checks[WALK_SITES];
};

static bool start(struct job *job, const void *packet, size_t len,
		  unsigned link, unsigned flags,
		  struct csum_packet_detail *detail)
{
	size_t wire_len = len;

	if (detail && detail->wire_len > len)
		wire_len = detail->wire_len;
	if (detail)
		detail->count = 0;
	if (wire_len > PACKET_MAX)
		return false;
	job->flags = flags;
	job->detail = detail;
	job->packet = (struct packet){
		.data = packet,
		.caplen = (uint32_t)len,
		.wirelen = (uint32_t)wire_len,
		.linktype = link,
	};
	if (flags & CSUM_MARKED_PARTIAL)
		job->packet.flags = PACKET_CHECKSUM_NOT_READY;
	if (detail && detail->crc32c) {
		job->crc = (struct crc_functions){ .crc32c = detail->crc32c };
		job->packet.crc = &job->crc;
	}
	walk_packet(&job->packet, &job->walk);
	return true;
}

/* Not a checksum, but what is wrong with a header that has none. */
static bool is_left(const struct job *job, const struct site *s)
{
	const unsigned kind =
		s->protocol == PROTO_IPV4 ? CSUM_LEAVE_IPV4 : CSUM_LEAVE_UPPER;

	return job->flags & kind ||
	       (job->flags & CSUM_LEAVE_INNER && site_is_inner(s));
}

static void report(struct csum_packet_detail *detail, const struct site *s,
		   const struct check *c)
{
	struct csum_site *out;

	if (!detail || !detail->room || detail->count++ >= detail->room)
		return;
	out = &detail->sites[detail->count - 1];
	*out = (struct csum_site){
		.layer = protocol_name(s->protocol),
		.why = c->verdict == VERDICT_UNVERIFIABLE
			       ? reason_text(c->reason)
			       : note_text(c->note),
		.verdict = (enum csum_verdict)c->verdict,
		.quoted = s->class == SITE_QUOTED,
		.depth = s->depth,
	};
	if (!s->has_field)
		return;
	out->width = (uint8_t)protocol_width(s->protocol);
	out->offset = s->field;
	out->found = c->found;
	if (c->verdict != VERDICT_ABSENT && c->verdict != VERDICT_UNVERIFIABLE)
		out->right = c->expected;
}

/* The bits of all sites, each as @checks has it. */
static unsigned answer(const struct job *job)
{
	unsigned bits = job->walk.edge ? CSUM_HAS_UNREAD : 0;

	for (unsigned i = 0; i < job->walk.count; i++) {
		const struct site *s = &job->walk.sites[i];

		if (is_left(job, s))
			continue;
		report(job->detail, s, &job->checks[i]);
		if (s->class == SITE_REAL)
			bits |= 1u << job->checks[i].verdict;
	}
	return bits;
}

static __attribute__((noinline)) unsigned walk_and_check(
	const void *packet, size_t len, unsigned link, unsigned flags,
	struct csum_packet_detail *detail)
{
	struct job job;

	if (!start(&job, packet, len, link, flags, detail))
		return CSUM_HAS_UNREAD;
	judge_packet(&job.walk, packet, job.checks);
	return answer(&job);
}

static struct repair_rules rules_of(unsigned flags)
{
	struct repair_rules r = {
		.verdicts = { [VERDICT_BAD] = true,
			      [VERDICT_PARTIAL] = true,
			      [VERDICT_ABSENT] = !(flags & CSUM_LEAVE_ABSENT) },
		.quoted = flags & CSUM_TAKE_QUOTED,
		.outer = flags & CSUM_LEAVE_INNER,
	};

	for (int p = 0; p < PROTO_COUNT; p++)
		r.protocols[p] =
			!(flags & (p == PROTO_IPV4 ? CSUM_LEAVE_IPV4
						   : CSUM_LEAVE_UPPER));
	return r;
}

static __attribute__((noinline)) unsigned walk_and_finish(
	void *packet, size_t len, unsigned link, unsigned flags,
	struct csum_packet_detail *detail)
{
	const struct repair_rules rules = rules_of(flags);
	struct repaired repaired[WALK_SITES];
	struct job job;

	if (!start(&job, packet, len, link, flags, detail))
		return CSUM_HAS_UNREAD;
	/* garbage that is right for another destination is garbage */
	for (unsigned i = 0; i < job.walk.count; i++)
		job.walk.sites[i].final = true;
	judge_packet(&job.walk, packet, job.checks);
	repair_packet(&rules, &job.walk, job.checks, packet, repaired);
	for (unsigned i = 0; i < job.walk.count; i++) {
		struct check *c = &job.checks[i];

		if (!repair_writes(&repaired[i]))
			continue;
		c->verdict = VERDICT_GOOD;
		c->note = NOTE_NONE;
		c->expected = repaired[i].now;
	}
	return answer(&job);
}

/* --- the short way ----------------------------------------------------------
 */

/* A whole TCP or UDP message in a whole packet. */
struct plain {
	const unsigned char *ip, *msg;
	size_t len; /* BYTES of the message */
	unsigned protocol;
	csum_wsum pseudo;
};

enum { TCP = 6, UDP = 17 };

/* RFC 791: version 4, five words of header, no fragment. */
static bool parse_plain_ipv4(struct plain *p, size_t len)
{
	const unsigned char *ip = p->ip;
	unsigned total;

	if (len < 20 || ip[0] != 0x45)
		return false;
	total = be16(ip + 2);
	if (total < 20 || total > len || be16(ip + 6) & 0x3fff)
		return false;
	p->msg = ip + 20;
	p->len = total - 20;
	p->protocol = ip[9];
	return true;
}

static bool parse_plain_ipv6(struct plain *p, size_t len)
{
	const unsigned char *ip = p->ip;

	if (len < 40 || ip[0] >> 4 != 6)
		return false;
	p->msg = ip + 40;
	p->len = be16(ip + 4);
	p->protocol = ip[6];
	return p->len && p->len <= len - 40;
}

static bool parse_plain_upper(struct plain *p)
{
	const unsigned char *h = p->msg;
	size_t n;

	if (p->protocol == TCP) {
		n = p->len < 20 ? 0 : (size_t)4 * (h[12] >> 4);
		return n >= 20 && n <= p->len;
	}
	if (p->protocol != UDP || p->len < 8)
		return false;
	n = be16(h + 4);
	if (n < 8 || n > p->len)
		return false;
	p->len = n;
	return udp_ports_carry_data(be16(h), be16(h + 2));
}

static bool is_ipv4(const struct plain *p)
{
	return p->ip[0] >> 4 == 4;
}

static bool parse_plain(struct plain *p, const void *packet, size_t len,
			unsigned link)
{
	enum { ETHERNET = 14 };
	unsigned type = TYPE_IPV4;

	p->ip = packet;
	if (link == CSUM_LINK_ETHERNET && len >= ETHERNET) {
		type = be16(p->ip + ETHERNET - 2);
		p->ip += ETHERNET;
		len -= ETHERNET;
	} else if (link != CSUM_LINK_IP || len == 0) {
		return false;
	} else if (!is_ipv4(p)) {
		type = TYPE_IPV6;
	}
	if (type == TYPE_IPV4 ? !parse_plain_ipv4(p, len)
			      : type != TYPE_IPV6 || !parse_plain_ipv6(p, len))
		return false;
	if (!parse_plain_upper(p))
		return false;
	p->pseudo = is_ipv4(p) ? csum_pseudo_ipv4(csum_load32(p->ip + 12),
						  csum_load32(p->ip + 16),
						  (uint32_t)p->len,
						  (uint8_t)p->protocol, 0)
			       : csum_pseudo_ipv6(p->ip + 8, p->ip + 24,
						  (uint32_t)p->len,
						  (uint8_t)p->protocol, 0);
	return true;
}

static size_t field_of(const struct plain *p)
{
	return p->protocol == TCP ? CSUM_FIELD_TCP : CSUM_FIELD_UDP;
}

/* Neither zero: what these mean is for the walk to say. */
static bool is_plain_value(csum_sum16 check)
{
	return check != 0 && check != 0xffff;
}

static bool is_plainly_good(const struct plain *p)
{
	if (!is_plain_value(csum_load_sum16(p->msg + field_of(p))) ||
	    !csum_ok(csum_partial(p->msg, p->len, p->pseudo)))
		return false;
	return !is_ipv4(p) ||
	       (is_plain_value(csum_load_sum16(p->ip + CSUM_FIELD_IPV4)) &&
		csum_ipv4_header(p->ip, 5) == 0);
}

/* @sum: of all, the @field included; what is right stays as it is. */
static void finish_field(unsigned char *field, csum_wsum sum, bool udp)
{
	const csum_sum16 found = csum_load_sum16(field);
	csum_wsum others;

	if (csum_ok(sum) && !(udp && csum_udp_absent(found)))
		return;
	others = csum_sub(sum, CSUM_AS(csum_wsum, found));
	csum_store16(field, udp ? csum_fold_udp(others) : csum_fold(others));
}

static void finish_plain(const struct plain *p, unsigned char *packet)
{
	unsigned char *ip = packet + (p->ip - packet);
	unsigned char *msg = packet + (p->msg - packet);

	finish_field(msg + field_of(p), csum_partial(msg, p->len, p->pseudo),
		     p->protocol == UDP);
	if (is_ipv4(p))
		finish_field(ip + CSUM_FIELD_IPV4, csum_add20(ip), false);
}

static bool wants_walk(const struct csum_packet_detail *detail)
{
	return detail && (detail->room || detail->wire_len);
}

unsigned csum_inside_packet_check(const void *packet, size_t len, unsigned link,
				  unsigned flags,
				  struct csum_packet_detail *detail)
{
	struct plain p;

	if (flags == 0 && !wants_walk(detail) &&
	    parse_plain(&p, packet, len, link) && is_plainly_good(&p)) {
		if (detail)
			detail->count = 0;
		return CSUM_HAS_GOOD;
	}
	return walk_and_check(packet, len, link, flags, detail);
}

unsigned csum_packet_check(const void *packet, size_t len, unsigned link,
			   unsigned flags, struct csum_packet_detail *detail)
{
	return csum_inside_packet_check(packet, len, link, flags, detail);
}

unsigned csum_packet_finish(void *packet, size_t len, unsigned link,
			    unsigned flags, struct csum_packet_detail *detail)
{
	struct plain p;

	if (flags || wants_walk(detail) || !parse_plain(&p, packet, len, link))
		return walk_and_finish(packet, len, link, flags, detail);
	if (detail)
		detail->count = 0;
	finish_plain(&p, packet);
	return CSUM_HAS_GOOD;
}
