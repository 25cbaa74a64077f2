/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * instructions.c - what scripts/instructions counts: each operation in a loop,
 * between two requests to callgrind.
 *
 * Operands come from where the compiler cannot see, and results go there, in
 * registers: an inline function costs here what it costs inside a program.
 */
#include <stdio.h>
#include <valgrind/callgrind.h>

#include "csum.h"
#include "routines/routine.h"

enum { ROUNDS = 1000 };

#define HIDE(x) __asm__ volatile("" : "+r"(x) : : "memory")
#define USE(x)	__asm__ volatile("" : : "r"(x))

/* The loop itself is counted by a body that is empty. */
#define COUNT(name, body)                                                      \
	do {                                                                   \
		CALLGRIND_ZERO_STATS;                                          \
		for (int round = 0; round < ROUNDS; round++) {                 \
			__asm__ volatile("");                                  \
			body;                                                  \
		}                                                              \
		CALLGRIND_DUMP_STATS_AT(name);                                 \
	} while (0)

static uint8_t header[60] = { 0x45 }, other[60] = { 0x46 };

static void count_inline(void)
{
	uint32_t a = 0xc0000201, b = 0xc6336401, len = 1480;
	unsigned ihl = 5;
	uint8_t *p = header, *q = other;
	csum_be16 was = 0x5678, now = 0x9abc;
	csum_sum16 check = 0x1234;
	csum_wsum sum = 0x12345678;

	COUNT("loop", );
	COUNT("csum_fold", HIDE(sum); USE(csum_fold(sum)));
	COUNT("csum_fold_udp", HIDE(sum); USE(csum_fold_udp(sum)));
	COUNT("csum_add", HIDE(sum); HIDE(a); USE(csum_add(sum, a)));
	COUNT("csum_replace2", HIDE(check); HIDE(was); HIDE(now);
	      USE(csum_replace2(check, was, now)));
	COUNT("csum_replace4", HIDE(check); HIDE(a); HIDE(b);
	      USE(csum_replace4(check, a, b)));
	COUNT("csum_replace16", HIDE(check); HIDE(p); HIDE(q);
	      USE(csum_replace16(check, p, q)));
	COUNT("csum_udp_replace4", HIDE(check); HIDE(a); HIDE(b);
	      USE(csum_udp_replace4(check, a, b)));
	COUNT("csum_dec_ttl", HIDE(check); USE(csum_dec_ttl(check)));
	COUNT("csum_ipv4_header, 5", HIDE(p); USE(csum_ipv4_header(p, 5)));
	COUNT("csum_ipv4_header, 5 in a variable", HIDE(p); HIDE(ihl);
	      USE(csum_ipv4_header(p, ihl)));
	COUNT("csum_pseudo_ipv4", HIDE(a); HIDE(b); HIDE(len); HIDE(sum);
	      USE(csum_pseudo_ipv4(a, b, len, 6, sum)));
	COUNT("csum_pseudo_ipv6", HIDE(p); HIDE(q); HIDE(len); HIDE(sum);
	      USE(csum_pseudo_ipv6(p, q, len, 6, sum)));
}

static void count_sums(const char *name, csum_sum_fn f)
{
	static const size_t lengths[] = { 20, 40, 64, 100 };
	static uint8_t bytes[128];
	char row[64];

	f(bytes, 100, 0); /* the first call chooses the routine */
	for (int i = 0; i < 4; i++) {
		size_t len = lengths[i];
		csum_wsum sum = 0;

		HIDE(len);
		snprintf(row, sizeof(row), "%s, %zu bytes", name, len);
		COUNT(row, sum = f(bytes, len, sum));
		USE(sum);
	}
}

int main(void)
{
	const uint32_t cpu = csum_cpu_features();

	count_inline();
	count_sums("csum_partial", csum_partial);
	for (const struct csum_routine *r = csum_routines; r->name; r++)
		if (csum_can_run(r, cpu))
			count_sums(r->name, r->sum);
	return 0;
}
