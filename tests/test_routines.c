/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_routines.c - every routine against the model.
 *
 * Each dimension is there because some fault passes without it: every length
 * (tails), every alignment (wrong only at odd addresses), both guard pages
 * (over-reads that give the right answer), hostile data (a lost carry, 0xffff
 * turned into 0), and lengths at which 16- and 32-bit accumulators wrap.
 *
 * CSUM_TEST_REQUIRE=a,b: these routines must run here.
 */
#define _GNU_SOURCE /* memfd_create */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "csum.h"
#include "model.h"
#include "routines/routine.h"
#include "testing.h"

enum { SHORT_MAX = 1024, ALIGNMENTS = 64 };

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

/* --- one check --------------------------------------------------------- */

/*
 * The routine's answer as a big-endian reading.  Half the time it is given a
 * sum to add to, which must not matter for the rest.
 */
static uint16_t answer(const struct csum_routine *r, const uint8_t *p,
		       size_t len)
{
	csum_wsum start = (csum_wsum)testing_random(), sum;
	uint8_t word[2];
	uint16_t folded;

	if (start & 1)
		sum = r->sum(p, len, 0);
	else
		sum = csum_uncombine(r->sum(p, len, start), start, 0);
	/* taking away leaves -0 where nothing was added */
	folded = csum_to16(sum);
	if (!(start & 1) && folded == 0xffff)
		folded = csum_to16(r->sum(p, len, 0));
	memcpy(word, &folded, 2);
	return (uint16_t)(word[0] << 8 | word[1]);
}

static bool agrees(const struct csum_routine *r, const char *name,
		   const uint8_t *p, size_t len, uint16_t want)
{
	uint16_t got = answer(r, p, len);

	if (got != want)
		tap_note("%s: %s, length %zu, address mod 64 %zu: "
			 "want %#06x, got %#06x",
			 r->name, name, len, (size_t)((uintptr_t)p & 63), want,
			 got);
	return got == want;
}

/* --- every length, alignment and guard page ---------------------------- */

struct short_run {
	const struct csum_routine *r;
	const char *name;
	void (*fill)(uint8_t *p, size_t len);
	size_t len, align; /* where it is, should it crash */
	bool ok;
};

static void short_lengths(void *arg)
{
	static uint8_t *start, *end;
	struct short_run *run = arg;

	if (!start)
		start = testing_guarded(SHORT_MAX + ALIGNMENTS, &end);
	for (run->len = 0; run->len <= SHORT_MAX && run->ok;
	     run->len = testing_next_length(run->len)) {
		for (run->align = 0; run->align < ALIGNMENTS && run->ok;
		     run->align++) {
			/* alignment 0 touches a guard page, on either side */
			uint8_t *at[2] = { start + run->align,
					   end - run->align - run->len };

			for (int i = 0; i < 2 && run->ok; i++) {
				run->fill(at[i], run->len);
				run->ok = agrees(
					run->r, run->name, at[i], run->len,
					model_csum(at[i], run->len, 0));
			}
		}
	}
}

