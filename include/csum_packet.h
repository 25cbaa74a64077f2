/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csum_packet.h - checksums where packets are moved: whole packets checked and
 * finished, what is left to a network card and taken over from one, and what a
 * router changes.
 *
 * This header is a manual like csum.h, whose kinds of value, byte order and two
 * zeros are meant here, too: read that one first.
 *
 * Nothing here allocates, locks, keeps a pointer or reads from anywhere but its
 * arguments; all functions are thread-safe, and take any alignment.  A packet
 * is never read or written outside the length that is given with it.  Functions
 * that can refuse return 0, or an errno value with the packet unchanged:
 *
 *   EINVAL      the packet, or a length in it, is not what the function needs
 *   ENOTSUP     it is whole, but the function does not know this kind
 *   EBADMSG     a checksum of it is wrong (csum_join() alone)
 *   ENOSPC      there is no room for it (the same)
 *
 * All names begin with csum_ and a subject that no other program has used; they
 * have no second form.  The linker sees them as csum_api_..., as it does those
 * of csum.h.
 */
#ifndef CSUM_PACKET_H
#define CSUM_PACKET_H

#include "csum.h"

#ifdef CSUM_NO_SHORT_NAMES
#include "csum_names.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------
 * A whole packet: all its checksums, checked or computed, at one call
 *
 * The walk over its layers is that of the capture tool: tunnels, fragments,
 * options and extension headers, source routes, absent and unfinished sums are
 * understood as docs/CAPTURES.md says.  To send what was built in memory:
 *
 *     csum_packet_finish(packet, len, CSUM_LINK_IP, 0, NULL);
 *
 * To accept what was received:
 *
 *     if (csum_packet_check(frame, len, CSUM_LINK_ETHERNET, 0, NULL) &
 *         CSUM_HAS_BAD)
 *             drop it
 *
 * A stack takes up to 12 KB for it.  A plain TCP or UDP packet is known at once
 * and takes some ns more than its bare sum; any other takes the whole walk,
 * which is 100 ns and more.
 */

/* What a packet begins with: any LINKTYPE_ number of libpcap, such as these. */
enum {
	CSUM_LINK_ETHERNET = 1,
	CSUM_LINK_IP = 101, /* IPv4 or IPv6, as its first bits say */
};

enum csum_verdict {
	CSUM_VERDICT_GOOD,
	CSUM_VERDICT_BAD,
	CSUM_VERDICT_PARTIAL,	   /* a seed: left for a network card */
	CSUM_VERDICT_ABSENT,	   /* the sender says that there is none */
	CSUM_VERDICT_UNVERIFIABLE, /* fragment, cut short, encrypted...: why */
};

/*
 * The answer: a bit for each verdict that any checksum got, 0 if the packet has
 * none.  A packet that an ICMP error quotes has no part in it.  Equal to
 * CSUM_HAS_GOOD: there are checksums, all are right, and nothing is hidden.
 */
enum {
	CSUM_HAS_GOOD = 1 << CSUM_VERDICT_GOOD,
	CSUM_HAS_BAD = 1 << CSUM_VERDICT_BAD,
	CSUM_HAS_PARTIAL = 1 << CSUM_VERDICT_PARTIAL,
	CSUM_HAS_ABSENT = 1 << CSUM_VERDICT_ABSENT,
	CSUM_HAS_UNVERIFIABLE = 1 << CSUM_VERDICT_UNVERIFIABLE,
	/* it goes on with a protocol that the walk does not know */
	CSUM_HAS_UNREAD = 1 << 5,
};

/* One checksum of the packet. */
struct csum_site {
	const char *layer; /* "ipv4", "tcp"..., as `csum verify` names it */
	const char *why;   /* why unverifiable, or what else is known; or "" */
	enum csum_verdict verdict;
	bool quoted;   /* in the packet that an ICMP error quotes */
	uint8_t depth; /* IP headers in front of its layer */
	uint8_t width; /* BYTES of the field: 2, 4; 0: it is not there */
	size_t offset; /* BYTES from the start of the packet to the field */
	/* Numbers of the bytes as they stand, the first one high: ntohs() of a
	 * csum_sum16.  @right is 0 if absent or unverifiable. */
	uint32_t found, right;
};

/* CRC-32c of @len BYTES more, from ~0 on, not complemented (RFC 9260, A). */
typedef uint32_t csum_crc32c_fn(uint32_t crc, const uint8_t *p, uint32_t len);

