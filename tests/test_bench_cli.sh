#!/bin/bash
# `csum bench`: options, exit status, and that the JSON holds what it should.
# No figure is judged: this must pass on any machine, however busy.
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")

# bench STATUS OPTION... - leaves $tmp/out and $tmp/err
bench() {
	want=$1
	shift
	"$CSUM" bench "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	[ $status -eq "$want" ] || {
		echo "csum bench $*: exit status $status, not $want"
		cat "$tmp/err"
		return 1
	}
}

# refuses TEXT OPTION... - exit status 2, says TEXT, prints no figures
refuses() {
	text=$1
	shift
	bench 2 "$@" && grep -qF -e "$text" "$tmp/err" && [ ! -s "$tmp/out" ]
}

json() {
	python3 -m json.tool "$tmp/out" /dev/null
}

json_is_whole() {
	"$CSUM" routines --json >"$tmp/routines" &&
		python3 - "$tmp/out" "$tmp/routines" <<'EOF'
import json, sys

d = json.load(open(sys.argv[1]))
routines = json.load(open(sys.argv[2]))["routines"]
assert d["schema"] == "csum-bench/3" and d["experiment"] == "rows"
assert d["command"].startswith("csum bench -t 0.05") and "--seed=42" in d["command"]
active = d["active"]
(d,) = d["runs"]
rounds = d["settings"]["rounds"]
routines = [r for r in routines if r["home"] == "library"]
want = ["csum_partial"] + [r["name"] for r in routines if r["usable"]] + ["read"]
rows = [(r["size"], r["offset"], r["subject"]) for r in d["rows"]]
assert rows == [(s, o, n) for s in (20, 1501) for o in (0, 1) for n in want], rows
for row in d["rows"] + [d["empty_call"]]:
    assert len(row["samples_ns"]) == rounds >= 5
    assert row["calls"] >= 1
    assert 0 < row["min_ns"] <= row["median_ns"]
    assert row["median_low_ns"] <= row["median_ns"] <= row["median_high_ns"]
    assert row["min_ns"] <= row["mean_ns"] and row["sd_ns"] >= 0
for row in d["rows"]:
    assert row["x_base"] > 0 and row["bytes_per_ns"] > 0
    assert row["base"] == "read" and row["op"] == "sum"
    assert row["mode"] == "throughput" and not row["left_out"]
    assert row["kind"] == {"csum_partial": "public", "read": "limit"}.get(
        row["subject"], "routine")
    same = [r["result"] for r in d["rows"]
            if (r["size"], r["offset"]) == (row["size"], row["offset"])]
    assert len(set(same)) == 1
assert active == [r["name"] for r in routines if r["active"]][0]
assert d["settings"]["seed"] == 42
assert d["settings"]["span"] == 0 and d["settings"]["order"] == "same"
assert d["settings"]["mix"] is None and d["verdicts"] == []
assert len(d["core"]["samples_ghz"]) == rounds
assert isinstance(d["warnings"], list)
EOF
}

# names the rows of the table of the last bench, in order
rows() {
	awk '/ bytes /{ on = 1 } on && $2 ~ /^[0-9.]+$/ && !/ bytes / { print $1 }' \
		"$tmp/out" | sort -u | tr '\n' ' '
}

# the table, that is; compiler flags may be longer
fits_80_columns() {
	awk '/^ns:/ { on = 1 } on && length > 80 { print; bad = 1 }
		END { exit bad || !on }' "$tmp/out"
}

ok "JSON of two sizes" bench 0 -t 0.05 --seed 42 --json -s 20 -s 1501
ok "it parses" json
cp "$tmp/out" "$tmp/out.json"
ok "it is quiet where nobody watches" test ! -s "$tmp/err"
ok "it holds every routine, size and offset" json_is_whole

