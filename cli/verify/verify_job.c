/* SPDX-License-Identifier: BSD-2-Clause */
/* verify_job.c - some packets of a file, to lines and counts. */
#include <stdlib.h>

#include "verify.h"

bool job_init(struct job *job, const struct verify_options *o)
{
	*job = (struct job){ .o = o };
	job->to = open_memstream(&job->text, &job->text_len);
	return job->to;
}

void job_free(struct job *job)
{
	if (job->to)
		fclose(job->to);
	free(job->text);
	free(job->edges);
	free(job->fragments);
}

/* Counts site @i of a walk, and prints it if it is asked for. */
static void put_site(const struct verify_options *o, FILE *to,
		     struct sites_tally *t, const char *file,
		     const struct packet *packet, const struct walk *w,
		     unsigned i, uint64_t offset)
{
	const struct site *s = &w->sites[i];
	char why[200] = "";
	struct check c;

	if (!o->protocols[s->protocol])
		return;
	c = check_site(s, packet->data);
	tally_site(t, s, &c);
	if (o->why && s->class == SITE_REAL &&
	    (c.verdict == VERDICT_BAD || c.verdict == VERDICT_PARTIAL))
		t->causes[why_short(packet, w, i, &c, why, sizeof(why))]++;
	if (o->lines[c.verdict] && (s->class == SITE_REAL || o->quoted))
		print_site(to, o, file, packet->frame, offset, s, &c, why);
}

/* One more at the end of a list that grows; false if there is no memory. */
static bool room(void **list, size_t *size, size_t n, size_t each)
{
	size_t more = 2 * *size + 16;
	void *p;

	if (n < *size)
		return true;
	p = realloc(*list, more * each);
	if (!p)
		return false;
	*list = p;
	*size = more;
	return true;
}

static bool add_edge(struct job *job, const struct walk *w)
{
	if (!room((void **)&job->edges, &job->edges_size, job->nedges,
		  sizeof(*job->edges)))
		return false;
	job->edges[job->nedges++] = edge_index(w);
	return true;
}

static bool add_fragment(struct job *job, const struct packet *packet,
			 const struct walk *w)
{
	struct job_fragment *fragment;

	if (!room((void **)&job->fragments, &job->fragments_size,
		  job->nfragments, sizeof(*job->fragments)))
		return false;
	fragment = &job->fragments[job->nfragments++];
	fflush(job->to);
	fragment->text_at = job->text_len;
	fragment_take(packet, w, &fragment->fragment);
	return true;
}

bool job_packet(struct job *job, const struct packet *packet)
{
	struct walk w;

	if (job->o->filter && !filter_matches(job->o->filter, packet))
		return true;
	walk_packet(packet, &w);
	job->tally.packets++;
	for (unsigned i = 0; i < w.count; i++)
		if (!w.sites[i].open)
			put_site(job->o, job->to, &job->tally, job->file,
				 packet, &w, i,
				 packet->offset + w.sites[i].field);
	if (w.edge && !add_edge(job, &w))
		return false;
	return !w.has_fragment || add_fragment(job, packet, &w);
}

/* --- in the order of the file ----------------------------------------------
 */

static void put_whole(void *context, uint64_t frame, struct site *s)
{
	/* what it covers is in no frame */
	const struct packet packet = { .frame = frame,
				       .data = (const uint8_t *)"" };
	struct sink *sink = context;
	struct walk alone;

	alone.count = 1;
	alone.sites[0] = *s;
	put_site(sink->o, stdout, &sink->tally->sites, sink->file, &packet,
		 &alone, 0, s->whole.offset);
}

bool sink_init(struct sink *sink, const struct verify_options *o,
	       struct tally *tally)
{
	*sink = (struct sink){ .o = o, .tally = tally };
	sink->fragments = fragments_new(put_whole, sink);
	return sink->fragments;
}

void sink_free(struct sink *sink)
{
	fragments_free(sink->fragments);
}

void job_emit(struct job *job, struct sink *sink)
{
	size_t at = 0;

	fflush(job->to);
	for (size_t i = 0; i < job->nfragments; i++) {
		const struct job_fragment *p = &job->fragments[i];

		fwrite(job->text + at, 1, p->text_at - at, stdout);
		at = p->text_at;
		fragments_add(sink->fragments, &p->fragment);
	}
	fwrite(job->text + at, 1, job->text_len - at, stdout);
	sites_move(&sink->tally->sites, &job->tally);
	for (size_t i = 0; i < job->nedges; i++)
		tally_edge(sink->tally, job->edges[i], 1);
	job->nedges = job->nfragments = 0;
	rewind(job->to);
}

void sink_flush(struct sink *sink)
{
	fragments_flush(sink->fragments);
}
