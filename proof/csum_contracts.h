/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csum_contracts.h - what each arithmetic function of csum.h computes, in ACSL,
 * for all of its inputs; scripts/prove has Frama-C prove it of the very text of
 * csum.h.
 *
 * A contract stands before a declaration, and the definition in csum.h has to
 * keep it.  Everything is said over integers, which do not overflow.  Two terms
 * are enough:
 *
 *   value(n)     the 16-bit sum that stands for the integer n: n modulo 0xffff,
 *                with the two zeros apart: 0 for n = 0 alone, 0xffff for
 *                every other multiple of 0xffff.
 *   congruent    the same modulo 0xffff: the same sum but for the two zeros.
 *
 * What reads memory is not proven but tested; see docs/PROOF.md.
 */
#ifndef CSUM_CONTRACTS_H
#define CSUM_CONTRACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t csum_wsum;
typedef uint16_t csum_sum16;
typedef uint16_t csum_be16;
typedef uint32_t csum_be32;

/*@
  // n = 65535 * whole(n) + rest(n): the division that defines "modulo"
  axiomatic Modulo {
    logic integer whole(integer n);
    logic integer rest(integer n);
    axiom division: \forall integer n;
      n == 65535 * whole(n) + rest(n) && 0 <= rest(n) < 65535;
  }

  logic integer value(integer n) =
    n == 0 ? 0 : rest(n) == 0 ? 65535 : rest(n);

  predicate congruent(integer a, integer b) = rest(a) == rest(b);

  // the sum of a piece at this offset: an odd one changes halves, and 256 does
  logic integer at(integer sum, integer offset) =
    (offset & 1) == 0 ? sum : 256 * sum;

  // what a checksum field says that the sum is
  logic integer said(integer check) = 65535 - check;

  // the field of a message whose words sum to n, as an update returns it: never
  // 0xffff
  logic integer updated(integer n) = n == 0 ? 0 : 65535 - value(n);

  // Operations on bits in terms of + and *.  z3 proves each of these in
  // bits.smt2, where numbers are bits.
  axiomatic Bits {
    axiom shift_16: \forall integer x; 0 <= x < 0x100000000 ==>
      0 <= x - 65536 * (x >> 16) < 65536;
    axiom rotate_16: \forall integer x; 0 <= x < 0x100000000 ==>
      ((x >> 16) | (uint32_t)(x << 16)) ==
        (x >> 16) + 65536 * (x - 65536 * (x >> 16));
    axiom shift_8: \forall integer x; 0 <= x < 0x100000000 ==>
      0 <= x - 256 * (x >> 8) < 256;
    axiom rotate_8: \forall integer x; 0 <= x < 0x100000000 ==>
      ((x >> 8) | (uint32_t)(x << 24)) ==
        (x >> 8) + 16777216 * (x - 256 * (x >> 8));
    axiom shift_32: \forall integer x; 0 <= x < 0x10000000000000000 ==>
      0 <= x - 4294967296 * (x >> 32) < 4294967296;
    axiom rotate_32: \forall integer x; 0 <= x < 0x10000000000000000 ==>
      ((x >> 32) | (uint64_t)(x << 32)) ==
        (x >> 32) + 4294967296 * (x - 4294967296 * (x >> 32));
    axiom fold_64: \forall integer x; 0 <= x < 0x10000000000000000 ==>
      \let s = (x >> 32) + (x - 4294967296 * (x >> 32));
      ((uint64_t)(x + ((x >> 32) | (uint64_t)(x << 32))) >> 32) ==
        (s < 4294967296 ? s : s - 4294967295);
    axiom wrap_32: \forall integer x; 0 <= x < 0x200000000 ==>
      (uint32_t)x == (x < 0x100000000 ? x : x - 0x100000000);
    axiom fits_16: \forall integer x; 0 <= x < 0x10000 ==> (uint16_t)x == x;
    axiom wrap_64: \forall integer x; 0 <= x < 0x20000000000000000 ==>
      (uint64_t)x ==
        (x < 0x10000000000000000 ? x : x - 0x10000000000000000);
    axiom not_16: \forall integer x; 0 <= x < 0x10000 ==>
      (65535 ^ x) == 65535 - x;
    axiom not_32: \forall integer x; 0 <= x < 0x100000000 ==>
      (4294967295 ^ x) == 4294967295 - x;
    axiom complement_32: \forall integer x; 0 <= x < 0x100000000 ==>
      (uint32_t)(~x) == 4294967295 - x;
  }
*/

/* ---------------------------------------------------------------- sums */

/*@ assigns \nothing;
    ensures value(\result) == value(a + b);
    ensures \result == 0 <==> a == 0 && b == 0; */
static inline csum_wsum csum_add(csum_wsum a, csum_wsum b);

/*@ assigns \nothing;
    ensures congruent(\result, a - b);
    ensures \result != 0; */
static inline csum_wsum csum_sub(csum_wsum a, csum_wsum b);

/*@ assigns \nothing;
    ensures value(\result) == value(word); */
static inline csum_wsum csum_from64(uint64_t word);

/*@ assigns \nothing;
    ensures \result == word; */
static inline csum_wsum csum_from16(csum_be16 word);

/*@ assigns \nothing;
    ensures \result == word; */
static inline csum_wsum csum_from32(csum_be32 word);

/*@ assigns \nothing;
    ensures value(\result) == value(at(sum, offset)); */
static inline csum_wsum csum_shift(csum_wsum sum, size_t offset);

