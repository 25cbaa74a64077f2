/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csum.h - the Internet checksum (RFC 1071), and everything that is done to it.
 *
 * This header is the manual.  Read it from top to bottom once.
 *
 * Two kinds of value
 * ------------------
 * csum_wsum   A running sum, 32 bits wide: not folded, not complemented.  Many
 *             different values mean the same sum; compare two of them only
 *             after csum_to16().
 * csum_sum16  The 16-bit field as it stands in a packet: folded, complemented.
 *
 * Byte order: memory order, everywhere
 * ------------------------------------
 * The sum does not care in which byte order words are read, as long as it is
 * always the same (RFC 1071, section 2 (B)).  So nothing here is ever swapped:
 * a csum_sum16 is copied into the packet with csum_store16() (or memcpy), never
 * passed through htons().  csum_be16 and csum_be32 are fields exactly as they
 * lie in a packet, like in_addr.s_addr or tcphdr.th_sport.  Arguments of type
 * uint8_t, uint32_t, size_t and unsigned are ordinary host integers.  To print
 * a csum_sum16 the way other tools do, print ntohs() of it.
 *
 * The two zeros: one answer
 * -------------------------
 * In one's complement 0x0000 and 0xffff are both zero.  Which of the two comes
 * out is fixed, and the same for every routine on every CPU:
 *
 *   A sum is +0 (0x0000) only if every byte that went in was 0, and -0 (0xffff
 *   after folding) if it is zero in any other way.  So a checksum, which is the
 *   complement, is 0xffff only over nothing but zeros, and 0x0000 otherwise.
 *
 *                                          can return 0x0000   0xffff
 *   csum_to16()                            only if all is 0    yes
 *   csum_fold(), csum_icmp()               yes                 only if all is 0
 *   csum_ipv4_header()                     yes                 only if all is 0
 *   csum_tcp_*(), csum_icmpv6()            yes                 never
 *   csum_fold_udp(), csum_udp_ipv4/6()     never               yes
 *   csum_replace*(), csum_dec_ttl()        yes                 never
 *   csum_udp_replace*()                    only if it was 0    yes
 *
 * A real IPv4 header is never all zeros (version), nor is anything summed with
 * a pseudo-header (protocol), so for these 0xffff never has to be sent, and a
 * received 0xffff is accepted as the other zero: see csum_ok().
 *
 * UDP is special (RFC 768; RFC 8200, section 8.1): a stored 0x0000 means "no
 * checksum", so a computed 0x0000 is sent as 0xffff.  The functions with udp in
 * their name do this, and leave an absent checksum absent when they update.
 *
 * Where RFC 1624's equation 3 is not enough: HC' = ~(~HC + ~m + m') gives
 * 0x0000 or 0xffff for the same sum, depending on the operands (HC = 0xffff, m
 * = 0xffff, m' = 0 gives 0xffff).  Here the result of an update is never
 * 0xffff. That is what a full computation gives, but for one case that no
 * equation over HC, m and m' can see: a message without pseudo-header (ICMP
 * over IPv4, GRE, IGMP) that is all zeros AFTER the change must carry 0xffff.
 * If an update of such a message returns 0x0000, compute it in full with
 * csum_icmp().
 *
 * Everything else
 * ---------------
 * But for csum_use_profile(), no function here can fail, allocates, locks, or
 * keeps a pointer.  All are thread-safe.  All read exactly the bytes they are
 * given, at any alignment.  The overlap of two inputs is harmless.
 */
#ifndef CSUM_H
#define CSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>

#define CSUM_VERSION_MAJOR 0
#define CSUM_VERSION_MINOR 1
#define CSUM_VERSION_PATCH 0
#define CSUM_VERSION	   "0.1.0"

#if defined(__GNUC__)
#define CSUM_API __attribute__((visibility("default")))
#else
#define CSUM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t csum_wsum;
typedef uint16_t csum_sum16;
typedef uint16_t csum_be16;
typedef uint32_t csum_be32;

/* ------------------------------------------------------------------------
 * Bytes in, sums out
 */

/*
 * csum_partial() - add the Internet checksum of a buffer to a running sum.
 *
 * @buf: first byte, any alignment; may be NULL only when @len is 0.
 * @len: length in BYTES, 0 to SIZE_MAX.  An odd last byte counts as [b,0].
 * @sum: result of an earlier call, or 0 to start.
 *
 * Returns the running sum.  Finish with csum_fold() or csum_fold_udp().
 * If @buf does not start at an even place of the message (because an odd piece
 * came before it), sum it on its own and join it with csum_combine().
 *
 * Reads exactly [buf, buf+len).  The routine is chosen on the first call, see
 * csum_routine_get().
 * Reference: RFC 1071, sections 1 and 2.
 */
CSUM_API csum_wsum csum_partial(const void *buf, size_t len, csum_wsum sum);

/*
 * csum_copy() - copy a buffer and add its checksum to a running sum.
 *
 * Arguments in the order of memcpy().
 * @dst: where to; any alignment.  [dst, dst+len) must not overlap the source.
 * @src: where from; any alignment.
 * @len: length in BYTES, 0 to SIZE_MAX; both pointers may be NULL when it is 0.
 * @sum: as in csum_partial().
 *
 * Returns csum_partial(src, len, sum).  Writes exactly [dst, dst+len).
 */
CSUM_API csum_wsum csum_copy(void *dst, const void *src, size_t len,
			     csum_wsum sum);

/*
 * csum_iov() - add the checksum of a range of a scattered message.
 *
 * @iov, @iovcnt: the pieces, of any length and alignment, odd and empty too;
 *                their bytes in a row are the message.
 * @off: BYTES to skip from the start of the message, odd or even.
 * @len: BYTES to sum from there.  What lies beyond the last piece is not
 *       summed: SIZE_MAX means "to the end".
 * @sum: as in csum_partial().
 *
 * Returns the running sum, as if the range were one buffer given to
 * csum_partial().
 */
CSUM_API csum_wsum csum_iov(const struct iovec *iov, size_t iovcnt, size_t off,
			    size_t len, csum_wsum sum);

/* ------------------------------------------------------------------------
 * One word, from and to memory.  Any alignment.
 */

static inline uint16_t csum_load16(const void *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint32_t csum_load32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline void csum_store16(void *p, csum_sum16 check)
{
	memcpy(p, &check, sizeof(check));
}

/* Host integer to the word that stands for it in a packet (htons, htonl). */
static inline csum_be16 csum_be16_from_host(uint16_t v)
{
	const unsigned char b[2] = { (unsigned char)(v >> 8),
				     (unsigned char)v };

	return csum_load16(b);
}

static inline csum_be32 csum_be32_from_host(uint32_t v)
{
	const unsigned char b[4] = { (unsigned char)(v >> 24),
				     (unsigned char)(v >> 16),
				     (unsigned char)(v >> 8),
				     (unsigned char)v };

	return csum_load32(b);
}

/* ------------------------------------------------------------------------
 * Arithmetic on running sums
 *
 * 2^16 = 1 (mod 0xffff), hence so are 2^32 and 2^64: a carry out of the top is
 * worth 1 at the bottom, and halves of any word can be added to each other.
 */

/* The sum of both.  Zero only if both are. */
static inline csum_wsum csum_add(csum_wsum a, csum_wsum b)
{
	a += b;
	return a + (a < b);
}

/* Takes @b, summed at an even place, out of @a.  Never +0, see top. */
static inline csum_wsum csum_sub(csum_wsum a, csum_wsum b)
{
	/* ~b is -b.  a + ~b is +0 only for a = 0, b = ~0, two zeros. */
	csum_wsum d = csum_add(a, ~b);

	return d ? d : ~d;
}

/*
 * A running sum from one word of the message, as loaded from memory.  16- and
 * 32-bit words are running sums as they are.
 */
static inline csum_wsum csum_from16(uint16_t word)
{
	return word;
}

static inline csum_wsum csum_from32(uint32_t word)
{
	return word;
}

static inline csum_wsum csum_from64(uint64_t word)
{
	/* high half + low half + the carry of that addition */
	word += (word >> 32) | (word << 32);
	return (csum_wsum)(word >> 32);
}

/*
 * csum_to16() - fold to 16 bits, NOT complemented.
 *
 * 0 only if @sum is 0.  This is what DPDK's rte_raw_cksum() returns.
 */
static inline uint16_t csum_to16(csum_wsum sum)
{
	sum += (sum >> 16) | (sum << 16);
	return (uint16_t)(sum >> 16);
}

/*
 * csum_fold() - fold and complement: the value of the checksum field.
 *
 * For IPv4, TCP, ICMP, ICMPv6 and all others but UDP.  0xffff only if @sum is
 * 0.
 */
static inline csum_sum16 csum_fold(csum_wsum sum)
{
	return (csum_sum16)~csum_to16(sum);
}

/* csum_fold_udp() - the same for UDP: a computed 0 is sent as 0xffff. */
static inline csum_sum16 csum_fold_udp(csum_wsum sum)
{
	csum_sum16 check = csum_fold(sum);

	return check ? check : 0xffff;
}

/*
 * csum_ok() - is a received message intact?
 *
 * @sum: over all covered bytes, the checksum field included, and the
 *       pseudo-header if there is one.
 *
 * True if it is -0.  Both 0x0000 and 0xffff in the field are accepted where
 * they mean the same.  All zeros is not intact.  A UDP field of 0 says that
 * there is nothing to check: ask csum_udp_absent() first.
 * Reference: RFC 1071, section 1 (3).
 */
static inline bool csum_ok(csum_wsum sum)
{
	return csum_to16(sum) == 0xffff;
}

/* True if a UDP checksum field says that the sender computed none. */
static inline bool csum_udp_absent(csum_sum16 check)
{
	return check == 0;
}

/*
 * csum_shift() - the sum as it is when its bytes start at @offset.
 *
 * Bytes that move by an odd distance change halves; their sum is rotated by 8
 * bits.  Even distances change nothing.  Reference: RFC 1071, section 2 (B).
 */
static inline csum_wsum csum_shift(csum_wsum sum, size_t offset)
{
	return offset & 1 ? (sum >> 8) | (sum << 24) : sum;
}

/*
 * csum_combine() - join the sums of two pieces.
 *
 * @sum: of everything else, in place.
 * @piece: sum of a piece on its own, as if it started at offset 0.
 * @offset: where in the message the piece starts, in BYTES; only its parity
 *          counts.  Pieces may come in any order.
 */
static inline csum_wsum csum_combine(csum_wsum sum, csum_wsum piece,
				     size_t offset)
{
	return csum_add(sum, csum_shift(piece, offset));
}

/*
 * csum_uncombine() - take a piece out again: the inverse of csum_combine().
 *
 * Same arguments.  If nothing but zeros is left the result is -0, not +0: the
 * sum cannot tell the difference.
 */
static inline csum_wsum csum_uncombine(csum_wsum sum, csum_wsum piece,
				       size_t offset)
{
	return csum_sub(sum, csum_shift(piece, offset));
}

/* ------------------------------------------------------------------------
 * IPv4 header (RFC 791, section 3.1)
 */

/*
 * csum_ipv4_header() - checksum of an IPv4 header, options included.
 *
 * @hdr: first byte, any alignment.
 * @ihl: length in 32-BIT WORDS, as in the header: 5 to 15.  A constant 5 is
 *       unrolled.  Reads exactly 4 * ihl bytes.
 *
 * With the field set to 0: the value to store.  With the field as received: 0
 * if the header is intact.
 */
static inline csum_sum16 csum_ipv4_header(const void *hdr, unsigned ihl)
{
	const unsigned char *p = (const unsigned char *)hdr;
	uint64_t sum = 0;

	/* 15 words of 32 bits cannot overflow 64 */
	if (ihl == 5) /* gcc -O2 would not unroll: 38 instructions, not 18 */
		sum = (uint64_t)csum_load32(p) + csum_load32(p + 4) +
		      csum_load32(p + 8) + csum_load32(p + 12) +
		      csum_load32(p + 16);
	else
		for (unsigned i = 0; i < ihl; i++)
			sum += csum_load32(p + (size_t)4 * i);
	return csum_fold(csum_from64(sum));
}

/* ------------------------------------------------------------------------
 * Pseudo-headers
 */

/*
 * csum_pseudo_ipv4() - add the IPv4 pseudo-header to a running sum.
 *
 * @saddr, @daddr: addresses as they stand in the header.  With a source route,
 *                 the final destination.
 * @len: upper-layer length in BYTES (TCP header and data; for UDP the length of
 *       its header field).  All 32 bits are summed, for large segments.
 * @proto: 6 TCP, 17 UDP, 33 DCCP, 136 UDP-Lite...
 * @sum: of the message, or 0.
 *
 * Not complemented, so that the message can be added.  Folded with csum_to16()
 * it is what a stack stores when the hardware is to finish the job.
 * Reference: RFC 9293, section 3.1; RFC 768.
 */
static inline csum_wsum csum_pseudo_ipv4(csum_be32 saddr, csum_be32 daddr,
					 uint32_t len, uint8_t proto,
					 csum_wsum sum)
{
	uint64_t s = sum;

	s += saddr;
	s += daddr;
	s += csum_be32_from_host(len);
	s += csum_be16_from_host(proto);
	return csum_from64(s);
}

/*
 * csum_pseudo_ipv6() - add the IPv6 pseudo-header to a running sum.
 *
 * @saddr, @daddr: 16 bytes each, any alignment.  With a routing header the
 *                 final destination; with a home address option, that address.
 * @len: upper-layer length in BYTES, 32 bits (RFC 2675 for more than 65535),
 *       without extension headers.
 * @proto: upper-layer protocol, not the next-header field of the IPv6 header.
 * @sum: of the message, or 0.
 *
 * Reference: RFC 8200, section 8.1.
 */
static inline csum_wsum csum_pseudo_ipv6(const void *saddr, const void *daddr,
					 uint32_t len, uint8_t proto,
					 csum_wsum sum)
{
	const unsigned char *s = (const unsigned char *)saddr;
	const unsigned char *d = (const unsigned char *)daddr;
	uint64_t acc = sum;

	for (size_t i = 0; i < 16; i += 4) {
		acc += csum_load32(s + i);
		acc += csum_load32(d + i);
	}
	acc += csum_be32_from_host(len);
	acc += csum_be32_from_host(proto);
	return csum_from64(acc);
}

/* ------------------------------------------------------------------------
 * The finished checksum of a message: the value to store in its field
 *
 * @msg, @len: the message from its own header to the end of its data, in BYTES.
 *             What its checksum field holds now does not matter; a message too
 *             short to have one is summed as it is.
 */

/* Where the field is, in BYTES from the start of the message. */
enum {
	CSUM_FIELD_IPV4 = 10,
	CSUM_FIELD_ICMP = 2,
	CSUM_FIELD_UDP = 6,
	CSUM_FIELD_TCP = 16,
};

/* csum_without() - sum of a message as if its 16-bit field at @field were 0. */
static inline csum_wsum csum_without(const void *msg, size_t len, size_t field)
{
	const unsigned char *p = (const unsigned char *)msg;

	if (len < field + 2)
		return csum_partial(p, len, 0);
	/* Around it, not minus it: this keeps +0 and -0 apart. */
	return csum_partial(p + field + 2, len - field - 2,
			    csum_partial(p, field, 0));
}

/* csum_tcp_ipv4() - TCP over IPv4 (RFC 9293, section 3.1). */
static inline csum_sum16 csum_tcp_ipv4(csum_be32 saddr, csum_be32 daddr,
				       const void *msg, size_t len)
{
	return csum_fold(
		csum_pseudo_ipv4(saddr, daddr, (uint32_t)len, 6,
				 csum_without(msg, len, CSUM_FIELD_TCP)));
}

/* csum_udp_ipv4() - UDP over IPv4 (RFC 768).  Never 0. */
static inline csum_sum16 csum_udp_ipv4(csum_be32 saddr, csum_be32 daddr,
				       const void *msg, size_t len)
{
	return csum_fold_udp(
		csum_pseudo_ipv4(saddr, daddr, (uint32_t)len, 17,
				 csum_without(msg, len, CSUM_FIELD_UDP)));
}

/* csum_tcp_ipv6() - TCP over IPv6 (RFC 8200, section 8.1). */
static inline csum_sum16 csum_tcp_ipv6(const void *saddr, const void *daddr,
				       const void *msg, size_t len)
{
	return csum_fold(
		csum_pseudo_ipv6(saddr, daddr, (uint32_t)len, 6,
				 csum_without(msg, len, CSUM_FIELD_TCP)));
}

/* csum_udp_ipv6() - UDP over IPv6 (RFC 8200, section 8.1).  Never 0. */
static inline csum_sum16 csum_udp_ipv6(const void *saddr, const void *daddr,
				       const void *msg, size_t len)
{
	return csum_fold_udp(
		csum_pseudo_ipv6(saddr, daddr, (uint32_t)len, 17,
				 csum_without(msg, len, CSUM_FIELD_UDP)));
}

/* csum_icmpv6() - ICMPv6 (RFC 4443, section 2.3): has a pseudo-header. */
static inline csum_sum16 csum_icmpv6(const void *saddr, const void *daddr,
				     const void *msg, size_t len)
{
	return csum_fold(
		csum_pseudo_ipv6(saddr, daddr, (uint32_t)len, 58,
				 csum_without(msg, len, CSUM_FIELD_ICMP)));
}

/* csum_icmp() - ICMP over IPv4 (RFC 792): has none. */
static inline csum_sum16 csum_icmp(const void *msg, size_t len)
{
	return csum_fold(csum_without(msg, len, CSUM_FIELD_ICMP));
}

/* ------------------------------------------------------------------------
 * Incremental update (RFC 1624): the new checksum after a change
 *
 * @check: the field before the change, as stored in the packet.
 * @was, @now: the changed bytes before and after.
 *
 * Each returns the field to store.  It is right exactly if @check was right,
 * and wrong by the same difference if it was not, so damage stays visible.
 * Never 0xffff: see "The two zeros" at the top, which also names the one case
 * that needs a full computation.  For UDP take the csum_udp_ functions.
 */

/*
 * csum_diff() - what a change of any byte range does to a running sum.
 *
 * @was, @was_len, @now, @now_len: the range before and after, in BYTES.  The
 *         lengths may differ by an even number; by an odd one only if the range
 *         ends the message, because every byte behind it would go over from the
 *         high half of its word to the low half, or back.
 * @offset: where in the message (pseudo-header included; it is even) the range
 *          starts; only its parity counts.
 *
 * Returns a difference for csum_add(), or csum_replace_by_diff(); never +0.
 */
static inline csum_wsum csum_diff(const void *was, size_t was_len,
				  const void *now, size_t now_len,
				  size_t offset)
{
	return csum_shift(csum_sub(csum_partial(now, now_len, 0),
				   csum_partial(was, was_len, 0)),
			  offset);
}

/*
 * csum_replace_by_diff() - apply a difference of running sums.
 *
 * Eqn 3 with everything kept wider than 16 bits.  0xffff is a zero, so adding
 * it changes no sum; it makes the total non-zero, so that it is never +0.
 */
static inline csum_sum16 csum_replace_by_diff(csum_sum16 check, csum_wsum diff)
{
	uint64_t sum = (uint64_t)diff + (uint16_t)~check + 0xffff;

	return csum_fold(csum_from64(sum));
}

/* csum_replace2() - a 16-bit field at an even place changed. */
static inline csum_sum16 csum_replace2(csum_sum16 check, csum_be16 was,
				       csum_be16 now)
{
	/* four terms of 16 bits cannot overflow 32 */
	return csum_fold((csum_wsum)(uint16_t)~check + (uint16_t)~was + now +
			 0xffffu);
}

/* csum_replace4() - a 32-bit field at an even place changed (an address). */
static inline csum_sum16 csum_replace4(csum_sum16 check, csum_be32 was,
				       csum_be32 now)
{
	uint64_t sum = (uint64_t)(uint32_t)~was + now + (uint16_t)~check;

	return csum_fold(csum_from64(sum + 0xffff));
}

/* csum_replace16() - 16 bytes at an even place changed (an IPv6 address). */
static inline csum_sum16 csum_replace16(csum_sum16 check, const void *was,
					const void *now)
{
	const unsigned char *w = (const unsigned char *)was;
	const unsigned char *n = (const unsigned char *)now;
	uint64_t sum = (uint64_t)(uint16_t)~check + 0xffff;

	for (size_t i = 0; i < 16; i += 4) {
		sum += ~csum_load32(w + i);
		sum += csum_load32(n + i);
	}
	return csum_fold(csum_from64(sum));
}

/* csum_replace_bytes() - any bytes at any place changed; see csum_diff(). */
static inline csum_sum16 csum_replace_bytes(csum_sum16 check, const void *was,
					    size_t was_len, const void *now,
					    size_t now_len, size_t offset)
{
	return csum_replace_by_diff(
		check, csum_diff(was, was_len, now, now_len, offset));
}

/*
 * csum_dec_ttl() - the IPv4 header checksum after its TTL went down by one.
 *
 * Reference: RFC 1141 with the correction of RFC 1624: the result is never
 * 0xffff.
 */
static inline csum_sum16 csum_dec_ttl(csum_sum16 check)
{
	/* the TTL is the high byte of its word: ~m + m' = ~0x0100 */
	return csum_fold((csum_wsum)(uint16_t)~check +
			 (uint16_t)~csum_be16_from_host(0x0100) + 0xffffu);
}

/*
 * csum_ipv4_dec_ttl() - decrement the TTL of an IPv4 header in place.
 *
 * @hdr: 20 bytes or more, any alignment; writes its bytes 8, 10 and 11.
 *
 * Returns the new TTL, or -1 if it was 0 already: then nothing is changed.
 */
static inline int csum_ipv4_dec_ttl(void *hdr)
{
	unsigned char *p = (unsigned char *)hdr;

	if (p[8] == 0)
		return -1;
	csum_store16(p + CSUM_FIELD_IPV4,
		     csum_dec_ttl(csum_load16(p + CSUM_FIELD_IPV4)));
	return --p[8];
}

/*
 * The same for a UDP checksum: absent (0) stays absent, and a computed 0 is
 * stored as 0xffff, so that it does not become absent.
 */

/* csum_udp_keep() - the rule itself, over the results of any update above. */
static inline csum_sum16 csum_udp_keep(csum_sum16 before, csum_sum16 after)
{
	if (csum_udp_absent(before))
		return before;
	return after ? after : 0xffff;
}

static inline csum_sum16 csum_udp_replace2(csum_sum16 check, csum_be16 was,
					   csum_be16 now)
{
	return csum_udp_keep(check, csum_replace2(check, was, now));
}

static inline csum_sum16 csum_udp_replace4(csum_sum16 check, csum_be32 was,
					   csum_be32 now)
{
	return csum_udp_keep(check, csum_replace4(check, was, now));
}

static inline csum_sum16 csum_udp_replace16(csum_sum16 check, const void *was,
					    const void *now)
{
	return csum_udp_keep(check, csum_replace16(check, was, now));
}

static inline csum_sum16 csum_udp_replace_bytes(csum_sum16 check,
						const void *was, size_t was_len,
						const void *now, size_t now_len,
						size_t offset)
{
	return csum_udp_keep(check, csum_replace_bytes(check, was, was_len, now,
						       now_len, offset));
}

static inline csum_sum16 csum_udp_replace_by_diff(csum_sum16 check,
						  csum_wsum diff)
{
	return csum_udp_keep(check, csum_replace_by_diff(check, diff));
}

/* ------------------------------------------------------------------------
 * Which routine does the work
 *
 * The library holds several routines for the same sum.  On the first call the
 * first one in its list that this CPU and this operating system can run is
 * chosen; the environment variable CSUM_ROUTINE=name, read once at that moment,
 * chooses another.  A name that is unknown, or cannot run here, is ignored: the
 * choice changes the speed, never an answer.  A program that runs with the
 * rights of somebody else (set-user-ID and the like) does not read that
 * variable.
 */

struct csum_routine_info {
	const char *name; /* as in CSUM_ROUTINE */
	const char *isa;  /* the instructions it needs, or "any" */
	const char *idea; /* one line */
	bool usable;	  /* this CPU and operating system can run it */
	bool active;	  /* csum_partial() uses it */
	bool active_copy; /* csum_copy() uses it */
};

/* csum_routine_count() - how many routines this build holds; at least 1. */
CSUM_API size_t csum_routine_count(void);

/*
 * csum_routine_get() - describe routine @index, in the order of selection.
 *
 * Returns false, with *@info untouched, if @index is not below the count.  The
 * strings are constant and live as long as the library is loaded.
 */
CSUM_API bool csum_routine_get(size_t index, struct csum_routine_info *info);

/* csum_routine_active() - the name of the routine that csum_partial() uses. */
CSUM_API const char *csum_routine_active(void);

/*
 * csum_use_profile() - take the routines that a profile names.
 *
 * @path: a file that `csum elect --output` wrote, or made by hand:
 *
 *            csum-profile 1
 *            # what follows a # is a comment
 *            sum avx2
 *            copy sse2
 *
 *        Either line may be missing; then that choice stays as it is.  The
 *        file is a regular one of at most 64 KiB.
 *
 * Returns 0, or an errno value and changes nothing: of open(), if the file
 * cannot be read; EINVAL, if the file is not a profile; ENOTSUP, if the profile
 * names a routine that this build does not have or this machine cannot run.
 * CSUM_ROUTINE is stronger: while that variable names a usable routine, 0 is
 * returned and nothing changed.
 *
 * The library opens no file but the one that is named here.  In particular, the
 * environment variable CSUM_PROFILE is read by the csum command alone: another
 * program calls this function.
 *
 * May be called at any time and by any thread: a call of csum_partial() that
 * runs meanwhile uses the old or the new routine, with the same answer.
 */
CSUM_API int csum_use_profile(const char *path);

/* csum_version() - version of the library at run time, like CSUM_VERSION. */
CSUM_API const char *csum_version(void);

#ifdef __cplusplus
}
#endif

#endif
