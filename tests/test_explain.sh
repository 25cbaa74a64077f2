#!/bin/bash
# `csum explain` and `csum verify --why`, as a user types them.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
sample=$(dirname "$0")/captures/sample.pcap

# words FILE FIRST - the sum of the words of rows from FIRST on, up to the
# result; the way a reader of the output would check it
words() {
	awk -v first="$2" '
	function hex(w,  i, n) {
		n = 0
		for (i = 1; i <= 4; i++)
			n = 16 * n + index("0123456789abcdef", substr(w, i, 1)) - 1
		return n
	}
	$0 ~ first { on = 1 }
	/complement/ && on { want = $NF; exit }
	on && /^ +(source|destination|protocol|length|[0-9]+) / {
		n = split(substr($0, 14, 41), w, " ")
		for (i = 1; i <= n; i++)
			if (w[i] !~ /^\./)
				sum += hex(substr(w[i] "00", 1, 4))
		while (sum > 65535)
			sum = sum % 65536 + int(sum / 65536)
		if (hex(substr($0, 57, 4)) != sum) {
			print "row:", $0, sum
			exit 1
		}
		rows++
	}
	END { exit !(rows > 1 && hex(want) == 65535 - sum) }' "$1"
}

# --- a port changed by a router that forgot the sum
expect 1 "$CSUM" explain "$sample" 49
says out 'sample.pcap: frame 49: 56 bytes, link type 1 \(ETHERNET\)$'
says out '^in front: 14 bytes from 0$'
says out '^ipv4: 20 bytes from 14, checksum at 24$'
says out '^           14 4500 002a 5377 4000 3f11 \.\.\.\. c000 0201 +d9b4$'
says out '^udp: 22 bytes from 34, checksum at 40$'
says out '^       source c000 0201 +c201  192\.0\.2\.1$'
says out '^     protocol 0011 +ec47  17$'
says out '^  complement of the sum: 5a40$'
says out '^  found:   5a3f: bad$'
says out '^  why:     cannot be told'
says out ' destination port +was 0x1b59 \(7001\), is 0x1b58 \(7000\)$'
silent err
ok "... ipv4, by hand" words "$tmp/out" '^ipv4:'
ok "... udp, by hand" words "$tmp/out" '^udp:'

# --- over IPv6; odd; unfinished; without; in fragments
expect 0 "$CSUM" explain "$sample" 60
says out '^       source 2001 0db8 .* 2001:db8:'
ok "... by hand" words "$tmp/out" '^udp:'
expect 0 "$CSUM" explain "$sample" 68
says out ' the last byte is the high one of its word$'
says out '^  found:   ec5a: partial$'
says out '^  why:     unfinished offload: the sum of the pseudo-header$'
ok "... by hand" words "$tmp/out" '^udp:'
expect 0 "$CSUM" explain "$sample" 67
says out '^  found:   0000: absent$'
for frame in 45 46; do
	expect 0 "$CSUM" explain "$sample" $frame
	says out '^udp: a fragment, [0-9]+ bytes from 34, byte (0|1480) of'
	says out '^udp: 2009 bytes in fragments, checksum in frame 45$'
	says out '^  found:   52f6: good$'
done
expect 0 "$CSUM" explain "$sample" 11
says out '^the message: see its first fragment'

# --- ways to be wrong, each named
"$CSUM" fix "$sample" -o "$tmp/clean.pcap" >/dev/null
name_of() {
	case $1 in
	swap) echo 'its bytes are swapped' ;;
	complement) echo 'not complemented' ;;
	odd-side) echo 'the odd last byte on the wrong side of its word' ;;
	trailer) echo 'bytes behind the message included' ;;
	large-send) echo 'unfinished offload of a large send' ;;
	length) echo 'pseudo-header with the length [0-9]+' ;;
	esac
}
for how in swap complement odd-side trailer large-send length; do
	"$CSUM" break -s 100 --how $how "$tmp/clean.pcap" \
		-o "$tmp/broken.pcap" >"$tmp/log"
	n=$(grep -c ' frame ' "$tmp/log")
	"$CSUM" verify --verdict bad,partial --why "$tmp/broken.pcap" >"$tmp/out"
	says out ": ([0-9]+ )?$(name_of $how)"
	ok "... all $n" test "$(grep -cE "frame.*$(name_of $how)|or .*cause" \
		"$tmp/out")" -eq "$n"
	ok "... counted" grep -qE "^  why: [0-9]+ " "$tmp/out"
	frame=$(sed -n '1s/.*frame \([0-9]*\):.*/\1/p' "$tmp/log")
	"$CSUM" explain "$tmp/broken.pcap" "$frame" >"$tmp/out"
	says out "^  (why:|or) +([0-9]+ )?$(name_of $how)"
