/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_routines.c - every routine against the model: the library's, and those
 * kept for study, once for each way to prefetch.
 *
 * Each dimension is there because some fault passes without it: every length
 * (tails), every alignment (wrong only at odd addresses), both guard pages
 * (over-reads that give the right answer), hostile data (a lost carry, 0xffff
 * turned into 0), and lengths at which 16- and 32-bit accumulators wrap.
 *
 * CSUM_TEST_REQUIRE=a,b: these routines must run here.
 */
#define _GNU_SOURCE /* memfd_create */
#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "csum.h"
#include "model.h"
#include "routines/study.h"
#include "testing.h"

/* Routines of 64-byte vectors do otherwise beyond 1024; and two vectors more.
 */
enum { SHORT_MAX = 1160, ALIGNMENTS = 64 };

/* --- hostile data ------------------------------------------------------ */

static void fill_ones(uint8_t *p, size_t len)
{
	memset(p, 0xff, len);
}

/*
 * Zeros, but for one 64-bit word of ones and a 1 in some other word: exactly
 * one carry, at a different place for each buffer.
 */
static void fill_one_carry(uint8_t *p, size_t len)
{
	memset(p, 0, len);
	memset(p, 0xff, len < 8 ? len : 8);
	if (len > 8)
		p[8 + testing_random() % (len - 8)] = 1;
}

/* 251 is the largest prime below 256: no block size is in step with it. */
static void fill_period(uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		p[i] = (uint8_t)(i % 251);
}

/* Words that sum to -0 although they are not all ones. */
static void fill_pairs(uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		p[i] = (i & 2) ? (uint8_t)~p[i - 2] : (uint8_t)(i * 37 + 1);
}

/*
 * For routines that round the top words of 64-bit words up or down, and correct
 * for it: here every rounding goes the same way, as far as it can.  The number
 * of ones in an index differs by one between neighbours, between pairs of them,
 * between fours: averages of averages are rounded up at every level.
 */
static void fill_round_up(uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		p[i] = i % 8 == 6 ? (uint8_t)__builtin_popcountll(i / 16) : 0;
}

/* All below the top word is lost, and it is as much as it can be. */
static void fill_round_down(uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		p[i] = i % 8 < 6 ? 0xff : 0;
}

static void fill_zero(uint8_t *p, size_t len)
{
	memset(p, 0, len);
}

static const struct {
	const char *name;
	void (*fill)(uint8_t *p, size_t len);
} data[] = {
	{ "all ones", fill_ones },	{ "one carry", fill_one_carry },
	{ "period 251", fill_period },	{ "random", testing_random_fill },
	{ "sums to -0", fill_pairs },	{ "zeros", fill_zero },
	{ "rounds up", fill_round_up }, { "rounds down", fill_round_down },
};

enum { NDATA = sizeof(data) / sizeof(data[0]) };

/* --- what is tested ---------------------------------------------------- */

enum { MOST_SUBJECTS = 512 };

/* A routine, or one of the ways in which it may prefetch. */
struct subject {
	char name[48];
	csum_sum_fn sum; /* or NULL */
	csum_copy_fn copy;
	/* to every so many alignments; odd, so that odd ones are among them */
	size_t align_step;
	bool failed;
};

static struct subject subjects[MOST_SUBJECTS];
static size_t nsubjects;

/* Variants share a body: what differs is not the arithmetic. */
enum { EVERY = 1, STUDY_STEP = 7, VARIANT_STEP = 21 };

static struct subject *add_subject(const struct csum_routine *r,
				   size_t align_step)
{
	struct subject *s = &subjects[nsubjects++];

	if (nsubjects > MOST_SUBJECTS)
		abort();
	snprintf(s->name, sizeof(s->name), "%s", r->name);
	s->sum = r->sum;
	s->copy = r->copy;
	s->align_step = align_step;
	return s;
}

static void add_variants(const struct lab_study *study)
{
	static const char *const policies[] = { "none", "ahead", "bounded",
						"lead", "above" };
	static const char *const hints[] = { "", " nta" };

	for (int p = LAB_PREFETCH_AHEAD; p < LAB_POLICIES; p++)
		for (int h = 0; h < LAB_HINTS; h++) {
			struct subject *s;

			if (!study->sums && !study->copies)
				continue;
			s = add_subject(&study->routine, VARIANT_STEP);
			if (study->sums)
				s->sum = study->sums[p][h];
			if (study->copies)
				s->copy = study->copies[p][h];
			snprintf(s->name + strlen(s->name), 16, " %s%s",
				 policies[p], hints[h]);
		}
}