ok "text" bench 0 -t 0.05 --seed 42 -s 20 -s 64k
ok "it fits 80 columns" fits_80_columns
ok "it names the seed" grep -q -e '--seed=42' "$tmp/out"
ok "it has both sizes" test "$(grep -c ' bytes  ' "$tmp/out")" -eq 2
ok "one routine" bench 0 -t 0.05 -s 20 -r portable -o 3
ok "has its row and the limit" test "$(rows)" = "portable read "
ok "three offsets" bench 0 -t 0.05 -s 20 -r csum_partial -o 0 -o 1 -o 4097
ok "take two tables" test "$(grep -c ' bytes  ' "$tmp/out")" -eq 2
ok "latency" bench 0 -t 0.05 -s 20 -r portable --latency
ok "is named" grep -q 'latency' "$tmp/out"
ok "a machine block" python3 -c 'import json, sys
m = json.load(open(sys.argv[1]))["machine"]
assert isinstance(m["caches"], dict) and m["compiler"] and m["cpus"] > 0' \
	"$tmp/out.json"
ok "over a span" bench 0 -t 0.05 -s 20 -r portable --span 1M
ok "says so" grep -q 'shuffled over 1048576 bytes' "$tmp/out"
for order in sequential strided shuffled random random-even; do
	ok "$order sums" bench 0 -t 0.05 -s 1500 --span 1M --order $order
	ok "say so" grep -q "$order over 1048576 bytes" "$tmp/out"
	ok "$order copies" bench 0 -t 0.05 -s 100 --copy --span 1M \
		--order $order --jitter 7
done
ok "jitter that leaves one byte" bench 0 -t 0.05 -s 1 -s 2 -s 3 --span 64k \
	--order shuffled --jitter 9
ok "from memory" bench 0 -t 0.05 -s 1500 -r portable --span memory
ok "is beyond any cache" grep -qE 'over [0-9]{9,} bytes' "$tmp/out"
ok "hot is the default" bench 0 -t 0.05 -s 20 -r portable --span hot
ok "without a span" test "$(grep -c ^span "$tmp/out")" -eq 0

# Mixes.
for mix in imix ack jumbo "$here/captures/sample.pcap"; do
	ok "mix ${mix##*/}" bench 0 -t 0.05 -r portable --mix "$mix"
	ok "is named" grep -q "^mix .*bytes on average" "$tmp/out"
done
# 7 x 40, 4 x 576, 1 x 1500
ok "mix uniform" bench 0 -t 0.05 -r portable --mix uniform:8-64
ok "is new in each sample" grep -q "^mix .*36 bytes on average, new lengths" "$tmp/out"
ok "mix that repeats" bench 0 -t 0.05 -r portable --mix uniform:8-64 --period 64 --json
ok "says so" python3 -c '
import json, sys
settings = json.load(open(sys.argv[1]))["runs"][0]["settings"]
assert settings["mix"] == "uniform:8-64" and settings["period"] == 64, settings
' "$tmp/out"
for range in 64-8 8 -8 8- x-y 8-2M; do
	ok "mix uniform:$range" refuses "not LOW-HIGH" --mix "uniform:$range"
done
ok "period of nothing" refuses "that of a --mix" --period 64
ok "period 0" refuses "not a number of lengths" --mix imix --period 0
ok "imix" bench 0 -t 0.05 -r portable --mix imix --span 1M --order shuffled
ok "has 340 bytes on average" grep -q ' 340 bytes on average' "$tmp/out"
ok "a mix of copies" bench 0 -t 0.05 --mix imix --copy
ok "a mix in latency" bench 0 -t 0.05 -r portable --mix imix --latency
ok "mix and sizes" refuses "from --mix or from --size" --mix imix -s 20
ok "no such mix" refuses "No such file" --mix nothing
ok "mix of a directory" refuses "irectory" --mix "$tmp"
: >"$tmp/empty"
ok "mix of an empty file" refuses "empty" --mix "$tmp/empty"

# Caches, pages, CPUs, neighbours.
if bench 0 -t 0.05 -s 1500 -r portable --flush; then
	ok "flushed" grep -q '^flushed' "$tmp/out"
	ok "over 4 MiB" grep -q 'over 4194304 bytes' "$tmp/out"
	ok "copies" bench 0 -t 0.05 -s 1500 --copy -r portable --flush \
		--span 256k --order random
else
	ok "no flushing here" grep -q 'not available here' "$tmp/err"
fi
for pages in ordinary huge; do
	ok "$pages pages" bench 0 -t 0.05 -s 1500 -r portable --pages $pages
	ok "it says what was had" grep -q '^pages .*page' "$tmp/out"
