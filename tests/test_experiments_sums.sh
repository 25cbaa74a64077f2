#!/bin/bash
# `csum bench NAME`, the experiments with sums and copies: their structure.
# No figure is judged: this must pass on any machine, however busy.
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=experiments.sh
. "$(dirname "$0")/experiments.sh"

has() {
	"$CSUM" routines | awk -v name="$1" '
		$1 == name && $4 != "no" { found = 1 } END { exit !found }'
}

run 2 module word
silent out
says err "module: 'word' means nothing"
if has adc_64; then
	run 0 module -t 0.3
	fits
	says out '^  both .*adc2_mixed\+ahead5 +494 +0\.565 '
	ok "... three cases of four ways" test \
		"$(grep -cE '^  (base|prefetch|two chains|both) .* [0-9.]+$' \
			"$tmp/out")" -eq 12
	says out 'gains: [0-9], losses: [0-9], '
	run 0 module -t 0.3 --json
	holds 'd["experiment"] == "module" and len(runs) == 3'
	holds 'all(len(run["rows"]) == 4 and len(run["verdicts"]) == 3 for run in runs)'
	holds '[run["settings"]["order"] for run in runs] == ["same", "sequential", "random-even"]'
else
	run 2 module -t 1
	silent out
	says err 'adc_64'
fi

run 0 cksum-perf -t 0.5
fits
says out '^Published: 16\.1 ticks '
says out '^ticks +of .* per ns of CLOCK_MONOTONIC'
ok "... six sizes, aligned and not" test \
	"$(grep -cE '^ *[0-9]+ (un)?aligned +[0-9]' "$tmp/out")" -eq 12
ok "... six verdicts" test "$(grep -cE \
	'^ *[0-9]+ (faster|slower|no difference|too noisy)' "$tmp/out")" -eq 6
run 0 cksum-perf portable csum_partial -t 0.5 --json
holds 'len(runs) == 1 and len(rows) == 24'
holds '[r["size"] for r in rows[:12:2]] == [20, 21, 100, 101, 1500, 1501]'
holds 'all(r["ticks"] > 0 and r["ticks_last_tenth"] > 0 for r in rows)'
holds '{r["subject"]: r["kind"] for r in rows} == {"portable": "routine", "csum_partial": "public"}'
run 2 cksum-perf fastest
silent out
says err 'fastest: not a routine'

run 0 chunks -t 0.2
fits
ok "... sums and copies, in two places" test \
	"$(grep -c 'Published, .*: [0-9]* to [0-9]*$' "$tmp/out")" -eq 4
ok "... each with a winner or none" test \
	"$(grep -cE '(The winner is|No winner: [0-9]+ cannot)' "$tmp/out")" -eq 4
says out '^  portable +[0-9.]+ +[0-9.]+ +[0-9.]+ '
run 0 chunks -t 0.2 --json
holds 'len(runs) == 4'
holds '[run["rows"][0]["op"] for run in runs] == ["sum", "copy"] * 2'
holds 'all(run["rows"][-1]["kind"] == "limit" for run in runs)'
holds 'all(row["calls"] == 2048 for row in rows)'
holds 'runs[0]["settings"]["span"] == 4 << 20 and runs[0]["settings"]["jitter"] > 0'
run 2 chunks 2048
silent out

run 0 lengths uniform:8-64 -t 0.3
fits
says out '^uniform:8-64: 36 bytes on average'
says out '^csum_partial +([0-9.]+ +){5}([0-9.]+ \([0-9.]+ to [0-9.]+\)|too noisy to say)$'
run 0 lengths imix -t 0.3 --json
holds '[run["settings"]["period"] for run in runs] == [64, 1024, 16384, 262144, None]'
holds 'all(run["settings"]["mix"] == "imix" for run in runs)'
holds 'all(run["rows"][-1]["kind"] == "limit" and run["rows"][0]["x_base"] > 0 for run in runs)'
holds 'len({row["calls"] for row in rows if row["subject"] == "portable"}) > 1'
run 2 lengths uniform:9-8
silent out
says err 'uniform:9-8: not LOW-HIGH'

head -c 70000 /dev/urandom >"$tmp/bytes"
if has adc_64; then
	run 0 split "$tmp/bytes" 4k -t 0.5
	fits
	want=$(tail -c +4097 "$tmp/bytes" | head -c 65536 | "$CSUM" sum |
		sed 's/.* sum 0x\([0-9a-f]*\).*/\1/')
	ok "... with the sum of these bytes, five times" test \
		"$(grep -cE "^[a-z0-9].* $want\$" "$tmp/out")" -eq 5
	says out "^All results are the model's, $want\.\$"
	says out 'bytes +65536 of .*/bytes from offset 4096'
	ok "... four verdicts" test "$(grep -cE \
		'^(by|128).* (faster|slower|no difference|too noisy)' "$tmp/out")" -eq 4
	run 0 split -t 0.2 --json
	holds 'len(rows) == 6 and len(runs[0]["verdicts"]) == 4'
	holds 'len({r["result"] for r in rows}) == 1'
	run 0 split --pages huge -t 0.2
	says out '^pages +.*pages'
	run 0 split - 4k -t 0.2 < <(cat "$tmp/bytes")
	says out "^All results are the model's, $want\.\$"
