#!/bin/bash
# `csum bench --load`: the example plugin is measured, bad ones are refused.
. "$(dirname "$0")/tap.sh"
cd "$(dirname "$0")/.." || exit 2

# compile NAME, from standard input
compile() {
	cat >"$tmp/$1.c"
	ok "$1 compiles" "${CC:-cc}" -O1 -Ilab -shared -fPIC "$tmp/$1.c" \
		-o "$tmp/$1.so"
}

# plugin NAME BODY - whose sum has this body
plugin() {
	compile "$1" <<C
#include <csum-plugin.h>
static uint32_t right(const void *buf, size_t len, uint32_t sum)
{
	const unsigned char *p = buf;
	uint64_t s = sum;
	for (size_t i = 0; i < len; i++) s += i & 1 ? (uint64_t)p[i] << 8 : p[i];
	while (s >> 32) s = (s & 0xffffffff) + (s >> 32);
	return (uint32_t)s;
}
static uint32_t f(const void *buf, size_t len, uint32_t sum) { $2 }
CSUM_PLUGIN = { { .name = "$1", .idea = "", .sum = f, .max = ${3:-0} }, { 0 } };
C
}

# bench STATUS FILE OPTION... - briefly
bench() {
	local status=$1 file=$2
	shift 2
	expect "$status" "$CSUM" bench -t 0.05 -s 20 -o 0 --load "$file" "$@"
}

# rejected - as every bad plugin: nothing but the message
rejected() {
	silent out
	says err "$1"
}

