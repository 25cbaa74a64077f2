/* SPDX-License-Identifier: BSD-2-Clause */
/* sse2.c - Internet checksum, SSE2, which every x86-64 has: averages. */
#include "short.h"

#ifdef CSUM_X86_64

#define NAME(x) x##_sse2
#define TARGET	CSUM_TARGET("sse2")
#define LANES	128
#include "x86_template.h"

#endif
