/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_dispatch.c - CPU facts, the choice of a routine, and the first call.
 *
 * The first call can be made once a process, so each test of it has its own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cpu.h"
#include "csum.h"
#include "dispatch.h"
#include "model.h"
#include "testing.h"

enum {
	OSXSAVE = 1 << 27,
	AVX = 1 << 28,
	AVX2 = 1 << 5,
	BMI2 = 1 << 8,
	F = 1 << 16,
	ADX = 1 << 19,
	BW = 1 << 30,
	VNNI = 1 << 11,
	AVXVNNI = 1 << 4,
};

/*
 * Family and model as leaf 1 has them: 6 and 0x55, 6 and 0xa7, 0x19 and 1, 0x19
 * and 0x11, 0x1a and 2.
 */
enum {
	SKYLAKE_SP = 0x50654,
	ROCKET_LAKE = 0xa0671,
	ZEN3 = 0xa00f11,
	ZEN4 = 0xa10f11,
	ZEN5 = 0xb00f21,
};

#define ID(...)                                                                \
	{                                                                      \
		.max_leaf = 7, __VA_ARGS__                                     \
	}
#define OS (OSXSAVE | AVX)

static void test_decode(void)
{
	const uint32_t zmm = CSUM_CPU_AVX2 | CSUM_CPU_AVX512BW | CSUM_CPU_ZMM |
			     CSUM_CPU_WHOLE512;
	const struct {
		const char *name;
		struct csum_cpuid id;
		uint32_t want;
	} t[] = {
		{ "AVX2", ID(.leaf1_ecx = OS, .leaf7_ebx = AVX2, .xcr0 = 7),
		  CSUM_CPU_AVX2 },
		{ "system saves SSE only",
		  ID(.leaf1_ecx = OS, .leaf7_ebx = AVX2 | F | BW | BMI2,
		     .xcr0 = 3),
		  0 },
		{ "system saves AVX but not SSE",
		  ID(.leaf1_ecx = OS, .leaf7_ebx = AVX2, .xcr0 = 5), 0 },
		{ "leaf 7 says AVX2, leaf 1 no AVX",
		  ID(.leaf1_ecx = OSXSAVE, .leaf7_ebx = AVX2, .xcr0 = 7), 0 },
		{ "no OSXSAVE",
		  ID(.leaf1_ecx = AVX, .leaf7_ebx = AVX2, .xcr0 = 7), 0 },
		{ "no leaf 7",
		  { .max_leaf = 6,
		    .leaf1_ecx = OS,
		    .leaf7_ebx = AVX2 | ADX,
		    .xcr0 = 7 },
		  0 },
		{ "AVX without AVX2", ID(.leaf1_ecx = OS, .xcr0 = 7), 0 },
		{ "nothing", { .max_leaf = 0 }, 0 },
		{ "ADX needs no vector state", ID(.leaf7_ebx = ADX),
		  CSUM_CPU_ADX },
		{ "AVX-512",
		  ID(.leaf1_ecx = OS, .leaf7_ebx = AVX2 | F | BW | BMI2,
		     .xcr0 = 0xe7),
		  zmm },
		{ "system saves YMM only",
		  ID(.leaf1_ecx = OS, .leaf7_ebx = AVX2 | F | BW | BMI2,
		     .leaf7_ecx = VNNI, .xcr0 = 7),
		  CSUM_CPU_AVX2 },
		{ "system saves ZMM but not the masks",
		  ID(.leaf1_ecx = OS, .leaf7_ebx = AVX2 | F | BW | BMI2,
		     .xcr0 = 0xc7),
		  CSUM_CPU_AVX2 },
		{ "AVX-512F without BW",
		  ID(.leaf1_ecx = OS, .leaf7_ebx = AVX2 | F | BMI2,
		     .leaf7_ecx = VNNI, .xcr0 = 0xe7),
		  CSUM_CPU_AVX2 },
		{ "VNNI",
		  ID(.leaf1_ecx = OS, .leaf7_ebx = AVX2 | F | BW | BMI2,
		     .leaf7_ecx = VNNI, .xcr0 = 0xe7),
		  zmm | CSUM_CPU_AVX512VNNI },
		{ "AVX-VNNI",
		  ID(.leaf1_ecx = OS, .leaf7_ebx = AVX2, .leaf7_1_eax = AVXVNNI,
		     .xcr0 = 7),
		  CSUM_CPU_AVX2 | CSUM_CPU_AVXVNNI },
		{ "Skylake-SP can, but should not",
		  ID(.leaf1_ecx = OS, .intel = true, .leaf1_eax = SKYLAKE_SP,
		     .leaf7_ebx = AVX2 | F | BW | BMI2, .xcr0 = 0xe7),
		  zmm & ~(uint32_t)CSUM_CPU_ZMM },
		{ "the same numbers, but not Intel",
		  ID(.leaf1_ecx = OS, .leaf1_eax = SKYLAKE_SP,
		     .leaf7_ebx = AVX2 | F | BW | BMI2, .xcr0 = 0xe7),
		  zmm },
		{ "Rocket Lake should",
		  ID(.leaf1_ecx = OS, .intel = true, .leaf1_eax = ROCKET_LAKE,
		     .leaf7_ebx = AVX2 | F | BW | BMI2, .xcr0 = 0xe7),
		  zmm },
		{ "Zen 4 has half units",
		  ID(.leaf1_ecx = OS, .amd = true, .leaf1_eax = ZEN4,
		     .leaf7_ebx = AVX2 | F | BW | BMI2, .leaf7_ecx = VNNI,
		     .xcr0 = 0xe7),
		  (zmm & ~(uint32_t)CSUM_CPU_WHOLE512) | CSUM_CPU_AVX512VNNI },
		{ "Zen 5 has whole ones",
		  ID(.leaf1_ecx = OS, .amd = true, .leaf1_eax = ZEN5,
		     .leaf7_ebx = AVX2 | F | BW | BMI2, .xcr0 = 0xe7),
		  zmm },
		{ "Zen 3",
		  ID(.leaf1_ecx = OS, .leaf1_eax = ZEN3,
		     .leaf7_ebx = AVX2 | ADX | BMI2, .xcr0 = 7),
		  CSUM_CPU_AVX2 | CSUM_CPU_ADX },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		tap_ok(csum_cpu_decode(&t[i].id) == t[i].want, "cpu: %s",
		       t[i].name);
}

static void test_choose(void)
{
	const struct csum_routine *first = csum_routines, *last = first;
	bool ok = true;

	while (last[1].name)
		last++;
	tap_ok(last->needs == 0, "the last routine needs nothing");
	tap_ok(csum_choose(~0u, NULL) == first, "best first, with every bit");
	for (const struct csum_routine *r = csum_routines; r->name; r++) {
		/* not one bit too few */
		ok = ok && (csum_choose(r->needs, r->name) == r);
		ok = ok && (!r->needs || csum_choose(0, r->name) != r);
	}
	tap_ok(ok, "a name is honoured if the machine can, else ignored");
	tap_ok(csum_choose(~0u, "no such routine") == first,
	       "an unknown name is ignored");
	tap_ok(csum_choose(~0u, "") == first, "an empty name is ignored");
	ok = true;
	for (const struct csum_routine *r = csum_routines; r->name; r++)
		for (const struct csum_routine *q = csum_routines; q < r; q++)
			ok = ok && strcmp(r->name, q->name) != 0;
	tap_ok(ok, "no name twice");
}

static void test_info(void)
{
	size_t n = csum_routine_count(), active = 0;
	struct csum_routine_info info = { .name = "untouched" };

	tap_ok(n >= 1 && !csum_routine_get(n, &info) &&
		       strcmp(info.name, "untouched") == 0,
	       "routine_get: false past the end");
	for (size_t i = 0; i < n; i++) {
		active += csum_routine_get(i, &info) && info.active &&
			  info.usable &&
			  strcmp(info.name, csum_routine_active()) == 0;
	}
	tap_ok(active == 1, "exactly one routine is active, and can run");
	tap_ok(strcmp(csum_version(), CSUM_VERSION) == 0,
	       "library and header have one version");
}

/* Runs @child in a process of its own; true if it exits with 0. */
static bool in_child(int (*child)(const void *arg), const void *arg)
{
	int status = 1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0)
		_exit(child(arg));
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static const uint8_t data[] = { 0xff, 0xff, 0x80, 0x01, 0x12, 0x34, 0x56 };

static bool sum_is_right(void)
{
	uint16_t want = csum_be16_from_host(model_csum(data, sizeof(data), 0));

	return csum_to16(csum_partial(data, sizeof(data), 0)) == want;
}

struct pin {
	const char *asked, *got;
};

static int pinned(const void *arg)
{
	const struct pin *pin = arg;

	setenv("CSUM_ROUTINE", pin->asked, 1);
	return !(sum_is_right() &&
		 strcmp(csum_routine_active(), pin->got) == 0);
}

static void test_pin(void)
{
	uint32_t cpu = csum_cpu_features();
	const char *first = csum_choose(cpu, NULL)->name;

	for (const struct csum_routine *r = csum_routines; r->name; r++) {
		bool can = csum_can_run(r, cpu);
		struct pin pin = { r->name, can ? r->name : first };

		tap_ok(in_child(pinned, &pin), "CSUM_ROUTINE=%s runs %s",
		       pin.asked, pin.got);
	}
	tap_ok(in_child(pinned, &(struct pin){ "bogus", first }),
	       "CSUM_ROUTINE=bogus: ignored, right answer");
}

/* --- profiles ---------------------------------------------------------- */

struct profile_case {
	const char *text;
	int want;
	const char *sum, *copy; /* active afterwards; NULL: the default */
	const char *pinned;
};

static const char *active_copy_name(void)
{
	struct csum_routine_info info;

	for (size_t i = 0; csum_routine_get(i, &info); i++)
		if (info.active_copy)
			return info.name;
	return "none";
}

/* In a process of its own, before the first call or after it. */
static int uses_profile(const void *arg)
{
	const struct profile_case *c = arg;
	const char *first = csum_choose(csum_cpu_features(), NULL)->name;
	const char *sum = c->sum ? c->sum : first;
	const char *copy = c->copy ? c->copy : first;
	char path[] = "/tmp/csum-profile-XXXXXX", out[sizeof(data)];
	int fd = mkstemp(path), got;
	size_t len = strlen(c->text);

	if (c->pinned)
		setenv("CSUM_ROUTINE", c->pinned, 1);
	if (fd < 0 || write(fd, c->text, len) != (ssize_t)len)
		return 1;
	close(fd);
	got = csum_use_profile(path);
	unlink(path);
	return !(got == c->want && strcmp(csum_routine_active(), sum) == 0 &&
		 strcmp(active_copy_name(), copy) == 0 && sum_is_right() &&
		 csum_to16(csum_copy(out, data, sizeof(data), 0)) ==
			 csum_to16(csum_partial(data, sizeof(data), 0)));
}

static void test_profile(void)
{
	const struct profile_case t[] = {
		{ "csum-profile 1\nsum portable\n", 0, "portable", NULL, NULL },
		{ "csum-profile 1\n# why\n\n copy portable # not the best\n", 0,
		  NULL, "portable", NULL },
		{ "csum-profile 1\nsum portable\ncopy portable", 0, "portable",
		  "portable", NULL },
		{ "csum-profile 1\n", 0, NULL, NULL, NULL },
		{ "csum-profile 1", 0, NULL, NULL, NULL },
		{ "", EINVAL, NULL, NULL, NULL },
		{ "csum-profile 2\nsum portable\n", EINVAL, NULL, NULL, NULL },
		{ "sum portable\n", EINVAL, NULL, NULL, NULL },
		{ "csum-profile 1\nsum portable\nsum\n", EINVAL, NULL, NULL,
		  NULL },
		{ "csum-profile 1\nsum portable x\n", EINVAL, NULL, NULL,
		  NULL },
		{ "csum-profile 1\nadd portable\n", EINVAL, NULL, NULL, NULL },
		{ "csum-profile 1\nsum portable\ncopy bogus\n", ENOTSUP, NULL,
		  NULL, NULL },
		{ "csum-profile 1\nsum bogus\n", ENOTSUP, NULL, NULL, NULL },
		{ "csum-profile 1\nsum portable\n", 0, NULL, NULL, "first" },
		{ "csum-profile 1\nsum portable\n", 0, "portable", NULL, "no" },
	};
	const char *first = csum_choose(csum_cpu_features(), NULL)->name;

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct profile_case c = t[i];

		if (c.pinned && strcmp(c.pinned, "first") == 0)
			c.pinned = first;
		tap_ok(in_child(uses_profile, &c), "profile %zu", i);
	}
	tap_ok(csum_use_profile("/nowhere/profile") == ENOENT,
	       "profile: no such file");
}

/* Eight threads make the first call at once. */

enum { THREADS = 8 };

static pthread_barrier_t barrier;

static void *first_call(void *arg)
{
	(void)arg;
	pthread_barrier_wait(&barrier);
	return sum_is_right() ? &barrier : NULL;
}

static int race(const void *arg)
{
	pthread_t t[THREADS];
	int bad = 0;

	(void)arg;
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, first_call, NULL) != 0)
			return 1;
	for (int i = 0; i < THREADS; i++) {
		void *ok;

		pthread_join(t[i], &ok);
		bad += !ok;
	}
	return bad;
}

int main(int argc, char **argv)
{
	bool ok = true;

	testing_init(argc, argv);
	unsetenv("CSUM_ROUTINE");
	test_decode();
	test_choose();
	test_pin();
	test_profile();
	for (int i = 0; i < 20; i++)
		ok = in_child(race, NULL) && ok;
	tap_ok(ok, "%d threads race for the first call", THREADS);
	test_info(); /* makes this process's first call: last */
	return tap_done();
}
