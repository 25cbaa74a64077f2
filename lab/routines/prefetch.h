/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * prefetch.h - one body, stamped once for each policy and hint.
 *
 * Both are constants in each stamp, so what a policy does not need is not
 * there.  Distance and threshold are loaded when the routine starts, so one
 * build measures them all.
 *
 * A prefetch reads nothing: it may name an address that is not mapped.
 */
#ifndef CSUM_LAB_PREFETCH_H
#define CSUM_LAB_PREFETCH_H

#include "study.h"

enum { LINE = 64 };

#define BODY static inline __attribute__((always_inline))

struct prefetch {
	enum lab_policy policy;
	enum lab_hint hint;
	size_t ahead; /* BYTES */
	const uint8_t *end;
	bool on;
};

BODY void prefetch_line(enum lab_hint hint, const uint8_t *p)
{
	if (hint == LAB_HINT_NTA)
		__builtin_prefetch(p, 0, 0);
	else
		__builtin_prefetch(p, 0, 3);
}

BODY struct prefetch prefetch_start(enum lab_policy policy, enum lab_hint hint,
				    const uint8_t *p, size_t len)
{
	struct prefetch f = { policy, hint, 0, p + len, true };

	if (policy == LAB_PREFETCH_NONE)
		return f;
	f.ahead = lab_distance.lines * LINE;
	if (policy == LAB_PREFETCH_BOUNDED)
		for (size_t at = 0; at < len && at < f.ahead; at += LINE)
			prefetch_line(hint, p + at);
	if (policy == LAB_PREFETCH_LEAD)
		prefetch_line(hint, p + f.ahead);
	if (policy == LAB_PREFETCH_ABOVE)
		f.on = len >= lab_distance.above;
	return f;
}

/* At each line of the loop; @p is where it is. */
BODY void prefetch_step(const struct prefetch *f, const uint8_t *p)
{
	switch (f->policy) {
	case LAB_PREFETCH_AHEAD:
		prefetch_line(f->hint, p + f->ahead);
		break;
	case LAB_PREFETCH_BOUNDED:
		if ((size_t)(f->end - p) > f->ahead)
			prefetch_line(f->hint, p + f->ahead);
		break;
	case LAB_PREFETCH_ABOVE:
		if (f->on)
			prefetch_line(f->hint, p + f->ahead);
		break;
	default:
		break;
	}
}

/*
 * STAMP_SUMS(name, target) - csum_sum_NAME and lab_sums_NAME from
 *
 *   BODY csum_wsum body(const uint8_t *p, size_t len, csum_wsum sum,
 *                       struct prefetch f);
 *
 * STAMP_COPIES(name, target) - the same for copies, whose body has @dst before
 * @p, the source.
 */
#define STAMP_SUM(linkage, target, name, policy, hint)                         \
	target linkage csum_wsum name(const void *buf, size_t len,             \
				      csum_wsum sum)                           \
	{                                                                      \
		return body(buf, len, sum,                                     \
			    prefetch_start(LAB_PREFETCH_##policy,              \
					   LAB_HINT_##hint, buf, len));        \
	}

#define STAMP_COPY(linkage, target, name, policy, hint)                        \
	target linkage csum_wsum name(void *dst, const void *src, size_t len,  \
				      csum_wsum sum)                           \
	{                                                                      \
		return body(dst, src, len, sum,                                \
			    prefetch_start(LAB_PREFETCH_##policy,              \
					   LAB_HINT_##hint, src, len));        \
	}

#define STAMP_ALL(STAMP, target)                                               \
	STAMP(static, target, ahead_all, AHEAD, ALL)                           \
	STAMP(static, target, ahead_nta, AHEAD, NTA)                           \
	STAMP(static, target, bounded_all, BOUNDED, ALL)                       \
	STAMP(static, target, bounded_nta, BOUNDED, NTA)                       \
	STAMP(static, target, lead_all, LEAD, ALL)                             \
	STAMP(static, target, lead_nta, LEAD, NTA)                             \
	STAMP(static, target, above_all, ABOVE, ALL)                           \
	STAMP(static, target, above_nta, ABOVE, NTA)

#define STAMPED(none)                                                          \
	{                                                                      \
		{ none, none }, { ahead_all, ahead_nta },                      \
			{ bounded_all, bounded_nta }, { lead_all, lead_nta },  \
		{                                                              \
			above_all, above_nta                                   \
		}                                                              \
	}

#define STAMP_SUMS(name, target)                                               \
	STAMP_SUM(, target, csum_sum_##name, NONE, ALL)                        \
	STAMP_ALL(STAMP_SUM, target)                                           \
	const csum_sum_fn lab_sums_##name[LAB_POLICIES][LAB_HINTS] =           \
		STAMPED(csum_sum_##name);

#define STAMP_COPIES(name, target)                                             \
	STAMP_COPY(, target, csum_copy_##name, NONE, ALL)                      \
	STAMP_ALL(STAMP_COPY, target)                                          \
	const csum_copy_fn lab_copies_##name[LAB_POLICIES][LAB_HINTS] =        \
		STAMPED(csum_copy_##name);

#endif
