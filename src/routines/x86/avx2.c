/* SPDX-License-Identifier: BSD-2-Clause */
/* avx2.c - Internet checksum, AVX2: see average.h for the idea. */
#include "short.h"

#ifdef CSUM_X86_64

#define NAME(x) x##_avx2
#define TARGET	CSUM_TARGET("avx2")
#include "lanes256.h"

#include "average.h"
#include "vector_end.h"

#endif
