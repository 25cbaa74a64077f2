/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_report.c - `csum report`: what bench or verify said, as one HTML page. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "output.h"
#include "page.h"
#include "writer.h"

#define SCHEMA "csum-bench/3"

struct report_options {
	const char *output; /* NULL: standard output, unless it is a terminal */
};

static const struct option_row rows[] = {
	{ .name = "output",
	  .letter = 'o',
	  .arg = "FILE",
	  .files = true,
	  .take = option_text,
	  .target = OPTION_AT(report_options, output),
	  .help = "Write to FILE; - is standard output, the default unless it "
		  "is a terminal" },
	{ 0 },
};

const struct command_line report_line = {
	.usage = "[RUN.json|-]...",
	.what = "Make one page of each RUN.json, or of standard input.  Of "
		"what `csum bench --json` measured: the fastest, throughput "
		"against size, in cache against out of it, prefetching, one "
		"routine against another, before and after, and all figures.  "
		"Of what `csum verify --json` or `csum merge --json` said: the "
		"conclusion, what is wrong, who, when and why.  The page needs "
		"no network and no other file.",
	.rows = rows,
	.more = "Runs of the same machine in cache and with --span are "
		"compared, and so are two runs of one kind: before and "
		"after.\n\n"
		"Examples:\n"
		"  csum verify --json --why --verdict bad,partial a.pcap |\n"
		"    csum report -o a.html\n"
		"  csum bench --json >hot.json\n"
		"  csum bench --json --span 256M >cold.json\n"
		"  csum report hot.json cold.json -o report.html",
};

/* Text in memory, and how much room there is for it. */
struct text {
	char *p;
	size_t len, room;
};

/* Makes room for @n more. */
static bool reserve(struct text *t, size_t n)
{
	size_t room = t->room ? t->room : 1 << 16;
	char *p;

	if (t->p && t->room - t->len >= n)
		return true;
	while (room - t->len < n)
		room *= 2;
	p = realloc(t->p, room);
	if (!p) {
		trouble("out of memory");
		return false;
	}
	t->p = p;
	t->room = room;
	return true;
}

static bool add(struct text *t, const void *p, size_t n)
{
	if (!reserve(t, n))
		return false;
	memcpy(t->p + t->len, p, n);
	t->len += n;
	return true;
}

static bool add_string(struct text *t, const char *s)
{
	return add(t, s, strlen(s));
}

/*
 * JSON that is in a script element ends it with "</script", and changes how it
 * is read with "<!--".  Only a string can hold a '<', and there it may be
 * written as an escape.
 */
static bool add_json(struct text *t, const char *p, size_t n)
{
	while (n > 0) {
		const char *less = memchr(p, '<', n);
		size_t plain = less ? (size_t)(less - p) : n;

		if (!add(t, p, plain) || (less && !add_string(t, "\\u003c")))
			return false;
		plain += less != NULL;
		p += plain;
		n -= plain;
	}
	return true;
}

/* The whole of FILE, which may be a pipe. */
static bool read_all(int fd, const char *file, struct text *t)
{
	ssize_t n;

	do {
		if (!reserve(t, 1 << 16))
			return false;
		n = input_fill(fd, file, t->len, t->p + t->len,
			       t->room - t->len);
		if (n < 0)
			return false;
		t->len += (size_t)n;
	} while (n > 0);
	return true;
}