/* A crash is the failure of whoever was called last. */
static struct subject *called;

/*
 * Runs @step until it returns, however often it crashes: it has to go on where
 * it was, without those that failed.
 */
static void run_to_the_end(void (*step)(void *run), void *run)
{
	while (!testing_survives(step, run)) {
		tap_note("%s: crash", called->name);
		called->failed = true;
	}
}

/* Whether each routine got through the last test; all start afresh. */
static void report(const char *what, bool copies)
{
	for (size_t i = 0; i < nsubjects; i++) {
		struct subject *s = &subjects[i];

		if (copies ? !s->copy : !s->sum)
			continue;
		tap_ok(!s->failed, "%s: %s", s->name, what);
		s->failed = false;
	}
}

/* --- one check --------------------------------------------------------- */

/*
 * The routine's answer as a big-endian reading.  Half the time it is given a
 * sum to add to, which must not matter for the rest.
 */
static uint16_t answer(const struct subject *s, const uint8_t *p, size_t len)
{
	csum_wsum start = (csum_wsum)testing_random(), sum;
	uint16_t folded;

	if (start & 1)
		sum = s->sum(p, len, 0);
	else
		sum = csum_uncombine(s->sum(p, len, start), start, 0);
	/* taking away leaves -0 where nothing was added */
	folded = csum_to16(sum);
	if (!(start & 1) && folded == 0xffff)
		folded = csum_to16(s->sum(p, len, 0));
	return host(folded);
}

static bool agrees(struct subject *s, const char *name, const uint8_t *p,
		   size_t len, uint16_t want)
{
	uint16_t got;

	called = s;
	got = answer(s, p, len);
	if (got != want)
		tap_note("%s: %s, length %zu, address mod 64 %zu: "
			 "want %#06x, got %#06x",
			 s->name, name, len, (size_t)((uintptr_t)p & 63), want,
			 got);
	return got == want;
}

/* Those whose turn it is and have not failed yet, on the same bytes. */
static void check_all(const char *name, const uint8_t *p, size_t len,
		      size_t align)
{
	uint16_t want = model_csum(p, len, 0);

	for (size_t i = 0; i < nsubjects; i++) {
		struct subject *s = &subjects[i];

		if (s->sum && !s->failed && align % s->align_step == 0)
			s->failed = !agrees(s, name, p, len, want);
	}
}

/* --- every length, alignment and guard page ---------------------------- */

struct short_run {
	int data;
	size_t len, align;
};

static void short_lengths(void *arg)
{
	static uint8_t *start, *end;
	struct short_run *run = arg;

	if (!start)
		start = testing_guarded(SHORT_MAX + ALIGNMENTS, &end);
	for (; run->len <= SHORT_MAX;
	     run->len = testing_next_length(run->len), run->align = 0)
		for (; run->align < ALIGNMENTS; run->align++) {
			/* alignment 0 touches a guard page, on either side */
			uint8_t *at[2] = { start + run->align,
					   end - run->align - run->len };

			for (int i = 0; i < 2; i++) {
				data[run->data].fill(at[i], run->len);
				check_all(data[run->data].name, at[i], run->len,
					  run->align);
			}
		}
}

static void test_short(void)
{
	for (int d = 0; d < NDATA; d++) {
		struct short_run run = { .data = d };

		run_to_the_end(short_lengths, &run);
	}
	report("short lengths at every alignment", false);
}

/* --- lengths at which accumulators wrap -------------------------------- */

/*
 * 16-bit words of ones wrap a 32-bit accumulator after 65537 of them; with n
 * lanes that is n times as many bytes.  65536 is where a 16-bit length ends.
 */
static const size_t long_lengths[] = {
	4095,		4096,
	4097,		8192 + 31,
	65535,		65536,
	65537,		65538,
	65558,		131070,
	131072,		131074,
	131078,		131086,
	262144 + 6,	262144 + 9,
	524302,		1 << 20,
	(1 << 20) + 17, (2 << 20) + 35,
	(4 << 20) + 67, (8 << 20) + 131,
	(16 << 20) + 3,
};

enum { NLONG = sizeof(long_lengths) / sizeof(long_lengths[0]) };

static int long_count(void)
{
	return testing_quick() ? NLONG - 1 : NLONG;
}

