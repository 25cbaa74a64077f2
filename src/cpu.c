/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu.c - CPU facts.
 *
 * A vector register may be used only if the CPU has the instructions AND the
 * operating system saves the register: XCR0 says the latter, and may be read
 * only if OSXSAVE is set (Intel SDM volume 1, section 14.3).
 */
#include "cpu.h"

enum {
	LEAF1_ECX_OSXSAVE = 1 << 27,
	LEAF1_ECX_AVX = 1 << 28,
	LEAF7_EBX_AVX2 = 1 << 5,
	XCR0_XMM_YMM = 0x6,
};

uint32_t csum_cpu_decode(const struct csum_cpuid *id)
{
	const uint32_t avx = LEAF1_ECX_OSXSAVE | LEAF1_ECX_AVX;
	uint32_t cpu = 0;

	if ((id->leaf1_ecx & avx) != avx ||
	    (id->xcr0 & XCR0_XMM_YMM) != XCR0_XMM_YMM)
		return cpu;
	if (id->max_leaf >= 7 && (id->leaf7_ebx & LEAF7_EBX_AVX2))
		cpu |= CSUM_CPU_AVX2;
	return cpu;
}

#ifdef CSUM_X86_64

#include <cpuid.h>

static uint64_t xgetbv0(void)
{
	uint32_t lo, hi;

	__asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
	return (uint64_t)hi << 32 | lo;
}

uint32_t csum_cpu_features(void)
{
	struct csum_cpuid id = { 0 };
	uint32_t eax, ebx, ecx, edx;

	if (!__get_cpuid(0, &id.max_leaf, &ebx, &ecx, &edx))
		return 0;
	if (id.max_leaf >= 1)
		__cpuid(1, eax, ebx, id.leaf1_ecx, edx);
	if (id.max_leaf >= 7)
		__cpuid_count(7, 0, eax, id.leaf7_ebx, ecx, edx);
	if (id.leaf1_ecx & LEAF1_ECX_OSXSAVE)
		id.xcr0 = xgetbv0();
	return csum_cpu_decode(&id);
}

#else

uint32_t csum_cpu_features(void)
{
	return 0;
}

#endif
