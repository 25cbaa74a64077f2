/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * receive.c - a receive loop that sums while it copies.
 *
 *   cc receive.c $(pkg-config --cflags --libs csum) && ./a.out <FILE
 *
 * What arrives has to be copied to its reader anyway; summed meanwhile, it is
 * read once instead of twice.  Pieces arrive in any length, odd ones too.
 * Prints the checksum of all that came, as `csum sum FILE` does.
 */
#include <csum.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct message {
	unsigned char *data;
	size_t len, room;
	csum_wsum sum;
};

static int make_room(struct message *m, size_t n)
{
	unsigned char *data;

	if (m->room - m->len >= n)
		return 0;
	data = realloc(m->data, 2 * (m->room + n));
	if (!data)
		return -1;
	m->data = data;
	m->room = 2 * (m->room + n);
	return 0;
}

/* One piece, behind those that are there. */
static int take(struct message *m, const unsigned char *piece, size_t n)
{
	csum_wsum sum;

	if (make_room(m, n))
		return -1;
	sum = csum_copy(m->data + m->len, piece, n, 0);
	/* behind an odd length it lies in the other half of its words */
	m->sum = csum_combine(m->sum, sum, m->len);
	m->len += n;
	return 0;
}

int main(void)
{
	/* odd, so that every other piece is at an odd place */
	unsigned char piece[1447];
	struct message m = { 0 };
	ssize_t n;

	while ((n = read(STDIN_FILENO, piece, sizeof(piece))) > 0)
		if (take(&m, piece, (size_t)n))
			return 2;
	if (n < 0)
		return 2;
	free(m.data);
	printf("%04x\n", csum_be16_from_host(csum_fold(m.sum)));
	return 0;
}
