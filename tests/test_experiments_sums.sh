#!/bin/bash
# `csum bench NAME`, the experiments with sums and copies: their structure.
# No figure is judged: this must pass on any machine, however busy.
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"

# run STATUS NAME ARGUMENT... - briefly
run() {
	local status=$1
	shift
	expect "$status" "$CSUM" bench "$@" --seed 1
}

fits() {
	ok "... in 80 columns" awk 'length > 80 { print; bad = 1 }
		END { exit bad }' "$tmp/out"
}

# holds PYTHON - true of the document d, its runs and rows
holds() {
	ok "... JSON: $1" python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
runs, rows = d["runs"], [row for run in d["runs"] for row in run["rows"]]
assert d["schema"] == "csum-bench/3", d["schema"]
for row in rows:
    if not row["left_out"]:
        assert 0 < row["min_ns"] <= row["median_ns"], row
        assert len(row["samples_ns"]) >= 5, row
titles = [run["title"] for run in runs]
assert len(set(titles)) == len(titles), titles
assert eval(sys.argv[2]), rows and rows[0]
' "$tmp/out" "$1"
}

has() {
	"$CSUM" routines | awk -v name="$1" '
		$1 == name && $4 != "no" { found = 1 } END { exit !found }'
}

run 2 module word
silent out
says err "module: 'word' means nothing"
if has adc_64; then
	run 0 module -t 1
	fits
	says out '^  both .*adc2_mixed\+ahead5 +494 +0\.565 '
	ok "... three cases of four ways" test \
		"$(grep -cE '^  (base|prefetch|two chains|both) .* [0-9.]+$' \
			"$tmp/out")" -eq 12
	says out 'gains: [0-9], losses: [0-9], '
	run 0 module -t 1 --json
	holds 'd["experiment"] == "module" and len(runs) == 3'
	holds 'all(len(run["rows"]) == 4 and len(run["verdicts"]) == 3 for run in runs)'
	holds '[run["settings"]["order"] for run in runs] == ["same", "sequential", "random-even"]'
else
	run 2 module -t 1
	silent out
	says err 'adc_64'
fi

run 0 cksum-perf -t 1
fits
says out '^Published: 16\.1 ticks '
says out '^ticks +of .* per ns of CLOCK_MONOTONIC'
ok "... six sizes, aligned and not" test \
	"$(grep -cE '^ *[0-9]+ (un)?aligned +[0-9]' "$tmp/out")" -eq 12
ok "... six verdicts" test "$(grep -cE \
	'^ *[0-9]+ (faster|slower|no difference)' "$tmp/out")" -eq 6
run 0 cksum-perf portable csum_partial -t 1 --json
holds 'len(runs) == 1 and len(rows) == 24'
holds '[r["size"] for r in rows[:12:2]] == [20, 21, 100, 101, 1500, 1501]'
holds 'all(r["ticks"] > 0 and r["ticks_last_tenth"] > 0 for r in rows)'
holds '{r["subject"]: r["kind"] for r in rows} == {"portable": "routine", "csum_partial": "public"}'
run 2 cksum-perf fastest
silent out
says err 'fastest: not a routine'

tap_done