done
cpu=$(awk '/^Cpus_allowed_list/ { split($2, a, /[-,]/); print a[1] }' \
	/proc/self/status 2>/dev/null)
if [ -n "$cpu" ]; then
	ok "pinned" bench 0 -t 0.05 -s 20 -r portable --cpu "$cpu"
	ok "says so" grep -q "^pinned *to CPU $cpu" "$tmp/out"
	for load in stream copy 'sleep 60'; do
		ok "beside $load" bench 0 -t 0.1 -s 20 -r portable \
			--background "$load"
		ok "is named" grep -q "^beside *$load" "$tmp/out"
	done
	ok "on the same CPU" bench 0 -t 0.1 -s 20 -r portable \
		--background stream --pair same
	ok "is named" grep -q '(same)' "$tmp/out"
	ok "a background that ends" refuses "exit status 3" -t 0.3 -s 20 \
		-r portable --background 'exit 3'
fi
ok "no such CPU" refuses "CPU 4095" -s 20 --cpu 4095
ok "a CPU that is no number" refuses "not the number" --cpu x
ok "unknown pages" refuses "none of ordinary, huge" --pages large
ok "unknown pair" refuses "is none of" --background stream --pair far
ok "a pair of one" refuses "needs a --background" --pair same
counted() {
	python3 - "$tmp/out" <<'EOF'
import json, sys
(run,) = json.load(open(sys.argv[1]))["runs"]
for row in run["rows"]:
    c = row["counters"]
    assert c is None or any(v and v["per_call"] > 0 and 0 < v["live"] <= 1
                            for v in c.values()), c
EOF
}
ok "counters" bench 0 -t 0.1 -s 1500 -r portable --counters=instructions,cycles --json
ok "that count, or are not there" counted
ok "in words" bench 0 -t 0.1 -s 1500 -r portable --counters
ok "are there, or are said not to be" \
	grep -qE '^events per call|not available here' "$tmp/out"
ok "an event that is none" refuses "none of cycles" --counters=joules

# Verdicts.
one_verdict() {
	python3 - "$tmp/out" "$1" "$2" <<'EOF'
import json, sys
(run,) = json.load(open(sys.argv[1]))["runs"]
(v,) = run["verdicts"]
assert (v["a"], v["b"], v["size"]) == (sys.argv[2], sys.argv[3], 64), v
assert v["low"] <= v["ratio"] <= v["high"] and v["noise"] >= 0
assert v["verdict"] in ("faster", "slower", "no difference"), v
assert v["text"].startswith(v["verdict"])
EOF
}
ok "against" bench 0 -t 0.1 -s 64 -o 0 -r c16 -r portable --against portable --json
ok "is one verdict" one_verdict c16 portable
ok "against itself" bench 0 -t 0.1 -s 64 -o 0 -r portable --against portable --json
ok "is one too" one_verdict "portable again" portable
ok "in words" bench 0 -t 0.1 -s 64 -o 0 -r c16 -r portable --against portable
ok "with the noise or an interval" \
	grep -qE '^c16 +(faster|slower) by .* to .*%\)|noise' "$tmp/out"
ok "until it is narrow" bench 0 -t 5 -s 64 -o 0 -r portable \
	--against portable --narrow 50
ok "small operations against one" bench 0 -t 0.1 --small --against csum_replace2
ok "against what is not measured" refuses "not among" -r portable --against adx
ok "narrow alone" refuses "needs --against" --narrow 1
ok "narrow that is no percentage" refuses "not a percentage" \
	--against portable --narrow x

# Other forms.
ok "CSV" bench 0 -t 0.05 -s 20 -o 0 --csv -r portable
ok "is rectangular" awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }
	END { exit NR != 3 || n != 19 }' "$tmp/out"
ok "Markdown" bench 0 -t 0.1 -s 20 -s 1500 -o 0 -r portable -r c16 --markdown \
	--against portable
ok "is rectangular, too" awk -F'|' '/^\|/ { if (!n) n = NF; if (NF != n) exit 1; rows++ }
	/^$/ { n = 0 } END { exit rows != 2 + 6 + 2 + 2 }' "$tmp/out"
ok "one form alone" refuses "one form of output" --markdown --csv
ok "not of experiments" refuses "is for rows" --markdown goals

