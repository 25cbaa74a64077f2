/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * environment.h - getenv(), but for a program that runs with the rights of
 * somebody else.
 *
 * Under set-user-ID, set-group-ID or file capabilities the environment is the
 * choice of a user whom the program must not obey.  secure_getenv() answers
 * that, but is an extension of some C libraries; what that function asks can be
 * asked everywhere.
 */
#ifndef CSUM_ENVIRONMENT_H
#define CSUM_ENVIRONMENT_H

#include <stdlib.h>
#ifdef __linux__
#include <sys/auxv.h>
#else
#include <unistd.h>
#endif

static inline int csum_is_privileged(void)
{
#ifdef __linux__
	return getauxval(AT_SECURE) != 0;
#else
	return getuid() != geteuid() || getgid() != getegid();
#endif
}

/* NULL if @name is not set, or must not be believed. */
static inline const char *csum_getenv(const char *name)
{
	return csum_is_privileged() ? NULL : getenv(name);
}

#endif
