/* SPDX-License-Identifier: BSD-2-Clause */
/* cases.c - JSON to numbers and bytes. */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cases_each(void (*one)(const json_t *c))
{
	static json_error_t error;
	const char *shared = getenv("CSUM_SHARED");
	char path[4096];
	json_t *root, *c;
	size_t i;

	snprintf(path, sizeof(path), "%s/cases/cases.json",
		 shared ? shared : "../shared");
	root = json_load_file(path, 0, &error);
	if (!root)
		return error.text;
	json_array_foreach(json_object_get(root, "cases"), i, c) one(c);
	json_decref(root);
	return NULL;
}

uint64_t number(const json_t *obj, const char *key)
{
	const json_t *v = json_object_get(obj, key);

	if (json_is_integer(v))
		return (uint64_t)json_integer_value(v);
	return json_is_string(v) ? strtoull(json_string_value(v), NULL, 16) : 0;
}

const char *text(const json_t *obj, const char *key)
{
	const char *s = json_string_value(json_object_get(obj, key));

	return s ? s : "";
}

static void append_hex(struct bytes *b, const char *hex)
{
	for (; hex[0] && hex[1]; hex += 2) {
		char pair[3] = { hex[0], hex[1], 0 };

		b->p[b->len++] = (uint8_t)strtoul(pair, NULL, 16);
	}
}

struct bytes from_hex(const char *hex)
{
	struct bytes b = { malloc(strlen(hex) / 2 + 1), 0 };

	append_hex(&b, hex);
	return b;
}

struct bytes from_pieces(const json_t *list)
{
	struct bytes b = { NULL, 0 };
	size_t i, size = 1;
	const json_t *v;

	json_array_foreach(list, i, v)
	{
		size_t n = (size_t)number(v, "inc");
		size_t repeat = (size_t)number(v, "repeat");

		size += n + strlen(text(v, "hex")) * (repeat ? repeat : 1);
	}
	b.p = malloc(size);
	json_array_foreach(list, i, v)
	{
		size_t n = (size_t)number(v, "inc");
		size_t repeat = (size_t)number(v, "repeat");

		for (size_t k = 0; k < n; k++)
			b.p[b.len++] = (uint8_t)k;
		for (size_t k = 0; k < (repeat ? repeat : 1); k++)
			append_hex(&b, text(v, "hex"));
	}
	return b;
}
