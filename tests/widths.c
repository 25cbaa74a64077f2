/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * widths.c - what scripts/widths counts: the same sums in 16 bits all along,
 * and in a wider type that is folded at the end.
 *
 * In 16 bits each addition has to bring back its own carry.  A type that is
 * wider than the terms has room for the carries of all of them, and one fold
 * brings them back.
 */
#include <stddef.h>
#include <stdint.h>

typedef uint16_t narrow;
typedef uint32_t wide;

static inline narrow add(narrow a, narrow b)
{
	narrow sum = (narrow)(a + b);

	return (narrow)(sum + (sum < b));
}

/* Twice: what is folded once may carry again. */
static inline narrow fold(wide sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	return (narrow)(sum + (sum >> 16));
}

/* RFC 1624, equation 3. */
narrow replace_narrow(narrow check, narrow was, narrow now);
narrow replace_wide(narrow check, narrow was, narrow now);
/* The checksum of a header of 20 bytes. */
narrow header_narrow(const narrow *p);
narrow header_wide(const narrow *p);

narrow replace_narrow(narrow check, narrow was, narrow now)
{
	return (narrow)~add(add((narrow)~check, (narrow)~was), now);
}

narrow replace_wide(narrow check, narrow was, narrow now)
{
	return (narrow)~fold((wide)(narrow)~check + (narrow)~was + now);
}

#define NINE(DO) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9)

narrow header_narrow(const narrow *p)
{
	narrow sum = p[0];

#define ADD(i) sum = add(sum, p[i]);
	NINE(ADD)
#undef ADD
	return (narrow)~sum;
}

narrow header_wide(const narrow *p)
{
	wide sum = p[0];

#define ADD(i) sum += p[i];
	NINE(ADD)
#undef ADD
	return (narrow)~fold(sum);
}

#ifdef CHECK
#include <stdio.h>

static uint32_t state = 1;

static narrow any(void)
{
	state = state * 1664525 + 1013904223;
	/* zeros and ones often: that is where the forms could differ */
	return (narrow)(state >> 30 == 0   ? 0
			: state >> 30 == 1 ? 0xffff
					   : state >> 8);
}

int main(void)
{
	for (long i = 0; i < 1000000; i++) {
		narrow p[10];

		for (size_t k = 0; k < 10; k++)
			p[k] = any();
		if (replace_narrow(p[0], p[1], p[2]) !=
			    replace_wide(p[0], p[1], p[2]) ||
		    header_narrow(p) != header_wide(p)) {
			puts("the two forms differ");
			return 1;
		}
	}
	return 0;
}
#endif
