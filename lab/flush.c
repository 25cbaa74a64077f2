/* SPDX-License-Identifier: BSD-2-Clause */
/* flush.c - bytes that are in no cache. */
#include "flush.h"

#include <stdint.h>

#if defined(__x86_64__)

#include <cpuid.h>

static bool has_clflushopt(void)
{
	const unsigned int clflushopt = 1U << 23; /* leaf 7, ebx */
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) &&
	       (ebx & clflushopt);
}

/* clflush came before any x86-64; it says its line in leaf 1, times 8. */
static size_t flush_line(void)
{
	unsigned int eax, ebx, ecx, edx;

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return 0;
	return (size_t)(ebx >> 8 & 0xff) * 8;
}

/* Each waits for the one before with clflush, none with clflushopt. */
static void flush_lines(const char *p, const char *end, size_t line)
{
	if (has_clflushopt())
		for (; p < end; p += line)
			__asm__ volatile("clflushopt %0"
					 :
					 : "m"(*p)
					 : "memory");
	else
		for (; p < end; p += line)
			__asm__ volatile("clflush %0" : : "m"(*p) : "memory");
	__asm__ volatile("mfence" : : : "memory");
}

#elif defined(__aarch64__) && defined(__linux__)

/* Linux lets programs read this register and clean lines; others may not. */
static size_t flush_line(void)
{
	uint64_t ctr;

	/* log2 of 4-byte words in bits 16 to 19 */
	__asm__("mrs %0, ctr_el0" : "=r"(ctr));
	return (size_t)4 << (ctr >> 16 & 15);
}

static void flush_lines(const char *p, const char *end, size_t line)
{
	for (; p < end; p += line)
		__asm__ volatile("dc civac, %0" : : "r"(p) : "memory");
	__asm__ volatile("dsb sy" : : : "memory");
}

#else

static size_t flush_line(void)
{
	return 0;
}

static void flush_lines(const char *p, const char *end, size_t line)
{
	(void)p, (void)end, (void)line;
}

#endif

bool lab_flush(const void *p, size_t len)
{
	const size_t line = flush_line();

	if (!line)
		return false;
	/* from the start of its line on */
	flush_lines((const char *)p - (uintptr_t)p % line,
		    (const char *)p + len, line);
	return true;
}