/* What is seldom needed; starts as { 0 }. */
struct csum_packet_detail {
	/* For SCTP, which has no Internet checksum; NULL: "not judged", as a
	 * site that is unverifiable. */
	csum_crc32c_fn *crc32c;
	/* BYTES that the packet has on the wire, if more than are given. */
	size_t wire_len;
	/* Gets up to @room sites, outermost first; the walk finds 48 at most.
	 * With @room 0, the default, there is no report. */
	struct csum_site *sites;
	size_t room;
	size_t count; /* of sites that were found; 0 without a report */
};

/* What is left as it is, or done in addition. */
enum {
	CSUM_LEAVE_IPV4 = 1,   /* header checksums of IPv4 */
	CSUM_LEAVE_UPPER = 2,  /* all others */
	CSUM_LEAVE_INNER = 4,  /* those in a packet that is in a packet */
	CSUM_LEAVE_ABSENT = 8, /* a UDP field of 0 stays 0: "no checksum" */
	CSUM_TAKE_QUOTED = 16, /* in packets that ICMP errors quote, too */
	/* The packet came with a mark that its sums are left to the card
	 * (CHECKSUM_PARTIAL, NEEDS_CSUM): what is wrong is partial. */
	CSUM_MARKED_PARTIAL = 32,
};

/*
 * csum_packet_check() - the verdict on each checksum of a packet.
 *
 * @packet, @len: in BYTES, from what @link says on; up to 128 MiB, above which
 *                the answer is CSUM_HAS_UNREAD.  What lies behind the end of
 *                the IP packet (Ethernet's padding) does not matter.
 * @link: CSUM_LINK_IP, CSUM_LINK_ETHERNET or any other LINKTYPE_ number.
 * @flags: 0, or CSUM_LEAVE_IPV4, _UPPER, _INNER: not in the answer, and not in
 *         the report; CSUM_MARKED_PARTIAL.
 * @detail: NULL, or more that is given and wanted.
 *
 * Returns CSUM_HAS_ bits.  To deliver only what is known to be right:
 *
 *     if (csum_packet_check(...) & (CSUM_HAS_BAD | CSUM_HAS_PARTIAL |
 *                                   CSUM_HAS_UNVERIFIABLE))
 */
CSUM_EXPORT CSUM_RESULT unsigned csum_packet_check(
	const void *packet, size_t len, unsigned link, unsigned flags,
	struct csum_packet_detail *detail) CSUM_EXPORT_AS("packet_check");

/*
 * csum_packet_finish() - compute each checksum of a packet, and store it.
 *
 * Arguments as above; CSUM_LEAVE_ABSENT and CSUM_TAKE_QUOTED count here.
 *
 * What the fields hold before does not matter: nothing, seeds, garbage.  Inner
 * ones are computed before those that cover them.  A field that is right is not
 * written, also where it holds the other zero.  Nothing but checksum fields is
 * written; lengths have to be right.  A UDP field of 0 is computed, too, unless
 * CSUM_LEAVE_ABSENT is given.
 *
 * A checksum that nobody can know is left: a fragment's, one of a packet cut
 * short, SCTP's without crc32c.
 *
 * Returns CSUM_HAS_ bits of the packet as it is now: what is not GOOD or ABSENT
 * was left.  In a report, @verdict is of now, @found of before, and @right is
 * what the field holds if it was good or written.
 */
CSUM_EXPORT unsigned csum_packet_finish(void *packet, size_t len, unsigned link,
					unsigned flags,
					struct csum_packet_detail *detail)
	CSUM_EXPORT_AS("packet_finish");

/* ------------------------------------------------------------------------
 * Left to the network card
 *
 * A stack that leaves a TCP or UDP checksum to the hardware stores a seed: the
 * sum of the pseudo-header, folded, NOT complemented.  Whoever finishes sums
 * from the start of the TCP or UDP header to the end of the packet, seed
 * included, and stores the complement (virtio 1.2, section 5.1.6.2;
 * CHECKSUM_PARTIAL in Linux).  So a field is a complement or a seed, and which
 * of the two no function can see; csum_replace*() on a seed is wrong, silently.
 * So a seed has a type of its own: sparse, and C++ by csum.hpp, refuse the one
 * where the other is meant.
 */

typedef uint16_t CSUM_BITWISE csum_seed16;

/* A field that holds a seed; any alignment. */
CSUM_INLINE csum_seed16 csum_load_seed(const void *p)
{
	return CSUM_AS(csum_seed16, csum_load16(p));
}

