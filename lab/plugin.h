/* SPDX-License-Identifier: BSD-2-Clause */
/* plugin.h - routines from shared objects. */
#ifndef CSUM_LAB_PLUGIN_H
#define CSUM_LAB_PLUGIN_H

#include <stddef.h>

#include "routines/routine.h"

/* A shared object and its routines, in the order of its table. */
struct lab_plugin {
	void *handle;
	size_t n;
	struct csum_routine *routines;
	size_t *max; /* of each, see struct lab_subject */
};

/*
 * Loads a shared object; csum-plugin.h says what the object has to hold.
 * Returns NULL, or the cause of the failure, which lives until the next call.
 * Whatever this returns, end with lab_plugin_free().
 */
const char *lab_plugin_load(struct lab_plugin *plugin, const char *file);
void lab_plugin_free(struct lab_plugin *plugin);

#endif
