#!/bin/bash
# The man pages: they name every option that --help does, and no other.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
man=$(dirname "$0")/../docs/man

# options PAGE - the long options that it describes
options() {
	sed 's/\\-/-/g' "$1" | grep -A 1 '^\.TP' | grep -oE -- '--[a-z-]+' |
		sort -u
}

"$CSUM" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' >"$tmp/commands"
ok "commands" test "$(wc -l <"$tmp/commands")" -ge 7
while read -r command; do
	"$CSUM" "$command" --help | grep -E '^ +(-.,|--)' |
		grep -oE -- '--[a-z-]+' | grep -vE -- '--(help|usage)$' |
		sort -u >"$tmp/help"
	options "$man/csum-$command.1" >"$tmp/page"
	ok "csum-$command.1 has the options of --help" \
		diff "$tmp/help" "$tmp/page"
	ok "csum.1 names $command" grep -q "csum.*-$command" "$man/csum.1"
done <"$tmp/commands"
if command -v groff >/dev/null; then
	for page in "$man"/*.1; do
		groff -man -Tascii -ww "$page" >/dev/null 2>"$tmp/err"
		ok "${page##*/}: no warning" test ! -s "$tmp/err"
	done
else
	skip "no groff"
fi

tap_done
