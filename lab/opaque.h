/* SPDX-License-Identifier: BSD-2-Clause */
/* opaque.h - values that the compiler may know no more about. */
#ifndef CSUM_LAB_OPAQUE_H
#define CSUM_LAB_OPAQUE_H

/* Hides the value of the variable @x from the compiler. */
#define LAB_OPAQUE(x) __asm__ volatile("" : "+r"(x))

#endif
