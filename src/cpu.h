/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu.h - what this CPU and operating system can run. */
#ifndef CSUM_CPU_H
#define CSUM_CPU_H

#include <stdint.h>

/* 64-bit pointers too: x32 takes the portable routine. */
#if defined(__x86_64__) && defined(__LP64__)
#define CSUM_X86_64 1
#endif

#pragma GCC visibility push(hidden)

/* One bit per thing that a routine may need. */
enum {
	CSUM_CPU_AVX2 = 1 << 0,
};

/* What cpuid and xgetbv say, apart from the asking: tests make their own. */
struct csum_cpuid {
	uint32_t max_leaf; /* leaf 0, eax */
	uint32_t leaf1_ecx;
	uint32_t leaf7_ebx;
	uint64_t xcr0; /* 0 if there is no xgetbv */
};

uint32_t csum_cpu_decode(const struct csum_cpuid *id);

/* The bits of this machine. */
uint32_t csum_cpu_features(void);

#pragma GCC visibility pop

#endif
