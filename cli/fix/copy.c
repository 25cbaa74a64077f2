/* SPDX-License-Identifier: BSD-2-Clause */
/* copy.c - from input to output, and what can go wrong between them. */
#include "copy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "output.h"
#include "progress.h"

static void say_fault(const char *name, const struct fault *fault)
{
	trouble("%s: offset %" PRIu64 ": %s", name, fault->offset,
		fault->cause);
}

/* @in: the input, of which a pipe has no size. */
static void show_progress(const struct reader *r, int in)
{
	const double done = (double)reader_consumed(r);
	struct stat st;
	char note[32];

	if (!progress_due())
		return;
	snprintf(note, sizeof(note), "%.0f MB", done / 1e6);
	progress_show(fstat(in, &st) == 0 && st.st_size > 0
			      ? done / (double)st.st_size
			      : -1,
		      note);
}

static enum copied copy_packets(const struct copy *c, struct reader *r,
				struct rewrite *w, int in, bool *changed)
{
	enum { SELDOM = 64 }; /* a look at the clock costs a packet's time */
	unsigned packets = 0;
	const char *name = input_name(c->input);
	enum reader_status status;
	struct packet packet;
	struct fault fault;

	while ((status = reader_next(r, &packet)) == READER_PACKET) {
		*changed |= c->packet(c->ctx, w, &packet);
		if (c->stop && c->stop(c->ctx)) {
			progress_end();
			return COPY_DAMAGED; /* c->end() says why */
		}
		if (++packets % SELDOM == 0)
			show_progress(r, in);
	}
	progress_end();
	fault = *reader_fault(r);
	/* what is no capture is not copied either */
	if (!reader_format(r)) {
		say_fault(name, &fault);
		return COPY_FAILED;
	}
	if (!rewrite_finish(w)) {
		if (rewrite_error(w))
			trouble("%s: cannot write the output: %s", name,
				strerror(rewrite_error(w)));
		else
			say_fault(name, reader_fault(r));
		return COPY_FAILED;
	}
	if (status == READER_END)
		return COPY_WHOLE;
	say_fault(name, &fault);
	return COPY_DAMAGED;
}

static enum copied copy_to(const struct copy *c, struct reader *r, int in,
			   int out, bool *changed)
{
	enum copied result;
	struct rewrite w;

	rewrite_start(&w, r, out);
	w.waiting = c->waiting;
	w.ctx = c->ctx;
	result = copy_packets(c, r, &w, in, changed);
	rewrite_end(&w);
	if (result != COPY_FAILED && c->in_place && reader_packed(r)) {
		trouble("%s: is %s; use -o", c->input,
			reader_is_dump(r) ? "no capture, and -i would make "
					    "one of it"
					  : "compressed");
		return COPY_FAILED;
	}
	return result;
}

static bool open_output(const struct copy *c, struct output *o, int in)
{
	if (c->in_place)
		return output_open_in_place(o, c->input, in);
	if (c->output)
		return output_open(o, c->output, in);
	*o = (struct output){ .fd = -1 };
	return true;
}

static enum copied copy_open(const struct copy *c, int in, char *what,
			     size_t size)
{
	struct reader *r = reader_open(in);
	enum copied result = COPY_FAILED;
	bool changed = false;
	struct output o;

	if (!r) {
		trouble("out of memory");
		return COPY_FAILED;
	}
	reader_says(r, &c->form);
	if (open_output(c, &o, in)) {
		progress_begin("");
		result = copy_to(c, r, in, o.fd, &changed);
		if (result != COPY_FAILED && c->end &&
		    !c->end(c->ctx, result == COPY_WHOLE))
			result = COPY_FAILED;
		if (result == COPY_FAILED || (c->in_place && !changed))
			output_discard(&o);
		else if (!output_commit(&o))
			result = COPY_FAILED;
	}
	reader_describe(r, what, size);
	reader_close(r);
	return result;
}

enum copied copy_capture(const struct copy *c, char *what, size_t size)
{
	int in = input_open(c->input);
	enum copied result;

	if (in < 0)
		return COPY_FAILED;
	result = copy_open(c, in, what, size);
	if (in != STDIN_FILENO)
		close(in);
	return result;
}
