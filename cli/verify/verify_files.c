/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * verify_files.c - files, one after the other, through several threads.
 *
 * A thread reads a block of the file that is being read, waits for its turn to
 * find the packets in it, and looks at them while others do the same; at the
 * end of a file the next one is opened.  So a large file keeps all threads
 * busy, and so do many small ones.  Each batch has a number: turns go by it,
 * and so does what is printed.
 */
#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"
#include "verify.h"

/* A directory that was asked for. */
struct folder {
	const char *path;
	bool said; /* something was, of a capture in it or of trouble */
};

struct name {
	char *path;
	struct folder *folder; /* found there: it need not be a capture */
	uint64_t size;
};

/* A file that is being read. */
struct input {
	struct reader *reader;
	int fd;
	bool regular;
	unsigned users; /* threads that may read from it; the last one closes */
	uint64_t ahead; /* where the next block begins */
};

/* A batch, and what its file was like when it was taken. */
struct turn {
	uint64_t number;
	const struct name *name;
	struct input *input; /* NULL: it could not be opened */
	int error;
	enum reader_status status; /* behind the batch */
	uint64_t consumed;
	bool out_of_memory;
};

struct run {
	const struct verify_options *o;
	struct input_form form;
	struct folder *folders;
	int nfolders;
	struct folder elsewhere; /* of what somebody else has found */
	struct name *names;
	size_t nnames;
	/* the input */
	pthread_mutex_t in;
	pthread_cond_t taken;
	size_t next_name;
	uint64_t next_number, next_taken;
	struct input *input;
	/* the output */
	pthread_mutex_t out;
	pthread_cond_t turned;
	uint64_t turn;
	struct sink sink;
	struct tally *file;
	struct total total;
	size_t ended; /* names that were dealt with */
	bool partial; /* of the current file, some packets were lost */
	int status;
	/* progress */
	uint64_t bytes, bytes_done;
	struct timespec start;
};

static void worst(struct run *run, int status)
{
	if (status > run->status)
		run->status = status;
}

/* --- which files ------------------------------------------------------------
 */

static bool add_name(struct run *run, const char *path, struct folder *folder,
		     uint64_t size)
{
	char *copy = strdup(path);
	struct name *list = run->names;

	if (copy && run->nnames % 64 == 0)
		list = realloc(list, (run->nnames + 64) * sizeof(*list));
	if (!copy || !list) {
		free(copy);
		return false;
	}
	run->names = list;
	list[run->nnames++] = (struct name){ copy, folder, size };
	run->bytes += size;
	return true;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* False if there is no memory. */
static bool add_entry(struct run *run, struct folder *folder, const FTSENT *e)
{
	switch (e->fts_info) {
	case FTS_F:
		return add_name(run, e->fts_path, folder,
				(uint64_t)e->fts_statp->st_size);
	case FTS_D:
	case FTS_DP:
		return true;
	case FTS_SL:
	case FTS_SLNONE:
		run->total.passed.links++;
		return true;
	case FTS_DEFAULT:
		run->total.passed.special++;
		return true;
	default: /* what cannot be listed, or not be asked what it is */
		folder->said = true;
		worst(run,
		      trouble("%s: %s", e->fts_path, strerror(e->fts_errno)));
		return true;
	}
}

/* A symbolic link is followed if it is @path itself. */
static bool add_directory(struct run *run, char *path)
{
	struct folder *folder = &run->folders[run->nfolders++];
	char *roots[] = { path, NULL };
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR,
			    by_name);
	FTSENT *e;
	bool ok = fts;

	*folder = (struct folder){ .path = path, .said = run->o->found };
	errno = 0;
	while (ok && (e = fts_read(fts))) {
		ok = add_entry(run, folder, e);
		errno = 0;
	}
	if (ok && errno) {
		folder->said = true;
		worst(run, trouble("%s: not all in it was found: %s", path,
				   strerror(errno)));
	}
	if (fts)
		fts_close(fts);
	return ok;
}

/* A file that somebody else has found; false if there is no memory. */
static bool add_found(struct run *run, const char *path)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return add_name(run, path, &run->elsewhere,
				0); /* opening says why */
	if (S_ISLNK(st.st_mode))
		run->total.passed.links++;
	else if (!S_ISREG(st.st_mode))
		run->total.passed.special++;
	else
		return add_name(run, path, &run->elsewhere,
				(uint64_t)st.st_size);
	return true;
}