static inline void csum_store_seed(void *p, csum_seed16 seed)
{
	uint16_t v = CSUM_AS(uint16_t, seed);

	CSUM_MEMCPY(p, &v, sizeof(v));
}

/* csum_seed() - the seed to store, from csum_pseudo_ipv4() or _ipv6(). */
CSUM_INLINE csum_seed16 csum_seed(csum_wsum pseudo)
{
	return CSUM_AS(csum_seed16, csum_to16(pseudo));
}

/*
 * csum_is_seed() - is this field only the seed?
 *
 * @pseudo: as the packet has it now.  A checksum that is right equals the seed
 *          of its packet by chance in one of 65,535.
 */
CSUM_INLINE bool csum_is_seed(csum_seed16 field, csum_wsum pseudo)
{
	uint16_t seed = csum_to16(pseudo);

	return CSUM_AS(uint16_t, field) % 0xffff == seed % 0xffff;
}

/* csum_seed_by_diff() - a seed after a change; @diff: from csum_diff(). */
CSUM_INLINE csum_seed16 csum_seed_by_diff(csum_seed16 seed, csum_wsum diff)
{
	csum_wsum sum = csum_from16(CSUM_AS(csum_be16, seed));

	return csum_seed(csum_add(sum, diff));
}

/*
 * csum_seed_replace4(), csum_seed_replace16() - a seed after its packet got
 * another address.  Ports are no part of a seed, and change none.
 */
CSUM_INLINE csum_seed16 csum_seed_replace4(csum_seed16 seed, csum_be32 was,
					   csum_be32 now)
{
	return csum_seed_by_diff(seed,
				 csum_sub(csum_from32(now), csum_from32(was)));
}

CSUM_INLINE csum_seed16 csum_seed_replace16(csum_seed16 seed, const void *was,
					    const void *now)
{
	csum_wsum none = CSUM_TO(csum_wsum, 0);

	return csum_seed_by_diff(seed, csum_diff(was, 16, now, 16, 0, none));
}

/*
 * csum_seed_length() - a seed for another length, as of a segment that was cut
 * out of a large packet.
 *
 * @was, @now: BYTES in the pseudo-header, host integers; 0 for @was if the seed
 *             was made without a length, as some senders do for segmentation.
 */
CSUM_INLINE csum_seed16 csum_seed_length(csum_seed16 seed, uint32_t was,
					 uint32_t now)
{
	return csum_seed_replace4(seed, csum_be32_from_host(was),
				  csum_be32_from_host(now));
}

enum {
	CSUM_COMPLETE_UDP = 1, /* a computed 0 is stored as 0xffff */
};

#ifndef CSUM_NO_IOVEC
/*
 * csum_complete() - do what the network card was to do.
 *
 * @iov, @iovcnt: the packet, in pieces of any length and alignment; the field
 *                may lie across two of them.
 * @start: BYTES in front of where summing starts (csum_start).
 * @offset: BYTES from there to the field, which holds the seed (csum_offset).
 * @flags: CSUM_COMPLETE_UDP or 0.
 *
 * Returns 0, or EINVAL if the field is not within the packet as a whole.
 */
CSUM_EXPORT CSUM_RESULT int csum_complete(const struct iovec *iov,
					  size_t iovcnt, size_t start,
					  size_t offset, unsigned flags)
	CSUM_EXPORT_AS("complete");

/*
 * csum_copy_iov() - copy between two scattered messages, and sum.
 *
 * @to, @tocnt, @from, @fromcnt: pieces of any length and alignment, which do
 * not overlap.
 * @len: BYTES to copy at most; what either side is shorter is not copied.
 * @sum: as in csum_partial().
 * @copied: BYTES that were copied; may be NULL.
 *
 * Returns the running sum of what was copied, as if it were one buffer.
 */
CSUM_EXPORT CSUM_RESULT csum_wsum csum_copy_iov(const struct iovec *to,
						size_t tocnt,
						const struct iovec *from,
						size_t fromcnt, size_t len,
						csum_wsum sum, size_t *copied)
	CSUM_EXPORT_AS("copy_iov");
#endif

/* ------------------------------------------------------------------------
 * Segmentation, and back
 *
 * One large TCP or UDP packet becomes many, each with headers and checksums of
 * its own; its payload is summed once, while it is copied.  In front of the TCP
 * or UDP header may be tunnels: IP in IP, GRE (RFC 2784, 2890), VXLAN (RFC
 * 7348); their headers are made for each segment, too, from the same sum.
 *
 *     struct csum_segmenter s;
 *
 *     if (csum_segment(&s, packet, len, mss) == 0)
 *             while ((n = csum_segment_next(&s, out, sizeof(out))) > 0)
 *                     send(out, n);
 */
