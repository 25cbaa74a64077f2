/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu.c - CPU facts.
 *
 * A vector register may be used only if the CPU has the instructions AND the
 * operating system saves the register: XCR0 says the latter, and may be read
 * only if OSXSAVE is set (Intel SDM volume 1, section 14.3 and, for 512 bits,
 * section 15.2).
 */
#include "cpu.h"

#include <stddef.h>

#define LEAF1_ECX_OSXSAVE  (1u << 27)
#define LEAF1_ECX_AVX	   (1u << 28)
#define LEAF7_EBX_AVX2	   (1u << 5)
#define LEAF7_EBX_BMI2	   (1u << 8)
#define LEAF7_EBX_AVX512F  (1u << 16)
#define LEAF7_EBX_ADX	   (1u << 19)
#define LEAF7_EBX_AVX512BW (1u << 30)
#define LEAF7_ECX_VNNI	   (1u << 11)
#define LEAF7_1_EAX_VNNI   (1u << 4)
#define XCR0_YMM	   0x6u
#define XCR0_ZMM	   0xe6u

static bool all(uint64_t word, uint64_t bits)
{
	return (word & bits) == bits;
}

/*
 * Intel's first generations lower the frequency of the core when they meet
 * 512-bit instructions, which costs whoever runs next on it more than a sum can
 * gain.  Rocket Lake and Sapphire Rapids ended that; AMD never had it.
 */
static bool lowers_frequency(const struct csum_cpuid *id)
{
	static const uint8_t models[] = {
		0x55,	    /* Skylake-SP and -X, Cascade Lake, Cooper Lake */
		0x6a, 0x6c, /* Ice Lake, server */
		0x7e,	    /* Ice Lake, client */
		0x8c, 0x8d, /* Tiger Lake */
	};
	uint32_t family = id->leaf1_eax >> 8 & 0xf;
	uint32_t model =
		(id->leaf1_eax >> 4 & 0xf) | (id->leaf1_eax >> 12 & 0xf0);

	for (size_t i = 0; i < sizeof(models); i++)
		if (id->intel && family == 6 && model == models[i])
			return true;
	return false;
}

/*
 * Zen 4 has 512-bit registers over units of 256, on which word products gain
 * nothing over averages (docs/ROUTINES.md).  Family 0x19 is Zen 3 too, which
 * has no such registers.
 */
static bool has_half_units(const struct csum_cpuid *id)
{
	const uint32_t family_bits = 0x0ff00f00, family_19 = 0x00a00f00;

	return id->amd && (id->leaf1_eax & family_bits) == family_19;
}

uint32_t csum_cpu_decode(const struct csum_cpuid *id)
{
	const uint32_t avx512 =
		LEAF7_EBX_AVX512F | LEAF7_EBX_AVX512BW | LEAF7_EBX_BMI2;
	uint32_t cpu = 0;

	if (id->max_leaf < 7)
		return cpu;
	if (id->leaf7_ebx & LEAF7_EBX_ADX)
		cpu |= CSUM_CPU_ADX;
	if (!all(id->leaf1_ecx, LEAF1_ECX_OSXSAVE | LEAF1_ECX_AVX) ||
	    !all(id->xcr0, XCR0_YMM) || !(id->leaf7_ebx & LEAF7_EBX_AVX2))
		return cpu;
	cpu |= CSUM_CPU_AVX2;
	if (id->leaf7_1_eax & LEAF7_1_EAX_VNNI)
		cpu |= CSUM_CPU_AVXVNNI;
	if (!all(id->xcr0, XCR0_ZMM) || !all(id->leaf7_ebx, avx512))
		return cpu;
	cpu |= CSUM_CPU_AVX512BW;
	if (id->leaf7_ecx & LEAF7_ECX_VNNI)
		cpu |= CSUM_CPU_AVX512VNNI;
	if (!lowers_frequency(id))
		cpu |= CSUM_CPU_ZMM;
	if (!has_half_units(id))
		cpu |= CSUM_CPU_WHOLE512;
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
	id.intel = ebx == signature_INTEL_ebx && ecx == signature_INTEL_ecx &&
		   edx == signature_INTEL_edx;
	id.amd = ebx == signature_AMD_ebx && ecx == signature_AMD_ecx &&
		 edx == signature_AMD_edx;
	if (id.max_leaf >= 1)
		__cpuid(1, id.leaf1_eax, ebx, id.leaf1_ecx, edx);
	if (id.max_leaf >= 7) {
		__cpuid_count(7, 0, eax, id.leaf7_ebx, id.leaf7_ecx, edx);
		if (eax >= 1)
			__cpuid_count(7, 1, id.leaf7_1_eax, ebx, ecx, edx);
	}
	if (id.leaf1_ecx & LEAF1_ECX_OSXSAVE)
		id.xcr0 = xgetbv0();
	return csum_cpu_decode(&id);
}

#elif defined(CSUM_ARM64) && defined(__linux__)

#include <sys/auxv.h>

/* The kernel's name for it is too new for some C libraries. */
enum { HWCAP2_HAS_I8MM = 1 << 13 };

uint32_t csum_cpu_features(void)
{
	return getauxval(AT_HWCAP2) & HWCAP2_HAS_I8MM ? CSUM_CPU_I8MM : 0;
}

#else

uint32_t csum_cpu_features(void)
{
	return 0;
}

#endif