# The last lines: who is fastest, by the medians in JSON.
ok "a sentence" bench 0 -t 0.1 -s 20 -s 1500 -s 9000 -o 0 -r portable -r c16
tail -n 2 "$tmp/out" >"$tmp/end"
ok "says who is fastest" grep -qE \
	'^(portable|c16) is fastest: [0-9.]+ B/ns at 1500 bytes, [0-9.]+ times the limit\.$' \
	"$tmp/end"
ok "and how sure that is" grep -qE "^(That is|Not) sure: (portable|c16) takes \
[0-9.]+% longer; 95% intervals (are apart|overlap)\.$" "$tmp/end"
best=$(awk '/1500 bytes/ { on = 1 } on && /^(portable|c16) / { print $2, $1 }
	on && /^$/ { exit }' "$tmp/out" | sort -n | head -n 1)
ok "it is the one with the least time" grep -q "^${best#* } is fastest" "$tmp/end"
ok "alone" bench 0 -t 0.05 -s 20 -o 0 -r portable
ok "it is said" grep -q '^It ran alone\.$' "$tmp/out"
# c16, c32, c64... of the study
ok "a pattern" bench 0 -t 0.1 -s 20 -o 0 -r 'c[136]*' --csv
ok "takes all that it matches" test "$(sed -n 's/^"\(.*\)",.*/\1/p' "$tmp/out" |
	grep -vx read | paste -sd,)" = "c16,c32,c64,c64_count"
ok "a pattern that matches nothing" refuses "no such routine" -r 'zzz*'

ok "an old run" bench 0 -t 0.1 -s 20 -o 0 --json -r portable
cp "$tmp/out" "$tmp/old"
older() { # FACTOR - as if it had been so much slower
	python3 - "$tmp/old" "$1" >"$tmp/older" <<'EOF'
import json, sys
d = json.load(open(sys.argv[1]))
for row in d["runs"][0]["rows"]:
    for key in row:
        if key.endswith("_ns") and key != "samples_ns":
            row[key] *= float(sys.argv[2])
json.dump(d, sys.stdout)
EOF
}
older 100
ok "faster than before" bench 0 -t 0.1 -s 20 -o 0 -r portable --compare "$tmp/older"
ok "is better" grep -q '^better portable' "$tmp/err"
ok "in words, at the end" \
	grep -q '^Faster than before\.$' <(tail -n 2 "$tmp/out")
ok "with JSON the verdict is apart" bench 0 -t 0.1 -s 20 -o 0 -r portable --json \
	--compare "$tmp/older"
ok "JSON is whole" python3 -m json.tool "$tmp/out"
ok "the verdict too" grep -q '^Faster than before\.$' "$tmp/err"
older 0.01
ok "slower than before" bench 1 -t 0.1 -s 20 -o 0 -r portable --compare "$tmp/older"
ok "is worse" grep -q '^worse *portable' "$tmp/err"
ok "in words, too" grep -q '^Slower than before\.$' <(tail -n 2 "$tmp/out")
ok "other rows" bench 0 -t 0.1 -s 21 -o 0 -r portable --compare "$tmp/older"
ok "are not in it" grep -q ' 2 not in it' "$tmp/out"
ok "in words" grep -q '^Nothing to compare: no row was in both runs\.$' "$tmp/out"
ok "no old run" refuses "No such file" --compare "$tmp/nothing"
ok "an old run that is empty" refuses "line 1" --compare "$tmp/empty"
echo '{"schema": "csum-bench/2"}' >"$tmp/2"
ok "an old run of another kind" refuses "csum-bench/2" --compare "$tmp/2"

ok "a list of experiments" bench 0 --list
ok "names goals" grep -q '^goals ' "$tmp/out"
ok "an order without a span" refuses "need a --span" --order random
ok "an unknown order" refuses "is none of" --span 1M --order backwards

# the rest of the study, by what the table of routines says
study() {
	"$CSUM" routines --json | python3 -c '
import json, sys
for r in json.load(sys.stdin)["routines"]:
    if r["usable"] and all(r[key] for key in sys.argv[1:]):
        print(r["name"])
' "$@"
}
names() {
	printf '%s\n' "$@" | sort | tr '\n' ' '
}