/* Below this at every alignment too: long routines align what they read. */
enum { MIDDLE = 16384 };

struct long_run {
	uint8_t *start;
	int data, length;
};

static void long_sums(void *arg)
{
	struct long_run *run = arg;

	for (; run->length < long_count(); run->length++) {
		size_t len = long_lengths[run->length];
		size_t most = len < MIDDLE ? ALIGNMENTS : 2;

		for (size_t at = 0; at < most; at++)
			check_all(data[run->data].name, run->start + at, len,
				  at < 2 ? 0 : at);
	}
}

static void test_long(void)
{
	size_t max = long_lengths[long_count() - 1];
	uint8_t *end, *start = testing_guarded(max + 1, &end);

	for (int d = 0; d < NDATA; d++) {
		struct long_run run = { .start = start, .data = d };

		data[d].fill(start, max + 1);
		run_to_the_end(long_sums, &run);
	}
	report("long lengths", false);
	munmap(start, (size_t)(end - start));
}

/* --- copies ------------------------------------------------------------ */

enum { COPY_MAX = SHORT_MAX, CANARY = 0xa5 };

/* Source and destination, each at either end of its guarded memory. */
struct places {
	uint8_t *src, *dst;   /* where to copy */
	uint8_t *start, *end; /* all memory around dst */
};

/* The first byte is right, and each is like the one before. */
static bool untouched(const uint8_t *p, const uint8_t *end)
{
	return p == end ||
	       (*p == CANARY && memcmp(p, p + 1, (size_t)(end - p) - 1) == 0);
}

static bool copies(struct subject *s, const struct places *at, size_t len,
		   uint16_t want)
{
	csum_wsum start = (csum_wsum)testing_random() | 1;
	csum_wsum first, second, alone;
	bool ok;

	called = s;
	memset(at->start, CANARY, (size_t)(at->end - at->start));
	first = s->copy(at->dst, at->src, len, start);
	second = s->copy(at->dst, at->src, len, start);
	alone = s->copy(at->dst, at->src, len, 0);
	ok = first == second && csum_to16(alone) == want &&
	     csum_to16(first) == csum_to16(csum_add(want, start));
	ok = ok && (len == 0 || memcmp(at->dst, at->src, len) == 0);
	/* what is promised of csum_copy(): the value of csum_partial() */
	if (s->align_step == EVERY && len <= COPY_MAX)
		ok = ok && alone == s->sum(at->src, len, 0);
	ok = ok && untouched(at->start, at->dst) &&
	     untouched(at->dst + len, at->end);
	if (!ok)
		tap_note("%s: copy of %zu bytes, addresses mod 64 %zu to %zu",
			 s->name, len, (size_t)((uintptr_t)at->src & 63),
			 (size_t)((uintptr_t)at->dst & 63));
	return ok;
}

static void copy_all(const struct places *at, size_t len, size_t align)
{
	uint16_t want = csum_be16_from_host(model_csum(at->src, len, 0));

	for (size_t i = 0; i < nsubjects; i++) {
		struct subject *s = &subjects[i];

		if (s->copy && !s->failed && align % s->align_step == 0)
			s->failed = !copies(s, at, len, want);
	}
}

struct copy_run {
	size_t len, align;
};

static void short_copies(void *arg)
{
	static uint8_t *src, *src_end, *dst, *dst_end;
	struct copy_run *run = arg;

	if (!src) {
		src = testing_guarded(COPY_MAX + ALIGNMENTS, &src_end);
		dst = testing_guarded(COPY_MAX + ALIGNMENTS, &dst_end);
	}
	for (; run->len <= COPY_MAX;
	     run->len = testing_next_length(run->len), run->align = 0)
		for (; run->align < ALIGNMENTS; run->align++) {
			/* they differ, in all ways over the lengths */
			size_t a = run->align;
			size_t b = (a * 5 + run->len) % ALIGNMENTS;
			struct places at = { src + a, dst + b, dst, dst_end };

			testing_random_fill(src, COPY_MAX + ALIGNMENTS);
			if (a % 4 == 1)
				memset(src, 0xff, COPY_MAX + ALIGNMENTS);
			copy_all(&at, run->len, a);
			/* the end of each touches its guard page */
			memcpy(src_end - run->len, src, run->len);
			at.src = src_end - run->len;
			at.dst = dst_end - run->len - (b & 1) * a;
			copy_all(&at, run->len, a);
		}
}

