/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emulate.h - included before every file of an emulated build.
 *
 * The intrinsics become plain C (immintrin.h beside this file), so no function
 * may be compiled for the instructions themselves, no vector be pinned to a
 * register that is not there, and no register be cleaned.
 */
#define CSUM_KEEP(v)
#define _mm256_zeroupper() ((void)0)

#include "routines/routine.h"

#undef CSUM_TARGET
#define CSUM_TARGET(isa)
