/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_sum.c - `csum sum`: the checksum of any bytes. */
#include <arpa/inet.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli.h"
#include "csum.h"
#include "terminal.h"

struct sum_options {
	uint64_t offset, length;
	bool hex;
};

/* The bytes of one input on their way into the sum. */
struct stream {
	const struct sum_options *opt;
	const char *file;
	uint64_t at;   /* BYTES of data seen, offset included */
	uint64_t done; /* BYTES summed */
	csum_wsum sum;
	int nibble; /* first half of a hex byte, or -1 */
};

enum { CHUNK = 1 << 20 };

static void add(struct stream *s, const unsigned char *p, size_t len)
{
	uint64_t skip = s->opt->offset > s->at ? s->opt->offset - s->at : 0;
	uint64_t left = s->opt->length - s->done;

	s->at += len;
	if (skip >= len)
		return;
	p += skip;
	len -= (size_t)skip;
	if (len > left)
		len = (size_t)left;
	s->sum = csum_combine(s->sum, csum_partial(p, len, 0),
			      (size_t)(s->done & 1));
	s->done += len;
}

static int hex_value(int c)
{
	if (isdigit(c))
		return c - '0';
	return isxdigit(c) ? tolower(c) - 'a' + 10 : -1;
}

/*
 * Decodes in place, since two characters make one byte.  Blanks and the usual
 * separators may stand between bytes.  Returns the BYTES decoded, or -1.
 */
static ssize_t decode_hex(struct stream *s, unsigned char *text, size_t len,
			  uint64_t text_at)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		int c = text[i], v = hex_value(c);

		if (v >= 0 && s->nibble >= 0) {
			text[n++] = (unsigned char)(s->nibble << 4 | v);
			s->nibble = -1;
		} else if (v >= 0) {
			s->nibble = v;
		} else if (c == 'x' && s->nibble == 0) {
			s->nibble = -1; /* 0x */
		} else if (s->nibble >= 0 ||
			   !(isspace(c) || c == ':' || c == '-' || c == ',')) {
			trouble("%s: offset %" PRIu64 ": %s",
				input_name(s->file), text_at + i,
				s->nibble >= 0 ? "half a hex byte"
					       : "not a hex digit");
			return -1;
		}
	}
	return (ssize_t)n;
}

static int finish(const struct stream *s)
{
	if (s->nibble >= 0)
		return trouble("%s: ends with half a hex byte",
			       input_name(s->file));
	if (s->at < s->opt->offset)
		return trouble("%s: offset %" PRIu64
			       " is past the end (%" PRIu64 " bytes)",
			       input_name(s->file), s->opt->offset, s->at);
	if (s->opt->length != UINT64_MAX && s->done < s->opt->length)
		return trouble("%s: %" PRIu64 " bytes from offset %" PRIu64
			       ", not %" PRIu64,
			       input_name(s->file), s->done, s->opt->offset,
			       s->opt->length);
	printf("checksum 0x%04x  sum 0x%04x  %" PRIu64 " bytes  ",
	       ntohs(csum_fold(s->sum)), ntohs(csum_to16(s->sum)), s->done);
	put_safe(stdout, s->file);
	putchar('\n');
	return EXIT_CLEAN;
}

static int sum_fd(struct stream *s, int fd, unsigned char *buf)
{
	uint64_t text_at = 0;
	ssize_t n;

	do {
		n = input_fill(fd, s->file, text_at, buf, CHUNK);
		if (n < 0)
			return EXIT_TROUBLE;
		if (s->opt->hex) {
			ssize_t bytes = decode_hex(s, buf, (size_t)n, text_at);

			if (bytes < 0)
				return EXIT_TROUBLE;
			add(s, buf, (size_t)bytes);
		} else {
			add(s, buf, (size_t)n);
		}
		text_at += (uint64_t)n;
	} while (n == CHUNK && s->done < s->opt->length);
	return finish(s);
}

static int sum_file(const void *options, const char *file)
{
	const struct sum_options *opt = options;
	struct stream s = { .opt = opt, .file = file, .nibble = -1 };
	unsigned char *buf = malloc(CHUNK);
	int fd = input_open(file), status = EXIT_TROUBLE;

	if (!buf)
		trouble("out of memory");
	else if (fd >= 0)
		status = sum_fd(&s, fd, buf);
	if (fd > STDIN_FILENO)
		close(fd);
	free(buf);
	return status;
}

#define AT(field) OPTION_AT(sum_options, field)

static const struct option_row rows[] = {
	{ .name = "offset",
	  .letter = 'o',
	  .arg = "N",
	  .take = option_number,
	  .target = AT(offset),
	  .help = "Skip N bytes first" },
	{ .name = "length",
	  .letter = 'l',
	  .arg = "N",
	  .take = option_number,
	  .target = AT(length),
	  .help = "Sum N bytes (default: to the end)" },
	{ .name = "hex",
	  .letter = 'x',
	  .take = option_flag,
	  .target = AT(hex),
	  .help = "The input is hex text; blanks, ':', ',', '-' and 0x may "
		  "stand between bytes, and N counts the bytes it stands for" },
	{ 0 },
};

const struct command_line sum_line = {
	.usage = "[FILE|-]...",
	.what = "Print the Internet checksum of each FILE, or of standard "
		"input.",
	.rows = rows,
	.more = "The checksum is the value of a checksum field; the sum is the "
		"same before complementing, and 0xffff means that data which "
		"includes its checksum is intact.  Numbers may be 0x hex, and "
		"end in k, M or G.\n\n"
		"Example: echo '0001 f203 f4f5 f6f7' | csum sum --hex",
};

int cmd_sum(int argc, char **argv)
{
	struct sum_options opt = { .length = UINT64_MAX };
	int first, status;

	status = options_parse(&sum_line, argc, argv, &opt, &first);
	if (status != OPTIONS_TAKEN)
		return status;
	return each_file(first, argc, argv, sum_file, &opt);
}
