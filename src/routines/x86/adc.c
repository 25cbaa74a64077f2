/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * adc.c - Internet checksum, additions with carry in general registers.
 *
 * Within one chain each addition waits for the carry of the one before: one
 * word a cycle.  But a chain that starts with add, not adc, takes no carry from
 * outside, and a CPU that renames the carry flag works on several such chains
 * at once, although they stand behind each other in the program.  Four chains
 * of eight words sum 16 KiB at 71 bytes per ns, two chains at 43, one chain at
 * 23, adcx and adox at 52 (minima, Zen 3 at 3.2 GHz, where three loads a cycle
 * are the limit: 78).
 */
#include "short.h"

#ifdef CSUM_X86_64

enum { STEP = 256 };

csum_wsum csum_sum_adc(const void *buf, size_t len, csum_wsum sum)
{
	const uint8_t *p = buf;
	uint64_t a = sum, b = 0, c = 0, d = 0;

	if (len < 128)
		return csum_sum_below_128(p, len, sum);
	for (; len >= STEP; len -= STEP, p += STEP) {
		a = csum_add_64(a, p);
		b = csum_add_64(b, p + 64);
		c = csum_add_64(c, p + 128);
		d = csum_add_64(d, p + 192);
	}
	if (len & 128) {
		a = csum_add_64(a, p);
		b = csum_add_64(b, p + 64);
		p += 128;
	}
	d = csum_add_below_128(d, p, len);
	return csum_from64(csum_add64(csum_add64(a, b), csum_add64(c, d)));
}

csum_wsum csum_copy_adc(void *dst, const void *src, size_t len, csum_wsum sum)
{
	return csum_copy_pieces(csum_sum_adc, dst, src, len, sum);
}

#endif
