#!/bin/bash
# `csum bench`: options, exit status, and that the JSON holds what it should.
# No figure is judged: this must pass on any machine, however busy.
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"

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
assert d["schema"] == "csum-bench/2"
rounds = d["settings"]["rounds"]
routines = [r for r in routines if r["home"] == "library"]
want = ["csum_partial"] + [r["name"] for r in routines if r["usable"]] + ["read"]
rows = [(r["size"], r["offset"], r["subject"]) for r in d["rows"]]
assert rows == [(s, o, n) for s in (20, 1501) for o in (0, 1) for n in want], rows
for row in d["rows"] + [d["empty_call"]]:
    assert len(row["samples_ns"]) == rounds >= 5
    assert row["calls"] >= 1
    assert 0 < row["min_ns"] <= row["median_ns"]
for row in d["rows"]:
    assert row["x_base"] > 0 and row["bytes_per_ns"] > 0
    assert row["base"] == "read" and row["op"] == "sum"
    assert row["mode"] == "throughput" and not row["left_out"]
    assert row["kind"] == {"csum_partial": "public", "read": "limit"}.get(
        row["subject"], "routine")
    same = [r["result"] for r in d["rows"]
            if (r["size"], r["offset"]) == (row["size"], row["offset"])]
    assert len(set(same)) == 1
assert d["active"] == [r["name"] for r in routines if r["active"]][0]
assert d["settings"]["seed"] == 42
assert d["settings"]["span"] == 0
assert len(d["core"]["samples_ghz"]) == rounds
assert isinstance(d["machine"]["caches"], dict)
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
ok "scattered" bench 0 -t 0.05 -s 20 -r portable --span 1M
ok "says so" grep -q 'scattered over 1048576 bytes' "$tmp/out"

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
ok "unknown policy" refuses "is not POLICY" --study --prefetch behind
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
ok "unknown option" refuses "unrecognized" --fast
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