/*@ assigns \nothing;
    ensures value(\result) == value(sum + at(piece, offset)); */
static inline csum_wsum csum_combine(csum_wsum sum, csum_wsum piece,
				     size_t offset);

/*@ assigns \nothing;
    ensures congruent(\result, sum - at(piece, offset));
    ensures \result != 0; */
static inline csum_wsum csum_uncombine(csum_wsum sum, csum_wsum piece,
				       size_t offset);

/* -------------------------------------------------------------- fields */

/*@ assigns \nothing;
    ensures \result == value(sum); */
static inline uint16_t csum_to16(csum_wsum sum);

/*@ assigns \nothing;
    ensures \result == 65535 - value(sum);
    ensures \result == 65535 <==> sum == 0; */
static inline csum_sum16 csum_fold(csum_wsum sum);

/*@ assigns \nothing;
    ensures \result == (check == 0 ? 65535 : check); */
static inline csum_sum16 csum_udp_sent(csum_sum16 check);

/*@ assigns \nothing;
    ensures \result == (value(sum) == 65535 ? 65535 : 65535 - value(sum));
    ensures \result != 0; */
static inline csum_sum16 csum_fold_udp(csum_wsum sum);

/*@ assigns \nothing;
    ensures \result != 0 <==> sum != 0 && congruent(sum, 0); */
static inline bool csum_ok(csum_wsum sum);

/*@ assigns \nothing;
    ensures \result != 0 <==> check == 0; */
static inline bool csum_udp_absent(csum_sum16 check);

/*@ assigns \nothing;
    ensures \result == said(check); */
static inline uint16_t csum_uncomplement(csum_sum16 check);

/* -------------------------------------------------------------- updates
 *
 * Of each update three things are proven.  The sum that the new field says
 * differs from the one that the old field said by what changed, whatever the
 * old field was.  The result is never 0xffff.  And if the old field was that of
 * a message whose other words sum to rest, the result is the field of the new
 * message, exactly.
 */

/*@ assigns \nothing;
    ensures congruent(said(\result), said(check) + diff);
    ensures \result != 65535; */
static inline csum_sum16 csum_replace_by_diff(csum_sum16 check, csum_wsum diff);

/*@ assigns \nothing;
    ensures congruent(said(\result), said(check) - was + now);
    ensures \result != 65535;
    ensures \forall integer rest; rest >= 0 && check == 65535 - value(was + rest)
      ==> \result == updated(now + rest); */
static inline csum_sum16 csum_replace2(csum_sum16 check, csum_be16 was,
				       csum_be16 now);

/*@ assigns \nothing;
    ensures congruent(said(\result), said(check) - was + now);
    ensures \result != 65535;
    ensures \forall integer rest; rest >= 0 && check == 65535 - value(was + rest)
      ==> \result == updated(now + rest); */
static inline csum_sum16 csum_replace4(csum_sum16 check, csum_be32 was,
				       csum_be32 now);

/* The TTL is the first byte of its word in memory: 1 on a little-endian CPU. */
/*@ assigns \nothing;
    ensures congruent(said(\result), said(check) - 1);
    ensures \result != 65535;
    ensures \forall integer was, rest; was >= 1 && rest >= 0 &&
      check == 65535 - value(was + rest) ==> \result == updated(was - 1 + rest);
*/
static inline csum_sum16 csum_dec_ttl(csum_sum16 check);

/*@ assigns \nothing;
    ensures before == 0 ==> \result == 0;
    ensures before != 0 ==> \result == (after == 0 ? 65535 : after); */
static inline csum_sum16 csum_udp_keep(csum_sum16 before, csum_sum16 after);

/*@ assigns \nothing;
    ensures check == 0 ==> \result == 0;
    ensures check != 0 ==> \result != 0;
    ensures check != 0 ==> congruent(said(\result), said(check) - was + now); */
static inline csum_sum16 csum_udp_replace2(csum_sum16 check, csum_be16 was,
					   csum_be16 now);

/*@ assigns \nothing;
    ensures check == 0 ==> \result == 0;
    ensures check != 0 ==> \result != 0;
    ensures check != 0 ==> congruent(said(\result), said(check) - was + now); */
static inline csum_sum16 csum_udp_replace4(csum_sum16 check, csum_be32 was,
					   csum_be32 now);

/*@ assigns \nothing;
    ensures check == 0 ==> \result == 0;
    ensures check != 0 ==> \result != 0;
    ensures check != 0 ==> congruent(said(\result), said(check) + diff); */
static inline csum_sum16 csum_udp_replace_by_diff(csum_sum16 check,
						  csum_wsum diff);

/* -------------------------------------------------------------- buffers
 *
 * Only that these results are never the zero that they must not be.  That they
 * are the right sums is tested: the provers do not find the proof.
 */

/* Taken for granted. */
/*@ assigns \nothing; */
csum_wsum csum_partial(const void *buf, size_t len, csum_wsum sum);

/*@ assigns \nothing;
    ensures \result != 0; */
static inline csum_wsum csum_diff(const void *was, size_t was_len,
				  const void *now, size_t now_len,
				  size_t offset, csum_wsum sum);

/*@ assigns \nothing;
    ensures \result != 65535; */
static inline csum_sum16 csum_replace_bytes(csum_sum16 check, const void *was,
					    size_t was_len, const void *now,
					    size_t now_len, size_t offset);

#include "csum.h"

#endif
