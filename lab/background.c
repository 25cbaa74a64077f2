/* SPDX-License-Identifier: BSD-2-Clause */
/* background.c - something else that goes on while the lab measures. */
#define _GNU_SOURCE /* waitid() */
#include "background.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cpus.h"
#include "limit.h"
#include "opaque.h"
#include "pages.h"
#include "timer.h"

/* ------------------------------------------------------------------------
 * A thread
 */

/* Short against what is gone through, long against the counting. */
enum { BLOCK = 64 << 10 };

/* Beyond any cache, and yet not so much that filling it takes long. */
static size_t size_for(size_t cache)
{
	const size_t least = 64 << 20, unknown = 256 << 20, most = 1 << 30;
	const size_t size = cache < most / 4 ? 4 * cache : most;

	if (cache == 0)
		return unknown;
	if (size < least)
		return least;
	return size / (2 * BLOCK) * (2 * BLOCK);
}

/* Tells the thread that waits in start_thread(). */
static void answer(struct lab_background *b, bool ready)
{
	pthread_mutex_lock(&b->lock);
	b->ready = ready;
	b->answer = true;
	pthread_cond_signal(&b->answered);
	pthread_mutex_unlock(&b->lock);
}

static void read_on(struct lab_background *b, const uint8_t *p)
{
	const csum_sum_fn read = lab_read_variant(0);

	for (size_t at = 0;
	     !atomic_load_explicit(&b->stop, memory_order_relaxed);
	     at = (at + BLOCK) % b->size) {
		csum_wsum any = read(p + at, BLOCK, 0);

		LAB_OPAQUE(any);
		atomic_fetch_add_explicit(&b->blocks, 1, memory_order_relaxed);
	}
}

/* From the first half to the second. */
static void copy_on(struct lab_background *b, uint8_t *p)
{
	const size_t half = b->size / 2;

	for (size_t at = 0;
	     !atomic_load_explicit(&b->stop, memory_order_relaxed);
	     at = (at + BLOCK) % half) {
		memcpy(p + half + at, p + at, BLOCK);
		atomic_fetch_add_explicit(&b->blocks, 1, memory_order_relaxed);
	}
}

static void *load_memory(void *arg)
{
	struct lab_background *b = arg;
	struct lab_pages pages;

	if (b->cpu >= 0 && !lab_pin(0, b->cpu, b->why)) {
		answer(b, false);
		return NULL;
	}
	/* first touched here, it is near the CPU that it is read from */
	if (!lab_pages_alloc(&pages, b->size, LAB_ORDINARY_PAGES)) {
		snprintf(b->why, LAB_WHY, "no %zu MiB of memory",
			 b->size >> 20);
		answer(b, false);
		return NULL;
	}
	answer(b, true);
	if (b->load == LAB_STREAM)
		read_on(b, pages.p);
	else
		copy_on(b, pages.p);
	lab_pages_free(&pages);
	return NULL;
}

static void end_thread(struct lab_background *b)
{
	atomic_store_explicit(&b->stop, true, memory_order_relaxed);
	pthread_join(b->thread, NULL);
	pthread_cond_destroy(&b->answered);
	pthread_mutex_destroy(&b->lock);
}

static bool start_thread(struct lab_background *b, char why[LAB_WHY])
{
	int error;

	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->answered, NULL);
	error = pthread_create(&b->thread, NULL, load_memory, b);
	if (error) {
		pthread_cond_destroy(&b->answered);
		pthread_mutex_destroy(&b->lock);
		snprintf(why, LAB_WHY, "no thread: %s", strerror(error));
		return false;
	}
	pthread_mutex_lock(&b->lock);
	while (!b->answer)
		pthread_cond_wait(&b->answered, &b->lock);
	pthread_mutex_unlock(&b->lock);
	if (b->ready)
		return true;
	end_thread(b);
	snprintf(why, LAB_WHY, "%s", b->why);
	return false;
}

/* ------------------------------------------------------------------------
 * A command
 */

/*
 * Both ends are closed in what is executed; and here, until a child of this
 * process has closed its own copies of what it must not hold.
 */
static bool open_pipe(int end[2])
{
	if (pipe(end) != 0)
		return false;
	for (int i = 0; i < 2; i++)
		(void)fcntl(end[i], F_SETFD, FD_CLOEXEC);
	return true;
}

static void close_pipe(const int end[2])
{
	close(end[0]);
	close(end[1]);
}

/* The child: waits until it is pinned.  Its output must not mix with ours. */
_Noreturn static void run_command(const char *command, const int go[2])
{
	int null = open("/dev/null", O_RDWR);
	char byte;

	setpgid(0, 0);
	close(go[1]);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(null, STDOUT_FILENO) < 0 || read(go[0], &byte, 1) != 1)
		_exit(127);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/*
 * Another child: when this process ends, however it does, the command and what
 * that has started end too.  A signal on the parent's death, which Linux has,
 * would reach the shell alone.  In a group of its own, it survives ^C.
 */
