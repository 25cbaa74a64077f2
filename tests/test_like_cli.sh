#!/bin/bash
# `csum fix --like`: what another tool rewrote, as right or as wrong as before;
# and --snapped-as-zeros, for what is cut short.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
sample=$here/captures/sample.pcap

# --- every verdict and every difference stays, whatever they are
alike() {
	python3 "$here/like.py" compare "$CSUM" "$1" "$2"
}
"$CSUM" break --seed 11 --share 70% "$sample" -o "$tmp/broken.pcap" >"$tmp/out"
"$CSUM" break --seed 12 --share 50% --how flip,random,offload,large-send \
	"$sample" -o "$tmp/spoilt.pcap" >"$tmp/out"
for original in "$sample" "$tmp/broken.pcap" "$tmp/spoilt.pcap"; do
	name=${original##*/}
	python3 "$here/like.py" rewrite "$original" "$tmp/rewritten.pcap"
	ok "$name: rewriting makes other sums" \
		bash -c '! python3 "$@" >/dev/null 2>&1' - "$here/like.py" compare "$CSUM" \
		"$original" "$tmp/rewritten.pcap"
	"$CSUM" fix --like "$original" "$tmp/rewritten.pcap" -o "$tmp/fixed.pcap" >"$tmp/out" 2>"$tmp/err"
	ok "$name: all as right or as wrong as before" alike "$original" "$tmp/fixed.pcap"
	silent err
	# a tool that made all sums right, absent ones as well, is taken back
	"$CSUM" fix -v bad,partial,absent "$tmp/rewritten.pcap" -o "$tmp/right.pcap" >"$tmp/out"
	"$CSUM" fix --like "$original" "$tmp/right.pcap" -o "$tmp/again.pcap" >"$tmp/out"
	ok '... and the same from right sums' cmp "$tmp/fixed.pcap" "$tmp/again.pcap"
	# nothing was rewritten: nothing is written
	"$CSUM" fix --like "$original" "$original" -o "$tmp/fixed.pcap" >"$tmp/out"
	ok '... itself stays as it is' cmp "$original" "$tmp/fixed.pcap"
done

# --- each of these is like itself, and comes back after its right sums were broken
itself() {
	local file
	for file in "$@"; do
		"$CSUM" fix --like "$file" "$file" -o "$tmp/self" >"$tmp/log" 2>&1
		cmp "$file" "$tmp/self" || return 1
		"$CSUM" break --seed 5 --share 60% "$file" -o "$tmp/broken" >"$tmp/log" 2>&1
		"$CSUM" fix --like "$file" "$tmp/broken" -o "$tmp/self" >"$tmp/log" 2>&1
		cmp "$file" "$tmp/self" || return 1
	done
}
# a header that the capture says is unfinished, and which is 0
bytes 0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000 \
	01000000 14000000 6500 0000 00000000 14000000 \
	06000000 50000000 00000000 00000000 00000000 20000000 20000000 \
	4500 0020 1234 4000 4011 0000 c000020a c6336414 138a 138a 000c 0000 00000001 \
	0200 0400 00020000 0000 0000 50000000 >"$tmp/flagged.pcapng"
ok 'captures of ours are like themselves' itself "$here"/captures/*.pcap "$tmp/flagged.pcapng"
CSUM_SHARED=${CSUM_SHARED:-$here/../../shared}
if [ -d "$CSUM_SHARED/reports" ]; then
	ok '... and public ones' itself "$CSUM_SHARED"/reports/*.pcap "$CSUM_SHARED"/stories/*.pcap*
else
	skip 'no public captures'
fi

# --- cut short: an update keeps what the missing bytes come to
python3 "$here/like.py" cut "$sample" "$tmp/cut.pcap"
python3 "$here/like.py" rewrite "$sample" "$tmp/rewritten.pcap"
python3 "$here/like.py" rewrite "$tmp/cut.pcap" "$tmp/cut-rewritten.pcap"
"$CSUM" fix --like "$sample" "$tmp/rewritten.pcap" -o "$tmp/fixed.pcap" >"$tmp/out"
python3 "$here/like.py" cut "$tmp/fixed.pcap" "$tmp/want.pcap"
"$CSUM" fix --like "$tmp/cut.pcap" "$tmp/cut-rewritten.pcap" -o "$tmp/cut-fixed.pcap" >"$tmp/out"
ok 'fix --like: cut, then rewritten and updated, is rewritten, updated and then cut' \
	cmp "$tmp/want.pcap" "$tmp/cut-fixed.pcap"

# --- what does not match
refused() {
	rm -f "$tmp/none"
	expect 2 "$CSUM" fix --like "$1" "$2" -o "$tmp/none"
	ok '... and nothing is written' test ! -e "$tmp/none"
}
header='d4c3b2a1 0200 0400 00000000 00000000 ffff0000 65000000'
udp='00000000 00000000 20000000 20000000 4500 0020 1234 4000 4011 3c47 c000020a
	c6336414 138a 138a 000c ec6e 00000001'
short='00000000 00000000 1e000000 1e000000 4500 001e 1234 4000 4011 3c49 c000020a
	c6336414 138a 138a 000a ec72 0000'
icmp='00000000 00000000 20000000 20000000 4500 0020 1234 4000 4001 3c57 c000020a
	c6336414 0800 f7fe 0000 0000 00000001'
bytes "$header" "$udp" "$udp" >"$tmp/two.pcap"
bytes "$header" "$udp" >"$tmp/one.pcap"
bytes "$header" "$udp" "$icmp" >"$tmp/icmp.pcap"
bytes "$header" "$udp" "$short" >"$tmp/short.pcap"
refused "$tmp/one.pcap" "$tmp/two.pcap"
says err 'two.pcap: frame 2: .*one.pcap has only 1 frames$'
refused "$tmp/two.pcap" "$tmp/one.pcap"
says err 'one.pcap: has only 1 frames: frame 2 of .*two.pcap has no other half$'
refused "$tmp/two.pcap" "$tmp/icmp.pcap"
says err 'icmp.pcap: frame 2 is not that of .*two.pcap: icmp over 12 bytes, there udp over 12$'
refused "$tmp/short.pcap" "$tmp/two.pcap"
says err 'two.pcap: frame 2 is not that of .*short.pcap: udp over 12 bytes, there udp over 10$'
head -c 80 "$tmp/two.pcap" >"$tmp/damaged.pcap"
refused "$tmp/damaged.pcap" "$tmp/two.pcap"
says err 'damaged.pcap: offset 72: packet header of 16 bytes'
refused "$tmp/missing" "$tmp/two.pcap"
says err 'missing: No such file'
cp "$tmp/two.pcap" "$tmp/was"
expect 2 "$CSUM" fix --like "$tmp/one.pcap" --in-place "$tmp/two.pcap"
ok '... and the file stays' cmp "$tmp/two.pcap" "$tmp/was"
expect 2 "$CSUM" fix --like "$tmp/one.pcap" -n "$tmp/one.pcap" "$tmp/two.pcap"
says err 'one FILE for one ORIGINAL'
expect 2 "$CSUM" fix --like "$tmp/one.pcap" -v bad -n "$tmp/one.pcap"
says err '--like says what to repair'
expect 2 "$CSUM" fix --like - -n - <"$tmp/one.pcap"
says err 'cannot both be standard input'

# --- as if what was cut off were zeros
expect 1 "$CSUM" fix --report --snapped-as-zeros "$tmp/cut.pcap" -o "$tmp/fixed.pcap"
says out '^  snapped: [0-9]+ checksums, as if what was cut off were zeros$'
ok '... and padded with zeros, all is right' python3 "$here/like.py" padded "$CSUM" \
	"$tmp/fixed.pcap" "$tmp/padded.pcap"
"$CSUM" fix -p tcp,icmp,icmpv6 "$tmp/cut.pcap" -o "$tmp/fixed.pcap" >"$tmp/out"
ok 'fix leaves them without it' cmp "$tmp/cut.pcap" "$tmp/fixed.pcap"

tap_done