enum { CSUM_SEGMENT_LAYERS = 8 };

/* Private, but for the three that are described; holds pointers to the packet.
 */
struct csum_segmenter {
	size_t header; /* BYTES of headers of a segment */
	size_t size;   /* BYTES of payload of a segment but the last */
	size_t left;   /* BYTES of payload that are still to come */
	const unsigned char *packet, *payload;
	uint32_t index;
	uint32_t jumbo; /* BYTES of a jumbo option, which no segment has */
	unsigned nlayers;
	struct {
		uint16_t at;
		uint8_t kind;
	} layers[CSUM_SEGMENT_LAYERS];
};

/*
 * csum_segment() - begin to cut a packet.
 *
 * @packet, @len: from the IPv4 or IPv6 header on, in BYTES, and to its end: its
 *                lengths have to say @len, or 0 where 16 bits cannot hold it
 *                (BIG TCP; with IPv6 a jumbo option, RFC 2675).
 * @size: BYTES of payload in each segment but the last: the MSS less options.
 *
 * Its checksum fields may hold anything.  An absent UDP checksum (0) is absent
 * in each segment.
 *
 * EINVAL: a length that is not true, @size 0, or @size so large that a segment
 * would not be shorter than 65,536 BYTES.  ENOTSUP: fragments, IPv6 extension
 * headers, GRE with sequence numbers, more than eight headers, and what is
 * neither TCP nor UDP.
 */
CSUM_EXPORT CSUM_RESULT int csum_segment(struct csum_segmenter *s,
					 const void *packet, size_t len,
					 size_t size) CSUM_EXPORT_AS("segment");

/*
 * csum_segment_next() - write the next segment.
 *
 * @to, @room: where to; s->header + s->size BYTES are enough.  Not in the
 *             packet.
 *
 * TCP: the sequence number counts on, FIN and PSH are in the last segment
 * alone, CWR in the first alone (RFC 3168, section 6.1.2).  UDP: each segment
 * is a message of its own.  The ID of each IPv4 header counts on by one.
 *
 * Returns BYTES of the segment; 0 behind the last one, or if there is no room
 * for it: then s->left is not 0.  A packet without payload gives one segment.
 */
CSUM_EXPORT CSUM_RESULT size_t csum_segment_next(struct csum_segmenter *s,
						 void *to, size_t room)
	CSUM_EXPORT_AS("segment_next");

/* Private, but for @len: BYTES of the packet so far. */
struct csum_joiner {
	size_t len, room, piece;
	unsigned char *packet;
	csum_wsum sum;
	bool closed;
	struct csum_segmenter shape;
};

/*
 * csum_join() - begin to put segments together again.
 *
 * @packet, @len: the first one, as for csum_segment().
 * @room: BYTES that there are from @packet on, at most 65,535 are used.
 *
 * EINVAL, ENOTSUP: as csum_segment(); EBADMSG: a checksum of it is wrong.
 */
CSUM_EXPORT CSUM_RESULT int csum_join(struct csum_joiner *j, void *packet,
				      size_t len, size_t room)
	CSUM_EXPORT_AS("join");

/*
 * csum_join_next() - append the payload of one more segment.
 *
 * All headers have to be those of the first, but for what csum_segment_next()
 * counts on; nothing is appended behind FIN, PSH or a shorter piece.
 *
 * Returns 0, and the packet is whole, its lengths and checksums right. EBADMSG:
 * a checksum of @segment is wrong.  ENOTSUP: it does not go on where the packet
 * ends, so it begins another one.  ENOSPC: there is no room for it.  The packet
 * is unchanged after these.
 */
CSUM_EXPORT CSUM_RESULT int csum_join_next(struct csum_joiner *j,
					   const void *segment, size_t len)
	CSUM_EXPORT_AS("join_next");

/* ------------------------------------------------------------------------
 * Taken over from the network card
 *
 * Some cards deliver the running sum of all bytes from the network header on
 * (CHECKSUM_COMPLETE in Linux).  That sum has to follow where the packet
 * begins and ends.
 */

/*
 * csum_pull() - the sum without the first @n BYTES at @head.
 *
 * After an odd @n every byte behind lies in the other half of its word, which
 * csum_uncombine() alone does not do.
 */
