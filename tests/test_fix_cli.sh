#!/bin/bash
# `csum fix` and `csum break`, as a user types them.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
export CSUM
sample=$(dirname "$0")/captures/sample.pcap

header='d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000'
record='00000000 00000000 2e000000 2e000000'
ip='00005e005302 00005e005301 0800
	4500 0020 1234 4000 4011 3c47 c000020a c6336414 138a 138a 000c'
# UDP over IPv4, both checksums right; wrong; and without one
good="$record $ip ec6e 00000001"
bad="$record $ip 8233 00000001"
absent="$record $ip 0000 00000001"
bytes "$header" "$good" "$good" >"$tmp/good.pcap"
bytes "$header" "$good" "$bad" >"$tmp/bad.pcap"
bytes "$header" "$good" "$absent" >"$tmp/absent.pcap"

same() {
	ok "... $1 is byte for byte $2" cmp "$tmp/$1" "$tmp/$2"
}
no_leftovers() {
	ok "... nothing else is left" test -z "$(find "$tmp" -name '*.pcap.??????')"
}

# --- a repair
expect 0 "$CSUM" fix "$tmp/bad.pcap" -o "$tmp/fixed.pcap"
same fixed.pcap good.pcap
says out 'bad.pcap: pcap, 2 packets, 1 checksum repaired$'
says out '^  udp +1 +1 +0 +0 +0 +0$'
silent err
no_leftovers
expect 0 "$CSUM" fix "$tmp/good.pcap" -o "$tmp/fixed.pcap"
same fixed.pcap good.pcap
says out '2 packets, 0 checksums repaired$'
expect 0 "$CSUM" fix --report "$tmp/bad.pcap" -o "$tmp/fixed.pcap"
says out 'bad.pcap: frame 2: udp bad: 0x8233, now 0xec6e$'
ok "... one line for a frame" test "$(grep -c ' frame ' "$tmp/out")" -eq 1
umask 027
rm "$tmp/fixed.pcap"
expect 0 "$CSUM" fix "$tmp/bad.pcap" -o "$tmp/fixed.pcap"
ok "... mode by umask" test "$(stat -c %a "$tmp/fixed.pcap")" = 640
chmod 604 "$tmp/fixed.pcap"
expect 0 "$CSUM" fix "$tmp/bad.pcap" -o "$tmp/fixed.pcap"
ok "... mode of what was there" test "$(stat -c %a "$tmp/fixed.pcap")" = 604

# --- what is asked for
expect 0 "$CSUM" fix "$tmp/absent.pcap" -o "$tmp/fixed.pcap"
same fixed.pcap absent.pcap
expect 0 "$CSUM" fix --verdict=bad,absent "$tmp/absent.pcap" -o "$tmp/fixed.pcap"
same fixed.pcap good.pcap
expect 0 "$CSUM" fix --protocol=tcp,ipv4 "$tmp/bad.pcap" -o "$tmp/fixed.pcap"
same fixed.pcap bad.pcap
expect 0 "$CSUM" fix --verdict=partial "$tmp/bad.pcap" -o "$tmp/fixed.pcap"
same fixed.pcap bad.pcap
expect 0 "$CSUM" fix --dry-run --report "$tmp/bad.pcap"
says out 'bad.pcap: pcap, 2 packets, 1 checksum to repair$'
says out 'frame 2: udp bad: 0x8233, now 0xec6e$'
expect 0 "$CSUM" fix -n "$tmp/bad.pcap" -o "$tmp/not-there"
ok "... nothing is written" test ! -e "$tmp/not-there"

# lengths of 0, as in a large send; the checksums for them
zeros="${ip/0020 1234 4000 4011 3c47/0000 1234 4000 4011 3c67}"
bytes "$header" "$record" "${zeros/138a 000c/138a 0000}" ec6e 00000001 \
	>"$tmp/zeros.pcap"
