/* SPDX-License-Identifier: BSD-2-Clause */
/* movs.h - the CPU's own copy. */
#ifndef CSUM_LAB_MOVS_H
#define CSUM_LAB_MOVS_H

#include "study.h"

#ifdef CSUM_X86_64

/* The ABI has the direction flag clear at each call. */
static inline void movs(void *dst, const void *src, size_t len)
{
	__asm__ volatile("rep movsb"
			 : "+D"(dst), "+S"(src), "+c"(len)
			 :
			 : "memory");
}

#endif
#endif
