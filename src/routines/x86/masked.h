/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * masked.h - up to 256 bytes with the masked loads and stores of AVX-512.
 * Included by x86_template.h.
 *
 * The masks come from the length by arithmetic, so that no branch depends on it
 * but for the one between tiny() and small(): a wrong guess costs some
 * 20 cycles, and in traffic nobody can guess the next length.
 */

enum {
	TINY = 2 * W,
	SMALL = 4 * W,
};

/* Where the two vectors of up to 128 bytes are, and which of their bytes. */
struct two_vectors {
	__mmask64 first, last;
	size_t at; /* of the last one */
};

/* Up to 64 bytes are in the last vector alone, which then is at the start. */
INLINE struct two_vectors split(size_t len)
{
	uint64_t both = -(uint64_t)(len > 64);
	size_t at = both & 64;

	return (struct two_vectors){
		.first = both,
		.last = _bzhi_u64(~UINT64_C(0), (unsigned)(len - at)),
		.at = at,
	};
}

/*
 * The bits in which two addresses differ: the last byte of @len at @p, and of
 * the vector at p[at].  In the same page these are the lowest 12 at most.
 */
INLINE uintptr_t ends_differ(const uint8_t *p, size_t len, size_t at)
{
	const uintptr_t start = (uintptr_t)p;

	return (start + len - 1) ^ (start + at + W - 1);
}

/*
 * Does the last vector, 64 bytes at @at, reach into a page that has none of the
 * @len bytes?  If such a page is not mapped, a masked load is still right, but
 * the CPU takes 200 ns to find that out, not 4 (Sapphire Rapids, 40 bytes just
 * before such a page).  A branch on addresses, which is seldom taken.
 */
INLINE bool reaches_other_page(const uint8_t *d, const uint8_t *p, size_t len,
			       size_t at, bool copy)
{
	uintptr_t bits = ends_differ(p, len, at);

	if (copy)
		bits |= ends_differ(d, len, at);
	return __builtin_expect(bits >= 4096, 0);
}

/* Both halves of each lane, added. */
INLINE VEC halves(VEC v)
{
	return OP(add_epi64)(OP(srli_epi64)(v, 32), AND(v, SET(0xffffffff)));
}

/*
 * Up to SMALL bytes without masked loads, for these.  The same 32 bits as with
 * them, because both are sums of 32-bit words, of which csum_from64() makes the
 * only value from 1 to 2^32 - 1 that is congruent mod 2^32 - 1.
 */
INLINE csum_wsum at_page_end(uint8_t *d, const uint8_t *p, size_t len,
			     csum_wsum sum, bool copy)
{
	if (len > TINY) {
		VEC a = halves(take(d, p, 0, copy, false));
		VEC b = halves(take(d, p, W, copy, false));

		sum = csum_from64(sum + add_lanes(OP(add_epi64)(a, b)));
		p += 2 * W;
		d += 2 * W;
	}
	return copy ? csum_copy_below_128(d, p, len % 128, sum)
		    : csum_sum_below_128(p, len % 128, sum);
}

APART csum_wsum sum_at_page_end(const uint8_t *p, size_t len, csum_wsum sum)
{
	return at_page_end(nowhere(p), p, len, sum, false);
}

APART csum_wsum copy_at_page_end(uint8_t *d, const uint8_t *p, size_t len,
				 csum_wsum sum)
{
	return at_page_end(d, p, len, sum, true);
}

INLINE VEC take_masked(uint8_t *d, const uint8_t *p, __mmask64 mask, bool copy)
{
	VEC v = _mm512_maskz_loadu_epi8(mask, (const void *)p);

	if (copy)
		_mm512_mask_storeu_epi8((void *)d, mask, v);
	return v;
}

/* @len up to TINY; copied to @d, if @copy. */
INLINE csum_wsum tiny(uint8_t *d, const uint8_t *p, size_t len, csum_wsum sum,
		      bool copy)
{
	struct two_vectors two = split(len);
	VEC a, b;

	if (reaches_other_page(d, p, len, two.at, copy))
		return copy ? copy_at_page_end(d, p, len, sum)
			    : sum_at_page_end(p, len, sum);
	a = take_masked(d, p, two.first, copy);
	b = take_masked(d + two.at, p + two.at, two.last, copy);
	return csum_from64(sum +
			   add_lanes(OP(add_epi64)(halves(a), halves(b))));
}

/* @len from TINY to SMALL: two vectors more, with the arithmetic of few(). */
INLINE csum_wsum small(uint8_t *d, const uint8_t *p, size_t len, csum_wsum sum,
		       bool copy)
{
	const size_t at = 2 * W;
	struct two_vectors two = split(len - at);
	VEC a, b, e, f, t, h;

	if (reaches_other_page(d, p, len, at + two.at, copy))
		return copy ? copy_at_page_end(d, p, len, sum)
			    : sum_at_page_end(p, len, sum);
	a = take(d, p, 0, copy, false);
	b = take(d, p, W, copy, false);
	e = take_masked(d + at, p + at, two.first, copy);
	f = take_masked(d + at + two.at, p + at + two.at, two.last, copy);
	t = OP(add_epi64)(OP(add_epi64)(a, b), OP(add_epi64)(e, f));
	h = OP(add_epi64)(
		OP(add_epi64)(OP(srli_epi64)(a, 32), OP(srli_epi64)(b, 32)),
		OP(add_epi64)(OP(srli_epi64)(e, 32), OP(srli_epi64)(f, 32)));
	t = OP(sub_epi64)(t, OP(slli_epi64)(h, 32));
	return csum_from64(sum + add_lanes(OP(add_epi64)(t, h)));
}
