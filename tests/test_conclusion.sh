#!/bin/bash
# Who breaks checksums, as `csum verify` concludes: over made-up stories, each with
# several seeds, and over captures with a known diagnosis.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
CSUM_SHARED=${CSUM_SHARED:-$here/../../shared}

# concluded FILE - the last object of its JSON, or nothing
concluded() {
	"$CSUM" verify --json --summary "$1" | tail -n 1
}

# tells STORIES NAME - one story of stories.json
tells() {
	python3 -c '
import json, sys
story = next(s for s in json.load(open(sys.argv[1])) if s["name"] == sys.argv[2])
c = json.loads(sys.stdin.readlines()[-1])["conclusion"]
print(c)
assert c["kind"] == story["kind"], story
assert c["wire"] is story["wire"], story
assert story["subjects"] is None or c["subject"] in story["subjects"], story
parts = sorted({p["kind"] for p in c["parts"]})
assert story["parts"] is None or parts == story["parts"], story
assert c["text"] and (c["kind"] == "none" or c["advice"])
' "$1" "$2"
}

seeds="1 2 3"
[ -z "${CSUM_TEST_QUICK:-}" ] || seeds=1
for seed in $seeds; do
	mkdir "$tmp/$seed"
	python3 "$here/stories.py" "$tmp/$seed" "$seed"
	for file in "$tmp/$seed"/*.pcap*; do
		name=$(basename "${file%.pcap*}")
		concluded "$file" >"$tmp/out"
		ok "story $name, seed $seed" tells "$tmp/$seed/stories.json" \
			"$name" <"$tmp/out"
	done
done

# The same with one thread and with several; and over a pipe.
for file in "$tmp"/1/flips-behind-router.pcap "$tmp"/1/cut.pcap; do
	for j in 1 2 4; do
		"$CSUM" verify --json --summary -j $j "$file" >"$tmp/j$j"
	done
	ok "$(basename "$file"): threads change nothing" cmp "$tmp/j1" "$tmp/j2"
	ok "$(basename "$file"): nor do more" cmp "$tmp/j1" "$tmp/j4"
	concluded - <"$file" | sed 's/"file":"[^"]*"//' >"$tmp/pipe"
	concluded "$file" | sed 's/"file":"[^"]*"//' >"$tmp/file"
	ok "$(basename "$file"): nor does a pipe" cmp "$tmp/pipe" "$tmp/file"
done

# In text, at the end, within 80 columns.
expect 1 "$CSUM" verify --summary "$tmp/1/router-ttl.pcap"
says out 'a box in the path that changed a field'
says out 'What to do: look at'
ok "... in 80 columns" test "$(awk 'length > 80' "$tmp/out" | wc -l)" -eq 0
expect 0 "$CSUM" verify --summary "$tmp/1/all-right.pcap"
says out 'No checksum is wrong\.'
# Nothing is said of what could not be looked at.
bytes d4c3b2a1 0200 0400 00000000 00000000 ffff0000 93000000 \
	00000000 00000000 04000000 04000000 00000000 >"$tmp/nothing.pcap"
expect 0 "$CSUM" verify --summary "$tmp/nothing.pcap"
says out 'no checksum could be verified'
# Two files: how many of which kind.
"$CSUM" verify --json --summary "$tmp/1/all-right.pcap" "$tmp/1/cut.pcap" |
	tail -n 1 >"$tmp/out"
says out '"conclusions":\{"none":1,"truncation":1\}'

if [ -d "$CSUM_SHARED/stories" ]; then
	ok "every diagnosis of \$CSUM_SHARED/stories" \
		python3 -B "$CSUM_SHARED/stories/check.py" "$CSUM_SHARED/stories" \
		"$CSUM"
else
	skip "no $CSUM_SHARED/stories"
fi
tap_done
