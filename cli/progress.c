/* SPDX-License-Identifier: BSD-2-Clause */
/* progress.c - the line on a terminal that says how far a command is. */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "terminal.h"

enum { BAR = 30, SHORTEST_BAR = 8, LINE = 256 };

static struct {
	bool running, drawn;
	const char *what;
	struct timespec begun, shown;
} line;

static double seconds_since(struct timespec from)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - from.tv_sec) +
	       (double)(now.tv_nsec - from.tv_nsec) * 1e-9;
}

void progress_begin(const char *what)
{
	line.running = isatty(STDERR_FILENO);
	line.what = what;
	line.drawn = false;
	clock_gettime(CLOCK_MONOTONIC, &line.begun);
	line.shown = line.begun;
}

bool progress_due(void)
{
	/* nothing for what is over before one has read it */
	if (!line.running || seconds_since(line.begun) < 0.2)
		return false;
	return !line.drawn || seconds_since(line.shown) >= 0.1;
}

/* "12 s", "3 min", "2 h" */
static void time_text(double seconds, char *buf, size_t size)
{
	if (seconds < 100)
		snprintf(buf, size, "%.0f s", seconds);
	else if (seconds < 6000)
		snprintf(buf, size, "%.0f min", seconds / 60);
	else
		snprintf(buf, size, "%.0f h", seconds / 3600);
}

static void left_text(double share, char *buf, size_t size)
{
	double passed = seconds_since(line.begun);
	char left[16];

	*buf = 0;
	if (share <= 0 || passed < 0.5 || passed / share < 2)
		return;
	time_text(passed / share - passed, left, sizeof(left));
	snprintf(buf, size, ", %s left", left);
}

/* What stands behind the bar; returns its length. */
static int rest_text(double share, const char *note, char *buf, size_t size)
{
	char percent[8] = "", left[24] = "";

	if (share >= 0) {
		snprintf(percent, sizeof(percent), "%3.0f %%", 100 * share);
		left_text(share, left, sizeof(left));
	}
	snprintf(buf, size, "%s%s%s%s", percent, *note && *percent ? ", " : "",
		 note, left);
	return (int)strlen(buf);
}

void progress_show(double share, const char *note)
{
	static const char full[] = "##############################";
	char rest[LINE];
	int columns, what, bar;

	if (!progress_due())
		return;
	if (share > 1)
		share = 1;
	columns = terminal_width(stderr) - 1;
	what = (int)strlen(line.what) + (*line.what ? 2 : 0);
	/* "[" and "] " around a bar that leaves room for the text */
	bar = columns - what - 3 - rest_text(share, note, rest, sizeof(rest));
	bar = bar > BAR ? BAR : bar;
	fflush(stdout);
	fprintf(stderr, "\r\033[K");
	if (what <= columns) {
		fprintf(stderr, "%s%s", line.what, *line.what ? ": " : "");
		columns -= what;
	}
	if (share >= 0 && bar >= SHORTEST_BAR) {
		fprintf(stderr, "[%-*.*s] ", bar, (int)(share * bar), full);
		columns -= bar + 3;
	}
	fprintf(stderr, "%.*s", columns, rest);
	fflush(stderr);
	line.drawn = true;
	clock_gettime(CLOCK_MONOTONIC, &line.shown);
}

void progress_wipe(void)
{
	if (!line.drawn)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	line.drawn = false;
}

void progress_before_output(void)
{
	if (line.drawn && isatty(STDOUT_FILENO))
		progress_wipe();
}

void progress_end(void)
{
	progress_wipe();
	line.running = false;
}
