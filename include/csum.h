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
 * What the compiler watches
 * -------------------------
 * A result that is dropped draws a warning: no function here but the few that
 * say so changes anything.  In C a running sum and a field are integers, so the
 * compiler cannot tell that one is passed for the other; two tools can:
 *
 *   sparse       has a type of its own for each of the four types below,
 *   csum.hpp     has a class for each of them, for C++.
 *
 * Names
 * -----
 * Ports of Linux code bring functions of their own called csum_partial,
 * csum_fold, csum_add...  Therefore
 *
 *   the linker   sees csum_api_partial where this header says csum_partial, and
 *                so on: a program's own csum_partial() never takes the place
 *                of the library's, in a static library or a shared one;
 *   the compiler sees csum_api_partial(), csum_api_fold() ... everywhere if
 *                CSUM_NO_SHORT_NAMES is defined before csum.h is included.
 *                No short function name is then declared.
 *
 * A static library has names of its own that begin with csum_inside_,
 * csum_sum_, csum_copy_, csum_active_ and csum_cpu_, and csum_choose, csum_find
 * and csum_routines; a shared one exports csum_api_... alone.
 *
 * Short names are what one asks for by saying nothing, because most programs
 * have no others.  Types, enumerators and macros have no second name.
 *
 * Small machines, kernels, BPF
 * ----------------------------
 * All that is inline here needs <stdbool.h>, <stddef.h> and <stdint.h>, which a
 * freestanding compiler has.  csum_iov() needs <sys/uio.h>: it is left out
 * where there is none, or where CSUM_NO_IOVEC is defined.  See docs/PORTING.md.
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

/* No <sys/uio.h>, no csum_iov(). */
#if defined(__STDC_HOSTED__) && __STDC_HOSTED__ == 0
#define CSUM_NO_IOVEC 1
#elif defined(__has_include) && !defined(CSUM_NO_IOVEC)
#if !__has_include(<sys/uio.h>)
#define CSUM_NO_IOVEC 1
#endif
#endif
#ifndef CSUM_NO_IOVEC
#include <sys/uio.h>
#endif

#ifdef CSUM_NO_SHORT_NAMES
#include "csum_names.h"
#endif

#define CSUM_VERSION_MAJOR 0
#define CSUM_VERSION_MINOR 1
#define CSUM_VERSION_PATCH 0
#define CSUM_VERSION	   "0.1.0"

/*
 * For the declarations below.
 *
 * CSUM_API     is in the library, not in this header
 * CSUM_LINK    and what the linker calls it; the library's own files have both
 *              otherwise, see src/inside.h
 * CSUM_RESULT  is called for its result: dropped, it draws a warning
 * CSUM_INLINE  is one of the small functions of this header, with a result
 * CSUM_WRAPS   overflows on purpose: clang's -fsanitize=integer says nothing
 */
#if defined(__GNUC__)
#define CSUM_EXPORT __attribute__((visibility("default")))
#define CSUM_EXPORT_AS(name)                                                   \
	__asm__(CSUM_LINK_PREFIX(__USER_LABEL_PREFIX__) "csum_api_" name)
#define CSUM_LINK_PREFIX(prefix) CSUM_LINK_STRING(prefix)
#define CSUM_LINK_STRING(prefix) #prefix
#define CSUM_RESULT		 __attribute__((warn_unused_result))
#else
#define CSUM_EXPORT
#define CSUM_EXPORT_AS(name)
#define CSUM_RESULT
#endif
#ifndef CSUM_API
#define CSUM_API	CSUM_EXPORT
#define CSUM_LINK(name) CSUM_EXPORT_AS(name)
#endif
#define CSUM_INLINE static inline CSUM_RESULT
#if defined(__clang__)
#define CSUM_WRAPS __attribute__((no_sanitize("integer")))
#else
#define CSUM_WRAPS
#endif

/*
 * CSUM_TO(type, v) makes v narrower, or another pointer; CSUM_AS(type, v) is
 * for types that differ for sparse only.
 */
