#!/bin/bash
# Files that shrink, grow and change while they are read, and a disk that is full.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
sample=$(dirname "$0")/captures/sample.pcap

# some packets, and as many again and again: 3 MB
tail -c +25 "$sample" >"$tmp/packets"
for _ in 1 2 3 4 5 6 7 8; do
	cat "$tmp/packets" "$tmp/packets" >"$tmp/twice"
	mv "$tmp/twice" "$tmp/packets"
done
head -c 24 "$sample" | cat - "$tmp/packets" >"$tmp/whole.pcap"
size=$(stat -c %s "$tmp/whole.pcap")
"$CSUM" fix "$tmp/whole.pcap" -o "$tmp/fixed.pcap" >/dev/null

# Somebody else writes to the file all the time.
mkdir "$tmp/folder"
cp "$tmp/whole.pcap" "$tmp/folder/a.pcap"
while :; do
	truncate -s $((RANDOM * size / 32768)) "$tmp/folder/a.pcap"
	tail -c +$((RANDOM % 4096)) "$tmp/whole.pcap" >>"$tmp/folder/a.pcap"
	cat "$tmp/whole.pcap" >"$tmp/folder/a.pcap"
done 2>/dev/null &
writer=$!
# run COMMAND... - counts what must not be: a crash, or trouble without a word
wrong=0 clean=0
run() {
	timeout 20 "$@" >"$tmp/run.out" 2>"$tmp/run.err"
	case $? in
	0 | 1)
		[ ! -s "$tmp/run.err" ] || wrong=$((wrong + 1))
		clean=$((clean + 1))
		;;
	2) [ -s "$tmp/run.err" ] || wrong=$((wrong + 1)) ;;
	*) wrong=$((wrong + 1)) ;;
	esac
}
for _ in $(seq 15); do
	run "$CSUM" verify -j1 "$tmp/folder/a.pcap"
	run "$CSUM" verify -j3 "$tmp/folder"
	run "$CSUM" explain "$tmp/folder/a.pcap" 4000
	run "$CSUM" fix "$tmp/folder/a.pcap" -o "$tmp/folder/out.pcap"
	run "$CSUM" fix --in-place "$tmp/folder/a.pcap"
done
kill $writer
wait $writer 2>/dev/null
echo "# 75 runs, $clean of them over a whole file"
ok "changed while it is read: no crash, no trouble without a word" \
	test $wrong -eq 0
rm -f "$tmp/folder/a.pcap" "$tmp/folder/out.pcap"
ok "... nothing is left over" test -z "$(ls "$tmp/folder")"

# Killed at any moment: there is the old file, the new one, or none.
whole=0
for i in $(seq 20); do
	timeout -s KILL "0.0$((10 + 4 * i))" \
		"$CSUM" fix "$tmp/whole.pcap" -o "$tmp/killed.pcap" >/dev/null
	if [ ! -e "$tmp/killed.pcap" ] ||
		cmp -s "$tmp/killed.pcap" "$tmp/fixed.pcap"; then
		whole=$((whole + 1))
	fi
	rm -f "$tmp/killed.pcap"
done 2>/dev/null
ok "killed 20 times: the whole output or none" test $whole -eq 20

# In place there is always one, the old one or the new one.
whole=0
mkdir "$tmp/place"
for i in $(seq 20); do
	cp "$tmp/whole.pcap" "$tmp/place/a.pcap"
	timeout -s KILL "0.0$((10 + 4 * i))" \
		"$CSUM" fix --in-place "$tmp/place/a.pcap" >/dev/null
	if cmp -s "$tmp/place/a.pcap" "$tmp/whole.pcap" ||
		cmp -s "$tmp/place/a.pcap" "$tmp/fixed.pcap"; then
		whole=$((whole + 1))
	fi
done 2>/dev/null
ok "killed 20 times in place: the whole old file or the whole new one" \
	test $whole -eq 20

# A disk that is full: a file system for one and a half of it, where one may be mounted.
if mkdir "$tmp/disk" && unshare -m true 2>/dev/null &&
	unshare -m mount -t tmpfs -o size=1m none "$tmp/disk" 2>/dev/null; then
	cat >"$tmp/full" <<-'EOF2'
		mount -t tmpfs -o size="$4" none "$1" || exit 9
		cp "$2" "$1/a.pcap" || exit 9
		"$CSUM" fix --in-place "$1/a.pcap"
		echo $? >"$3.in-place"
		cmp "$1/a.pcap" "$2" >>"$3.in-place"
		"$CSUM" fix "$2" -o "$1/b.pcap"
		echo $? >"$3.output"
		ls "$1" >"$3.left"
	EOF2
	export CSUM
	expect 0 unshare -m bash "$tmp/full" "$tmp/disk" "$tmp/whole.pcap" \
		"$tmp/full" $((size * 3 / 2))
	says err 'No space left on device'
	ok "... in place: exit status 2, the old file" \
		test "$(cat "$tmp/full.in-place")" = 2
	ok "... to another file: exit status 2" \
		test "$(cat "$tmp/full.output")" = 2
	ok "... nothing is left over" test "$(cat "$tmp/full.left")" = a.pcap
else
	skip "a full disk: no file system may be mounted here"
fi
tap_done