else
	run 2 split
	says err 'adc_64'
fi
run 2 split "$tmp/bytes" 4465
silent out
says err 'bytes: too short: 65536 bytes are needed from offset 4465, it has 65535'
run 2 split "$tmp/bytes" 8E
says err "'8E' is not an offset"
run 2 split "$tmp/bytes" 0 1
says err "'1' is too much"
run 2 split "$tmp"
says err 'Is a directory'
run 2 split "$tmp/missing"
says err 'No such file'
silent out

if has adc_64; then
	run 0 prefetch -t 0.3
	fits
	ok "... three states of four sizes and policies" test \
		"$(grep -cE '^  (ahead|bounded|lead|above)( +[0-9]+){17}$' \
			"$tmp/out")" -eq 48
	ok "... a map for each" test "$(grep -cE \
		'^ (ahead|bounded|lead|above) +([#+.oO]{17} ?){4}$' \
		"$tmp/out")" -eq 12
	ok "... the best of each" test "$(grep -cE \
		'^ +[0-9]+ [a-z]+:[0-9]+ +(faster|slower|no difference|too noisy)' \
		"$tmp/out")" -eq 12
	says out '^beside +stream, '
	run 0 prefetch adc2_halves 100 2k -t 0.3 --json
	holds 'titles == ["hot", "cold", "neighbour"]'
	holds 'all(len(run["rows"]) == 2 * (1 + 4 * 17) for run in runs)'
	holds '{r["prefetch"]["policy"] for r in rows} == {"none", "ahead", "bounded", "lead", "above"}'
	holds '{r["size"] for r in rows} == {100, 2048}'
	holds 'runs[0]["settings"]["span"] == 0 and runs[1]["settings"]["span"] >= 1 << 28'
	holds 'runs[2]["settings"]["background"].startswith("stream")'
	run 2 prefetch adc_chain
	silent out
	says err 'adc_chain: it takes no prefetching'
	run 2 prefetch adc_64 adc2_halves
	says err 'one routine at a time'
fi
run 2 prefetch 0
says err "'0' is not a number of bytes"
run 2 prefetch 1 2 3 4 5 6 7 8 9
says err 'more than 8 sizes'
silent out

# peer NAME MEMBERS - a shared object with one routine, NAME
peer() {
	cat >"$tmp/$1.c" <<C
#include <csum-plugin.h>
static uint32_t plain(const void *buf, size_t len, uint32_t sum)
{
	const unsigned char *p = buf;
	uint64_t s = sum;
	for (size_t i = 0; i < len; i++) s += i & 1 ? (uint64_t)p[i] << 8 : p[i];
	while (s >> 32) s = (s & 0xffffffff) + (s >> 32);
	return (uint32_t)s;
}
static uint32_t wrong(const void *buf, size_t len, uint32_t sum)
{
	return plain(buf, len, sum) + 1;
}
static uint32_t copy(void *dst, const void *src, size_t len, uint32_t sum)
{
	for (size_t i = 0; i < len; i++) ((char *)dst)[i] = ((const char *)src)[i];
	return plain(src, len, sum);
}
uint32_t (*const unused[])(const void *, size_t, uint32_t) = { plain, wrong };
uint32_t (*const unused_too)(void *, const void *, size_t, uint32_t) = copy;
CSUM_PLUGIN = { { .name = "$1", .idea = "as $1 does", $2 }, { 0 } };
C
	ok "$1 compiles" "${CC:-cc}" -O1 -I"$here/../lab" -shared -fPIC \
		"$tmp/$1.c" -o "$tmp/$1.so"
}
here=$(cd "$(dirname "$0")" && pwd)
peer plain '.sum = plain, .max = 9000'
peer wrong '.sum = wrong'
peer copies '.copy = copy'
run 0 peers "$tmp/plain.so" -t 0.3
fits
says out '^plain: as plain does$'
ok "... ten sizes" test "$(grep -cE \
	'^ +[0-9]+ +[0-9.]+ +[0-9.]+ +([0-9.]+ \([0-9.]+ to [0-9.]+\) [a-z]+|too noisy to say)|right to 9000 bytes only$' \
	"$tmp/out")" -eq 10
says out '^ +16384 right to 9000 bytes only'
says out 'at [0-9] of 9 sizes, faster at [0-9]'
run 0 peers "$tmp/plain.so" -t 0.3 --json
holds '{r["subject"]: r["kind"] for r in rows} == {"csum_partial": "public", "plain": "plugin", "read": "limit"}'
holds 'len(runs[0]["verdicts"]) == 9'
run 2 peers "$tmp/wrong.so"
silent out
says err 'wrong: wrong: sum of 0 bytes'
run 2 peers "$tmp/copies.so"
silent out
says err 'none of these sums'
run 2 peers "$tmp/missing.so"
says err '^csum: [^-].*missing.so: .*No such file'
# somewhere else there is nothing beside it
mkdir -p "$tmp/a/b/c"
cp "$CSUM" "$tmp/a/b/c/csum"
expect 2 "$tmp/a/b/c/csum" bench peers
silent out
says err 'scripts/peers makes them'

tap_done
