#!/bin/bash
# Messages in fragments, tunnels in them and around them: verified and repaired.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
python3 "$(dirname "$0")/fragmented.py" "$tmp" || exit 1

expect 0 "$CSUM" verify "$tmp/right.pcap"
says out ', 0 bad$'
says out '^  tcp +14 +0 +0 +0 +0$'
says out '^  udp +38 +0 +0 +0 +0$'
says out '^  gre +20 +0 +0 +0 +0$'
says out '^  sctp +5 +0 +0 +0 +0$'
says out '^  udplite +3 +0 +0 +0 +0$'
says out 'good: 1 Adler-32'
ok "... and nothing is left" test "$(grep -c unverifiable: "$tmp/out")" -eq 0
expect 0 "$CSUM" verify "$tmp/right-twice.pcap"
says out '^  tcp +28 +0 +0 +0 +0$'
says out '^  udp +76 +0 +0 +0 +0$'
expect 0 "$CSUM" verify "$tmp/hidden.pcap"
says out '^  gre +4 +0 +0 +0 +0$'
says out '^  tcp +1 +0 +0 +0 +0$'
says out '^  cdp +1 +0 +0 +0 +0$'
says out '^  udplite +1 +0 +0 +0 +0$'
says out '^  ospf +1 +0 +0 +0 +0$'

for wrong in inside own around all; do
	for times in '' -twice; do
		expect 1 "$CSUM" verify -s "$tmp/wrong-$wrong$times.pcap"
		expect 0 "$CSUM" fix "$tmp/wrong-$wrong$times.pcap" -o "$tmp/fixed"
		ok "... byte for byte" cmp "$tmp/fixed" "$tmp/right$times.pcap"
		"$CSUM" fix - -o - <"$tmp/wrong-$wrong$times.pcap" 2>/dev/null |
			cat >"$tmp/fixed"
		ok "... through a pipe" cmp "$tmp/fixed" "$tmp/right$times.pcap"
	done
done

# what is around them follows, asked for or not
expect 0 "$CSUM" fix -p tcp "$tmp/wrong-inside.pcap" -o "$tmp/fixed"
says out '^  tcp +0 +14 +0 +0 +0 +0$'
says out '^  udp +24 +0 +10 +4 +0 +0$'
expect 1 "$CSUM" verify -s "$tmp/fixed"
says out '^  tcp +14 +0 +0 +0 +0$'
says out '^  udp +34 +4 +0 +0 +0$'

# the field is in a piece whose second copy never is complete
expect 1 "$CSUM" verify "$tmp/wrong-again.pcap"
says out ', 1 bad$'
expect 0 "$CSUM" fix "$tmp/wrong-again.pcap" -o "$tmp/fixed"
ok "... both copies" cmp "$tmp/fixed" "$tmp/right-again.pcap"

tap_done
