/* SPDX-License-Identifier: BSD-2-Clause */
/* test_background.c - the lab's background loads: they run, and they end. */
#define _GNU_SOURCE /* usleep() */
#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "background.h"
#include "cpus.h"
#include "testing.h"
#include "whynot.h"

enum { MISSING_CPU = 1 << 19, CACHE = 1 << 20 };

static int some_cpu;

/* ------------------------------------------------------------------------
 * Threads
 */

/* How many threads of this process may use this CPU alone. */
static int threads_on(int cpu)
{
	char path[300], line[256], want[64];
	DIR *d = opendir("/proc/self/task");
	struct dirent *e;
	int n = 0;

	snprintf(want, sizeof(want), "Cpus_allowed_list:\t%d\n", cpu);
	while (d && (e = readdir(d)) != NULL) {
		FILE *f;

		snprintf(path, sizeof(path), "/proc/self/task/%s/status",
			 e->d_name);
		f = fopen(path, "re");
		while (f && fgets(line, sizeof(line), f))
			n += strcmp(line, want) == 0;
		if (f)
			fclose(f);
	}
	if (d)
		closedir(d);
	return n;
}

/* Returns when it has moved so much; main() sets an alarm. */
static void wait_for(const struct lab_background *b, uint64_t bytes)
{
	while (lab_background_bytes(b) < bytes)
		usleep(1000);
}

static void test_thread(const char *what)
{
	const int before = threads_on(some_cpu);
	struct lab_background b;
	char why[LAB_WHY] = "", text[64], name[16];
	uint64_t bytes;
	double rate;

	if (!lab_background_start(&b, what, some_cpu, CACHE, why)) {
		tap_ok(false, "%s starts: %s", what, why);
		return;
	}
	tap_ok(threads_on(some_cpu) == before + 1, "%s stays on CPU %d", what,
	       some_cpu);
	/* once through all of it, and from the start again */
	wait_for(&b, 2 * b.size);
	tap_ok(lab_background_runs(&b, why) && b.size >= 4 * CACHE,
	       "%s runs through more than the cache", what);
	tap_ok(lab_background_stop(&b, why), "%s has run to the end", what);
	bytes = lab_background_bytes(&b);
	lab_background_text(&b, text, sizeof(text));
	tap_ok(sscanf(text, "%15[a-z], %lf GB/s", name, &rate) == 2 &&
		       strcmp(name, what) == 0 && rate > 0,
	       "%s", text);
	usleep(1000);
	tap_ok(lab_background_bytes(&b) == bytes &&
		       threads_on(some_cpu) == before,
	       "%s has ended", what);
	tap_ok(!lab_background_start(&b, what, MISSING_CPU, CACHE, why) &&
		       strstr(why, "there is none"),
	       "%s: %s", what, why);
}

static void test_none(void)
{
	struct lab_background b;
	char why[LAB_WHY] = "", text[64];

	tap_ok(lab_background_start(&b, "none", MISSING_CPU, 0, why) &&
		       lab_background_runs(&b, why) &&
		       lab_background_bytes(&b) == 0,
	       "no load needs no CPU");
	lab_background_text(&b, text, sizeof(text));
	tap_ok(lab_background_stop(&b, why) && strcmp(text, "none") == 0,
	       "and is called none");
}

/* ------------------------------------------------------------------------
 * Commands.  They have a pipe of which every process holds one end, as 9; when
 * the last one ends, the other end sees it.
 */

enum { HELD = 9 };

static int far;

static void open_far(void)
{
	int end[2];

	if (pipe(end) != 0 || dup2(end[1], HELD) < 0)
		abort();
	close(end[1]);
	far = end[0];
}

/* A line from a command. */
static void read_far(char *line, size_t size)
{
	size_t n = 0;

	while (n + 1 < size && read(far, line + n, 1) == 1 && line[n] != '\n')
		n++;
	line[n] = '\0';
}

/* True if all end that hold the pipe, this one apart. */
static bool all_end(void)
{
	struct pollfd p = { .fd = far };
	bool ended;

	close(HELD);
	ended = poll(&p, 1, 60000) == 1 && (p.revents & POLLHUP);
	close(far);
	return ended;
}

