/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csum_segment.c - one large TCP or UDP packet into many, and back: headers and
 * checksums from one sum of each payload.
 *
 * All headers have an even length.  So what follows them begins at an even
 * place of whatever covers it, and sums are added without a shift.
 */
#include <errno.h>
#include <string.h>

#include "inside.h"

enum kind { IPV4, IPV6, TCP, UDP, GRE };
enum { FIN = 0x01, PSH = 0x08, CWR = 0x80 };
enum { GRE_CHECKSUM = 0x8000, GRE_KEY = 0x2000 };
enum { ETHERTYPE_IPV4 = 0x0800, ETHERTYPE_IPV6 = 0x86dd };

static unsigned be16_at(const unsigned char *p)
{
	return (unsigned)p[0] << 8 | p[1];
}

static uint32_t be32_at(const unsigned char *p)
{
	return (uint32_t)be16_at(p) << 16 | be16_at(p + 2);
}

static void put16_at(unsigned char *p, size_t v)
{
	p[0] = (unsigned char)(v >> 8);
	p[1] = (unsigned char)v;
}

static void put32_at(unsigned char *p, uint32_t v)
{
	put16_at(p, v >> 16);
	put16_at(p + 2, v);
}

/* --- headers ----------------------------------------------------------------
 */

/* Where the reader of headers is. */
struct reading {
	struct csum_segmenter *s;
	size_t at, len;
};

/* @n BYTES of header of that kind; NULL if they are not there. */
static const unsigned char *take(struct reading *r, enum kind kind, size_t n)
{
	struct csum_segmenter *s = r->s;

	if (n > r->len - r->at)
		return NULL;
	s->layers[s->nlayers].kind = (uint8_t)kind;
	s->layers[s->nlayers++].at = (uint16_t)(r->at - s->jumbo);
	r->at += n;
	return s->packet + r->at - n;
}

static int read_ip(struct reading *r);

static int read_ethertype(struct reading *r, unsigned type)
{
	if (type != ETHERTYPE_IPV4 && type != ETHERTYPE_IPV6)
		return ENOTSUP;
	return read_ip(r);
}

/* What is no layer of its own: part of the header in front. */
static int read_ethernet(struct reading *r, size_t in_front)
{
	const size_t n = in_front + 14;

	if (n > r->len - r->at)
		return EINVAL;
	r->at += n;
	return read_ethertype(r, be16_at(r->s->packet + r->at - 2));
}

static int read_gre(struct reading *r)
{
	enum { BRIDGED = 0x6558 };
	const unsigned char *h = take(r, GRE, 4);
	unsigned flags, type;
	size_t more;

	if (!h)
		return EINVAL;
	flags = be16_at(h);
	type = be16_at(h + 2);
	if (flags & ~(unsigned)(GRE_CHECKSUM | GRE_KEY))
		return ENOTSUP;
	more = (flags & GRE_CHECKSUM ? 4 : 0) + (flags & GRE_KEY ? 4 : 0);
	if (type == BRIDGED)
		return read_ethernet(r, more);
	if (more > r->len - r->at)
		return EINVAL;
	r->at += more;
	return read_ethertype(r, type);
}

static int read_udp(struct reading *r)
{
	enum { VXLAN = 4789, VXLAN_OF_LINUX = 8472 };
	const size_t left = r->len - r->at;
	const unsigned char *h = take(r, UDP, 8);
	unsigned to, length;

	if (!h)
		return EINVAL;
	length = be16_at(h + 4);
	if (length != left && (length || left <= UINT16_MAX))
		return EINVAL;
	to = be16_at(h + 2);
	return to == VXLAN || to == VXLAN_OF_LINUX ? read_ethernet(r, 8) : 0;
}

static int read_tcp(struct reading *r)
{
	const unsigned char *h = r->s->packet + r->at;
	const size_t n = r->len - r->at < 20 ? 0 : (size_t)4 * (h[12] >> 4);

	return n >= 20 && take(r, TCP, n) ? 0 : EINVAL;
}

