#!/bin/bash
# `csum` itself, `csum sum` and `csum routines`, as a user types them.
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"

# --- the command
expect 0 "$CSUM" --help
says out '^Usage: csum COMMAND'
for command in sum routines; do
	expect 0 "$CSUM" --help
	says out "^  $command "
	expect 0 "$CSUM" $command --help
	says out "^Usage: csum $command"
done
expect 0 "$CSUM" --version
says out '^csum [0-9]+\.[0-9]+\.[0-9]+$'
expect 2 "$CSUM"
says err '^Usage'
silent out
expect 2 "$CSUM" nonsense
says err "no command 'nonsense'"
expect 2 "$CSUM" sum --nonsense
says err "^csum sum: no option '--nonsense'$"

# --- every command: help in 80 columns, by three names; mistakes are named
"$CSUM" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' >"$tmp/commands"
# narrow FILE - no line is wider than a terminal
narrow() {
	awk 'length > 79 { print; bad = 1 } END { exit bad }' "$1"
}
"$CSUM" --help >"$tmp/out"
ok "--help fits" narrow "$tmp/out"
while read -r command; do
	expect 0 "$CSUM" "$command" --help
	ok "... fits" narrow "$tmp/out"
	cp "$tmp/out" "$tmp/help"
	expect 0 "$CSUM" help "$command"
	ok "... is the same" cmp "$tmp/help" "$tmp/out"
	expect 0 "$CSUM" "$command" -h
	ok "... is the same" cmp "$tmp/help" "$tmp/out"
	expect 0 "$CSUM" "$command" --usage
	says out "^Usage: csum $command"
	expect 2 "$CSUM" "$command" --hepl
	says err "^csum $command: no option '--hepl'; did you mean '--help'\?$"
	expect 2 "$CSUM" "$command" --help=x
	says err 'takes no argument'
	expect 2 "$CSUM" "$command" -Q
	says err "^csum $command: no option '-Q'$"
	silent out
done <"$tmp/commands"
expect 2 "$CSUM" verfy
says err "no command 'verfy'; did you mean 'verify'\?$"
expect 2 "$CSUM" help verfy
says err "did you mean 'verify'"
expect 2 "$CSUM" verify --protcol=tcp
says err "no option '--protcol'; did you mean '--protocol'"
expect 2 "$CSUM" verify --protocol=tpc
says err "--protocol: 'tpc' is none of .*, tcp, udp, .*; did you mean 'tcp'"
expect 2 "$CSUM" fix --verdict=good
says err "'good' is none of bad, partial, absent$"
expect 2 "$CSUM" break --how=unknown
says err "'unknown' is none of offload, .*, random$"
expect 2 "$CSUM" verify --verdict
says err "'--verdict' needs an argument, WORD,...: good, bad, "
expect 2 "$CSUM" verify --json=yes
says err "'--json' takes no argument"
expect 2 "$CSUM" bench --se 3 --s=3
says err "option '--s' can be --small, --study, --size, --span, --seed$"
expect 2 "$CSUM" bench --order=sequental
says err "none of shuffled, random, random-even, sequential, strided; .*'seq"
expect 2 "$CSUM" bench golas
says err "did you mean 'goals'"
expect 2 "$CSUM" sum -- --nonsense
says err '--nonsense: No such file'

# --- sum: the example of RFC 1071
rfc='0001f203f4f5f6f7'
printf '\x00\x01\xf2\x03\xf4\xf5\xf6\xf7' >"$tmp/rfc1071"
expect 0 "$CSUM" sum "$tmp/rfc1071"
says out '^checksum 0x220d  sum 0xddf2  8 bytes  '
silent err
expect 0 "$CSUM" sum <"$tmp/rfc1071"
says out '^checksum 0x220d .* -$'
expect 0 "$CSUM" sum - <"$tmp/rfc1071"
says out '^checksum 0x220d'
# shellcheck disable=SC2016 # for the inner shell
expect 0 sh -c 'cat "$1" | "$2" sum -' sh "$tmp/rfc1071" "$CSUM"
says out '^checksum 0x220d'
expect 0 "$CSUM" sum "$tmp/rfc1071" "$tmp/rfc1071"
ok "... two lines" test "$(wc -l <"$tmp/out")" -eq 2

# a range: f203 f4f5 is e6f9, its odd start too: 01f2 03f4 f5f6 f700 is f2dd
expect 0 "$CSUM" sum --offset 2 --length 4 "$tmp/rfc1071"
says out 'sum 0xe6f9  4 bytes'
expect 0 "$CSUM" sum -o 0x1 "$tmp/rfc1071"
says out 'sum 0xf2dd  7 bytes'
expect 0 "$CSUM" sum -o 8 "$tmp/rfc1071"
says out 'checksum 0xffff  sum 0x0000  0 bytes'
expect 2 "$CSUM" sum -o 9 "$tmp/rfc1071"
says err 'rfc1071: offset 9 is past the end \(8 bytes\)'
expect 2 "$CSUM" sum -o 4 -l 5 "$tmp/rfc1071"
says err 'rfc1071: 4 bytes from offset 4, not 5'
for bad in '' -1 1x 0xg 99999999999999999999 17179869184G; do
	expect 2 "$CSUM" sum "--offset=$bad" "$tmp/rfc1071"
	says err 'is not a number'
done

# hex
for hex in "$rfc" '00 01 f2 03  f4 f5 f6 f7' '00:01:F2:03:f4:f5:f6:f7' \
	'0x0001 0xf203 0xf4f5 0xf6f7' '00,01,f2,03,f4-f5-f6-f7'; do
	expect 0 "$CSUM" sum --hex <<<"$hex"
	says out '^checksum 0x220d  sum 0xddf2  8 bytes'
