#!/bin/bash
# Causes that fit by chance, and those that the other packets speak for.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
seed=${CSUM_TEST_SEED:-20261201}
echo "# CSUM_TEST_SEED=$seed"
python3 "$(dirname "$0")/chance.py" "$tmp" "$seed" || exit 1

# causes FILE WORD - how many have that cause, of the JSON summary
causes() {
	"$CSUM" verify --why --json -s "$tmp/$1" |
		sed -n 's/.*"causes":{\([^}]*\)}.*/\1/p' | head -n 1 | tr ',' '\n' |
		sed -n "s/^\"$2\"://p" | grep . || echo 0
}

# Of random values none has a cause that is told as such.
ok "headers.pcap: as many fit by chance as may be: $(causes headers.pcap chance)" \
	test "$(causes headers.pcap chance)" -ge 30 -a "$(causes headers.pcap chance)" -le 160
ok '... and the rest cannot be told' \
	test $(($(causes headers.pcap chance) + $(causes headers.pcap unknown))) -eq 10000
ok "stale.pcap: one is no cause, another one, a third: $(causes stale.pcap chance) of 99" \
	test "$(causes stale.pcap chance)" -gt 0
ok '... and the rest cannot be told' \
	test $(($(causes stale.pcap chance) + $(causes stale.pcap unknown))) -eq 99
expect 1 "$CSUM" verify --why "$tmp/stale.pcap"
named=$(grep -c 'may be chance: 1 in [0-9]*)*$' "$tmp/out")
ok '... each line says how likely that is' test "$named" -eq "$(causes stale.pcap chance)"
says out '^  why: [0-9]+ fit a mistake, which may be chance$'
ok '... and none is named without' \
	test "$(grep 'frame' "$tmp/out" | grep -cE 'pseudo-header with|carry' || true)" -eq "$named"

# What a flow has in common is a cause.
ok 'ttl.pcap: all of a flow' test "$(causes ttl.pcap changed)" -eq 50
ok 'zeros.pcap: all of a flow have the same value' test "$(causes zeros.pcap updated)" -eq 50
ok 'mixed.pcap: both' test "$(causes mixed.pcap updated)$(causes mixed.pcap changed)" = 5050
expect 1 "$CSUM" explain "$tmp/ttl.pcap" 7
says out '^  why: +TTL changed afterwards: 64, now 63$'
says out '^ +as for 50 of the 50 that are wrong of this flow$'
expect 1 "$CSUM" explain "$tmp/zeros.pcap" 1
says out '^  why: +0 stood for no checksum, and was updated as if it were one$'
# a pipe cannot be read twice: then the packet stands alone
expect 1 "$CSUM" explain - 7 <"$tmp/ttl.pcap"
says out '^  why: +TTL changed afterwards: 64, now 63, may be chance: 1 in 1[0-9][0-9]$'

# 0xffff where 0 was meant; 0 where 0xffff stands for it is UDP's alone
udp='4500 0020 1234 4000 4011 3c47 c000020a c6336414 138a 138a 000c'
expect 1 "$CSUM" explain - <<<"$udp ffff 00000001"
says out '^  why: +0xffff where 0 was meant, which stands for no checksum, may be chance'
expect 1 "$CSUM" verify --why - <<<"$udp ffff 00000001"
says out 'udp bad: .*: 0xffff where 0 was meant'
tap_done
