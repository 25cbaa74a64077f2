#!/bin/bash
# share/wireshark/csum.lua, in tshark: what it shows is what csum said.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
top=$(cd "$(dirname "$0")/.." && pwd)
if ! command -v tshark >/dev/null; then
	skip "needs tshark: see wireshark in scripts/packages.txt"
	tap_done
	exit
fi
CSUM=$(realpath "$CSUM")
unset CSUM_JSON
export HOME=$tmp
capture=$top/tests/captures/sample.pcap

# shark OPTION... - with the dissector; a field that occurs often is joined by |
shark() {
	tshark -n -X "lua_script:$top/share/wireshark/csum.lua" "$@" \
		-E aggregator='|' 2>"$tmp/err"
}
# table OPTION... - frame, and each field of all checksums in it
table() {
	shark -T fields -e frame.number -e csum.protocol -e csum.verdict \
		-e csum.found -e csum.expected -e csum.why -e csum.note \
		-e csum.reason -Y csum "$@"
}
# of_json - the same out of JSON
of_json() {
	python3 -c '
import json, sys
frames = {}
for line in sys.stdin:
    site = json.loads(line)
    if site["type"] == "site":
        frames.setdefault(site["frame"], []).append(site)
for frame in sorted(frames):
    print(frame, *("|".join(s[key] for s in frames[frame] if key in s)
                   for key in ("protocol", "verdict", "found", "expected", "why",
                               "note", "reason")), sep="\t")'
}

python3 "$top/tests/stories.py" "$tmp" 1
for file in "$capture" "$tmp/offload-zero.pcap" "$tmp"/flips-behind-router.pcap; do
	"$CSUM" verify --json --all --why "$file" >"$tmp/json"
	of_json <"$tmp/json" >"$tmp/want"
	name=$(basename "$file")
	table -r "$file" -o "csum.json:$tmp/json" >"$tmp/out"
	ok "$name: JSON by preference" diff "$tmp/want" "$tmp/out"
	ok "... and there is something" test -s "$tmp/out"
	CSUM_JSON=$tmp/json table -r "$file" >"$tmp/out"
	ok "$name: JSON by environment" diff "$tmp/want" "$tmp/out"
	table -r "$file" -o "csum.command:$CSUM" -o "csum.capture:$file" >"$tmp/out"
	ok "$name: csum is run" diff "$tmp/want" "$tmp/out"
	if [ -e /proc/self/fd ]; then
		table -r "$file" -o "csum.command:$CSUM" -o csum.open:TRUE \
			>"$tmp/out"
		ok "$name: csum is run on what is open" \
			diff "$tmp/want" "$tmp/out"
	fi
done

# filters and columns
"$CSUM" verify --json "$capture" >"$tmp/json"
shark -r "$capture" -o "csum.json:$tmp/json" -Y 'csum.verdict == "bad"' \
	-T fields -e frame.number >"$tmp/out"
ok "a filter finds the bad ones" test "$(paste -sd, "$tmp/out")" = 49,66
shark -r "$capture" -o "csum.json:$tmp/json" -Y 'csum.expected == "0xf2ef"' \
	-o 'gui.column.format:"No.","%m","Sum","%Cus:csum.verdict:0:R"' >"$tmp/out"
ok "a column" grep -qE '^ *66 +bad$' "$tmp/out"
shark -r "$capture" -o "csum.json:$tmp/json" -Y 'frame.number == 66' -V >"$tmp/out"
says out 'Checksums, as csum verifies them|udp bad'
says out '\[Expected: 0xf2ef\]'

# without anything it does nothing, and says nothing
table -r "$capture" >"$tmp/out"
silent out
ok "... nothing on err" test "$(grep -c csum "$tmp/err")" -eq 0
# a name that a shell could trip over
odd="$tmp/it's \$(touch oops) \"odd\".pcap"
cp "$capture" "$odd"
table -r "$odd" -o "csum.command:$CSUM" -o csum.open:TRUE >"$tmp/out"
"$CSUM" verify --json --all --why "$odd" | of_json >"$tmp/want"
ok "an odd name" diff "$tmp/want" "$tmp/out"
# what is no answer is said, and shows nothing
for edit in '$d' 1d 's/"type"/type/'; do
	sed "$edit" "$tmp/json" >"$tmp/torn"
	table -r "$capture" -o "csum.json:$tmp/torn" >"$tmp/out"
	silent out
	says err 'csum.lua: .*(has no total|not of .csum verify --json.)'
done
table -r "$capture" -o "csum.json:$tmp/none" >"$tmp/out"
says err 'csum.lua: .*none: No such file'
table -r "$capture" -o csum.command:/none/csum -o "csum.capture:$capture" >"$tmp/out"
silent out
says err 'csum.lua: /none/csum: has no total'

tap_done
