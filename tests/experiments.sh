# tests/experiments.sh - what the tests of `csum bench NAME` share, after tap.sh.
# shellcheck shell=bash disable=SC2154 # tap.sh sets tmp

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
    # only a peer may be wrong beyond a length
    assert not row["left_out"] or d["experiment"] == "peers", row
    if not row["left_out"]:
        assert 0 < row["min_ns"] <= row["median_ns"], row
        assert len(row["samples_ns"]) >= 5, row
titles = [run["title"] for run in runs]
assert len(set(titles)) == len(titles), titles
assert eval(sys.argv[2]), rows and rows[0]
' "$tmp/out" "$1"
}