static void test_command(void)
{
	static const char command[] =
		"grep Cpus_allowed_list /proc/self/status >&9;"
		"in=$(readlink /proc/$$/fd/0); echo $in >&9;"
		"out=$(readlink /proc/$$/fd/1); echo $out >&9;"
		"sleep 1000 & echo up >&9; sleep 1000";
	struct lab_background b;
	char why[LAB_WHY] = "", line[64], want[64], text[300];

	open_far();
	if (!lab_background_start(&b, command, some_cpu, 0, why)) {
		tap_ok(false, "a command starts: %s", why);
		return;
	}
	read_far(line, sizeof(line));
	snprintf(want, sizeof(want), "Cpus_allowed_list:\t%d", some_cpu);
	tap_ok(strcmp(line, want) == 0, "a command stays on its CPU: '%s'",
	       line);
	for (int fd = 0; fd < 2; fd++) {
		read_far(line, sizeof(line));
		tap_ok(strcmp(line, "/dev/null") == 0, "its %d is '%s'", fd,
		       line);
	}
	/* only now there is something to end beside the shell */
	read_far(line, sizeof(line));
	tap_ok(lab_background_runs(&b, why), "it runs");
	lab_background_text(&b, text, sizeof(text));
	tap_ok(strcmp(text, command) == 0, "it is named by itself");
	tap_ok(lab_background_stop(&b, why), "it has run to the end");
	tap_ok(all_end(), "what it had started has ended, too");
	tap_ok(waitpid(-1, NULL, WNOHANG) < 0, "no child is left");
}

/* Runs a command that ends, and returns whether @because is why. */
static bool ends_early(const char *command, const char *because)
{
	struct lab_background b;
	char why[LAB_WHY] = "";
	bool right;

	if (!lab_background_start(&b, command, -1, 0, why)) {
		tap_note("%s", why);
		return false;
	}
	while (lab_background_runs(&b, why))
		usleep(1000);
	why[0] = '\0';
	right = !lab_background_stop(&b, why) && strstr(why, because);
	if (!right)
		tap_note("'%s'", why);
	return right && waitpid(-1, NULL, WNOHANG) < 0;
}

static void test_ends(void)
{
	struct lab_background b;
	char why[LAB_WHY] = "";

	tap_ok(ends_early("exit 3", "ended early, with exit status 3"),
	       "a command that fails");
	tap_ok(ends_early("true", "ended early, with exit status 0"),
	       "a command that ends");
	tap_ok(ends_early("exec 2>&-; csum-no-such-command", "status 127"),
	       "a command that is not there");
	tap_ok(ends_early("kill -9 $$", "ended early, by signal 9"),
	       "a command that is killed");
	open_far();
	tap_ok(ends_early("sleep 1000 & exit 3", "status 3") && all_end(),
	       "what it leaves behind is ended");
	open_far();
	tap_ok(!lab_background_start(&b, "sleep 1000", MISSING_CPU, 0, why) &&
		       strstr(why, "there is none") && all_end() &&
		       waitpid(-1, NULL, WNOHANG) < 0,
	       "a command: %s", why);
}

/* The lab is killed, and can do nothing about its command any more. */
static void test_killed(void)
{
	struct lab_background b;
	char why[LAB_WHY] = "", line[16];
	pid_t pid;

	open_far();
	pid = fork();
	if (pid == 0) {
		if (!lab_background_start(
			    &b, "sleep 1000 & echo up >&9; sleep 1000", -1, 0,
			    why))
			_exit(1);
		pause();
		_exit(0);
	}
	read_far(line, sizeof(line));
	tap_ok(strcmp(line, "up") == 0, "a lab with a command");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	tap_ok(all_end(), "is killed, and leaves nothing behind");
}

int main(int argc, char **argv)
{
	struct lab_topology *t = lab_topology_get();
	int cpu = -1;

	testing_init(argc, argv);
	alarm(300);
	/* the last: most of what has no CPU of its own is on the first */
	for (size_t i = 0; t && (cpu = lab_topology_cpu(t, i)) >= 0; i++)
		some_cpu = cpu;
	lab_topology_free(t);
	test_none();
	test_thread("stream");
	test_thread("copy");
	test_command();
	test_ends();
	test_killed();
	return tap_done();
}
