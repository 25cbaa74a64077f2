/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csum.hpp - csum.h with a class for each kind of value, for C++11 and later.
 *
 * In csum.h a running sum is an integer, and so is a field: a compiler lets one
 * be passed for the other, and the checksum is wrong.  Here each kind of value
 * has a class of its own, as wide as the integer, and nothing converts by
 * itself:
 *
 *   csum::wsum   a running sum         csum::be16   a 16-bit field as in memory
 *   csum::sum16  a checksum field      csum::be32   a 32-bit field as in memory
 *   csum::seed16 such a field, of which the rest is left to the network card
 *
 * The functions are those of csum.h without their prefix, and the manual is
 * there and in csum_packet.h; what is not here is used with value() and the
 * classes' constructors.
 * A default-constructed csum::wsum is the sum of nothing.
 */
#ifndef CSUM_HPP
#define CSUM_HPP

#include "csum_packet.h"

#ifdef CSUM_NO_SHORT_NAMES
#include "csum_names.h"
#endif

namespace csum
{

/* @Kind tells apart what has the same @Integer in it. */
template <typename Integer, typename Kind> class strong
{
      public:
	constexpr strong() : v(0)
	{
	}
	constexpr explicit strong(Integer value) : v(value)
	{
	}
	constexpr Integer value() const
	{
		return v;
	}
	constexpr bool operator==(const strong &other) const
	{
		return v == other.v;
	}
	constexpr bool operator!=(const strong &other) const
	{
		return v != other.v;
	}

      private:
	Integer v;
};

/* Two running sums may differ and mean the same, so they are not compared. */
class wsum
{
      public:
	constexpr wsum() : v(0)
	{
	}
	constexpr explicit wsum(csum_wsum value) : v(value)
	{
	}
	constexpr csum_wsum value() const
	{
		return v;
	}