done
expect 1 "$CSUM" verify --why --json "$sample"
says out '"frame":49,.*"why":"cannot be told from the arithmetic"'
says out '"causes":\{"unknown":2,"offload":13'
expect 1 "$CSUM" verify "$sample"
ok "... not unless asked" test "$(grep -c why "$tmp/out")" -eq 0

# --- what is asked for is not there
expect 2 "$CSUM" explain "$sample" 69
says err 'has no packet in frame 69; the last is 68$'
expect 2 "$CSUM" explain "$sample" 0
expect 2 "$CSUM" explain "$sample" x
expect 2 "$CSUM" explain
says err 'needs a FILE, and the number of a FRAME'
expect 0 "$CSUM" explain "$sample"
says out ': frame 1: '
expect 2 "$CSUM" explain "$tmp/missing" 1
says err 'No such file'
head -c 100 "$sample" >"$tmp/cut.pcap"
expect 2 "$CSUM" explain "$tmp/cut.pcap" 1
says err 'cut.pcap: offset 24: packet'
# the first fragment of a message is there, the rest cannot be read
bytes d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000 \
	00000000 00000000 32000000 32000000 00005e005302 00005e005301 0800 \
	4500 0024 1234 2000 4011 5c43 c000020a c6336414 138a 138a 0018 1111 \
	0102030405060708 00000000 00000000 2a00 >"$tmp/cut.pcap"
expect 2 "$CSUM" explain "$tmp/cut.pcap" 1
says out '^udp: a fragment, '
says err 'cut.pcap: offset 90: packet header of 16 bytes'
expect 0 "$CSUM" explain - 1 <"$sample"
expect 0 "$CSUM" explain --help
says out '^Usage: csum explain \[OPTION...\] FILE \[FRAMES...\]$'

# --- several frames, ranges, flows
sample=$(dirname "$0")/captures/sample.pcap
# shown FRAME... - these were explained, in this order
shown() {
	ok "... frames $*" test "$(sed -n 's/^.*pcap: frame \([0-9]*\): .*/\1/p' \
		"$tmp/out" | xargs)" = "$*"
}
expect 1 "$CSUM" explain "$sample" 3,7-8 49
shown 3 7 8 49
expect 0 "$CSUM" explain "$sample" 48 1-2
shown 1 2 48
expect 1 "$CSUM" explain --flow 192.0.2.1:59609-198.51.100.1:7000 "$sample"
shown 49
expect 1 "$CSUM" explain --flow '198.51.100.1-192.0.2.1:59609' "$sample"
shown 49
expect 1 "$CSUM" explain --flow '[2001:db8:2::1]:57322-[2001:db8:100::1]' "$sample"
shown 66
expect 1 "$CSUM" explain -f 'src port 59609 or src port 57322' "$sample" 40-68
shown 49 66
expect 2 "$CSUM" explain --flow 192.0.2.1:1-198.51.100.1:2 "$sample"
says err 'sample.pcap: no packet of 68 matches$'
expect 2 "$CSUM" explain "$sample" 67-70
says err 'has no packet in frame 70; the last is 68$'
shown 67 68
for wrong in 9-7 0 '1,' 1-2-3 x '1,,2'; do
	expect 2 "$CSUM" explain "$sample" "$wrong"
	says err "'$wrong' is not the number of a frame"
done
for wrong in foo 192.0.2.1 192.0.2.1:99999-192.0.2.2 '[::1-::2' '192.0.2.1:-192.0.2.2' '::1:80-::2'; do
	expect 2 "$CSUM" explain --flow "$wrong" "$sample"
	says err "is not A:PORT-B:PORT"
done
# two messages in fragments, one in the other
python3 "$(dirname "$0")/where.py" "$tmp"
expect 1 "$CSUM" explain "$tmp/where.pcap" 5-7
says out '^the message of frame 6:$'
says out 'found:   1234: bad'

# no line is wider than a terminal
ok "... 80 columns" test "$(env -u COLUMNS "$CSUM" explain "$sample" 1-68 | wc -L)" -lt 80
# shellcheck disable=SC2086 # no word, for all commands
for command in --help $("$CSUM" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
	ok "... 80 columns of help $command" test "$(env -u COLUMNS "$CSUM" help \
		${command#--help} | wc -L)" -lt 80
done

tap_done
