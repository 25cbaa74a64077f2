/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk_inside.h - packet/ as a part of the library: what others see of it are
 * names that begin with csum_, and a shared library exports none of them.
 */
#ifndef CSUM_WALK_INSIDE_H
#define CSUM_WALK_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

#include "walk_names.h"

/* the C library is declared above: it is not hidden */
#pragma GCC visibility push(hidden)
#include "../packet/check.h"
#include "../packet/decode.h"
#include "../packet/judge.h"
#include "../packet/layer.h"
#include "../packet/repair.h"
#include "../packet/walk.h"
#pragma GCC visibility pop

#endif
