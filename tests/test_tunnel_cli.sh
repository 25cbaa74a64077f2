#!/bin/bash
# `csum bench tunnel`: packets between two kernels, which judge the checksums.
# No speed is judged.
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=experiments.sh
. "$(dirname "$0")/experiments.sh"

run 2 tunnel word
silent out
says err "tunnel: 'word' is none of ipv4, ipv6, tcp, udp"
run 2 tunnel packets
says err "'packets' is not packets=N, 1 to 1000000000"
run 2 tunnel corrupt=0
run 2 tunnel nat=1
says err 'tunnel: nat takes no'
run 2 tunnel -r nobody
says err 'nobody: not a routine'
mkdir "$tmp/nothing"
PATH=$tmp/nothing run 2 tunnel
silent out
says err 'tunnel: there is no iperf3'

# why it cannot be tried here, or nothing
why_not() {
	"$CSUM" bench tunnel tcp ipv4 offload -r portable -t 0.1 2>&1 >/dev/null |
		grep -E 'network namespaces|no iperf3|/dev/net/tun'
}
if why=$(why_not); then
	skip "${why#csum: }"
	tap_done
	exit
fi

run 0 tunnel -t 1 -r portable -r csum_partial ipv4
fits
ok "... four scenes of two routines" test "$(grep -cE \
	'^  (portable|csum_partial)( +[0-9]+\.[0-9]{3}){4} +[0-9]+$' "$tmp/out")" -eq 8
ok "... of each a verdict, and one of the forwarder" test "$(grep -cE \
	'^    portable +(faster|slower|no difference|too noisy)' "$tmp/out")" -eq 8
says out '^Does the routine matter at this scope\?'
says out '^  all +[0-9]+ +0 +[0-9]+ +[0-9]+ +0$'

# judged NAME WORD... - nothing is wrong, and the kernels took in what was sent
judged() {
	run 0 tunnel -t 1 -r csum_partial --json "$@"
	holds 'd["experiment"] == "tunnel"'
	holds 'all(r["packets"]["wrong"] == 0 for r in runs)'
	holds 'all(r["packets"]["verified"] > 100 for r in runs)'
	holds 'all(sum(r["kernels"][k] for k in ("tcp_wrong", "udp4_wrong", "udp6_wrong")) == 0 for r in runs)'
	holds 'all(r["kernels"]["tcp"] == r["packets"]["verified"] for r in runs if "TCP" in r["title"])'
	holds 'all(r["kernels"]["udp"] > 100 for r in runs if "UDP" in r["title"])'
	holds 'all((r["packets"]["unfinished"] > 0) == (", offload" in r["title"]) for r in runs)'
	holds 'all((r["packets"]["large"] > 0) == ("TCP" in r["title"] and ", offload" in r["title"]) for r in runs)'
	holds 'all(row["sender_ns"] > 0 and row["forwarder_ns"] > 0 and row["receiver_ns"] > 0 and row["mbit_per_s"] > 0 for row in rows)'
}
judged
holds 'len(runs) == 8 and {row["op"] for row in rows} == {"tunnel"}'
judged nat segment offload
holds 'len(runs) == 4'

# the judges look: what is corrupted is found, by TCP all of it
run 0 tunnel -t 1 -r csum_partial --json corrupt=200 nat offload
holds 'all(r["packets"]["wrong"] == 0 and r["packets"]["corrupted"] > 0 for r in runs)'
holds 'all(r["kernels"]["tcp_wrong"] == r["packets"]["corrupted"] for r in runs if "TCP" in r["title"])'
holds 'all(0 < r["kernels"]["udp4_wrong"] + r["kernels"]["udp6_wrong"] <= r["packets"]["corrupted"] for r in runs if "UDP" in r["title"])'
holds '[r["kernels"]["udp4_wrong"] > 0 for r in runs] == ["UDP over IPv4" in r["title"] for r in runs]'
run 0 tunnel -t 0.5 -r csum_partial tcp ipv6 no-offload corrupt=100
says out '^Corrupted were [1-9][0-9]* packets, one in 100; '

# a signal ends it, and it takes iperf3 along, which would wait for its peer
alive() {
	local pid
	for pid in "$@"; do
		grep -qE '^State:[[:space:]]+[^ZX]' "/proc/$pid/status" && return 0
	done
	return 1
} 2>/dev/null
ends() {
	local pid children=
	"$CSUM" bench tunnel -t 60 -r portable tcp ipv4 offload &
	pid=$!
	for _ in $(seq 50); do
		sleep 0.1
		read -ra children <"/proc/$pid/task/$pid/children"
		[ "${#children[@]}" -lt 2 ] || break
	done
	alive "${children[@]}" || return 1
	kill -TERM $pid
	wait $pid
	sleep 0.2
	! alive "${children[@]}"
}
ok "a signal ends it and what it started" ends

tap_done
