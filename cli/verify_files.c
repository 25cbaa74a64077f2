/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * verify_files.c - files, one after the other, through several threads.
 *
 * A thread takes the next batch of packets from the file that is being read,
 * and while it looks at them another one reads on; at the end of a file that
 * one opens the next.  So a large file keeps all threads busy, and so do many
 * small ones.  Each batch has a number, and they are printed in its order.
 */
#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "verify.h"

struct name {
	char *path;
	bool found; /* in a directory: it need not be a capture */
	uint64_t size;
};

/* A batch, and what its file was like when it was taken. */
struct turn {
	uint64_t number;
	const struct name *name;
	struct reader *reader; /* NULL: it could not be opened */
	int fd, error;
	enum reader_status status; /* behind the batch */
	uint64_t consumed;
	bool out_of_memory;
};

struct run {
	const struct verify_options *o;
	struct name *names;
	size_t nnames;
	/* the input */
	pthread_mutex_t in;
	size_t next_name;
	uint64_t next_number;
	struct reader *reader;
	int fd;
	/* the output */
	pthread_mutex_t out;
	pthread_cond_t turned;
	uint64_t turn;
	struct sink sink;
	struct tally *file, *total;
	unsigned files, passed_over;
	int status;
	/* progress */
	bool progress;
	uint64_t bytes, bytes_done;
	struct timespec start, shown;
};

static void worst(struct run *run, int status)
{
	if (status > run->status)
		run->status = status;
}

/* --- which files ------------------------------------------------------------
 */

static bool add_name(struct run *run, const char *path, bool found,
		     uint64_t size)
{
	struct name *list;

	if (run->nnames % 64 == 0) {
		list = realloc(run->names,
			       (run->nnames + 64) * sizeof(*run->names));
		if (!list)
			return false;
		run->names = list;
	}
	run->names[run->nnames].path = strdup(path);
	run->names[run->nnames].found = found;
	run->names[run->nnames].size = size;
	run->bytes += size;
	return run->names[run->nnames++].path;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool add_directory(struct run *run, char *path)
{
	char *roots[] = { path, NULL };
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
	FTSENT *e;
	bool ok = fts;

	while (ok && (e = fts_read(fts))) {
		if (e->fts_info == FTS_F)
			ok = add_name(run, e->fts_path, true,
				      (uint64_t)e->fts_statp->st_size);
		if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR)
			worst(run, trouble("%s: %s", e->fts_path,
					   strerror(e->fts_errno)));
	}
	if (fts)
		fts_close(fts);
	return ok;
}

static bool add_names(struct run *run)
{
	struct stat st;

	if (run->o->nfiles == 0)
		return add_name(run, "-", false, 0);
	for (int i = 0; i < run->o->nfiles; i++) {
		char *file = run->o->files[i];
		bool there = strcmp(file, "-") != 0 && stat(file, &st) == 0;
		bool ok;

		if (there && S_ISDIR(st.st_mode))
			ok = add_directory(run, file);
		else
			ok = add_name(run, file, false,
				      there ? (uint64_t)st.st_size : 0);
		if (!ok)
			return false;
	}
	return true;
}

/* --- the input --------------------------------------------------------------
 */

static void open_next(struct run *run, struct turn *turn)
{
	const char *path = run->names[run->next_name].path;

	run->fd = input_try(path);
	if (run->fd < 0) {
		turn->error = -run->fd;
		return;
	}
	run->reader = reader_open(run->fd);
	if (!run->reader)
		turn->error = ENOMEM;
}

/* False if there is nothing left. */
static bool take_turn(struct run *run, struct turn *turn, struct batch *batch)
{
	bool more;

	pthread_mutex_lock(&run->in);
	more = run->next_name < run->nnames && !ferror(stdout);
	if (more) {
		*turn = (struct turn){ .number = run->next_number++,
				       .name = &run->names[run->next_name],
				       .status = READER_END };
		batch->count = 0;
		if (!run->reader)
			open_next(run, turn);
		turn->reader = run->reader;
		turn->fd = run->fd;
		if (run->reader) {
			turn->status = reader_batch(run->reader, batch);
			turn->consumed = reader_consumed(run->reader);
		}
		if (turn->status != READER_PACKET) {
			run->reader = NULL;
			run->next_name++;
		}
	}
	pthread_mutex_unlock(&run->in);
	return more;
}

/* --- the output --------------------------------------------------------------
 */

static double seconds(struct timespec from, struct timespec to)
{
	return (double)(to.tv_sec - from.tv_sec) +
	       (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
}

static void hide_progress(struct run *run)
{
	if (run->shown.tv_sec)
		fputs("\r\033[K", stderr);
}

static void show_progress(struct run *run, uint64_t consumed)
{
	enum { WIDTH = 30 };
	uint64_t done = run->bytes_done + consumed;
	struct timespec now;
	double share, rate, passed;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!run->bytes || seconds(run->shown, now) < 0.1)
		return;
	run->shown = now;
	passed = seconds(run->start, now);
	share = (double)done / (double)run->bytes;
	if (share > 1)
		share = 1; /* a file that grows */
	rate = passed > 0 ? (double)done / passed : 0;
	fprintf(stderr, "\r[%-*.*s] %3.0f %%  %.0f MB/s  %.0f s left ", WIDTH,
		(int)(share * WIDTH), "##############################",
		100 * share, rate / 1e6,
		rate > 0 ? (double)(run->bytes - done) / rate * (share < 1)
			 : 0);
	fflush(stderr);
}