#if defined(__CHECKER__)
#define CSUM_BITWISE	 __attribute__((bitwise))
#define CSUM_TO(type, v) ((__attribute__((force)) type)(v))
#define CSUM_AS(type, v) CSUM_TO(type, v)
#elif defined(__cplusplus)
#define CSUM_BITWISE
#define CSUM_TO(type, v) static_cast<type>(v)
#define CSUM_AS(type, v) (v)
#else
#define CSUM_BITWISE
#define CSUM_TO(type, v) ((type)(v))
#define CSUM_AS(type, v) (v)
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t CSUM_BITWISE csum_wsum;
typedef uint16_t CSUM_BITWISE csum_sum16;
typedef uint16_t CSUM_BITWISE csum_be16;
typedef uint32_t CSUM_BITWISE csum_be32;

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
CSUM_API CSUM_RESULT csum_wsum csum_partial(const void *buf, size_t len,
					    csum_wsum sum) CSUM_LINK("partial");

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
CSUM_API CSUM_RESULT csum_wsum csum_copy(void *dst, const void *src, size_t len,
					 csum_wsum sum) CSUM_LINK("copy");

#ifndef CSUM_NO_IOVEC
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
CSUM_API CSUM_RESULT csum_wsum csum_iov(const struct iovec *iov, size_t iovcnt,
					size_t off, size_t len, csum_wsum sum)
	CSUM_LINK("iov");
#endif

/* ------------------------------------------------------------------------
 * One word, from and to memory.  Any alignment.
 */

/* Of a constant size: no call, and no <string.h>. */
#if defined(__GNUC__)
#define CSUM_MEMCPY(to, from, n) __builtin_memcpy(to, from, n)
#else
#include <string.h>
#define CSUM_MEMCPY(to, from, n) memcpy(to, from, n)
#endif

CSUM_INLINE csum_be16 csum_load16(const void *p)
{
	csum_be16 v;

	CSUM_MEMCPY(&v, p, sizeof(v));
	return v;
}

CSUM_INLINE csum_be32 csum_load32(const void *p)
{
	csum_be32 v;

	CSUM_MEMCPY(&v, p, sizeof(v));
	return v;
}

/* A checksum field: csum_load16() with the type of what is in there. */
CSUM_INLINE csum_sum16 csum_load_sum16(const void *p)
{
	return CSUM_AS(csum_sum16, csum_load16(p));
}

static inline void csum_store16(void *p, csum_sum16 check)
{
	uint16_t v = CSUM_AS(uint16_t, check);

	CSUM_MEMCPY(p, &v, sizeof(v));
}

/*
 * Host integer to the word that stands for it in a packet (htons, htonl): as a
 * constant expression for what is known to the compiler, and as functions.
 */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define CSUM_BE16(v) CSUM_TO(csum_be16, (v)&0xffff)
#define CSUM_BE32(v) CSUM_TO(csum_be32, (v)&0xffffffffull)
#else
#define CSUM_BE16(v) CSUM_TO(csum_be16, ((v)&0xff) << 8 | ((v) >> 8 & 0xff))
#define CSUM_BE32(v)                                                           \
	CSUM_TO(csum_be32, ((v)&0xffull) << 24 | ((v)&0xff00ull) << 8 |        \
				   ((v) >> 8 & 0xff00ull) |                    \
				   ((v) >> 24 & 0xffull))
#endif

CSUM_INLINE csum_be16 csum_be16_from_host(uint16_t v)
{
	const unsigned char b[2] = { CSUM_TO(unsigned char, v >> 8),
				     CSUM_TO(unsigned char, v & 0xff) };

	return csum_load16(b);
}

CSUM_INLINE csum_be32 csum_be32_from_host(uint32_t v)
{
	const unsigned char b[4] = { CSUM_TO(unsigned char, v >> 24),
				     CSUM_TO(unsigned char, v >> 16 & 0xff),
				     CSUM_TO(unsigned char, v >> 8 & 0xff),
				     CSUM_TO(unsigned char, v & 0xff) };

	return csum_load32(b);
}

/* ------------------------------------------------------------------------
 * Arithmetic on running sums
 *
 * 2^16 = 1 (mod 0xffff), hence so are 2^32 and 2^64: a carry out of the top is
 * worth 1 at the bottom, and halves of any word can be added to each other.
 */