/* Is FILE what would be overwritten?  rename() would not mind. */
static bool is_output(int fd, const char *output)
{
	struct stat in, out;

	return output && strcmp(output, "-") != 0 && fstat(fd, &in) == 0 &&
	       stat(output, &out) == 0 && S_ISREG(out.st_mode) &&
	       in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

static bool has_runs(json_t *doc)
{
	json_t *runs = json_object_get(doc, "runs"), *run;
	size_t i;

	if (json_array_size(runs) == 0)
		return false;
	json_array_foreach(runs, i, run)
	{
		if (!json_is_array(json_object_get(run, "rows")))
			return false;
	}
	return true;
}

static bool fits(json_t *doc, const char *name)
{
	const char *schema = json_string_value(json_object_get(doc, "schema"));

	if (!schema)
		trouble("%s: not of `csum bench --json` or `csum verify "
			"--json`: it names no schema",
			name);
	else if (strcmp(schema, SCHEMA) != 0)
		trouble("%s: is %s, not " SCHEMA "; measure again", name,
			schema);
	else if (!has_runs(doc))
		trouble("%s: has no runs with rows", name);
	else
		return true;
	return false;
}

/* What a reader of the page may know of a path: its last part, in ASCII. */
static bool add_name(struct text *page, const char *file)
{
	const char *slash = strrchr(file, '/');
	char *name = strdup(slash && slash[1] ? slash + 1 : input_name(file));
	json_t *string = NULL;
	char *quoted = NULL;
	bool ok;

	for (char *c = name; name && *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	if (name)
		string = json_string(name);
	if (string)
		quoted = json_dumps(string, JSON_ENCODE_ANY);
	ok = quoted && add_string(page, "{\"name\":") &&
	     add_json(page, quoted, strlen(quoted)) &&
	     add_string(page, ",\"data\":");
	free(quoted);
	json_decref(string);
	free(name);
	return ok || (trouble("out of memory"), false);
}

/* --- what verify said: an object in each line ------------------------------
 */

/* Lines for which a page has room; the page counts the rest by its total. */
enum { MOST_SITES = 20000 };

/* The lines of a run on their way into the page. */
struct lines {
	const char *name;
	uint64_t line, sites;
	bool total; /* the last line was one */
};

static bool line_wrong(const struct lines *l, const char *what)
{
	trouble("%s: line %" PRIu64 ": %s", l->name, l->line, what);
	return false;
}

/* Sites that are one too many are not added. */
static bool add_object(struct text *page, struct lines *l, const char *line,
		       size_t n, const json_t *o)
{
	const char *type = json_string_value(json_object_get(o, "type"));

	if (!type)
		return line_wrong(l, "an object without a type");
	if (l->total)
		return line_wrong(l, "goes on behind its total: csum merge "
				     "makes one run of several");
	l->total = strcmp(type, "total") == 0;
	if (strcmp(type, "site") == 0 && ++l->sites > MOST_SITES)
		return true;
	return (l->line == 1 || add_string(page, ",")) &&
	       add_json(page, line, n);
}

static bool add_line(struct text *page, struct lines *l, const char *line,
		     size_t n)
{
	json_error_t e;
	json_t *o = json_loadb(line, n, 0, &e);
	bool ok;

	l->line++;
	if (!o)
		return line_wrong(l, e.text);
	ok = add_object(page, l, line, n, o);
	json_decref(o);
	return ok;
}

/* As a list of objects. */
static bool add_lines(struct text *page, const char *file, const struct text *t)
{
	struct lines l = { .name = input_name(file) };
	size_t at = 0;

	if (!add_name(page, file) || !add_string(page, "["))
		return false;
	while (at < t->len) {
		const char *end = memchr(t->p + at, '\n', t->len - at);
		const size_t next = end ? (size_t)(end - t->p) : t->len;

		if (!add_line(page, &l, t->p + at, next - at))
			return false;
		at = next + 1;
	}
	if (!l.total)
		return line_wrong(&l, "the run did not come to its end: no "
				      "total follows");
	return add_string(page, "]}");
}

/* Its first line says so. */
static bool is_of_verify(const struct text *t)
{
	static const char start[] = "{\"type\":\"schema\","
				    "\"name\":\"csum-verify\"";

	return t->len >= sizeof(start) - 1 &&
	       memcmp(t->p, start, sizeof(start) - 1) == 0;
}

/* FILE goes in as it is: its figures keep their digits. */
static bool add_text(struct text *page, const char *file, const struct text *t)
{
	json_error_t e;
	json_t *doc;
	bool ok;

	if (t->len == 0) {
		trouble("%s: is empty", input_name(file));
		return false;
	}
	if (is_of_verify(t))
		return add_lines(page, file, t);
	doc = json_loadb(t->p, t->len, 0, &e);
	if (!doc) {
		trouble("%s: line %d, column %d: not JSON: %s",
			input_name(file), e.line, e.column, e.text);
		return false;
	}
	ok = fits(doc, input_name(file)) && add_name(page, file) &&
	     add_json(page, t->p, t->len) && add_string(page, "}");
	json_decref(doc);
	return ok;
}

static bool add_file(struct text *page, const char *file, const char *output)
{
	struct text t = { 0 };
	int fd = input_open(file);
	bool ok = false;

	if (fd < 0)
		return false;
	if (is_output(fd, output))
		trouble("%s: is the input too", output);
	else
		ok = read_all(fd, file, &t) && add_text(page, file, &t);
	if (fd > STDIN_FILENO)
		close(fd);
	free(t.p);
	return ok;
}

static bool add_files(struct text *page, char **files, size_t n,
		      const char *output)
{
	bool ok = true;

	/* all that are wrong are named */
	for (size_t i = 0; i < n; i++)
		ok = (i == 0 || add_string(page, ",")) &&
		     add_file(page, files[i], output) && ok;
	return ok;
}

static int write_page(const struct text *page, const char *file)
{
	struct output out;
	int error;

	if (!output_open(&out, file, -1))
		return EXIT_TROUBLE;
	error = write_all(out.fd, (const uint8_t *)page->p, page->len);
	if (error) {
		output_discard(&out);
		return trouble("%s: %s",
			       strcmp(file, "-") == 0 ? "standard output"
						      : file,
			       strerror(error));
	}
	return output_commit(&out) ? EXIT_CLEAN : EXIT_TROUBLE;
}

static int make_page(const struct report_options *opt, char **files, size_t n)
{
	struct text page = { 0 };
	int status = EXIT_TROUBLE;

	if (add(&page, csum_page, csum_page_len) && add_string(&page, "[") &&
	    add_files(&page, files, n, opt->output) &&
	    add_string(&page, "]</script>\n"))
		status = write_page(&page, opt->output ? opt->output : "-");
	free(page.p);
	return status;
}

int cmd_report(int argc, char **argv)
{
	struct report_options opt = { 0 };
	char *input = "-";
	int first, status;

	status = options_parse(&report_line, argc, argv, &opt, &first);
	if (status != OPTIONS_TAKEN)
		return status;
	if (csum_page_len == 0)
		return trouble("this build has no page: run scripts/page, "
			       "which needs npm, and build again");
	if (!opt.output && isatty(STDOUT_FILENO))
		return trouble("a page is not for a terminal: use -o FILE");
	if (first == argc)
		return make_page(&opt, &input, 1);
	return make_page(&opt, argv + first, (size_t)(argc - first));
}
