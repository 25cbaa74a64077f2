#!/bin/bash
# `csum merge`: sums of totals, whatever the order and the grouping.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")

# Stories of every kind; some under one name in two folders, so that their
# senders and boxes meet again in other files.
mkdir "$tmp/1" "$tmp/2"
python3 "$here/stories.py" "$tmp/1" 1
python3 "$here/stories.py" "$tmp/2" 2
cp "$here/captures/sample.pcap" "$tmp/1/sample.pcap"
head -c 3000 "$here/captures/sample.pcap" >"$tmp/1/torn.pcap"
cp "$tmp/1/sample.pcap" "$tmp/2/$(printf 'na"me\\\001\351.pcap')"
runs=()
for file in "$tmp"/[12]/*.pcap*; do
	run=$tmp/$((${#runs[@]} + 1)).json
	"$CSUM" verify --json --summary --why "$file" >"$run" 2>/dev/null
	runs+=("$run")
done
"$CSUM" verify --json --summary --why "$tmp"/[12]/*.pcap* "$tmp/missing.pcap" \
	2>/dev/null | sed -n '1p;$p' >"$tmp/one-machine"
"$CSUM" verify --json -s "$tmp/missing.pcap" >"$tmp/missing.json" 2>/dev/null
runs+=("$tmp/missing.json")
ok "enough runs" test ${#runs[@]} -gt 30

expect 2 "$CSUM" merge --json "${runs[@]}"
ok "as one machine says, to the byte" cmp "$tmp/one-machine" "$tmp/out"
says err '2 of [0-9]+ files were not readable or not whole'
says out '"unreadable":1,"not_whole":1'
if python3 -c 'import jsonschema' 2>/dev/null; then
	ok "... by the schema" python3 -B "$here/schema.py" "$tmp/out"
else
	skip "python3-jsonschema is not installed"
fi

# tree FILE... - merges them in a random order and random groups, again and again
# until one file is left
tree() {
	local list=("$@") next n=0 some
	while [ ${#list[@]} -gt 1 ]; do
		mapfile -t list < <(printf '%s\n' "${list[@]}" |
			shuf --random-source=<(yes "$seed"))
		next=()
		while [ ${#list[@]} -gt 0 ]; do
			some=$((1 + RANDOM % 4))
			n=$((n + 1))
			"$CSUM" merge --json "${list[@]:0:some}" \
				>"$tmp/tree-$n-$seed" 2>/dev/null
			list=("${list[@]:some}")
			next+=("$tmp/tree-$n-$seed")
		done
		list=("${next[@]}")
	done
	cp "${list[0]}" "$tmp/tree"
}
for seed in 1 2 3 4 5; do
	RANDOM=$seed
	tree "${runs[@]}"
	ok "in any order and grouping, seed $seed" \
		cmp "$tmp/one-machine" "$tmp/tree"
done
# nothing added is nothing changed, and a sum of one is that one
"$CSUM" verify --json -s "$tmp/1/sample.pcap" >"$tmp/alone"
mkdir "$tmp/empty"
"$CSUM" verify --json "$tmp/empty" >"$tmp/zero"
sed -n '1p;$p' "$tmp/alone" >"$tmp/ends"
expect 1 "$CSUM" merge --json "$tmp/alone"
ok "one run is its own sum" cmp "$tmp/ends" "$tmp/out"
expect 1 "$CSUM" merge --json "$tmp/zero" "$tmp/alone" "$tmp/zero"
ok "runs over nothing add nothing" cmp "$tmp/ends" "$tmp/out"
# runs behind each other, with sites and all, on standard input
"$CSUM" verify --json --all "$tmp/1/sample.pcap" >"$tmp/full"
cat "$tmp/full" "$tmp/full" >"$tmp/both"
expect 1 "$CSUM" merge --json "$tmp/alone" "$tmp/alone"
cp "$tmp/out" "$tmp/twice"
expect 1 "$CSUM" merge --json <"$tmp/both"
ok "two runs in one file" cmp "$tmp/twice" "$tmp/out"
says out '"files":2,"first_frame"|"checksums":26,"files":2'

# in words: what verify says of several files, from the line "total" on
expect 2 "$CSUM" merge "${runs[@]}"
cp "$tmp/out" "$tmp/words"
"$CSUM" verify --summary --why "$tmp"/[12]/*.pcap* "$tmp/missing.pcap" \
	2>/dev/null | sed -n '/^total: /,$p' >"$tmp/total"
ok "in words, as verify" cmp "$tmp/words" "$tmp/total"
paste -sd ' ' "$tmp/words" | tr -s ' ' >"$tmp/flat"
says words '^total: [0-9]+ files, [0-9]+ packets, [0-9]+ bad$'
says words 'files, each judged alone\.'
says flat 'And [0-9]+ more explanations, of [0-9]+ checksums\.'
says words '^not readable: 1 file$'
says words '^not whole: 1 file$'
ok "... in 80 columns" test "$(grep -v '^  why:' "$tmp/words" |
	awk 'length > 80' | wc -l)" -eq 0
python3 - "$tmp/one-machine" >"$tmp/ok.parts" <<'PY'
import json, sys
total = json.loads(open(sys.argv[1]).readlines()[1])
parts = total["conclusion"]["parts"]
print("sum" if sum(p["checksums"] for p in parts) > 1000 else "no sum")
print("more" if any(p["files"] > 1 for p in parts) else "none meet")
sizes = [p["checksums"] for p in parts]
print("sorted" if sizes == sorted(sizes, reverse=True) else "unsorted")
keys = [json.dumps([p["kind"], p["subject"], p.get("file"), p.get("cause"), p.get("receiver"),
                    p.get("merged"), p["kind"] == "rewrite" and
                    p.get("difference")]) for p in parts]
print("apart" if len(set(keys)) == len(keys) else "alike")
print("by file" if all(p.get("file") for p in parts
                       if p["subject"] and "interface" in p["subject"]) else "?")
PY
ok "parts are summed, sorted, apart, and interfaces by file" \
	test "$(paste -sd, "$tmp/ok.parts")" = "sum,more,sorted,apart,by file"

# nothing wrong, and not all looked at
"$CSUM" verify --json -s "$tmp/1/all-right.pcap" >"$tmp/right"
bytes d4c3b2a1 0200 0400 00000000 00000000 ffff0000 93000000 \
	00000000 00000000 04000000 04000000 00000000 >"$tmp/nothing.pcap"
"$CSUM" verify --json -s "$tmp/nothing.pcap" >"$tmp/nothing"
expect 0 "$CSUM" merge "$tmp/right" "$tmp/nothing"
paste -sd ' ' "$tmp/out" | tr -s ' ' >"$tmp/flat"
says flat 'No checksum is wrong\. In 1 of the files no checksum could be'
expect 0 "$CSUM" merge "$tmp/nothing"
says out 'no checksum could be verified'

# --- refused: named with the cause, and nothing is printed
# refuses FAULT EDIT - of a run, as sed changes it
refuses() {
	sed -E "$2" "$tmp/alone" >"$tmp/wrong.json"
	expect 2 "$CSUM" merge "$tmp/alone" "$tmp/wrong.json"
	says err "wrong\\.json: $1"
	silent out
}
refuses 'line 3: the run did not come to its end' '/"total"/d'
refuses 'line 1: no beginning of what' 1d
refuses 'line 1: is of a later csum' 's/"version":1/"version":99/'
refuses 'line 4: not known to this csum: ipv9' 's/"ipv4"/"ipv9"/'
refuses 'line 4: not known to this csum: worse' 's/"bad":0/"worse":0/'
refuses 'line 4: no count packets' 's/"packets":68,"unch/"packets":-68,"unch/'
refuses 'line 4: no count packets' 's/"packets":68,"unch/"unch/'
refuses 'line 4: a part of the conclusion' 's/"host":"192/"host":"x192/'
refuses 'line 4: a part of the conclusion' 's/"kind":"rewrite"/"kind":"magic"/'
refuses 'line 4: no conclusion with parts' 's/"parts"/"pieces"/'
refuses 'line 4: not known to this csum: of ethertype 0x10806' 's/0x0806/0x10806/'
refuses 'line 4: not JSON: ' '$s/\}$//'
refuses 'is empty' d
refuses 'line 3: a run begins, and the one before' '2d;4s/.*/{"type":"schema"}/'
head -c 300 "$tmp/alone" >"$tmp/torn.json"
expect 2 "$CSUM" merge "$tmp/torn.json" "$tmp/none.json" "$tmp"
says err 'torn.json: line 2: not JSON'
says err 'none.json: No such file'
says err 'Is a directory'
silent out
expect 2 "$CSUM" merge "$here/captures/sample.pcap"
says err 'sample.pcap: line 1: not JSON'

tap_done
