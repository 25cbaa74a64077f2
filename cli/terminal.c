/* SPDX-License-Identifier: BSD-2-Clause */
/* terminal.c - what a terminal can show; see terminal.h. */
#include "terminal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* What the environment says, within reason. */
static int told_width(void)
{
	const char *told = getenv("COLUMNS");
	const int columns = told ? atoi(told) : 0;

	return columns >= 20 && columns <= 10000 ? columns : 80;
}

int terminal_width(FILE *f)
{
	struct winsize size;

	if (ioctl(fileno(f), TIOCGWINSZ, &size) == 0 && size.ws_col)
		return size.ws_col;
	return told_width();
}

/* --- safe text --------------------------------------------------------------
 */

enum { SAFE_CHAR = sizeof("\\xHH") };

/*
 * BYTES of the character of UTF-8 (RFC 3629) at @p that is no control
 * character, or 0: then the byte is not to be shown as it is.
 */
static size_t shown_length(const unsigned char *p)
{
	size_t n = *p < 0x80 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;

	if (*p < 0x20 || *p == 0x7f || (*p >= 0x80 && *p < 0xc2) || *p > 0xf4)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	/* U+0080 to U+009f; and what turns the order of letters around */
	if (*p == 0xc2 && p[1] < 0xa0)
		return 0;
	if (*p == 0xe2 && ((p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae) ||
			   (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9)))
		return 0;
	return n;
}

/* The character at @p as it is shown, in @out; returns the BYTES it has. */
static size_t next_safe(const unsigned char *p, char *out)
{
	size_t n = shown_length(p);

	if (n) {
		memcpy(out, p, n);
		out[n] = 0;
		return n;
	}
	if (*p == '\n' || *p == '\t')
		snprintf(out, SAFE_CHAR, "\\%c", *p == '\n' ? 'n' : 't');
	else
		snprintf(out, SAFE_CHAR, "\\x%02x", *p);
	return 1;
}

void put_safe(FILE *f, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	char out[SAFE_CHAR];

	while (*p) {
		const unsigned char *begin = p;

		/* most names are plain, and written at once */
		while (*p >= 0x20 && *p < 0x7f)
			p++;
		fwrite(begin, 1, (size_t)(p - begin), f);
		if (!*p)
			return;
		p += next_safe(p, out);
		fputs(out, f);
	}
}

const char *safe_text(const char *text, char *buf, size_t size)
{
	const unsigned char *p = (const unsigned char *)text;
	char out[SAFE_CHAR];
	size_t used = 0;

	while (*p) {
		p += next_safe(p, out);
		if (used + strlen(out) >= size)
			break;
		memcpy(buf + used, out, strlen(out));
		used += strlen(out);
	}
	buf[used] = 0;
	return buf;
}

/* --- lines that are not too wide -------------------------------------------
 */

static int text_width(void)
{
	int columns = terminal_width(stdout);

	/* a wide text is hard to read, and a narrow one cannot be laid out */
	return columns > 80 ? 80 : columns < 50 ? 50 : columns;
}

void put_words(FILE *f, const char *text, int width, int column, int indent)
{
	bool first = true;

	while (*text && *text != '\n') {
		int n = (int)strcspn(text, " \n");

		if (!first && column + 1 + n >= width) {
			fprintf(f, "\n%*s", indent, "");
			column = indent;
		} else if (!first) {
			putc(' ', f);
			column++;
		}
		fprintf(f, "%.*s", n, text);
		column += n;
		text += n + (text[n] == ' ');
		first = false;
	}
	putc('\n', f);
}

void put_filled(const char *text, int column, int indent)
{
	while (*text) {
		const char *end = text + strcspn(text, "\n");

		if (*text == ' ')
			printf("%.*s\n", (int)(end - text), text);
		else
			put_words(stdout, text, text_width(), column, indent);
		column = 0;
		text = *end ? end + 1 : end;
	}
}