CSUM_INLINE csum_wsum csum_pull(csum_wsum sum, const void *head, size_t n)
{
	csum_wsum none = CSUM_TO(csum_wsum, 0);

	return csum_shift(csum_sub(sum, csum_partial(head, n, none)), n);
}

/* csum_push() - the sum with @n BYTES at @head more in front. */
CSUM_INLINE csum_wsum csum_push(csum_wsum sum, const void *head, size_t n)
{
	return csum_combine(csum_partial(head, n, CSUM_TO(csum_wsum, 0)), sum,
			    n);
}

/* csum_trim() - without the last @n BYTES at @tail; @kept BYTES are left. */
CSUM_INLINE csum_wsum csum_trim(csum_wsum sum, size_t kept, const void *tail,
				size_t n)
{
	return csum_uncombine(sum, csum_partial(tail, n, CSUM_TO(csum_wsum, 0)),
			      kept);
}

/*
 * csum_device_ok() - is the message intact, by the sum of a card?
 *
 * @sum: from the message's own header to its end: what was pulled and trimmed,
 *       inner headers too.
 * @pseudo: csum_pseudo_ipv4() or _ipv6(); 0 if the protocol has none.
 */
CSUM_INLINE bool csum_device_ok(csum_wsum sum, csum_wsum pseudo)
{
	return csum_ok(csum_add(sum, pseudo));
}

/* ------------------------------------------------------------------------
 * Several changes, one update
 */

/* What has changed so far; { 0 } or csum_changes_none() is nothing. */
struct csum_changes {
	csum_wsum diff;
	bool any;
};

CSUM_INLINE struct csum_changes csum_changes_none(void)
{
	struct csum_changes c = { CSUM_TO(csum_wsum, 0), false };

	return c;
}

/*
 * csum_changes_bytes() - one more change, of @len BYTES at @offset of the
 * message (pseudo-header included, which is even; only the parity counts).
 */
static inline void csum_changes_bytes(struct csum_changes *c, const void *was,
				      const void *now, size_t len,
				      size_t offset)
{
	c->diff = csum_diff(was, len, now, len, offset, c->diff);
	c->any = true;
}

/* csum_changes_check() - a checksum field after all of them. */
CSUM_INLINE csum_sum16 csum_changes_check(const struct csum_changes *c,
					  csum_sum16 check)
{
	return c->any ? csum_replace_by_diff(check, c->diff) : check;
}

/* csum_changes_udp() - the same for UDP: absent stays absent, 0 is 0xffff. */
CSUM_INLINE csum_sum16 csum_changes_udp(const struct csum_changes *c,
					csum_sum16 check)
{
	return c->any ? csum_udp_replace_by_diff(check, c->diff) : check;
}

/* csum_changes_seed() - the same for a seed. */
CSUM_INLINE csum_seed16 csum_changes_seed(const struct csum_changes *c,
					  csum_seed16 seed)
{
	return c->any ? csum_seed_by_diff(seed, c->diff) : seed;
}

/* ------------------------------------------------------------------------
 * Rewriting
 */

enum {
	CSUM_WRITE_UDP = 1, /* the field is that of UDP */
};

/*
 * csum_write() - put bytes anywhere into a message, and update its checksum.
 *
 * @msg, @len: the message from its own header on, in BYTES.
 * @field: of the checksum; any place, even or odd.
 * @at, @now, @n: where, what and how many BYTES; odd places and lengths too.
 * @flags: CSUM_WRITE_UDP or 0.
 *
 * Returns 0, or EINVAL if the field or the bytes are not within the message, or
 * the bytes overlap the field.
 */
CSUM_EXPORT CSUM_RESULT int csum_write(void *msg, size_t len, size_t field,
				       size_t at, const void *now, size_t n,
				       unsigned flags) CSUM_EXPORT_AS("write");

/*
 * csum_ipv4_write() - the same for an IPv4 header: DSCP and ECN are the byte at
 * CSUM_IPV4_TOS, the TTL the byte at CSUM_IPV4_TTL.
 *
 * @hdr, @len: the packet from that header on.
 *
 * EINVAL also if @len is less than what the header says of its own length.
 */
enum { CSUM_IPV4_TOS = 1, CSUM_IPV4_TTL = 8 };
CSUM_EXPORT CSUM_RESULT int csum_ipv4_write(void *hdr, size_t len, size_t at,
					    const void *now, size_t n)
	CSUM_EXPORT_AS("ipv4_write");

