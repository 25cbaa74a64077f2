#!/bin/bash
# What only a file or a user tells: check sequences, formats, link types, ports.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
python3 "$(dirname "$0")/declared.py" "$tmp" || exit 1

# repairs NAME OPTION... - the repair of $tmp/NAME is right, with the options
repairs() {
	local name=$1
	shift
	expect 1 "$CSUM" verify "$@" "$tmp/$name"
	expect 0 "$CSUM" fix "$@" "$tmp/$name" -o "$tmp/fixed"
	ok "... byte for byte" cmp "$tmp/fixed" "$tmp/$name-right"
	expect 0 "$CSUM" verify "$@" "$tmp/fixed"
}

for name in fcs-pcap fcs-pcap-big fcs-pcapng fcs-flags fcs-bits fcs-ppp-16 \
	fcs-ppp-32 fcs-hdlc-16 fcs-hdlc-32; do
	repairs "$name"
	expect 1 "$CSUM" verify --all "$tmp/$name"
	says out ': fcs good: '
	expect 0 "$CSUM" fix -r "$tmp/$name" -o "$tmp/fixed"
	says out ': fcs follows a change inside: '
done
repairs fcs-alone
expect 1 "$CSUM" verify "$tmp/fcs-alone"
says out 'fcs bad: found 0x61626364, should be 0x'
expect 1 "$CSUM" explain "$tmp/fcs-alone" 1
says out '^fcs: '
says out '^  CRC-32  [0-9a-f]{8}, as it stands in the packet$'
repairs trailer
expect 1 "$CSUM" verify --all "$tmp/fcs-cut"
says out 'fcs unverifiable: cut short'
expect 1 "$CSUM" fix "$tmp/fcs-cut" -o "$tmp/fixed"

repairs snoop
expect 0 "$CSUM" verify "$tmp/snoop-other"
says out 'snoop, 1 packet, 0 bad'
says out 'NOTHING could be checked'
says out 'link type 65289 \(a data link of snoop\)'
repairs erf
expect 1 "$CSUM" verify "$tmp/erf"
says out 'erf, 3 packets, 2 bad'
says out 'frame 3: tcp bad'
repairs erf-one
for name in swapped-little swapped-big swapped-2.3-little swapped-2.3-big; do
	repairs "$name"
done
repairs events
expect 1 "$CSUM" verify "$tmp/events"
says out 'frame 2: tcp bad'
says out 'frame 5: tcp bad'

# nothing is known of these without being told
for name in raw port type gre esp-12 tcp; do
	expect 0 "$CSUM" verify "$tmp/$name"
done
repairs raw --link-type 101
expect 1 "$CSUM" verify --link-type=101 -f 'ip proto 6' "$tmp/raw"
says out ', 1 packet, 1 bad'
repairs port --decode-as udp.port==10001,vxlan
repairs port --decode-as udp.port==50000,vxlan
repairs type --decode-as ethertype==0x9300,vlan
repairs gre --decode-as gre.proto==0x1234,eth
repairs tcp --decode-as tcp.port==7777,vxlan
for icv in 0 8 12 16; do
	repairs "esp-$icv" --esp-null
	repairs "esp-tunnel-$icv" --esp-null
done
expect 1 "$CSUM" explain --decode-as udp.port==10001,vxlan "$tmp/port" 1
says out '^tcp: '
expect 0 "$CSUM" verify --decode-as list
says out '^udp.port==4789,vxlan$'
says out '^gre.proto==0x8200-0x82ff,wlan$'
says out '^  vxlan +RFC 7348$'
for wrong in udp.port=1,vxlan udp.port==x,vxlan udp.port==65536,vxlan \
	udp.port==1,none udp.port==1,vlan sctp.port==1,vxlan udp.port==1; do
	expect 2 "$CSUM" verify --decode-as "$wrong" "$tmp/port"
	says err "--decode-as: '${wrong/==/==}' "
done
expect 2 "$CSUM" verify --link-type 65536 "$tmp/raw"

# nothing passed over in silence
expect 0 "$CSUM" verify "$tmp/raw"
says out 'NOTHING could be checked in any packet'
expect 2 "$CSUM" verify --strict "$tmp/raw"
says err 'nothing could be checked in 1 of 1 packets'
expect 0 "$CSUM" verify --strict "$tmp/trailer-right"
expect 0 "$CSUM" verify --json "$tmp/raw"
says out '"packets":1,"unchecked":1,"bad":0'

tap_done
