#!/bin/bash
# `csum verify`, as a user types it.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
export CSUM

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

# --- directories: what looks like a capture in them, in the order of names
mkdir -p "$tmp/some/more"
cp "$tmp/bad.pcap" "$tmp/some/b.pcap"
cp "$tmp/good.pcap" "$tmp/some/more/a.pcap"
echo 'no capture' >"$tmp/some/README"
expect 1 "$CSUM" verify "$tmp/some"
says out '^total: 2 files, 4 packets, 1 bad$'
says out '^not a capture: 1 file$'
silent err
ok "... in order" test "$(grep -n 'some/b.pcap: pcap' "$tmp/out" | cut -d: -f1)" \
	-lt "$(grep -n 'more/a.pcap: pcap' "$tmp/out" | cut -d: -f1)"

# what was found and not read is said
mkdir "$tmp/odd"
ln -s ../bad.pcap "$tmp/odd/link.pcap"
mkfifo "$tmp/odd/fifo"
expect 2 "$CSUM" verify "$tmp/odd"
says err 'odd: no capture in this directory$'
says out '^total: 0 files, 0 packets, 0 bad$'
says out '^not followed: 1 symbolic link$'
says out '^not read: 1 special file$'
expect 2 "$CSUM" verify --json "$tmp/odd"
says out '"passed_over":\{"not_captures":0,"symbolic_links":1,"special_files":1\}'
# what somebody else has found is taken like that, too
expect 0 "$CSUM" verify --found "$tmp/good.pcap" "$tmp/odd/link.pcap" \
	"$tmp/odd/fifo" "$tmp/some/README"
says out '^not a capture: 1 file$'
says out '^not followed: 1 symbolic link$'
says out '^not read: 1 special file$'
expect 2 "$CSUM" verify --found "$tmp/missing"
says err 'missing: No such file'
# control characters of a name do nothing to a terminal, and JSON has them as such
name=$'evil\e[2J\a.pcap'
cp "$tmp/bad.pcap" "$tmp/$name"
for name in "$tmp/$name" "$tmp/missing$name"; do
	"$CSUM" verify "$name" >"$tmp/out" 2>"$tmp/err"
	ok "no control character of a name is shown" \
		test "$(cat "$tmp/out" "$tmp/err" | tr -d '\n' | tr -cd '[:cntrl:]' | wc -c)" -eq 0
	ok "... the name is" grep -q evil "$tmp/out" "$tmp/err"
done
"$CSUM" verify --json "$tmp"/evil* >"$tmp/out"
says out '"file":"[^"]*evil.u001b'
# a directory without a capture is not clean, whatever stands beside it
mkdir "$tmp/bare" "$tmp/texts"
echo 'no capture' | tee "$tmp/texts/a" >"$tmp/texts/b"
for option in -j1 -j2 --csv; do
	expect 2 "$CSUM" verify $option "$tmp/bare"
	says err 'bare: no capture in this directory$'
	expect 2 "$CSUM" verify $option "$tmp/good.pcap" "$tmp/texts" "$tmp/some"
	says err 'texts: no capture in this directory$'
	ok "... nothing of the others" test "$(wc -l <"$tmp/err")" -eq 1
done
# a link that is named is followed
ln -s some "$tmp/link-to-some"
expect 1 "$CSUM" verify "$tmp/link-to-some"
says out '^total: 2 files, 4 packets, 1 bad$'
# a capture that is refused is one all the same
for what in 'version:d4c3b2a1 0300 0400 00000000 00000000 ffff0000 01000000' \
	'link:d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000100' \
	'header:d4c3b2a1 0200 04' 'xz:fd377a585a000004' \
	'packed:1f8b0800 00000000 0003 ff'; do
	refused=$tmp/refused-${what%%:*}
	mkdir "$refused"
	bytes "${what#*:}" >"$refused/a.pcap"
	expect 2 "$CSUM" verify "$refused"
	says err 'a.pcap: offset [0-9]+: '
	expect 2 "$CSUM" verify "$refused/a.pcap"