/*
 * csum_clamp_mss() - lower the maximum segment size in a TCP header to @most.
 *
 * @tcp, @len: the TCP segment, from its header on; one without SYN has no such
 *             option.  The option may stand at an odd place.
 * @was: the size that was in there; 0 if there is none.  May be NULL.
 *
 * Returns 0, also where there was nothing to lower.  EINVAL if the header or an
 * option reaches beyond its end; nothing is changed then.
 * Reference: RFC 9293, section 3.2.
 */
CSUM_EXPORT CSUM_RESULT int csum_clamp_mss(void *tcp, size_t len, uint16_t most,
					   uint16_t *was)
	CSUM_EXPORT_AS("clamp_mss");

enum {
	CSUM_NAT_SOURCE_ADDRESS = 1,
	CSUM_NAT_DESTINATION_ADDRESS = 2,
	CSUM_NAT_SOURCE_PORT = 4,
	CSUM_NAT_DESTINATION_PORT = 8,
	CSUM_NAT_SEED = 16, /* TCP and UDP fields hold seeds */
};

/* What a NAT puts in: addresses of the packet's own version, and ports. */
struct csum_nat_rule {
	unsigned change; /* CSUM_NAT_ bits: which of these */
	unsigned char source_address[16], destination_address[16];
	csum_be16 source_port, destination_port;
};

/*
 * csum_nat() - rewrite addresses and ports, and all checksums that cover them.
 *
 * @packet, @len: from the IPv4 or IPv6 header on, in BYTES.  May be longer than
 *                the packet, or shorter: what is cut off does not matter, as
 *                long as the headers up to the checksum field are there.
 *
 * TCP, UDP, UDP-Lite and DCCP have ports; ICMP has none, and ICMPv6 has a
 * pseudo-header; of any other protocol only the header is rewritten, which is
 * right for those without pseudo-header, such as SCTP, GRE and ESP (SCTP's
 * ports are refused: its checksum is another one).  A UDP checksum that is
 * absent stays absent.  A fragment that is not the first has neither ports nor
 * a checksum: its addresses are rewritten.  IPv6 extension headers are passed
 * over; behind a routing header with segments left the destination is not that
 * of the checksum: ENOTSUP.
 *
 * An ICMP or ICMPv6 error is rewritten as any ICMP message; for the packet that
 * it quotes see csum_nat_quoted().
 *
 * EINVAL: no IP header, or the packet ends in front of its checksum field.
 */
CSUM_EXPORT CSUM_RESULT int csum_nat(void *packet, size_t len,
				     const struct csum_nat_rule *nat)
	CSUM_EXPORT_AS("nat");

/*
 * csum_nat_quoted() - the same inside of the packet that an ICMP or ICMPv6
 * error quotes, and the sums of the quoted headers and of the error.
 *
 * @packet, @len: from the IP header in front of the error on.
 * @nat: for the quoted packet, which went the other way: what is a source in
 *       there is a destination outside.
 *
 * The quoted packet may be cut short, as it mostly is: what is there is
 * rewritten, its TCP checksum only if it is there.  EINVAL where even its ports
 * are missing, or the message is no ICMP error.  ENOTSUP: the error is itself a
 * fragment.
 */
CSUM_EXPORT CSUM_RESULT int csum_nat_quoted(void *packet, size_t len,
					    const struct csum_nat_rule *nat)
	CSUM_EXPORT_AS("nat_quoted");

/*
 * csum_prefix() - another IPv6 prefix that changes no checksum (RFC 6296).
 *
 * @address: 16 bytes, rewritten.
 * @prefix: 16 bytes, of which the first @bits count; 0 to 64 bits, and the
 *          same number of the old prefix are replaced.
 *
 * Returns 0.  EINVAL, and nothing is changed, where RFC 6296 has nothing to
 * adjust: with up to 48 bits the fourth word is 0xffff; with up to 64 bits all
 * four words of the interface identifier are.  EINVAL also where the RFC drops
 * the packet: with 49 to 64 bits, an interface identifier of all zeros.
 * Reference: RFC 6296, sections 3.1, 3.4, 3.5, 3.7.
 */
CSUM_EXPORT CSUM_RESULT int csum_prefix(void *address, const void *prefix,
					unsigned bits) CSUM_EXPORT_AS("prefix");

#ifdef __cplusplus
}
#endif

#ifdef CSUM_NO_SHORT_NAMES
#include "csum_names.h"
#endif

#endif
