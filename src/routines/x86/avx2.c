/* SPDX-License-Identifier: BSD-2-Clause */
/* avx2.c - Internet checksum, AVX2: averages. */
#include "short.h"

#ifdef CSUM_X86_64

#define NAME(x) x##_avx2
#define TARGET	CSUM_TARGET("avx2")
#define LANES	256
#include "x86_template.h"

#endif