static int read_protocol(struct reading *r, unsigned protocol)
{
	if (r->s->nlayers == CSUM_SEGMENT_LAYERS)
		return ENOTSUP;
	switch (protocol) {
	case 4:
	case 41:
		return read_ip(r);
	case 6:
		return read_tcp(r);
	case 17:
		return read_udp(r);
	case 47:
		return read_gre(r);
	default:
		return ENOTSUP;
	}
}

static int read_ipv4(struct reading *r)
{
	const unsigned char *h = r->s->packet + r->at;
	const size_t left = r->len - r->at;
	size_t n, total;

	if (left < 20)
		return EINVAL;
	n = (size_t)4 * (h[0] & 15);
	total = be16_at(h + 2);
	if (n < 20 || (total != left && (total || left <= UINT16_MAX)))
		return EINVAL;
	if (be16_at(h + 6) & 0x3fff)
		return ENOTSUP;
	return take(r, IPV4, n) ? read_protocol(r, h[9]) : EINVAL;
}

/* RFC 2675: hop-by-hop options with the jumbo length alone, for BIG TCP. */
static int read_jumbo(struct reading *r)
{
	const unsigned char *h = r->s->packet + r->at;
	const size_t left = r->len - r->at;

	if (r->s->nlayers != 1 || left < 8 || h[1] != 0 || h[2] != 0xc2 ||
	    h[3] != 4)
		return ENOTSUP;
	if (be32_at(h + 4) != left)
		return EINVAL;
	r->s->jumbo = 8;
	r->at += 8;
	return read_protocol(r, h[0]);
}

static int read_ipv6(struct reading *r)
{
	const unsigned char *h = take(r, IPV6, 40);
	size_t left, length;

	if (!h)
		return EINVAL;
	left = r->len - r->at;
	length = be16_at(h + 4);
	if (length != left && (length || left <= UINT16_MAX))
		return EINVAL;
	return h[6] == 0 ? read_jumbo(r) : read_protocol(r, h[6]);
}

static int read_ip(struct reading *r)
{
	if (r->at == r->len)
		return EINVAL;
	if (r->s->nlayers == CSUM_SEGMENT_LAYERS)
		return ENOTSUP;
	switch (r->s->packet[r->at] >> 4) {
	case 4:
		return read_ipv4(r);
	case 6:
		return read_ipv6(r);
	default:
		return EINVAL;
	}
}

/* Everything but the size of a segment. */
static int read_headers(struct csum_segmenter *s, const void *packet,
			size_t len)
{
	struct reading r = { .s = s, .len = len };
	int error;

	memset(s, 0, sizeof(*s));
	s->packet = packet;
	error = read_ip(&r);
	s->header = r.at - s->jumbo;
	s->payload = s->packet + r.at;
	s->left = len - r.at;
	return error;
}

/* --- lengths and sums -------------------------------------------------------
 */

/* @ip: of a header of that kind, right in front of TCP or UDP. */
static csum_wsum pseudo(const unsigned char *ip, enum kind kind, size_t len,
			uint8_t protocol, csum_wsum sum)
{
	return kind == IPV6 ? csum_pseudo_ipv6(ip + 8, ip + 24, (uint32_t)len,
					       protocol, sum)
			    : csum_pseudo_ipv4(csum_load32(ip + 12),
					       csum_load32(ip + 16),
					       (uint32_t)len, protocol, sum);
}

/* Into the field at @field of @h, whose bytes are in @sum with 0 there. */
static csum_wsum put_check(unsigned char *h, size_t field, csum_sum16 check,
			   csum_wsum sum)
{
	csum_store16(h + field, check);
	return csum_add(sum, csum_from16(CSUM_AS(csum_be16, check)));
}

/*
 * The length and the checksum of layer @i, which has @n BYTES of header and
 * @len in all; @sum: of what is behind its header.  Returns that with it.
 */
