/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tap.h - test results as TAP, the lines that prove(1) reads.
 *
 * One header and no library, so that the tests also run where only a cross
 * compiler and an emulator are at hand.
 */
#ifndef CSUM_TAP_H
#define CSUM_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int tap_count, tap_failed;

__attribute__((format(printf, 1, 2))) static inline void tap_note(
	const char *fmt, ...)
{
	va_list ap;

	fputs("# ", stdout);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

__attribute__((format(printf, 2, 3))) static inline void tap_ok(bool ok,
								const char *fmt,
								...)
{
	va_list ap;

	printf("%sok %d - ", ok ? "" : "not ", ++tap_count);
	tap_failed += !ok;
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

__attribute__((format(printf, 1, 2))) static inline void tap_skip(
	const char *fmt, ...)
{
	va_list ap;

	printf("ok %d # SKIP ", ++tap_count);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

/* The plan goes last; a test that dies before it has no plan, and fails. */
static inline int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed ? 1 : 0;
}

#endif
