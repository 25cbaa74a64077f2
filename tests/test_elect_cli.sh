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

tap_done
