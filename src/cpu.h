/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu.h - what this CPU and operating system can run, and what they should. */
#ifndef CSUM_CPU_H
#define CSUM_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* 64-bit pointers too: x32 takes the portable routine. */
#if defined(__x86_64__) && defined(__LP64__)
#define CSUM_X86_64 1
#endif

/* Little-endian: the routines rely on the order of bytes in a vector. */
#if defined(__aarch64__) && defined(__LP64__) && !defined(__AARCH64EB__)
#define CSUM_ARM64 1
#endif

#pragma GCC visibility push(hidden)

/* One bit per thing that a routine may need, or want. */
enum {
	CSUM_CPU_ADX = 1 << 0,
	CSUM_CPU_AVX2 = 1 << 1,
	CSUM_CPU_AVXVNNI = 1 << 2,
	CSUM_CPU_AVX512BW = 1 << 3, /* with F and BMI2, which BW CPUs have */
	CSUM_CPU_AVX512VNNI = 1 << 4,
	CSUM_CPU_ZMM = 1 << 5,	    /* 512-bit registers cost no frequency */
	CSUM_CPU_WHOLE512 = 1 << 6, /* and have units as wide */
	CSUM_CPU_I8MM = 1 << 16,    /* arm64 */
};

/* What cpuid and xgetbv say, apart from the asking: tests make their own. */
struct csum_cpuid {
	uint32_t max_leaf; /* leaf 0, eax */
	bool intel, amd;   /* leaf 0: GenuineIntel, AuthenticAMD */
	uint32_t leaf1_eax, leaf1_ecx;
	uint32_t leaf7_ebx, leaf7_ecx;
	uint32_t leaf7_1_eax; /* 0 if there is no such subleaf */
	uint64_t xcr0;	      /* 0 if there is no xgetbv */
};

uint32_t csum_cpu_decode(const struct csum_cpuid *id);

/* The bits of this machine. */
uint32_t csum_cpu_features(void);

#pragma GCC visibility pop

#endif