static void test_short_copies(void)
{
	struct copy_run run = { 0 };

	run_to_the_end(short_copies, &run);
	report("short copies, and nothing else", true);
}

struct long_copy_run {
	uint8_t *src, *dst, *dst_end;
	size_t max;
	int length;
};

static void long_copies(void *arg)
{
	struct long_copy_run *run = arg;

	for (; long_lengths[run->length] < run->max; run->length++) {
		size_t len = long_lengths[run->length];
		bool middle = len < MIDDLE;

		for (size_t a = 0; a < (middle ? ALIGNMENTS : 1); a++) {
			size_t b = middle ? a : testing_random() % ALIGNMENTS;
			struct places at = {
				.src = run->src + testing_random() % ALIGNMENTS,
				.dst = run->dst + b,
				.start = run->dst,
				.end = middle ? run->dst + 2 * (size_t)MIDDLE
					      : run->dst_end,
			};

			copy_all(&at, len, a);
		}
	}
}

static void test_long_copies(void)
{
	const size_t max = ((size_t)5 << 20) + 77;
	uint8_t *src_end, *dst_end;
	struct long_copy_run run = {
		.src = testing_guarded(max + 128, &src_end),
		.dst = testing_guarded(max + 128, &dst_end),
		.max = max,
	};

	run.dst_end = dst_end;
	testing_random_fill(run.src, max + 128);
	memset(run.src + 4096, 0xff, (size_t)1 << 20);
	run_to_the_end(long_copies, &run);
	report("copies to 5 MiB", true);
	munmap(run.src, (size_t)(src_end - run.src));
	munmap(run.dst, (size_t)(dst_end - run.dst));
}

/* --- above 4 GiB ------------------------------------------------------- */

/*
 * The same block of memory mapped again and again, behind each other: a length
 * that does not fit in 32 bits, at the cost of one block.
 */
static void test_huge(void)
{
	const size_t block = (size_t)2 << 20, blocks = 2049;
	const size_t len = blocks * block - 1;
	int fd = memfd_create("csum", 0);
	uint8_t *p = mmap(NULL, blocks * block, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (fd < 0 || ftruncate(fd, (off_t)block) != 0 || p == MAP_FAILED) {
		tap_skip("above 4 GiB: no address space for it");
		return;
	}
	for (size_t i = 0; i < blocks; i++)
		if (mmap(p + i * block, block, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
			tap_skip("above 4 GiB: cannot map it");
			return;
		}
	/* ones wrap soonest; the last words keep the sum from being -0 */
	memset(p, 0xff, block);
	p[block - 8] = 0x12;
	p[1] = 0xfe;
	check_all("ones", p, len, 1);
	for (size_t i = 0; i < nsubjects; i++)
		if (subjects[i].sum && subjects[i].align_step == EVERY)
			tap_ok(!subjects[i].failed, "%s: %zu bytes",
			       subjects[i].name, len);
	munmap(p, blocks * block);
	close(fd);
}

/* --- who runs ---------------------------------------------------------- */

static bool required(const char *name)
{
	const char *list = getenv("CSUM_TEST_REQUIRE");
	size_t n = strlen(name);

	for (; list && *list; list += strcspn(list, ","), list += *list == ',')
		if (strncmp(list, name, n) == 0 &&
		    (list[n] == ',' || list[n] == '\0'))
			return true;
	return false;
}

/* Every name in CSUM_TEST_REQUIRE must be in a registry. */
static void test_required_exist(void)
{
	const char *env = getenv("CSUM_TEST_REQUIRE");
	char *list = strdup(env ? env : ""), *name;

	for (name = strtok(list, ","); name; name = strtok(NULL, ",")) {
		struct lab_entry e;
		bool exists = false;

		for (size_t i = 0; lab_entry_at(i, &e); i++)
			exists = exists || strcmp(e.routine->name, name) == 0;
		tap_ok(exists, "required routine %s exists", name);
	}
	free(list);
}

/* All that can run here. */
static void find_subjects(void)
{
	struct lab_entry e;

	for (size_t i = 0; lab_entry_at(i, &e); i++) {
		const struct csum_routine *r = e.routine;

		if (csum_can_run(r, csum_cpu_features())) {
			add_subject(r, e.study ? STUDY_STEP : EVERY);
			if (e.study)
				add_variants(e.study);
		} else if (required(r->name)) {
			tap_ok(false, "%s: required, cannot run here", r->name);
		} else {
			tap_skip("%s: this machine has no %s", r->name, r->isa);
		}
	}
	tap_ok(nsubjects > 0, "%zu routines run here", nsubjects);
}

/* One name is one routine: in one list, once. */
static void test_names(void)
{
	struct lab_entry a, b;
	bool unique = true;

	for (size_t i = 0; lab_entry_at(i, &a); i++)
		for (size_t j = 0; j < i && lab_entry_at(j, &b); j++)
			unique = unique &&
				 strcmp(a.routine->name, b.routine->name) != 0;
	tap_ok(unique, "no name is listed twice");
}

/* Where the linker puts other code must not decide how fast a routine is. */
static void test_placement(void)
{
	for (const struct csum_routine *r = csum_routines; r->name; r++)
		tap_ok(((uintptr_t)r->sum | (uintptr_t)r->copy) % 64 == 0,
		       "%s: both functions start a cache line", r->name);
}

/* --- what a routine leaves in the vector registers --------------------- */

#if defined(__x86_64__)

/* The components of the state that hold upper halves of vectors in use. */
static uint32_t upper_halves(void)
{
	enum { YMM = 1 << 2, ZMM = 1 << 6 };
	uint32_t eax, edx;

	__asm__ volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(1));
	return eax & (YMM | ZMM);
}

static void vzeroupper(void)
{
	__asm__ volatile("vzeroupper" ::: "memory");
}

/* False where the processor cannot be asked, or does not tell the truth. */
static bool can_ask(void)
{
	enum { OSXSAVE = 1 << 27, AVX = 1 << 28, XGETBV_1 = 1 << 2 };
	unsigned a, b, c, d;
	uint32_t used, clean;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & OSXSAVE) || !(c & AVX) ||
	    !__get_cpuid_count(13, 1, &a, &b, &c, &d) || !(a & XGETBV_1))
		return false;
	__asm__ volatile("vxorps %%xmm0, %%xmm0, %%xmm0\n\t"
			 "vcmpps $15, %%ymm0, %%ymm0, %%ymm0"
			 :
			 :
			 : "xmm0");
	used = upper_halves();
	vzeroupper();
	clean = upper_halves();
	return used && !clean;
}

