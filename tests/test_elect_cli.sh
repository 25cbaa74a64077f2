#!/bin/bash
# `csum elect` and `csum bench goals`: what they print and leave behind.  No
# figure is judged.
# shellcheck source=tap.sh
. "$(dirname "$0")/tap.sh"

expect 0 "$CSUM" elect --help
says out '^Usage: csum elect'
expect 2 "$CSUM" elect --size 0
says err 'is not a number of bytes'
expect 2 "$CSUM" elect --time none
says err 'is not a time'
expect 2 "$CSUM" elect stray
expect 0 "$CSUM" elect --size 64 --size 1500 --time 0.05 --no-prefetch \
	--output "$tmp/profile"
says out '^sums, in cache: [0-9]+ routines'
says out '^copies, in cache'
says out '^the default is '
says out '^elected: '
says out '^ +1500  '
silent err
ok "... the profile names both" grep -qE '^copy [a-z0-9]+$' "$tmp/profile"
expect 0 env CSUM_PROFILE="$tmp/profile" "$CSUM" routines
expect 2 "$CSUM" elect --size 64 --time 0.05 --no-prefetch \
	--output "$tmp/nowhere/profile"
says err 'nowhere/profile: No such file'

expect 0 "$CSUM" bench --list
says out '^goals '
expect 2 "$CSUM" bench golas
says err "'golas' is no experiment; --list names them"

# half a minute, most of it for tables of 256 MiB
if [ -n "${CSUM_TEST_SLOW:-}" ]; then
	expect 0 "$CSUM" bench goals --time 0.05 --seed 1
	says out '^  (met|not met) +csum_partial +1500 +[0-9.]+ +1.60 x read$'
	says out '^  (met|not met) +csum_copy +256M odd +[0-9.]+ +1.00 x memcpy$'
	says out '^  untried csum_partial +20 +- +1.00$'
	says out '^[0-9]+ met, [0-9]+ not met, [1-9][0-9]* not tried here$'
	ok "... in 80 columns" awk 'length > 80 { print; bad = 1 }
		END { exit bad }' "$tmp/out"
fi
expect 2 "$CSUM" bench goals "$tmp/nosuch.so"
says err 'nosuch.so'

tap_done
