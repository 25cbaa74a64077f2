/* SPDX-License-Identifier: BSD-2-Clause */
/* terminal.h - what a terminal can show: its width, safe text, filled text. */
#ifndef CSUM_TERMINAL_H
#define CSUM_TERMINAL_H

#include <stdio.h>

/*
 * COLUMNS of the terminal behind @f.  If @f is none: what COLUMNS in the
 * environment says, or 80.
 */
int terminal_width(FILE *f);

/*
 * Writes @text with each control character as \n, \t or \xHH, so that no name
 * of a file can give orders to a terminal: those of ASCII, DEL, and those of
 * C1, in UTF-8 as well as alone.
 */
void put_safe(FILE *f, const char *text);

/*
 * The same into @buf, cut off at @size; for a printf() that has more to say.
 * Returns @buf.
 */
const char *safe_text(const char *text, char *buf, size_t size);

/*
 * Fills lines with the words of @text, one line of it, so that each is shorter
 * than @width COLUMNS if its words are.  The cursor is at @column; what does
 * not fit goes on at @indent.
 */
void put_words(FILE *f, const char *text, int width, int column, int indent);

/*
 * Fills lines on standard output with the words of @text, up to the width of
 * the terminal but no more than 80 COLUMNS.  The cursor is at @column; what
 * does not fit goes on at @indent.  Each line of @text stays a line, and one
 * that begins with a blank is laid out already.
 */
void put_filled(const char *text, int column, int indent);

#endif
