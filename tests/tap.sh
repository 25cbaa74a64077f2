# shellcheck shell=bash
# tap.sh - for shell tests, sourced: TAP, and what a command says and returns.
#
# CSUM is the csum command to test.

set -u
: "${CSUM:?set CSUM to the csum command}"
unset CSUM_ROUTINE
# lines are told apart by patterns: none is folded
export COLUMNS=1000
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
tap_n=0

# ok DESCRIPTION COMMAND... - passes if the command succeeds
ok() {
	local what=$1
	shift
	tap_n=$((tap_n + 1))
	if "$@" >"$tmp/ok.log" 2>&1; then
		echo "ok $tap_n - $what"
	else
		echo "not ok $tap_n - $what"
		sed 's/^/# /' "$tmp/ok.log" "$tmp/out" "$tmp/err" 2>/dev/null |
			head -n 30
	fi
}

# expect STATUS COMMAND... - runs it; output in $tmp/out, errors in $tmp/err.
# Standard input is the caller's.
expect() {
	local want=$1 got
	shift
	"$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	ok "${*##*/}: exit status $want" test "$got" -eq "$want"
}

# says FILE REGEX - $tmp/FILE has a line that matches
says() {
	ok "... $1: $2" grep -qE -e "$2" "$tmp/$1"
}

# silent FILE - $tmp/FILE is empty
silent() {
	ok "... nothing on $1" test ! -s "$tmp/$1"
}

# skip REASON
skip() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n # SKIP $1"
}

# bytes HEX... - to standard output
bytes() {
	local hex=$*
	hex=${hex//[[:space:]]/}
	# shellcheck disable=SC2001 # no reference to the match in ${//}
	printf '%b' "$(sed 's/../\\x&/g' <<<"$hex")"
}

tap_done() {
	echo "1..$tap_n"
}
