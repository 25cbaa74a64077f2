#!/bin/bash
# `csum verify` in scripts: --quiet, --per-file, --offload=ok, exit statuses.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
tests=$(realpath "$(dirname "$0")")
sample=$tests/captures/sample.pcap
stories=${CSUM_SHARED:-$tests/../../shared}/stories

for quiet in -q --quiet; do
	expect 1 "$CSUM" verify $quiet "$sample"
	silent out
	silent err
done
expect 2 "$CSUM" verify --quiet "$tmp/missing"
silent out
says err 'missing: No such file'
expect 1 "$CSUM" verify --per-file "$sample" "$sample"
ok "... two lines" test "$(wc -l <"$tmp/out")" -eq 2
says out 'sample.pcap: 2 bad in 68 packets: mixed$'
head -c 20000 "$sample" >"$tmp/cut.pcap"
expect 2 "$CSUM" verify --per-file "$tmp/cut.pcap"
says out 'cut.pcap: 0 bad in [0-9]+ packets: offload, not whole$'

# a full offload: 0 in the IPv4 header, which no receiver takes
expect 1 "$CSUM" verify --quiet --offload=ok "$sample"
expect 2 "$CSUM" verify --offload=okay "$sample"
says err "^csum verify: --offload: 'okay' is none of ok"
if [ -d "$stories" ]; then
	expect 1 "$CSUM" verify --quiet "$stories/v02-windows-zero.pcapng"
	expect 0 "$CSUM" verify --quiet --offload=ok "$stories/v02-windows-zero.pcapng"
	expect 0 "$CSUM" verify --csv --offload=ok "$stories/v02-windows-zero.pcapng"
	expect 1 "$CSUM" verify --quiet --offload=ok "$stories/v10-offload-and-one-bad.pcap"
	expect 1 "$CSUM" verify --quiet --offload=ok "$stories"
else
	skip 'no stories'
fi

tap_done