# --- the example
cp examples/plugin/* "$tmp"
ok "the example builds with its Makefile" \
	make -s -C "$tmp" CPPFLAGS="-I$PWD/lab"
bench 0 "$tmp/mine.so"
says out '^mine +[0-9]'
says out '^csum_partial +[0-9]'
bench 0 "$tmp/mine.so" --json
ok "... is JSON" python3 -c '
import json, sys
rows = json.load(open(sys.argv[1]))["runs"][0]["rows"]
mine = [r for r in rows if r["subject"] == "mine"]
assert len(mine) == 1 and mine[0]["kind"] == "plugin", mine
assert mine[0]["x_base"] > 0 and mine[0]["base"] == "read"
' "$tmp/out"
bench 0 "$tmp/mine.so" --copy
says out '^mine +[0-9]'
says out '^memcpy +[0-9]'
bench 0 "$tmp/mine.so" -r mine -r portable
ok "... alone" test "$(grep -c '^csum_partial ' "$tmp/out")" -eq 0

# --- right as far as it goes
plugin short 'return right(buf, len, sum) + (len > 64);' 64
bench 0 "$tmp/short.so" -s 65
says out '^short +[0-9]'
says out '^short +right to 64 bytes only'
bench 0 "$tmp/mine.so" "$tmp/short.so"
says out '^mine +[0-9]'
says out '^short +[0-9]'

# --- wrong ones
plugin off_by_one 'return right(buf, len, sum) + 1;'
bench 2 "$tmp/off_by_one.so"
rejected 'off_by_one: wrong: sum of 0 bytes .* the model says 0x0000'
plugin too_long 'return right(buf, len, sum) + (len > 65535);'
bench 2 "$tmp/too_long.so"
rejected 'too_long: wrong: sum of 65536 bytes'
plugin modulo 'return right(buf, len, sum) % 0xffff;'
bench 2 "$tmp/modulo.so"
rejected 'modulo: wrong: sum of [0-9]+ bytes .*: 0x0000, the model says 0xffff'
plugin over_read 'return right(buf, len, sum) + (((volatile const char *)buf)[len] & 0);'
bench 2 "$tmp/over_read.so"
rejected 'over_read: reads beyond the end: sum of 0 bytes'
plugin abort '__builtin_trap();'
bench 2 "$tmp/abort.so"
rejected 'abort: crashes'
plugin under_read 'return right(buf, len, sum) + (((volatile const char *)buf)[-1] & 0);'
bench 2 "$tmp/under_read.so"
rejected 'under_read: reads in front of the source: sum of 0 bytes'
plugin scribbles 'if (len > 99) *(volatile char *)buf = 0; return right(buf, len, sum);'
bench 2 "$tmp/scribbles.so"
rejected 'scribbles: writes the source: sum of 100 bytes'
plugin hangs 'for (volatile size_t i = len; i == 100;) ; return right(buf, len, sum);'
bench 2 "$tmp/hangs.so"
rejected 'hangs: does not return: sum of 100 bytes'

# right at every trial: it sums anew when the first bytes have changed
plugin remembers 'static const void *last; static uint64_t head; static size_t n; static uint32_t was;
	uint64_t now = 0; __builtin_memcpy(&now, buf, len < 8 ? len : 8);
	if (sum || len < 300 || buf != last || len != n || now != head)
		{ last = buf; head = now; n = len; return was = right(buf, len, sum); }
	return was;'
expect 2 "$CSUM" bench -t 0.2 -s 9000 -o 0 -r remembers --load "$tmp/remembers.so"
rejected 'remembers: faster than the loop that only reads, so the routine remembers'

# copier NAME BODY - whose copy does this after a right one
copier() {
	compile "$1" <<C
#include <csum-plugin.h>
#include <string.h>
static uint32_t f(void *dst, const void *src, size_t len, uint32_t sum)
{
	const unsigned char *p = src;
	unsigned char *d = dst;
	uint64_t s = sum;
	memcpy(dst, src, len);
	for (size_t i = 0; i < len; i++) s += i & 1 ? (uint64_t)p[i] << 8 : p[i];
	while (s >> 32) s = (s & 0xffffffff) + (s >> 32);
	$2
	return (uint32_t)s;
}
CSUM_PLUGIN = { { .name = "$1", .idea = "", .copy = f }, { 0 } };
C
}
copier right_copy '(void)d;'
bench 0 "$tmp/right_copy.so" --copy
copier guesses 'd[len] = 0xa5;'
bench 2 "$tmp/guesses.so" --copy
rejected 'guesses: writes outside the destination'
copier guesses_before 'if (len) d[-1] = 0xa5;'
bench 2 "$tmp/guesses_before.so" --copy
rejected 'guesses_before: writes outside the destination: copy of 1 bytes'

# --- what is bad as soon as it is loaded
constructor() {
	compile "$1" <<C
#include <csum-plugin.h>
#include <stdlib.h>
static uint32_t f(const void *buf, size_t len, uint32_t sum)
{
	(void)buf, (void)len;
	return sum;
}
__attribute__((constructor)) static void begin(void) { $2 }
CSUM_PLUGIN = { { .name = "$1", .idea = "", .sum = f }, { 0 } };
C
}
constructor crashes_early '__builtin_trap();'
bench 2 "$tmp/crashes_early.so"
rejected 'crashes_early.so: loading it crashes: '
constructor ends_early '_Exit(0);'
bench 2 "$tmp/ends_early.so"
rejected 'ends_early.so: loading it ends the program'
constructor hangs_early 'for (volatile int i = 0; !i;) ;'
bench 2 "$tmp/hangs_early.so"
rejected 'hangs_early.so: loading it does not end'
# cut off in parts that are loaded; what is behind them nobody needs
size=$(wc -c <"$tmp/mine.so")
for part in 1 10 30 50; do
	head -c $((size * part / 100)) "$tmp/mine.so" >"$tmp/cut.so"
	bench 2 "$tmp/cut.so"
	rejected 'cut.so: '
done

# --- not plugins
bench 2 "$tmp/missing.so"
rejected 'load=.*missing.so: .*No such file'
echo text >"$tmp/text.so"
bench 2 "$tmp/text.so"
rejected 'load=.*text.so: '
compile no_table <<<'int x;'
bench 2 "$tmp/no_table.so"
rejected 'no_table.so: it has no csum_plugin_1; see csum-plugin.h'
compile empty <<<'#include <csum-plugin.h>
CSUM_PLUGIN = { { 0 } };'
bench 2 "$tmp/empty.so"
rejected 'empty.so: its table is empty'
compile nameless <<<'#include <csum-plugin.h>
CSUM_PLUGIN = { { .name = "a b" }, { 0 } };'
bench 2 "$tmp/nameless.so"
rejected "'a b' is not a name"
compile idle <<<'#include <csum-plugin.h>
CSUM_PLUGIN = { { .name = "idle" }, { 0 } };'
bench 2 "$tmp/idle.so"
rejected "'idle' neither sums nor copies"
expect 2 "$CSUM" bench "$tmp/mine.so"
says err "is no experiment"

tap_done
