/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trial.c - is a routine from outside right?
 *
 * Registered routines have tests; a trial is for routines that are loaded.
 * Such a routine may read or write where it must not, so the trial runs in a
 * child process, which notes each call in memory that both processes see before
 * it makes the call.  Over-reads are found by an unreadable page right behind
 * the source, writes by guard bytes around the destination.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "trial.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model.h"

enum {
	SHORT = 300, /* every length up to here, at each alignment */
	ALIGNMENTS = 16,
	LONGEST = 8 << 20,
	MARGIN = 64, /* BYTES of LAB_CANARY on both sides of a copy */
};

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
	2097187, 4194371, LONGEST - ALIGNMENTS,
};

enum { NLONG = sizeof(long_lengths) / sizeof(long_lengths[0]) };

struct trial {
	const struct lab_subject *subject;
	uint8_t *end; /* of LONGEST bytes to read, before unreadable ones */
	uint8_t *dst; /* LONGEST bytes to write */
	/* in memory of both processes: the next call, and the outcome of all */
	struct {
		struct lab_wrong wrong;
		bool right;
	} * shared;
};

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
	struct lab_wrong *w = &t->shared->wrong;
	uint8_t *d = t->dst + MARGIN + (len & 7);
	struct lab_call call = { .src = p,
				 .dst = d,
				 .len = len,
				 .before = d - MARGIN,
				 .behind = d + len + MARGIN };

	w->fault = LAB_CRASHES;
	w->size = len;
	w->offset = (uintptr_t)p % LAB_PAGE;
	w->want = model_csum(p, len, ntohs(csum_to16(start)));
	if (s->op == LAB_SUM) {
		call.sum = s->sum(p, len, start);
	} else {
		memset(d - MARGIN, LAB_CANARY, len + 2 * MARGIN);
		call.sum = s->copy(d, p, len, start);
	}
	w->fault = lab_fault_of(s, &call, w);
	return w->fault == LAB_NO_FAULT;
}

static bool place_is_right(struct trial *t, size_t len, size_t align)
{
	const uint8_t *p = t->end - len - align;

	if (t->subject->max && len > t->subject->max)
		return true;
	return call_is_right(t, p, len, 0) &&
	       call_is_right(t, p, len, 0x8001fedc);
}

static bool all_right(struct trial *t)
{
	static const char *const names[] = { "all bytes 00", "all bytes ff",
					     "random bytes" };

	for (int data = 0; data < 3; data++) {
		t->shared->wrong.data = names[data];
		fill(t->end - LONGEST, LONGEST, data);
		for (size_t len = 0; len <= SHORT; len++)
			for (size_t a = 0; a < ALIGNMENTS; a++)
				if (!place_is_right(t, len, a))
					return false;
		for (size_t i = 0; i < NLONG; i++)
			for (size_t a = 0; a < 2; a++)
				if (!place_is_right(t, long_lengths[i], a))
					return false;
	}
	return true;
}

static void *map(size_t len)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* In a child process; returns false if there is none. */
static bool try_in_child(struct trial *t)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		t->shared->right = all_right(t);
		_exit(0);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid;
}

bool lab_trial(const struct lab_subject *s, struct lab_wrong *wrong)
{
	const size_t src_len = LONGEST + LAB_PAGE, dst_len = LONGEST + LAB_PAGE;
	uint8_t *src = map(src_len), *dst = map(dst_len);
	struct trial t = { .subject = s, .dst = dst, .shared = map(LAB_PAGE) };
	bool right = false;

	*wrong = (struct lab_wrong){ .subject = s, .fault = LAB_NO_TRIAL };
	if (src && dst && t.shared) {
		t.end = src + LONGEST;
		t.shared->wrong = *wrong;
		if (mprotect(t.end, LAB_PAGE, PROT_NONE) == 0 &&
		    try_in_child(&t)) {
			*wrong = t.shared->wrong;
			right = t.shared->right;
		}
	}
	if (src)
		munmap(src, src_len);
	if (dst)
		munmap(dst, dst_len);
	if (t.shared)
		munmap(t.shared, LAB_PAGE);
	return right;
}
