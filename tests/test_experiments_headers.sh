#!/bin/bash
# `csum bench NAME`, the experiments with headers and the claims: structure.
# No figure is judged: this must pass on any machine, however busy.
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=experiments.sh
. "$(dirname "$0")/experiments.sh"

run 2 replace word
silent out
says err "replace: 'word' means nothing"
run 0 replace -t 1
fits
says out '^  csum_replace2( +[0-9.]+ +[0-9.-]+){4}$'
ok "... ten ways" test "$(grep -cE '^  [a-z0-9_]+( +[0-9.]+ +[0-9.-]+){4}$' \
	"$tmp/out")" -eq 10
ok "... five questions, each four times" test "$(grep -cE \
	'^  (at rest|written) +(throughput|latency) ' "$tmp/out")" -eq 20
run 0 replace -t 1 --json
holds 'd["experiment"] == "replace" and len(runs) == 1 and len(rows) == 40'
holds '{r["op"] for r in rows} == {"change", "change-written"}'
holds 'len({r["result"] for r in rows}) == 1'

run 2 packet word
run 0 packet -t 0.5
fits
says out 'segment  at most  1.30 x pieces'
run 0 packet -t 0.5 --json
holds "d['experiment'] == 'packet' and len(runs[0]['rows']) == 7"
run 2 pktbuf long
silent out
says err "pktbuf: 'long' is not a length of packets"
run 2 pktbuf 0
run 2 pktbuf 1985
run 2 pktbuf 64 64
run 0 pktbuf -t 1 576
fits
says out 'for each packet of 576 bytes'
# one CPU, or two that are each alone and across
places=$(grep -cE '^CPU [0-9a-z]' "$tmp/out")
ok "... one place or four" test "$places" -eq 1 -o "$places" -eq 4
[ "$places" -eq 4 ] || says out '^Across CPUs: '
ok "... eight ways in each" test "$(grep -cE '^(take|ret)[-sp]* +[0-9.]+ ' \
	"$tmp/out")" -eq $((8 * places))
ok "... three questions, each at three scopes in each" test "$(grep -cE \
	'^  (init|take.return|workload) .*(saves|costs|the same|not shown)$' \
	"$tmp/out")" -eq $((9 * places + 3))
run 0 pktbuf -t 1 --json
holds "d['experiment'] == 'pktbuf' and len(runs) == 3 * $places"
holds 'all(len(run["rows"]) == 24 for run in runs)'
holds 'len({(r["subject"], r["op"]) for r in rows}) == 24'

run 2 claims 22
silent out
says err "claims: '22' is not the number of one, 1 to 21"
run 2 claims 0
run 2 claims 5 x
verdict='=> (holds|does not hold|lies between|cannot be (shown|tried))'
# some that have no data outside of the caches: that takes its time
run 0 claims 1 8 14 15 16 17 -t 1
fits
ok "... six verdicts" test "$(grep -cE "^ $verdict" "$tmp/out")" -eq 6
says out '^ 1  Two carry chains'
says out '^ => cannot be tried here: it is counted in code for other machines'
says out '^   load32@written / load32@header +>2\.00 +([0-9.]+ \([0-9.]+ to |too noisy to say)'
numbers=$(sed -nE 's/^[a-z][a-z ]*: ([0-9, ]+)$/\1/p' "$tmp/out" | tr ',\n' '  ')
# shellcheck disable=SC2086 # words
ok "... and a summary of the six" test \
	"$(printf '%s\n' $numbers | sort -n | tr '\n' ' ')" = "1 8 14 15 16 17 "
run 0 claims 8 15 16 -t 0.5 --json
holds '[c["number"] for c in d["claims"]] == [8, 15, 16]'
holds 'd["claims"][2]["verdict"] == "cannot be tried here"'
holds 'all(t["low"] <= t["ratio"] <= t["high"] for c in d["claims"] for t in c["tests"])'
holds 'len(d["claims"][1]["tests"]) == 3 and len(rows) >= 5'

tap_done
