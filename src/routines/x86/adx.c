/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * adx.c - Internet checksum, two chains that do not share a flag.
 *
 * adcx carries in CF, adox in OF, and neither touches the other's: two chains
 * side by side, unbroken through the whole loop, whose count must leave both
 * flags alone: lea and jrcxz do.
 */
#include "short.h"

#ifdef CSUM_X86_64

enum { STEP = 128 };

csum_wsum csum_sum_adx(const void *buf, size_t len, csum_wsum sum)
{
	const uint8_t *p = buf;
	uint64_t a = sum, b = 0, zero = 0;
	size_t steps = len / STEP;

	if (steps == 0)
		return csum_sum_below_128(p, len, sum);
	/* xor clears both flags */
	__asm__("xor %[zero], %[zero]\n"
		"1:\n\t"
		"adcx 0(%[p]), %[a]\n\t"
		"adox 8(%[p]), %[b]\n\t"
		"adcx 16(%[p]), %[a]\n\t"
		"adox 24(%[p]), %[b]\n\t"
		"adcx 32(%[p]), %[a]\n\t"
		"adox 40(%[p]), %[b]\n\t"
		"adcx 48(%[p]), %[a]\n\t"
		"adox 56(%[p]), %[b]\n\t"
		"adcx 64(%[p]), %[a]\n\t"
		"adox 72(%[p]), %[b]\n\t"
		"adcx 80(%[p]), %[a]\n\t"
		"adox 88(%[p]), %[b]\n\t"
		"adcx 96(%[p]), %[a]\n\t"
		"adox 104(%[p]), %[b]\n\t"
		"adcx 112(%[p]), %[a]\n\t"
		"adox 120(%[p]), %[b]\n\t"
		"lea 128(%[p]), %[p]\n\t"
		"lea -1(%[steps]), %[steps]\n\t"
		"jrcxz 2f\n\t"
		"jmp 1b\n"
		"2:\n\t"
		"adcx %[zero], %[a]\n\t"
		"adox %[zero], %[b]"
		: [a] "+&r"(a), [b] "+&r"(b), [zero] "+&r"(zero), [p] "+&r"(p),
		  [steps] "+&c"(steps)
		:
		: "cc", "memory");
	return csum_from64(csum_add64(csum_add_below_128(a, p, len), b));
}

csum_wsum csum_copy_adx(void *dst, const void *src, size_t len, csum_wsum sum)
{
	return csum_copy_pieces(csum_sum_adx, dst, src, len, sum);
}

#endif
