#!/bin/bash
# Hex dumps and bare bytes as input of `csum verify`, `explain` and `fix`.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
sample=$(dirname "$0")/captures/sample.pcap

# What is found in packets, without where it stands in the file.
findings() {
	"$CSUM" verify --json --all "$@" | sed -E 's/"(file|offset|format|time)":("[^"]*"|[0-9.]+),//g'
}

ip='4500 0020 1234 4000 4011 3c47 c000 020a c633 6414 138a 138a 000c'
good="$ip ec6e 0000 0001"
bad="$ip 8233 0000 0001"
mac='0000 5e00 5302 0000 5e00 5301 0800'

# --- what tools print of a whole capture
findings "$sample" >"$tmp/want"
ok 'the sample has checksums' grep -q '"verdict":"bad"' "$tmp/want"
tool() {
	ok "$* ran" test -s "$tmp/dump"
	findings "$tmp/dump" >"$tmp/got"
	ok "... every checksum as in the capture" cmp "$tmp/want" "$tmp/got"
}
if tcpdump --version >"$tmp/out" 2>&1; then
	for form in -xx -XX '-t -xx' '-q -n -e -xx' '-v -XX'; do
		# shellcheck disable=SC2086 # several words
		tcpdump -n $form -r "$sample" >"$tmp/dump" 2>/dev/null
		tool tcpdump "$form"
	done
	# from the network header on, which the content tells
	for form in -x -X; do
		tcpdump -n $form -r "$sample" >"$tmp/dump" 2>/dev/null
		expect 1 "$CSUM" verify "$tmp/dump"
		says out 'dump: hex dump of link type 101, RAW \(a guess\), 68 packets, 2 bad$'
	done
else
	skip 'no tcpdump'
fi
if tshark --version >"$tmp/out" 2>&1; then
	# its parts that are no frames are not taken for packets
	tshark -r "$sample" -x >"$tmp/dump" 2>/dev/null
	tool tshark -x
else
	skip 'no tshark'
fi

# --- what tools print of one packet
bytes "$mac" "$bad" >"$tmp/packet"
head -c 2000 /dev/zero >"$tmp/zeros"
bytes "$mac 4500 07ec 1234 4000 4011 347b c000 020a c633 6414 138a 138a 07d8 0001" |
	cat - "$tmp/zeros" >"$tmp/rows"
packet() {
	"$@" >"$tmp/dump"
	expect 1 "$CSUM" verify "$tmp/dump"
	says out 'dump: hex dump of link type 1, ETHERNET \(a guess\), 1 packet, 1 bad$'
}
for input in packet rows; do
	for form in 'xxd' 'xxd -p' 'xxd -p -c 0' 'xxd -u' 'xxd -g 1' 'xxd -c 8 -g 1' \
		'xxd -c 24' 'xxd -a' 'hexdump -C' 'od -A x -t x1' 'od -A x -t x1z' \
		'od -v -A x -t x1'; do
		if ! command -v "${form%% *}" >/dev/null; then
			skip "no ${form%% *}"
			continue
		fi
		# shellcheck disable=SC2086 # several words
		packet $form "$tmp/$input"
	done
done
packet printf '%s %s\n' "$mac" "$bad"
for separator in '' ':' '-' ', '; do
	packet sed "s/../&$separator/g" <<<"$(tr -d ' ' <<<"$mac$bad")"
done
packet sed 's/../0x&, /g' <<<"$(tr -d ' ' <<<"$mac$bad")"
packet sed 's/../\\x&/g' <<<"$(tr -d ' ' <<<"$mac$bad")"
packet printf '# a comment\r\n\r\n%s %s\r\n' "$mac" "$bad"
# Wireshark, "as hex dump": three spaces behind the offset
packet sed -E 's/([0-9a-f]{2})([0-9a-f]{2}) /\1 \2 /g; s/^0000(....): /\1   /' \
	<<<"$(xxd "$tmp/packet")"