static csum_wsum seal_layer(const struct csum_segmenter *s, unsigned i,
			    unsigned char *packet, size_t n, size_t len,
			    csum_wsum sum)
{
	unsigned char *h = packet + s->layers[i].at;
	const enum kind kind = (enum kind)s->layers[i].kind;
	const unsigned outer = i ? i - 1 : 0;
	const unsigned char *ip = packet + s->layers[outer].at;
	const enum kind version = (enum kind)s->layers[outer].kind;
	bool absent;

	switch (kind) {
	case IPV4:
		put16_at(h + 2, len);
		put16_at(h + CSUM_FIELD_IPV4, 0);
		csum_store16(h + CSUM_FIELD_IPV4,
			     csum_ipv4_header(h, (unsigned)n / 4));
		/* a header with its checksum sums to -0 */
		return csum_add(sum, 0xffff);
	case IPV6:
		put16_at(h + 4, len - 40);
		return i ? csum_partial(h, n, sum) : sum;
	case TCP:
		put16_at(h + CSUM_FIELD_TCP, 0);
		sum = csum_partial(h, n, sum);
		return put_check(h, CSUM_FIELD_TCP,
				 csum_fold(pseudo(ip, version, len, 6, sum)),
				 sum);
	case UDP:
		absent = csum_udp_absent(csum_load_sum16(h + CSUM_FIELD_UDP));
		put16_at(h + 4, len);
		put16_at(h + CSUM_FIELD_UDP, 0);
		sum = csum_partial(h, n, sum);
		if (absent)
			return sum;
		return put_check(
			h, CSUM_FIELD_UDP,
			csum_fold_udp(pseudo(ip, version, len, 17, sum)), sum);
	case GRE:
		break;
	}
	if (!(be16_at(h) & GRE_CHECKSUM))
		return csum_partial(h, n, sum);
	put16_at(h + 4, 0);
	sum = csum_partial(h, n, sum);
	return put_check(h, 4, csum_fold(sum), sum);
}

/* All layers, from the innermost out; @sum: of the @len BYTES of payload. */
static void seal(const struct csum_segmenter *s, unsigned char *packet,
		 size_t len, csum_wsum sum)
{
	size_t end = s->header;

	for (unsigned i = s->nlayers; i-- > 0;) {
		const size_t at = s->layers[i].at, n = end - at;

		sum = seal_layer(s, i, packet, n, s->header - at + len, sum);
		end = at;
	}
}

/* --- cutting ----------------------------------------------------------------
 */

int csum_segment(struct csum_segmenter *s, const void *packet, size_t len,
		 size_t size)
{
	const int error = read_headers(s, packet, len);

	if (error)
		return error;
	if (size == 0 || s->header > UINT16_MAX ||
	    size > UINT16_MAX - s->header)
		return EINVAL;
	s->size = size;
	return 0;
}

/* What a header counts, @index segments behind the first. */
static void count_on(const struct csum_segmenter *s, unsigned char *packet,
		     bool last)
{
	for (unsigned i = 0; i < s->nlayers; i++) {
		unsigned char *h = packet + s->layers[i].at;

		if (s->layers[i].kind == IPV4)
			put16_at(h + 4, be16_at(h + 4) + s->index);
		if (s->layers[i].kind != TCP)
			continue;
		put32_at(h + 4, be32_at(h + 4) + s->index * (uint32_t)s->size);
		if (!last)
			h[13] &= (unsigned char)~(FIN | PSH);
		if (s->index)
			h[13] &= (unsigned char)~CWR;
	}
}

static void copy_headers(const struct csum_segmenter *s, unsigned char *to)
{
	enum { IPV6_HEADER = 40, NEXT = 6 };

	if (!s->jumbo) {
		memcpy(to, s->packet, s->header);
		return;
	}
	memcpy(to, s->packet, IPV6_HEADER);
	memcpy(to + IPV6_HEADER, s->packet + IPV6_HEADER + s->jumbo,
	       s->header - IPV6_HEADER);
	to[NEXT] = s->packet[IPV6_HEADER];
}

