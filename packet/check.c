/* SPDX-License-Identifier: BSD-2-Clause */
/* check.c - a site and its packet, to a verdict. */
#include "check.h"

#include <string.h>

#include "bytes.h"
#include "crc.h"
#include "layer.h"

/* [from, to) of the frame, which starts at an even place of what is covered. */
static csum_wsum add_bytes(const uint8_t *frame, uint32_t from, uint32_t to,
			   csum_wsum sum)
{
	return csum_partial(frame + from, to - from, sum);
}

/* The same, around the hole. */
static csum_wsum add_covered(const struct site *s, const uint8_t *frame,
			     uint32_t from, uint32_t to, csum_wsum sum)
{
	if (s->hole_len && s->hole >= from && s->hole + s->hole_len <= to) {
		sum = add_bytes(frame, from, s->hole, sum);
		from = s->hole + s->hole_len;
	}
	return add_bytes(frame, from, to, sum);
}

/*
 * CDP: an odd last byte is the low one of its word, and that word was added as
 * a number with a sign to a 32-bit sum.  A byte of 0x80 and more, 0x00b0, so
 * becomes 0xffffffb0, which folds to 0xffb0 + 0xffff = 0xffaf.
 */
static csum_wsum last_byte_low(uint8_t byte)
{
	uint8_t word[2] = { 0, byte };

	if (byte & 0x80) {
		word[0] = 0xff;
		word[1]--;
	}
	return csum_from16(csum_load16(word));
}

csum_wsum site_sum(const struct site *s, const uint8_t *frame)
{
	uint32_t end = s->start + s->len;
	csum_wsum sum = s->pseudo;

	if (s->rule == RULE_LAST_BYTE_LOW && s->len % 2)
		sum = csum_add(sum, last_byte_low(frame[--end]));
	sum = add_covered(s, frame, s->start, s->field, sum);
	return add_covered(s, frame, s->field + 2, end, sum);
}

/*
 * A sender that leaves the sum to its network card stores the sum of the
 * pseudo-header, not complemented; for a large send it may leave the length out
 * of it, since each segment will have another one.
 */
static bool holds_pseudo_header(const struct site *s, csum_sum16 found,
				enum note *note)
{
	csum_be32 len = csum_be32_from_host(s->pseudo_header.len);

	if (!s->pseudo)
		return false;
	if (found == csum_to16(s->pseudo))
		return true;
	if (found != csum_to16(csum_sub(s->pseudo, len)))
		return false;
	*note = NOTE_LARGE_SEND;
	return true;
}

/* Right by what an older or a newer document says. */
static bool right_otherwise(const struct site *s, const uint8_t *frame,
			    csum_sum16 found, csum_wsum sum, enum note *note)
{
	struct site other = *s;

	if (s->rule == RULE_PSEUDO_OPTIONAL) {
		sum = csum_add(sum, pseudo_sum(&s->pseudo_header));
		*note = NOTE_PSEUDO;
	} else if (s->rule == RULE_ALL_ALLOWED) {
		other.len = s->all_len;
		if (s->pseudo) {
			csum_wsum longer = csum_sub(
				csum_be32_from_host(s->all_len),
				csum_be32_from_host(s->pseudo_header.len));

			other.pseudo = csum_add(s->pseudo, longer);
		}
		sum = site_sum(&other, frame);
		*note = NOTE_ALL_COVERED;
	} else {
		return false;
	}
	return csum_ok(csum_add(sum, csum_from16(found)));
}

/*
 * RFC 9800: a destination address can hold a list of segments of 16 bits behind
 * the block that they share; on the way, each is taken off the front.  The sum
 * is that of the address at the end: the block and the last one, with zeros
 * behind (section 6.5).  How long the block is, and whether the last segment
 * has a function of 16 bits more, is known to the network only.
 */