# --- several packets of plain hex: one in each line, or with lines between
printf '%s\n%s\n' "$mac$good" "$mac$bad" | tr -d ' ' >"$tmp/dump"
expect 1 "$CSUM" verify "$tmp/dump"
says out 'dump: hex dump .*, 2 packets, 1 bad$'
printf '%s\n%s\n' "$good" "$bad" | tr -d ' ' >"$tmp/dump"
expect 1 "$CSUM" verify "$tmp/dump"
says out 'dump: hex dump of link type 101, RAW \(a guess\), 2 packets, 1 bad$'
for file in packet rows packet; do
	xxd -p "$tmp/$file"
	echo
done >"$tmp/dump"
expect 1 "$CSUM" verify "$tmp/dump"
says out '3 packets, 3 bad$'

# --- what the packets begin with
expect 1 "$CSUM" verify - <<<"$bad"
says out '^standard input: hex dump of link type 101, RAW \(a guess\), 1 packet, 1 bad$'
expect 1 "$CSUM" verify - <<<"0000 0001 0006 0000 5e00 5301 0000 0800 $bad"
says out 'link type 113, LINUX_SLL \(a guess\), 1 packet, 1 bad$'
expect 0 "$CSUM" verify --link-type 276 -x - <<<"$bad"
says out 'hex dump of link type 276, LINUX_SLL2, 1 packet, 0 bad$'
says out 'NOTHING could be checked in any packet$'
# the first packet tells nothing, the second does
printf '%s\n\n%s\n' '0001 0800 0604 0001' "$bad" >"$tmp/dump"
expect 1 "$CSUM" verify -x "$tmp/dump"
says out 'link type 101, RAW \(a guess\), 2 packets, 1 bad$'
expect 1 "$CSUM" verify --json - <<<"$bad"
says out '"type":"summary","file":"standard input","format":"hex","whole":true'

# --- one packet, byte for byte
expect 1 "$CSUM" verify --raw "$tmp/packet"
says out 'packet: bare bytes of link type 1, ETHERNET \(a guess\), 1 packet, 1 bad$'
expect 1 "$CSUM" verify --raw --link-type 1 - <"$tmp/packet"
says out 'standard input: bare bytes of link type 1, ETHERNET, 1 packet, 1 bad$'
expect 2 "$CSUM" verify "$tmp/packet"
says err 'packet: offset 0: not a pcap, pcapng, snoop or ERF file, nor a hex dump: it starts with 00 00 5e 00$'
: >"$tmp/empty"
expect 2 "$CSUM" verify --raw "$tmp/empty"
says err 'empty: offset 0: the file is empty$'
expect 2 "$CSUM" verify --hex "$tmp/empty"
expect 2 "$CSUM" verify --hex -i lo
says err '--hex and --raw are for files'
# one byte, no packet: that is for the walk to say
expect 0 "$CSUM" verify --raw - <<<''
says out 'NOTHING could be checked'

# --hex is said of a file, not of all in a directory; a dump there is recognised
mkdir "$tmp/folder"
cp "$sample" "$tmp/folder/a.pcap"
echo "$bad" >"$tmp/folder/b.txt"
echo 'no dump' >"$tmp/folder/c.txt"
expect 1 "$CSUM" verify --hex -s "$tmp/folder"
says out 'a.pcap: pcap, 68 packets, 2 bad$'
says out 'b.txt: hex dump of link type 101, RAW .a guess., 1 packet, 1 bad$'
says out '^not a capture: 1 file$'

# --- explain
expect 1 "$CSUM" explain - <<<"$bad"
says out '^standard input: frame 1: 32 bytes, link type 101 \(RAW\)$'
says out '^  found:   8233: bad$'
expect 1 "$CSUM" explain --raw "$tmp/packet"
says out '^  found:   8233: bad$'
expect 2 "$CSUM" explain - 2 <<<"$bad"
says err 'has no packet in frame 2; the last is 1$'

# --- fix makes a pcap file of it
if command -v tcpdump >/dev/null; then
	"$CSUM" fix "$sample" -o "$tmp/want.pcap" >/dev/null
	tcpdump -n -xx -r "$sample" 2>/dev/null | "$CSUM" fix - -o - 2>"$tmp/err" >"$tmp/got.pcap"
	for file in want got; do
		tcpdump -tn -xx -r "$tmp/$file.pcap" >"$tmp/$file" 2>/dev/null
	done
	ok 'fix: a hex dump repaired is the capture repaired' cmp "$tmp/want" "$tmp/got"