bytes "$header" "$good" >"$tmp/one-good.pcap"
expect 0 "$CSUM" fix --lengths "$tmp/zeros.pcap" -o "$tmp/fixed.pcap"
same fixed.pcap one-good.pcap
says out 'lengths: filled in 1 packet$'
expect 1 "$CSUM" fix "$tmp/zeros.pcap" -o "$tmp/fixed.pcap"
same fixed.pcap zeros.pcap

# --- messages in fragments: the field is in a packet that has gone by
head -c 24 "$tmp/good.pcap" >"$tmp/pieces.pcap"
cp "$tmp/pieces.pcap" "$tmp/pieces-good.pcap"
first='00000000 00000000 32000000 32000000 00005e005302 00005e005301 0800
	4500 0024 1234 2000 4011 5c43 c000020a c6336414 138a 138a 0018'
last='00000000 00000000 2a000000 2a000000 00005e005302 00005e005301 0800
	4500 001c 1234 0002 4011 7c49 c000020a c6336414 0000000000000001'
bytes "$first" 1111 0102030405060708 "$last" >>"$tmp/pieces.pcap"
bytes "$first" dc42 0102030405060708 "$last" >>"$tmp/pieces-good.pcap"
expect 0 "$CSUM" fix "$tmp/pieces.pcap" -o "$tmp/fixed.pcap"
same fixed.pcap pieces-good.pcap
expect 0 "$CSUM" verify "$tmp/fixed.pcap"
says out '^  udp +1 +0 +0 +0 +0$'
# more between them than a window holds: what is written already is changed
{
	bytes "$header" "$first" 1111 0102030405060708
	for _ in 1 2 3 4 5 6; do
		bytes 00000000 00000000 00000400 00000400 \
			ffffffffffff 000000000000 88b5
		head -c 262130 /dev/zero
	done
	bytes "$last"
} >"$tmp/far.pcap"
expect 0 "$CSUM" fix "$tmp/far.pcap" -o "$tmp/fixed.pcap"
expect 0 "$CSUM" verify "$tmp/fixed.pcap"
says out '^  udp +1 +0 +0 +0 +0$'
cat >"$tmp/pieces" <<'EOF'
{ head -c "$1" "$2"; sleep 0.2; tail -c "+$(($1 + 1))" "$2"; } |
	"$CSUM" fix - -o - | cat >"$3"
EOF
# the pipe gets the first fragment no earlier than it is right
expect 0 sh "$tmp/pieces" 100 "$tmp/pieces.pcap" "$tmp/piped.pcap"
same piped.pcap pieces-good.pcap
# too late: that is said, and no byte is lost
bytes "$header" "$first" 1111 0102030405060708 "$good" "$last" \
	>"$tmp/late.pcap"
cat >"$tmp/late" <<'EOF'
{ head -c 90 "$1"; sleep 2.5; tail -c +91 "$1" | head -c 62; sleep 0.3
	tail -c +153 "$1"; } | { "$CSUM" fix - -o -; echo $? >"$3"; } |
	cat >"$2"
exit "$(cat "$3")"
EOF
expect 1 sh "$tmp/late" "$tmp/late.pcap" "$tmp/piped.pcap" "$tmp/status"
same piped.pcap late.pcap
says err '^  udp +1 +0 +0 +0 +0 +1$'