_Noreturn static void watch(const int alive[2], pid_t group)
{
	char byte;

	setpgid(0, 0);
	close(alive[1]);
	while (read(alive[0], &byte, 1) < 0 && errno == EINTR)
		;
	kill(-group, SIGKILL);
	_exit(0);
}

static void end_process(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void end_command(struct lab_background *b)
{
	/* not reaped so far, so the group is still this one */
	kill(-b->pid, SIGKILL);
	end_process(b->pid);
	end_process(b->watchdog);
	close(b->alive);
}

/* Both children, of which the command still waits; -1 is one that failed. */
static bool fork_both(struct lab_background *b, const int go[2],
		      const int alive[2])
{
	b->pid = fork();
	if (b->pid == 0) {
		close(alive[1]);
		run_command(b->what, go);
	}
	if (b->pid < 0)
		return false;
	/* here as well: whichever comes first */
	setpgid(b->pid, b->pid);
	b->watchdog = fork();
	if (b->watchdog == 0) {
		close_pipe(go);
		watch(alive, b->pid);
	}
	if (b->watchdog > 0)
		return true;
	end_process(b->pid);
	return false;
}

static bool start_command(struct lab_background *b, char why[LAB_WHY])
{
	int go[2], alive[2];
	bool pinned;

	snprintf(why, LAB_WHY, "no process to run a command in");
	if (!open_pipe(go))
		return false;
	if (!open_pipe(alive)) {
		close_pipe(go);
		return false;
	}
	if (!fork_both(b, go, alive)) {
		close_pipe(go);
		close_pipe(alive);
		return false;
	}
	b->alive = alive[1];
	close(alive[0]);
	pinned = b->cpu < 0 || lab_pin(b->pid, b->cpu, why);
	if (pinned && write(go[1], "", 1) != 1)
		pinned = false;
	close_pipe(go);
	if (!pinned)
		end_command(b);
	return pinned;
}

static bool command_runs(const struct lab_background *b, char why[LAB_WHY])
{
	siginfo_t info = { .si_pid = 0 };

	if (waitid(P_PID, (id_t)b->pid, &info, WEXITED | WNOHANG | WNOWAIT) !=
		    0 ||
	    info.si_pid == 0)
		return true;
	if (info.si_code == CLD_EXITED)
		snprintf(why, LAB_WHY,
			 "the background command ended early, with exit "
			 "status %d",
			 info.si_status);
	else
		snprintf(why, LAB_WHY,
			 "the background command ended early, by signal %d",
			 info.si_status);
	return false;
}

/* ------------------------------------------------------------------------
 * Either
 */

bool lab_background_start(struct lab_background *b, const char *what, int cpu,
			  size_t cache, char why[LAB_WHY])
{
	bool begun = true;

	*b = (struct lab_background){
		.load = strcmp(what, "none") == 0     ? LAB_NO_LOAD
			: strcmp(what, "stream") == 0 ? LAB_STREAM
			: strcmp(what, "copy") == 0   ? LAB_COPYING
						      : LAB_COMMAND,
		.what = what,
		.cpu = cpu,
		.size = size_for(cache),
	};
	if (b->load == LAB_COMMAND)
		begun = start_command(b, why);
	else if (b->load != LAB_NO_LOAD)
		begun = start_thread(b, why);
	b->began = lab_now();
	return begun;
}

uint64_t lab_background_bytes(const struct lab_background *b)
{
	return (uint64_t)BLOCK *
	       atomic_load_explicit(&b->blocks, memory_order_relaxed);
}

bool lab_background_runs(const struct lab_background *b, char why[LAB_WHY])
{
	if (b->load == LAB_NO_LOAD)
		return true;
	if (b->load == LAB_COMMAND)
		return command_runs(b, why);
	if (lab_background_bytes(b) > 0)
		return true;
	snprintf(why, LAB_WHY,
		 "the background load did not run: something else has its CPU");
	return false;
}

void lab_background_text(const struct lab_background *b, char *out, size_t size)
{
	const uint64_t end = b->ended ? b->ended : lab_now();

	if (b->load == LAB_STREAM || b->load == LAB_COPYING)
		/* bytes per ns are GB/s */
		snprintf(out, size, "%s, %.1f GB/s", b->what,
			 (double)lab_background_bytes(b) /
				 (double)(end - b->began));
	else
		snprintf(out, size, "%s", b->what);
}

bool lab_background_stop(struct lab_background *b, char why[LAB_WHY])
{
	const bool ran = lab_background_runs(b, why);

	if (b->load == LAB_COMMAND)
		end_command(b);
	else if (b->load != LAB_NO_LOAD)
		end_thread(b);
	b->ended = lab_now();
	return ran;
}
