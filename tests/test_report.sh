#!/bin/bash
# `csum report`: what it takes, what it refuses, and what it leaves behind.  What
# a browser makes of the page: tests/page.sh.
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"
rows=$(dirname "$0")/reports/rows.json

# A build without node takes the page of a release; its own one comes first.
made() {
	cmake -D PAGE="$1" -D RELEASED="$2" -D OUT="$tmp/made.c" \
		-P "$(dirname "$0")/../cli/bench/page.cmake" &&
		grep -q "csum_page_len = $3;" "$tmp/made.c"
}
printf own >"$tmp/own"
printf released >"$tmp/released"
if command -v cmake >/dev/null; then
	ok "its own page" made "$tmp/own" "$tmp/released" 3
	ok "that of a release" made "$tmp/none" "$tmp/released" 8
	ok "none" made "$tmp/none" "$tmp/none" 0
else
	skip "no cmake"
fi

expect 0 "$CSUM" report --help
says out '^Usage: csum report'
if "$CSUM" report "$rows" 2>&1 >/dev/null | grep -q 'has no page'; then
	expect 2 "$CSUM" report "$rows" -o "$tmp/page"
	says err 'scripts/page'
	ok "... and nothing is written" test ! -e "$tmp/page"
	skip "csum was built without its page"
	tap_done
	exit
fi

# data - of the page in $tmp/out: the JSON behind it
data() {
	python3 - "$tmp/out" <<'P'
import json, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
start = page.index('<script type="application/json" id="runs">')
text = page[page.index(">", start) + 1:]
end = text.index("</script>")
assert text[end:] == "</script>\n", "something behind the data"
assert "<" not in text[:end], "markup in the data"
json.dump(json.loads(text[:end]), sys.stdout)
P
}
# holds PYTHON - true of the data d
holds() {
	data >"$tmp/data" && python3 -c "
import json, sys
d = json.load(open(sys.argv[1])); rows = json.load(open(sys.argv[2]))
assert $1, d" "$tmp/data" "$rows"
}

expect 0 "$CSUM" report "$rows"
silent err
says out '^<!DOCTYPE html>'
says out '@observablehq/plot [0-9.]+'
ok "... the data is the file's" holds 'd == [{"name": "rows.json", "data": rows}]'
cp "$tmp/out" "$tmp/whole"
expect 0 "$CSUM" report - <"$rows"
ok "... named so" holds 'd == [{"name": "standard input", "data": rows}]'
expect 0 "$CSUM" report "$rows" - < <(cat "$rows")
ok "... both" holds '[f["name"] for f in d] == ["rows.json", "standard input"]'
expect 0 "$CSUM" report < <(cat "$rows")
ok "... a pipe, too" holds 'd == [{"name": "standard input", "data": rows}]'
expect 0 "$CSUM" report "$rows" -o -
ok "... the same" cmp "$tmp/out" "$tmp/whole"
expect 0 "$CSUM" report "$rows" -o "$tmp/page"
silent out
ok "... the same" cmp "$tmp/page" "$tmp/whole"
ok "... no other file" test "$(find "$tmp" -name 'page*' | wc -l)" -eq 1

cp "$rows" "$tmp/<b>\"&"
expect 0 "$CSUM" report "$tmp/<b>\"&"
ok "... a name is text" holds 'd[0]["name"] == "<b>\"&"'
printf '{"schema":"csum-bench/3","runs":[{"rows":[]}],"%s":0.1250}' \
	'</script><!--' >"$tmp/close.json"
expect 0 "$CSUM" report "$tmp/close.json"
ok "... what would end the script does not" \
	holds 'd[0]["data"]["</script><!--"] == 0.125'
says out '0\.1250'

# of captures: the objects in a list, and of very many checksums the first
capture=$(dirname "$0")/captures/sample.pcap
"$CSUM" verify --json --all "$capture" >"$tmp/run.json"
expect 0 "$CSUM" report "$tmp/run.json"
ok "... the data is the run's" holds \
	'd[0]["data"] == [json.loads(l) for l in open(sys.argv[1][:-4] + "run.json")]'
