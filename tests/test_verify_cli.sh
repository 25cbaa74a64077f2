#!/bin/bash
# `csum verify`, as a user types it.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
export CSUM

# bytes HEX... - to standard output
bytes() {
	local hex=$*
	hex=${hex//[[:space:]]/}
	# shellcheck disable=SC2001 # no reference to the match in ${//}
	printf '%b' "$(sed 's/../\\x&/g' <<<"$hex")"
}

# A pcap file, little endian, Ethernet; and two frames of 45 bytes: UDP over
# IPv4.  The header's checksum 0x3c47 is right in both; that of UDP is 0xec6e,
# and the second frame has 0x8233 (case B134 of the public cases).
header='d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000'
record='00000000 00000000 2e000000 2e000000'
ip='00005e005302 00005e005301 0800
	4500 0020 1234 4000 4011 3c47 c000020a c6336414 138a 138a 000c'
good="$record $ip ec6e 00000001"
bad="$record $ip 8233 00000001"
bytes "$header" "$good" "$good" >"$tmp/good.pcap"
bytes "$header" "$good" "$bad" >"$tmp/bad.pcap"
bytes "$header" >"$tmp/none.pcap"

# --- exit status 0: lines for nothing, a summary
expect 0 "$CSUM" verify "$tmp/good.pcap"
says out 'good.pcap: pcap, 2 packets, 0 bad$'
says out '^  ipv4 +2 +0 +0 +0 +0$'
says out '^  udp +2 +0 +0 +0 +0$'
ok "... no line for a frame" test "$(grep -c frame "$tmp/out")" -eq 0
silent err
expect 0 "$CSUM" verify "$tmp/none.pcap"
says out 'none.pcap: pcap, 0 packets, 0 bad$'
silent err
expect 0 "$CSUM" verify --all "$tmp/good.pcap"
says out 'good.pcap: frame 1: ipv4 good: 0x3c47$'
says out 'good.pcap: frame 2: udp good: 0xec6e$'

# --- exit status 1: found, and should be
expect 1 "$CSUM" verify "$tmp/bad.pcap"
says out 'bad.pcap: frame 2: udp bad: found 0x8233, should be 0xec6e$'
says out 'bad.pcap: pcap, 2 packets, 1 bad$'
says out '^  udp +1 +1 +0 +0 +0$'
ok "... one line for a frame" test "$(grep -c ' frame ' "$tmp/out")" -eq 1
silent err
expect 1 "$CSUM" verify --summary "$tmp/bad.pcap"
ok "... no line for a frame" test "$(grep -c ' frame ' "$tmp/out")" -eq 0
says out 'bad.pcap: pcap, 2 packets, 1 bad$'
expect 1 "$CSUM" verify -a "$tmp/bad.pcap"
ok "... four lines" test "$(grep -c ' frame ' "$tmp/out")" -eq 4

# --- where it reads from
expect 1 "$CSUM" verify <"$tmp/bad.pcap"
says out '^standard input: frame 2: udp bad: found 0x8233, should be 0xec6e$'
expect 1 "$CSUM" verify - <"$tmp/bad.pcap"
says out '^standard input: pcap, 2 packets, 1 bad$'
# a pipe that delivers a byte now and then
cat >"$tmp/slowly" <<'EOF'
{ head -c 100; sleep 0.1; head -c 1; sleep 0.1; cat; } <"$1" | "$CSUM" verify -
EOF
expect 1 sh "$tmp/slowly" "$tmp/bad.pcap"
says out 'frame 2: udp bad'

# --- several files: each with its summary, a total, the worst status
expect 1 "$CSUM" verify "$tmp/good.pcap" "$tmp/bad.pcap" "$tmp/good.pcap"
ok "... three summaries" test "$(grep -c ': pcap, ' "$tmp/out")" -eq 3
says out '^total: 3 files, 6 packets, 1 bad$'
expect 2 "$CSUM" verify "$tmp/bad.pcap" "$tmp/missing" "$tmp/good.pcap"
says err 'missing: No such file'
says out 'frame 2: udp bad'
says out 'good.pcap: pcap, 2 packets, 0 bad$'
says out '^total: 3 files, 4 packets, 1 bad$'

# --- exit status 2: what came before the fault is reported, and where it is
head -c 146 "$tmp/bad.pcap" >"$tmp/cut.pcap"
expect 2 "$CSUM" verify "$tmp/cut.pcap"
says out 'cut.pcap: pcap, 1 packet before the fault, 0 bad$'
says err 'cut.pcap: offset 86: packet with header of 62 bytes, but .* after 60'
bytes "$header" "$bad" "$record" 00 >"$tmp/cut.pcap"
expect 2 "$CSUM" verify "$tmp/cut.pcap"
says out 'frame 1: udp bad: found 0x8233, should be 0xec6e$'
says err 'cut.pcap: offset 86: '
# a length near 2^32: no memory is taken for it
bytes "$header" "$good" 00000000 00000000 f0ffffff f0ffffff >"$tmp/huge.pcap"
cat >"$tmp/limited" <<'EOF'
ulimit -S -v 200000
# a sanitizer cannot start with so little
"$CSUM" --version >/dev/null 2>&1 || ulimit -S -v unlimited
"$CSUM" verify "$1"
EOF
expect 2 bash "$tmp/limited" "$tmp/huge.pcap"
says err 'huge.pcap: offset 86: packet of 4294967280 bytes'
says out 'huge.pcap: pcap, 1 packet before the fault, 0 bad$'
: >"$tmp/empty"
expect 2 "$CSUM" verify "$tmp/empty"
says err 'empty: offset 0: the file is empty'
silent out
expect 2 "$CSUM" verify "$tmp"
says err 'Is a directory'
silent out
echo 'this is not a capture' >"$tmp/text"
expect 2 "$CSUM" verify "$tmp/text"
says err 'text: offset 0: not a pcap or pcapng file: it starts with 74 68 69 73'
silent out
gzip -c "$tmp/good.pcap" >"$tmp/good.pcap.gz"
expect 2 "$CSUM" verify "$tmp/good.pcap.gz"
says err 'compressed with gzip: unpack it first'
expect 2 "$CSUM" verify "$tmp/missing"
says err 'missing: No such file'
expect 2 "$CSUM" verify --nonsense "$tmp/good.pcap"
says err 'nonsense'

# --- what it does not know is counted and named
bytes d4c3b2a1 0200 0400 00000000 00000000 ffff0000 69000000 \
	"$good" "$good" >"$tmp/wlan.pcap"
expect 0 "$CSUM" verify "$tmp/wlan.pcap"
says out 'not looked into: 2 packets of link type 105 \(IEEE802_11\)'
bytes "$header" "$record" "${ip/4011/4084} 00000000 0000" >"$tmp/sctp.pcap"
expect 1 "$CSUM" verify "$tmp/sctp.pcap"
says out 'not looked into: 1 packet of IP protocol 132'
bytes "$header" "$record" "${ip/0800/0806} 00000000 0000" >"$tmp/arp.pcap"
expect 0 "$CSUM" verify "$tmp/arp.pcap"
says out 'not looked into: 1 packet of ethertype 0x0806'

# --- a reader of the output that has gone, or a full disk: no endless loop
cat >"$tmp/many" <<'EOF'
mapfile -t files < <(yes "$1" | head -n 2000)
"$CSUM" verify --all "${files[@]}"
echo $? >"$2"
EOF
cat >"$tmp/ignored" <<'EOF'
trap '' PIPE
bash "$1" "$2" "$3" | head -n 1
exit "$(cat "$3")"
EOF
expect 2 timeout 20 bash "$tmp/ignored" "$tmp/many" "$tmp/bad.pcap" \
	"$tmp/status"
says err 'cannot write the output'
if [ -e /dev/full ]; then
	cat >"$tmp/full" <<-'EOF'
		"$CSUM" verify --all "$1" >/dev/full
	EOF
	expect 2 timeout 20 sh "$tmp/full" "$tmp/good.pcap"
	says err 'cannot write'
fi

# --- help
expect 0 "$CSUM" verify --help
says out '^Usage: csum verify \[OPTION...\] \[FILE\|-\]\.\.\.$'
says out 'Exit status: 0 '
expect 0 "$CSUM" --help
says out '^  verify '

tap_done
