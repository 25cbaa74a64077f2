/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trial.c - is a routine from outside right?
 *
 * Registered routines have tests; a trial is for routines that are loaded.
 * Such a routine may read or write where it must not, or never return, so the
 * trial runs in a child process, which notes each call in memory that both
 * processes see before it makes the call.  Pages that cannot be touched are on
 * both sides of the source, which cannot be written, and behind the
 * destination; bytes that a routine cannot guess are around the destination.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, sigaction() */
#include "trial.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "model.h"
#include "timer.h"

enum {
	SHORT = 300, /* every length up to here, at each alignment */
	ALIGNMENTS = 16,
	LONGEST = 8 << 20,
	MARGIN = 64, /* BYTES of canary in front of a copy, at least */
};

/* One call takes milliseconds at most. */
static const uint64_t patience_ns = UINT64_C(5) * 1000 * 1000 * 1000;

/*
 * Around the lengths at which 16-bit lengths end, and at which 32-bit sums of
 * 16-bit words wrap, in one lane and in several.
 */
static const size_t long_lengths[] = {
	576,	 1500,	  4096,
	9000,	 65535,	  65536,
	65537,	 65538,	  65558,
	131070,	 131072,  131078,
	131086,	 262150,  524302,
	524304,	 1 << 20, 1048593,
	2097187, 4194371, LONGEST - 2 * MARGIN,
};

enum { NLONG = sizeof(long_lengths) / sizeof(long_lengths[0]) };

/* Memory of both processes. */
struct notes {
	struct lab_wrong wrong; /* of the next call, or of the last */
	atomic_ulong calls;	/* begun and ended so far */
	bool right;		/* all of them */
};

/* LONGEST bytes between pages that cannot be touched. */
struct guarded {
	uint8_t *map;
	uint8_t *start, *end;
};

struct trial {
	const struct lab_subject *subject;
	struct guarded src, dst;
	struct notes *notes;
};

/* The trial of this process, for the handler of its signals. */
static struct trial *in_child;

static void fill(uint8_t *p, size_t len, int data)
{
	uint32_t x = 1;

	memset(p, data == 1 ? 0xff : 0, len);
	for (size_t i = 0; data == 2 && i < len; i++) {
		/* a linear congruence will do */
		x = x * 1664525 + 1013904223;
		p[i] = (uint8_t)(x >> 24);
	}
}

/* Notes each fault before it can happen; the last note stands. */
static bool call_is_right(struct trial *t, const uint8_t *p, size_t len,
			  csum_wsum start)
{
	const struct lab_subject *s = t->subject;
	struct lab_wrong *w = &t->notes->wrong;
	uint8_t *d = t->dst.end - len - (len & 7);
	struct lab_call call = { .src = p,
				 .dst = d,
				 .len = len,
				 .before = d - MARGIN,
				 .behind = t->dst.end,
				 .canary = (uint8_t)t->notes->calls };

	w->fault = LAB_CRASHES;
	w->size = len;
	w->offset = (uintptr_t)p % LAB_PAGE;
	w->want = model_csum(p, len, ntohs(csum_to16(start)));
	if (s->op == LAB_COPY)
		lab_canary(d - MARGIN, call.behind, call.canary);
	t->notes->calls++;
	call.sum = s->op == LAB_SUM ? s->sum(p, len, start)
				    : s->copy(d, p, len, start);
	t->notes->calls++;
	w->fault = lab_fault_of(s, &call, w);
	return w->fault == LAB_NO_FAULT;
}

static bool place_is_right(struct trial *t, const uint8_t *p, size_t len)
{
	if (t->subject->max && len > t->subject->max)
		return true;
	return call_is_right(t, p, len, 0) &&
	       call_is_right(t, p, len, 0x8001fedc);
}

/* Up to the end at @alignments, and once from the very start. */
static bool length_is_right(struct trial *t, size_t len, size_t alignments)
{
	for (size_t a = 0; a < alignments; a++)
		if (!place_is_right(t, t->src.end - len - a, len))
			return false;
	return place_is_right(t, t->src.start, len);
}