# --- a filter: standard input to standard output, reports on the side
cp "$sample" "$tmp/sample.pcap"
expect 0 "$CSUM" fix "$tmp/sample.pcap" -o "$tmp/fixed.pcap"
cat >"$tmp/filter" <<'EOF'
cat "$1" | "$CSUM" fix - -o - | cat >"$2"
EOF
expect 0 sh "$tmp/filter" "$tmp/sample.pcap" "$tmp/piped.pcap"
same piped.pcap fixed.pcap
silent out
says err '^standard input: pcap, 68 packets, [0-9]+ checksums repaired$'
cat >"$tmp/redirected" <<'EOF'
printf 'in front' >"$2"
"$CSUM" fix -o - <"$1" 1<>"$2"
EOF
expect 0 sh "$tmp/redirected" "$tmp/bad.pcap" "$tmp/piped.pcap"
same piped.pcap good.pcap
# --- in place
cp "$tmp/bad.pcap" "$tmp/place.pcap"
chmod 640 "$tmp/place.pcap"
expect 0 "$CSUM" fix --in-place "$tmp/place.pcap"
same place.pcap good.pcap
ok "... mode as before" test "$(stat -c %a "$tmp/place.pcap")" = 640
no_leftovers
touch -d '2001-02-03' "$tmp/place.pcap"
inode=$(stat -c '%i %Y' "$tmp/place.pcap")
expect 0 "$CSUM" fix --in-place "$tmp/place.pcap"
ok "... nothing to do: the same file" \
	test "$(stat -c '%i %Y' "$tmp/place.pcap")" = "$inode"
cp "$tmp/bad.pcap" "$tmp/place.pcap"
ln -s place.pcap "$tmp/link.pcap"
expect 0 "$CSUM" fix -i "$tmp/link.pcap"
same place.pcap good.pcap
ok "... a link stays one" test -L "$tmp/link.pcap"
cp "$tmp/bad.pcap" "$tmp/place.pcap"
ln "$tmp/place.pcap" "$tmp/hard.pcap"
expect 2 "$CSUM" fix -i "$tmp/place.pcap"
says err 'place.pcap: has another name'
same place.pcap bad.pcap
rm "$tmp/hard.pcap"
cp "$tmp/bad.pcap" "$tmp/place2.pcap"
expect 2 "$CSUM" fix -i "$tmp/place.pcap" "$tmp/missing" "$tmp/place2.pcap"
same place.pcap good.pcap
same place2.pcap good.pcap

# a closed descriptor: its number is not that of the output
for closed in '<&- >&-' '>&-' '<&- >&- 2>&-' '2>&-'; do
	cp "$tmp/bad.pcap" "$tmp/place.pcap"
	expect "$([ "$closed" = '2>&-' ] && echo 0 || echo 2)" bash -c \
		"\"\$CSUM\" fix --report --in-place '$tmp/place.pcap' $closed"
	same place.pcap good.pcap
done
# changed, or replaced, while it is read: what is there now stays
cat >"$tmp/meanwhile" <<'EOF'
mkfifo "$1.here" "$1.go"
FAULT_CALL=$4 FAULT_WAIT="$1" LD_PRELOAD="$3" "$CSUM" fix --in-place "$1" &
: >"$1.here" # opened by both: all is read, and about to be written to the
# disk, or about to change places after the last look
sh -c "$2" sh "$1"
: >"$1.go"
wait $!
EOF
# open for writing: what comes after the repair would be lost
cat >"$tmp/writer" <<'EOF'
import fcntl, subprocess, sys
csum, path = sys.argv[1:]
try:
    with open(path) as f:
        fcntl.fcntl(f, fcntl.F_SETLEASE, fcntl.F_RDLCK)
except OSError:
    sys.exit(77)
with open(path, "ab"):
    sys.exit(subprocess.run([csum, "fix", "-i", path]).returncode)
EOF
cp "$tmp/bad.pcap" "$tmp/place.pcap"
python3 "$tmp/writer" "$CSUM" "$tmp/place.pcap" >"$tmp/out" 2>"$tmp/err"
status=$?
if [ $status -eq 77 ]; then
	skip "this file system grants no lease"
else
	ok "open for writing: exit status 2" test $status -eq 2
	says err 'place.pcap: another program has it open for writing'
	same place.pcap bad.pcap
	no_leftovers
