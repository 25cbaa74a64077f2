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
	int in;		      /* in place: what is read and replaced */
	struct stat old, new; /* in place: of that, and of the output */
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
 * To take the place of FILE, open as @in until the commit; keeps its mode and
 * owner, and is on the disk before it does.  output_commit() refuses, and FILE
 * stays, if FILE has been changed or replaced since it was opened, as far as
 * its device, inode, size and times tell, or if anybody has FILE open for
 * writing.  Both are looked at once more after the two files have changed
 * places (renameat2(2)), and they change back if need be; so nothing is lost
 * that gets the name, or is written, in the last moment.  A kill that cannot be
 * caught, in that moment, leaves the old file under the other name.
 */
bool output_open_in_place(struct output *o, const char *file, int in);

/* It gets its name. */
bool output_commit(struct output *o);

/* It never was. */
void output_discard(struct output *o);

#endif
