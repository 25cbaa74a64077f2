/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * read_loop.h - the body of a read-only loop; limit.c includes it once for each
 * width.  No include guard, on purpose.
 *
 *   READ_NAME            the function to define
 *   READ_TARGET          its attribute
 *   VEC, LOAD, ANY       a register, how to fill it from any address, and a
 *                        number that is 0 only if all its bits are
 *   READ_SHORT(p, len)   for less than one register
 *
 * Bytes may be read twice, since OR does not mind.  So there is no tail: from
 * both ends come two registers each, all of them if that is enough, and in
 * between runs a loop at aligned addresses, which may reach into either end.
 * The code begins a cache line, so that where the linker puts it says nothing.
 */
__attribute__((aligned(64))) READ_TARGET static csum_wsum READ_NAME(
	const void *buf, size_t len, csum_wsum sum)
{
	enum { W = sizeof(VEC) };
	const uint8_t *p = buf, *end = p + len;
	VEC a, b, c, d;

	(void)sum;
	if (len < W)
		return READ_SHORT(p, len);
	a = LOAD(p);
	b = LOAD(end - W);
	if (len <= 2 * W)
		return ANY(a | b);
	c = LOAD(p + W);
	d = LOAD(end - 2 * W);
	if (len <= 4 * W)
		return ANY((a | b) | (c | d));
	p += 2 * W - (uintptr_t)p % W;
	end -= 2 * W;
	for (; end - p >= 4 * W; p += 4 * W) {
		a |= LOAD(p);
		b |= LOAD(p + W);
		c |= LOAD(p + 2 * W);
		d |= LOAD(p + 3 * W);
	}
	for (; p < end; p += W)
		a |= LOAD(p);
	return ANY((a | b) | (c | d));
}

#undef READ_NAME
#undef READ_TARGET
#undef VEC
#undef LOAD
#undef ANY
#undef READ_SHORT