fi
faults=$(dirname "$CSUM")/../tests/libfaults.so
cat >"$tmp/changes" <<EOF
sync cat '$tmp/good.pcap' >>"\$1"
sync mv '$tmp/other' "\$1"
sync touch "\$1"
sync rm "\$1"; cp '$tmp/absent.pcap' "\$1"
rename cat '$tmp/good.pcap' >>"\$1"
rename mv '$tmp/other' "\$1"
rename touch "\$1"
rename rm "\$1"; cp '$tmp/absent.pcap' "\$1"
EOF
if [ -e "$faults" ]; then
	while read -r call change; do
		for file in want place; do
			cp "$tmp/absent.pcap" "$tmp/other"
			cp "$tmp/bad.pcap" "$tmp/$file.pcap"
			[ $file = place ] || sh -c "$change" sh "$tmp/want.pcap"
		done
		rm -f "$tmp/place.pcap.here" "$tmp/place.pcap.go"
		expect 2 timeout 20 bash "$tmp/meanwhile" "$tmp/place.pcap" "$change" \
			"$faults" "$call"
		says err 'place.pcap: was changed or replaced while it was read'
		same place.pcap want.pcap
		no_leftovers
	done <"$tmp/changes"
	rm -f "$tmp/place.pcap.here" "$tmp/place.pcap.go"
	# the two cannot change places, as on some file systems
	cp "$tmp/bad.pcap" "$tmp/place.pcap"
	expect 0 env LD_PRELOAD="$faults" FAULT_CALL=rename FAULT_AT=1 \
		FAULT_ERRNO=22 "$CSUM" fix -i "$tmp/place.pcap"
	same place.pcap good.pcap
	no_leftovers
	# the old file cannot be removed, and is named
	cp "$tmp/bad.pcap" "$tmp/place.pcap"
	expect 2 env LD_PRELOAD="$faults" FAULT_CALL=unlink FAULT_AT=1 \
		"$CSUM" fix -i "$tmp/place.pcap"
	says err 'place.pcap: is replaced, but the old file stays as .*place'
	same place.pcap good.pcap
	mv "$tmp"/place.pcap.?????? "$tmp/stays.pcap"
	same stays.pcap bad.pcap
	rm "$tmp/stays.pcap"
	# the owner cannot be given to the new file
	cp "$tmp/bad.pcap" "$tmp/place.pcap"
	if chown 65534 "$tmp/place.pcap" 2>/dev/null; then
		expect 2 env LD_PRELOAD="$faults" FAULT_CALL=owner FAULT_AT=1 \
			"$CSUM" fix -i "$tmp/place.pcap"
		says err 'place.pcap: its owner cannot be kept'
		same place.pcap bad.pcap
		no_leftovers
		expect 0 "$CSUM" fix -i "$tmp/place.pcap"
		ok "... owner as before" \
			test "$(stat -c %u "$tmp/place.pcap")" = 65534
	fi
else
	skip "no tests/libfaults.so: not for this build"
fi

# --- killed at any moment: the old file or the new one
bytes "$bad" >"$tmp/record"
for _ in $(seq 15); do
	cat "$tmp/record" "$tmp/record" >"$tmp/twice"
	mv "$tmp/twice" "$tmp/record"
done
bytes "$header" | cat - "$tmp/record" >"$tmp/old.pcap"
start=$(date +%s%N)
"$CSUM" fix "$tmp/old.pcap" -o "$tmp/new.pcap" >/dev/null
took=$(($(date +%s%N) - start))
cat >"$tmp/killed" <<'EOF'
"$CSUM" fix --in-place "$1" >/dev/null 2>&1 &
sleep "$2"
kill -KILL $! 2>/dev/null
wait $! 2>/dev/null
cmp -s "$1" "$3" || cmp -s "$1" "$4"
EOF
whole=0
for i in $(seq 20); do
	cp "$tmp/old.pcap" "$tmp/victim.pcap"
	after=$(printf '%d.%09d' $((took * i / 14 / 1000000000)) \
		$((took * i / 14 % 1000000000)))
	bash "$tmp/killed" "$tmp/victim.pcap" "$after" "$tmp/old.pcap" \
		"$tmp/new.pcap" 2>/dev/null && whole=$((whole + 1))