static bool last_segment_fits(const struct site *s, csum_wsum sum,
			      csum_sum16 found, uint32_t end)
{
	const uint8_t *dst = s->pseudo_header.dst;
	const csum_wsum all = csum_partial(dst, 16, 0);

	for (uint32_t block = 4; block <= 8; block += 2)
		for (uint32_t last = 2; last <= 4; last += 2) {
			uint8_t final[16] = { 0 };
			csum_wsum then;

			if (block + last >= end)
				continue;
			memcpy(final, dst, block);
			memcpy(final + block, dst + end - last, last);
			then = csum_add(csum_sub(sum, all),
					csum_partial(final, 16, 0));
			if (csum_ok(csum_add(then, csum_from16(found))))
				return true;
		}
	return false;
}

/*
 * True if segments are likely: it stands in a routing header and not in the
 * IPv6 header, or begins like the prefix that is set apart for them (RFC 9602)
 * or like a local one, fc00::/7.
 */
static bool segments_are_likely(const struct site *s)
{
	const uint8_t *dst = s->pseudo_header.dst;

	return (s->ip && dst != s->ip + 24) || (dst[0] == 0x5f && !dst[1]) ||
	       (dst[0] & 0xfe) == 0xfc;
}

/*
 * True if the destination may be such a list: at least two segments behind a
 * block of 32 bits, and nothing but zeros behind them.  A list that fills the
 * address cannot be told from any other address, nor one that begins like any
 * other, so there a sum that fits no last segment is wrong.
 */
static bool may_be_segments(const struct site *s, csum_wsum sum,
			    csum_sum16 found, struct check *c)
{
	enum { BLOCK = 4, ADDRESS = 16 };
	const uint8_t *dst = s->pseudo_header.dst;
	uint32_t end = BLOCK;

	if (s->final || !s->pseudo || !s->pseudo_header.ipv6 ||
	    !s->pseudo_header.src)
		return false;
	while (end < ADDRESS && be16(dst + end))
		end += 2;
	for (uint32_t i = end; i < ADDRESS; i++)
		if (dst[i])
			return false;
	if (end < BLOCK + 4)
		return false;
	if (last_segment_fits(s, sum, found, end)) {
		c->verdict = VERDICT_GOOD;
		c->note = NOTE_LAST_SEGMENT;
		c->expected = c->found;
		return true;
	}
	if (end == ADDRESS || !segments_are_likely(s))
		return false;
	c->reason = REASON_ROUTE;
	return true;
}

uint32_t site_value(const struct site *s, csum_wsum sum)
{
	csum_sum16 check = s->rule == RULE_UDP || s->rule == RULE_UDP_REQUIRED
				   ? csum_fold_udp(sum)
				   : csum_fold(sum);

	return be16((const uint8_t *)&check);
}

/* Zero where no protocol would have it, and no sum comes to it. */
static enum note why_zero(const struct site *s)
{
	return s->rule == RULE_UDP_REQUIRED ? NOTE_ZERO_ILLEGAL
					    : NOTE_LEFT_ZERO;
}

/*
 * The common case with one pass over what is covered: the sum with the field in
 * it is -0.  Where the field could be either zero, the value that a sender
 * would have stored has to be computed.
 */
static bool plainly_good(const struct site *s, const uint8_t *frame,
			 uint32_t found)
{
	csum_sum16 header;

	if (found == 0 || found == 0xffff || s->hole_len ||
	    s->rule == RULE_LAST_BYTE_LOW)
		return false;
	if (s->protocol == PROTO_IPV4) {
		header = csum_ipv4_header(frame + s->start, s->len / 4);
		return header == 0;
	}
	return csum_ok(csum_partial(frame + s->start, s->len, s->pseudo));
}

