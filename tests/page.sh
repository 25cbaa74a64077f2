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
node "$here/page.mjs" "$browser" "$tmp"
