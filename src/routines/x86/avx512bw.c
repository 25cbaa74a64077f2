/* SPDX-License-Identifier: BSD-2-Clause */
/* avx512bw.c - Internet checksum, AVX-512BW: averages. */
#include "short.h"

#ifdef CSUM_X86_64

#define NAME(x) x##_avx512bw
#define TARGET	CSUM_TARGET("avx512f,avx512bw,bmi2")
#define LANES	512
#include "x86_template.h"

#endif