done
ok "killed 20 times: the old file or the new one" test $whole -eq 20
rm -f "$tmp"/victim.pcap*
# a signal that can be caught removes what there is so far
mkfifo "$tmp/fifo"
cat >"$tmp/ended" <<'EOF'
ulimit -c 0
# a shell ignores INT and QUIT in the background, and Python XFSZ
python3 -c 'import os, signal, sys
for s in signal.SIGINT, signal.SIGQUIT, signal.SIGXFSZ:
	signal.signal(s, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$CSUM" fix - -o "$1" <"$2" &
exec 3>"$2"
head -c 100 "$3" >&3
until compgen -G "$1.??????" >/dev/null; do sleep 0.02; done
kill -"$3" $!
wait $!
EOF
for signal in HUP INT QUIT ALRM TERM USR1 XCPU XFSZ VTALRM PROF; do
	expect $((128 + $(kill -l $signal))) timeout 20 bash "$tmp/ended" \
		"$tmp/never.pcap" "$tmp/fifo" $signal
	ok "... nothing is left" test -z "$(find "$tmp" -name 'never*')"
done

# --- what has come is passed on before more comes
cat >"$tmp/live" <<'EOF'
"$CSUM" fix - -o - <"$2" 2>/dev/null | {
	exec 3>"$2"
	cat "$1" >&3
	timeout 10 head -c "$(stat -c %s "$1")" >"$3"
}
EOF
expect 0 bash "$tmp/live" "$tmp/bad.pcap" "$tmp/fifo" "$tmp/live.pcap"
same live.pcap good.pcap

# --- the input is damaged: repaired before that, and no byte is lost
bytes "$header" "$bad" "$record" 1234 >"$tmp/cut.pcap"
bytes "$header" "$good" "$record" 1234 >"$tmp/cut-good.pcap"
expect 2 "$CSUM" fix "$tmp/cut.pcap" -o "$tmp/fixed.pcap"
same fixed.pcap cut-good.pcap
says err 'cut.pcap: offset 86: packet with header'
says out 'cut.pcap: pcap, 1 packet before the fault, 1 checksum repaired$'
expect 2 "$CSUM" fix -i "$tmp/cut.pcap"
same cut.pcap cut-good.pcap
bytes "$header" "$bad" 00000000 00000000 f0ffffff f0ffffff 1234 >"$tmp/cut.pcap"
bytes "$header" "$good" 00000000 00000000 f0ffffff f0ffffff 1234 \
	>"$tmp/cut-good.pcap"
expect 2 "$CSUM" fix "$tmp/cut.pcap" -o "$tmp/fixed.pcap"
same fixed.pcap cut-good.pcap

# --- no output: not a capture, not there, no room, the input itself
rm "$tmp/fixed.pcap"
: >"$tmp/empty"
echo 'this is not a capture' >"$tmp/text"
for input in empty text missing .; do
	expect 2 "$CSUM" fix "$tmp/$input" -o "$tmp/fixed.pcap"
	ok "... no output for $input" test ! -e "$tmp/fixed.pcap"
	no_leftovers
done
expect 2 "$CSUM" fix "$tmp/bad.pcap" -o "$tmp/bad.pcap"
says err 'bad.pcap: is the input'
expect 2 "$CSUM" fix "$tmp/bad.pcap" -o "$tmp/missing/out.pcap"
says err 'No such file'
expect 2 "$CSUM" fix "$tmp/bad.pcap" -o "$tmp"
says err 'Is a directory'
for name in out.pcap.gz out.pcap.ZST out.lz4; do
	expect 2 "$CSUM" fix "$tmp/bad.pcap" -o "$tmp/$name"
	says err "$name: the output is not compressed"
	ok "... no output" test ! -e "$tmp/$name"
done
ln -s nothing "$tmp/dangling.pcap"
expect 2 "$CSUM" fix "$tmp/bad.pcap" -o "$tmp/dangling.pcap"
says err 'dangling.pcap: is a symbolic link to nothing'
ok "... the link is left" test -L "$tmp/dangling.pcap"
long=$tmp/$(printf 'x%.0s' $(seq 250)).pcap
expect 0 "$CSUM" fix "$tmp/bad.pcap" -o "$long"
ok "... under a name of 255 characters" cmp "$long" "$tmp/good.pcap"
expect 2 "$CSUM" fix "$tmp/bad.pcap" -o "${long}x"
says err 'File name too long'
cat >"$tmp/itself" <<'EOF'
"$CSUM" fix - -o - <"$1" >>"$1"
EOF
expect 2 sh "$tmp/itself" "$tmp/bad.pcap"
says err 'standard output: is the input'
cat >"$tmp/limited" <<'EOF'
trap '' XFSZ
ulimit -f 512
"$CSUM" fix "$@"
EOF
expect 2 bash "$tmp/limited" "$tmp/old.pcap" -o "$tmp/fixed.pcap"
says err 'cannot write the output: File too large'
ok "... no output" test ! -e "$tmp/fixed.pcap"
no_leftovers
cp "$tmp/old.pcap" "$tmp/place.pcap"
expect 2 bash "$tmp/limited" --in-place "$tmp/place.pcap"
same place.pcap old.pcap
no_leftovers
if [ -e /dev/full ]; then
	expect 2 "$CSUM" fix "$tmp/old.pcap" -o /dev/full
	says err 'cannot write the output: No space left'
fi
expect 0 "$CSUM" fix "$tmp/old.pcap" -o /dev/null
if [ "$(id -u)" -ne 0 ]; then
	chmod 000 "$tmp/new.pcap"
	expect 2 "$CSUM" fix "$tmp/new.pcap" -o "$tmp/fixed.pcap"
	says err 'Permission denied'
fi

# --- what cannot be known or is not understood: counted, named, exit status 1
bytes d4c3b2a1 0200 0400 00000000 00000000 ffff0000 93000000 \
	"$bad" "$bad" >"$tmp/link.147"
expect 1 "$CSUM" fix "$tmp/link.147" -o "$tmp/fixed.pcap"
says out 'not looked into: 2 packets of link type 147'
ok "... unchanged" cmp "$tmp/link.147" "$tmp/fixed.pcap"
# a TCP segment that was cut: its sum needs the rest; the header's does not
bytes "$header" 00000000 00000000 36000000 00050000 \
	00005e005302 00005e005301 0800 4500 04f2 1234 4000 4006 0000 c000020a \
	c6336414 138a 138a 00000000 00000000 5010 ffff 1234 0000 >"$tmp/cut.tcp"
expect 1 "$CSUM" fix -r "$tmp/cut.tcp" -o "$tmp/fixed.pcap"
says out 'frame 1: tcp cannot be known: cut short by the snap length'
says out 'frame 1: ipv4 bad: 0x0000, now 0x'
says out 'unknown: 1 cut short by the snap length'

# --- the command line
expect 2 "$CSUM" fix "$tmp/bad.pcap"
says err 'say where to write'
expect 2 "$CSUM" fix "$tmp/bad.pcap" -i -o "$tmp/out.pcap"
says err 'not both'
expect 2 "$CSUM" fix "$tmp/bad.pcap" "$tmp/good.pcap" -o "$tmp/out.pcap"
expect 2 "$CSUM" fix -i
expect 2 "$CSUM" fix --protocol=tcp,nonsense "$tmp/bad.pcap" -n
says err "'nonsense' is none of .*tcp, udp, "
expect 2 "$CSUM" fix --verdict=good,nonsense "$tmp/bad.pcap" -n
expect 0 "$CSUM" fix --help
says out '^Usage: csum fix \[OPTION...\] FILE -o OUT$'
says out 'Exit status: 0 '

# --- break, and back
"$CSUM" fix "$tmp/sample.pcap" -o "$tmp/clean.pcap" >/dev/null
ways='offload large-send zero swap complement no-pseudo pseudo pseudo-twice
	length protocol odd-side odd-byte trailer carry flip random'
for how in $ways; do
	expect 0 "$CSUM" break --share=100% --how="$how" "$tmp/clean.pcap" \
		-o "$tmp/broken.pcap"
	n=$(grep -c ' frame ' "$tmp/out")
	says out " $n of [0-9]+ right checksums broken, seed 1$"
	ok "... some" test "$n" -gt 0
	cp "$tmp/out" "$tmp/log"
	expect 0 "$CSUM" fix "$tmp/broken.pcap" -o "$tmp/fixed.pcap"
	same fixed.pcap clean.pcap
	says out ", $n checksums? repaired$"
done
# every line of the log tells where, what was there, and what is there now
cat >"$tmp/undo" <<'EOF'
sed -n 's/.* at offset \([0-9]*\): 0x\(..\)\(..\), now .*/\1 \2 \3/p' "$2" |
	while read -r offset first second; do
		printf "\\x$first\\x$second" |
			dd of="$1" bs=1 seek="$offset" conv=notrunc 2>/dev/null
	done
EOF
bash "$tmp/undo" "$tmp/broken.pcap" "$tmp/log"
same broken.pcap clean.pcap
# the same seed gives the same file, another one another; and the share holds
for seed in 7 7 8; do
	"$CSUM" break -S $seed -s 50% "$tmp/old.pcap" -o "$tmp/b$seed.pcap" \
		>"$tmp/log$seed"
	[ -e "$tmp/first.pcap" ] || mv "$tmp/b$seed.pcap" "$tmp/first.pcap"
done
same b7.pcap first.pcap
ok "another seed" bash -c "! cmp -s $tmp/b7.pcap $tmp/b8.pcap"
n=$(grep -c ' frame ' "$tmp/log7")
# 32768 IPv4 headers are right: 8 standard deviations are 724
ok "half of them: $n" test $((n > 15660 && n < 17108)) -eq 1
expect 0 "$CSUM" break -s 0 "$tmp/clean.pcap" -o "$tmp/broken.pcap"
same broken.pcap clean.pcap
cp "$tmp/clean.pcap" "$tmp/place.pcap"
expect 0 "$CSUM" break -i -s 100 "$tmp/place.pcap"
expect 1 "$CSUM" verify "$tmp/place.pcap"
expect 0 "$CSUM" fix -i "$tmp/place.pcap"
same place.pcap clean.pcap
for wrong in --share=101 --share=x --share=-1 --how=nonsense --protocol=arp \
	--seed=x; do
	expect 2 "$CSUM" break "$wrong" "$tmp/clean.pcap" -o "$tmp/out.pcap"
done
expect 2 "$CSUM" break "$tmp/clean.pcap"
says err 'say where to write'
expect 0 "$CSUM" break --help
says out '^Usage: csum break \[OPTION...\] FILE -o OUT$'

# --- public captures
shared=${CSUM_SHARED:-../shared}
if [ -d "$shared/capture-cases" ]; then
	python3 "$shared/capture-cases/score.py" "$shared/capture-cases" -- \
		"$CSUM" fix '{in}' -o '{out}' >"$tmp/score"
	tail -n 1 "$tmp/score" | sed 's/^/# /'
	ok "no good file damaged, nothing else changed" grep -qE \
		', 0 good files damaged, 0 frames changed elsewhere' "$tmp/score"
else
	tap_n=$((tap_n + 1))
	echo "ok $tap_n # SKIP no $shared/capture-cases"
fi

tap_done
