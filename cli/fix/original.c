/* SPDX-License-Identifier: BSD-2-Clause */
/* original.c - one frame of the original for each frame of the other capture.
 */
#include "original.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "crc.h"

/* One frame completes a message, and that the one around it, and so on. */
enum { MESSAGES = WALK_DEPTH };

struct original {
	const char *file; /* its name */
	int fd;
	struct reader *reader;
	struct input_form form;
	struct pass pass;
	struct likeness packet, messages[MESSAGES];
	unsigned nmessages, next_message;
};

static void ignore(void *context, const struct finding *f)
{
	(void)context;
	(void)f;
}

static void keep_message(void *context, const struct pass *p)
{
	struct original *o = context;

	if (o->nmessages < MESSAGES)
		likeness_take(&o->messages[o->nmessages++], &p->packet,
			      &p->walk, p->checks);
}

static bool start(struct original *o, const struct walk_rules *rules)
{
	o->pass = (struct pass){
		.crc = &crc_by_libraries,
		.rules = rules,
		.site = ignore,
		.message = keep_message,
		.context = o,
		.tally = tally_new(),
	};
	if (rules && rules->has_linktype) {
		o->form.has_linktype = true;
		o->form.linktype = rules->linktype;
	}
	o->reader = reader_open(o->fd);
	if (!o->reader || !o->pass.tally || !pass_gather(&o->pass))
		return false;
	reader_says(o->reader, &o->form);
	return true;
}

struct original *original_open(const char *file, const struct walk_rules *rules)
{
	struct original *o = calloc(1, sizeof(*o));

	if (!o) {
		trouble("out of memory");
		return NULL;
	}
	o->file = input_name(file);
	o->fd = input_open(file);
	if (o->fd >= 0 && start(o, rules))
		return o;
	if (o->fd >= 0)
		trouble("out of memory");
	original_close(o);
	return NULL;
}

void original_close(struct original *o)
{
	if (!o)
		return;
	reader_close(o->reader);
	pass_end(&o->pass);
	free(o->pass.tally);
	if (o->fd > STDIN_FILENO)
		close(o->fd);
	free(o);
}

static void say_fault(const struct original *o)
{
	const struct fault *f = reader_fault(o->reader);

	trouble("%s: offset %" PRIu64 ": %s", o->file, f->offset, f->cause);
}

bool original_next(struct original *o, const char *file, uint64_t frame)
{
	struct packet packet;
	enum reader_status status = reader_next(o->reader, &packet);
	struct fragment_copy *fragment;

	if (status == READER_FAULT)
		say_fault(o);
	else if (status == READER_END)
		trouble("%s: frame %" PRIu64 ": %s has only %" PRIu64 " frames",
			file, frame, o->file, frame - 1);
	if (status != READER_PACKET)
		return false;
	o->nmessages = o->next_message = 0;
	fragment = pass_packet(&o->pass, &packet, NULL);
	likeness_take(&o->packet, &o->pass.packet, &o->pass.walk,
		      o->pass.checks);
	pass_fragment(&o->pass, fragment);
	return true;
}

const struct likeness *original_like(struct original *o, bool message)
{
	if (!message)
		return &o->packet;
	return o->next_message < o->nmessages ? &o->messages[o->next_message++]
					      : NULL;
}

bool original_ended(struct original *o, const char *file, uint64_t frames)
{
	struct packet packet;
	const enum reader_status status = reader_next(o->reader, &packet);

	if (status == READER_FAULT)
		say_fault(o);
	else if (status == READER_PACKET)
		trouble("%s: has only %" PRIu64 " frames: frame %" PRIu64
			" of %s has no other half",
			file, frames, frames + 1, o->file);
	return status == READER_END;
}