python3 - "$tmp/run.json" "$tmp/many.json" <<'P'
import sys
lines = open(sys.argv[1]).readlines()
site = next(l for l in lines if '"site"' in l)
rest = [l for l in lines if '"site"' not in l]
open(sys.argv[2], "w").writelines(rest[:1] + [site] * 20001 + rest[1:])
P
expect 0 "$CSUM" report "$tmp/many.json"
ok "... as many as there is room for" holds \
	'sum(o["type"] == "site" for o in d[0]["data"]) == 20000'
ok "... and the total" holds 'd[0]["data"][-1]["type"] == "total"'
"$CSUM" merge --json "$tmp/run.json" "$tmp/run.json" >"$tmp/merged.json"
expect 0 "$CSUM" report "$tmp/merged.json" "$rows"
ok "... a sum, and what bench measured" holds \
	'd[0]["data"][1]["files"] == 2 and d[1]["data"] == rows'

# refused CAUSE - what is on standard input, and nothing is written
refused() {
	cat >"$tmp/bad.json"
	expect 2 "$CSUM" report "$rows" "$tmp/bad.json" -o "$tmp/none"
	says err "^csum: [^ ]*/bad.json: $1"
	ok "... nothing is written" test -z "$(find "$tmp" -name 'none*')"
}
refused 'is empty$' </dev/null
refused 'line [0-9]+: the run did not come to its end' < <(sed '$d' "$tmp/run.json")
refused 'line 3: ' < <(sed '3s/.$//' "$tmp/run.json")
refused 'line 3: an object without a type' < <(sed '3s/.*/{}/' "$tmp/run.json")
refused 'line [0-9]+: goes on behind its total' \
	< <(cat "$tmp/run.json" "$tmp/run.json")
refused 'line 2, column 5: not JSON: unexpected token' < <(printf '{"a":\n    ]}')
refused 'line 1, column [0-9]+: not JSON: .* end of file' < <(printf '{"a": [1')
refused 'line 2, column 1: not JSON: end of file expected' \
	< <(printf '{}\n{}')
refused 'line 1, column [0-9]+: not JSON: .*byte 0xff' < <(printf '["\377"]')
refused 'not of .csum bench --json. or .csum verify --json.: it names no schema' <<<'[1]'
refused 'not of .csum bench --json. or .csum verify --json.: it names no schema' <<<'{"schema":3}'
refused 'is csum-bench/2, not csum-bench/3; measure again' \
	<<<'{"schema":"csum-bench/2","rows":[]}'
refused 'has no runs with rows' <<<'{"schema":"csum-bench/3"}'
refused 'has no runs with rows' <<<'{"schema":"csum-bench/3","runs":[]}'
refused 'has no runs with rows' <<<'{"schema":"csum-bench/3","runs":[{},7]}'
expect 2 "$CSUM" report "$tmp" -o "$tmp/none"
says err "^csum: $tmp: Is a directory"
expect 2 "$CSUM" report "$tmp/missing.json" -o "$tmp/none"
says err 'missing.json: No such file'
expect 2 "$CSUM" report "$tmp/missing.json" "$tmp/bad.json" -o "$tmp/none"
says err 'missing.json: No such file'
says err 'bad.json: has no runs'
expect 2 "$CSUM" report - </dev/null
says err 'standard input: is empty'
silent out

# what is there stays unless the page is whole
echo old >"$tmp/kept"
expect 2 "$CSUM" report "$tmp/bad.json" -o "$tmp/kept"
ok "... the old file stays" grep -qx old "$tmp/kept"
cp "$rows" "$tmp/input.json"
expect 2 "$CSUM" report "$tmp/input.json" -o "$tmp/input.json"
says err 'input.json: is the input too'
ln -s input.json "$tmp/link.json"
expect 2 "$CSUM" report "$tmp/link.json" -o "$tmp/input.json"
ok "... the input stays" cmp "$rows" "$tmp/input.json"
expect 2 "$CSUM" report "$rows" -o "$tmp/nowhere/page"
says err 'nowhere/page: No such file'
if [ -w /dev/full ]; then
	expect 2 "$CSUM" report "$rows" -o /dev/full
	says err '/dev/full: No space left'
fi

tap_done