      private:
	csum_wsum v;
};

using sum16 = strong<csum_sum16, struct sum16_kind>;
using seed16 = strong<csum_seed16, struct seed16_kind>;
using be16 = strong<csum_be16, struct be16_kind>;
using be32 = strong<csum_be32, struct be32_kind>;

/* Host integers into fields; a byte is no field. */
template <typename T> be16 be16_from_host(T v)
{
	static_assert(sizeof(T) == 2, "a 16-bit host integer");
	return be16(csum_be16_from_host(v));
}

template <typename T> be32 be32_from_host(T v)
{
	static_assert(sizeof(T) == 4, "a 32-bit host integer");
	return be32(csum_be32_from_host(v));
}

inline be16 load16(const void *p)
{
	return be16(csum_load16(p));
}

inline be32 load32(const void *p)
{
	return be32(csum_load32(p));
}

inline sum16 load_sum16(const void *p)
{
	return sum16(csum_load_sum16(p));
}

inline void store16(void *p, sum16 check)
{
	csum_store16(p, check.value());
}

CSUM_INLINE wsum partial(const void *buf, size_t len, wsum sum = wsum())
{
	return wsum(csum_partial(buf, len, sum.value()));
}

CSUM_INLINE wsum copy(void *dst, const void *src, size_t len, wsum sum = wsum())
{
	return wsum(csum_copy(dst, src, len, sum.value()));
}

#ifndef CSUM_NO_IOVEC
CSUM_INLINE wsum iov(const struct iovec *pieces, size_t count, size_t off,
		     size_t len, wsum sum = wsum())
{
	return wsum(csum_iov(pieces, count, off, len, sum.value()));
}
#endif

CSUM_INLINE wsum add(wsum a, wsum b)
{
	return wsum(csum_add(a.value(), b.value()));
}

CSUM_INLINE wsum sub(wsum a, wsum b)
{
	return wsum(csum_sub(a.value(), b.value()));
}

CSUM_INLINE wsum combine(wsum sum, wsum piece, size_t offset)
{
	return wsum(csum_combine(sum.value(), piece.value(), offset));
}

CSUM_INLINE wsum uncombine(wsum sum, wsum piece, size_t offset)
{
	return wsum(csum_uncombine(sum.value(), piece.value(), offset));
}

CSUM_INLINE wsum pseudo_ipv4(be32 saddr, be32 daddr, uint32_t len,
			     uint8_t proto, wsum sum = wsum())
{
	return wsum(csum_pseudo_ipv4(saddr.value(), daddr.value(), len, proto,
				     sum.value()));
}

CSUM_INLINE wsum pseudo_ipv6(const void *saddr, const void *daddr, uint32_t len,
			     uint8_t proto, wsum sum = wsum())
{
	return wsum(csum_pseudo_ipv6(saddr, daddr, len, proto, sum.value()));
}

CSUM_INLINE sum16 fold(wsum sum)
{
	return sum16(csum_fold(sum.value()));
}

CSUM_INLINE sum16 fold_udp(wsum sum)
{
	return sum16(csum_fold_udp(sum.value()));
}

CSUM_INLINE bool ok(wsum sum)
{
	return csum_ok(sum.value());
}

CSUM_INLINE sum16 ipv4_header(const void *hdr, unsigned ihl)
{
	return sum16(csum_ipv4_header(hdr, ihl));
}

CSUM_INLINE wsum diff(const void *was, size_t was_len, const void *now,
		      size_t now_len, size_t offset, wsum sum = wsum())
{
	return wsum(csum_diff(was, was_len, now, now_len, offset, sum.value()));
}

CSUM_INLINE sum16 replace_by_diff(sum16 check, wsum difference)
{
	return sum16(csum_replace_by_diff(check.value(), difference.value()));
}

CSUM_INLINE sum16 replace2(sum16 check, be16 was, be16 now)
{
	return sum16(csum_replace2(check.value(), was.value(), now.value()));
}

CSUM_INLINE sum16 replace4(sum16 check, be32 was, be32 now)
{
	return sum16(csum_replace4(check.value(), was.value(), now.value()));
}

CSUM_INLINE sum16 replace16(sum16 check, const void *was, const void *now)
{
	return sum16(csum_replace16(check.value(), was, now));
}

CSUM_INLINE sum16 replace_bytes(sum16 check, const void *was, size_t was_len,
				const void *now, size_t now_len, size_t offset)
{
	return sum16(csum_replace_bytes(check.value(), was, was_len, now,
					now_len, offset));
}

/* Over the result of any of these, for UDP. */
CSUM_INLINE sum16 udp_keep(sum16 before, sum16 after)
{
	return sum16(csum_udp_keep(before.value(), after.value()));
}

inline seed16 load_seed(const void *p)
{
	return seed16(csum_load_seed(p));
}

inline void store_seed(void *p, seed16 field)
{
	csum_store_seed(p, field.value());
}

CSUM_INLINE seed16 seed(wsum pseudo)
{
	return seed16(csum_seed(pseudo.value()));
}

CSUM_INLINE bool is_seed(seed16 field, wsum pseudo)
{
	return csum_is_seed(field.value(), pseudo.value());
}

CSUM_INLINE seed16 seed_by_diff(seed16 field, wsum difference)
{
	return seed16(csum_seed_by_diff(field.value(), difference.value()));
}

CSUM_INLINE seed16 seed_replace4(seed16 field, be32 was, be32 now)
{
	return seed16(
		csum_seed_replace4(field.value(), was.value(), now.value()));
}

CSUM_INLINE seed16 seed_replace16(seed16 field, const void *was,
				  const void *now)
{
	return seed16(csum_seed_replace16(field.value(), was, now));
}

CSUM_INLINE seed16 seed_length(seed16 field, uint32_t was, uint32_t now)
{
	return seed16(csum_seed_length(field.value(), was, now));
}

} // namespace csum

#ifdef CSUM_NO_SHORT_NAMES
#include "csum_names.h"
#endif

#endif
