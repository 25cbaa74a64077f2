#!/bin/bash
# The page of `csum report`, in a browser: TAP.
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")

# needs REASON COMMAND... - or the whole test is skipped
needs() {
	local why=$1
	shift
	"$@" >/dev/null 2>&1 && return
	skip "$why"
	tap_done
	exit 0
}
needs "no node" command -v node
browser=$(command -v chromium-headless-shell || command -v chromium)
needs "no chromium" test -n "$browser"
report() { "$CSUM" report "$@"; }
needs "csum was built without its page" report "$here/reports/rows.json"

report "$here"/reports/{rows,prefetch}.json -o "$tmp/both.html"
report "$here/reports/prefetch.json" -o "$tmp/prefetch.html"
report -o "$tmp/empty.html" <<'J'
{ "schema": "csum-bench/3", "runs": [ { "rows": [] } ] }
J
report -o "$tmp/bare.html" <<'J'
{ "schema": "csum-bench/3", "machine": null, "runs": [ { "rows": [
  { "subject": "only", "size": 64, "median_ns": 3.5 },
  { "subject": "only+ahead5", "size": 64, "median_ns": 3.7,
    "prefetch": { "policy": "ahead", "lines": 5 } },
  { "subject": "untimed", "size": 64, "median_ns": null },
  { "size": "64", "median_ns": 1 },
  null
], "verdicts": null, "warnings": null } ] }
J
# two runs of one kind: avx2 has become slower at one size
python3 - "$here/reports/rows.json" "$tmp/before.json" "$tmp/after.json" <<'P'
import copy, json, sys
before = json.load(open(sys.argv[1]))
before["runs"] = before["runs"][:1]
after = copy.deepcopy(before)
for row in after["runs"][0]["rows"]:
    if row["subject"] == "avx2" and row["size"] == 1500:
        for key in ("median_ns", "median_low_ns", "median_high_ns"):
            row[key] *= 1.5
json.dump(before, open(sys.argv[2], "w"))
json.dump(after, open(sys.argv[3], "w"))
P
report "$tmp/before.json" "$tmp/after.json" -o "$tmp/before.html"
verify() { "$CSUM" verify --json --why "$@" "$here/captures/sample.pcap"; }
verify --verdict bad,partial >"$tmp/capture.json"
report "$tmp/capture.json" -o "$tmp/capture.html"
verify | report -o "$tmp/captures.html"
node "$here/page.mjs" "$browser" "$tmp"