/* The end of a file: its summary, and what was wrong with it. */
static void end_file(struct run *run, const struct turn *turn)
{
	const char *file = input_name(turn->name->path);
	const char *format = reader_format(turn->reader);
	bool fault = turn->status == READER_FAULT;

	sink_flush(&run->sink);
	if (turn->name->found && !format) {
		run->passed_over++;
		return;
	}
	run->files++;
	if (format)
		print_summary(run->o, file, format, !fault, run->file);
	if (tally_bad(run->file))
		worst(run, EXIT_BAD_SUMS);
	tally_move(run->total, run->file);
	if (fault)
		worst(run, trouble("%s: offset %" PRIu64 ": %s", file,
				   reader_fault(turn->reader)->offset,
				   reader_fault(turn->reader)->cause));
}

static void emit(struct run *run, const struct turn *turn, struct job *job)
{
	const char *file = input_name(turn->name->path);

	hide_progress(run);
	run->sink.file = file;
	job_emit(job, &run->sink);
	if (turn->out_of_memory)
		worst(run, trouble("out of memory"));
	if (turn->error)
		worst(run, trouble("%s: %s", file, strerror(turn->error)));
	if (turn->error)
		run->files++;
	if (turn->status != READER_PACKET && turn->reader) {
		end_file(run, turn);
		reader_close(turn->reader);
		if (turn->fd > STDIN_FILENO)
			close(turn->fd);
	}
	if (run->progress)
		show_progress(run, turn->consumed);
	if (turn->status != READER_PACKET)
		run->bytes_done += turn->name->size;
}

/* --- threads
 * ------------------------------------------------------------------ */

static void *work(void *arg)
{
	struct run *run = arg;
	struct batch batch = { 0 };
	struct turn turn;
	struct job job;
	bool ok = job_init(&job, run->o);

	while (ok && take_turn(run, &turn, &batch)) {
		job.file = input_name(turn.name->path);
		for (unsigned i = 0; i < batch.count && ok; i++)
			ok = job_packet(&job, &batch.packets[i]);
		turn.out_of_memory = !ok;
		pthread_mutex_lock(&run->out);
		while (run->turn != turn.number)
			pthread_cond_wait(&run->turned, &run->out);
		emit(run, &turn, &job);
		run->turn++;
		pthread_cond_broadcast(&run->turned);
		pthread_mutex_unlock(&run->out);
	}
	job_free(&job);
	batch_free(&batch);
	return NULL;
}

/*
 * Alone, each packet is looked at as soon as it is read: summing it brings the
 * header of the next one into the cache, which a batch has to wait for twice.
 */
static bool look_at_some(struct run *run, struct turn *turn, struct job *job)
{
	struct packet packet;

	for (int i = 0; i < BATCH_PACKETS; i++) {
		turn->status = reader_next(run->reader, &packet);
		if (turn->status != READER_PACKET)
			break;
		if (!job_packet(job, &packet))
			return false;
	}
	turn->consumed = reader_consumed(run->reader);
	return true;
}

static void work_alone(struct run *run)
{
	struct job job;
	bool ok = job_init(&job, run->o);

	while (ok && run->next_name < run->nnames && !ferror(stdout)) {
		struct turn turn = { .name = &run->names[run->next_name],
				     .status = READER_END };

		if (!run->reader)
			open_next(run, &turn);
		turn.reader = run->reader;
		turn.fd = run->fd;
		job.file = input_name(turn.name->path);
		if (run->reader)
			ok = look_at_some(run, &turn, &job);
		turn.out_of_memory = !ok;
		if (turn.status != READER_PACKET) {
			run->reader = NULL;
			run->next_name++;
		}
		emit(run, &turn, &job);
	}
	job_free(&job);
}

static void run_threads(struct run *run)
{
	enum { MAX_THREADS = 16 };
	pthread_t threads[MAX_THREADS];
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned want = run->o->threads, n = 0;

	if (!want)
		want = processors > 0 ? (unsigned)processors : 1;
	if (want > MAX_THREADS)
		want = MAX_THREADS;
	if (want == 1) {
		work_alone(run);
		return;
	}
	/* this one is the first; fewer than wanted will do */
	while (n + 1 < want &&
	       pthread_create(&threads[n], NULL, work, run) == 0)
		n++;
	work(run);
	while (n)
		pthread_join(threads[--n], NULL);
}

int verify_files(const struct verify_options *o)
{
	struct run run = {
		.o = o,
		.in = PTHREAD_MUTEX_INITIALIZER,
		.out = PTHREAD_MUTEX_INITIALIZER,
		.turned = PTHREAD_COND_INITIALIZER,
		.progress = isatty(STDERR_FILENO),
	};

	run.file = calloc(1, sizeof(*run.file));
	run.total = calloc(1, sizeof(*run.total));
	if (!run.file || !run.total || !sink_init(&run.sink, o, run.file) ||
	    !add_names(&run)) {
		worst(&run, trouble("out of memory"));
	} else {
		print_start(o);
		clock_gettime(CLOCK_MONOTONIC, &run.start);
		run_threads(&run);
		hide_progress(&run);
		print_total(o, run.files, run.total);
		if (run.passed_over && o->format == FORMAT_TEXT)
			printf("not a capture: %u file%s\n", run.passed_over,
			       run.passed_over == 1 ? "" : "s");
	}
	sink_free(&run.sink);
	free(run.file);
	free(run.total);
	for (size_t i = 0; i < run.nnames; i++)
		free(run.names[i].path);
	free(run.names);
	return run.status;
}