/* gcc cleans registers at the end of a function from -O2 on. */
__attribute__((target("avx"), noinline)) static void use_upper_half(float *p)
{
	typedef float vector __attribute__((vector_size(32), aligned(4)));

	*(vector *)p += *(const vector *)(p + 8);
}

static bool compiler_cleans(void)
{
	float numbers[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8 };

	use_upper_half(numbers);
	/* as if they were read, or there would be no call */
	__asm__ volatile("" : : "r"(numbers) : "memory");
	return !upper_halves();
}

static bool leaves_clean(const struct subject *s, uint8_t *dst,
			 const uint8_t *src, size_t len)
{
	volatile csum_wsum sum = 0;

	if (s->sum)
		sum = s->sum(src, len, sum);
	if (upper_halves())
		return false;
	if (s->copy)
		sum = s->copy(dst, src, len, sum);
	return !upper_halves();
}

/*
 * Upper halves that are left in use make the SSE instructions of any caller
 * slow, which no benchmark of a routine alone shows.
 */
static void test_upper_halves(void)
{
	enum { MOST = 16384, STEP = 13 };
	static uint8_t src[MOST], dst[MOST];

	if (!can_ask() || !compiler_cleans()) {
		tap_skip("upper halves of vectors: not told, or not cleaned by "
			 "the compiler");
		return;
	}
	for (size_t i = 0; i < nsubjects; i++) {
		size_t len = 0;

		vzeroupper();
		while (len < MOST && leaves_clean(&subjects[i], dst, src, len))
			len += len < 512 ? 1 : STEP;
		tap_ok(len >= MOST,
		       "%s: no upper half of a vector is left in "
		       "use",
		       subjects[i].name);
		if (len < MOST)
			tap_note("at %zu bytes", len);
	}
}
#else
static void test_upper_halves(void)
{
}
#endif

int main(int argc, char **argv)
{
	testing_init(argc, argv);
	test_required_exist();
	test_names();
	test_placement();
	/* shorter than most lengths, so that every policy does something */
	lab_distance = (struct lab_distance){ .lines = 3, .above = 256 };
	find_subjects();
	test_upper_halves();
	test_short();
	test_long();
	test_short_copies();
	test_long_copies();
	if (testing_slow())
		test_huge();
	return tap_done();
}
