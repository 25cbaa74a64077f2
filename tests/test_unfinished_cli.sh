#!/bin/bash
# Sums around a packet that its network card has yet to finish.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
python3 "$(dirname "$0")/unfinished.py" "$tmp" || exit 1

expect 0 "$CSUM" verify "$tmp/finished.pcap"
says out ', 0 bad$'
expect 0 "$CSUM" verify "$tmp/left.pcap"
says out ', 0 bad$'
says out '^  tcp +0 +0 +8 +0 +0$'
says out '^  good: 8 once what is inside is finished$'
expect 0 "$CSUM" fix "$tmp/left.pcap" -o "$tmp/fixed"
ok "... byte for byte" cmp "$tmp/fixed" "$tmp/finished.pcap"
# what is around stays right for the finished packet, if the inside is not asked for
expect 0 "$CSUM" fix -v bad "$tmp/left.pcap" -o "$tmp/fixed"
ok "... untouched" cmp "$tmp/fixed" "$tmp/left.pcap"
expect 1 "$CSUM" verify "$tmp/wrong.pcap"
says out ', 8 bad$'
expect 0 "$CSUM" fix -v bad "$tmp/wrong.pcap" -o "$tmp/fixed"
ok "... right for the finished packet" cmp "$tmp/fixed" "$tmp/left.pcap"
expect 0 "$CSUM" fix "$tmp/wrong.pcap" -o "$tmp/fixed"
ok "... byte for byte" cmp "$tmp/fixed" "$tmp/finished.pcap"
# a sum over the bytes as they are is good, too, and follows
expect 0 "$CSUM" verify "$tmp/as-is.pcap"
says out ', 0 bad$'
expect 0 "$CSUM" fix "$tmp/as-is.pcap" -o "$tmp/fixed"
ok "... byte for byte" cmp "$tmp/fixed" "$tmp/finished.pcap"

# UDP over IPv6 without a checksum: bad, left, named; filled in if asked for
bytes d4c3b2a1 0200 0400 00000000 00000000 ffff0000 65000000 \
	00000000 00000000 34000000 34000000 \
	60000000 000c 11 40 20010db8000000000000000000000001 \
	20010db8000000000000000000000002 1234 5678 000c 0000 64617461 \
	>"$tmp/none.pcap"
expect 1 "$CSUM" verify --why "$tmp/none.pcap"
says out 'no checksum was computed'
expect 1 "$CSUM" fix "$tmp/none.pcap" -o "$tmp/fixed"
says out '^  left bad: 1 UDP over IPv6'
ok "... untouched" cmp "$tmp/fixed" "$tmp/none.pcap"
expect 0 "$CSUM" fix -v bad,absent "$tmp/none.pcap" -o "$tmp/fixed"
expect 0 "$CSUM" verify "$tmp/fixed"

tap_done
