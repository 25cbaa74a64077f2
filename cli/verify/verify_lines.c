/* SPDX-License-Identifier: BSD-2-Clause */
/* verify_lines.c - some packets of a file, to lines and counts. */
#define _GNU_SOURCE /* fopencookie */
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "verify.h"

/* Prints a site if it is asked for. */
static void put_site(const struct verify_options *o, FILE *to, const char *file,
		     const struct finding *f)
{
	if (o->lines[f->check.verdict] &&
	    (f->site->class == SITE_REAL || o->quoted))
		print_site(to, o, file, f);
}

static struct pass pass_for(const struct verify_options *o, pass_site *site,
			    void *context)
{
	return (struct pass){
		.crc = &crc_by_libraries,
		.rules = rules_or_none(&o->rules),
		.why = o->why,
		.protocols = o->protocols,
		.site = site,
		.context = context,
	};
}

/* --- in any thread ---------------------------------------------------------
 */

static void put_in_text(void *context, const struct finding *f)
{
	struct batch_lines *b = context;

	put_site(b->o, b->to, b->file, f);
	if (b->o->ranked && !sightings_add(&b->sightings, f))
		b->pass.out_of_memory = true;
}

/*
 * What a stream calls to write.  open_memstream() does the same, but says
 * nothing of text for which it finds no memory.
 */
static ssize_t add_text(void *context, const char *text, size_t n)
{
	struct batch_lines *b = context;

	if (b->text_size - b->text_len < n) {
		size_t size = 2 * b->text_size + n;
		char *more = realloc(b->text, size);

		if (!more)
			return 0;
		b->text = more;
		b->text_size = size;
	}
	memcpy(b->text + b->text_len, text, n);
	b->text_len += n;
	return (ssize_t)n;
}

bool lines_init(struct batch_lines *b, const struct verify_options *o)
{
	*b = (struct batch_lines){ .o = o };
	b->pass = pass_for(o, put_in_text, b);
	b->seen.protocols = o->protocols;
	b->pass.tally = tally_new();
	b->to = fopencookie(b, "w",
			    (cookie_io_functions_t){ .write = add_text });
	return b->pass.tally && b->to;
}

void lines_free(struct batch_lines *b)
{
	if (b->to)
		fclose(b->to);
	free(b->text);
	free(b->pass.tally);
	for (size_t i = 0; i < b->nfragments; i++)
		fragment_free(b->fragments[i].copy);
	free(b->fragments);
	observations_free(&b->seen);
	free(b->sightings.list);
}

/* Takes @copy, which waits for its turn; false if there is no memory. */
static bool put_off(struct batch_lines *b, struct fragment_copy *copy)
{
	size_t more = 2 * b->fragments_size + 16;
	struct batch_fragment *p = b->fragments;

	if (b->nfragments == b->fragments_size) {
		p = realloc(p, more * sizeof(*p));
		if (!p) {
			fragment_free(copy);
			return false;
		}
		b->fragments = p;
		b->fragments_size = more;
	}
	fflush(b->to);
	p[b->nfragments++] = (struct batch_fragment){ b->text_len, copy };
	return true;
}

/* Whether the filter, if there is one, lets a packet pass. */
static bool is_asked_for(const struct batch_lines *b,
			 const struct packet *packet)
{
	struct packet told;

	if (!b->o->filter)
		return true;
	told = *packet;
	walk_rules_apply(b->pass.rules, &told);
	return filter_matches(b->o->filter, &told);
}

bool lines_packet(struct batch_lines *b, const struct packet *packet)
{
	struct fragment_copy *copy;

	if (!is_asked_for(b, packet))
		return true;
	copy = pass_packet(&b->pass, packet, NULL);
	if (copy && !put_off(b, copy))
		return false;
	return !b->pass.out_of_memory &&
	       (!b->o->conclude ||
		observe_packet(&b->seen, &b->pass.packet, &b->pass.walk,
			       b->pass.checks));
}

/* --- in the order of the file ----------------------------------------------
 */

static void put_out(void *context, const struct finding *f)
{
	struct sink *sink = context;

	put_site(sink->o, stdout, sink->file, f);
	if (sink->o->ranked && !sightings_add(&sink->sightings, f))
		sink->lost = true;
	if (sink->o->conclude &&
	    !observe_message(&sink->seen, f->packet, f->site, &f->check))
		sink->lost = true;
}

bool sink_init(struct sink *sink, const struct verify_options *o,
	       struct tally *tally)
{
	*sink = (struct sink){ .o = o };
	sink->pass = pass_for(o, put_out, sink);
	sink->pass.tally = tally;
	sink->seen.protocols = o->protocols;
	return pass_gather(&sink->pass) && rankings_init(&sink->rankings, o) &&
	       (!o->conclude || evidence_init(&sink->evidence));
}

void sink_free(struct sink *sink)
{
	pass_end(&sink->pass);
	evidence_free(&sink->evidence);
	observations_free(&sink->seen);
	rankings_free(&sink->rankings);
	free(sink->sightings.list);
}

static void put_text(const struct batch_lines *b, size_t from, size_t to)
{
	if (to <= from)
		return;
	progress_before_output();
	fwrite(b->text + from, 1, to - from, stdout);
}

bool lines_emit(struct batch_lines *b, struct sink *sink)
{
	size_t at = 0;
	/* the text is in memory: what fails is its growth */
	bool whole = fflush(b->to) == 0 && !ferror(b->to);

	for (size_t i = 0; i < b->nfragments; i++) {
		const struct batch_fragment *next = &b->fragments[i];

		put_text(b, at, next->text_at);
		at = next->text_at;
		pass_fragment(&sink->pass, next->copy);
	}
	put_text(b, at, b->text_len);
	evidence_take(&sink->evidence, &b->seen);
	evidence_take(&sink->evidence, &sink->seen);
	rankings_take(&sink->rankings, &b->sightings);
	rankings_take(&sink->rankings, &sink->sightings);
	tally_move(sink->pass.tally, b->pass.tally);
	b->nfragments = 0;
	b->text_len = 0;
	clearerr(b->to);
	return whole && !sink->pass.out_of_memory;
}

void sink_flush(struct sink *sink)
{
	pass_flush(&sink->pass);
	rankings_take(&sink->rankings, &sink->sightings);
	evidence_take(&sink->evidence, &sink->seen);
	if (sink->o->why && sink->o->conclude &&
	    !agreement_count(&sink->evidence, sink->pass.tally->sites.causes))
		sink->lost = true;
}