static void judge(struct check *c, const struct site *s, const uint8_t *frame)
{
	csum_sum16 found = csum_be16_from_host((uint16_t)c->found);
	csum_wsum sum = site_sum(s, frame);
	bool illegal = s->rule == RULE_UDP_REQUIRED && csum_udp_absent(found);

	c->expected = site_value(s, sum);
	if (csum_ok(csum_add(sum, csum_from16(found))) && !illegal) {
		c->verdict = VERDICT_GOOD;
	} else if (right_otherwise(s, frame, found, sum, &c->note)) {
		c->verdict = VERDICT_GOOD;
		c->expected = c->found;
	} else if (holds_pseudo_header(s, found, &c->note)) {
		c->verdict = VERDICT_PARTIAL;
	} else if (s->unfinished) {
		c->verdict = VERDICT_PARTIAL;
		c->note = NOTE_FLAGGED;
	} else if (illegal || !may_be_segments(s, sum, found, c)) {
		c->verdict = VERDICT_BAD;
		c->note = c->found ? NOTE_NONE : why_zero(s);
	}
}

/*
 * RFC 9260, appendix A: over the packet with its field 0, and then the first
 * byte of the field holds the coefficients of the lowest terms.
 */
static uint32_t crc32c(const struct site *s, const uint8_t *frame)
{
	static const uint8_t zeros[4];
	uint8_t bytes[4];
	uint32_t end = s->start + s->len, crc = ~0u;

	crc = s->crc->crc32c(crc, frame + s->start, s->field - s->start);
	crc = s->crc->crc32c(crc, zeros, 4);
	crc = ~s->crc->crc32c(crc, frame + s->field + 4, end - s->field - 4);
	for (int i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(crc >> 8 * i);
	return be32(bytes);
}

/* RFC 2960, appendix B, until RFC 3309 replaced it in 2002. */
static uint32_t adler(const struct site *s, const uint8_t *frame)
{
	static const uint8_t zeros[4];
	uint32_t end = s->start + s->len;
	uint32_t sum;

	sum = s->crc->adler32(1, frame + s->start, s->field - s->start);
	sum = s->crc->adler32(sum, zeros, 4);
	return s->crc->adler32(sum, frame + s->field + 4, end - s->field - 4);
}

static void judge_crc(struct check *c, const struct site *s,
		      const uint8_t *frame)
{
	c->expected = crc32c(s, frame);
	c->verdict = c->found == c->expected ? VERDICT_GOOD : VERDICT_BAD;
	if (c->verdict == VERDICT_GOOD)
		return;
	if (s->crc->adler32 && c->found == adler(s, frame)) {
		c->verdict = VERDICT_GOOD;
		c->note = NOTE_ADLER32;
		c->expected = c->found;
	} else if (s->unfinished) {
		c->verdict = VERDICT_PARTIAL;
		c->note = NOTE_FLAGGED;
	} else if (c->found == 0) {
		c->note = NOTE_ZERO_ILLEGAL;
	}
}

/* IEEE 802.3, 3.2.9: sent from its last byte on. */
static uint32_t crc32_field(uint32_t crc)
{
	uint8_t bytes[4];

	for (int i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(crc >> 8 * i);
	return be32(bytes);
}

/*
 * InfiniBand annex A17, section A17.3.3: in front of the IP header 8 bytes of
 * ones; type of service, time to live and header sum, or all of the first word
 * but the version and the hop limit, are taken as ones, and so are the UDP sum
 * and the reserved byte of the base transport header.
 */
static uint32_t invariant_crc(const struct site *s, const uint8_t *frame)
{
	enum { UDP_HEADER = 8, MASKED = 8 + 60 + UDP_HEADER + 5 };
	const uint8_t *ip = frame + s->start;
	const bool v4 = !s->pseudo_header.ipv6;
	const uint32_t header_len = s->all_len;
	const uint32_t len = header_len + UDP_HEADER + 5;
	uint8_t b[MASKED], *h = b + 8;

	memset(b, 0xff, 8);
	memcpy(h, ip, len);
	if (v4) {
		h[1] = h[8] = h[10] = h[11] = 0xff;
	} else {
		h[0] |= 0x0f;
		h[1] = h[2] = h[3] = h[7] = 0xff;
	}
	h[header_len + 6] = h[header_len + 7] = 0xff;
	h[len - 1] = 0xff;
	return s->crc->crc32(s->crc->crc32(0, b, 8 + len), ip + len,
			     s->len - 4 - len);
}

static uint32_t crc32(const struct site *s, const uint8_t *frame)
{
	return crc32_field(
		s->rule == RULE_CRC32
			? s->crc->crc32(0, frame + s->start, s->len - 4)
			: invariant_crc(s, frame));
}

/*
 * Both from the lowest bit on, by x^16 + x^12 + x^5 + 1: four bits at a time.
 * RFC 1662 starts with ones and inverts the end; 802.15.4 does neither.
 */
static uint32_t crc16(const struct site *s, const uint8_t *frame)
{
	static const uint16_t table[] = {
		0x0000, 0x1081, 0x2102, 0x3183, 0x4204, 0x5285, 0x6306, 0x7387,
		0x8408, 0x9489, 0xa50a, 0xb58b, 0xc60c, 0xd68d, 0xe70e, 0xf78f,
	};
	const uint16_t ones = s->rule == RULE_CRC16 ? 0xffff : 0;
	uint16_t crc = ones;

	for (uint32_t i = 0; i < s->len - 2; i++) {
		crc ^= frame[s->start + i];
		crc = (uint16_t)(crc >> 4 ^ table[crc & 15]);
		crc = (uint16_t)(crc >> 4 ^ table[crc & 15]);
	}
	crc ^= ones;
	return (crc & 0xffu) << 8 | crc >> 8;
}

/*
 * Some radios replace the sequence by the strength of the signal, and a file
 * does not tell: only a right one is known to be one.
 */
static void judge_crc16(struct check *c, const struct site *s,
			const uint8_t *frame)
{
	c->expected = crc16(s, frame);
	if (c->found == c->expected)
		c->verdict = VERDICT_GOOD;
	else if (s->rule == RULE_CRC16_OR_SIGNAL)
		c->reason = REASON_AMBIGUOUS;
	else
		c->verdict = VERDICT_BAD;
}

static void judge_crc32(struct check *c, const struct site *s,
			const uint8_t *frame)
{
	c->expected = crc32(s, frame);
	c->verdict = c->found == c->expected ? VERDICT_GOOD : VERDICT_BAD;
}

/*
 * RFC 2328, section 12.1.7, by RFC 905, annex B: both sums, of the bytes and of
 * those sums, are 0 (mod 255) with the field in place.
 */
enum { MODULUS = 255 };

static uint32_t fletcher(const struct site *s, const uint8_t *frame)
{
	const uint32_t field = s->field - s->start;
	uint32_t c0 = 0, c1 = 0, x, y;

	for (uint32_t i = 0; i < s->len; i++) {
		bool zero = i == field || i == field + 1;

		c0 = (c0 + (zero ? 0 : frame[s->start + i])) % MODULUS;
		c1 = (c1 + c0) % MODULUS;
	}
	x = ((s->len - field - 1) * c0 + MODULUS - c1) % MODULUS;
	y = (2 * MODULUS - c0 - x) % MODULUS;
	/* each half may be 0 or 255 for the same sum; senders store 255 */
	x = x ? x : MODULUS;
	y = y ? y : MODULUS;
	return x << 8 | y;
}

static bool same_fletcher(uint32_t a, uint32_t b)
{
	return a % 256 % MODULUS == b % 256 % MODULUS &&
	       a / 256 % MODULUS == b / 256 % MODULUS;
}

static void judge_fletcher(struct check *c, const struct site *s,
			   const uint8_t *frame)
{
	c->expected = fletcher(s, frame);
	c->verdict = same_fletcher(c->found, c->expected) ? VERDICT_GOOD
							  : VERDICT_BAD;
	if (c->verdict == VERDICT_GOOD)
		c->expected = c->found;
}

uint32_t site_right(const struct site *s, const uint8_t *frame)
{
	if (rule_is_sum(s->rule))
		return site_value(s, site_sum(s, frame));
	if (rule_is_crc32c(s->rule))
		return crc32c(s, frame);
	if (rule_is_crc16(s->rule))
		return crc16(s, frame);
	return s->rule == RULE_FLETCHER ? fletcher(s, frame) : crc32(s, frame);
}

static uint32_t load_field(const struct site *s, const uint8_t *frame)
{
	if (!s->has_field)
		return 0;
	return site_width(s) == 4 ? be32(frame + s->field)
				  : be16(frame + s->field);
}

/* True even of a fragment or a malformed message. */
static bool is_absent(const struct site *s, uint32_t found)
{
	switch (s->rule) {
	case RULE_NONE:
		return true;
	case RULE_UDP:
	case RULE_OPTIONAL:
	case RULE_CRC32C:
		return s->has_field && found == 0;
	default:
		return false;
	}
}

/* What the packet around a site tells about it, if nothing nearer does. */
static void note_packet(struct check *c, const struct site *s)
{
	if (c->note)
		return;
	if (c->verdict == VERDICT_BAD && s->damaged)
		c->note = NOTE_DAMAGED;
	else if (c->verdict == VERDICT_BAD && s->said_valid)
		c->note = NOTE_SAID_VALID;
	else if (s->no_length)
		c->note = NOTE_NO_LENGTH;
}

/* What is wrong in a frame that was damaged may have been right before. */
static void excuse(struct check *c, const struct site *s)
{
	if (!s->damaged || c->verdict != VERDICT_BAD ||
	    s->protocol == PROTO_FCS)
		return;
	c->verdict = VERDICT_UNVERIFIABLE;
	c->reason = REASON_DAMAGED;
	c->note = NOTE_NONE;
}

struct check check_site(const struct site *s, const uint8_t *frame)
{
	struct check c = {
		.verdict = VERDICT_UNVERIFIABLE,
		.found = load_field(s, frame),
		.reason = s->reason,
	};

	if (is_absent(s, c.found)) {
		c.verdict = VERDICT_ABSENT;
		if (s->rule == RULE_CRC32C)
			c.note = NOTE_ZERO_CRC;
	} else if (s->reason) {
		return c;
	} else if (rule_is_crc32c(s->rule)) {
		judge_crc(&c, s, frame);
	} else if (rule_is_crc16(s->rule)) {
		judge_crc16(&c, s, frame);
	} else if (s->rule == RULE_FLETCHER) {
		judge_fletcher(&c, s, frame);
	} else if (!rule_is_sum(s->rule)) {
		judge_crc32(&c, s, frame);
	} else if (plainly_good(s, frame, c.found)) {
		c.verdict = VERDICT_GOOD;
		c.expected = c.found;
	} else {
		judge(&c, s, frame);
	}
	excuse(&c, s);
	note_packet(&c, s);
	return c;
}

void site_store(const struct site *s, uint8_t *frame, uint32_t value)
{
	unsigned width = site_width(s);

	for (unsigned i = 0; i < width; i++)
		frame[s->field + i] = (uint8_t)(value >> (8 * (width - 1 - i)));
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

const char *note_text(enum note n)
{
	static const char *const texts[NOTE_COUNT] = {
		[NOTE_NONE] = "",
		[NOTE_LEFT_ZERO] = "left 0, as by full offload",
		[NOTE_ZERO_ILLEGAL] = "0 stands for none, which is not allowed",
		[NOTE_LARGE_SEND] = "large send",
		[NOTE_FLAGGED] = "the capture says so",
		[NOTE_ADLER32] = "Adler-32, RFC 2960",
		[NOTE_ZERO_CRC] = "zero checksum, RFC 9653",
		[NOTE_PSEUDO] = "with pseudo-header, RFC 5798",
		[NOTE_ALL_COVERED] = "over the whole message",
		[NOTE_SAID_VALID] = "the capture says that it was valid",
		[NOTE_LAST_SEGMENT] = "for the last segment, RFC 9800",
		[NOTE_FINISHED] = "once what is inside is finished",
		[NOTE_DAMAGED] = "the receiver found so, too",
		[NOTE_NO_LENGTH] = "IP length 0: ends where the frame does",
	};

	return texts[n];
}
