/* SPDX-License-Identifier: BSD-2-Clause */
/* csum.c - csum.h with its contracts, for scripts/prove. */
#include "csum_contracts.h"