done
# deeper than a path can be
cat >"$tmp/deep" <<'EOF'
cd "$1" && mkdir abyss && cd abyss || exit 9
name=$(printf 'x%.0s' $(seq 200))
for _ in $(seq 25); do mkdir "$name" && cd "$name" || exit 9; done
cp "$2" a.pcap
cd "$1" && exec "$CSUM" verify abyss
EOF
expect 2 bash "$tmp/deep" "$tmp" "$tmp/bad.pcap"
says err 'File name too long$'
# listed, but not searched; root can always
mkdir "$tmp/listed"
cp "$tmp/bad.pcap" "$tmp/listed"
cat >"$tmp/as-nobody" <<'EOF'
import os, sys
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
os.execv(sys.argv[1], sys.argv[1:])
EOF
cp "$CSUM" "$tmp/csum"
chmod 755 "$tmp" "$tmp/csum"
chmod 644 "$tmp/listed"
expect 2 python3 "$tmp/as-nobody" "$tmp/csum" verify "$tmp/listed"
says err 'listed/bad.pcap: Permission denied'
chmod 755 "$tmp/listed"

# --- compressed, by each library; damaged and cut
for packer in gzip zstd lz4; do
	command -v $packer >/dev/null || {
		skip "$packer is not installed"
		continue
	}
	$packer -c "$tmp/bad.pcap" >"$tmp/packed"
	expect 1 "$CSUM" verify "$tmp/packed"
	says out 'packed: frame 2: udp bad: found 0x8233, should be 0xec6e$'
	says out 'packed: pcap, 2 packets, 1 bad$'
	# two in a row are one input
	head -c 100 "$tmp/bad.pcap" | $packer -c >"$tmp/packed"
	tail -c +101 "$tmp/bad.pcap" | $packer -c >>"$tmp/packed"
	expect 1 "$CSUM" verify - <"$tmp/packed"
	says out '^standard input: pcap, 2 packets, 1 bad$'
	size=$(stat -c %s "$tmp/packed")
	head -c $((size - 3)) "$tmp/packed" >"$tmp/cut"
	expect 2 "$CSUM" verify "$tmp/cut"
	says err "cut: offset [0-9]+: $packer: it ends in the middle, at byte "
done

# --- formats: one object or row for each site
expect 1 "$CSUM" verify --json --all "$tmp/bad.pcap"
says out '^\{"type":"schema","name":"csum-verify","version":1\}$'
says out '"file":".*bad.pcap","frame":2,"protocol":"udp","class":"real","depth":1,"verdict":"bad","offset":142,"found":"0x8233","expected":"0xec6e","interface":0,"source":"192.0.2.10","source_port":5002,"destination":"198.51.100.20","destination_port":5002\}$'
says out '^\{"type":"summary","file":".*bad.pcap","format":"pcap","whole":true,"packets":2,"unchecked":0,"bad":1,"sites":\{"ipv4":\{"good":2,'
says out '^\{"type":"total","files":1,.*,"packets":2,"unchecked":0,"bad":1,'
ok "... every line is JSON" python3 -c \
	'import json, sys; [json.loads(l) for l in open(sys.argv[1])]' "$tmp/out"
cp "$tmp/bad.pcap" "$tmp/a \"b\", c.pcap"
expect 1 "$CSUM" verify --csv "$tmp/a \"b\", c.pcap"
says out '^file,frame,protocol,class,depth,verdict,offset,found,expected,reason,note,why,time,interface,vlans,source,source_port,destination,destination_port$'
says out '^".*/a ""b"", c.pcap",2,udp,real,1,bad,142,0x8233,0xec6e,,,,,0,,192.0.2.10,5002,198.51.100.20,5002$'
ok "... two lines" test "$(wc -l <"$tmp/out")" -eq 2

# --- notes: what is known besides the verdict
bytes "$header" "$record" "${ip/0020 1234 4000 4011 3c47/0000 1234 4000 4011 3c67}" \
	ec6e 00000001 >"$tmp/no-length.pcap"
expect 0 "$CSUM" verify --json --all "$tmp/no-length.pcap"
says out '"protocol":"udp".*"verdict":"good".*"note":"IP length 0: ends where the frame does"'
says out '"notes":\{"IP length 0: ends where the frame does":2\}'

# --- filters: by protocol, by verdict, by an expression
expect 0 "$CSUM" verify --protocol ipv4 "$tmp/bad.pcap"
says out 'bad.pcap: pcap, 2 packets, 0 bad$'
expect 1 "$CSUM" verify --verdict good "$tmp/bad.pcap"
says out 'frame 1: udp good: 0xec6e$'
ok "... no bad one" test "$(grep -c 'bad:' "$tmp/out")" -eq 0
expect 2 "$CSUM" verify --protocol ipx "$tmp/bad.pcap"
says err "'ipx' is none of .*tcp, udp, "
expect 1 "$CSUM" verify -f 'udp port 5002' "$tmp/bad.pcap"
says out 'bad.pcap: pcap, 2 packets, 1 bad$'
expect 0 "$CSUM" verify -f 'tcp' "$tmp/bad.pcap"
says out 'bad.pcap: pcap, 0 packets, 0 bad$'
expect 2 "$CSUM" verify -f 'no such thing' "$tmp/bad.pcap"
says err 'filter: '

