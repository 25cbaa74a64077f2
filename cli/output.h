/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * output.h - a file that is written whole or not at all.
 *
 * It grows under another name in the same directory, and gets its own by
 * rename(2), which POSIX makes atomic: at any moment, that of a kill included,
 * the name stands for the old file or for the new one.
 */
#ifndef CSUM_OUTPUT_H
#define CSUM_OUTPUT_H

#include <stdbool.h>
#include <sys/stat.h>

struct output {
	int fd;
	/* private to output.c */
	char *name; /* of what it becomes; NULL: written directly */
	char *temp;
	bool in_place;
	struct stat old; /* in place: of what is replaced */
};

/*
 * To FILE, "-" being standard output; what is no regular file is written
 * directly.  @in: the input, which must be another file, or -1.  Refuses a name
 * that ends as that of a compressed file, a symbolic link to nothing, and a
 * file whose owner the new one cannot have.  All three return false after
 * saying why.
 */
bool output_open(struct output *o, const char *file, int in);

/*
 * To take the place of FILE, open as @in; keeps its mode and owner, and is on
 * the disk before it does.  output_commit() then refuses if FILE has been
 * changed or replaced since, as far as its device, inode, size and times tell
 * just before the rename.
 */
bool output_open_in_place(struct output *o, const char *file, int in);

/* It gets its name. */
bool output_commit(struct output *o);

/* It never was. */
void output_discard(struct output *o);

#endif