ok "study" bench 0 -t 0.2 -s 20 -o 0 --study
# shellcheck disable=SC2046 # words
ok "has all that sum" \
	test "$(rows)" = "$(names csum_partial read $(study sum))"
ok "copies" bench 0 -t 0.2 -s 20 -o 0 --copy --study
# shellcheck disable=SC2046
ok "have all that copy" \
	test "$(rows)" = "$(names csum_copy memcpy $(study copy))"
ok "copies alone" bench 0 -t 0.05 -s 20 -s 64k --copy
ok "fit 80 columns" fits_80_columns
taker=$(study sum prefetch)
taker=${taker%%[[:space:]]*}
ok "prefetching" bench 0 -t 0.1 -s 1500 -r "${taker:-portable}" \
	${taker:+--prefetch ahead --prefetch bounded:3:nta --prefetch above:4:1k}
[ -z "$taker" ] || ok "has its rows" test "$(rows)" = \
	"$(names read "$taker" "$taker+ahead5" "$taker+bounded3nta" "$taker+above4from1024")"
ok "long names fit 80 columns" fits_80_columns
ok "small operations" bench 0 -t 0.1 --small
ok "fit 80 columns too" fits_80_columns
ok "have the library's and others" \
	grep -qE '^(csum_replace2|csum_ipv4_header|rfc1141|load16) ' "$tmp/out"
ok "one of them" bench 0 -t 0.05 --small -r rfc1141
ok "beside the library's" test "$(rows)" = \
	"$(names csum_ipv4_header csum_replace2 rfc1141)"
ok "in JSON" bench 0 -t 0.05 --small --json
ok "which parses" json

ok "what only sums cannot copy" refuses "it sums only" --copy -r c64
ok "what only copies cannot sum" refuses "it copies only" -r memcpy_sum
ok "prefetching that nobody takes" refuses "no chosen routine" --prefetch ahead
ok "unknown policy" refuses "none of none, ahead" --study --prefetch behind
ok "distance that is no number" refuses "is not POLICY" --prefetch ahead:x
ok "too much of a policy" refuses "is not POLICY" --prefetch ahead:1:2:3
ok "small and copies" refuses "goes with" --small --copy
ok "small and sizes" refuses "goes with" --small -s 20
ok "unknown small operation" refuses "no such routine" --small -r rfc9999

# Nothing of the study is in the library.
not_in_library() {
	local build=${CSUM%/*}/.. name
	nm "$build/libcsum.so" "$build/libcsum.a" >"$tmp/symbols" || return
	for name in $("$CSUM" routines | awk '$2 == "study" { print $1 }'); do
		! grep -E "csum_(sum|copy)_$name\$" "$tmp/symbols" || return
	done
	grep -q csum_sum_portable "$tmp/symbols"
}
ok "the library has none of the study" not_in_library

ok "no bytes at all" bench 0 -t 0.05 -s 0 --json
ok "make JSON too" json

ok "unknown routine" refuses "no such routine" -r fastest
ok "unknown among known" refuses "no such routine" -r portable -r fastest
ok "size that is no number" refuses "not a number of bytes" -s 1x
ok "size beyond memory" refuses "not a number of bytes" -s 2G
ok "offset that is no number" refuses "not a number of bytes" -o -1
ok "no time" refuses "not a time" -t 0
ok "time that is no number" refuses "not a time" -t soon
ok "time that is not finite" refuses "not a time" -t nan
ok "seed that is no number" refuses "not a number" --seed x
ok "stray argument" refuses "no experiment" 1500
ok "unknown option" refuses "no option '--fast'" --fast
ok "help" bench 0 --help

CSUM_ROUTINE=portable
export CSUM_ROUTINE
ok "pinned routine" bench 0 -t 0.05 -s 20 -r csum_partial
ok "is the active one" grep -q 'active *portable' "$tmp/out"
unset CSUM_ROUTINE

unusable=$("$CSUM" routines | awk '$4 == "no" { print $1; exit }')
if [ -n "$unusable" ]; then
	ok "routine for another CPU" refuses "cannot run it" -r "$unusable"
else
	skip "this machine can run every routine"
fi
if [ -c /dev/full ]; then
	"$CSUM" bench -t 0.05 -s 20 >/dev/full 2>"$tmp/err"
	ok "a full disk is trouble" test $? -eq 2
fi

tap_done
