/* SPDX-License-Identifier: BSD-2-Clause */
/* frames.c - which frames of a file are meant. */
#include "frames.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

/* --- numbers and ranges ----------------------------------------------------
 */

/* The number in @n characters at @text, from 1 on. */
static bool take_number(const char *text, size_t n, uint64_t *value)
{
	char number[24];

	if (n >= sizeof(number))
		return false;
	snprintf(number, sizeof(number), "%.*s", (int)n, text);
	return parse_size(number, value) && *value;
}

static bool add_range(struct frames *f, const char *text, size_t n)
{
	const char *dash = memchr(text, '-', n);
	const size_t first = dash ? (size_t)(dash - text) : n;
	struct frame_range *r = &f->ranges[f->count];

	if (f->count == FRAME_RANGES || !take_number(text, first, &r->first))
		return false;
	r->last = r->first;
	if (dash && (!take_number(dash + 1, n - first - 1, &r->last) ||
		     r->last < r->first))
		return false;
	f->count++;
	return true;
}

bool frames_add(struct frames *f, const char *text)
{
	do {
		const size_t n = strcspn(text, ",");

		if (!add_range(f, text, n))
			return false;
		text += n;
	} while (*text++ == ',');
	return true;
}

bool frames_have(const struct frames *f, uint64_t frame)
{
	for (unsigned i = 0; i < f->count; i++)
		if (frame >= f->ranges[i].first && frame <= f->ranges[i].last)
			return true;
	return false;
}

uint64_t frames_last(const struct frames *f)
{
	uint64_t last = 0;

	for (unsigned i = 0; i < f->count; i++)
		if (f->ranges[i].last > last)
			last = f->ranges[i].last;
	return last;
}

/* --- a flow ----------------------------------------------------------------
 */

struct flow_end {
	char address[INET6_ADDRSTRLEN];
	char port[24]; /* "" if it is left out */
};

static bool take_address(struct flow_end *e, const char *text, size_t n)
{
	uint8_t address[16];

	if (n >= sizeof(e->address))
		return false;
	snprintf(e->address, sizeof(e->address), "%.*s", (int)n, text);
	return inet_pton(AF_INET, e->address, address) == 1 ||
	       inet_pton(AF_INET6, e->address, address) == 1;
}

/* "A", "A:P", "[A]" or "[A]:P" in @n characters at @text. */
static bool take_end(struct flow_end *e, const char *text, size_t n)
{
	const bool brackets = n && *text == '[';
	const char *stop = memchr(text, brackets ? ']' : ':', n);
	const size_t len = stop ? (size_t)(stop - text) : n;
	const char *rest = text + len + brackets, *end = text + n;
	uint64_t port;

	*e->port = 0;
	if ((brackets && !stop) ||
	    !take_address(e, text + brackets, len - brackets))
		return false;
	if (rest == end)
		return true;
	if (*rest != ':' ||
	    !take_number(rest + 1, (size_t)(end - rest) - 1, &port) ||
	    port > UINT16_MAX)
		return false;
	snprintf(e->port, sizeof(e->port), "%u", (unsigned)port);
	return true;
}

/* "src host A and src port P" */
static void put_end(char *buf, size_t size, const char *side,
		    const struct flow_end *e)
{
	snprintf(buf, size, "%s host %s%s%s%s%s", side, e->address,
		 *e->port ? " and " : "", *e->port ? side : "",
		 *e->port ? " port " : "", e->port);
}

bool flow_expression(const char *text, char *buf, size_t size)
{
	const char *dash = strchr(text, '-');
	char from[2][160], to[2][160];
	struct flow_end a, b;

	if (!dash || !take_end(&a, text, (size_t)(dash - text)) ||
	    !take_end(&b, dash + 1, strlen(dash + 1)))
		return false;
	put_end(from[0], sizeof(from[0]), "src", &a);
	put_end(to[0], sizeof(to[0]), "dst", &b);
	put_end(from[1], sizeof(from[1]), "src", &b);
	put_end(to[1], sizeof(to[1]), "dst", &a);
	return (size_t)snprintf(buf, size, "(%s and %s) or (%s and %s)",
				from[0], to[0], from[1], to[1]) < size;
}