static bool all_right(struct trial *t)
{
	static const char *const names[] = { "all bytes 00", "all bytes ff",
					     "random bytes" };

	for (int data = 0; data < 3; data++) {
		t->notes->wrong.data = names[data];
		mprotect(t->src.start, LONGEST, PROT_READ | PROT_WRITE);
		fill(t->src.start, LONGEST, data);
		mprotect(t->src.start, LONGEST, PROT_READ);
		for (size_t len = 0; len <= SHORT; len++)
			if (!length_is_right(t, len, ALIGNMENTS))
				return false;
		for (size_t i = 0; i < NLONG; i++)
			if (!length_is_right(t, long_lengths[i], 2))
				return false;
	}
	return true;
}

/* ------------------------------------------------------------------------
 * The child process
 */

/* Within the page in front of the bytes, or behind them. */
static bool in_front(const struct guarded *g, const uint8_t *p)
{
	return p >= g->map && p < g->start;
}

static bool behind(const struct guarded *g, const uint8_t *p)
{
	return p >= g->end && p < g->end + LAB_PAGE;
}

/* Says which bytes the routine has touched that it must not. */
static void segfault(int signal, siginfo_t *info, void *context)
{
	const struct trial *t = in_child;
	const uint8_t *p = info->si_addr;
	enum lab_fault *fault = &t->notes->wrong.fault;

	(void)signal, (void)context;
	if (in_front(&t->src, p))
		*fault = LAB_READS_BEFORE;
	else if (behind(&t->src, p))
		*fault = LAB_READS_BEHIND;
	else if (p >= t->src.start && p < t->src.end)
		*fault = LAB_WRITES_SOURCE;
	else if (in_front(&t->dst, p) || behind(&t->dst, p))
		*fault = LAB_WRITES_BEYOND;
	_exit(0);
}

static void run_child(struct trial *t)
{
	struct sigaction action = { .sa_sigaction = segfault,
				    .sa_flags = SA_SIGINFO };

	in_child = t;
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	t->notes->right = all_right(t);
	_exit(0);
}

/* Waits for the child's end, and kills it if one call does not return. */
static bool wait_for(struct trial *t, pid_t pid)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	unsigned long calls = 0;
	uint64_t since = lab_now();
	pid_t ended;

	while ((ended = waitpid(pid, NULL, WNOHANG)) == 0) {
		nanosleep(&nap, NULL);
		if (calls != t->notes->calls) {
			calls = t->notes->calls;
			since = lab_now();
		} else if (lab_now() - since > patience_ns) {
			kill(pid, SIGKILL);
			t->notes->wrong.fault = LAB_HANGS;
			return waitpid(pid, NULL, 0) == pid;
		}
	}
	return ended == pid;
}

/* In a child process; returns false if there is none. */
static bool try_in_child(struct trial *t)
{
	pid_t pid = fork();

	if (pid == 0)
		run_child(t);
	return pid > 0 && wait_for(t, pid);
}

/* ------------------------------------------------------------------------
 * The trial
 */

static void *map(size_t len, int protection)
{
	void *p =
		mmap(NULL, len, protection, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static bool get_guarded(struct guarded *g)
{
	g->map = map(LONGEST + 2 * LAB_PAGE, PROT_NONE);
	if (!g->map)
		return false;
	g->start = g->map + LAB_PAGE;
	g->end = g->start + LONGEST;
	return mprotect(g->start, LONGEST, PROT_READ | PROT_WRITE) == 0;
}

static void free_guarded(struct guarded *g)
{
	if (g->map)
		munmap(g->map, LONGEST + 2 * LAB_PAGE);
}

bool lab_trial(const struct lab_subject *s, struct lab_wrong *wrong)
{
	struct trial t = { .subject = s,
			   .notes = map(LAB_PAGE, PROT_READ | PROT_WRITE) };
	bool right = false;

	*wrong = (struct lab_wrong){ .subject = s, .fault = LAB_NO_TRIAL };
	if (t.notes && get_guarded(&t.src) && get_guarded(&t.dst)) {
		t.notes->wrong = *wrong;
		if (try_in_child(&t)) {
			*wrong = t.notes->wrong;
			right = t.notes->right;
		}
	}
	free_guarded(&t.dst);
	free_guarded(&t.src);
	if (t.notes)
		munmap(t.notes, LAB_PAGE);
	return right;
}