static void test_short(const struct csum_routine *r)
{
	for (int d = 0; d < NDATA; d++) {
		struct short_run run = {
			.r = r,
			.name = data[d].name,
			.fill = data[d].fill,
			.ok = true,
		};

		if (!testing_survives(short_lengths, &run)) {
			tap_note("%s: crash at length %zu, alignment %zu",
				 r->name, run.len, run.align);
			run.ok = false;
		}
		tap_ok(run.ok, "%s: lengths 0 to %d, alignments 0 to %d, %s",
		       r->name, SHORT_MAX, ALIGNMENTS - 1, data[d].name);
	}
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

static void test_long(const struct csum_routine *r)
{
	const int n = testing_quick() ? NLONG - 2 : NLONG;
	size_t max = long_lengths[n - 1];
	uint8_t *end, *start = testing_guarded(max + 1, &end);

	for (int d = 0; d < NDATA; d++) {
		bool ok = true;

		data[d].fill(start, max + 1);
		for (int i = 0; i < n && ok; i++)
			for (size_t odd = 0; odd < 2 && ok; odd++)
				ok = agrees(r, data[d].name, start + odd,
					    long_lengths[i],
					    model_csum(start + odd,
						       long_lengths[i], 0));
		tap_ok(ok, "%s: lengths to %zu, %s", r->name, max,
		       data[d].name);
	}
	munmap(start, (size_t)(end - start));
}

/* --- copies ------------------------------------------------------------ */

enum { COPY_MAX = 700, CANARY = 0xa5 };

struct copy_run {
	const struct csum_routine *r;
	size_t len, align;
	bool ok;
};

/* Source and destination, each at either end of its guarded memory. */
struct places {
	uint8_t *src, *dst;   /* where to copy */
	uint8_t *start, *end; /* all memory around dst */
};

static bool copies(const struct csum_routine *r, const struct places *at,
		   size_t len)
{
	csum_wsum start = (csum_wsum)testing_random() | 1, first, second;
	bool ok;

	memset(at->start, CANARY, (size_t)(at->end - at->start));
	first = r->copy(at->dst, at->src, len, start);
	second = r->copy(at->dst, at->src, len, start);
	ok = first == second &&
	     csum_to16(r->copy(at->dst, at->src, len, 0)) ==
		     csum_be16_from_host(model_csum(at->src, len, 0)) &&
	     csum_to16(first) ==
		     csum_to16(csum_add(csum_partial(at->src, len, 0), start));
	ok = ok && (len == 0 || memcmp(at->dst, at->src, len) == 0);
	for (uint8_t *p = at->start; p < at->dst && ok; p++)
		ok = *p == CANARY;
	for (uint8_t *p = at->dst + len; p < at->end && ok; p++)
		ok = *p == CANARY;
	return ok;
}

static void short_copies(void *arg)
{
	static uint8_t *src, *src_end, *dst, *dst_end;
	struct copy_run *run = arg;

	if (!src) {
		src = testing_guarded(COPY_MAX + ALIGNMENTS, &src_end);
		dst = testing_guarded(COPY_MAX + ALIGNMENTS, &dst_end);
	}
	for (run->len = 0; run->len <= COPY_MAX && run->ok;
	     run->len = testing_next_length(run->len))
		for (run->align = 0; run->align < ALIGNMENTS && run->ok;
		     run->align++) {
			/* alignments that differ, in all ways over the lengths
			 */
			size_t a = run->align;
			size_t b = (a * 5 + run->len) % ALIGNMENTS;
			struct places at = { src + a, dst + b, dst, dst_end };

			testing_random_fill(src, COPY_MAX + ALIGNMENTS);
			if (run->align % 4 == 1)
				memset(src, 0xff, COPY_MAX + ALIGNMENTS);
			run->ok = copies(run->r, &at, run->len);
			/* the end of each touches its guard page */
			memcpy(src_end - run->len, src, run->len);
			at.src = src_end - run->len;
			at.dst = dst_end - run->len - (b & 1) * a;
			run->ok = run->ok && copies(run->r, &at, run->len);
		}
}

static void test_short_copies(const struct csum_routine *r)
{
	struct copy_run run = { .r = r, .ok = true };

	if (!testing_survives(short_copies, &run))
		run.ok = false;
	if (!run.ok)
		tap_note("%s: copy of %zu bytes, alignment %zu", r->name,
			 run.len, run.align);
	tap_ok(run.ok, "%s: copies 0 to %d bytes, and nothing else", r->name,
	       COPY_MAX);
}

static void test_long_copies(const struct csum_routine *r)
{
	const size_t max = ((size_t)5 << 20) + 77;
	uint8_t *src_end, *src = testing_guarded(max + 128, &src_end);
	uint8_t *dst_end, *dst = testing_guarded(max + 128, &dst_end);
	bool ok = true;

	testing_random_fill(src, max + 128);
	memset(src + 4096, 0xff, (size_t)1 << 20);
	for (int i = 0; i < NLONG && ok; i++) {
		size_t len = long_lengths[i] < max ? long_lengths[i] : max;
		struct places at = { src + testing_random() % 64,
				     dst + testing_random() % 64, dst,
				     dst_end };

		ok = copies(r, &at, len);
		if (!ok)
			tap_note("%s: copy of %zu bytes", r->name, len);
	}
	tap_ok(ok, "%s: copies to 5 MiB", r->name);
	munmap(src, (size_t)(src_end - src));
	munmap(dst, (size_t)(dst_end - dst));
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
	uint16_t want;

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
	want = model_csum(p, len, 0);
	for (const struct csum_routine *r = csum_routines; r->name; r++)
		if (csum_can_run(r, csum_cpu_features()))
			tap_ok(agrees(r, "ones", p, len, want), "%s: %zu bytes",
			       r->name, len);
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

/* Every name in CSUM_TEST_REQUIRE must be in the registry. */
static void test_required_exist(void)
{
	const char *env = getenv("CSUM_TEST_REQUIRE");
	char *list = strdup(env ? env : ""), *name;

	for (name = strtok(list, ","); name; name = strtok(NULL, ",")) {
		const struct csum_routine *r = csum_routines;

		while (r->name && strcmp(r->name, name) != 0)
			r++;
		tap_ok(r->name, "required routine %s exists", name);
	}
	free(list);
}

int main(int argc, char **argv)
{
	int ran = 0;

	testing_init(argc, argv);
	test_required_exist();
	for (const struct csum_routine *r = csum_routines; r->name; r++) {
		if (!csum_can_run(r, csum_cpu_features())) {
			if (required(r->name))
				tap_ok(false, "%s: required, cannot run here",
				       r->name);
			else
				tap_skip("%s: this machine has no %s", r->name,
					 r->isa);
			continue;
		}
		test_short(r);
		test_long(r);
		test_short_copies(r);
		test_long_copies(r);
		ran++;
	}
	if (testing_slow())
		test_huge();
	tap_ok(ran > 0, "%d routines ran", ran);
	return tap_done();
}