fi
expect 0 "$CSUM" fix - -o "$tmp/fixed.pcap" --report <<<"$bad"
says out '^standard input: frame 1: udp bad: 0x8233, now 0xec6e$'
says out 'hex dump of link type 101, RAW \(a guess\), 1 packet, 1 checksum repaired$'
bytes d4c3b2a1 0200 0400 00000000 00000000 00000008 65000000 \
	00000000 00000000 20000000 20000000 "$good" >"$tmp/want"
ok '... a pcap file of that link type' cmp "$tmp/want" "$tmp/fixed.pcap"
expect 0 "$CSUM" fix --raw "$tmp/packet" -o "$tmp/fixed.pcap"
ok '... and of bare bytes' test "$(tail -c 46 "$tmp/fixed.pcap" | xxd -p -c 0)" = \
	"$(bytes "$mac" "$good" | xxd -p -c 0)"
xxd "$tmp/packet" >"$tmp/dump"
cp "$tmp/dump" "$tmp/was"
expect 2 "$CSUM" fix -i "$tmp/dump"
says err 'dump: is no capture, and -i would make one of it; use -o$'
ok '... and stays as it was' cmp "$tmp/dump" "$tmp/was"

# a packet may be that long by lines that come again
printf '%s\n*\n00040000\n' '00000000  33 33 00 00 00 16 b6 00 11 22 33 44 12 34 01 02' \
	>"$tmp/dump"
expect 0 "$CSUM" verify "$tmp/dump"
says out 'not looked into: 1 packet of ethertype 0x1234'

# --- what is wrong, where
wrong() {
	local text=$1 error=$2
	printf '%b' "$text" >"$tmp/dump"
	rm -f "$tmp/none"
	expect 2 "$CSUM" verify --hex "$tmp/dump"
	says err "dump: offset [0-9]+: $error"
	expect 2 "$CSUM" fix --hex "$tmp/dump" -o "$tmp/none"
	ok '... and nothing is written' test ! -e "$tmp/none"
}
first='0x0000:  4500 0020 1234 4000 4011 3c47 c000 020a\n'
wrong "$first 0x0010: c633 64g4 138a" "line 2, column 17: 'g' is not a hex digit$"
wrong "$first 0x0020: c633" 'line 2, column 2: offset 0x20 behind 0x10 bytes of the packet$'
wrong "$first 0x0010: c633 641 138a" 'line 2, column 15: an odd number of hex digits: 3$'
wrong "${first}*\n" 'line 3, column 1: behind .[*]. no offset says'
wrong "${first}*\n0x0008: 00" "line 3, column 1: offset 0x8 behind '[*]'$"
wrong "${first}*\n0x00040001: 00" \
	"line 3, column 1: offset 0x40001 behind '[*]': that long is no packet$"
wrong "${first}text\n*\n0x0008: 00" "line 4, column 1: offset 0x8 behind '[*]'$"
wrong '4500 0020\n12x4\n' "line 2, column 3: 'x' is not a hex digit$"
wrong 'a header\n4500 0020\n' 'line 1, column 3: neither hex'
wrong 'nothing of it is hex\n' 'no line of hex in it$'
wrong '0000000 0045 2000 3412 0040\n' 'line 1, column 9: words in the byte order of a machine; use hexdump -C or od -Ax -tx1$'
wrong '0000000 45 00 00 20 12 34 40 00\n0000010 40\n' 'line 2, column 1: offset 0x10 behind 0x8 bytes of the packet; it has to be hex, as of od -Ax$'
# what was whole in front of it is reported
printf '%s\n\n%s\nzz\n' "$bad" "$bad" >"$tmp/dump"
expect 2 "$CSUM" verify "$tmp/dump"
says out '1 packet before the fault, 1 bad$'
# text that is no dump is not taken for one
for text in 'deadbeef' 'added: 3 files' '0000 is the port' \
	'd41d8cd98f00b204e9800998ecf8427e  a.pcap' 'face\nbeef'; do
	printf '%b\n' "$text" >"$tmp/dump"
	expect 2 "$CSUM" verify "$tmp/dump"
	says err 'dump: offset 0: not a pcap, pcapng, snoop or ERF file, nor a hex dump'
done

tap_done