static bool add_names(struct run *run)
{
	struct stat st;

	if (run->o->nfiles == 0)
		return add_name(run, "-", NULL, 0);
	run->folders = calloc((size_t)run->o->nfiles, sizeof(*run->folders));
	if (!run->folders)
		return false;
	for (int i = 0; i < run->o->nfiles; i++) {
		char *file = run->o->files[i];
		bool there = strcmp(file, "-") != 0 && stat(file, &st) == 0;
		bool ok;

		if (there && S_ISDIR(st.st_mode))
			ok = add_directory(run, file);
		else if (run->o->found)
			ok = add_found(run, file);
		else
			ok = add_name(run, file, NULL,
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
	int fd = input_try(run->names[run->next_name].path);
	struct input *input;
	struct stat st;

	if (fd < 0) {
		turn->error = -fd;
		return;
	}
	input = calloc(1, sizeof(*input));
	if (input)
		input->reader = reader_open(fd);
	if (!input || !input->reader) {
		turn->error = ENOMEM;
		free(input);
		if (fd > STDIN_FILENO)
			close(fd);
		return;
	}
	/* what the user says of a file is not said of all in a folder */
	if (!run->names[run->next_name].folder)
		reader_says(input->reader, &run->form);
	input->fd = fd;
	input->users = 1;
	input->regular =
		fd > STDIN_FILENO && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	run->input = input;
}

/* With @run->in locked, or alone. */
static void release(struct input *input)
{
	if (--input->users)
		return;
	reader_close(input->reader);
	if (input->fd > STDIN_FILENO)
		close(input->fd);
	free(input);
}

/* The file from which a block can be read before it is due, and where. */
static struct input *ahead(struct run *run, uint64_t *at)
{
	struct input *input = run->input;
	uint64_t position;

	if (!input || !input->regular)
		return NULL;
	position = reader_position(input->reader);
	if (position == UINT64_MAX)
		return NULL;
	*at = input->ahead > position ? input->ahead : position;
	input->ahead = *at + AHEAD_BYTES;
	input->users++;
	return input;
}

/* The next batch, of whatever file it is. */
static void take(struct run *run, struct turn *turn, struct batch *batch)
{
	turn->name = &run->names[run->next_name];
	turn->status = READER_END;
	if (!run->input)
		open_next(run, turn);
	turn->input = run->input;
	if (run->input) {
		turn->status = reader_batch(run->input->reader, batch);
		turn->consumed = reader_consumed(run->input->reader);
	}
	if (turn->status != READER_PACKET) {
		run->input = NULL; /* the turn's now */
		run->next_name++;
	}
}

static bool is_more(const struct run *run)
{
	return run->next_name < run->nnames && !ferror(stdout);
}

/*
 * False if there is nothing left.  What costs most, the kernel's copy, is made
 * before the turn, by several threads at once; that may show that there is
 * none.
 */
static bool take_turn(struct run *run, struct turn *turn, struct batch *batch)
{
	struct input *input;
	uint64_t at;

	*turn = (struct turn){ .status = READER_PACKET };
	batch->count = 0;
	batch_forget(batch);
	pthread_mutex_lock(&run->in);
	if (!is_more(run)) {
		pthread_mutex_unlock(&run->in);
		return false;
	}
	turn->number = run->next_number++;
	input = ahead(run, &at);
	if (input) {
		pthread_mutex_unlock(&run->in);
		batch_ahead(batch, input->reader, input->fd, at);
		pthread_mutex_lock(&run->in);
	}
	while (run->next_taken != turn->number)
		pthread_cond_wait(&run->taken, &run->in);
	if (is_more(run))
		take(run, turn, batch);
	if (input)
		release(input);
	run->next_taken++;
	pthread_cond_broadcast(&run->taken);
	pthread_mutex_unlock(&run->in);
	return true;
}

/* --- the output --------------------------------------------------------------
 */

static void show_progress(const struct run *run, uint64_t consumed)
{
	const uint64_t done = run->bytes_done + consumed;
	struct timespec now;
	char note[48] = "";
	double passed;

	if (!progress_due())
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	passed = (double)(now.tv_sec - run->start.tv_sec) +
		 (double)(now.tv_nsec - run->start.tv_nsec) * 1e-9;
	snprintf(note, sizeof(note), "%.0f MB/s", (double)done / passed / 1e6);
	/* what comes through a pipe has no size */
	progress_show(run->bytes ? (double)done / (double)run->bytes : -1,
		      note);
}

/* The end of a file: its summary, and what was wrong with it. */
static void end_file(struct run *run, const struct turn *turn)
{
	const char *file = input_name(turn->name->path);
	struct reader *reader = turn->input->reader;
	const char *format = reader_format(reader);
	bool fault = turn->status == READER_FAULT;
	bool whole = !fault && !run->partial;
	char described[80];

	sink_flush(&run->sink);
	if (turn->name->folder && reader_is_foreign(reader)) {
		run->total.passed.foreign++;
		return;
	}
	if (turn->name->folder)
		turn->name->folder->said = true;
	run->total.files++;
	run->total.not_whole += !whole;
	reader_describe(reader, described, sizeof(described));
	/* one file ends with its conclusion */
	if (run->nnames == 1)
		rankings_print(&run->sink.rankings, run->o);
	if (format)
		print_summary(run->o, file, format, described, whole,
			      run->file);
	if (format && !sink_conclude(&run->sink, whole, &run->total.merged))
		worst(run, trouble("%s: out of memory", file));
	if (format)
		print_per_file(run->o, file, whole, run->file, run->sink.kind);
	run->partial = false;
	worst(run, sink_status(&run->sink, run->file));
	worst(run, check_strict(run->o, file, run->file));
	tally_move(run->total.tally, run->file);
	if (fault)
		worst(run, trouble("%s: offset %" PRIu64 ": %s", file,
				   reader_fault(reader)->offset,
				   reader_fault(reader)->cause));
}

static void emit(struct run *run, const struct turn *turn,
		 struct batch_lines *lines)
{
	const char *file = input_name(turn->name->path);

	if (turn->status != READER_PACKET)
		progress_before_output();
	run->sink.file = file;
	if (!lines_emit(lines, &run->sink) || turn->out_of_memory) {
		run->partial = true;
		worst(run, trouble("%s: out of memory", file));
	}
	if (turn->error) {
		worst(run, trouble("%s: %s", file, strerror(turn->error)));
		if (turn->name->folder)
			turn->name->folder->said = true;
		run->total.files++;
		run->total.unreadable++;
	}
	if (turn->status != READER_PACKET && turn->input) {
		end_file(run, turn);
		pthread_mutex_lock(&run->in);
		release(turn->input);
		pthread_mutex_unlock(&run->in);
	}
	show_progress(run, turn->consumed);
	if (turn->status != READER_PACKET) {
		run->bytes_done += turn->name->size;
		run->ended++;
	}
}

/* --- threads
 * ------------------------------------------------------------------ */

static void *work(void *arg)
{
	struct run *run = arg;
	struct batch batch = { 0 };
	struct turn turn;
	struct batch_lines lines;
	bool ok = lines_init(&lines, run->o);

	while (ok && take_turn(run, &turn, &batch)) {
		if (turn.name)
			lines.file = input_name(turn.name->path);
		for (unsigned i = 0; i < batch.count && ok; i++)
			ok = lines_packet(&lines, &batch.packets[i]);
		turn.out_of_memory = !ok;
		pthread_mutex_lock(&run->out);
		while (run->turn != turn.number)
			pthread_cond_wait(&run->turned, &run->out);
		if (turn.name)
			emit(run, &turn, &lines);
		run->turn++;
		pthread_cond_broadcast(&run->turned);
		pthread_mutex_unlock(&run->out);
	}
	lines_free(&lines);
	batch_free(&batch);
	return NULL;
}

/*
 * Alone, each packet is looked at as soon as it is read: summing it brings the
 * header of the next one into the cache, which a batch has to wait for twice.
 */
static bool look_at_some(struct turn *turn, struct batch_lines *lines)
{
	struct packet packet;

	for (int i = 0; i < BATCH_PACKETS; i++) {
		turn->status = reader_next(turn->input->reader, &packet);
		if (turn->status != READER_PACKET)
			break;
		if (!lines_packet(lines, &packet))
			return false;
	}
	turn->consumed = reader_consumed(turn->input->reader);
	return true;
}

static void work_alone(struct run *run)
{
	struct batch_lines lines;
	bool ok = lines_init(&lines, run->o);

	while (ok && is_more(run)) {
		struct turn turn = { .name = &run->names[run->next_name],
				     .status = READER_END };

		if (!run->input)
			open_next(run, &turn);
		turn.input = run->input;
		lines.file = input_name(turn.name->path);
		if (run->input)
			ok = look_at_some(&turn, &lines);
		turn.out_of_memory = !ok;
		if (turn.status != READER_PACKET) {
			run->input = NULL;
			run->next_name++;
		}
		emit(run, &turn, &lines);
	}
	lines_free(&lines);
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

/* Without memory, threads end before the files do. */
static void check_all_ended(struct run *run)
{
	if (run->ended < run->nnames && !ferror(stdout))
		worst(run, trouble("out of memory: %zu of %zu files were not "
				   "read, or not to their end",
				   run->nnames - run->ended, run->nnames));
}

/* Whoever asks for a directory expects a capture in it: none is not clean. */
static void check_folders(struct run *run)
{
	if (run->ended < run->nnames)
		return;
	for (int i = 0; i < run->nfolders; i++)
		if (!run->folders[i].said)
			worst(run, trouble("%s: no capture in this directory",
					   run->folders[i].path));
}

static void first_interrupt(int signal)
{
	(void)signal;
}

/*
 * Ctrl-C goes to all of `tcpdump -w - | csum verify -`.  The first one is for
 * whoever writes into the pipe: what follows is the end of the input, and the
 * summary.  The second one is for this process.
 */
static void let_pipe_end(const struct run *run)
{
	struct sigaction action = { .sa_handler = first_interrupt,
				    .sa_flags = SA_RESTART | SA_RESETHAND };
	struct sigaction old;
	struct stat st;

	if (run->nnames != 1 || strcmp(run->names[0].path, "-") != 0 ||
	    fstat(STDIN_FILENO, &st) != 0 || !S_ISFIFO(st.st_mode) ||
	    sigaction(SIGINT, NULL, &old) != 0 || old.sa_handler == SIG_IGN)
		return;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
}

/* What nobody pipes in is not typed, either: say what is waited for. */
static void say_waiting(const struct run *run)
{
	if (run->nnames == 1 && strcmp(run->names[0].path, "-") == 0 &&
	    isatty(STDIN_FILENO))
		fputs("csum verify: waits for a capture on standard input; "
		      "name a FILE, or\n`tcpdump -w - | csum verify -`, or "
		      "`csum verify --help`.  Ctrl-C ends this.\n",
		      stderr);
}

int verify_files(const struct verify_options *o)
{
	struct run run = {
		.o = o,
		.form = form_of(o->form, &o->rules),
		.in = PTHREAD_MUTEX_INITIALIZER,
		.taken = PTHREAD_COND_INITIALIZER,
		.out = PTHREAD_MUTEX_INITIALIZER,
		.turned = PTHREAD_COND_INITIALIZER,
	};

	run.file = tally_new();
	run.total.tally = tally_new();
	if (!run.file || !run.total.tally ||
	    !sink_init(&run.sink, o, run.file) || !add_names(&run)) {
		worst(&run, trouble("out of memory"));
	} else {
		let_pipe_end(&run);
		say_waiting(&run);
		print_start(o);
		clock_gettime(CLOCK_MONOTONIC, &run.start);
		progress_begin("");
		run_threads(&run);
		progress_end();
		if (run.nnames != 1)
			rankings_print(&run.sink.rankings, o);
		print_total(o, &run.total);
		check_all_ended(&run);
		check_folders(&run);
	}
	if (run.input) /* nobody takes what would come */
		release(run.input);
	sink_free(&run.sink);
	free(run.file);
	free(run.total.tally);
	merged_free(&run.total.merged);
	for (size_t i = 0; i < run.nnames; i++)
		free(run.names[i].path);
	free(run.names);
	free(run.folders);
	return run.status;
}