done
expect 2 "$CSUM" sum --hex <<<'00 01 zz'
says err 'standard input: offset 6: not a hex digit'
expect 2 "$CSUM" sum --hex <<<'00 1'
says err 'half a hex byte'
printf 123 >"$tmp/half"
expect 2 "$CSUM" sum --hex "$tmp/half"
says err 'half: ends with half a hex byte'

# nothing, not there, not a file, larger than the buffer
: >"$tmp/empty"
expect 0 "$CSUM" sum "$tmp/empty"
says out 'checksum 0xffff  sum 0x0000  0 bytes'
expect 2 "$CSUM" sum "$tmp/missing"
says err 'missing: No such file'
expect 2 "$CSUM" sum "$tmp"
says err 'Is a directory'
expect 2 "$CSUM" sum "$tmp/missing" "$tmp/rfc1071"
says out 'checksum 0x220d'
# 3 MiB and a byte of ones, from an odd place: 1572863 words of ffff and ff00
head -c 3145729 /dev/zero | tr '\0' '\377' >"$tmp/ones"
expect 0 "$CSUM" sum "$tmp/ones"
says out 'sum 0xff00  3145729 bytes'
expect 0 "$CSUM" sum -o 1 "$tmp/ones"
says out 'sum 0xffff  3145728 bytes'
if [ -e /dev/full ]; then
	# shellcheck disable=SC2016 # for the inner shell
	expect 2 sh -c '"$1" sum "$2" >/dev/full' sh "$CSUM" "$tmp/rfc1071"
	says err 'cannot write'
fi

# --- routines
expect 0 "$CSUM" routines
says out '^portable '
ok "... a line for each" test "$(grep -vc '^[a-z]' "$tmp/out")" -eq 0
# on_terminal COLUMNS COMMAND... - its output on a terminal, in $tmp/out
on_terminal() {
	local columns=$1
	shift
	script -qec "stty cols $columns rows 24; $(printf '%q ' "$@")" /dev/null |
		tr -d '\r' >"$tmp/out"
}
on_terminal 80 "$CSUM" routines
says out '^portable '
ok "... fits on a terminal" narrow "$tmp/out"
ok "... one is active" test "$(grep -c ' active ' "$tmp/out")" -eq 1
expect 0 "$CSUM" routines --json
ok "... is JSON" python3 -m json.tool "$tmp/out"
says out '"active": true'
expect 2 "$CSUM" routines extra

# --- pinning
expect 0 env CSUM_ROUTINE=portable "$CSUM" routines
says out '^portable .* active '
expect 0 env CSUM_ROUTINE=portable "$CSUM" sum "$tmp/rfc1071"
says out '^checksum 0x220d'
expect 0 env CSUM_ROUTINE= "$CSUM" sum "$tmp/rfc1071"
expect 2 env CSUM_ROUTINE=bogus "$CSUM" sum "$tmp/rfc1071"
says err 'CSUM_ROUTINE=bogus: no such routine'
silent out

# --- profiles
printf 'csum-profile 1\nsum portable\n' >"$tmp/profile"
expect 0 env CSUM_PROFILE="$tmp/profile" "$CSUM" routines
says out '^portable .* active '
expect 0 env CSUM_PROFILE="$tmp/profile" "$CSUM" sum "$tmp/rfc1071"
says out '^checksum 0x220d'
expect 2 env CSUM_PROFILE="$tmp/missing" "$CSUM" routines
says err 'missing: No such file'
expect 2 env CSUM_PROFILE="$tmp/rfc1071" "$CSUM" routines
says err 'rfc1071: not a csum profile'
printf 'csum-profile 1' >"$tmp/profile"
expect 0 env CSUM_PROFILE="$tmp/profile" "$CSUM" routines
printf 'csum-profile 1\nsum portable' >"$tmp/profile"
expect 0 env CSUM_PROFILE="$tmp/profile" "$CSUM" routines
says out '^portable .* active '
# what never ends is refused at once
mkfifo "$tmp/fifo"
expect 2 timeout 10 env CSUM_PROFILE="$tmp/fifo" "$CSUM" routines
says err 'fifo: not a csum profile'
expect 2 timeout 10 env CSUM_PROFILE=/dev/zero "$CSUM" routines
expect 2 env CSUM_PROFILE="$tmp" "$CSUM" routines
says err 'Is a directory'
{ echo 'csum-profile 1'; yes '#' | head -n 40000; } >"$tmp/profile"
expect 2 env CSUM_PROFILE="$tmp/profile" "$CSUM" routines
says err 'profile: not a csum profile'

# --- with the rights of somebody else, the environment is not believed
cp "$CSUM" "$tmp/csum"
chmod 755 "$tmp"
# the leak checker of sanitizers fails in such a program
if grep -q __asan_init "$CSUM"; then
	skip "set-user-ID: sanitizers"
elif [ "$(id -u)" -eq 0 ] && chown 65534 "$tmp/csum" && chmod 4755 "$tmp/csum" &&
	! findmnt -nT "$tmp" -o OPTIONS | grep -q nosuid; then
	expect 2 env CSUM_ROUTINE=bogus "$CSUM" routines
	expect 0 env CSUM_ROUTINE=bogus "$tmp/csum" routines
	expect 0 env CSUM_PROFILE="$tmp/missing" "$tmp/csum" routines
else
	skip "set-user-ID: not root, or not on this file system"
fi
printf 'csum-profile 1\nsum bogus\n' >"$tmp/profile"
expect 2 env CSUM_PROFILE="$tmp/profile" "$CSUM" routines
says err 'profile: names a routine that cannot run here'

tap_done