# --- any number of threads: the same output
mapfile -t all < <(for _ in $(seq 50); do
	printf '%s\n' "$tmp/good.pcap" "$tmp/bad.pcap" "$tmp/none.pcap"
done)
"$CSUM" verify --all -j 1 "${all[@]}" >"$tmp/one"
"$CSUM" verify --all -j 7 "${all[@]}" >"$tmp/seven"
ok "one thread and seven say the same" cmp "$tmp/one" "$tmp/seven"

# --- a live interface, where one may be opened
if "$CSUM" verify -i lo -f 'udp port 9' -c 1 >"$tmp/out" 2>"$tmp/err" &
then
	job=$!
	for _ in $(seq 50); do
		kill -0 $job 2>/dev/null || break
		echo x >/dev/udp/127.0.0.1/9 2>/dev/null
		sleep 0.1
	done
	if grep -q 'permi' "$tmp/err"; then
		skip "live: $(cat "$tmp/err")"
	elif kill $job 2>/dev/null; then
		ok "live: a packet was seen within 5 seconds" false
	else
		says out '^lo: live, 1 packet, 0 bad$'
		says out '^  udp '
	fi
fi
# one that fails, or loses packets: see faults.c
faults=$(dirname "$CSUM")/../tests/libfaults.so
if [ -e "$faults" ]; then
	live() {
		expect "$1" env LD_PRELOAD="$faults" \
			FAULT_LIVE="$tmp/good.pcap" "${@:2}" \
			"$CSUM" verify -i none
	}
	live 0 FAULT_CALL=live
	says out '^none: live, 2 packets, 0 bad$'
	live 2 FAULT_CALL=live FAULT_AT=2
	says out '^none: live, 1 packet before the fault, 0 bad$'
	says err '^csum: none: '
	live 2 FAULT_LOST=3
	says err 'none: 3 packets came faster than they were read'
else
	skip "no tests/libfaults.so: not for this build"
fi
expect 2 "$CSUM" verify -i no-such-interface
says err 'no-such-interface: '
expect 2 "$CSUM" verify -i lo "$tmp/bad.pcap"
says err 'do not go together'

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
echo 'this is not a capture' >"$tmp/text"
expect 2 "$CSUM" verify "$tmp/text"
says err 'text: offset 0: not a pcap, pcapng, snoop or ERF file, nor a hex dump: it starts with 74 68 69 73'
silent out
gzip -c "$tmp/good.pcap" >"$tmp/good.pcap.gz"
printf '\xfd7zXZ\0' >"$tmp/some.pcap.xz"
expect 2 "$CSUM" verify "$tmp/some.pcap.xz"
says err 'compressed with xz: unpack it first'
expect 2 "$CSUM" verify "$tmp/missing"
says err 'missing: No such file'
expect 2 "$CSUM" verify --nonsense "$tmp/good.pcap"
says err 'nonsense'

# --- what it does not know is counted and named
bytes d4c3b2a1 0200 0400 00000000 00000000 ffff0000 c3000000 \
	"$good" "$good" >"$tmp/wlan.pcap"
expect 0 "$CSUM" verify "$tmp/wlan.pcap"
says out 'not looked into: 2 packets of link type 195 \(IEEE802_15_4_WITHFCS\)'
bytes "$header" "$record" "${ip/4011/403d} 00000000 0000" >"$tmp/other.pcap"
expect 1 "$CSUM" verify "$tmp/other.pcap"
says out 'not looked into: 1 packet of IP protocol 61'
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

# --- a closed descriptor
cat >"$tmp/closed" <<'EOF'
"$CSUM" verify "$1" >&-
EOF
expect 2 sh "$tmp/closed" "$tmp/good.pcap"
says err 'cannot write the output'
cat >"$tmp/closed" <<'EOF'
"$CSUM" verify - <&-
EOF
expect 2 sh "$tmp/closed"
says err 'standard input: .*Bad file descriptor'

# --- help
expect 0 "$CSUM" verify --help
says out '^Usage: csum verify \[OPTION...\] \[FILE\|DIRECTORY\|-\]\.\.\.$'
says out 'Exit status: 0 '
expect 0 "$CSUM" --help
says out '^  verify '

tap_done