size_t csum_segment_next(struct csum_segmenter *s, void *to, size_t room)
{
	const size_t n = s->left < s->size ? s->left : s->size;
	unsigned char *p = to;
	csum_wsum sum;

	if ((s->left == 0 && s->index) || room < s->header + n)
		return 0;
	copy_headers(s, p);
	sum = csum_copy(p + s->header, s->payload, n, 0);
	count_on(s, p, n == s->left);
	seal(s, p, n, sum);
	s->payload += n;
	s->left -= n;
	s->index++;
	return s->header + n;
}

/* --- joining ----------------------------------------------------------------
 */

/* Right, or absent, and nothing unknown. */
static bool is_intact(const void *packet, size_t len)
{
	const unsigned bits =
		csum_inside_packet_check(packet, len, CSUM_LINK_IP, 0, NULL);

	return bits & CSUM_HAS_GOOD &&
	       !(bits & ~(unsigned)(CSUM_HAS_GOOD | CSUM_HAS_ABSENT));
}

static unsigned char *tcp_of(const struct csum_segmenter *s,
			     unsigned char *packet)
{
	return s->layers[s->nlayers - 1].kind == TCP
		       ? packet + s->layers[s->nlayers - 1].at
		       : NULL;
}

int csum_join(struct csum_joiner *j, void *packet, size_t len, size_t room)
{
	const int error = read_headers(&j->shape, packet, len);
	const unsigned char *tcp;

	if (error)
		return error;
	if (j->shape.jumbo || len > UINT16_MAX)
		return ENOTSUP;
	if (!is_intact(packet, len))
		return EBADMSG;
	tcp = tcp_of(&j->shape, packet);
	j->packet = packet;
	j->len = len;
	j->room = room < UINT16_MAX ? room : UINT16_MAX;
	j->piece = j->shape.size = j->shape.left;
	j->sum = csum_partial(j->shape.payload, j->piece, 0);
	j->shape.index = 0;
	j->closed = j->piece == 0 || (tcp && tcp[13] & (FIN | PSH));
	return 0;
}

/*
 * @headers: those of the first segment, made into what the next one has to
 * have, but for what it may bring (FIN, PSH).
 */
static bool goes_on(const struct csum_joiner *j, unsigned char *headers,
		    const struct csum_segmenter *next)
{
	struct csum_segmenter shape = j->shape;
	const unsigned char *theirs = next->packet;
	csum_wsum sum = csum_partial(next->payload, next->left, 0);
	unsigned char *tcp;

	if (next->jumbo || next->header != shape.header ||
	    next->left > j->piece || next->left == 0)
		return false;
	shape.index++;
	memcpy(headers, j->packet, shape.header);
	count_on(&shape, headers, false);
	tcp = tcp_of(&shape, headers);
	if (tcp)
		tcp[13] |= theirs[tcp - headers + 13] & (FIN | PSH);
	seal(&shape, headers, next->left, sum);
	return memcmp(headers, theirs, shape.header) == 0;
}

int csum_join_next(struct csum_joiner *j, const void *segment, size_t len)
{
	unsigned char headers[CSUM_SEGMENT_LAYERS * 64];
	const size_t done = j->len - j->shape.header;
	struct csum_segmenter next;
	unsigned char *tcp;
	int error;

	error = read_headers(&next, segment, len);
	if (error)
		return error;
	/* equal headers have equal checksums, so most are summed once */
	if (j->closed || !goes_on(j, headers, &next))
		return is_intact(segment, len) ? ENOTSUP : EBADMSG;
	if (next.left > j->room - j->len)
		return ENOSPC;
	j->sum = csum_combine(
		j->sum,
		csum_copy(j->packet + j->len, next.payload, next.left, 0),
		done);
	j->len += next.left;
	j->shape.index++;
	tcp = tcp_of(&j->shape, j->packet);
	if (tcp)
		tcp[13] |= tcp_of(&j->shape, headers)[13] & (FIN | PSH);
	j->closed = next.left < j->piece || (tcp && tcp[13] & (FIN | PSH));
	seal(&j->shape, j->packet, done + next.left, j->sum);
	return 0;
}