/* The sum of both.  Zero only if both are. */
CSUM_WRAPS CSUM_INLINE csum_wsum csum_add(csum_wsum a, csum_wsum b)
{
	uint32_t x = CSUM_AS(uint32_t, a), y = CSUM_AS(uint32_t, b);

	x += y;
	return CSUM_AS(csum_wsum, x + (x < y));
}

/* Takes @b, summed at an even place, out of @a.  Never +0, see top. */
CSUM_INLINE csum_wsum csum_sub(csum_wsum a, csum_wsum b)
{
	/* ~b is -b.  a + ~b is +0 only for a = 0, b = ~0, two zeros. */
	csum_wsum d = csum_add(a, ~b);

	return d == 0 ? ~d : d;
}

/*
 * A running sum from one word of the message, as loaded from memory.  16- and
 * 32-bit words are running sums as they are.
 */
CSUM_INLINE csum_wsum csum_from16(csum_be16 word)
{
	return CSUM_AS(csum_wsum, CSUM_AS(uint16_t, word));
}

CSUM_INLINE csum_wsum csum_from32(csum_be32 word)
{
	return CSUM_AS(csum_wsum, word);
}

CSUM_WRAPS CSUM_INLINE csum_wsum csum_from64(uint64_t word)
{
	/* high half + low half + the carry of that addition */
	word += (word >> 32) | (word << 32);
	return CSUM_TO(csum_wsum, word >> 32);
}

/*
 * csum_to16() - fold to 16 bits, NOT complemented.
 *
 * 0 only if @sum is 0.  This is what DPDK's rte_raw_cksum() returns.
 */
CSUM_WRAPS CSUM_INLINE uint16_t csum_to16(csum_wsum sum)
{
	uint32_t s = CSUM_AS(uint32_t, sum);

	s += (s >> 16) | (s << 16);
	return CSUM_TO(uint16_t, s >> 16);
}

/*
 * csum_fold() - fold and complement: the value of the checksum field.
 *
 * For IPv4, TCP, ICMP, ICMPv6 and all others but UDP.  0xffff only if @sum is
 * 0.
 */
CSUM_INLINE csum_sum16 csum_fold(csum_wsum sum)
{
	return CSUM_TO(csum_sum16, 0xffff ^ csum_to16(sum));
}

/* A computed 0 is sent as 0xffff, because 0 in the field means "absent". */
CSUM_INLINE csum_sum16 csum_udp_sent(csum_sum16 check)
{
	return check == 0 ? CSUM_TO(csum_sum16, 0xffff) : check;
}

