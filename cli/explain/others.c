/* SPDX-License-Identifier: BSD-2-Clause */
/* others.c - a second look at a file, for one checksum. */
#include "others.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "crc.h"
#include "pass.h"

struct look {
	struct pass pass;
	struct observations seen;
	struct evidence evidence;
	bool lost; /* there was no memory for some of it */
	/* the checksum that is looked for */
	uint64_t frame;
	enum protocol protocol;
	const struct check *check;
	bool found;
	struct agreement *out;
};

static void take_message(void *context, const struct finding *f)
{
	struct look *l = context;

	if (f->first_frame &&
	    !observe_message(&l->seen, f->packet, f->site, &f->check))
		l->lost = true;
}

static void look_at_all(struct look *l, struct reader *r)
{
	struct packet packet;

	while (!l->lost && reader_next(r, &packet) == READER_PACKET) {
		struct fragment_copy *c = pass_packet(&l->pass, &packet, NULL);

		l->lost |= !observe_packet(&l->seen, &l->pass.packet,
					   &l->pass.walk, l->pass.checks);
		pass_fragment(&l->pass, c);
		evidence_take(&l->evidence, &l->seen);
	}
}

static void compare(void *context, const struct symptom *s,
		    const struct agreement *a)
{
	struct look *l = context;

	if (s->seen.frame != l->frame || s->protocol != l->protocol ||
	    s->found != l->check->found || s->expected != l->check->expected)
		return;
	*l->out = *a;
	l->found = true;
}

static bool look(struct look *l, int fd, const struct input_form *form)
{
	struct reader *r = reader_open(fd);

	if (r && l->pass.tally && pass_gather(&l->pass) &&
	    evidence_init(&l->evidence)) {
		reader_says(r, form);
		look_at_all(l, r);
		if (!l->lost && !l->pass.out_of_memory)
			agreement_each(&l->evidence, compare, l);
	}
	reader_close(r);
	pass_end(&l->pass);
	free(l->pass.tally);
	evidence_free(&l->evidence);
	observations_free(&l->seen);
	return l->found;
}

bool others_agree(const char *file, const struct input_form *form,
		  const struct walk_rules *rules, const struct packet *packet,
		  const struct site *s, const struct check *c,
		  struct agreement *out)
{
	struct look l = {
		.frame = packet->frame,
		.protocol = s->protocol,
		.check = c,
		.out = out,
		.pass = {
			.crc = &crc_by_libraries,
			.rules = rules,
			.site = take_message,
			.context = &l,
			.tally = tally_new(),
		},
	};
	struct stat st;
	int fd = strcmp(file, "-") != 0 ? input_try(file) : -1;

	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		if (fd >= 0)
			close(fd);
		free(l.pass.tally);
		return false;
	}
	look(&l, fd, form);
	close(fd);
	return l.found;
}