/* csum_fold_udp() - the same for UDP: a computed 0 is sent as 0xffff. */
CSUM_INLINE csum_sum16 csum_fold_udp(csum_wsum sum)
{
	csum_sum16 check = csum_fold(sum);

	return csum_udp_sent(check);
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
CSUM_INLINE bool csum_ok(csum_wsum sum)
{
	return csum_to16(sum) == 0xffff;
}

/* True if a UDP checksum field says that the sender computed none. */
CSUM_INLINE bool csum_udp_absent(csum_sum16 check)
{
	return check == 0;
}

/*
 * csum_shift() - the sum as it is when its bytes start at @offset.
 *
 * Bytes that move by an odd distance change halves; their sum is rotated by 8
 * bits.  Even distances change nothing.  Reference: RFC 1071, section 2 (B).
 */
CSUM_WRAPS CSUM_INLINE csum_wsum csum_shift(csum_wsum sum, size_t offset)
{
	uint32_t s = CSUM_AS(uint32_t, sum);

	return offset & 1 ? CSUM_AS(csum_wsum, (s >> 8) | (s << 24)) : sum;
}

/*
 * csum_combine() - join the sums of two pieces.
 *
 * @sum: of everything else, in place.
 * @piece: sum of a piece on its own, as if it started at offset 0.
 * @offset: where in the message the piece starts, in BYTES; only its parity
 *          counts.  Pieces may come in any order.
 */
CSUM_INLINE csum_wsum csum_combine(csum_wsum sum, csum_wsum piece,
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
CSUM_INLINE csum_wsum csum_uncombine(csum_wsum sum, csum_wsum piece,
				     size_t offset)
{
	return csum_sub(sum, csum_shift(piece, offset));
}

/* ------------------------------------------------------------------------
 * IPv4 header (RFC 791, section 3.1)
 */

/*
 * What would check memory does not see into assembly: there the plain lines
 * below stand for it.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
#define CSUM_ASM_X86_64 1
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#undef CSUM_ASM_X86_64
#endif
#endif

/* Five words of 32 bits, as wide as a header's fields were written or less. */
CSUM_INLINE csum_wsum csum_add20(const unsigned char *p)
{
#if defined(CSUM_ASM_X86_64)
	uint32_t sum = CSUM_AS(uint32_t, csum_load32(p));

	/* the carry stays in its flag: 12 instructions with the fold, not 18 */
	__asm__("addl 4(%1), %0\n\t"
		"adcl 8(%1), %0\n\t"
		"adcl 12(%1), %0\n\t"
		"adcl 16(%1), %0\n\t"
		"adcl $0, %0"
		: "+r"(sum)
		: "r"(p), "m"(*CSUM_TO(const unsigned char(*)[20],
				       CSUM_TO(const void *, p)))
		: "cc");
	return CSUM_AS(csum_wsum, sum);
#else
	uint64_t sum = CSUM_AS(uint32_t, csum_load32(p));

	/* unrolled: gcc -O2 would not, which costs 20 instructions more */
	sum += CSUM_AS(uint32_t, csum_load32(p + 4));
	sum += CSUM_AS(uint32_t, csum_load32(p + 8));
	sum += CSUM_AS(uint32_t, csum_load32(p + 12));
	sum += CSUM_AS(uint32_t, csum_load32(p + 16));
	return csum_from64(sum);
#endif
}

/*
 * csum_ipv4_header() - checksum of an IPv4 header, options included.
 *
 * @hdr: first byte, any alignment.
 * @ihl: length in 32-BIT WORDS, as in the header: 5 to 15.  A constant 5 is
 *       unrolled.  Reads exactly 4 * ihl bytes.
 *
 * With the field set to 0: the value to store.  With the field as received: 0
 * if the header is intact.
 *
 * No header is shorter than 5 words, and its field cannot say more than 15. Any
 * other @ihl gives 0xffff and reads nothing: not intact.
 */
CSUM_INLINE csum_sum16 csum_ipv4_header(const void *hdr, unsigned ihl)
{
	const unsigned char *p = CSUM_TO(const unsigned char *, hdr);
	csum_wsum sum;

	if (ihl < 5 || ihl > 15)
		return csum_fold(CSUM_TO(csum_wsum, 0));
	sum = csum_add20(p);
	for (unsigned i = 5; i < ihl; i++)
		sum = csum_add(sum, csum_from32(csum_load32(p + 4 * i)));
	return csum_fold(sum);
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
CSUM_INLINE csum_wsum csum_pseudo_ipv4(csum_be32 saddr, csum_be32 daddr,
				       uint32_t len, uint8_t proto,
				       csum_wsum sum)
{
	uint64_t s = CSUM_AS(uint32_t, sum);

	s += CSUM_AS(uint32_t, saddr);
	s += CSUM_AS(uint32_t, daddr);
	s += CSUM_AS(uint32_t, csum_be32_from_host(len));
	s += CSUM_AS(uint16_t, csum_be16_from_host(proto));
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
CSUM_INLINE csum_wsum csum_pseudo_ipv6(const void *saddr, const void *daddr,
				       uint32_t len, uint8_t proto,
				       csum_wsum sum)
{
	const unsigned char *s = CSUM_TO(const unsigned char *, saddr);
	const unsigned char *d = CSUM_TO(const unsigned char *, daddr);
	uint64_t acc = CSUM_AS(uint32_t, sum);

	for (size_t i = 0; i < 16; i += 4) {
		acc += CSUM_AS(uint32_t, csum_load32(s + i));
		acc += CSUM_AS(uint32_t, csum_load32(d + i));
	}
	acc += CSUM_AS(uint32_t, csum_be32_from_host(len));
	acc += CSUM_AS(uint32_t, csum_be32_from_host(proto));
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

/*
 * csum_without() - sum of a message as if its 16-bit field at @field were 0.
 *
 * @field: in BYTES from the start of the message, any value, odd too.  A field
 *         that is not within the message as a whole leaves nothing out.
 */
CSUM_INLINE csum_wsum csum_without(const void *msg, size_t len, size_t field)
{
	const unsigned char *p = CSUM_TO(const unsigned char *, msg);
	csum_wsum sum = CSUM_TO(csum_wsum, 0);

	if (len < 2 || field > len - 2)
		return csum_partial(p, len, sum);
	/*
	 * Around it, not minus it: this keeps +0 and -0 apart.  What is behind
	 * an odd field is summed in the other half of its words: the sum goes
	 * there and back.
	 */
	sum = csum_shift(csum_partial(p, field, sum), field);
	return csum_shift(csum_partial(p + field + 2, len - field - 2, sum),
			  field);
}

/* The length in a pseudo-header has 32 bits. */
#define CSUM_LENGTH(len) CSUM_TO(uint32_t, (len)&0xffffffffull)

/* csum_tcp_ipv4() - TCP over IPv4 (RFC 9293, section 3.1). */
CSUM_INLINE csum_sum16 csum_tcp_ipv4(csum_be32 saddr, csum_be32 daddr,
				     const void *msg, size_t len)
{
	return csum_fold(
		csum_pseudo_ipv4(saddr, daddr, CSUM_LENGTH(len), 6,
				 csum_without(msg, len, CSUM_FIELD_TCP)));
}

/* csum_udp_ipv4() - UDP over IPv4 (RFC 768).  Never 0. */
CSUM_INLINE csum_sum16 csum_udp_ipv4(csum_be32 saddr, csum_be32 daddr,
				     const void *msg, size_t len)
{
	return csum_fold_udp(
		csum_pseudo_ipv4(saddr, daddr, CSUM_LENGTH(len), 17,
				 csum_without(msg, len, CSUM_FIELD_UDP)));
}

/* csum_tcp_ipv6() - TCP over IPv6 (RFC 8200, section 8.1). */
CSUM_INLINE csum_sum16 csum_tcp_ipv6(const void *saddr, const void *daddr,
				     const void *msg, size_t len)
{
	return csum_fold(
		csum_pseudo_ipv6(saddr, daddr, CSUM_LENGTH(len), 6,
				 csum_without(msg, len, CSUM_FIELD_TCP)));
}

/* csum_udp_ipv6() - UDP over IPv6 (RFC 8200, section 8.1).  Never 0. */
CSUM_INLINE csum_sum16 csum_udp_ipv6(const void *saddr, const void *daddr,
				     const void *msg, size_t len)
{
	return csum_fold_udp(
		csum_pseudo_ipv6(saddr, daddr, CSUM_LENGTH(len), 17,
				 csum_without(msg, len, CSUM_FIELD_UDP)));
}

/* csum_icmpv6() - ICMPv6 (RFC 4443, section 2.3): has a pseudo-header. */
CSUM_INLINE csum_sum16 csum_icmpv6(const void *saddr, const void *daddr,
				   const void *msg, size_t len)
{
	return csum_fold(
		csum_pseudo_ipv6(saddr, daddr, CSUM_LENGTH(len), 58,
				 csum_without(msg, len, CSUM_FIELD_ICMP)));
}

/* csum_icmp() - ICMP over IPv4 (RFC 792): has none. */
CSUM_INLINE csum_sum16 csum_icmp(const void *msg, size_t len)
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
 * @sum: the running sum to which the difference is added; 0 for the difference
 *       alone.  bpf_csum_diff() has this one as its fifth argument, and no
 *       offset.
 *
 * Returns a running sum for csum_add(), or csum_replace_by_diff(); never +0.
 */
CSUM_INLINE csum_wsum csum_diff(const void *was, size_t was_len,
				const void *now, size_t now_len, size_t offset,
				csum_wsum sum)
{
	csum_wsum none = CSUM_TO(csum_wsum, 0);

	return csum_add(sum,
			csum_shift(csum_sub(csum_partial(now, now_len, none),
					    csum_partial(was, was_len, none)),
				   offset));
}

/* ~HC: the sum that a field stands for. */
CSUM_INLINE uint16_t csum_uncomplement(csum_sum16 check)
{
	return CSUM_TO(uint16_t, 0xffff ^ CSUM_AS(uint16_t, check));
}

/*
 * csum_replace_by_diff() - apply a difference of running sums.
 *
 * Eqn 3 with everything kept wider than 16 bits.  0xffff is a zero, so adding
 * it changes no sum; it makes the total non-zero, so that it is never +0.
 */
CSUM_INLINE csum_sum16 csum_replace_by_diff(csum_sum16 check, csum_wsum diff)
{
	uint64_t sum = CSUM_AS(uint32_t, diff);

	sum += csum_uncomplement(check);
	return csum_fold(csum_from64(sum + 0xffff));
}

/*
 * csum_replace2() - a 16-bit field at an even place changed.
 *
 * What no update can see from @check, @was and @now:
 *  - the place.  A field at an odd place, as in TCP options, needs
 *    csum_replace_bytes(), which is told the place;
 *  - that @was is not what was summed: then @now is not either, and the result
 *    is as wrong as the difference;
 *  - what kind of value @check is.  One left for the network card is the sum of
 *    a pseudo-header and not complemented;
 *  - a UDP checksum that is absent: csum_udp_replace2() knows;
 *  - that all of the message is zeros now: see "The two zeros".
 *
 * A byte (TTL, DSCP) is half of a word: which half, csum_replace_bytes() is
 * told.  So @was and @now of one byte each do not compile.
 */
CSUM_INLINE csum_sum16 csum_replace2(csum_sum16 check, csum_be16 was,
				     csum_be16 now)
{
	uint32_t gone = 0xffffu ^ CSUM_AS(uint16_t, was);

	/* four terms of 16 bits cannot overflow 32 */
	return csum_fold(CSUM_AS(csum_wsum, csum_uncomplement(check) + gone +
						    CSUM_AS(uint16_t, now) +
						    0xffffu));
}

#define CSUM_NO_BYTE(v) ((void)sizeof(char[sizeof(v) == 1 ? -1 : 1]), (v))
#ifdef CSUM_NO_SHORT_NAMES
#define csum_api_replace2(check, was, now)                                     \
	csum_api_replace2(check, CSUM_NO_BYTE(was), CSUM_NO_BYTE(now))
#else
#define csum_replace2(check, was, now)                                         \
	csum_replace2(check, CSUM_NO_BYTE(was), CSUM_NO_BYTE(now))
#endif

/* csum_replace4() - a 32-bit field at an even place changed (an address). */
CSUM_INLINE csum_sum16 csum_replace4(csum_sum16 check, csum_be32 was,
				     csum_be32 now)
{
	uint64_t sum = 0xffffffffu ^ CSUM_AS(uint32_t, was);

	sum += CSUM_AS(uint32_t, now);
	sum += csum_uncomplement(check);
	return csum_fold(csum_from64(sum + 0xffff));
}

/* csum_replace16() - 16 bytes at an even place changed (an IPv6 address). */
CSUM_INLINE csum_sum16 csum_replace16(csum_sum16 check, const void *was,
				      const void *now)
{
	const unsigned char *w = CSUM_TO(const unsigned char *, was);
	const unsigned char *n = CSUM_TO(const unsigned char *, now);
	uint64_t sum = csum_uncomplement(check);

	for (size_t i = 0; i < 16; i += 4) {
		sum += 0xffffffffu ^ CSUM_AS(uint32_t, csum_load32(w + i));
		sum += CSUM_AS(uint32_t, csum_load32(n + i));
	}
	return csum_fold(csum_from64(sum + 0xffff));
}

/* csum_replace_bytes() - any bytes at any place changed; see csum_diff(). */
CSUM_INLINE csum_sum16 csum_replace_bytes(csum_sum16 check, const void *was,
					  size_t was_len, const void *now,
					  size_t now_len, size_t offset)
{
	return csum_replace_by_diff(check,
				    csum_diff(was, was_len, now, now_len,
					      offset, CSUM_TO(csum_wsum, 0)));
}

/*
 * csum_dec_ttl() - the IPv4 header checksum after its TTL went down by one.
 *
 * Reference: RFC 1141 with the correction of RFC 1624: the result is never
 * 0xffff.
 */
CSUM_INLINE csum_sum16 csum_dec_ttl(csum_sum16 check)
{
	/* the TTL is the high byte of its word: ~m + m' = ~0x0100 */
	const uint32_t minus = CSUM_AS(uint16_t, CSUM_BE16(0xfeff));

	return csum_fold(
		CSUM_AS(csum_wsum, csum_uncomplement(check) + minus + 0xffffu));
}

/*
 * csum_ipv4_dec_ttl() - decrement the TTL of an IPv4 header in place.
 *
 * @hdr: 20 bytes or more, any alignment; writes its bytes 8, 10 and 11.
 *
 * Returns the new TTL, or -1 if it was 0 already: then nothing is changed.
 */
CSUM_INLINE int csum_ipv4_dec_ttl(void *hdr)
{
	unsigned char *p = CSUM_TO(unsigned char *, hdr);

	if (p[8] == 0)
		return -1;
	csum_store16(p + CSUM_FIELD_IPV4,
		     csum_dec_ttl(csum_load_sum16(p + CSUM_FIELD_IPV4)));
	return --p[8];
}

/*
 * The same for a UDP checksum: absent (0) stays absent, and a computed 0 is
 * stored as 0xffff, so that it does not become absent.
 */

/* csum_udp_keep() - the rule itself, over the results of any update above. */
CSUM_INLINE csum_sum16 csum_udp_keep(csum_sum16 before, csum_sum16 after)
{
	if (csum_udp_absent(before))
		return before;
	return csum_udp_sent(after);
}

CSUM_INLINE csum_sum16 csum_udp_replace2(csum_sum16 check, csum_be16 was,
					 csum_be16 now)
{
	return csum_udp_keep(check, csum_replace2(check, was, now));
}

#ifdef CSUM_NO_SHORT_NAMES
#define csum_api_udp_replace2(check, was, now)                                 \
	csum_api_udp_replace2(check, CSUM_NO_BYTE(was), CSUM_NO_BYTE(now))
#else
#define csum_udp_replace2(check, was, now)                                     \
	csum_udp_replace2(check, CSUM_NO_BYTE(was), CSUM_NO_BYTE(now))
#endif

CSUM_INLINE csum_sum16 csum_udp_replace4(csum_sum16 check, csum_be32 was,
					 csum_be32 now)
{
	return csum_udp_keep(check, csum_replace4(check, was, now));
}

CSUM_INLINE csum_sum16 csum_udp_replace16(csum_sum16 check, const void *was,
					  const void *now)
{
	return csum_udp_keep(check, csum_replace16(check, was, now));
}

CSUM_INLINE csum_sum16 csum_udp_replace_bytes(csum_sum16 check, const void *was,
					      size_t was_len, const void *now,
					      size_t now_len, size_t offset)
{
	return csum_udp_keep(check, csum_replace_bytes(check, was, was_len, now,
						       now_len, offset));
}

CSUM_INLINE csum_sum16 csum_udp_replace_by_diff(csum_sum16 check,
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
CSUM_API CSUM_RESULT size_t csum_routine_count(void) CSUM_LINK("routine_count");

/*
 * csum_routine_get() - describe routine @index, in the order of selection.
 *
 * Returns false, with *@info untouched, if @index is not below the count.  The
 * strings are constant and live as long as the library is loaded.
 */
CSUM_API CSUM_RESULT bool csum_routine_get(size_t index,
					   struct csum_routine_info *info)
	CSUM_LINK("routine_get");

/* csum_routine_active() - the name of the routine that csum_partial() uses. */
CSUM_API CSUM_RESULT const char *csum_routine_active(void)
	CSUM_LINK("routine_active");

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
CSUM_API int csum_use_profile(const char *path) CSUM_LINK("use_profile");

/* csum_version() - version of the library at run time, like CSUM_VERSION. */
CSUM_API CSUM_RESULT const char *csum_version(void) CSUM_LINK("version");

#ifdef __cplusplus
}
#endif

#ifdef CSUM_NO_SHORT_NAMES
#include "csum_names.h"
#endif

#endif
